//===- AdamW.cpp - match solver of skew.adamw -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With a = m'/m and b = v'/v at zero gradient, and y = -m'/p' at p = 0, AdamW is
// y = sqrt(alpha v' + beta) + gamma, p' = A p - m'/y: five numbers per scenario,
// each solved in closed form from a few points and then held against all
// others. Bias corrections, learning rate, epsilons and decay follow from how
// those numbers change with the step.
//
//===----------------------------------------------------------------------===//

#include "SolverSupport.h"
#include "skew/Dialect/Skew/IR/Skew.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace mlir::skew;
using namespace mlir::skew::match;

namespace {

class AdamWSolver {
public:
  explicit AdamWSolver(UpdateProbe &probe)
      : probe(probe), scenarios(probe.getNumScenarios()),
        coarsest(probe.getCoarsestFormat()) {}

  UpdateMatch solve();

private:
  using PerScenario = SmallVector<double>;

  void choosePoints();
  bool refuse(unsigned stage, const Twine &reason);
  bool solveFirstMoment();
  bool solveSecondMoment();
  bool solveStep();
  bool solveDecayFactor();
  bool checkReductionFree();
  bool solveConstants();
  bool tryCorrections(const ProbePower *first, const ProbePower *second,
                      std::string &why);
  bool describeDecays(const ProbePower &first, const ProbePower &second);
  bool solveGradient();
  std::string explainStepMisfit();

  double p(unsigned s, unsigned c) const { return values.parameter.at(s, c); }
  double m(unsigned s, unsigned c) const { return values.state[0].at(s, c); }
  double v(unsigned s, unsigned c) const { return values.state[1].at(s, c); }
  double denominator(unsigned s, double newV) const {
    return std::sqrt(slope[s] * slope[s] * newV + beta[s]) + gamma[s];
  }
  /// m' over the denominator; 0 where m' is 0 (then the denominator may be).
  double step(unsigned s, unsigned c) const {
    return m(s, c) == 0.0 ? 0.0 : m(s, c) / denominator(s, v(s, c));
  }
  unsigned size(PointRange range) const { return range.end - range.begin; }

  UpdateProbe &probe;
  unsigned scenarios;
  const llvm::fltSemantics &coarsest;
  UpdateMatch result;

  PointList points;
  PointRange generic, movedM, movedV, movedP, zeroP, gradientOnly, hugeV,
      firstOnly, parameterOnly, zeroV, largeV, gridV;
  ProbeValues values;

  /// Weights of the old moments, m' / sqrt(v') slope of y, its two epsilons,
  /// factor of the old parameter, weight ratio w2 / w1^2 of the gradient.
  PerScenario a, b, slope, gamma, beta, factor, kappa;
  SmallVector<bool> live, quiet;
  bool zeroGradient = false;
  /// epsilon does not depend on the step if v is left uncorrected.
  bool epsilonUncorrected = false;
  /// Of the corrections chosen.
  PerScenario base1, base2, learningRate;
};

constexpr double kMoveM = 1.7, kMoveV = 2.3, kMoveP = 1.9, kHugeV = 1e34;

} // namespace

bool AdamWSolver::refuse(unsigned stage, const Twine &reason) {
  result = UpdateMatch::refuse(stage, reason.str());
  return false;
}

void AdamWSolver::choosePoints() {
  unsigned samples = probe.getNumSamples();
  PointRandom random;
  SmallVector<ProbePoint> base(samples);
  for (unsigned i = 0; i < samples; ++i) {
    base[i].parameter =
        random.normal() * std::pow(10.0, random.uniform(-2.0, 4.0));
    double momentum = random.normal() * 3.0;
    double variance =
        random.uniform(0.0, 1.0) * std::pow(10.0, random.uniform(-6.0, 2.0));
    base[i].state = {momentum, variance};
    base[i].sample = i;
  }
  auto changed = [&](auto change) {
    return points.add(samples, [&](unsigned i) {
      ProbePoint point = base[i];
      change(point);
      return point;
    });
  };
  auto single = [](double parameter, double momentum, double variance) {
    ProbePoint point;
    point.parameter = parameter;
    point.state = {momentum, variance};
    return point;
  };
  generic = changed([](ProbePoint &) {});
  movedM = changed([](ProbePoint &q) { q.state[0] += kMoveM; });
  movedV = changed([](ProbePoint &q) { q.state[1] += kMoveV; });
  movedP = changed([](ProbePoint &q) { q.parameter += kMoveP; });
  zeroP = changed([](ProbePoint &q) { q.parameter = 0.0; });
  gradientOnly = changed([](ProbePoint &q) {
    q.parameter = 0.0;
    q.state = {0.0, 0.0};
  });
  hugeV = changed([](ProbePoint &q) {
    q.parameter = 0.0;
    q.state[1] = kHugeV;
  });
  firstOnly = changed([](ProbePoint &q) {
    q.parameter = 0.0;
    q.state[1] = 1.0;
    q.sample = -1;
  });
  parameterOnly =
      points.add(1, [&](unsigned) { return single(1.0, 0.0, 1.0); });
  zeroV = points.add(1, [&](unsigned) { return single(0.0, 1.0, 0.0); });
  largeV = points.add(1, [&](unsigned) { return single(0.0, 1.0, kHugeV); });
  gridV = points.add(57, [&](unsigned i) {
    return single(0.0, 1.0, std::pow(10.0, double(i) - 44.0));
  });
}

bool AdamWSolver::solveFirstMoment() {
  ArrayRef<ProbePoint> at = points.get();
  auto decay = constantOverPoints(
      scenarios, size(firstOnly),
      [&](unsigned s, unsigned c) {
        return m(s, firstOnly.begin + c) / at[firstOnly.begin + c].state[0];
      },
      1e-12);
  if (!decay)
    return refuse(UpdateMatch::FirstMoment,
                  "first moment is not affine in itself");
  a = *decay;
  for (unsigned s = 0; s < scenarios; ++s)
    for (unsigned i = 0; i < size(generic); ++i) {
      double value = m(s, generic.begin + i);
      double moved = m(s, movedM.begin + i);
      double scale = std::abs(value) + std::abs(moved) + 1e-300;
      if (!(std::abs(moved - value - a[s] * kMoveM) <=
            1e-12 * scale +
                1e-13 * std::abs(at[generic.begin + i].state[0])))
        return refuse(UpdateMatch::FirstMoment,
                      "first moment is not affine in itself");
      if (!(relativeDifference(m(s, movedV.begin + i), value) <= 1e-12))
        return refuse(UpdateMatch::FirstMoment,
                      "first moment depends on the second");
    }
  zeroGradient = true;
  for (unsigned s = 0; s < scenarios; ++s)
    for (unsigned c = gradientOnly.begin; c < gradientOnly.end; ++c)
      zeroGradient &= m(s, c) == 0.0;
  return true;
}

bool AdamWSolver::solveSecondMoment() {
  ArrayRef<ProbePoint> at = points.get();
  auto decay = constantOverPoints(
      scenarios, size(gridV),
      [&](unsigned s, unsigned c) {
        return v(s, gridV.begin + c) / at[gridV.begin + c].state[1];
      },
      1e-12);
  bool affine = decay.has_value();
  if (affine)
    b = *decay;
  for (unsigned s = 0; affine && s < scenarios; ++s)
    for (unsigned i = 0; i < size(generic); ++i) {
      double value = v(s, generic.begin + i);
      double moved = v(s, movedV.begin + i);
      double scale = std::abs(value) + std::abs(moved) + 1e-300;
      affine &= std::abs(moved - value - b[s] * kMoveV) <=
                1e-12 * scale +
                    1e-13 * std::abs(at[generic.begin + i].state[1]);
    }
  if (!affine)
    return refuse(UpdateMatch::SecondMoment,
                  "second moment is not a weighted average of itself (a "
                  "maximum, sign or root: adamax, yogi or novograd)");
  for (unsigned s = 0; s < scenarios; ++s)
    for (unsigned i = 0; i < size(generic); ++i)
      if (!(relativeDifference(v(s, movedM.begin + i),
                               v(s, generic.begin + i)) <= 1e-12))
        return refuse(UpdateMatch::SecondMoment,
                      "second moment depends on the first (adabelief)");

  quiet.assign(scenarios, true);
  kappa.assign(scenarios, 0.0);
  for (unsigned s = 0; s < scenarios; ++s) {
    SmallVector<double> ratios;
    for (unsigned c = gradientOnly.begin; c < gradientOnly.end; ++c) {
      quiet[s] = quiet[s] && m(s, c) == 0.0 && v(s, c) == 0.0;
      if (std::abs(m(s, c)) > 1e-200)
        ratios.push_back(v(s, c) / (m(s, c) * m(s, c)));
    }
    if (zeroGradient && !quiet[s])
      return refuse(UpdateMatch::FirstMoment,
                    "first moment takes in no gradient");
    if (quiet[s])
      continue;
    kappa[s] = medianOf(ratios);
    bool square = std::isfinite(kappa[s]);
    for (double ratio : ratios)
      square &= relativeDifference(ratio, kappa[s]) <= 1e-6;
    if (!square)
      return refuse(UpdateMatch::SecondMoment,
                    "second moment does not average the square of what the "
                    "first averages");
    if (kappa[s] <= 0.0)
      return refuse(UpdateMatch::SecondMoment,
                    "second moment takes the squared gradient with a weight "
                    "that is not positive");
  }
  return true;
}

/// Which of the known neighbours a step that does not fit could be.
std::string AdamWSolver::explainStepMisfit() {
  // At huge v' only the numerator is left: is it x m' + y g?
  unsigned s = firstLive(live);
  double mm = 0, mg = 0, gg = 0, mp = 0, gp = 0, scale = 0;
  for (unsigned i = 0; i < size(hugeV); ++i)
    scale = std::max(scale, std::abs(p(s, hugeV.begin + i)));
  auto fit = [&](unsigned i, double &x, double &y, double &z) {
    x = m(s, hugeV.begin + i);
    y = m(s, gradientOnly.begin + i);
    z = -p(s, hugeV.begin + i) / scale;
  };
  for (unsigned i = 0; i < size(hugeV); ++i) {
    double x, y, z;
    fit(i, x, y, z);
    mm += x * x, mg += x * y, gg += y * y, mp += x * z, gp += y * z;
  }
  double determinant = mm * gg - mg * mg;
  double onM = (mp * gg - gp * mg) / determinant;
  double onG = (gp * mm - mp * mg) / determinant;
  double worst = 0.0;
  for (unsigned i = 0; i < size(hugeV); ++i) {
    double x, y, z;
    fit(i, x, y, z);
    worst = std::max(worst, std::abs(onM * x + onG * y - z));
  }
  if (worst < 1e-9 && std::abs(onG) > 1e-9 * std::abs(onM))
    return "the gradient enters the step beside the first moment (nesterov, "
           "nadam)";
  return "the step is not m'/(sqrt(v') + eps): another value enters it, or it "
         "has another denominator";
}

bool AdamWSolver::solveStep() {
  slope.assign(scenarios, 0.0);
  gamma.assign(scenarios, 0.0);
  beta.assign(scenarios, 0.0);
  live.assign(scenarios, false);
  bool moves = false;
  for (unsigned s = 0; s < scenarios; ++s) {
    unsigned c = largeV.begin;
    double y = -m(s, c) / p(s, c);
    live[s] = std::isfinite(y) && y != 0.0 && m(s, c) != 0.0;
    slope[s] = live[s] ? y / std::sqrt(v(s, c)) : 0.0;
    for (unsigned i = zeroP.begin; i < zeroP.end; ++i)
      moves |= p(s, i) != 0.0;
  }
  if (!moves)
    return refuse(UpdateMatch::Step, "the update does not move the parameter");
  if (countLive(live) < 4)
    return refuse(UpdateMatch::Step,
                  "the step does not shrink with a growing second moment, or "
                  "the learning rate is zero in most probes");
  for (unsigned s = 0; s < scenarios; ++s)
    if (live[s] && slope[s] < 0.0)
      return refuse(UpdateMatch::Step, "the step goes uphill");
  bool ignoresV = true;
  for (unsigned s = 0; s < scenarios; ++s) {
    if (!live[s])
      continue;
    double y0 = -m(s, zeroV.begin) / p(s, zeroV.begin);
    if (!std::isfinite(y0))
      y0 = 0.0;
    double alpha = slope[s] * slope[s];
    ignoresV &= relativeDifference(-m(s, largeV.begin) / p(s, largeV.begin),
                                   y0) < 1e-9;
    if (y0 <= 0.0)
      continue;
    // The grid point where both terms of the denominator count.
    unsigned best = gridV.begin;
    double distance = INFINITY;
    for (unsigned c = gridV.begin; c < gridV.end; ++c) {
      double d = std::abs(std::log(alpha * v(s, c)) - 2.0 * std::log(y0));
      if (d < distance)
        distance = d, best = c;
    }
    double y1 = -m(s, best) / p(s, best);
    gamma[s] = (y1 * y1 - y0 * y0 - alpha * v(s, best)) / (2.0 * (y1 - y0));
    if (std::abs(gamma[s]) < 1e-7 * y0)
      gamma[s] = 0.0;
    beta[s] = std::pow(std::max(0.0, y0 - gamma[s]), 2.0);
    if (beta[s] < 1e-12 * y0 * y0)
      beta[s] = 0.0;
  }
  if (ignoresV)
    return refuse(UpdateMatch::Step,
                  "no second moment in the step (in at least one run-time "
                  "branch: radam)");
  for (unsigned s = 0; s < scenarios; ++s)
    if (live[s] && !(gamma[s] >= 0.0))
      return refuse(UpdateMatch::Step,
                    "the step saturates for small second moments (clipped "
                    "after the update rule) or has another denominator");
  // Everything at p = 0 must fit.
  for (unsigned s = 0; s < scenarios; ++s) {
    if (!live[s])
      continue;
    double largest = 0.0;
    auto all = [&](auto apply) {
      for (PointRange range : {zeroP, zeroV, gridV})
        for (unsigned c = range.begin; c < range.end; ++c)
          if (std::isfinite(step(s, c)))
            apply(c);
    };
    all([&](unsigned c) { largest = std::max(largest, std::abs(step(s, c))); });
    bool fits = true;
    all([&](unsigned c) {
      double error = std::abs(-p(s, c) - step(s, c));
      fits &=
          error <= 1e-6 * std::max(std::abs(step(s, c)), 1e-12 * largest);
    });
    if (!fits)
      return refuse(UpdateMatch::Step, explainStepMisfit());
  }
  return true;
}

bool AdamWSolver::solveDecayFactor() {
  ArrayRef<ProbePoint> at = points.get();
  factor.assign(scenarios, 1.0);
  for (unsigned s = 0; s < scenarios; ++s) {
    SmallVector<double> ratios;
    auto all = [&](auto apply) {
      for (PointRange range : {generic, movedM, movedV, movedP})
        for (unsigned c = range.begin; c < range.end; ++c)
          apply(c);
    };
    all([&](unsigned c) {
      ratios.push_back((p(s, c) + step(s, c)) / at[c].parameter);
    });
    factor[s] = m(s, parameterOnly.begin) == 0.0 ? p(s, parameterOnly.begin)
                                                 : medianOf(ratios);
    bool fits = true;
    all([&](unsigned c) {
      double error =
          std::abs(p(s, c) - (factor[s] * at[c].parameter - step(s, c)));
      fits &= error <=
              1e-9 * (std::abs(at[c].parameter) + std::abs(step(s, c)));
    });
    if (live[s] && !fits)
      return refuse(UpdateMatch::Step,
                    "the new parameter is not p (1 - lr wd) - step: the old "
                    "parameter or another value enters otherwise");
  }
  return true;
}

bool AdamWSolver::checkReductionFree() {
  auto check = [&](ArrayRef<double> x, StringRef what) {
    return probe.changesWithReductions(x, live)
               ? refuse(UpdateMatch::Constants,
                        Twine(what) + " depends on a reduction over tensors")
               : true;
  };
  return check(a, "beta1") && check(b, "beta2") &&
         check(slope, "the step size (trust ratio, clipped update or estimated "
                      "step)") &&
         check(gamma, "epsilon") && check(beta, "eps_root") &&
         check(factor, "weight decay") &&
         (zeroGradient || llvm::is_contained(quiet, true) ||
          check(kappa, "the weight of the gradient"));
}

bool AdamWSolver::tryCorrections(const ProbePower *first,
                                 const ProbePower *second, std::string &why) {
  PerScenario correction1(scenarios, 1.0), correction2(scenarios, 1.0);
  PerScenario eps(scenarios), epsRoot(scenarios);
  learningRate.assign(scenarios, 0.0);
  for (unsigned s = 0; s < scenarios; ++s) {
    if (!live[s])
      continue;
    if (first)
      correction1[s] =
          1.0 - std::pow(first->base.values[s], first->exponent.values[s]);
    if (second)
      correction2[s] =
          1.0 - std::pow(second->base.values[s], second->exponent.values[s]);
    if (first && second &&
        first->exponent.values[s] != second->exponent.values[s]) {
      why = "the two bias corrections count different steps";
      return false;
    }
    double root = slope[s] * std::sqrt(correction2[s]);
    eps[s] = gamma[s] / root;
    epsRoot[s] = beta[s] / (root * root);
    learningRate[s] = correction1[s] / root;
  }
  auto epsilon = explain(probe, eps, live, 1e-7, false);
  if (!epsilon) {
    PerScenario raw(scenarios);
    for (unsigned s = 0; s < scenarios; ++s)
      raw[s] = live[s] ? gamma[s] / slope[s] : 0.0;
    epsilonUncorrected |= isConstantWhereLive(raw, live, 1e-7);
    why = epsilonUncorrected
              ? "epsilon is added before the bias correction of the second "
                "moment (epsilon not bias-corrected)"
              : "epsilon is not constant under this bias correction";
    return false;
  }
  auto root = explain(probe, epsRoot, live, 1e-7, false);
  if (!root) {
    why = "eps_root is not constant";
    return false;
  }
  auto rate = explainLearningRate(probe, learningRate, live);
  auto decay = explainWeightDecay(probe, factor, learningRate, live);
  if (!rate) {
    why = "no value in the graph is the learning rate under this bias "
          "correction (the step size follows another law of the step)";
    return false;
  }
  if (!decay) {
    why = isConstantWhereLive(factor, live, 1e-12)
              ? "decay is a constant that does not follow the learning rate "
                "(applied after it)"
              : "decay is not a constant times the learning rate";
    return false;
  }
  if (decay->constant && *decay->constant < 0.0) {
    why = "negative weight decay";
    return false;
  }
  result.learningRate = *rate;
  result.hyperparameters.clear();
  result.hyperparameters.push_back({"eps", *epsilon});
  result.hyperparameters.push_back({"eps_root", *root});
  result.hyperparameters.push_back({"weight_decay", *decay});
  return true;
}

bool AdamWSolver::solveConstants() {
  double tolerance = halfUlp(coarsest) > 0x1p-20 ? 0x1p-7 : 1e-6;
  SmallVector<ProbePower> powers1 = findPowers(probe, a, live, tolerance);
  SmallVector<ProbePower> powers2 = findPowers(probe, b, live, tolerance);
  std::string why = "no bias correction of both moments that explains the step";
  // Both corrections first; what fits with fewer is named in the refusal.
  for (const ProbePower &first : powers1)
    for (const ProbePower &second : powers2)
      if (tryCorrections(&first, &second, why))
        return describeDecays(first, second);
  if (epsilonUncorrected)
    return refuse(UpdateMatch::Constants, why);
  std::string ignored;
  for (const ProbePower &first : powers1)
    if (tryCorrections(&first, nullptr, ignored))
      return refuse(UpdateMatch::Constants,
                    "no bias correction of the second moment");
  for (const ProbePower &second : powers2)
    if (tryCorrections(nullptr, &second, ignored))
      return refuse(UpdateMatch::Constants,
                    "no bias correction of the first moment");
  if (tryCorrections(nullptr, nullptr, ignored))
    return refuse(UpdateMatch::Constants,
                  "no bias correction of the moments");
  return refuse(UpdateMatch::Constants, why);
}

/// True decays are the bases of the powers, kept in more digits than what the
/// averages multiply with.
bool AdamWSolver::describeDecays(const ProbePower &first,
                                 const ProbePower &second) {
  base1.assign(first.base.values.begin(), first.base.values.end());
  base2.assign(second.base.values.begin(), second.base.values.end());
  auto describe = [&](StringRef name, const ProbePower &power,
                      ArrayRef<double> applied, PerScenario &base) {
    std::string stored = (name + "_stored").str();
    if (isConstantWhereLive(applied, live, 1e-9)) {
      unsigned s = firstLive(live);
      double decay = shortestDecimal(base[s], *power.base.format);
      MatchedScalar scalar;
      scalar.constant = decay;
      result.hyperparameters.push_back({name.str(), scalar});
      base.assign(scenarios, decay);
      if (relativeDifference(applied[s], roundTo(decay, coarsest)) > 1e-9) {
        scalar.constant = withoutNoise(applied[s]);
        result.hyperparameters.push_back({stored, scalar});
      }
      return true;
    }
    auto operand = explainDecay(probe, applied, live);
    if (!operand)
      return refuse(UpdateMatch::Constants, name + " changes with the step");
    result.hyperparameters.push_back({name.str(), *operand});
    return true;
  };
  result.step.scalar = first.exponent.id;
  return describe("beta1", first, a, base1) &&
         describe("beta2", second, b, base2);
}

bool AdamWSolver::solveGradient() {
  if (zeroGradient) {
    result.zeroGradient = true;
    return true;
  }
  // w2 / w1^2 must be (1 - beta2) / (1 - beta1)^2 up to the rounding of the
  // stored constants.
  double ulp = halfUlp(coarsest);
  double least1 = INFINITY, least2 = INFINITY;
  unsigned loud = 0;
  for (unsigned s = 0; s < scenarios; ++s)
    if (live[s]) {
      least1 = std::min(least1, 1.0 - base1[s]);
      least2 = std::min(least2, 1.0 - base2[s]);
      loud += !quiet[s];
    }
  double tolerance = ulp > 0x1p-20 ? 4.0 * ulp
                                   : 0x1p-23 / least2 + 0x1p-22 / least1 + 1e-6;
  if (loud < 3)
    return refuse(UpdateMatch::SecondMoment,
                  "the gradient is zero in most probes");
  PerScenario weight(scenarios);
  for (unsigned s = 0; s < scenarios; ++s) {
    weight[s] = 1.0 - base1[s];
    double wanted = (1.0 - base2[s]) / (weight[s] * weight[s]);
    if (live[s] && !quiet[s] &&
        !(relativeDifference(kappa[s], wanted) <= tolerance))
      return refuse(UpdateMatch::SecondMoment,
                    llvm::formatv("the weights of g and g^2 do not fit the "
                                  "decays: w2/w1^2 is {0:e3}, not {1:e3}",
                                  kappa[s], wanted)
                        .str());
  }
  ProbeGrid contribution(scenarios, probe.getNumSamples());
  for (unsigned s = 0; s < scenarios; ++s)
    for (unsigned i = 0; i < probe.getNumSamples(); ++i)
      contribution.at(s, i) = m(s, gradientOnly.begin + i);
  std::string veto;
  for (const GradientCandidate &candidate :
       probe.getGradientCandidates(contribution)) {
    bool fits = true;
    for (unsigned s = 0; s < scenarios; ++s)
      fits &= !live[s] || quiet[s] ||
              relativeDifference(candidate.ratio[s], weight[s]) <=
                  std::max(tolerance, 1e-9);
    if (!fits)
      continue;
    std::string reason = probe.whyNotGradient(candidate.id);
    if (!reason.empty()) {
      if (veto.empty())
        veto = reason;
      continue;
    }
    result.gradient = candidate.id;
    // What the graph multiplies with, if that is not the rounded exact weight.
    unsigned s = 0;
    while (!live[s] || quiet[s])
      ++s;
    double applied1 = candidate.ratio[s];
    double applied2 = kappa[s] * applied1 * applied1;
    auto store = [&](StringRef decay, double exact, double applied) {
      bool isConstant = llvm::any_of(result.hyperparameters, [&](auto &entry) {
        return entry.first == decay && entry.second.constant;
      });
      if (!isConstant ||
          relativeDifference(applied, roundTo(exact, coarsest)) < 1e-9)
        return;
      MatchedScalar scalar;
      scalar.constant = withoutNoise(applied);
      result.hyperparameters.push_back(
          {("one_minus_" + decay + "_stored").str(), scalar});
    };
    store("beta1", weight[s], applied1);
    store("beta2", 1.0 - base2[s], applied2);
    return true;
  }
  if (!veto.empty())
    return refuse(UpdateMatch::Structure, veto);
  return refuse(UpdateMatch::Constants,
                "no value in the graph is the gradient that the moments "
                "average");
}

UpdateMatch AdamWSolver::solve() {
  choosePoints();
  values = probe.evaluate(points.get());
  if (solveFirstMoment() && solveSecondMoment() && solveStep() &&
      solveDecayFactor() && checkReductionFree() && solveConstants() &&
      solveGradient()) {
    result.live = live;
    llvm::sort(result.hyperparameters,
               [](const auto &x, const auto &y) { return x.first < y.first; });
  }
  return result;
}

UpdateMatch AdamWOp::matchUpdate(UpdateProbe &probe) {
  return AdamWSolver(probe).solve();
}
