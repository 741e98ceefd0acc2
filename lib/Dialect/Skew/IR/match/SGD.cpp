//===- SGD.cpp - match solver of skew.sgd ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything is linear. With momentum the ratio of step and new momentum tells
// plain (the same for an old momentum and for a gradient) from Nesterov.
//
//===----------------------------------------------------------------------===//

#include "SolverSupport.h"
#include "skew/Support/Number.h"
#include "skew/Dialect/Skew/IR/Skew.h"
#include <cmath>

using namespace mlir;
using namespace mlir::skew;
using namespace mlir::skew::match;

namespace {

class SGDSolver {
public:
  explicit SGDSolver(UpdateProbe &probe)
      : probe(probe), scenarios(probe.getNumScenarios()),
        samples(probe.getNumSamples()), hasMomentum(probe.getNumStates() == 1) {
  }
  UpdateMatch solve();

private:
  bool refuse(unsigned stage, StringRef reason) {
    result = UpdateMatch::refuse(stage, reason.str());
    return false;
  }
  ProbePoint makePoint(double parameter, double momentum,
                       int sample = -1) const {
    ProbePoint point;
    point.parameter = parameter;
    if (hasMomentum)
      point.state = {momentum};
    point.sample = sample;
    return point;
  }
  bool solveLinearParts();
  bool solveMomentum();
  bool checkGenericPoints();
  bool solveRates();
  bool chooseGradient();
  bool chooseGradientWithoutState();

  UpdateProbe &probe;
  unsigned scenarios, samples;
  bool hasMomentum;
  bool nesterov = false;
  UpdateMatch result;
  /// p' = factor p - onMomentum m - onGradient; m' = decay m + contribution.
  SmallVector<double> factor, decay, onMomentum, rate;
  ProbeGrid onGradient, contribution;
  SmallVector<bool> live;
};

} // namespace

bool SGDSolver::solveLinearParts() {
  PointList points;
  points.add(1, [&](unsigned) { return makePoint(1.0, 0.0); });
  points.add(1, [&](unsigned) { return makePoint(0.0, 1.0); });
  PointRange onlyG =
      points.add(samples, [&](unsigned i) { return makePoint(0.0, 0.0, i); });
  ProbeValues values = probe.evaluate(points.get());
  factor.resize(scenarios);
  decay.assign(scenarios, 0.0);
  onMomentum.assign(scenarios, 0.0);
  live.assign(scenarios, false);
  onGradient = contribution = ProbeGrid(scenarios, samples);
  for (unsigned s = 0; s < scenarios; ++s) {
    factor[s] = values.parameter.at(s, 0);
    if (hasMomentum) {
      onMomentum[s] = -values.parameter.at(s, 1);
      decay[s] = values.state[0].at(s, 1);
    }
    for (unsigned i = 0; i < samples; ++i) {
      onGradient.at(s, i) = -values.parameter.at(s, onlyG.begin + i);
      if (hasMomentum)
        contribution.at(s, i) = values.state[0].at(s, onlyG.begin + i);
      live[s] = live[s] || onGradient.at(s, i) != 0.0;
    }
  }
  if (countLive(live) < 4)
    return refuse(UpdateMatch::Step,
                  "the gradient or the learning rate is zero in most probes");
  return true;
}

bool SGDSolver::checkGenericPoints() {
  PointRandom random;
  PointList points;
  addGenericPoints(points, random, samples, hasMomentum);
  ProbeValues values = probe.evaluate(points.get());
  for (unsigned s = 0; s < scenarios; ++s) {
    if (!live[s])
      continue;
    for (unsigned c = 0; c < points.get().size(); ++c) {
      const ProbePoint &at = points.get()[c];
      double m = hasMomentum ? at.state[0] : 0.0;
      double terms[] = {factor[s] * at.parameter, -onMomentum[s] * m,
                        -onGradient.at(s, at.sample)};
      double scale =
          std::abs(terms[0]) + std::abs(terms[1]) + std::abs(terms[2]);
      if (!(std::abs(values.parameter.at(s, c) -
                     (terms[0] + terms[1] + terms[2])) <= 1e-11 * scale))
        return refuse(UpdateMatch::Step,
                      "the step is not linear in momentum and gradient");
      if (!hasMomentum)
        continue;
      double kept = decay[s] * m, added = contribution.at(s, at.sample);
      // An L2 term inside the gradient is found by the structural checks.
      if (!(std::abs(values.state[0].at(s, c) - (kept + added)) <=
            1e-11 *
                (std::abs(kept) + std::abs(added) + std::abs(at.parameter))))
        return refuse(UpdateMatch::FirstMoment,
                      "momentum is not affine in itself");
    }
  }
  return true;
}

/// Plain: step = lr m'. Nesterov: step = lr (g + decay m').
bool SGDSolver::solveMomentum() {
  rate.assign(scenarios, 0.0);
  bool plain = true, lookAhead = true;
  for (unsigned s = 0; s < scenarios; ++s) {
    if (!live[s])
      continue;
    if (decay[s] == 0.0)
      return refuse(UpdateMatch::FirstMoment,
                    "the old momentum does not enter the new one");
    double fromMomentum = onMomentum[s] / decay[s];
    for (unsigned i = 0; i < samples; ++i) {
      if (contribution.at(s, i) == 0.0) {
        if (onGradient.at(s, i) != 0.0)
          return refuse(UpdateMatch::FirstMoment,
                        "momentum takes in no gradient");
        continue;
      }
      double fromGradient = onGradient.at(s, i) / contribution.at(s, i);
      plain &= relativeDifference(fromGradient, fromMomentum) <= 1e-9;
    }
    rate[s] = fromMomentum;
  }
  if (plain)
    return true;
  for (unsigned s = 0; s < scenarios; ++s) {
    if (!live[s])
      continue;
    // fromMomentum = lr decay; the gradient's share must be lr (g + decay w g).
    rate[s] = rate[s] / decay[s];
    double constant = NAN;
    for (unsigned i = 0; i < samples; ++i) {
      if (contribution.at(s, i) == 0.0)
        continue;
      double direct =
          onGradient.at(s, i) / contribution.at(s, i) / rate[s] - decay[s];
      if (std::isnan(constant))
        constant = direct;
      lookAhead &= relativeDifference(direct, constant) <= 1e-9;
    }
    // 1 / w, the weight of the gradient in the momentum (dampening included).
    lookAhead &= constant > 0.0;
  }
  if (!lookAhead)
    return refuse(UpdateMatch::Step,
                  "the step is not lr m' and not lr (g + momentum m')");
  nesterov = true;
  return true;
}

bool SGDSolver::solveRates() {
  for (unsigned s = 0; s < scenarios; ++s)
    if (live[s] && rate[s] < 0.0)
      return refuse(UpdateMatch::Step, "the step goes uphill");
  if (probe.changesWithReductions(decay, live) ||
      probe.changesWithReductions(rate, live) ||
      probe.changesWithReductions(factor, live))
    return refuse(UpdateMatch::Constants,
                  "the step size or a decay depends on a reduction over "
                  "tensors");
  auto learningRate = explainLearningRate(probe, rate, live);
  if (!learningRate)
    return refuse(UpdateMatch::Constants,
                  "no value in the graph is the learning rate");
  auto weightDecay = explainWeightDecay(probe, factor, rate, live);
  if (!weightDecay || (weightDecay->constant && *weightDecay->constant < 0.0))
    return refuse(UpdateMatch::Constants,
                  "decay is not a constant times the learning rate");
  result.learningRate = *learningRate;
  result.hyperparameters.push_back({"weight_decay", *weightDecay});
  return true;
}

bool SGDSolver::chooseGradient() {
  if (halfUlp(probe.getCoarsestFormat()) > 0x1p-20)
    return refuse(UpdateMatch::Constants,
                  "averages in 16 bits without a bias correction: the true "
                  "decays are not known");
  auto momentum = explainDecay(probe, decay, live);
  if (!momentum)
    return refuse(UpdateMatch::Constants, "momentum changes with the step");
  // A sum of gradients is also what a gradient looks like that is an argument.
  if (momentum->constant &&
      !(*momentum->constant > 0.0 && *momentum->constant < 1.0))
    return refuse(UpdateMatch::Constants,
                  "momentum must lie between 0 and 1, the state's weight is " +
                      formatNumber(*momentum->constant));
  // Weight 1 if a value has it, else a constant one (dampening).
  SmallVector<GradientCandidate> candidates =
      probe.getGradientCandidates(contribution);
  double found = 1.0;
  auto fits = [&](const GradientCandidate &candidate, bool unit) {
    SmallVector<double> weight(scenarios, 1.0);
    SmallVector<bool> known(scenarios, false);
    for (unsigned s = 0; s < scenarios; ++s) {
      known[s] = live[s] && !std::isnan(candidate.ratio[s]);
      if (known[s])
        weight[s] = candidate.ratio[s];
      if (unit && !(relativeDifference(weight[s], 1.0) <= 1e-9))
        return false;
      // Nesterov's direct share is the gradient itself.
      for (unsigned i = 0; nesterov && known[s] && i < samples; ++i) {
        double added = contribution.at(s, i);
        double wanted = rate[s] * (added / weight[s] + decay[s] * added);
        if (!(relativeDifference(onGradient.at(s, i), wanted) <= 1e-9))
          return false;
      }
    }
    if (countLive(known) < 3 || !isConstantWhereLive(weight, known, 1e-9))
      return false;
    found = weight[firstLive(known)];
    return true;
  };
  UpdateMatch refusal;
  for (bool unit : {true, false}) {
    UpdateMatch attempt;
    const GradientCandidate *chosen = match::chooseGradient(
        probe, candidates,
        [&](const GradientCandidate &candidate) {
          return fits(candidate, unit);
        },
        "momentum takes in", attempt);
    if (!chosen) {
      // The veto of the first that fits.
      if (refusal.stage != UpdateMatch::Structure)
        refusal = attempt;
      continue;
    }
    double dampening =
        unit ? 0.0 : shortestDecimal(1.0 - found, llvm::APFloat::IEEEsingle());
    result.hyperparameters.push_back({"momentum", *momentum});
    result.hyperparameters.push_back({"dampening", makeConstant(dampening)});
    result.hyperparameters.push_back(
        {"nesterov", makeConstant(nesterov ? 1.0 : 0.0)});
    result.gradient = chosen->id;
    result.gradientInStep = nesterov;
    result.live = live;
    return true;
  }
  result = refusal;
  return false;
}

/// lr g splits into lr and g in many ways: take a run-time scalar for lr if one
/// fits, then a constant that the graph holds, then any constant; among equals
/// the value nearest to where the gradient comes from.
bool SGDSolver::chooseGradientWithoutState() {
  SmallVector<GradientCandidate> candidates =
      probe.getGradientCandidates(onGradient);
  std::string why = "no value in the graph times a learning rate is the step";
  unsigned best = 3;
  for (const GradientCandidate &candidate : llvm::reverse(candidates)) {
    SmallVector<double> ratio = candidate.ratio;
    SmallVector<bool> known(scenarios);
    for (unsigned s = 0; s < scenarios; ++s) {
      known[s] = live[s] && !std::isnan(ratio[s]);
      if (!known[s])
        ratio[s] = 0.0;
    }
    SmallVector<bool> all = std::exchange(live, known);
    rate = ratio;
    UpdateMatch kept = std::move(result);
    result = UpdateMatch();
    bool fits = countLive(live) >= 4 && solveRates();
    unsigned rank = 3;
    if (fits) {
      bool held = llvm::any_of(probe.getScalars(), [&](const ProbeScalar &x) {
        return x.isConstant && relativeDifference(std::abs(x.values[0]),
                                                  rate[firstLive(live)]) < 1e-9;
      });
      rank = !result.learningRate.constant ? 0 : held ? 1 : 2;
      result.gradient = candidate.id;
      result.gradientInStep = true;
      result.live = live;
    } else if (!result.reason.empty()) {
      why = result.reason;
    }
    if (rank >= best)
      result = std::move(kept);
    else
      best = rank;
    live = all;
  }
  return best < 3 ? true : refuse(UpdateMatch::Constants, why);
}

UpdateMatch SGDSolver::solve() {
  if (!solveLinearParts() || !checkGenericPoints())
    return result;
  if (!hasMomentum)
    chooseGradientWithoutState();
  else if (solveMomentum() && solveRates())
    chooseGradient();
  return result;
}

UpdateMatch SGDOp::matchUpdate(UpdateProbe &probe) {
  return SGDSolver(probe).solve();
}
