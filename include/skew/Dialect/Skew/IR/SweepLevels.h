//===- SweepLevels.h - axes that a body value depends on --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one analysis of sweep bodies. A value that depends on the row axes alone
// has one value per row: StableHLO makes it a tensor over rows and broadcasts
// late, loop nests compute it once per row, a factor of a summed product that
// lacks the summed axes can leave the sum.
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_DIALECT_SKEW_IR_SWEEPLEVELS_H
#define SKEW_DIALECT_SKEW_IR_SWEEPLEVELS_H

#include "skew/Dialect/Skew/IR/Skew.h"
#include "llvm/ADT/DenseMap.h"

namespace mlir::skew {

/// Levels of every value in one sweep's body. An input's level is the axes of
/// its projection, the index's all axes, a constant's none, and an op's the
/// union of its operands'. Valid until the body changes.
class SweepLevels {
public:
  explicit SweepLevels(SweepOp sweep);

  /// Axes of the domain that `value` depends on, ascending.
  ArrayRef<int64_t> getAxes(Value value) const;
  bool dependsOn(Value value, int64_t axis) const;
  /// Axes of the domain that output `i` is summed over, ascending.
  SmallVector<int64_t> getSummedAxes(unsigned i) const;

private:
  SweepOp sweep;
  llvm::DenseMap<Value, SmallVector<int64_t>> axes;
};

} // namespace mlir::skew

#endif // SKEW_DIALECT_SKEW_IR_SWEEPLEVELS_H
