//===- SweepLevels.cpp - axes that a body value depends on ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Dialect/Skew/IR/SweepLevels.h"

using namespace mlir;
using namespace mlir::skew;

SweepLevels::SweepLevels(SweepOp sweep) : sweep(sweep) {
  Block &body = sweep.getBody().front();
  for (unsigned i = 0, e = sweep.getInputs().size(); i < e; ++i)
    axes[body.getArgument(i)] =
        sweep.getAxes().axesOf(sweep.getInputProjection(i));
  axes[sweep.getIndexArgument()] = sweep.getAxes().axesOf(Projection::elem);
  for (Operation &op : body.without_terminator()) {
    SmallVector<int64_t> joined;
    for (Value operand : op.getOperands())
      llvm::append_range(joined, getAxes(operand));
    llvm::sort(joined);
    joined.erase(llvm::unique(joined), joined.end());
    for (Value result : op.getResults())
      axes[result] = joined;
  }
}

ArrayRef<int64_t> SweepLevels::getAxes(Value value) const {
  return axes.find(value)->second;
}

bool SweepLevels::dependsOn(Value value, int64_t axis) const {
  return llvm::is_contained(getAxes(value), axis);
}

SmallVector<int64_t> SweepLevels::getSummedAxes(unsigned i) const {
  SweepOp op = sweep;
  SmallVector<int64_t> kept = op.getAxes().axesOf(op.getOutputProjection(i));
  SmallVector<int64_t> summed = op.getAxes().axesOf(Projection::elem);
  llvm::erase_if(summed,
                 [&](int64_t axis) { return llvm::is_contained(kept, axis); });
  return summed;
}
