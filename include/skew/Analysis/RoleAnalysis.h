//===- RoleAnalysis.h - what each parameter does ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Roles and axes of a train step's parameters from structure alone: no name is
// read here.
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_ANALYSIS_ROLEANALYSIS_H
#define SKEW_ANALYSIS_ROLEANALYSIS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "skew/Dialect/Skew/IR/Skew.h"
#include <memory>

namespace mlir::skew {

/// How far a role may be trusted.
enum class Confidence : uint8_t {
  /// Several independent observations agree. Only these roles may lose state.
  certain,
  /// The role holds by one observation.
  likely,
  /// The structure says nothing.
  guess,
};
llvm::StringRef stringify(Confidence confidence);

/// An observation, with the operation that shows it.
struct Evidence {
  Location loc;
  std::string text;
};

struct ParameterRole {
  Role role = Role::backbone;
  Confidence confidence = Confidence::guess;
  SmallVector<Evidence> evidence;
  /// Ascending; every axis is in exactly one of them (numerics.md, Axes).
  SmallVector<int64_t> batch, row, column;
  /// False: the structure is silent, and the last two axes are the matrix.
  bool axesFromStructure = false;
  /// What two uses disagree on, or what cannot be told; empty mostly.
  std::string axesNote;
  /// The loss depends on it (without a loss: the forward pass reads it).
  bool used = false;
};

/// A routing decision that was found.
struct RouterSummary {
  /// Arguments that are the router's own, and those of its experts.
  SmallVector<unsigned> routerArguments, expertArguments;
  /// Columns of its product; 0 if not known.
  int64_t numExperts = 0;
  /// How it was found.
  std::string text;
};

class RoleAnalysis {
public:
  /// Analyses `main`. `parameterArguments` are the trainable parameters,
  /// `stateResults` (argument, result) of every value that is carried from step
  /// to step, parameters and optimizer state: such a result is not the loss.
  /// The skew dialect must be loaded.
  RoleAnalysis(func::FuncOp main, ArrayRef<unsigned> parameterArguments,
               ArrayRef<std::pair<unsigned, unsigned>> stateResults = {});
  ~RoleAnalysis();

  /// Arguments that look like parameters: float tensors that have a result of
  /// the same type and that the loss reads. Where no result is the loss,
  /// optimizer state is among them.
  static SmallVector<unsigned> guessParameters(func::FuncOp main);

  ArrayRef<unsigned> parameterArguments() const { return arguments; }
  /// `argument` is one of parameterArguments().
  const ParameterRole &roleOf(unsigned argument) const;
  ArrayRef<RouterSummary> routers() const { return routerSummaries; }

  /// How the forward pass was found, or why it was not.
  StringRef sliceText() const { return slice; }
  std::optional<unsigned> lossResult() const { return loss; }

  void print(llvm::raw_ostream &os) const;

private:
  SmallVector<unsigned> arguments;
  std::vector<ParameterRole> roles;
  llvm::DenseMap<unsigned, unsigned> roleNumbers;
  std::vector<RouterSummary> routerSummaries;
  std::string slice;
  std::optional<unsigned> loss;
};

} // namespace mlir::skew

#endif // SKEW_ANALYSIS_ROLEANALYSIS_H
