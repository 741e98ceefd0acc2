//===- DecomposeUpdates.cpp - update ops to sweeps ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "skew/Dialect/Skew/IR/Skew.h"
#include "skew/Dialect/Skew/Transforms/Decompose.h"
#include "skew/Dialect/Skew/Transforms/Passes.h"

namespace mlir::skew {
#define GEN_PASS_DEF_DECOMPOSEUPDATES
#include "skew/Dialect/Skew/Transforms/Passes.h.inc"
} // namespace mlir::skew

using namespace mlir;
using namespace mlir::skew;

void skew::decomposeUpdates(Operation *root) {
  SmallVector<UpdateOpInterface> updates;
  root->walk([&](UpdateOpInterface update) { updates.push_back(update); });
  for (UpdateOpInterface update : updates) {
    OpBuilder builder(update);
    SmallVector<Value> results = update.decompose(builder);
    update->replaceAllUsesWith(results);
    update->erase();
  }
}

namespace {
struct DecomposeUpdatesPass
    : public skew::impl::DecomposeUpdatesBase<DecomposeUpdatesPass> {
  using DecomposeUpdatesBase::DecomposeUpdatesBase;

  void runOnOperation() override { decomposeUpdates(getOperation()); }
};
} // namespace
