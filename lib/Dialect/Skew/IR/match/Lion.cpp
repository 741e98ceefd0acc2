//===- Lion.cpp - match solver of skew.lion -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The step takes two values only, so beta1 shows just in where its sign flips:
// at m = -((1 - beta1) / beta1) g, which is bracketed by nested grids.
//
//===----------------------------------------------------------------------===//

#include "SolverSupport.h"
#include "skew/Dialect/Skew/IR/Skew.h"
#include <cmath>

using namespace mlir;
using namespace mlir::skew;
using namespace mlir::skew::match;

namespace {

class LionSolver {
public:
  explicit LionSolver(UpdateProbe &probe)
      : probe(probe), scenarios(probe.getNumScenarios()),
        samples(probe.getNumSamples()) {}
  UpdateMatch solve();

private:
  bool refuse(unsigned stage, StringRef reason) {
    result = UpdateMatch::refuse(stage, reason.str());
    return false;
  }
  bool solveMomentum();
  bool solveStepSize();
  bool solveSignWeight();
  bool checkGenericPoints();
  bool solveConstants();

  UpdateProbe &probe;
  unsigned scenarios, samples;
  UpdateMatch result;
  /// Weight of the old momentum, of the old parameter, step size.
  SmallVector<double> decay, factor, rate;
  SmallVector<bool> live;
  /// [scenario][sample]: (1 - beta2) g.
  ProbeGrid contribution;
  /// (1 - beta1) / beta1.
  double flip = 0.0;
};

ProbePoint makePoint(double parameter, double momentum, int sample = -1) {
  ProbePoint point;
  point.parameter = parameter;
  point.state = {momentum};
  point.sample = sample;
  return point;
}

} // namespace

bool LionSolver::solveMomentum() {
  PointList points;
  PointRange onlyM = points.add(8, [](unsigned i) {
    return makePoint(0.0, std::ldexp(i % 2 ? -1.3 : 1.0, int(i) * 4 - 16));
  });
  PointRange onlyG =
      points.add(samples, [](unsigned i) { return makePoint(0.0, 0.0, i); });
  PointRange both =
      points.add(samples, [](unsigned i) { return makePoint(0.0, 1.7, i); });
  ProbeValues values = probe.evaluate(points.get());
  auto weight = constantOverPoints(
      scenarios, onlyM.end - onlyM.begin,
      [&](unsigned s, unsigned c) {
        return values.state[0].at(s, c) / points.get()[c].state[0];
      },
      1e-12);
  if (!weight)
    return refuse(UpdateMatch::FirstMoment,
                  "first moment is not affine in itself");
  decay = *weight;
  contribution = ProbeGrid(scenarios, samples);
  for (unsigned s = 0; s < scenarios; ++s)
    for (unsigned i = 0; i < samples; ++i) {
      double alone = values.state[0].at(s, onlyG.begin + i);
      double moved = values.state[0].at(s, both.begin + i);
      contribution.at(s, i) = alone;
      if (!(std::abs(moved - alone - 1.7 * decay[s]) <=
            1e-12 * (std::abs(moved) + std::abs(alone) + 1.0)))
        return refuse(UpdateMatch::FirstMoment,
                      "first moment is not affine in itself");
    }
  return true;
}

bool LionSolver::solveStepSize() {
  SmallVector<ProbePoint> points = {makePoint(0.0, 0.0), makePoint(0.0, 1.0),
                                    makePoint(0.0, 1e6), makePoint(0.0, -1.0),
                                    makePoint(1.0, 0.0), makePoint(-4.0, 0.0)};
  ProbeValues values = probe.evaluate(points);
  rate.assign(scenarios, 0.0);
  factor.assign(scenarios, 1.0);
  live.assign(scenarios, false);
  for (unsigned s = 0; s < scenarios; ++s) {
    auto p = [&](unsigned c) { return values.parameter.at(s, c); };
    rate[s] = -p(1);
    factor[s] = p(4);
    live[s] = rate[s] != 0.0;
    if (relativeDifference(p(2), p(1)) > 1e-12 ||
        relativeDifference(p(3), -p(1)) > 1e-12)
      return refuse(UpdateMatch::FirstMoment,
                    "the step depends on the size of the momentum: no sign");
    if (p(0) != 0.0 || relativeDifference(p(5), -4.0 * p(4)) > 1e-12)
      return refuse(UpdateMatch::Step,
                    "the step of a zero momentum and gradient is not zero");
  }
  if (countLive(live) < 4)
    return refuse(UpdateMatch::FirstMoment,
                  "the step does not follow the sign of a momentum, or the "
                  "learning rate is zero in most probes");
  for (unsigned s = 0; s < scenarios; ++s)
    if (live[s] && rate[s] < 0.0)
      return refuse(UpdateMatch::Step, "the step goes uphill");
  return true;
}

bool LionSolver::solveSignWeight() {
  // A scenario and a sample with a gradient.
  unsigned scenario = 0, sample = 0;
  bool found = false;
  for (unsigned s = 0; s < scenarios && !found; ++s)
    for (unsigned i = 0; i < samples && !found; ++i)
      if (live[s] && decay[s] < 1.0 && contribution.at(s, i) != 0.0)
        found = true, scenario = s, sample = i;
  if (!found)
    return refuse(UpdateMatch::FirstMoment,
                  "first moment takes in no gradient");
  double g = contribution.at(scenario, sample) / (1.0 - decay[scenario]);
  double low = 1e-6, high = 1e6;
  constexpr unsigned kGrid = 200;
  while (high / low > 1.0 + 1e-9) {
    double ratio = std::pow(high / low, 1.0 / kGrid);
    SmallVector<ProbePoint> points;
    for (unsigned i = 0; i <= kGrid; ++i)
      points.push_back(
          makePoint(0.0, -low * std::pow(ratio, int(i)) * g, sample));
    ProbeValues values = probe.evaluate(points);
    // m = -x g: the sign is that of g while x is small.
    unsigned last = 0;
    bool ordered = true;
    for (unsigned i = 0; i <= kGrid; ++i) {
      bool alongGradient = -values.parameter.at(scenario, i) * g > 0.0;
      ordered &= !alongGradient || last == i || i == 0;
      if (alongGradient)
        last = i + 1;
    }
    if (!ordered || last == 0 || last > kGrid)
      return refuse(UpdateMatch::Step,
                    "the step is not the sign of momentum and gradient");
    high = low * std::pow(ratio, int(last));
    low = low * std::pow(ratio, int(last) - 1);
  }
  flip = std::sqrt(low * high);
  return true;
}

bool LionSolver::checkGenericPoints() {
  PointRandom random;
  PointList points;
  addGenericPoints(points, random, samples, /*hasState=*/true);
  // Just beside the flip, in every scenario.
  for (double side : {-1e-6, 1e-6})
    for (unsigned i = 0; i < samples; ++i)
      points.add(1, [&](unsigned) {
        double g = contribution.at(firstLive(live), i) /
                   (1.0 - decay[firstLive(live)]);
        return makePoint(0.5, -flip * (1.0 + side) * g, i);
      });
  ProbeValues values = probe.evaluate(points.get());
  for (unsigned s = 0; s < scenarios; ++s) {
    if (!live[s])
      continue;
    for (unsigned c = 0; c < points.get().size(); ++c) {
      const ProbePoint &at = points.get()[c];
      double g = contribution.at(s, at.sample) / (1.0 - decay[s]);
      double inner = at.state[0] + flip * g;
      if (std::abs(inner) < 1e-7 * (std::abs(at.state[0]) + std::abs(flip * g)))
        continue;
      double sign = inner > 0.0 ? 1.0 : inner < 0.0 ? -1.0 : 0.0;
      double wanted = factor[s] * at.parameter - rate[s] * sign;
      if (!(std::abs(values.parameter.at(s, c) - wanted) <=
            1e-9 * (std::abs(at.parameter) + rate[s])))
        return refuse(UpdateMatch::Step,
                      "the step is not lr sign(beta1 m + (1 - beta1) g)");
    }
  }
  return true;
}

bool LionSolver::solveConstants() {
  if (halfUlp(probe.getCoarsestFormat()) > 0x1p-20)
    return refuse(UpdateMatch::Constants,
                  "averages in 16 bits without a bias correction: the true "
                  "decays are not known");
  if (probe.changesWithReductions(decay, live) ||
      probe.changesWithReductions(rate, live) ||
      probe.changesWithReductions(factor, live))
    return refuse(UpdateMatch::Constants,
                  "the step size or a decay depends on a reduction over "
                  "tensors");
  auto beta2 = explainDecay(probe, decay, live);
  auto learningRate = explainLearningRate(probe, rate, live);
  auto weightDecay = explainWeightDecay(probe, factor, rate, live);
  SmallVector<double> sign(scenarios, 1.0 / (1.0 + flip));
  auto beta1 = explain(probe, sign, live, 1e-7, false);
  if (!beta2 || !learningRate || !beta1)
    return refuse(UpdateMatch::Constants,
                  "a decay or the learning rate changes with the step");
  if (!weightDecay || (weightDecay->constant && *weightDecay->constant < 0.0))
    return refuse(UpdateMatch::Constants,
                  "decay is not a constant times the learning rate");
  result.learningRate = *learningRate;
  result.hyperparameters = {
      {"beta1", *beta1}, {"beta2", *beta2}, {"weight_decay", *weightDecay}};
  for (const GradientCandidate &candidate :
       probe.getGradientCandidates(contribution)) {
    bool fits = true;
    for (unsigned s = 0; s < scenarios; ++s) {
      double weight = 1.0 - decay[s];
      fits &= !live[s] || std::isnan(candidate.ratio[s]) ||
              relativeDifference(candidate.ratio[s], weight) <=
                  1e-9 + 0x1p-23 / weight;
    }
    if (!fits)
      continue;
    std::string reason = probe.whyNotGradient(candidate.id);
    if (!reason.empty())
      return refuse(UpdateMatch::Structure, reason);
    result.gradient = candidate.id;
    result.gradientInStep = result.oldStateInStep = true;
    result.live = live;
    return true;
  }
  return refuse(UpdateMatch::Constants,
                "no value in the graph is the gradient that the momentum "
                "averages");
}

UpdateMatch LionSolver::solve() {
  if (solveMomentum() && solveStepSize() && solveSignWeight() &&
      checkGenericPoints())
    solveConstants();
  return result;
}

UpdateMatch LionOp::matchUpdate(UpdateProbe &probe) {
  return LionSolver(probe).solve();
}
