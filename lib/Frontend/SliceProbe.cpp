//===- SliceProbe.cpp - a slice that answers a match solver ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Frontend/SliceProbe.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::skew;

SliceProbe::SliceProbe(const UpdateSlice &slice, ScalarTable &scalars,
                       const FixedConditions &fixed, ProbeMode mode)
    : slice(slice), graph(slice.graph), scalars(scalars), fixed(fixed),
      evaluator(slice, scalars, fixed, mode) {}

ProbeValues SliceProbe::evaluate(ArrayRef<ProbePoint> points) {
  llvm::append_range(asked, points);
  ProbeValues values;
  unsigned count = points.size();
  values.parameter = ProbeGrid(kNumScenarios, count);
  values.state.assign(slice.states.size(), ProbeGrid(kNumScenarios, count));
  evaluator.evaluate(points, [&](unsigned s, const SliceRow &row) {
    auto copy = [&](NodeId node, ProbeGrid &grid) {
      unsigned index = slice.getIndex(node);
      for (unsigned c = 0; c < count; ++c)
        grid.at(s, c) = row.get(index, c);
    };
    copy(slice.newParameter, values.parameter);
    for (auto [node, grid] : llvm::zip_equal(slice.newStates, values.state))
      copy(node, grid);
  });
  return values;
}

ArrayRef<ProbeScalar> SliceProbe::getScalars() {
  if (knownScalars)
    return *knownScalars;
  SmallVector<ProbeScalar> preferred, others, constants;
  for (NodeId id : slice.getOrder()) {
    const SliceNode &node = graph[id];
    if (slice.getDependence(id) != 0 || node.number != NumberKind::Float ||
        (node.numElements != 1 && node.kind != SliceKind::Constant))
      continue;
    ProbeScalar scalar;
    scalar.id = id;
    scalar.values = scalars.get(id);
    scalar.isConstant = node.isConstant;
    scalar.isArgument = graph[graph.skipCasts(id)].kind == SliceKind::Argument;
    scalar.format = node.format;
    if (node.isConstant)
      constants.push_back(scalar);
    else if (graph.isInBody(id))
      preferred.push_back(scalar);
    else
      others.push_back(scalar);
  }
  llvm::append_range(preferred, others);
  llvm::append_range(preferred, constants);
  knownScalars = std::move(preferred);
  return *knownScalars;
}

ArrayRef<ProbePower> SliceProbe::getPowers() {
  if (knownPowers)
    return *knownPowers;
  knownPowers.emplace();
  for (NodeId id : slice.getOrder()) {
    if (graph[id].kind != SliceKind::Power || slice.getDependence(id) != 0)
      continue;
    auto describe = [&](NodeId operand) {
      while (graph[operand].kind == SliceKind::Broadcast)
        operand = graph.getOperands(operand)[0];
      ProbeScalar scalar;
      scalar.id = operand;
      scalar.values = scalars.get(operand);
      scalar.isConstant = graph[operand].isConstant;
      scalar.format = graph[operand].format;
      return scalar;
    };
    ProbePower power{describe(graph.getOperands(id)[0]),
                     describe(graph.getOperands(id)[1])};
    bool isDecay =
        power.base.format && llvm::all_of(power.base.values, [](double base) {
          return base > 0.0 && base < 1.0;
        });
    bool isNew = llvm::none_of(*knownPowers, [&](const ProbePower &other) {
      return other.base.values == power.base.values &&
             other.exponent.values == power.exponent.values;
    });
    if (isDecay && isNew)
      knownPowers->push_back(power);
  }
  return *knownPowers;
}

const llvm::fltSemantics &SliceProbe::coarsestBelow(ArrayRef<NodeId> roots,
                                                    uint32_t dependence) {
  const llvm::fltSemantics *coarsest = nullptr;
  for (NodeId id : collectSlice(graph, roots, [&](NodeId id) {
         return !(slice.getDependence(id) & dependence);
       })) {
    const SliceNode &node = graph[id];
    bool isArithmetic = node.kind > SliceKind::Convert;
    if (!isArithmetic || !node.format ||
        !(slice.getDependence(id) & dependence))
      continue;
    if (!coarsest || APFloat::semanticsPrecision(*node.format) <
                         APFloat::semanticsPrecision(*coarsest))
      coarsest = node.format;
  }
  return coarsest ? *coarsest : APFloat::IEEEsingle();
}

const llvm::fltSemantics &SliceProbe::getComputeFormat() {
  uint32_t dependence =
      slice.states.empty() ? DependsOnParameter : slice.getStateMask();
  SmallVector<NodeId> roots = llvm::to_vector(ArrayRef(slice.newStates));
  if (roots.empty())
    roots.push_back(slice.newParameter);
  const llvm::fltSemantics *finest = nullptr;
  for (NodeId id : collectSlice(graph, roots, [&](NodeId id) {
         return !(slice.getDependence(id) & dependence);
       })) {
    const SliceNode &node = graph[id];
    if (node.kind <= SliceKind::Convert || !node.format ||
        !(slice.getDependence(id) & dependence))
      continue;
    if (!finest || APFloat::semanticsPrecision(*node.format) >
                       APFloat::semanticsPrecision(*finest))
      finest = node.format;
  }
  return finest ? *finest : APFloat::IEEEsingle();
}

const llvm::fltSemantics &SliceProbe::getCoarsestFormat() {
  SmallVector<NodeId> roots = {slice.newParameter};
  llvm::append_range(roots, slice.newStates);
  return coarsestBelow(roots, DependsOnParameter | slice.getStateMask());
}

const llvm::fltSemantics &SliceProbe::getStateFormat() {
  if (slice.states.empty())
    return coarsestBelow(slice.newParameter, DependsOnParameter);
  return coarsestBelow(slice.newStates, slice.getStateMask());
}

bool SliceProbe::isScaledByReduction(NodeId node) {
  // All scalars are elements there: one is the gradient, a second scales it.
  if (slice.isSingleElement())
    return llvm::count_if(
               collectSlice(graph, node, [](NodeId) { return false; }),
               [&](NodeId id) { return graph.isOpaque(id); }) > 1;
  return slice.getDependence(node) & DependsOnReductions;
}

SmallVector<GradientCandidate>
SliceProbe::getGradientCandidates(const ProbeGrid &contribution) {
  SmallVector<NodeId> nodes;
  for (NodeId id : slice.getOrder())
    if (graph[id].number == NumberKind::Float && slice.isWide(id) &&
        !(slice.getDependence(id) & slice.getStateMask()) &&
        id != slice.parameter)
      nodes.push_back(id);
  SmallVector<ProbePoint> points(kNumSamples);
  for (auto [sample, point] : llvm::enumerate(points)) {
    point.state.assign(slice.states.size(), 0.0);
    point.sample = sample;
  }
  SmallVector<bool> alive(nodes.size(), true);
  SmallVector<SmallVector<double>> ratios(
      nodes.size(), SmallVector<double>(kNumScenarios, NAN));
  evaluator.evaluate(points, [&](unsigned s, const SliceRow &row) {
    bool silent = true;
    for (unsigned i = 0; i < kNumSamples; ++i)
      silent &= contribution.at(s, i) == 0.0;
    for (auto [number, id] : llvm::enumerate(nodes)) {
      if (!alive[number] || silent)
        continue;
      unsigned index = slice.getIndex(id);
      double ratio = NAN;
      for (unsigned i = 0; i < kNumSamples && alive[number]; ++i) {
        double x = row.get(index, i), y = contribution.at(s, i);
        if (x == 0.0 && y == 0.0)
          continue;
        double here = y / x;
        if (std::isnan(ratio))
          ratio = here;
        alive[number] = std::isfinite(here) && here != 0.0 &&
                        std::abs(here - ratio) <= 1e-9 * std::abs(ratio);
      }
      ratios[number][s] = ratio;
    }
  });
  SmallVector<GradientCandidate> result;
  for (size_t i = nodes.size(); i-- > 0;)
    if (alive[i])
      result.push_back({int(nodes[i]), std::move(ratios[i])});
  return result;
}

std::string SliceProbe::whyNotGradient(int candidate) {
  DenseSet<NodeId> cut = {NodeId(candidate)};
  uint32_t bad = DependsOnParameter | DependsOnElements | DependsOnReductions;
  for (NodeId root : slice.newStates) {
    std::string why = whyNotOnlyThrough(root, cut, bad, "the new state");
    if (!why.empty())
      return why;
  }
  return "";
}

SmallVector<ProbePoint> SliceProbe::makeGenericPoints() const {
  SmallVector<ProbePoint> points;
  for (unsigned round = 0; round < 3; ++round)
    for (unsigned i = 0; i < kNumSamples; ++i) {
      ProbePoint point;
      auto draw = [&](unsigned what) {
        return hashToUnit(0x51, round * kNumSamples + i, what);
      };
      point.parameter = (draw(0) - 0.5) * std::pow(10.0, 4.0 * draw(1) - 2.0);
      for (unsigned k = 0; k < slice.states.size(); ++k) {
        // Later states may be squares: positive in the first round.
        double value = draw(2 + 2 * k) - (k == 0 || round > 1 ? 0.5 : 0.0);
        point.state.push_back(value *
                              std::pow(10.0, 6.0 * draw(3 + 2 * k) - 4.0));
      }
      point.sample = round == 1 && i % 3 == 0 ? -1 : int(i);
      points.push_back(point);
    }
  return points;
}

bool SliceProbe::leavesParameterUnchanged() {
  bool same = true;
  evaluator.evaluate(makeGenericPoints(), [&](unsigned, const SliceRow &row) {
    unsigned from = slice.getIndex(slice.parameter);
    unsigned to = slice.getIndex(slice.newParameter);
    for (unsigned c = 0; same && c < 3 * kNumSamples; ++c)
      same = row.get(from, c) == row.get(to, c);
  });
  return same;
}

SmallVector<NodeId> mlir::skew::getOperandNodes(const UpdateMatch &match) {
  SmallVector<NodeId> nodes;
  auto add = [&](const MatchedScalar &scalar) {
    if (!scalar.constant && scalar.scalar >= 0)
      nodes.push_back(scalar.scalar);
  };
  add(match.learningRate);
  for (const auto &[name, scalar] : match.hyperparameters)
    add(scalar);
  return nodes;
}
