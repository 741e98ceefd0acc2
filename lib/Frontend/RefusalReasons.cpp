//===- RefusalReasons.cpp - which neighbour a declined update is ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A rule that refuses says what it missed; which published relative has that
// shape shows better in the whole update: state of other shapes, counters per
// lane, which state divides which. Only declined parameters come here, and
// nothing found here can raise one.
//
//===----------------------------------------------------------------------===//

#include "FunctionMatcher.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace mlir;
using namespace mlir::skew;

static std::string printType(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

static std::string nameArgument(unsigned argument) {
  return "argument " + std::to_string(argument);
}

/// What `root` is computed from elementwise, without what is behind scalars
/// that depend on reductions (a global norm is a chain over all parameters).
static SmallVector<NodeId> collectUpdate(const SliceGraph &graph, NodeId root) {
  return collectSlice(graph, root, [&](NodeId id) {
    return graph[id].numElements == 1 && graph[id].hasReductionBelow;
  });
}

/// A counter with more than one element that a power takes, here or behind a
/// broadcast along other dimensions.
std::optional<unsigned>
FunctionMatcher::findLaneCounter(ArrayRef<NodeId> update) {
  auto inPower = [&](ArrayRef<NodeId> nodes) -> std::optional<unsigned> {
    for (NodeId id : nodes)
      if (graph[id].kind == SliceKind::Power)
        for (NodeId below : collectUpdate(graph, graph.getOperands(id)[1]))
          if (graph[below].kind == SliceKind::Argument &&
              graph[below].number == NumberKind::Integer &&
              graph[below].numElements > 1)
            return unsigned(graph[below].constant);
    return std::nullopt;
  };
  if (std::optional<unsigned> found = inPower(update))
    return found;
  for (NodeId id : update) {
    Operation *op = graph.isOpaque(id) ? graph.getOpaqueOp(id) : nullptr;
    if (!op || op->getNumOperands() != 1 || op->getNumRegions() != 0)
      continue;
    for (NodeId operand : opaqueOperands.lookup(id))
      if (std::optional<unsigned> found =
              inPower(collectUpdate(graph, operand)))
        return found;
  }
  return std::nullopt;
}

/// State that enters through something that is not elementwise.
std::string FunctionMatcher::explainOtherShape(CarriedTensor parameter,
                                               ArrayRef<NodeId> update) {
  for (NodeId id : update) {
    if (!graph.isOpaque(id) || graph[id].numElements == 1)
      continue;
    std::optional<unsigned> source = followsCarriedState(id);
    Operation *op = graph.getOpaqueOp(id);
    if (!source || !op)
      continue;
    auto type = cast<RankedTensorType>(argumentTypes[*source]);
    auto own = cast<RankedTensorType>(argumentTypes[parameter.argument]);
    std::string through = " enters its update through '" +
                          getDisplayName(op).str() +
                          "', which is not elementwise";
    if (type.getShape() == own.getShape())
      return "its state (" + nameArgument(*source) + ")" + through;
    bool larger = type.hasStaticShape() && own.hasStaticShape() &&
                  type.getNumElements() > own.getNumElements();
    return "state of another shape (" + nameArgument(*source) + ": " +
           printType(type) + "; " +
           (larger ? "flat, packed with others"
                   : "factored (adafactor), projected (galore) or one value per "
                     "row or column (sm3)") +
           ")" + through;
  }
  return "";
}

/// One carried number that follows norms, of a tensor or of all.
std::string FunctionMatcher::explainCarriedScalar(CarriedTensor parameter,
                                                  ArrayRef<NodeId> update) {
  if (graph[arguments[parameter.argument]].numElements == 1)
    return "";
  // Through scalars as well, as far as one update goes.
  constexpr size_t kMaxNodes = 1000;
  DenseSet<NodeId> nodes;
  SmallVector<NodeId> work(update);
  while (!work.empty() && nodes.size() < kMaxNodes)
    if (NodeId id = work.pop_back_val(); nodes.insert(id).second)
      llvm::append_range(work, graph.getOperands(id));
  for (unsigned argument = 0; argument < arguments.size(); ++argument) {
    const SliceNode &node = graph[arguments[argument]];
    if (node.numElements != 1 || node.number != NumberKind::Float)
      continue;
    for (unsigned r : successors[argument])
      if (graph[results[r]].hasReductionBelow &&
          (nodes.contains(arguments[argument]) || nodes.contains(results[r])))
        return "a carried number (" + nameArgument(argument) +
               ") that follows a reduction over tensors scales its update: a "
               "second moment per tensor or per row (novograd), or an "
               "estimated step (d-adaptation, prodigy)";
  }
  return "";
}

namespace {
/// How one state of an update behaves.
struct StateShape {
  unsigned argument;
  /// What the gradient adds is never negative; changes its sign.
  bool square = true, changesSign = false;
  /// Weight of the old value.
  double weight = 0.0;
  /// Other states that its new value depends on, and whether a large value of
  /// that state makes what the gradient adds vanish.
  SmallVector<std::pair<unsigned, bool>> others;
  /// A large value makes what the gradient does to the step vanish, or grow.
  bool divides = false, multiplies = false;
};
} // namespace

/// Reads the shapes off a few points; empty if there is nothing to read.
static SmallVector<StateShape> readShapes(const UpdateSlice &slice,
                                          ScalarTable &scalars,
                                          ArrayRef<unsigned> states) {
  constexpr double kLarge = 1e24;
  FixedConditions fixed;
  SliceProbe probe(slice, scalars, fixed, ProbeMode());
  unsigned count = states.size();
  SmallVector<ProbePoint> points;
  auto add = [&](ArrayRef<double> values, int sample) {
    ProbePoint point;
    point.state.assign(values.begin(), values.end());
    point.sample = sample;
    points.push_back(point);
    return unsigned(points.size() - 1);
  };
  SmallVector<double> ones(count, 1.0);
  unsigned quiet = add(ones, -1);
  unsigned loud = points.size();
  for (unsigned i = 0; i < kNumSamples; ++i)
    add(ones, i);
  SmallVector<unsigned> moved, quietLarge, large, alone;
  for (unsigned k = 0; k < count; ++k) {
    SmallVector<double> single(count, 0.0);
    single[k] = 1.0;
    alone.push_back(add(single, -1));
    for (unsigned i = 0; i < kNumSamples; ++i)
      add(single, i);
    SmallVector<double> changed = ones;
    changed[k] = 3.0;
    moved.push_back(add(changed, -1));
    changed[k] = kLarge;
    quietLarge.push_back(add(changed, -1));
    large.push_back(points.size());
    for (unsigned i = 0; i < kNumSamples; ++i)
      add(changed, i);
  }
  ProbeValues values = probe.evaluate(points);

  // A scenario in which the gradient moves the parameter.
  unsigned s = 0;
  auto step = [&](unsigned c) {
    return std::abs(values.parameter.at(s, c) -
                    values.parameter.at(s, quiet));
  };
  auto moves = [&] {
    for (unsigned i = 0; i < kNumSamples; ++i)
      if (step(loud + i) > 0.0 && std::isfinite(step(loud + i)))
        return true;
    return false;
  };
  while (s < kNumScenarios && !moves())
    ++s;
  if (s == kNumScenarios)
    return {};

  SmallVector<StateShape> shapes;
  for (unsigned k = 0; k < count; ++k) {
    StateShape shape;
    shape.argument = states[k];
    const ProbeGrid &grid = values.state[k];
    shape.weight = (grid.at(s, moved[k]) - grid.at(s, quiet)) / 2.0;
    bool rises = false, falls = false;
    double most = 0.0, mostLarge = 0.0;
    for (unsigned i = 0; i < kNumSamples; ++i) {
      double added = grid.at(s, alone[k] + 1 + i) - grid.at(s, alone[k]);
      rises |= added > 1e-12;
      falls |= added < -1e-12;
      most = std::max(most, step(loud + i));
      mostLarge = std::max(mostLarge, std::abs(values.parameter.at(
                                          s, large[k] + i) -
                                      values.parameter.at(s, quietLarge[k])));
    }
    shape.square = rises && !falls;
    shape.changesSign = rises && falls;
    shape.divides = mostLarge < 1e-3 * most;
    shape.multiplies = mostLarge > 5.0 * most;
    for (unsigned j = 0; j < count; ++j) {
      if (j == k)
        continue;
      double before = 0.0, after = 0.0;
      bool depends = false;
      for (unsigned i = 0; i < kNumSamples; ++i) {
        double x = grid.at(s, loud + i), y = grid.at(s, large[j] + i);
        depends |= std::abs(x - y) > 1e-9 * std::abs(x);
        before = std::max(before, std::abs(x - grid.at(s, quiet)));
        after = std::max(after, std::abs(y - grid.at(s, quietLarge[j])));
      }
      // A value that explodes with the other state is not what vanishes.
      bool stays = std::abs(grid.at(s, quietLarge[j])) <=
                   10.0 * (std::abs(grid.at(s, quiet)) + 1.0);
      if (depends)
        shape.others.push_back({j, stays && after < 1e-3 * before});
    }
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

std::string FunctionMatcher::explainStates(CarriedTensor parameter) {
  constexpr unsigned kMaxStates = 4;
  SmallVector<unsigned> states;
  SmallVector<NodeId> oldNodes, newNodes;
  llvm::SmallDenseSet<unsigned> taken = {parameter.result};
  for (unsigned other :
       graph.getReachedArguments(results[parameter.result])) {
    if (other == parameter.argument || states.size() == kMaxStates ||
        graph[arguments[other]].numElements !=
            graph[arguments[parameter.argument]].numElements)
      continue;
    for (unsigned r : successors[other])
      if (taken.insert(r).second) {
        states.push_back(other);
        oldNodes.push_back(arguments[other]);
        newNodes.push_back(results[r]);
        break;
      }
  }
  if (states.empty())
    return "";
  UpdateSlice slice(graph, arguments[parameter.argument], oldNodes,
                    results[parameter.result], newNodes);
  bool whole = slice.contains(slice.parameter) &&
               llvm::all_of(slice.states,
                            [&](NodeId id) { return slice.contains(id); });
  if (!whole)
    return "";
  SmallVector<StateShape> shapes =
      readShapes(slice, finder->getScalars(), states);
  for (const StateShape &shape : shapes) {
    bool isSum = std::abs(shape.weight - 1.0) < 1e-9;
    std::string name = " (" + nameArgument(shape.argument) + ")";
    if (isSum && shape.changesSign)
      return "a state" + name +
             " sums what it takes in, as a second iterate (schedule-free) or "
             "an accumulator does";
    for (auto [other, vanishes] : shape.others) {
      if (shape.square && shapes[other].square)
        return "both states average squares, and no first moment of the "
               "gradient enters the step (adadelta)";
      if (vanishes)
        return "the first moment" + name +
               " averages a gradient that another state already divides " +
               (std::abs(shapes[other].weight - 1.0) < 1e-9
                    ? "by the root of a sum of squares (sm3)"
                    : "(laprop, adopt)");
      if (shape.square)
        return "the second moment" + name +
               " averages the squared distance of the gradient from the first "
               "(adabelief)";
    }
    if (shape.multiplies)
      return "the step grows with a state" + name +
             ": a step size per element (rprop)";
  }
  if (shapes.size() != 1 || !shapes[0].square || !shapes[0].divides)
    return "";
  for (unsigned r : successors[shapes[0].argument])
    for (unsigned other : graph.getReachedArguments(results[r]))
      if (other != shapes[0].argument && other != parameter.argument &&
          !successors[other].empty() && !used.test(other))
        return "the second moment depends on another state (" +
               nameArgument(other) +
               ") that the step does not use: acprop, adabelief";
  return std::abs(shapes[0].weight - 1.0) < 1e-9
             ? "no first moment: the gradient is divided by the root of a sum "
               "of its squares (adagrad)"
             : "no first moment: the gradient itself is divided by the root of "
               "its averaged square (rmsprop)";
}

/// A tensor of the parameter's type that enters and is replaced by a value of
/// the update instead of being built upon.
std::string FunctionMatcher::explainReplacedState(CarriedTensor parameter,
                                                  ArrayRef<NodeId> update) {
  DenseSet<NodeId> nodes(update.begin(), update.end());
  bool replaces = false;
  for (unsigned r = 0; r < results.size(); ++r)
    replaces |= resultTypes[r] == argumentTypes[parameter.argument] &&
                nodes.contains(results[r]) &&
                graph.getReachedArguments(results[r]).empty();
  for (NodeId id : update) {
    if (!replaces || graph[id].kind != SliceKind::Argument ||
        id == arguments[parameter.argument])
      continue;
    unsigned argument = unsigned(graph[id].constant);
    bool builtUpon = llvm::any_of(successors[argument], [&](unsigned r) {
      return r != parameter.result;
    });
    if (argumentTypes[argument] == argumentTypes[parameter.argument] &&
        !builtUpon && !used.test(argument))
      return nameArgument(argument) +
             " enters the update and is replaced each step: the last gradient "
             "or step (optimistic)";
  }
  return "";
}

std::string FunctionMatcher::explainRefusal(CarriedTensor parameter,
                                            const Reason &known) {
  // Another check than a rule's spoke.
  if (known.numStates == ~0u)
    return known.text;
  SmallVector<NodeId> update =
      collectUpdate(graph, results[parameter.result]);
  if (std::optional<unsigned> counter = findLaneCounter(update))
    return "the step counter (" + nameArgument(*counter) +
           ") has one value per lane (an ensemble, replicas), not one for the "
           "update";
  bool nearAdamW = known.numStates >= 2;
  std::string text;
  if (!nearAdamW || known.stage <= UpdateMatch::SecondMoment)
    text = explainOtherShape(parameter, update);
  bool unexplainedRate = known.stage == UpdateMatch::Constants;
  bool namesRate = StringRef(known.text).contains("learning rate");
  if (text.empty() && (!nearAdamW || (unexplainedRate && !namesRate)))
    text = explainCarriedScalar(parameter, update);
  if (text.empty() && (!nearAdamW || known.stage <= UpdateMatch::FirstMoment))
    text = explainStates(parameter);
  if (text.empty() && !nearAdamW)
    text = explainReplacedState(parameter, update);
  if (!text.empty())
    return text;
  auto has = [&](SliceKind kind) {
    return llvm::any_of(update,
                        [&](NodeId id) { return graph[id].kind == kind; });
  };
  text = known.text;
  if (!nearAdamW && has(SliceKind::Sign) && known.stage == UpdateMatch::Step)
    text += "; the sign of a value enters the step";
  bool reduces = llvm::any_of(update, [&](NodeId id) {
    return graph[id].numElements == 1 && graph[id].hasReductionBelow;
  });
  if ((!nearAdamW || unexplainedRate) && reduces &&
      !StringRef(text).contains("reduction"))
    text += "; a reduction over tensors (a norm, the loss) enters it";
  return text;
}
