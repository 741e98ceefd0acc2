//===- OtherState.cpp - what carried tensors without an update are --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FunctionMatcher.h"
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

OtherStateKind FunctionMatcher::classifyOther(CarriedTensor tensor) {
  NodeId oldNode = arguments[tensor.argument];
  NodeId newNode = results[tensor.result];
  const SliceNode &node = graph[oldNode];
  if (node.number == NumberKind::Float && node.numElements > 1 &&
      usedByDeclined.test(tensor.argument))
    return OtherStateKind::Moment;
  if (node.number == NumberKind::Integer && node.numElements == 1)
    return OtherStateKind::Step;
  if (node.number != NumberKind::Float || oldNode == newNode)
    return OtherStateKind::Other;
  // What a raised update takes its gradient from is kept for it.
  bool feedsGradient = llvm::any_of(match.raised, [&](const auto &update) {
    return update.match.gradient >= 0 &&
           llvm::is_contained(graph.getReachedArguments(update.match.gradient),
                              tensor.argument);
  });
  UpdateSlice slice(graph, oldNode, {}, newNode, {});
  if (!slice.conditions.empty() || !slice.contains(oldNode))
    return feedsGradient ? OtherStateKind::Accumulator : OtherStateKind::Other;
  // The slope of the new value over the old one.
  FixedConditions fixed;
  SliceProbe probe(slice, finder->getScalars(), fixed, ProbeMode());
  // Three for the slope, and the first again with everything else drawn anew.
  SmallVector<ProbePoint> points(4);
  for (auto [i, point] : llvm::enumerate(points)) {
    point.parameter = double(i % 3);
    point.sample = 1 + i / 3;
  }
  ProbeValues values = probe.evaluate(points);
  if (std::isnan(values.parameter.at(0, 0))) {
    // Of a random second moment there is no root.
    for (ProbePoint &point : points)
      point.sample = -1;
    values = probe.evaluate(points);
  }
  auto getSlope = [&](unsigned s, unsigned c) {
    return values.parameter.at(s, c + 1) - values.parameter.at(s, c);
  };
  double slope = getSlope(0, 0);
  // An average over a number of steps that the graph counts is a sum in parts.
  for (unsigned s = 1; s < kNumScenarios && feedsGradient; ++s)
    if (!(std::abs(getSlope(s, 0) - slope) <= 1e-6 * std::abs(slope)))
      return OtherStateKind::Accumulator;
  if (!(std::abs(slope - getSlope(0, 1)) <= 1e-6 * std::abs(slope)))
    return OtherStateKind::Other;
  if (std::abs(slope - 1.0) <= 1e-6) {
    // A counter grows by the same amount in every step, a sum does not.
    double increment = values.parameter.at(0, 0);
    for (unsigned s = 0; s < kNumScenarios; ++s)
      for (unsigned c : {0, 3})
        if (!(std::abs(values.parameter.at(s, c) - increment) <=
              1e-6 * std::abs(increment)))
          return OtherStateKind::Accumulator;
    return node.numElements == 1 && increment != 0.0
               ? OtherStateKind::Step
               : OtherStateKind::Accumulator;
  }
  return slope > 0.0 && slope < 1.0 ? OtherStateKind::Average
                                    : OtherStateKind::Other;
}
