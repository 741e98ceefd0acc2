//===- FunctionAccounting.cpp - what no rule explains ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which arguments are parameters (the model uses them other than elementwise),
// which are frozen, and what other state is carried.
//
//===----------------------------------------------------------------------===//

#include "FunctionMatcher.h"
#include "skew/Frontend/Linalg.h"
#include "skew/Frontend/ParameterNames.h"
#include "llvm/ADT/StringMap.h"
#include <cmath>

using namespace mlir;
using namespace mlir::skew;

/// Roots that the op behind an opaque node needs: operands and what its regions
/// capture.
void FunctionMatcher::followOpaque(SmallVectorImpl<NodeId> &roots) {
  DenseSet<NodeId> seen;
  DenseMap<std::pair<Operation *, ScopeId>, NodeId> followed;
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
    if (!op) {
      bool inOrder;
      if (Value source =
              getBodySource(cast<BlockArgument>(where.value), inOrder)) {
        NodeId node = graph.getNode(source, where.scope);
        roots.push_back(node);
        work.push_back(node);
        opaqueOperands[id].push_back(node);
      }
      continue;
    }
    // Further results of an op depend on what the first one does.
    auto [known, isNew] = followed.try_emplace({op, where.scope}, id);
    if (!isNew) {
      opaqueOperands[id].push_back(known->second);
      continue;
    }
    auto follow = [&](Value operand) {
      NodeId node = graph.getNode(operand, where.scope);
      roots.push_back(node);
      work.push_back(node);
      opaqueOperands[id].push_back(node);
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

/// True if a result of the argument's type is the elementwise next value of
/// nothing: what is carried in another way (a history that is shifted,
/// statistics per row, the last gradient) ends there.
bool FunctionMatcher::hasOpenResult(unsigned argument) {
  if (!openResults) {
    openResults.emplace(results.size(), true);
    for (ArrayRef<unsigned> next : successors)
      for (unsigned r : next)
        openResults->reset(r);
  }
  return llvm::any_of(openResults->set_bits(), [&](unsigned r) {
    return argumentTypes[argument] == resultTypes[r];
  });
}

/// An argument that is carried but is no parameter (a momentum) and enters,
/// through whatever ops: then what looks like a gradient is another rule's
/// step.
std::optional<unsigned> FunctionMatcher::followsCarriedState(NodeId node) {
  if (!afterState) {
    afterState.emplace();
    std::vector<SmallVector<NodeId, 2>> users(graph.size());
    for (NodeId id = 0; id < graph.size(); ++id)
      for (NodeId operand : graph.getOperands(id))
        users[operand].push_back(id);
    for (NodeId id = 0; id < graph.size(); ++id)
      for (NodeId operand : opaqueOperands.lookup(id))
        users[operand].push_back(id);
    auto isCarried = [&](unsigned a) {
      return successors[a].empty() ? hasOpenResult(a) : !used.test(a);
    };
    for (unsigned a = 0; a < arguments.size(); ++a) {
      if (graph[arguments[a]].number != NumberKind::Float ||
          graph[arguments[a]].numElements == 1 || !isCarried(a))
        continue;
      SmallVector<NodeId> work = {arguments[a]};
      while (!work.empty()) {
        NodeId id = work.pop_back_val();
        if (afterState->try_emplace(id, a).second)
          llvm::append_range(work, users[id]);
      }
    }
  }
  auto found = afterState->find(node);
  return found == afterState->end() ? std::nullopt
                                    : std::optional(found->second);
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
  SliceProbe probe(slice, finder->getScalars(), fixed, ProbeMode());
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

/// Where no model tells which tensors are parameters (an optimizer's step
/// alone, whose gradients are arguments): what takes in other carried tensors
/// and is taken in by none. Moves those that are not raised to the declined.
void FunctionMatcher::declineUnmodelled(SmallVectorImpl<CarriedTensor> &rest) {
  bool modelled = !match.declined.empty() || !match.frozen.empty() ||
                  llvm::any_of(match.raised, [&](const RaisedUpdate &update) {
                    return used.test(update.parameter.argument);
                  });
  if (modelled)
    return;
  SmallVector<CarriedTensor> tensors;
  for (const CarriedTensor &tensor : rest)
    if (graph[arguments[tensor.argument]].number == NumberKind::Float)
      tensors.push_back(tensor);
  DenseMap<unsigned, SmallVector<unsigned>> takenInBy;
  llvm::BitVector carried(arguments.size()), takesIn(arguments.size());
  for (const CarriedTensor &tensor : tensors)
    carried.set(tensor.argument);
  for (const CarriedTensor &tensor : tensors)
    for (unsigned other : graph.getReachedArguments(results[tensor.result]))
      if (other != tensor.argument && carried.test(other)) {
        takenInBy[other].push_back(tensor.argument);
        takesIn.set(tensor.argument);
      }
  llvm::erase_if(rest, [&](const CarriedTensor &tensor) {
    unsigned argument = tensor.argument;
    bool isParameter =
        carried.test(argument) && takesIn.test(argument) &&
        llvm::all_of(takenInBy.lookup(argument), [&](unsigned other) {
          return reaches(tensor.result, other);
        });
    if (!isParameter)
      return false;
    auto reason = reasons.find(argument);
    match.declined.push_back({tensor, reason == reasons.end()
                                          ? "no update rule was found"
                                          : reason->second.text});
    return true;
  });
}

/// Pairs what is left by name, by donation, or because nothing else has the
/// type: enough to say that a parameter is not raised, never to raise one.
void FunctionMatcher::pairByEvidence(llvm::BitVector &done,
                                     llvm::BitVector &resultTaken) {
  SmallVector<unsigned> open;
  for (unsigned a = 0; a < arguments.size(); ++a)
    if (!done.test(a) && used.test(a) &&
        graph[arguments[a]].number == NumberKind::Float)
      open.push_back(a);
  auto pairWith = [&](unsigned a, unsigned r) {
    done.set(a);
    resultTaken.set(r);
    Operation *op = graph.getOpaqueOp(graph.skipCasts(results[r]));
    std::string from =
        op ? "its new value comes out of '" + getDisplayName(op).str() + "': "
           : std::string();
    std::string why =
        graph.reachesTooMany(results[r])
            ? "it takes in more than " +
                  std::to_string(SliceGraph::kMaxReached) +
                  " tensors of its size elementwise"
            : std::string("no elementwise path from the argument");
    for (const RaisedUpdate &update : match.raised)
      if (graph.skipCasts(results[update.parameter.result]) ==
          graph.skipCasts(results[r])) {
        from.clear();
        why = "it is a copy of argument " +
              std::to_string(update.parameter.argument) +
              ", whose update is raised";
      }
    match.declined.push_back({{a, r}, from + why});
  };
  auto fits = [&](unsigned a, unsigned r) {
    return !resultTaken.test(r) && mayCarry(a, r);
  };
  // A loop pairs by place, and names are the function's.
  if (inLoop) {
    for (unsigned a : open)
      if (a < results.size() && fits(a, a))
        pairWith(a, a);
    return;
  }

  llvm::StringMap<SmallVector<unsigned, 1>> resultsByName;
  bool hasNames = graph.isOfFunction();
  if (hasNames && !open.empty())
    for (unsigned r = 0; r < results.size(); ++r)
      if (StringRef path = getResultPath(graph.getFunction(), r); !path.empty())
        resultsByName[path].push_back(r);
  for (unsigned a : open) {
    if (!hasNames)
      break;
    auto named = resultsByName.find(getArgumentPath(graph.getFunction(), a));
    if (named == resultsByName.end())
      continue;
    SmallVector<unsigned> fitting;
    llvm::copy_if(named->second, std::back_inserter(fitting),
                  [&](unsigned r) { return fits(a, r); });
    if (fitting.size() == 1)
      pairWith(a, fitting.front());
  }
  for (unsigned a : open)
    if (!done.test(a) && alias[a] && fits(a, *alias[a]))
      pairWith(a, *alias[a]);
  // The only ones of their type on both sides.
  DenseMap<Type, SmallVector<unsigned, 1>> argumentsOf, resultsOf;
  for (unsigned a : open)
    if (!done.test(a))
      argumentsOf[argumentTypes[a]].push_back(a);
  for (unsigned r = 0; r < results.size(); ++r)
    if (!resultTaken.test(r))
      resultsOf[resultTypes[r]].push_back(r);
  for (unsigned a : open) {
    if (done.test(a))
      continue;
    ArrayRef<unsigned> fitting = resultsOf[argumentTypes[a]];
    if (fitting.size() == 1 && argumentsOf[argumentTypes[a]].size() == 1)
      pairWith(a, fitting.front());
  }
}

/// A counter or another integer that its own result is built from, and from
/// no other that is not paired yet.
void FunctionMatcher::pairCounters(llvm::BitVector &done,
                                   llvm::BitVector &resultTaken,
                                   SmallVectorImpl<CarriedTensor> &rest) {
  std::map<unsigned, SmallVector<unsigned>> sources;
  for (unsigned r = 0; r < results.size(); ++r) {
    const SliceNode &node = graph[results[r]];
    if (resultTaken.test(r) || node.number != NumberKind::Integer ||
        node.numElements != 1)
      continue;
    // What only decides which steps count is no source.
    DenseSet<NodeId> seen;
    SmallVector<NodeId> work = {results[r]};
    while (!work.empty()) {
      NodeId id = work.pop_back_val();
      SliceKind kind = graph[id].kind;
      if (graph[id].number == NumberKind::Boolean || !seen.insert(id).second)
        continue;
      bool isChoice = kind == SliceKind::Select || kind == SliceKind::Switch;
      llvm::append_range(work, graph.getOperands(id).drop_front(isChoice));
      if (kind != SliceKind::Argument)
        continue;
      unsigned argument = unsigned(graph[id].constant);
      if (mayCarry(argument, r) &&
          successors[argument].empty())
        sources[r].push_back(argument);
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (auto &[r, arguments] : sources) {
      llvm::erase_if(arguments, [&](unsigned a) { return done.test(a); });
      if (resultTaken.test(r) || arguments.size() != 1)
        continue;
      done.set(arguments[0]);
      resultTaken.set(r);
      rest.push_back({arguments[0], r});
      changed = true;
    }
  }
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
  // What the regions account for.
  auto take = [&](const CarriedTensor &tensor) {
    done.set(tensor.argument);
    resultTaken.set(tensor.result);
  };
  for (const DeclinedParameter &declined : match.declined)
    take(declined.parameter);
  for (const CarriedTensor &tensor : match.frozen)
    take(tensor);
  for (const OtherState &other : match.otherStates)
    take(other.tensor);
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
                                              : explainRefusal(
                                                    tensor, reason->second))});
      }
      break;
    }
  }
  // What leaves something that is not elementwise: of a loop, paired by its
  // place in the op.
  for (unsigned r = 0; r < results.size(); ++r) {
    NodeId node = graph.skipCasts(results[r]);
    if (resultTaken.test(r) || !graph.isOpaque(node))
      continue;
    std::optional<unsigned> argument = findOpaqueSource(r, node);
    if (!argument || done.test(*argument) || !used.test(*argument) ||
        graph[arguments[*argument]].number != NumberKind::Float ||
        !mayCarry(*argument, r))
      continue;
    done.set(*argument);
    resultTaken.set(r);
    match.declined.push_back(
        {{*argument, r},
         "its new value comes out of '" +
             getDisplayName(graph.getOpaqueOp(node)).str() +
             "': no elementwise path from the argument"});
  }
  pairByEvidence(done, resultTaken);
  pairCounters(done, resultTaken, rest);
  declineUnmodelled(rest);
  usedByDeclined.resize(arguments.size());
  for (const DeclinedParameter &declined : match.declined)
    for (unsigned argument :
         graph.getReachedArguments(results[declined.parameter.result]))
      usedByDeclined.set(argument);
  for (const CarriedTensor &tensor : rest)
    match.otherStates.push_back({tensor, classifyOther(tensor)});
  // Anything is p - lr x for some x. Where tensors are carried along that no
  // update accounts for, x may be another optimizer's step, not a gradient.
  bool leftOver = llvm::any_of(match.otherStates, [&](const OtherState &other) {
    const SliceNode &node = graph[arguments[other.tensor.argument]];
    return other.kind != OtherStateKind::Step &&
           node.number == NumberKind::Float;
  });
  llvm::erase_if(match.raised, [&](const RaisedUpdate &update) {
    if (!leftOver || !update.states.empty())
      return false;
    match.declined.push_back({update.parameter,
                              "it would be plain SGD, but state that no update "
                              "accounts for is carried along"});
    return true;
  });
  llvm::sort(match.otherStates, [](const auto &x, const auto &y) {
    return x.tensor.argument < y.tensor.argument;
  });
}
