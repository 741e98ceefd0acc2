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
  /// Moves long scalar sweeps into private functions and calls them.
  void outlineScalarSweeps();
  LogicalResult checkFunctions(bool &hasSweeps);
  LogicalResult lowerSweeps();
  void lowerConstants();
  LogicalResult checkNothingLeft();
};

/// A scalar sweep with more body ops than this is worth a function: the bias
/// corrections (about five) stay in place, the random key (about 120) moves.
constexpr unsigned longestInline = 32;
} // namespace

/// True if the two compute the same from their operands.
static bool areEqual(SweepOp a, SweepOp b) {
  return OperationEquivalence::isEquivalentTo(
      a, b, OperationEquivalence::ignoreValueEquivalence, nullptr,
      OperationEquivalence::IgnoreLocations |
          OperationEquivalence::IgnoreDiscardableAttrs);
}

void ConvertSkewToStableHLOPass::outlineScalarSweeps() {
  ModuleOp module = getOperation();
  SmallVector<SweepOp> candidates;
  module.walk([&](SweepOp sweep) {
    auto &ops = sweep.getBody().front().getOperations();
    if (sweep.getShape().empty() && ops.size() > longestInline)
      candidates.push_back(sweep);
  });
  SymbolTable symbols(module);
  // Functions made here, each with the sweep that it holds.
  SmallVector<std::pair<SweepOp, func::FuncOp>> outlined;
  for (SweepOp sweep : candidates) {
    auto *known = llvm::find_if(
        outlined, [&](auto &entry) { return areEqual(entry.first, sweep); });
    if (known == outlined.end()) {
      OpBuilder builder(module.getBodyRegion());
      builder.setInsertionPointToEnd(module.getBody());
      auto function = func::FuncOp::create(
          builder, sweep.getLoc(), "skew_scalar",
          builder.getFunctionType(sweep->getOperandTypes(),
                                  sweep->getResultTypes()));
      function.setPrivate();
      symbols.insert(function);
      Block *entry = function.addEntryBlock();
      builder.setInsertionPointToStart(entry);
      auto copy = cast<SweepOp>(builder.clone(*sweep));
      copy->setOperands(entry->getArguments());
      func::ReturnOp::create(builder, sweep.getLoc(), copy->getResults());
      outlined.emplace_back(copy, function);
      known = &outlined.back();
    }
    OpBuilder builder(sweep);
    auto call = func::CallOp::create(builder, sweep.getLoc(), known->second,
                                     sweep->getOperands());
    sweep->replaceAllUsesWith(call);
    sweep->erase();
  }
}

LogicalResult ConvertSkewToStableHLOPass::lowerSweeps() {
  SmallVector<SweepOp> sweeps;
  getOperation()->walk([&](SweepOp sweep) { sweeps.push_back(sweep); });
  for (SweepOp sweep : sweeps)
    if (failed(lowerSweepToStableHLO(sweep)))
      return failure();
  return success();
}

/// Constants of sweeps. Others are the graph's own.
void ConvertSkewToStableHLOPass::lowerConstants() {
  llvm::MapVector<Operation *, Value> lowered;
  getOperation()->walk([&](SweepOp sweep) {
    for (OpOperand &operand : sweep->getOpOperands()) {
      auto constant = operand.get().getDefiningOp<arith::ConstantOp>();
      if (!constant)
        continue;
      Value &made = lowered[constant];
      if (!made) {
        OpBuilder builder(constant);
        made = StableHLOEmitter(builder, constant.getLoc())
                   .constant(cast<ElementsAttr>(constant.getValue()));
      }
      operand.set(made);
    }
  });
  for (auto &[constant, made] : lowered)
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
LogicalResult ConvertSkewToStableHLOPass::checkFunctions(bool &hasSweeps) {
  hasSweeps = false;
  for (auto function : getOperation().getOps<FunctionOpInterface>()) {
    Operation *linalg = nullptr;
    bool here = false;
    function.walk<WalkOrder::PreOrder>([&](Operation *op) {
      here |= isa<SweepOp>(op);
      if (!linalg && op->getName().getDialectNamespace() == "linalg")
        linalg = op;
    });
    hasSweeps |= here;
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
  bool hasSweeps;
  if (failed(checkFunctions(hasSweeps)))
    return signalPassFailure();
  if (hasSweeps) {
    lowerConstants();
    outlineScalarSweeps();
    if (failed(lowerSweeps()))
      return signalPassFailure();
  }
  if (failed(checkNothingLeft()))
    signalPassFailure();
}
