//===- RoleAnalysis.cpp - what each parameter does ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Analysis/RoleAnalysis.h"
#include "RoleVerdict.h"
#include "skew/Dialect/Skew/IR/ParameterTable.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::skew;
using namespace mlir::skew::detail;

StringRef mlir::skew::stringify(Confidence confidence) {
  switch (confidence) {
  case Confidence::certain:
    return "certain";
  case Confidence::likely:
    return "likely";
  case Confidence::guess:
    return "guess";
  }
  llvm_unreachable("unknown confidence");
}

/// The split used where the structure is silent.
static void setDefaultAxes(ParameterRole &role, MLIRContext *context,
                           unsigned rank) {
  AxesAttr axes = getDefaultAxes(context, rank);
  role.batch.assign(axes.getBatch().begin(), axes.getBatch().end());
  role.row.assign(axes.getRow().begin(), axes.getRow().end());
  role.column.assign(axes.getColumn().begin(), axes.getColumn().end());
  role.axesFromStructure = false;
}

/// Checks that all experts of one router come in as many copies as the router
/// has columns: stacked (the size of the batch axes) or separate (the number of
/// different weighting places). What does not add up is not certain.
static void checkExpertCounts(const RoutingAnalysis &routing,
                              std::vector<Verdict> &verdicts) {
  const ParameterViews &views = routing.views();
  for (const Router &router : routing.routers()) {
    // Separate experts: one entry per set of junctions.
    llvm::DenseMap<SetPool::Id, unsigned> groups;
    auto junctionsOf = [&](unsigned p) {
      SetPool::Id set = SetPool::kEmpty;
      for (const ParameterUse &use : routing.usesOf(p))
        if (set == SetPool::kEmpty)
          set = routing.fatesOf(routing.graph().result(use.record));
      return set;
    };
    auto isStacked = [&](const Verdict &v, unsigned p) {
      ArrayRef<int64_t> shape = views.shapeOf(p);
      AxisSet own = v.axes.batch & ~v.indexed;
      if (own && sizeOf(shape, own) == router.numExperts)
        return true;
      // Heads beside the experts.
      for (int64_t axis : listOf(own))
        if (shape[axis] == router.numExperts)
          return true;
      // A loop over experts indexes their axis, a stack of layers another.
      for (int64_t axis : listOf(v.indexed))
        if (shape[axis] == router.numExperts)
          return true;
      return false;
    };
    for (auto [p, v] : llvm::enumerate(verdicts))
      if (v.role == Role::expert && v.router == &router && !isStacked(v, p))
        groups.try_emplace(junctionsOf(p), groups.size());
    bool hasCertain = false;
    for (auto [p, v] : llvm::enumerate(verdicts)) {
      if (v.role != Role::expert || v.router != &router)
        continue;
      if (isStacked(v, p) ||
          static_cast<int64_t>(groups.size()) == router.numExperts) {
        hasCertain = hasCertain || !v.singleSided;
        continue;
      }
      v.singleSided = true;
      int64_t size = sizeOf(views.shapeOf(p), v.axes.batch & ~v.indexed);
      bool isMerged = router.numExperts > 1 && size > router.numExperts &&
                      size % router.numExperts == 0;
      v.evidence.push_back(
          {routing.graph().loc(router.choice),
           isMerged
               ? (Twine(router.numExperts) + " experts share axis " +
                  Twine(listOf(v.axes.batch & ~v.indexed).front()) +
                  " with other columns: nothing is averaged along it")
                     .str()
               : ("the router has " + Twine(router.numExperts) +
                  " columns, which its experts do not add up to")
                     .str()});
    }
    if (hasCertain)
      continue;
    for (Verdict &v : verdicts)
      if (v.role == Role::router && v.router == &router && !v.singleSided) {
        v.singleSided = true;
        v.evidence.push_back(
            {routing.graph().loc(router.choice), "no expert of it is certain"});
      }
  }
  for (Verdict &v : verdicts)
    if ((v.role == Role::expert || v.role == Role::router) && !v.router)
      v.singleSided = true;
}

static ParameterRole makeRole(const Verdict &v, MLIRContext *context,
                              ArrayRef<int64_t> shape) {
  ParameterRole role;
  role.role = v.role;
  role.used = v.used;
  role.evidence = v.evidence;
  role.axesNote = v.axesNote;
  if (!v.axesKnown) {
    setDefaultAxes(role, context, shape.size());
    return role;
  }
  role.axesFromStructure = true;
  role.batch = listOf(v.axes.batch);
  role.row = listOf(v.axes.row);
  role.column = listOf(v.axes.column);
  return role;
}

RoleAnalysis::~RoleAnalysis() = default;

RoleAnalysis::RoleAnalysis(func::FuncOp main,
                           ArrayRef<unsigned> parameterArguments,
                           ArrayRef<std::pair<unsigned, unsigned>> stateResults)
    : arguments(parameterArguments), roles(parameterArguments.size()) {
  for (auto [number, argument] : llvm::enumerate(arguments)) {
    roleNumbers[argument] = number;
    unsigned rank = 0;
    if (auto type =
            dyn_cast<RankedTensorType>(main.getArgument(argument).getType()))
      rank = type.getRank();
    setDefaultAxes(roles[number], main.getContext(), rank);
  }

  std::string why;
  std::unique_ptr<FlatGraph> graph = FlatGraph::build(main, why);
  if (!graph) {
    slice = "no forward pass: " + why;
    return;
  }
  ParameterViews views(*graph, arguments);
  SmallVector<unsigned> noLoss;
  for (auto [argument, result] : stateResults)
    noLoss.push_back(result);

  // Two definitions of the forward pass that share nothing but the views.
  SmallVector<ForwardSlice::Refusal> refusals;
  std::optional<ForwardSlice> lossSlice =
      ForwardSlice::ofLoss(views, noLoss, &refusals);
  ForwardSlice useSlice = ForwardSlice::ofFirstUses(views);
  if (!lossSlice && !useSlice.hasModel()) {
    slice = "no forward pass: no parameter is contracted or looked up before "
            "its update";
    return;
  }

  RoutingAnalysis useRouting(views, useSlice);
  std::vector<Verdict> useVerdicts = judgeParameters(useRouting);
  checkExpertCounts(useRouting, useVerdicts);
  std::vector<Verdict> verdicts;
  std::optional<RoutingAnalysis> lossRouting;
  llvm::raw_string_ostream text(slice);
  if (lossSlice) {
    loss = lossSlice->lossResult();
    text << "result " << *loss << " is the loss, " << lossSlice->size()
         << " of " << graph->numRecords() << " operations compute it";
    lossRouting.emplace(views, *lossSlice);
    verdicts = judgeParameters(*lossRouting);
    checkExpertCounts(*lossRouting, verdicts);
  } else {
    text << "no result is the loss";
    if (!refusals.empty())
      text << " (result " << refusals.front().result
           << " depends on a backward product at "
           << describeRecord(*graph, refusals.front().contraction) << ")";
    text << "; taken from first uses, " << useSlice.size() << " of "
         << graph->numRecords() << " operations";
    verdicts = useVerdicts;
  }

  const RoutingAnalysis &routing = lossRouting ? *lossRouting : useRouting;
  for (unsigned p = 0; p < arguments.size(); ++p) {
    const Verdict &own = verdicts[p], &other = useVerdicts[p];
    ArrayRef<int64_t> shape = views.shapeOf(p);
    ParameterRole &role = roles[p];
    if (!own.used) {
      // Read by the forward pass perhaps, but not by the loss.
      role = makeRole(other, main.getContext(), shape);
      role.confidence = other.used ? Confidence::likely : Confidence::guess;
      role.used = false;
      continue;
    }
    role = makeRole(own, main.getContext(), shape);
    bool agree = lossRouting && other.used && other.role == own.role;
    if (lossRouting && !agree)
      role.evidence.push_back(
          {main.getLoc(),
           "judged by first uses instead of the loss it would be " +
               (other.used ? stringifyRole(other.role) : "unused").str()});
    role.confidence = agree && !own.singleSided && own.axesNote.empty()
                          ? Confidence::certain
                          : Confidence::likely;
  }

  for (const Router &router : routing.routers()) {
    RouterSummary summary;
    summary.numExperts = router.numExperts;
    for (auto [p, v] : llvm::enumerate(verdicts)) {
      if (v.router != &router)
        continue;
      if (v.role == Role::router)
        summary.routerArguments.push_back(arguments[p]);
      else if (v.role == Role::expert)
        summary.expertArguments.push_back(arguments[p]);
    }
    // A routing over nothing of ours, or one that was dismissed.
    if (summary.routerArguments.empty() && summary.expertArguments.empty())
      continue;
    summary.text = describeRecord(*graph, router.productRecords.front()) +
                   ", chosen by " + describeRecord(*graph, router.choice);
    routerSummaries.push_back(std::move(summary));
  }
}

const ParameterRole &RoleAnalysis::roleOf(unsigned argument) const {
  return roles[roleNumbers.find(argument)->second];
}

SmallVector<unsigned> RoleAnalysis::guessParameters(func::FuncOp main) {
  llvm::DenseSet<Type> resultTypes;
  for (Type type : main.getResultTypes())
    resultTypes.insert(type);
  SmallVector<unsigned> candidates;
  for (BlockArgument argument : main.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (type && isa<FloatType>(type.getElementType()) &&
        resultTypes.contains(type))
      candidates.push_back(argument.getArgNumber());
  }
  // Optimizer state looks the same, but the loss does not read it.
  std::string why;
  std::unique_ptr<FlatGraph> graph = FlatGraph::build(main, why);
  if (!graph)
    return candidates;
  ParameterViews views(*graph, candidates);
  std::optional<ForwardSlice> lossSlice = ForwardSlice::ofLoss(views, {});
  if (!lossSlice)
    return candidates;
  SmallVector<unsigned> result;
  for (auto [p, argument] : llvm::enumerate(candidates)) {
    auto inSlice = [&](FlatGraph::RecordId id) {
      return lossSlice->isForward(id);
    };
    if (llvm::any_of(views.firstUses(p), inSlice) ||
        llvm::any_of(views.laterUses(p), inSlice))
      result.push_back(argument);
  }
  return result;
}

static void printAxes(llvm::raw_ostream &os, StringRef name,
                      ArrayRef<int64_t> axes) {
  os << ' ' << name << " [";
  llvm::interleaveComma(axes, os);
  os << ']';
}

void RoleAnalysis::print(llvm::raw_ostream &os) const {
  os << slice << '\n';
  for (const RouterSummary &router : routerSummaries) {
    os << "router of " << router.numExperts << " experts: " << router.text
       << "; own arguments [";
    llvm::interleaveComma(router.routerArguments, os);
    os << "], experts [";
    llvm::interleaveComma(router.expertArguments, os);
    os << "]\n";
  }
  for (auto [argument, role] : llvm::zip(arguments, roles)) {
    os << "argument " << argument << ": ";
    if (!role.used)
      os << "unused ";
    os << stringifyRole(role.role) << ' ' << stringify(role.confidence);
    printAxes(os, "batch", role.batch);
    printAxes(os, "row", role.row);
    printAxes(os, "column", role.column);
    if (!role.axesFromStructure)
      os << " by position";
    if (!role.axesNote.empty())
      os << " (" << role.axesNote << ')';
    for (const Evidence &evidence : role.evidence)
      os << "; " << evidence.text;
    os << '\n';
  }
}
