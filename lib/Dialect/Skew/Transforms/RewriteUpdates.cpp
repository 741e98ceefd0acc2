//===- RewriteUpdates.cpp - AdamW to tiered SkewAdam ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SignatureRewriter.h"
#include "mlir/IR/Remarks.h"
#include "skew/Dialect/Skew/IR/ParameterTable.h"
#include "skew/Dialect/Skew/Transforms/Passes.h"
#include "skew/Dialect/Skew/Transforms/Plan.h"
#include "skew/Dialect/Skew/Transforms/Sharding.h"

namespace mlir::skew {
#define GEN_PASS_DEF_REWRITEUPDATES
#include "skew/Dialect/Skew/Transforms/Passes.h.inc"
} // namespace mlir::skew

using namespace mlir;
using namespace mlir::skew;

#define DEBUG_TYPE "skew-rewrite-updates"

namespace {

class RewriteUpdatesPass
    : public skew::impl::RewriteUpdatesBase<RewriteUpdatesPass> {
public:
  using RewriteUpdatesBase::RewriteUpdatesBase;
  void runOnOperation() override {
    for (auto function :
         llvm::to_vector(getOperation().getOps<FunctionOpInterface>()))
      if (function->hasAttr(SkewDialect::kParametersAttr) &&
          failed(rewriteFunction(function)))
        return signalPassFailure();
  }

private:
  LogicalResult rewriteFunction(FunctionOpInterface function);
  /// Why `update` must stay as it is; empty if it can be rewritten.
  std::string findObstacle(AdamWOp update, FunctionOpInterface function);
  void rewriteUpdate(AdamWOp update, const Decision &decision,
                     SignatureRewriter &signature);
};

} // namespace

/// The only use of `value`, if that is the function's return.
static OpOperand *getReturnUse(Value value, FunctionOpInterface function) {
  Operation *terminator = function.getFunctionBody().front().getTerminator();
  if (!value.hasOneUse() || value.use_begin()->getOwner() != terminator)
    return nullptr;
  return &*value.use_begin();
}

/// True if any op refers to `function`. Symbol tables' own use lists give up at
/// unregistered ops with regions, which these graphs are full of.
static bool isReferenced(FunctionOpInterface function, ModuleOp module) {
  StringAttr name = function.getNameAttr();
  WalkResult walk = module.walk([&](Operation *op) {
    for (NamedAttribute attr : op->getAttrs()) {
      auto symbol = dyn_cast<SymbolRefAttr>(attr.getValue());
      if (symbol && symbol.getRootReference() == name)
        return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return walk.wasInterrupted();
}

std::string RewriteUpdatesPass::findObstacle(AdamWOp update,
                                             FunctionOpInterface function) {
  static constexpr const char *names[] = {"first moment", "second moment"};
  Block *entry = &function.getFunctionBody().front();
  if (update->getBlock() != entry)
    return "the update is inside a region of the function";
  for (unsigned i = 0; i < 2; ++i) {
    auto argument = dyn_cast<BlockArgument>(update.getState()[i]);
    if (!argument || argument.getOwner() != entry)
      return std::string("the ") + names[i] +
             " is not an argument of the function";
    if (!argument.hasOneUse())
      return std::string("the ") + names[i] +
             " is read outside its update, and the new state could not serve "
             "that reader";
    if (!getReturnUse(update.getResults()[i + 1], function))
      return std::string("the new ") + names[i] +
             " is used for more than the function's result";
  }
  return "";
}

void RewriteUpdatesPass::rewriteUpdate(AdamWOp update, const Decision &decision,
                                       SignatureRewriter &signature) {
  auto type = cast<RankedTensorType>(update.getParameter().getType());
  SmallVector<StateComponent> state =
      getTieredState(decision.tier, decision.axes, type.getShape());

  // Each new tensor takes the place of the moment it replaces.
  SmallVector<SignatureRewriter::Replacement> replacements[2];
  for (const StateComponent &component : state) {
    Projection projection = component.name == "v_row"   ? Projection::row
                            : component.name == "v_col" ? Projection::col
                                                        : Projection::elem;
    replacements[component.name == "m" ? 0 : 1].push_back(
        {component, decision.axes.axesOf(projection)});
  }
  SmallVector<Value> arguments;
  for (unsigned i = 0; i < 2; ++i)
    arguments.append(signature.replaceArgument(
        cast<BlockArgument>(update.getState()[i]), replacements[i]));

  SmallVector<NamedAttribute> hyperparameters;
  for (NamedAttribute attr : update.getHyperparameters())
    if (!attr.getName().getValue().ends_with("_stored"))
      hyperparameters.push_back(attr);
  OpBuilder builder(update);
  MLIRContext *context = &getContext();
  auto tiered = SkewAdamOp::create(
      builder, update.getLoc(), update.getParameter(), update.getGradient(),
      arguments, update.getStep(), update.getLearningRate(),
      update.getRuntime(), update.getGradientScale(), update.getSkip(),
      builder.getDictionaryAttr(hyperparameters), update.getRuntimeNamesAttr(),
      update.getParameterNameAttr(), update.getParameterIdAttr(),
      update.getGroupAttr(), RoundingAttr::get(context, decision.rounding),
      builder.getI64IntegerAttr(decision.seed), TypeAttr(),
      update.getShardsAttr(), decision.tier, decision.axes, NumericsAttr::get(context, decision.numerics),
      RmsClipAttr::get(context, decision.rmsClip));

  unsigned next = 1;
  for (unsigned i = 0; i < 2; ++i) {
    unsigned count = replacements[i].size();
    signature.replaceResult(
        update.getResults()[i + 1].use_begin()->getOperandNumber(),
        llvm::to_vector_of<Value>(tiered.getResults().slice(next, count)),
        replacements[i]);
    next += count;
  }
  update.getResults()[0].replaceAllUsesWith(tiered.getResults()[0]);
}

LogicalResult
RewriteUpdatesPass::rewriteFunction(FunctionOpInterface function) {
  bool called = isReferenced(function, getOperation());
  SignatureRewriter signature(function);
  SmallVector<Operation *> rewritten;
  SmallVector<AdamWOp> tiered;
  function.walk([&](AdamWOp update) {
    if (getDecision(update).tier)
      tiered.push_back(update);
  });
  for (AdamWOp update : tiered)
    moveStateConstraints(update, function);
  function.walk([&](AdamWOp update) {
    Decision decision = getDecision(update);
    if (!decision.tier)
      return;
    std::string obstacle =
        called ? "the function has callers" : findObstacle(update, function);
    auto opts = remark::RemarkOpts::name("Rewritten")
                    .category(DEBUG_TYPE)
                    .function(function.getName());
    if (!obstacle.empty()) {
      remark::missed(update.getLoc(), opts)
          << remark::metric("parameter", getParameterName(update))
          << remark::reason("{0}", obstacle);
      // The group still speaks of tiers; this update is no longer in it.
      update.removeGroupAttr();
      return;
    }
    rewriteUpdate(update, decision, signature);
    remark::passed(update.getLoc(), opts)
        << remark::metric("parameter", getParameterName(update))
        << remark::metric("tier", llvm::formatv("{0}", decision.tier).str());
    rewritten.push_back(update);
  });
  SignatureRewriter::Layout layout = signature.apply(rewritten);
  OpBuilder builder(&getContext());
  builder.setInsertionPointAfter(function);
  StateLayoutOp::create(builder, function.getLoc(),
                        FlatSymbolRefAttr::get(function.getNameAttr()),
                        builder.getArrayAttr(layout.slots),
                        builder.getDenseI64ArrayAttr(layout.oldResults));
  return success();
}
