//===- UpdateMatcher.cpp - finds the optimizer of a function --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pairs arguments with results by data flow, tries every rule on every
// assignment of states that the flow allows, and accounts for what is left.
// Neither names nor tf.aliasing_output are read:
// donation matches buffers by type, not by meaning.
//
//===----------------------------------------------------------------------===//

#include "FunctionMatcher.h"

using namespace mlir;
using namespace mlir::skew;

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
  for (unsigned i = 0; graph.isOfFunction() && i < arguments.size(); ++i)
    if (auto attr =
            function.getArgAttrOfType<IntegerAttr>(i, "tf.aliasing_output")) {
      uint64_t result = attr.getValue().getZExtValue();
      if (result < results.size())
        alias[i] = unsigned(result);
    }
  successors.resize(arguments.size());
  DenseMap<NodeId, unsigned> argumentOf;
  for (auto [number, node] : llvm::enumerate(arguments))
    argumentOf.try_emplace(node, number);
  for (unsigned r = 0; r < results.size(); ++r) {
    SmallVector<unsigned> sources(graph.getReachedArguments(results[r]));
    // Integers are not in the sets; a counter is one whose result is built
    // from it alone.
    auto same = argumentOf.find(results[r]);
    if (same != argumentOf.end() && !llvm::is_contained(sources, same->second))
      sources.push_back(same->second);
    for (unsigned a : sources) {
      if (!mayCarry(a, r))
        continue;
      // A value returned twice is one next value; the donated place is its.
      auto twin = llvm::find_if(successors[a], [&](unsigned known) {
        return results[known] == results[r];
      });
      if (twin == successors[a].end())
        successors[a].push_back(r);
      else if (alias[a] == r)
        *twin = r;
    }
  }
}

void FunctionMatcher::note(unsigned argument, unsigned stage,
                           unsigned numStates, const std::string &reason) {
  auto [it, isNew] = reasons.try_emplace(argument);
  Reason &known = it->second;
  // A rule with more of the state that is there is nearer, however early it
  // refuses.
  if (isNew ||
      std::pair(numStates, stage) > std::pair(known.numStates, known.stage))
    known = {stage, numStates, reason};
}

/// Names what a state beyond the rule's own is, if its next value tells.
std::string FunctionMatcher::hintAtExtraState(ArrayRef<unsigned> others,
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

/// An argument that only this update takes in and that no result replaces: the
/// gradient of an optimizer's step alone.
bool FunctionMatcher::isGradientArgument(unsigned argument,
                                         CarriedTensor parameter,
                                         ArrayRef<CarriedTensor> states) {
  return !hasOpenResult(argument) &&
         llvm::all_of(successors[argument], [&](unsigned r) {
           return r == parameter.result ||
                  llvm::any_of(states, [&](const CarriedTensor &state) {
                    return state.result == r;
                  });
         });
}

/// Which scalar arguments to see as tensors: none; of a parameter of one element
/// also all that may be its gradient or what it accumulates in, or one of them.
SmallVector<SmallVector<NodeId, 2>>
FunctionMatcher::listElementChoices(CarriedTensor parameter,
                                    ArrayRef<CarriedTensor> states) {
  SmallVector<SmallVector<NodeId, 2>> choices(1);
  if (graph[arguments[parameter.argument]].numElements != 1)
    return choices;
  SmallVector<NodeId, 2> all;
  auto addReached = [&](unsigned result) {
    for (unsigned a : graph.getReachedArguments(results[result])) {
      bool isOwn = a == parameter.argument ||
                   llvm::any_of(states, [&](const CarriedTensor &state) {
                     return state.argument == a;
                   });
      // What is handed on as it is is a constant of the run.
      bool isConstant = llvm::any_of(successors[a], [&](unsigned r) {
        return results[r] == arguments[a];
      });
      if (!isOwn && !isConstant && !llvm::is_contained(all, arguments[a]))
        all.push_back(arguments[a]);
    }
  };
  for (const CarriedTensor &state : states)
    addReached(state.result);
  constexpr size_t kMaxSingles = 6;
  if (all.empty())
    return choices;
  choices.push_back(all);
  if (all.size() > 1 && all.size() <= kMaxSingles)
    for (NodeId element : all)
      choices.push_back({element});
  return choices;
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
  RaisedUpdate update{parameter, SmallVector<CarriedTensor, 2>(states), rule};
  UpdateMatch result;
  for (const auto &elements : listElementChoices(parameter, states)) {
    UpdateSlice slice(graph, arguments[parameter.argument], oldNodes,
                      results[parameter.result], newNodes, elements);
    UpdateMatch match = finder->tryRule(rule, slice, update);
    bool isBetter =
        match.matched() || match.stage > result.stage || result.reason.empty();
    if (isBetter)
      result = std::move(match);
    if (result.matched())
      break;
  }
  if (!result.matched()) {
    std::string reason = result.reason;
    if (result.stage >= UpdateMatch::FirstMoment &&
        numOthers > states.size()) {
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
  // A rule without a second moment fits another rule's step as well: what it
  // takes for the gradient must not follow further state.
  if (states.size() <= 1 && result.gradient >= 0)
    if (std::optional<unsigned> state = followsCarriedState(result.gradient);
        state && !isGradientArgument(*state, parameter, states)) {
      note(parameter.argument, UpdateMatch::Structure, states.size(),
           "what it would take for the gradient follows other state that is "
           "carried (argument " +
               std::to_string(*state) + "): another rule's step");
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
          bool taken =
              result == parameter.result ||
              llvm::any_of(chosen, [&](const CarriedTensor &state) {
                return state.argument == argument || state.result == result;
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
    note(argument, UpdateMatch::NoStatePair, 0,
         others.empty()
             ? "no other tensor of its shape is carried into its update"
             : "what its update takes in is not carried as a rule's state");
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
  rules = getRaisableRules(graph.getFunction()->getContext());
  for (unsigned argument = 0; argument < arguments.size(); ++argument) {
    if (graph[arguments[argument]].number == NumberKind::Float &&
        !successors[argument].empty())
      matchParameter(argument);
  }
}

/// Drops updates that donation contradicts or that share a tensor.
void FunctionMatcher::refuseAmbiguous() {
  // Donation pairs buffers by type, so one alias says little. But where it
  // carries all tensors of an update to each other's places, the caller may
  // feed them back so, and the next step would not be this rule's.
  llvm::erase_if(match.raised, [&](const RaisedUpdate &update) {
    SmallVector<CarriedTensor> all = {update.parameter};
    llvm::append_range(all, update.states);
    bool identity = true;
    for (const CarriedTensor &tensor : all) {
      std::optional<unsigned> target = alias[tensor.argument];
      if (!target || llvm::none_of(all, [&](const CarriedTensor &other) {
            return other.result == *target;
          }))
        return false;
      identity &= *target == tensor.result;
    }
    if (!identity)
      note(update.parameter.argument, UpdateMatch::Confirmation + 1, ~0u,
           "tf.aliasing_output carries its tensors to each other's places");
    return !identity;
  });
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

FunctionMatch FunctionMatcher::run() {
  pair();
  findUsedArguments();
  // After all nodes exist: hints come from the whole graph.
  finder = std::make_unique<UpdateFinder>(graph, options);
  matchParameters();
  matchRegions();
  refuseAmbiguous();
  account();
  return std::move(match);
}

FunctionMatch mlir::skew::matchFunction(SliceGraph &graph,
                                        const MatchOptions &options) {
  return FunctionMatcher(graph, options).run();
}
