//===- UpdateMatcher.cpp - finds the optimizer of a function --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pairs arguments with results by data flow, tries every rule on every
// assignment of states that the flow allows, and accounts for what is left.
// Names are never read; tf.aliasing_output only narrows.
//
//===----------------------------------------------------------------------===//

#include "skew/Frontend/UpdateMatcher.h"
#include "llvm/ADT/BitVector.h"
#include <cmath>

using namespace mlir;
using namespace mlir::skew;

StringRef mlir::skew::stringify(OtherStateKind kind) {
  switch (kind) {
  case OtherStateKind::Step:
    return "step";
  case OtherStateKind::Accumulator:
    return "accumulator";
  case OtherStateKind::Average:
    return "ema";
  case OtherStateKind::Moment:
    return "moment";
  case OtherStateKind::Other:
    return "other";
  }
  return "other";
}

namespace {

class FunctionMatcher {
public:
  FunctionMatcher(SliceGraph &graph, const MatchOptions &options)
      : graph(graph), options(options) {}
  FunctionMatch run();

private:
  void pair();
  void findUsedArguments();
  void followOpaque(SmallVectorImpl<NodeId> &roots);
  void matchParameters();
  void matchParameter(unsigned argument);
  void tryAssignments(OperationName rule, CarriedTensor parameter,
                      ArrayRef<unsigned> others, unsigned count,
                      std::vector<RaisedUpdate> &found);
  void tryStates(OperationName rule, CarriedTensor parameter,
                 ArrayRef<CarriedTensor> states, unsigned numOthers,
                 std::vector<RaisedUpdate> &found);
  void note(unsigned argument, unsigned stage, unsigned numStates,
            const std::string &reason);
  void account();
  bool isFrozen(CarriedTensor tensor);
  std::string describeBranch(unsigned result);
  std::optional<unsigned> findOpaqueSource(unsigned result, NodeId node);
  OtherStateKind classifyOther(CarriedTensor tensor);
  std::string hintAtExtraState(ArrayRef<unsigned> others,
                               ArrayRef<CarriedTensor> states);

  bool reaches(unsigned result, unsigned argument) const {
    return llvm::is_contained(graph.getReachedArguments(results[result]),
                              argument);
  }

  SliceGraph &graph;
  const MatchOptions &options;
  std::unique_ptr<UpdateFinder> finder;
  SmallVector<NodeId> arguments, results;
  SmallVector<Type> argumentTypes, resultTypes;
  /// Result that each argument is donated to.
  SmallVector<std::optional<unsigned>> alias;
  /// Results that can be the next value of each argument.
  SmallVector<SmallVector<unsigned, 2>> successors;
  /// Arguments that something not elementwise uses, other than through a
  /// result of the function.
  llvm::BitVector used;
  struct Reason {
    unsigned stage, numStates;
    std::string text;
  };
  std::map<unsigned, Reason> reasons;
  FunctionMatch match;
};

} // namespace

void FunctionMatcher::pair() {
  FunctionOpInterface function = graph.getFunction();
  Block *body = graph.getBody(0);
  for (Value argument : body->getArguments()) {
    arguments.push_back(graph.getNode(argument));
    argumentTypes.push_back(argument.getType());
  }
  for (Value result : body->back().getOperands()) {
    results.push_back(graph.getNode(result));
    resultTypes.push_back(result.getType());
  }
  alias.resize(arguments.size());
  llvm::BitVector aliased(results.size());
  for (unsigned i = 0; options.useAliasing && i < arguments.size(); ++i)
    if (auto attr = function.getArgAttrOfType<IntegerAttr>(
            i, "tf.aliasing_output")) {
      uint64_t result = attr.getValue().getZExtValue();
      if (result < results.size()) {
        alias[i] = unsigned(result);
        aliased.set(result);
      }
    }
  successors.resize(arguments.size());
  for (unsigned r = 0; r < results.size(); ++r) {
    SmallVector<unsigned> sources(
        graph.getReachedArguments(results[r]));
    // Integers are not in the sets; a counter is one whose result is built
    // from it alone.
    for (unsigned a = 0; a < arguments.size(); ++a)
      if (results[r] == arguments[a] && !llvm::is_contained(sources, a))
        sources.push_back(a);
    for (unsigned a : sources) {
      if (argumentTypes[a] != resultTypes[r])
        continue;
      if (alias[a] ? *alias[a] != r : aliased.test(r))
        continue;
      successors[a].push_back(r);
    }
  }
}

/// Roots that the op behind an opaque node needs: operands and what its regions
/// capture.
void FunctionMatcher::followOpaque(SmallVectorImpl<NodeId> &roots) {
  DenseSet<NodeId> seen;
  DenseSet<std::pair<Operation *, ScopeId>> followed;
  llvm::BitVector isResult(results.size());
  DenseSet<NodeId> resultNodes;
  for (NodeId result : results) {
    for (NodeId node : {result, graph.skipCasts(result)})
      if (graph[node].kind != SliceKind::Argument)
        resultNodes.insert(node);
  }
  // Everything the results need, without marking.
  SmallVector<NodeId> work(results);
  while (!work.empty()) {
    NodeId id = work.pop_back_val();
    if (!seen.insert(id).second)
      continue;
    llvm::append_range(work, graph.getOperands(id));
    if (!graph.isOpaque(id) || graph.getValues(id).empty())
      continue;
    ScopedValue where = graph.getValues(id).front();
    Operation *op = where.value.getDefiningOp();
    if (!op || !followed.insert({op, where.scope}).second)
      continue;
    auto follow = [&](Value operand) {
      NodeId node = graph.getNode(operand, where.scope);
      roots.push_back(node);
      work.push_back(node);
    };
    for (Value operand : op->getOperands())
      follow(operand);
    op->walk([&](Operation *inner) {
      if (inner == op)
        return;
      for (Value operand : inner->getOperands())
        if (!op->isProperAncestor(operand.getParentBlock()->getParentOp()) &&
            operand.getParentBlock()->getParentOp() != op)
          follow(operand);
    });
  }
  // Mark below the roots, stopping at next values.
  seen.clear();
  work.assign(roots.begin(), roots.end());
  while (!work.empty()) {
    NodeId id = work.pop_back_val();
    if (!seen.insert(id).second || resultNodes.contains(id))
      continue;
    if (graph[id].kind == SliceKind::Argument)
      used.set(unsigned(graph[id].constant));
    llvm::append_range(work, graph.getOperands(id));
  }
}

void FunctionMatcher::findUsedArguments() {
  used.resize(arguments.size());
  SmallVector<NodeId> roots;
  followOpaque(roots);
}

void FunctionMatcher::note(unsigned argument, unsigned stage,
                           unsigned numStates, const std::string &reason) {
  auto [it, isNew] = reasons.try_emplace(argument);
  Reason &known = it->second;
  // A rule with more of the state that is there is nearer, however early it
  // refuses.
  if (isNew || std::pair(numStates, stage) >
                   std::pair(known.numStates, known.stage))
    known = {stage, numStates, reason};
}

/// Names what a state beyond the rule's own is, if its next value tells.
std::string
FunctionMatcher::hintAtExtraState(ArrayRef<unsigned> others,
                                  ArrayRef<CarriedTensor> states) {
  std::string text;
  for (unsigned other : others) {
    bool own = llvm::any_of(states, [&](const CarriedTensor &state) {
      return state.argument == other;
    });
    if (own)
      continue;
    text = "; a further state tensor (argument " + std::to_string(other) +
           ") takes part";
    for (unsigned r : successors[other])
      if (graph[graph.skipCasts(results[r])].kind == SliceKind::Maximum)
        return "; a further state tensor (argument " + std::to_string(other) +
               ") takes a maximum: amsgrad";
  }
  return text;
}

void FunctionMatcher::tryStates(OperationName rule, CarriedTensor parameter,
                                ArrayRef<CarriedTensor> states,
                                unsigned numOthers,
                                std::vector<RaisedUpdate> &found) {
  for (const CarriedTensor &state : states)
    for (const CarriedTensor &other : states)
      if (state.argument != other.argument &&
          reaches(state.result, other.argument)) {
        note(parameter.argument, UpdateMatch::FirstMoment, states.size(),
             "one moment depends on the other");
        return;
      }
  SmallVector<NodeId> oldNodes, newNodes;
  for (const CarriedTensor &state : states) {
    oldNodes.push_back(arguments[state.argument]);
    newNodes.push_back(results[state.result]);
  }
  UpdateSlice slice(graph, arguments[parameter.argument], oldNodes,
                    results[parameter.result], newNodes);
  RaisedUpdate update{parameter, SmallVector<CarriedTensor, 2>(states), rule,
                      {}, std::nullopt, nullptr, false};
  UpdateMatch result = finder->tryRule(rule, slice, update);
  if (!result.matched()) {
    std::string reason = result.reason;
    if (result.stage >= UpdateMatch::Step && numOthers > states.size()) {
      SmallVector<unsigned> others;
      for (unsigned argument :
           graph.getReachedArguments(results[parameter.result]))
        if (argument != parameter.argument && !successors[argument].empty())
          others.push_back(argument);
      reason += hintAtExtraState(others, states);
    }
    note(parameter.argument, result.stage, states.size(), reason);
    return;
  }
  update.match = std::move(result);
  found.push_back(std::move(update));
}

/// All ordered choices of `count` states among `others`, each with a result of
/// its own.
void FunctionMatcher::tryAssignments(OperationName rule,
                                     CarriedTensor parameter,
                                     ArrayRef<unsigned> others, unsigned count,
                                     std::vector<RaisedUpdate> &found) {
  SmallVector<SmallVector<CarriedTensor, 2>> partial(1);
  for (unsigned k = 0; k < count; ++k) {
    SmallVector<SmallVector<CarriedTensor, 2>> longer;
    for (const auto &chosen : partial)
      for (unsigned argument : others)
        for (unsigned result : successors[argument]) {
          bool taken = result == parameter.result ||
                       llvm::any_of(chosen, [&](const CarriedTensor &state) {
                         return state.argument == argument ||
                                state.result == result;
                       });
          if (taken)
            continue;
          longer.push_back(chosen);
          longer.back().push_back({argument, result});
        }
    partial = std::move(longer);
  }
  // A graph can be built so that this explodes; no optimizer is.
  constexpr size_t kMaxAssignments = 256;
  if (partial.size() > kMaxAssignments)
    partial.resize(kMaxAssignments);
  for (const auto &states : partial)
    tryStates(rule, parameter, states, others.size(), found);
}

void FunctionMatcher::matchParameter(unsigned argument) {
  std::vector<RaisedUpdate> found;
  SmallVector<OperationName> rules =
      getRaisableRules(graph.getFunction()->getContext());
  for (unsigned result : successors[argument]) {
    if (graph.skipCasts(results[result]) == arguments[argument])
      continue;
    SmallVector<unsigned> others;
    for (unsigned other : graph.getReachedArguments(results[result])) {
      // A state of the same size in another shape (kept flat, say) would need
      // reshapes on both sides: not raised.
      bool sameShape =
          cast<RankedTensorType>(argumentTypes[other]).getShape() ==
          cast<RankedTensorType>(argumentTypes[argument]).getShape();
      if (other != argument && sameShape && !successors[other].empty())
        others.push_back(other);
    }
    CarriedTensor parameter{argument, result};
    unsigned most = 0;
    for (OperationName rule : rules) {
      for (unsigned count : getStateCounts(rule)) {
        most = std::max(most, count);
        // Without state anything linear fits, so nothing may be left over,
        // and the parameter must be one that the model uses.
        if (count > others.size() ||
            (count == 0 && (!others.empty() || !used.test(argument))))
          continue;
        // A rule with more state has explained it already.
        if (llvm::any_of(found, [&](const RaisedUpdate &update) {
              return update.states.size() > count;
            }))
          continue;
        tryAssignments(rule, parameter, others, count, found);
      }
    }
    if (others.empty())
      note(argument, UpdateMatch::NoStatePair, 0,
           "no other tensor of its shape is carried into its update");
  }
  if (found.size() > 1) {
    note(argument, UpdateMatch::Confirmation + 1, ~0u,
         "more than one way to read the update");
    return;
  }
  if (found.size() == 1)
    match.raised.push_back(std::move(found.front()));
}

void FunctionMatcher::matchParameters() {
  for (unsigned argument = 0; argument < arguments.size(); ++argument) {
    if (graph[arguments[argument]].number == NumberKind::Float &&
        !successors[argument].empty())
      matchParameter(argument);
  }
  // Each place once.
  std::map<unsigned, unsigned> uses;
  for (const RaisedUpdate &update : match.raised) {
    ++uses[update.parameter.argument];
    for (const CarriedTensor &state : update.states)
      ++uses[state.argument];
  }
  llvm::erase_if(match.raised, [&](const RaisedUpdate &update) {
    bool shared = uses[update.parameter.argument] > 1;
    for (const CarriedTensor &state : update.states)
      shared |= uses[state.argument] > 1;
    if (shared)
      note(update.parameter.argument, UpdateMatch::Confirmation + 1, ~0u,
           "its state is shared with another update");
    return shared;
  });
}

bool FunctionMatcher::isFrozen(CarriedTensor tensor) {
  NodeId oldNode = arguments[tensor.argument];
  NodeId newNode = results[tensor.result];
  if (graph.skipCasts(newNode) == oldNode)
    return true;
  UpdateSlice slice(graph, oldNode, {}, newNode, {});
  if (slice.getDependence(newNode) != DependsOnParameter ||
      !slice.conditions.empty())
    return false;
  FixedConditions fixed;
  SliceProbe probe(slice, finder->getScalars(), fixed, false);
  // p + 0, as a masked update leaves it; anything else is not covered by
  // points alone, so only sums with constants count.
  bool onlySums = llvm::all_of(slice.getOrder(), [&](NodeId id) {
    SliceKind kind = graph[id].kind;
    return graph[id].isConstant || graph.isLeaf(id) ||
           kind == SliceKind::Convert || kind == SliceKind::Add ||
           kind == SliceKind::Subtract;
  });
  return onlySums && probe.leavesParameterUnchanged();
}

OtherStateKind FunctionMatcher::classifyOther(CarriedTensor tensor) {
  NodeId oldNode = arguments[tensor.argument];
  NodeId newNode = results[tensor.result];
  const SliceNode &node = graph[oldNode];
  for (const DeclinedParameter &declined : match.declined)
    if (node.number == NumberKind::Float && node.numElements > 1 &&
        reaches(declined.parameter.result, tensor.argument))
      return OtherStateKind::Moment;
  if (node.number == NumberKind::Integer && node.numElements == 1)
    return OtherStateKind::Step;
  if (node.number != NumberKind::Float || oldNode == newNode)
    return OtherStateKind::Other;
  UpdateSlice slice(graph, oldNode, {}, newNode, {});
  if (!slice.conditions.empty() || !slice.contains(oldNode))
    return OtherStateKind::Other;
  // The slope of the new value over the old one.
  FixedConditions fixed;
  SliceProbe probe(slice, finder->getScalars(), fixed, false);
  SmallVector<ProbePoint> points(3);
  for (auto [i, point] : llvm::enumerate(points)) {
    point.parameter = double(i);
    point.sample = 1;
  }
  ProbeValues values = probe.evaluate(points);
  double first = values.parameter.at(0, 1) - values.parameter.at(0, 0);
  double second = values.parameter.at(0, 2) - values.parameter.at(0, 1);
  if (!(std::abs(first - second) <= 1e-6 * std::abs(first)))
    return OtherStateKind::Other;
  if (std::abs(first - 1.0) <= 1e-6)
    return node.numElements == 1 ? OtherStateKind::Step
                                 : OtherStateKind::Accumulator;
  return first > 0.0 && first < 1.0 ? OtherStateKind::Average
                                    : OtherStateKind::Other;
}

/// Says so if the state behind a result leaves a branch of control flow.
std::string FunctionMatcher::describeBranch(unsigned result) {
  for (unsigned argument : graph.getReachedArguments(results[result]))
    for (unsigned next : successors[argument]) {
      auto value =
          dyn_cast<OpResult>(graph.getBody(0)->back().getOperand(next));
      if (value && classifyForSlice(value).form == SliceForm::Branch)
        return "the update is inside a branch of '" +
               getDisplayName(value.getOwner()).str() + "': ";
    }
  return "";
}

std::optional<unsigned> FunctionMatcher::findOpaqueSource(unsigned result,
                                                          NodeId node) {
  for (unsigned a = 0; a < arguments.size(); ++a)
    if (alias[a] == result)
      return a;
  Operation *op = graph.getOpaqueOp(node);
  if (!op || graph.getValues(node).empty())
    return std::nullopt;
  ScopedValue where = graph.getValues(node).front();
  unsigned number = cast<OpResult>(where.value).getResultNumber();
  if (op->getNumRegions() == 0 || number >= op->getNumOperands())
    return std::nullopt;
  NodeId source =
      graph.skipCasts(graph.getNode(op->getOperand(number), where.scope));
  if (graph[source].kind != SliceKind::Argument)
    return std::nullopt;
  return unsigned(graph[source].constant);
}

void FunctionMatcher::account() {
  llvm::BitVector done(arguments.size());
  for (const RaisedUpdate &update : match.raised) {
    done.set(update.parameter.argument);
    for (const CarriedTensor &state : update.states)
      done.set(state.argument);
  }
  SmallVector<CarriedTensor> rest;
  llvm::BitVector resultTaken(results.size());
  for (const RaisedUpdate &update : match.raised) {
    resultTaken.set(update.parameter.result);
    for (const CarriedTensor &state : update.states)
      resultTaken.set(state.result);
  }
  for (unsigned a = 0; a < arguments.size(); ++a) {
    if (done.test(a))
      continue;
    for (unsigned r : successors[a]) {
      if (resultTaken.test(r))
        continue;
      resultTaken.set(r);
      done.set(a);
      CarriedTensor tensor{a, r};
      bool isParameter =
          used.test(a) && graph[arguments[a]].number == NumberKind::Float;
      if (!isParameter) {
        rest.push_back(tensor);
      } else if (isFrozen(tensor)) {
        match.frozen.push_back(tensor);
      } else {
        auto reason = reasons.find(a);
        match.declined.push_back(
            {tensor, describeBranch(r) + (reason == reasons.end()
                                              ? "no update rule was found"
                                              : reason->second.text)});
      }
      break;
    }
  }
  // What leaves something that is not elementwise (a loop, a gather): paired by
  // donation, or by its place in the op.
  for (unsigned r = 0; r < results.size(); ++r) {
    NodeId node = graph.skipCasts(results[r]);
    if (resultTaken.test(r) || !graph.isOpaque(node))
      continue;
    std::optional<unsigned> argument = findOpaqueSource(r, node);
    if (!argument || done.test(*argument) || !used.test(*argument) ||
        graph[arguments[*argument]].number != NumberKind::Float ||
        argumentTypes[*argument] != resultTypes[r])
      continue;
    done.set(*argument);
    resultTaken.set(r);
    match.declined.push_back(
        {{*argument, r},
         "its new value comes out of '" +
             getDisplayName(graph.getOpaqueOp(node)).str() +
             "': no elementwise path from the argument"});
  }
  // A counter or another scalar that its own result is built from.
  for (unsigned r = 0; r < results.size(); ++r) {
    if (resultTaken.test(r) ||
        graph[results[r]].number != NumberKind::Integer)
      continue;
    SmallVector<unsigned> leaves;
    bool simple = graph[results[r]].numElements == 1;
    if (simple)
      for (NodeId id : collectSlice(graph, results[r],
                                    [](NodeId) { return false; })) {
        if (graph[id].kind == SliceKind::Argument)
          leaves.push_back(unsigned(graph[id].constant));
        simple &= !graph.isOpaque(id);
      }
    if (!simple || leaves.size() != 1 || done.test(leaves[0]) ||
        argumentTypes[leaves[0]] != resultTypes[r] ||
        !successors[leaves[0]].empty())
      continue;
    done.set(leaves[0]);
    rest.push_back({leaves[0], r});
  }
  for (const CarriedTensor &tensor : rest)
    match.otherStates.push_back({tensor, classifyOther(tensor)});
  llvm::sort(match.otherStates, [](const auto &x, const auto &y) {
    return x.tensor.argument < y.tensor.argument;
  });
}

FunctionMatch FunctionMatcher::run() {
  pair();
  findUsedArguments();
  // After all nodes exist: hints come from the whole graph.
  finder = std::make_unique<UpdateFinder>(graph, options);
  matchParameters();
  account();
  return std::move(match);
}

FunctionMatch mlir::skew::matchFunction(SliceGraph &graph,
                                        const MatchOptions &options) {
  return FunctionMatcher(graph, options).run();
}
