//===- DecomposeUpdates.cpp - update ops to sweeps ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "skew/Dialect/Skew/IR/Skew.h"
#include "skew/Dialect/Skew/Transforms/Decompose.h"
#include "skew/Dialect/Skew/Transforms/OutlineSweeps.h"
#include "skew/Dialect/Skew/Transforms/Passes.h"

namespace mlir::skew {
#define GEN_PASS_DEF_DECOMPOSEUPDATES
#include "skew/Dialect/Skew/Transforms/Passes.h.inc"
} // namespace mlir::skew

using namespace mlir;
using namespace mlir::skew;

static void decomposeAll(Operation *root, SweepOutliner *outliner) {
  SmallVector<UpdateOpInterface> updates;
  root->walk([&](UpdateOpInterface update) { updates.push_back(update); });
  for (UpdateOpInterface update : updates) {
    OpBuilder builder(update);
    Block *block = update->getBlock();
    Operation *before = update->getPrevNode(), *after = update->getNextNode();
    SmallVector<Value> results = update.decompose(builder);
    update->replaceAllUsesWith(results);
    update->erase();
    if (!outliner)
      continue;
    SmallVector<SweepOp> sweeps;
    for (auto it = before ? std::next(before->getIterator()) : block->begin(),
              end = after ? after->getIterator() : block->end();
         it != end; ++it)
      if (auto sweep = dyn_cast<SweepOp>(*it))
        sweeps.push_back(sweep);
    for (SweepOp sweep : sweeps)
      outliner->add(sweep);
  }
}

void skew::decomposeUpdates(Operation *root) { decomposeAll(root, nullptr); }

void skew::decomposeUpdatesShared(ModuleOp module) {
  SweepOutliner outliner(module);
  decomposeAll(module, &outliner);
  outliner.finish();
}

LogicalResult skew::checkSkewOpsKnown(Operation *root) {
  if (root->getContext()->getLoadedDialect<SkewDialect>())
    return success();
  WalkResult result = root->walk([](Operation *op) {
    if (op->getName().getDialectNamespace() !=
        SkewDialect::getDialectNamespace())
      return WalkResult::advance();
    op->emitOpError("must be read with the skew dialect registered: load the "
                    "plugin with --load-dialect-plugin as well");
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

namespace {
struct DecomposeUpdatesPass
    : public skew::impl::DecomposeUpdatesBase<DecomposeUpdatesPass> {
  using DecomposeUpdatesBase::DecomposeUpdatesBase;

  void runOnOperation() override {
    if (failed(checkSkewOpsKnown(getOperation())))
      return signalPassFailure();
    if (auto module = dyn_cast<ModuleOp>(getOperation()); module && share)
      decomposeUpdatesShared(module);
    else
      decomposeUpdates(getOperation());
  }
};
} // namespace
