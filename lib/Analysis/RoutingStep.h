//===- RoutingStep.h - tagging one record -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to RoutingAnalysis, whose forward pass has two files.
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_LIB_ANALYSIS_ROUTINGSTEP_H
#define SKEW_LIB_ANALYSIS_ROUTINGSTEP_H

#include "skew/Analysis/RoutingAnalysis.h"

namespace mlir::skew {

/// What tagging one record needs to know about its operands.
struct RoutingAnalysis::Step {
  RecordId id;
  FlowKind kind;
  /// Operand numbers: those that depend on a parameter, of these the views,
  /// and of these the others.
  SmallVector<unsigned, 4> dependents, viewOperands, rest;
  /// The products of all operands that are chosen.
  SetPool::Id chosen = SetPool::kEmpty;
  /// Some operand of `rest` is no part of that routing.
  bool meetsOthers = false;
  /// Some operand of `rest` is normalised or a normalising scale.
  bool meetsNormalised = false;
  Tag out{TagKind::activation, SetPool::kEmpty};
};

inline uint64_t allBits(unsigned rank) { return (uint64_t(1) << rank) - 1; }

inline bool isChoice(FlowKind kind) {
  return kind == FlowKind::topK || kind == FlowKind::sort ||
         kind == FlowKind::argReduce;
}

} // namespace mlir::skew

#endif // SKEW_LIB_ANALYSIS_ROUTINGSTEP_H
