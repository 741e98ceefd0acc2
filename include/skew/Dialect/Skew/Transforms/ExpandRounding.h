//===- ExpandRounding.h - stochastic rounding as arith ops ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_DIALECT_SKEW_TRANSFORMS_EXPANDROUNDING_H
#define SKEW_DIALECT_SKEW_TRANSFORMS_EXPANDROUNDING_H

#include "skew/Dialect/Skew/IR/Skew.h"

namespace mlir::skew {

/// Replaces every `skew.round_stochastic` in the sweep's body by `arith` (and
/// `math`) ops with the same result bit for bit. Lowerings that have no better
/// instruction call this first.
void expandStochasticRounding(SweepOp sweep);

} // namespace mlir::skew

#endif // SKEW_DIALECT_SKEW_TRANSFORMS_EXPANDROUNDING_H
