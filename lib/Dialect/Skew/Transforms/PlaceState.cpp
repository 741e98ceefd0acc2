//===- PlaceState.cpp - decide where optimizer state lives ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Remarks.h"
#include "skew/Dialect/Skew/IR/ParameterTable.h"
#include "skew/Dialect/Skew/Transforms/CarriedValues.h"
#include "skew/Dialect/Skew/Transforms/Passes.h"
#include "skew/Dialect/Skew/Transforms/Plan.h"
#include "skew/Placement/Policy.h"
#include "skew/Support/ByteSize.h"
#include "llvm/ADT/StringSet.h"

namespace mlir::skew {
#define GEN_PASS_DEF_PLACESTATE
#include "skew/Dialect/Skew/Transforms/Passes.h.inc"
} // namespace mlir::skew

using namespace mlir;
using namespace mlir::skew;

#define DEBUG_TYPE "skew-place-state"

namespace {

/// Everything a group is made of; updates with equal keys share a group.
struct GroupKey {
  Role role;
  std::string tierClass;
  Decision decision;

  bool operator==(const GroupKey &other) const {
    const Decision &a = decision, &b = other.decision;
    return role == other.role && tierClass == other.tierClass &&
           a.tier == b.tier && a.axes == b.axes && a.numerics == b.numerics &&
           a.rounding == b.rounding && a.rmsClip == b.rmsClip &&
           a.seed == b.seed && a.why == b.why;
  }
};

class PlaceStatePass : public skew::impl::PlaceStateBase<PlaceStatePass> {
public:
  using PlaceStateBase::PlaceStateBase;
  void runOnOperation() override;

private:
  LogicalResult readOptions();
  LogicalResult placeFunction(FunctionOpInterface function);
  FailureOr<Decision> decide(AdamWOp update, const ParameterEntry &entry,
                             FunctionPlan *functionPlan);
  /// Checks a decision from a plan against the update it is for.
  LogicalResult checkDecision(AdamWOp update, const ParameterEntry &entry,
                              Decision &decision);
  FlatSymbolRefAttr groupFor(const GroupKey &key);
  int64_t bytesAfter(UpdateOpInterface update, const Decision &decision);

  // Parsed options; set first thing in runOnOperation.
  enum class Policy { paper, keep } chosen = Policy::paper;
  Numerics chosenNumerics = Numerics::tiered;
  RmsClip chosenClip = RmsClip::batch;
  std::optional<int64_t> budgetBytes;
  SmallVector<std::pair<GroupKey, FlatSymbolRefAttr>> groups;
  int64_t totalAfter = 0;
};

} // namespace

void PlaceStatePass::runOnOperation() {
  groups.clear();
  budgetBytes.reset();
  totalAfter = 0;
  if (failed(readOptions()))
    return signalPassFailure();
  for (auto function : getOperation().getOps<FunctionOpInterface>())
    if (failed(placeFunction(function)))
      return signalPassFailure();
  if (budgetBytes && totalAfter > *budgetBytes) {
    getOperation().emitError()
        << "optimizer state must fit the budget of " << *budgetBytes
        << " bytes (" << formatByteSize(*budgetBytes) << "), but the "
        << (plan.empty() ? "policy" : "plan") << " needs " << totalAfter
        << " bytes (" << formatByteSize(totalAfter) << "): short by "
        << totalAfter - *budgetBytes
        << " bytes; raise the budget or choose smaller tiers in a plan";
    return signalPassFailure();
  }
}

LogicalResult PlaceStatePass::readOptions() {
  auto error = [&]() { return getOperation().emitError(); };
  if (!budget.empty()) {
    llvm::Expected<int64_t> bytes = parseByteSize(budget);
    if (!bytes)
      return error() << "option budget: " << llvm::toString(bytes.takeError());
    budgetBytes = *bytes;
  }
  // A plan holds every decision; an option beside it would be ignored.
  bool shapesTiers = numerics != "tiered" || rounding != "auto" ||
                     rmsClip != "batch" || seed != 0;
  if (!plan.empty() && (!policy.empty() || shapesTiers))
    return error() << "option plan decides tiers, numerics, rounding, rms-clip "
                      "and seed: drop policy and these options, or edit the "
                      "plan";
  StringRef name = policy;
  if (name.empty())
    name = budgetBytes && plan.empty() ? "auto" : "paper";
  if (name == "auto")
    return error() << "policy auto needs gradient facts, which this version "
                      "does not measure: use policy=paper or policy=keep "
                      "(budget is then checked), or a plan";
  if (name != "paper" && name != "keep")
    return error() << "option policy must be paper, keep or auto, got '" << name
                   << "'";
  if (name == "keep" && shapesTiers)
    return error() << "policy keep leaves updates as they are: drop numerics, "
                      "rounding, rms-clip and seed, or use policy=paper";
  chosen = name == "keep" ? Policy::keep : Policy::paper;
  auto parsedNumerics = symbolizeNumerics(numerics);
  if (!parsedNumerics)
    return error() << "option numerics must be tiered or published, got '"
                   << numerics << "'";
  chosenNumerics = *parsedNumerics;
  auto parsedClip = symbolizeRmsClip(rmsClip);
  if (!parsedClip)
    return error() << "option rms-clip must be batch, tensor or off, got '"
                   << rmsClip << "'";
  chosenClip = *parsedClip;
  if (rounding != "auto" && !symbolizeRounding(rounding))
    return error() << "option rounding must be auto, nearest or stochastic, "
                      "got '"
                   << rounding << "'";
  return success();
}

FailureOr<Decision> PlaceStatePass::decide(AdamWOp update,
                                           const ParameterEntry &entry,
                                           FunctionPlan *functionPlan) {
  Decision decision;
  if (functionPlan) {
    auto found = functionPlan->find(entry.getName().str());
    if (found == functionPlan->end())
      return update.emitError()
             << "plan '" << plan << "' must cover every raised parameter, but "
             << entry.getName()
             << " is not in it; add it, with \"tier\": \"keep\" to leave it "
                "alone";
    decision = found->second;
    if (decision.tier && failed(checkDecision(update, entry, decision)))
      return failure();
    return decision;
  }
  if (chosen == Policy::keep) {
    decision.why = "policy keep";
    return decision;
  }

  auto type = cast<RankedTensorType>(update.getParameter().getType());
  decision.axes = entry.getAxes()
                      ? entry.getAxes()
                      : getDefaultAxes(&getContext(), type.getRank());
  GroupTraits traits{
      entry.getTierClass().str(),
      decision.axes.canFactor(
          cast<UpdateOpInterface>(update.getOperation()).getWholeShape())};
  std::optional<TierChoice> choice = choosePaperTier(traits);
  if (!choice)
    return update.emitError() << "tier_class must be backbone, expert or "
                                 "router, got '"
                              << traits.tierClass << "'";
  // A momentum that the graph keeps in fewer bits stays there: a plan must not
  // cost more than what it replaces. v is averaged with a beta2 near 1, which
  // bf16 cannot hold, so an exact one is f32 at least.
  auto storageOf = [](Value state) {
    return getStorageOf(
        cast<RankedTensorType>(state.getType()).getElementType());
  };
  std::optional<StateStorage> m = StateStorage::none;
  if (choice->momentum)
    m = storageOf(update.getState()[0]);
  if (!m) {
    decision.axes = {};
    decision.why = "no tier keeps a momentum of type ";
    llvm::raw_string_ostream(decision.why) << update.getState()[0].getType();
    decision.why += ": left as it is";
    return decision;
  }
  StateStorage exact = storageOf(update.getState()[1]) == StateStorage::f64
                           ? StateStorage::f64
                           : StateStorage::f32;
  decision.tier = TierAttr::get(
      &getContext(), *m, choice->factored ? StateStorage::factored : exact,
      Place::device);
  decision.numerics = chosenNumerics;
  decision.rmsClip = chosenClip;
  decision.seed = seed;
  bool narrow = type.getElementType().isBF16() || type.getElementType().isF16();
  decision.rounding = narrow && rounding != "nearest" ? Rounding::stochastic
                                                      : Rounding::nearest;
  decision.why = choice->why;
  return decision;
}

LogicalResult PlaceStatePass::checkDecision(AdamWOp update,
                                            const ParameterEntry &entry,
                                            Decision &decision) {
  auto type = cast<RankedTensorType>(update.getParameter().getType());
  auto error = [&]() {
    return update.emitError()
           << "plan '" << plan << "', parameter " << entry.getName() << ": ";
  };
  if (decision.axes.getRank() != type.getRank())
    return error() << "axes must split the " << type.getRank() << " axes of "
                   << type << ", got " << decision.axes;
  if (decision.tier.getV() == StateStorage::factored &&
      !decision.axes.canFactor(
          cast<UpdateOpInterface>(update.getOperation()).getWholeShape()))
    return error() << "second moment must be kept exactly: " << type
                   << " with axes " << decision.axes
                   << " has no matrix that factors would make smaller";
  bool narrow = type.getElementType().isBF16() || type.getElementType().isF16();
  if (decision.rounding == Rounding::stochastic && !narrow)
    return error() << "stochastic rounding needs a bf16 or f16 parameter, got "
                   << type;
  return success();
}

/// State of `update` as it is, of the whole parameter: parts on different
/// devices add up, copies count once.
static int64_t bytesBefore(UpdateOpInterface update) {
  int64_t bytes = 0;
  for (const StateComponent &component : getWholeState(update))
    bytes += component.getSizeInBytes();
  return bytes;
}

/// State of `update` once `decision` is carried out.
int64_t PlaceStatePass::bytesAfter(UpdateOpInterface update,
                                   const Decision &decision) {
  if (decision.tier)
    return getTieredStateBytes(decision.tier, decision.axes,
                               update.getWholeShape());
  return bytesBefore(update);
}

FlatSymbolRefAttr PlaceStatePass::groupFor(const GroupKey &key) {
  for (auto &[known, symbol] : groups)
    if (known == key)
      return symbol;
  unsigned count = llvm::count_if(
      groups, [&](auto &group) { return group.first.role == key.role; });
  ModuleOp module = getOperation();
  MLIRContext *context = &getContext();
  SymbolTable symbols(module);
  // Symbols of an earlier run may be there already.
  std::string name;
  do {
    name = (stringifyRole(key.role) + "_" + Twine(count++)).str();
  } while (symbols.lookup(name));
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  if (!groups.empty())
    builder.setInsertionPointAfter(
        symbols.lookup(groups.back().second.getValue()));
  const Decision &decision = key.decision;
  GroupOp::create(builder, module.getLoc(), StringAttr::get(context, name),
                  RoleAttr::get(context, key.role),
                  StringAttr::get(context, key.tierClass), decision.tier,
                  decision.axes, NumericsAttr::get(context, decision.numerics),
                  RoundingAttr::get(context, decision.rounding),
                  builder.getI64IntegerAttr(decision.seed),
                  RmsClipAttr::get(context, decision.rmsClip),
                  StringAttr::get(context, decision.why));
  auto symbol = FlatSymbolRefAttr::get(context, name);
  groups.emplace_back(key, symbol);
  return symbol;
}

LogicalResult PlaceStatePass::placeFunction(FunctionOpInterface function) {
  SmallVector<ParameterEntry> entries = getParameterEntries(function);
  if (entries.empty())
    return success();
  FunctionPlan functionPlan;
  if (!plan.empty()) {
    llvm::Expected<FunctionPlan> read =
        readPlan(plan, function.getName(), &getContext());
    if (!read)
      return function.emitError() << llvm::toString(read.takeError());
    functionPlan = *read;
    llvm::StringSet<> raised;
    for (const ParameterEntry &entry : entries)
      if (entry.isRaised())
        raised.insert(entry.getName());
    for (auto &[name, decision] : functionPlan)
      if (!raised.contains(name))
        return function.emitError()
               << "plan '" << plan << "' names parameter " << name
               << ", which is not a raised "
               << "parameter of '" << function.getName() << "'";
  }

  llvm::DenseMap<int64_t, UpdateOpInterface> updates;
  function.walk([&](UpdateOpInterface update) {
    if (auto path = traceToArgument(update.getUpdatedParameter()))
      updates[path->number] = update;
  });
  for (const ParameterEntry &entry : entries) {
    if (!entry.isRaised()) {
      for (const OriginalState &state : entry.getStates())
        totalAfter += state.bytes;
      continue;
    }
    UpdateOpInterface update = updates.lookup(entry.getArgument());
    if (!update)
      return function.emitError()
             << "parameter " << entry.getName()
             << " is recorded as raised but no update of argument "
             << entry.getArgument() << " exists";
    Decision decision;
    decision.why = "rule " + entry.getRule().str() + " keeps its own state";
    if (auto adamw = dyn_cast<AdamWOp>(update.getOperation())) {
      FailureOr<Decision> decided =
          decide(adamw, entry, plan.empty() ? nullptr : &functionPlan);
      if (failed(decided))
        return failure();
      decision = *decided;
    }
    GroupKey key{entry.getRole().value_or(Role::backbone),
                 entry.getTierClass().str(), decision};
    update->setAttr("group", groupFor(key));

    int64_t before = bytesBefore(update), after = bytesAfter(update, decision);
    totalAfter += after;
    remark::analysis(update.getLoc(), remark::RemarkOpts::name("Placed")
                                          .category(DEBUG_TYPE)
                                          .function(function.getName()))
        << remark::metric("parameter", entry.getName())
        << remark::metric("tier_class", entry.getTierClass())
        << remark::metric("bytes_before", before)
        << remark::metric("bytes_after", after)
        << remark::reason("{0}", decision.why);
  }
  return success();
}
