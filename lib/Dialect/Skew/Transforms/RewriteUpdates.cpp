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

/// Every symbol that an op refers to. Symbol tables' own use lists give up at
/// unregistered ops with regions, which these graphs are full of.
static DenseSet<StringAttr> findReferencedSymbols(ModuleOp module) {
  DenseSet<StringAttr> referenced;
  module.walk([&](Operation *op) {
    for (NamedAttribute attr : op->getAttrs())
      if (auto symbol = dyn_cast<SymbolRefAttr>(attr.getValue()))
        referenced.insert(symbol.getRootReference());
  });
  return referenced;
}

namespace {

/// An update to rewrite. The ways are found before anything changes: then the
/// region ops on them are no longer of the form that is followed.
struct Work {
  AdamWOp update;
  Decision decision;
  /// Of the first and the second moment.
  CarriedPath from[2], to[2];
};

class RewriteUpdatesPass
    : public skew::impl::RewriteUpdatesBase<RewriteUpdatesPass> {
public:
  using RewriteUpdatesBase::RewriteUpdatesBase;
  void runOnOperation() override {
    referenced = findReferencedSymbols(getOperation());
    for (auto function :
         llvm::to_vector(getOperation().getOps<FunctionOpInterface>()))
      if (function->hasAttr(SkewDialect::kParametersAttr) &&
          failed(rewriteFunction(function)))
        return signalPassFailure();
  }

private:
  LogicalResult rewriteFunction(FunctionOpInterface function);
  /// Why `update` must stay as it is; empty if it can be rewritten.
  std::string findObstacle(AdamWOp update);
  void rewriteUpdate(Work &work, SignatureRewriter &signature);

  DenseSet<StringAttr> referenced;
};

} // namespace

/// Why what stands in for the state at `place` cannot be sharded like it;
/// empty if it can.
static std::string findShardingObstacle(CarriedPlace place, StringRef name) {
  Attribute shardings = place.op->getAttr(name);
  if (!shardings)
    return "";
  auto elements = splitShardings(shardings);
  if (elements && place.number < elements->size() &&
      restrictSharding((*elements)[place.number], {}))
    return "";
  return (name + " of '" + place.op->getName().getStringRef() +
          "' cannot be read")
      .str();
}

std::string RewriteUpdatesPass::findObstacle(AdamWOp update) {
  static constexpr const char *names[] = {"first moment", "second moment"};
  Operation *parent = update->getParentOp();
  if (!isa<FunctionOpInterface>(parent) && !parent->hasAttr(kCarriesAttr))
    return "the update is inside a region that carries no state";
  for (unsigned i = 0; i < 2; ++i) {
    std::string name = names[i];
    Value old = update.getState()[i], next = update.getResults()[i + 1];
    std::optional<CarriedPath> from = traceToArgument(old);
    if (!from)
      return "the " + name + " is not an argument of the function";
    std::optional<CarriedPath> to = traceToResult(next);
    // On each level it is there for the level inside alone.
    SmallVector<Value> values = {old}, nexts = {next};
    for (CarriedPlace place : from->places)
      values.push_back(place.op->getOperand(place.number));
    for (Value value : values)
      if (!value.hasOneUse())
        return "the " + name +
               " is read outside its update, and the new state could not serve "
               "that reader";
    for (CarriedPlace place : from->places)
      for (Region &region : place.op->getRegions())
        if (&region.front() != &getCarryingBody(place.op) &&
            !region.getArgument(place.number).use_empty())
          return "the " + name + " is read by the condition of '" +
                 place.op->getName().getStringRef().str() + "'";
    if (to)
      for (CarriedPlace place : to->places)
        nexts.push_back(place.op->getResult(place.number));
    for (Value value : nexts)
      if (!to || !value.hasOneUse())
        return "the new " + name +
               " is used for more than the function's result";
    if (from->places.size() != to->places.size())
      return "the new " + name + " takes another way than the old one";
    for (auto [in, out] : llvm::zip_equal(from->places, to->places)) {
      // A loop hands place i to place i.
      if (in.op != out.op ||
          (in.op->getNumRegions() > 1 && in.number != out.number))
        return "the new " + name + " takes another way than the old one";
      for (std::string why : {findShardingObstacle(in, kInShardingsAttr),
                              findShardingObstacle(out, kOutShardingsAttr)})
        if (!why.empty())
          return why;
    }
  }
  return "";
}

void RewriteUpdatesPass::rewriteUpdate(Work &work,
                                       SignatureRewriter &signature) {
  AdamWOp update = work.update;
  const Decision &decision = work.decision;
  // Each new tensor takes the place of the moment it replaces.
  auto replacementsOf = [&](unsigned moment) {
    return [&decision, moment](ArrayRef<int64_t> shape) {
      SmallVector<Replacement> replacements;
      for (StateComponent &component :
           getTieredState(decision.tier, decision.axes, shape)) {
        Projection projection = component.name == "v_row"   ? Projection::row
                                : component.name == "v_col" ? Projection::col
                                                            : Projection::elem;
        if (moment == (component.name == "m" ? 0u : 1u))
          replacements.push_back(
              {component, decision.axes.axesOf(projection)});
      }
      return replacements;
    };
  };
  SmallVector<Value> arguments;
  unsigned counts[2];
  for (unsigned i = 0; i < 2; ++i) {
    SmallVector<Value> made =
        signature.replaceState(work.from[i], work.to[i], replacementsOf(i));
    counts[i] = made.size();
    arguments.append(made);
  }

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
    signature.setNextValues(
        work.to[i],
        llvm::to_vector_of<Value>(tiered.getResults().slice(next, counts[i])));
    next += counts[i];
  }
  update.getResults()[0].replaceAllUsesWith(tiered.getResults()[0]);
}

LogicalResult
RewriteUpdatesPass::rewriteFunction(FunctionOpInterface function) {
  bool called = referenced.contains(function.getNameAttr());
  bool hasOneBlock = function.getFunctionBody().hasOneBlock();
  SmallVector<AdamWOp> tiered;
  function.walk([&](AdamWOp update) {
    if (getDecision(update).tier)
      tiered.push_back(update);
  });
  if (hasOneBlock)
    for (AdamWOp update : tiered)
      moveStateConstraints(update, function);
  auto opts = [&]() {
    return remark::RemarkOpts::name("Rewritten")
        .category(DEBUG_TYPE)
        .function(function.getName());
  };
  std::vector<Work> all;
  function.walk([&](AdamWOp update) {
    Decision decision = getDecision(update);
    if (!decision.tier)
      return;
    std::string obstacle = called         ? "the function has callers"
                           : !hasOneBlock ? "the function has several blocks"
                                          : findObstacle(update);
    if (!obstacle.empty()) {
      remark::missed(update.getLoc(), opts())
          << remark::metric("parameter", getParameterName(update))
          << remark::reason("{0}", obstacle);
      // The group still speaks of tiers; this update is no longer in it.
      update.removeGroupAttr();
      return;
    }
    Work &work = all.emplace_back(Work{update, decision, {}, {}});
    for (unsigned i = 0; i < 2; ++i) {
      work.from[i] = *traceToArgument(update.getState()[i]);
      work.to[i] = *traceToResult(update.getResults()[i + 1]);
    }
  });
  if (!hasOneBlock)
    return success();
  SignatureRewriter signature(function);
  SmallVector<Operation *> rewritten;
  for (Work &work : all) {
    rewriteUpdate(work, signature);
    remark::passed(work.update.getLoc(), opts())
        << remark::metric("parameter", getParameterName(work.update))
        << remark::metric("tier",
                          llvm::formatv("{0}", work.decision.tier).str());
    rewritten.push_back(work.update);
  }
  SignatureRewriter::Layout layout = signature.apply(rewritten);
  OpBuilder builder(&getContext());
  builder.setInsertionPointAfter(function);
  StateLayoutOp::create(builder, function.getLoc(),
                        FlatSymbolRefAttr::get(function.getNameAttr()),
                        builder.getArrayAttr(layout.slots),
                        builder.getDenseI64ArrayAttr(layout.oldResults));
  return success();
}
