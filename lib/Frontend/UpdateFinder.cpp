//===- UpdateFinder.cpp - one parameter, one assignment of states ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SliceClass.h"
#include "skew/Dialect/Skew/IR/Skew.h"
#include "skew/Frontend/UpdateMatcher.h"
#include <cmath>

using namespace mlir;
using namespace mlir::skew;

/// Longer expressions are not evaluated: no optimizer's is.
static constexpr unsigned kMaxSliceNodes = 8192;
static constexpr uint64_t kSecondSeed = 12345;
/// Added to a seed for the points that confirm what it found.
static constexpr uint64_t kFreshSeed = 1000003;

SmallVector<OperationName> mlir::skew::getRaisableRules(MLIRContext *context) {
  SmallVector<OperationName> rules;
  for (RegisteredOperationName name : context->getRegisteredOperations()) {
    auto *rule = name.getInterface<UpdateOpInterface>();
    if (rule && rule->getNumRaisedStates() >= 0)
      rules.push_back(name);
  }
  // Registration order is not ours to rely on.
  llvm::sort(rules, [](OperationName x, OperationName y) {
    int statesX = x.getInterface<UpdateOpInterface>()->getNumRaisedStates();
    int statesY = y.getInterface<UpdateOpInterface>()->getNumRaisedStates();
    if (statesX != statesY)
      return statesX > statesY;
    return x.getStringRef() < y.getStringRef();
  });
  return rules;
}

SmallVector<unsigned, 2> mlir::skew::getStateCounts(OperationName rule) {
  auto *interface = rule.getInterface<UpdateOpInterface>();
  SmallVector<unsigned, 2> counts = {unsigned(interface->getNumRaisedStates())};
  if (counts[0] != 0 && interface->mayLackState())
    counts.push_back(0);
  return counts;
}

UpdateFinder::UpdateFinder(SliceGraph &graph, const MatchOptions &options)
    : graph(graph), baseSeed(options.seed), hints(graph) {
  tables[0] = std::make_unique<ScalarTable>(graph, hints, baseSeed);
  if (options.shareClasses)
    classes = std::make_unique<SliceClasses>();
}

UpdateFinder::~UpdateFinder() = default;

/// All combinations of the values of `conditions`.
static std::vector<FixedConditions>
enumerateValues(ArrayRef<std::pair<NodeId, unsigned>> conditions) {
  std::vector<FixedConditions> combinations(1);
  for (auto [node, count] : conditions) {
    std::vector<FixedConditions> longer;
    for (const FixedConditions &combination : combinations)
      for (unsigned value = 0; value < count; ++value) {
        longer.push_back(combination);
        longer.back()[node] = value;
      }
    combinations = std::move(longer);
  }
  return combinations;
}

/// Equal, constants up to the noise of solving for them.
static bool agree(const MatchedScalar &x, const MatchedScalar &y) {
  if (!x.constant || !y.constant)
    return x == y;
  double scale = std::max(std::abs(*x.constant), std::abs(*y.constant));
  return std::abs(*x.constant - *y.constant) <= 1e-9 * scale;
}

/// Name of what two branches or two seeds disagree on; empty if they agree.
static std::string findDisagreement(const UpdateMatch &x,
                                    const UpdateMatch &y) {
  if (x.hyperparameters.size() != y.hyperparameters.size())
    return "the set of hyperparameters";
  for (auto [a, b] : llvm::zip_equal(x.hyperparameters, y.hyperparameters))
    if (a.first != b.first || !agree(a.second, b.second))
      return a.first;
  if (!agree(x.learningRate, y.learningRate))
    return "learning_rate";
  if (!(x.step == y.step))
    return "the step";
  if (x.gradient != y.gradient)
    return "the gradient";
  return "";
}

/// Drops the conditions that make no difference.
static void reduceTests(SkipGuard &guard) {
  for (size_t number = 0; number < guard.tests.size();) {
    unsigned count = guard.tests[number].second, stride = 1;
    for (size_t later = number + 1; later < guard.tests.size(); ++later)
      stride *= guard.tests[later].second;
    SmallVector<bool> reduced;
    bool matters = false;
    for (size_t i = 0; i < guard.skips.size(); ++i) {
      size_t first = i - i / stride % count * stride;
      matters |= guard.skips[i] != guard.skips[first];
      if (first == i)
        reduced.push_back(guard.skips[i]);
    }
    if (matters) {
      ++number;
      continue;
    }
    guard.tests.erase(guard.tests.begin() + number);
    guard.skips = std::move(reduced);
  }
}

/// When the combinations that skip come about. A single boolean scalar of the
/// slice that is true (or false) exactly then is preferred.
static SkipGuard findSkipGuard(const UpdateSlice &slice,
                               const ScalarHints &hints, uint64_t seed,
                               ArrayRef<FixedConditions> combinations,
                               ArrayRef<bool> skips) {
  const SliceGraph &graph = slice.graph;
  SmallVector<NodeId> candidates;
  for (NodeId id : slice.getOrder())
    if (graph[id].number == NumberKind::Boolean && graph[id].numElements == 1 &&
        !graph[id].isConstant && !slice.isWide(id) &&
        isDecided(graph, id, combinations.front()))
      candidates.push_back(id);
  SmallVector<std::pair<bool, bool>> fits(candidates.size(), {true, true});
  for (auto [fixed, skip] : llvm::zip_equal(combinations, skips)) {
    ScalarTable table(graph, hints, seed, fixed);
    for (auto [number, id] : llvm::enumerate(candidates))
      for (double value : table.get(id)) {
        fits[number].first &= (value != 0.0) == skip;
        fits[number].second &= (value == 0.0) == skip;
      }
  }
  SkipGuard guard;
  guard.tests = slice.conditions;
  guard.skips.assign(skips.begin(), skips.end());
  reduceTests(guard);
  // The last computed one: the condition as the update uses it.
  for (size_t i = candidates.size(); i-- > 0;)
    if (fits[i].first || fits[i].second) {
      guard.condition = candidates[i];
      guard.negated = fits[i].second;
      break;
    }
  return guard;
}

/// Branches of which every step that is not skipped takes the same one, as
/// their conditions alone show.
static llvm::MapVector<NodeId, unsigned>
findTakenBranches(const UpdateSlice &slice, const ScalarHints &hints,
                  uint64_t seed, ArrayRef<FixedConditions> combinations,
                  ArrayRef<bool> skips) {
  const SliceGraph &graph = slice.graph;
  SmallVector<NodeId> branches;
  for (NodeId id : slice.getOrder())
    if (graph[id].kind == SliceKind::Switch)
      branches.push_back(id);
  llvm::MapVector<NodeId, unsigned> taken;
  if (branches.empty())
    return taken;
  DenseSet<NodeId> open;
  for (auto [fixed, skip] : llvm::zip_equal(combinations, skips)) {
    if (skip)
      continue;
    ScalarTable scalars(graph, hints, seed, fixed);
    for (NodeId branch : branches) {
      ArrayRef<NodeId> operands = graph.getOperands(branch);
      bool decided = isDecided(graph, operands[0], fixed);
      double value = scalars.get(operands[0])[0];
      unsigned last = operands.size() - 2;
      unsigned index =
          value >= 0.0 && value < double(last) ? unsigned(value) : last;
      auto [it, isNew] = taken.insert({operands[0], index});
      if (!decided || (!isNew && it->second != index))
        open.insert(operands[0]);
    }
  }
  taken.remove_if(
      [&](const auto &entry) { return open.contains(entry.first); });
  return taken;
}

UpdateMatch UpdateFinder::tryOnce(OperationName rule, const UpdateSlice &slice,
                                  uint64_t seed, ProbeMode mode,
                                  RaisedUpdate &update, bool &drawAgain) {
  auto *interface = rule.getInterface<UpdateOpInterface>();
  drawAgain = false;
  std::unique_ptr<ScalarTable> &shared = tables[seed];
  if (!shared)
    shared = std::make_unique<ScalarTable>(graph, hints, baseSeed + seed);

  std::vector<FixedConditions> combinations = enumerateValues(slice.conditions);
  SmallVector<bool> skips;
  std::optional<UpdateMatch> found;
  for (const FixedConditions &fixed : combinations) {
    std::unique_ptr<ScalarTable> own;
    if (!fixed.empty())
      own = std::make_unique<ScalarTable>(graph, hints, baseSeed + seed, fixed);
    ScalarTable &scalars = own ? *own : *shared;
    SliceProbe probe(slice, scalars, fixed, mode);
    skips.push_back(!slice.conditions.empty() && probe.leavesUnchanged());
    if (skips.back())
      continue;
    UpdateMatch match = interface->matchUpdate(probe);
    if (!match.matched())
      return match;
    std::string why = probe.whyNotSound(match, drawAgain);
    if (why.empty()) {
      std::unique_ptr<ScalarTable> &fresh = tables[seed + kFreshSeed];
      if (!fresh)
        fresh = std::make_unique<ScalarTable>(graph, hints,
                                              baseSeed + seed + kFreshSeed);
      std::unique_ptr<ScalarTable> freshOwn;
      if (!fixed.empty())
        freshOwn = std::make_unique<ScalarTable>(
            graph, hints, baseSeed + seed + kFreshSeed, fixed);
      why = whyNotConfirmed(slice, freshOwn ? *freshOwn : *fresh, fixed, mode,
                            rule, match, probe.getStateFormat(),
                            probe.getCoarsestFormat());
    }
    if (!why.empty())
      return UpdateMatch::refuse(UpdateMatch::Structure, why);
    if (!found) {
      found = std::move(match);
      update.stateFormat = &probe.getStateFormat();
      update.computeFormat = &probe.getComputeFormat();
      update.scaledByReduction =
          found->gradient >= 0 && probe.isScaledByReduction(found->gradient);
      continue;
    }
    std::string difference = findDisagreement(*found, match);
    if (!difference.empty())
      return UpdateMatch::refuse(UpdateMatch::Step,
                                 "run-time branches disagree on " + difference);
  }
  if (!found)
    return UpdateMatch::refuse(UpdateMatch::NoStatePair,
                               "the parameter never changes");
  if (llvm::is_contained(skips, true))
    update.skip =
        findSkipGuard(slice, hints, baseSeed + seed, combinations, skips);
  update.takenBranches =
      findTakenBranches(slice, hints, baseSeed + seed, combinations, skips);
  return *found;
}

/// Draws again when the points missed a branch; where the moments already do
/// not fit, draws the reductions otherwise (see ProbeMode).
UpdateMatch UpdateFinder::trySeeds(OperationName rule, const UpdateSlice &slice,
                                   uint64_t seed, RaisedUpdate &update) {
  bool drawAgain = false;
  UpdateMatch first = tryOnce(rule, slice, seed, {}, update, drawAgain);
  for (uint64_t next : {seed + 101, seed + 202}) {
    if (first.matched() || !drawAgain)
      break;
    UpdateMatch match = tryOnce(rule, slice, next, {}, update, drawAgain);
    if (match.matched())
      return match;
  }
  bool early = first.stage == UpdateMatch::FirstMoment ||
               first.stage == UpdateMatch::SecondMoment;
  if (first.matched() || !early)
    return first;
  ProbeMode mode;
  (slice.isSingleElement() ? mode.positiveElements : mode.reductionsOff) = true;
  UpdateMatch second = tryOnce(rule, slice, seed, mode, update, drawAgain);
  return second.matched() || second.stage > first.stage ? second : first;
}

UpdateMatch UpdateFinder::tryRule(OperationName rule, const UpdateSlice &slice,
                                  RaisedUpdate &update) {
  if (slice.getOrder().size() > kMaxSliceNodes)
    return UpdateMatch::refuse(UpdateMatch::NoStatePair,
                               "its update is an expression of more than " +
                                   std::to_string(kMaxSliceNodes) +
                                   " operations");
  auto inSlice = [&](NodeId id) { return slice.contains(id); };
  if (!inSlice(slice.parameter) || !llvm::all_of(slice.states, inSlice))
    return UpdateMatch::refuse(UpdateMatch::NoStatePair,
                               "a state tensor does not enter its own update");
  UpdateMatch match;
  if (!classes) {
    match = tryClass(rule, slice, update);
  } else {
    SliceKey key(slice, hints, rule);
    if (std::optional<UpdateMatch> known = classes->find(key, update)) {
      match = std::move(*known);
    } else {
      match = tryClass(rule, slice, update);
      classes->insert(std::move(key), match, update);
    }
  }
  match.reason = slice.nameLeaves(match.reason);
  return match;
}

/// True if a number that chooses among branches has another use in the slice:
/// enumerating its values would then try the branches with numbers that never
/// reach them.
static bool usesBranchIndex(const UpdateSlice &slice) {
  const SliceGraph &graph = slice.graph;
  DenseSet<NodeId> numbers;
  for (auto [node, count] : slice.conditions)
    if (graph[node].number != NumberKind::Boolean)
      numbers.insert(node);
  if (numbers.empty())
    return false;
  for (NodeId id : slice.getOrder()) {
    // A condition is enumerated whatever is below it.
    if (llvm::is_contained(llvm::make_first_range(slice.conditions), id))
      continue;
    ArrayRef<NodeId> operands = graph.getOperands(id);
    if (graph[id].kind == SliceKind::Switch)
      operands = operands.drop_front();
    for (NodeId operand : operands)
      if (numbers.contains(operand))
        return true;
  }
  return false;
}

UpdateMatch UpdateFinder::tryClass(OperationName rule, const UpdateSlice &slice,
                                   RaisedUpdate &update) {
  if (slice.conditions.size() > kMaxConditions)
    return UpdateMatch::refuse(UpdateMatch::NoStatePair,
                               std::to_string(slice.conditions.size()) +
                                   " run-time conditions around the update");
  UpdateMatch match = trySeeds(rule, slice, 0, update);
  if (!match.matched())
    return match;
  // Only now: a look-alike is told what it is by its formula.
  if (usesBranchIndex(slice))
    return UpdateMatch::refuse(UpdateMatch::Structure,
                               "the number that chooses a branch is used "
                               "otherwise, too");
  RaisedUpdate again = update;
  UpdateMatch second = trySeeds(rule, slice, kSecondSeed, again);
  if (!second.matched())
    return UpdateMatch::refuse(UpdateMatch::Confirmation,
                               "a second set of random points refuses: " +
                                   second.reason);
  std::string difference = findDisagreement(match, second);
  if (!difference.empty())
    return UpdateMatch::refuse(
        UpdateMatch::Confirmation,
        "a second set of random points gives another value of " + difference);
  return match;
}
