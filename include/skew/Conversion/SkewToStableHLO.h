//===- SkewToStableHLO.h - sweeps to StableHLO ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_CONVERSION_SKEWTOSTABLEHLO_H
#define SKEW_CONVERSION_SKEWTOSTABLEHLO_H

#include "mlir/Pass/Pass.h"
#include "skew/Dialect/Skew/IR/Skew.h"

namespace mlir::skew {

#define GEN_PASS_DECL_CONVERTSKEWTOSTABLEHLO
#include "skew/Conversion/Passes.h.inc"

/// Replaces `sweep` by StableHLO ops in front of it. Reports an error at a body
/// op that has no StableHLO form; the sweep is then left in place.
LogicalResult lowerSweepToStableHLO(SweepOp sweep);

} // namespace mlir::skew

#endif // SKEW_CONVERSION_SKEWTOSTABLEHLO_H
