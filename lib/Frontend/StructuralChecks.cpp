//===- StructuralChecks.cpp - what probing cannot show --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers say what a slice is at the points probed. Two walks decide whether
// they were allowed to: nothing but gradient, state and the named operands may
// reach the results (a term of 1e-14 is below every tolerance), and every
// condition must have gone both ways (a clip at 1e9 is never seen otherwise).
//
//===----------------------------------------------------------------------===//

#include "skew/Frontend/SliceProbe.h"
#include "llvm/Support/Format.h"
#include <cmath>

using namespace mlir;
using namespace mlir::skew;

std::string SliceProbe::whyNotOnlyThrough(NodeId root,
                                          const DenseSet<NodeId> &cut,
                                          uint32_t bad, StringRef what) {
  DenseSet<NodeId> seen;
  SmallVector<NodeId> work = {root};
  while (!work.empty()) {
    NodeId id = work.pop_back_val();
    if (cut.contains(id) || fixed.contains(id) || !seen.insert(id).second)
      continue;
    uint32_t bits = slice.getDependence(id) & bad;
    if (!bits)
      continue;
    if (id == slice.parameter)
      return "the old parameter enters " + what.str() +
             " other than through the gradient";
    if (auto state = llvm::find(slice.states, id); state != slice.states.end())
      return "an old state enters " + what.str() +
             " other than through the new one";
    // The side not taken is not part of this combination.
    if (auto taken = getTakenOperand(graph, id, scalars, fixed)) {
      work.push_back(*taken);
      continue;
    }
    bool isReduction = bits == DependsOnReductions &&
                       graph[id].numElements == 1 &&
                       graph[id].hasReductionBelow;
    if (graph.isLeaf(id) || isReduction)
      return "another value than the gradient enters " + what.str() + " (" +
             (graph.isLeaf(id) ? slice.nameOfLeaf(id)
                               : std::string("a reduction over tensors")) +
             ")";
    llvm::append_range(work, graph.getOperands(id));
  }
  return "";
}

/// Nodes that are a new state: equal to it at all points, and built from
/// nothing but the old state and the gradient.
DenseSet<NodeId> SliceProbe::findEquals(const UpdateMatch &match) {
  DenseSet<NodeId> result;
  DenseSet<NodeId> gradient;
  if (match.gradient >= 0)
    gradient.insert(match.gradient);
  for (auto [number, root] : llvm::enumerate(slice.newStates)) {
    uint32_t own = uint32_t(DependsOnState) << number;
    uint32_t others = slice.getStateMask() & ~own;
    SmallVector<NodeId> candidates;
    for (NodeId id : slice.getOrder())
      if ((slice.getDependence(id) & own) &&
          !(slice.getDependence(id) & others) &&
          graph[id].number == NumberKind::Float)
        candidates.push_back(id);
    SmallVector<bool> equal(candidates.size(), true);
    SmallVector<ProbePoint> points = makeGenericPoints();
    unsigned rootIndex = slice.getIndex(root);
    evaluator.evaluate(points, [&](unsigned s, const SliceRow &row) {
      for (auto [i, id] : llvm::enumerate(candidates)) {
        unsigned index = slice.getIndex(id);
        for (unsigned c = 0; equal[i] && c < points.size(); ++c) {
          double x = row.get(index, c), y = row.get(rootIndex, c);
          equal[i] = std::abs(x - y) <= 1e-12 * std::abs(y);
        }
      }
    });
    uint32_t bad = DependsOnParameter | DependsOnElements | DependsOnReductions;
    for (auto [i, id] : llvm::enumerate(candidates))
      if (equal[i] && whyNotOnlyThrough(id, gradient, bad, "").empty())
        result.insert(id);
  }
  return result;
}

namespace {
/// Which ways a condition went.
struct Seen {
  bool first = false, second = false;
  bool both() const { return first && second; }
};
} // namespace

/// A sentence part that names the condition and the constants it holds.
static std::string describeCondition(const SliceGraph &graph, NodeId id) {
  std::string text;
  switch (graph[id].kind) {
  case SliceKind::Select:
    text = "select";
    break;
  case SliceKind::Switch:
    text = "branch";
    break;
  case SliceKind::Maximum:
    text = "maximum";
    break;
  case SliceKind::Minimum:
    text = "minimum";
    break;
  case SliceKind::Clamp:
    text = "clamp";
    break;
  case SliceKind::Abs:
    text = "abs";
    break;
  case SliceKind::Sign:
    text = "sign";
    break;
  default:
    text = "rounding";
    break;
  }
  SmallVector<NodeId> around = {id};
  llvm::append_range(around, graph.getOperands(id));
  if (!graph.isLeaf(graph.getOperands(id)[0]))
    llvm::append_range(around, graph.getOperands(graph.getOperands(id)[0]));
  for (NodeId operand : around) {
    while (graph[operand].kind == SliceKind::Broadcast ||
           graph[operand].kind == SliceKind::Convert)
      operand = graph.getOperands(operand)[0];
    if (graph[operand].kind != SliceKind::Constant)
      continue;
    std::string number;
    llvm::raw_string_ostream(number)
        << llvm::format("%g", graph[operand].constant);
    return text + " with " + number;
  }
  return text;
}

/// The probes draw run-time scalars at random, and a solver asks for the ones
/// that its rule has: a step that enters once more, or a number that only moves
/// what is below every tolerance, is seen here.
std::string SliceProbe::whyNotExplained(ArrayRef<NodeId> roots,
                                        const DenseSet<NodeId> &cut,
                                        ArrayRef<NodeId> parts) {
  DenseSet<NodeId> explained;
  for (NodeId id : collectSlice(graph, parts, [](NodeId) { return false; }))
    if (graph.isLeaf(id))
      explained.insert(id);
  DenseSet<NodeId> seen;
  SmallVector<NodeId> work(roots);
  while (!work.empty()) {
    NodeId id = work.pop_back_val();
    if (cut.contains(id) || fixed.contains(id) || graph[id].isConstant ||
        slice.isCut(id) || !seen.insert(id).second)
      continue;
    if (auto taken = getTakenOperand(graph, id, scalars, fixed)) {
      work.push_back(*taken);
      continue;
    }
    if (graph.isLeaf(id)) {
      bool isOwn = id == slice.parameter || llvm::is_contained(slice.states, id);
      if (!isOwn && !slice.isWide(id) && !explained.contains(id))
        return "a run-time number enters the update that is no "
               "hyperparameter, step or condition (" +
               slice.nameOfLeaf(id) + ")";
      continue;
    }
    ArrayRef<NodeId> operands = graph.getOperands(id);
    SliceKind kind = graph[id].kind;
    if (kind == SliceKind::Select || kind == SliceKind::Switch)
      operands = operands.drop_front();
    llvm::append_range(work, operands);
  }
  return "";
}

std::string SliceProbe::whyNotCovered(ArrayRef<NodeId> roots,
                                      const DenseSet<NodeId> &cut,
                                      ArrayRef<bool> live) {
  // Conditions between the roots and what is cut.
  DenseSet<NodeId> seen;
  SmallVector<NodeId> work(roots), conditions;
  while (!work.empty()) {
    NodeId id = work.pop_back_val();
    if (cut.contains(id) || fixed.contains(id) || graph[id].isConstant ||
        !seen.insert(id).second)
      continue;
    const SliceNode &node = graph[id];
    if (graph.isLeaf(id) || slice.isCut(id) ||
        (node.numElements == 1 && node.hasReductionBelow &&
         !slice.isSingleElement()))
      continue;
    ArrayRef<NodeId> operands = graph.getOperands(id);
    switch (node.kind) {
    case SliceKind::Select:
    case SliceKind::Switch:
      if (auto taken = getTakenOperand(graph, id, scalars, fixed)) {
        work.push_back(*taken);
        continue;
      }
      conditions.push_back(id);
      break;
    case SliceKind::Maximum:
    case SliceKind::Minimum:
    case SliceKind::Clamp:
    case SliceKind::Abs:
    case SliceKind::Sign:
      conditions.push_back(id);
      break;
    case SliceKind::Floor:
    case SliceKind::Ceil:
    case SliceKind::RoundEven:
    case SliceKind::RoundAway:
    case SliceKind::IsFinite:
    case SliceKind::Remainder:
      return "the update rounds or tests " +
             std::string(slice.isWide(id) ? "elements" : "a number") + " (" +
             describeCondition(graph, id) + ")";
    case SliceKind::Convert:
      if (node.number != NumberKind::Float &&
          graph[operands[0]].number == NumberKind::Float)
        return "the update turns " +
               std::string(slice.isWide(id) ? "elements" : "a number") +
               " into integers";
      break;
    default:
      break;
    }
    llvm::append_range(work, operands);
  }
  llvm::sort(conditions);

  std::vector<Seen> ways(conditions.size());
  std::vector<SmallVector<bool>> taken(conditions.size());
  // Only points whose values the solver has seen count.
  ArrayRef<ProbePoint> points = asked;
  evaluator.evaluate(points, [&](unsigned s, const SliceRow &row) {
    if (!live[s])
      return;
    for (auto [number, id] : llvm::enumerate(conditions)) {
      ArrayRef<NodeId> operands = graph.getOperands(id);
      Seen &way = ways[number];
      auto value = [&](unsigned operand, unsigned c) {
        return row.get(slice.getIndex(operands[operand]), c);
      };
      for (unsigned c = 0; c < points.size(); ++c) {
        switch (graph[id].kind) {
        case SliceKind::Select:
          (value(0, c) != 0.0 ? way.first : way.second) = true;
          break;
        case SliceKind::Switch: {
          unsigned branches = operands.size() - 1;
          taken[number].resize(branches, false);
          double index = value(0, c);
          bool inRange = index >= 0.0 && index < double(branches);
          taken[number][inRange ? unsigned(index) : branches - 1] = true;
          way.first = way.second = !llvm::is_contained(taken[number], false);
          break;
        }
        case SliceKind::Maximum:
        case SliceKind::Minimum:
          way.first |= value(0, c) > value(1, c);
          way.second |= value(0, c) < value(1, c);
          break;
        case SliceKind::Clamp:
          way.first |= value(1, c) < value(0, c);
          way.second |= value(1, c) > value(2, c);
          break;
        default:
          way.first |= value(0, c) > 0.0;
          way.second |= value(0, c) < 0.0;
          break;
        }
        if (way.both())
          break;
      }
    }
  });
  for (auto [number, id] : llvm::enumerate(conditions))
    if (!ways[number].both())
      return "a condition in the update was never exercised both ways by the "
             "probes (" +
             describeCondition(graph, id) + ")";
  return "";
}

/// Casts are the identity to the probes, and a rule rounds only what it stores.
/// So values may be widened, and narrowed on the way to a result of that type;
/// any other rounding is part of what the graph computes, and no rule has it.
/// What goes no further than the parameter's own type is lost in its write.
std::string SliceProbe::whyNotRounded(ArrayRef<NodeId> roots,
                                      const DenseSet<NodeId> &cut) {
  auto precision = [&](NodeId id) {
    return APFloat::semanticsPrecision(*graph[id].format);
  };
  auto nameOf = [&](NodeId id) {
    const llvm::fltSemantics &format = *graph[id].format;
    return std::string(&format == &APFloat::BFloat()     ? "bf16"
                       : &format == &APFloat::IEEEhalf() ? "f16"
                       : precision(id) < 8               ? "8 bits"
                                                         : "f32");
  };
  auto isCast = [&](NodeId id) {
    return graph[id].kind == SliceKind::Convert && graph[id].format &&
           graph[graph.getOperands(id)[0]].format;
  };
  DenseSet<NodeId> seen;
  SmallVector<NodeId> work;
  for (NodeId root : roots) {
    NodeId id = root;
    for (; isCast(id) && !cut.contains(id); id = graph.getOperands(id)[0])
      if (precision(id) < precision(root))
        return "a result is rounded to " + nameOf(id) + " but kept in " +
               nameOf(root);
    work.push_back(id);
  }
  unsigned own = precision(slice.parameter);
  while (!work.empty()) {
    NodeId id = work.pop_back_val();
    if (cut.contains(id) || fixed.contains(id) || !seen.insert(id).second ||
        !(slice.getDependence(id) &
          (DependsOnParameter | DependsOnElements | slice.getStateMask())))
      continue;
    if (auto taken = getTakenOperand(graph, id, scalars, fixed)) {
      work.push_back(*taken);
      continue;
    }
    if (isCast(id) && precision(id) < own &&
        precision(id) < precision(graph.getOperands(id)[0]))
      return "a value is rounded to " + nameOf(id) + " inside the update";
    llvm::append_range(work, graph.getOperands(id));
  }
  return "";
}

std::string SliceProbe::whyNotSound(const UpdateMatch &match, bool &drawAgain) {
  drawAgain = false;
  DenseSet<NodeId> operands;
  for (NodeId id : getOperandNodes(match))
    operands.insert(id);
  DenseSet<NodeId> gradient;
  if (match.gradient >= 0)
    gradient.insert(match.gradient);

  // Casts are the identity to the probes: fine between the float types that
  // state is kept in, not through eight bits.
  for (NodeId id : slice.getOrder())
    if ((slice.getDependence(id) &
         (DependsOnParameter | slice.getStateMask())) &&
        graph[id].format && APFloat::semanticsPrecision(*graph[id].format) < 8)
      return "the update passes through an 8-bit float";

  // Solvers choose a gradient with whyNotGradient; a zero one has no choice.
  DenseSet<NodeId> cut = gradient;
  for (NodeId root : slice.newStates) {
    uint32_t bad = DependsOnParameter | DependsOnElements | DependsOnReductions;
    std::string why = whyNotOnlyThrough(root, gradient, bad, "the new state");
    if (!why.empty())
      return why;
  }
  cut = findEquals(match);
  if (match.gradientInStep)
    cut.insert(gradient.begin(), gradient.end());
  cut.insert(operands.begin(), operands.end());
  uint32_t bad = DependsOnElements | DependsOnReductions;
  if (!match.oldStateInStep)
    bad |= slice.getStateMask();
  std::string why = whyNotOnlyThrough(slice.newParameter, cut, bad, "the step");
  if (!why.empty())
    return why;

  SmallVector<NodeId> roots = {slice.newParameter};
  llvm::append_range(roots, slice.newStates);
  DenseSet<NodeId> above = operands;
  above.insert(gradient.begin(), gradient.end());
  why = whyNotRounded(roots, above);
  if (!why.empty())
    return why;
  SmallVector<NodeId> parts(operands.begin(), operands.end());
  if (match.step.scalar >= 0) {
    parts.push_back(match.step.scalar);
    above.insert(match.step.scalar);
  }
  why = whyNotExplained(roots, above, parts);
  if (!why.empty())
    return why;
  why = whyNotCovered(roots, above, match.live);
  drawAgain = !why.empty();
  return why;
}
