//===- SkewToStableHLO.cpp - sweeps to StableHLO --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Conversion/SkewToStableHLO.h"
#include "StableHLOEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "skew/Dialect/Skew/Transforms/OutlineSweeps.h"

namespace mlir::skew {
#define GEN_PASS_DEF_CONVERTSKEWTOSTABLEHLO
#include "skew/Conversion/Passes.h.inc"
} // namespace mlir::skew

using namespace mlir;
using namespace mlir::skew;

namespace {
struct ConvertSkewToStableHLOPass
    : public skew::impl::ConvertSkewToStableHLOBase<
          ConvertSkewToStableHLOPass> {
  using ConvertSkewToStableHLOBase::ConvertSkewToStableHLOBase;

  void runOnOperation() override;

private:
  void findFunctionsWithSweeps();
  bool isCallOfSweeps(Operation *op) {
    auto call = dyn_cast<func::CallOp>(op);
    return call && withSweeps.contains(call.getCalleeAttr().getAttr());
  }
  LogicalResult checkFunctions();
  LogicalResult lowerSweeps();
  void lowerConstants();
  LogicalResult checkNothingLeft();

  llvm::DenseSet<StringAttr> withSweeps;
};
} // namespace

/// Sweeps may be functions already, or become some.
void ConvertSkewToStableHLOPass::findFunctionsWithSweeps() {
  withSweeps.clear();
  for (auto function : getOperation().getOps<FunctionOpInterface>())
    if (function.walk([](SweepOp) { return WalkResult::interrupt(); })
            .wasInterrupted())
      withSweeps.insert(function.getNameAttr());
}

LogicalResult ConvertSkewToStableHLOPass::lowerSweeps() {
  SmallVector<SweepOp> sweeps;
  getOperation()->walk([&](SweepOp sweep) { sweeps.push_back(sweep); });
  for (SweepOp sweep : sweeps)
    if (failed(lowerSweepToStableHLO(sweep)))
      return failure();
  return success();
}

/// Constants of sweeps, equal ones of a block once. Others are the graph's own.
void ConvertSkewToStableHLOPass::lowerConstants() {
  llvm::SetVector<Operation *> lowered;
  // The first one that a sweep takes comes before all sweeps that follow.
  llvm::DenseMap<std::pair<Block *, Attribute>, Value> made;
  getOperation()->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<SweepOp>(op) && !isCallOfSweeps(op))
      return;
    for (OpOperand &operand : op->getOpOperands()) {
      auto constant = operand.get().getDefiningOp<arith::ConstantOp>();
      if (!constant || !isa<ElementsAttr>(constant.getValue()))
        continue;
      Value &value = made[{constant->getBlock(), constant.getValue()}];
      if (!value) {
        OpBuilder builder(constant);
        value = StableHLOEmitter(builder, constant.getLoc())
                    .constant(cast<ElementsAttr>(constant.getValue()));
      }
      operand.set(value);
      lowered.insert(constant);
    }
  });
  for (Operation *constant : lowered)
    if (constant->use_empty())
      constant->erase();
}

LogicalResult ConvertSkewToStableHLOPass::checkNothingLeft() {
  WalkResult result = getOperation()->walk([](Operation *op) {
    if (!isa_and_nonnull<SkewDialect>(op->getDialect()) ||
        isa<GroupOp, StateLayoutOp>(op))
      return WalkResult::advance();
    InFlightDiagnostic diag = op->emitOpError("has no StableHLO form");
    if (isa<UpdateOpInterface>(op))
      diag << ": run skew-decompose-updates first";
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// A function that computes in linalg would become one in two dialects that
/// nothing compiles together.
LogicalResult ConvertSkewToStableHLOPass::checkFunctions() {
  for (auto function : getOperation().getOps<FunctionOpInterface>()) {
    Operation *linalg = nullptr;
    bool here = withSweeps.contains(function.getNameAttr());
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      here |= isCallOfSweeps(op);
      if (!linalg && op->getName().getDialectNamespace() == "linalg")
        linalg = op;
    });
    if (here && linalg)
      return linalg->emitError("StableHLO cannot be mixed with ")
             << linalg->getName()
             << ": stop at the skew dialect with target=none";
  }
  return success();
}

void ConvertSkewToStableHLOPass::runOnOperation() {
  if (!StableHLOEmitter::isUsable(&getContext())) {
    getOperation()->emitError("StableHLO ops need --allow-unregistered-dialect "
                              "or a loaded stablehlo dialect");
    return signalPassFailure();
  }
  findFunctionsWithSweeps();
  if (failed(checkFunctions()))
    return signalPassFailure();
  if (!withSweeps.empty()) {
    outlineSweeps(getOperation());
    findFunctionsWithSweeps();
    lowerConstants();
    if (failed(lowerSweeps()))
      return signalPassFailure();
  }
  if (failed(checkNothingLeft()))
    signalPassFailure();
}
