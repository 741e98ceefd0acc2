//===- UpdateProbe.h - questions a match solver may ask ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A match solver belongs to an update rule and knows nothing of graphs. The
// frontend implements `UpdateProbe` on a scalar slice; the solver chooses the
// points, reads the values and returns an `UpdateMatch` (shared idea: numbers
// propose, the frontend's structural checks and a confirmation against the
// rule's own sweeps decide).
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_DIALECT_SKEW_IR_UPDATEPROBE_H
#define SKEW_DIALECT_SKEW_IR_UPDATEPROBE_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include <optional>
#include <string>

namespace mlir {
class OpBuilder;
class Operation;
} // namespace mlir

namespace mlir::skew {

class UpdateProbe;

/// Value of one hyperparameter: a constant, or a run-time scalar of the probe.
struct MatchedScalar {
  std::optional<double> constant;
  /// Id of the scalar in the probe when not constant, else -1.
  int scalar = -1;
  /// The run-time scalar has the opposite sign (torch keeps -lr/bc1).
  bool negated = false;
};

/// What a solver found, or why it refuses.
struct UpdateMatch {
  /// How far the candidate came: the reason of the furthest one is reported.
  unsigned stage = 0;
  /// Empty when matched; else lower-case reason without a full stop.
  std::string reason;
  llvm::SmallVector<std::pair<std::string, MatchedScalar>> hyperparameters;
  MatchedScalar learningRate;
  /// Scalar that counts steps (after the increment); scalar -1: none needed.
  MatchedScalar step;
  /// Node of the slice that is the gradient the moments average.
  int gradient = -1;
  /// The gradient is the constant zero.
  bool zeroGradient = false;

  bool matched() const { return reason.empty(); }
  static UpdateMatch refuse(unsigned stage, std::string reason) {
    UpdateMatch match;
    match.stage = stage;
    match.reason = std::move(reason);
    return match;
  }
};

} // namespace mlir::skew

#endif // SKEW_DIALECT_SKEW_IR_UPDATEPROBE_H
