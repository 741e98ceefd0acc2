//===- AdamWConstants.cpp - hyperparameters of an AdamW step
//-----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the numbers of each scenario to constants and run-time scalars.
//
//===----------------------------------------------------------------------===//

#include "AdamWSolver.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::skew;
using namespace mlir::skew::match;

/// What a weight is rounded to when nothing is said: f32 where the graph's
/// arithmetic is coarser, since only part of it may be.
static const llvm::fltSemantics &
storedFormat(const llvm::fltSemantics &coarsest) {
  return halfUlp(coarsest) > 0x1p-20 ? llvm::APFloat::IEEEsingle() : coarsest;
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
    bool anyKept = false;
    for (auto [kept, isLive] : llvm::zip_equal(factor, live))
      anyKept |= isLive && kept > 0.0;
    why = !anyKept ? "the old parameter is not kept in the new one (it is the "
                     "step alone)"
          : isConstantWhereLive(factor, live, 1e-12)
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
    return refuse(UpdateMatch::Constants, "no bias correction of the moments");
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
      if (relativeDifference(applied[s],
                             roundTo(decay, storedFormat(coarsest))) > 1e-9) {
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
  double tolerance =
      ulp > 0x1p-20 ? 4.0 * ulp : 0x1p-23 / least2 + 0x1p-22 / least1 + 1e-6;
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
  SmallVector<GradientCandidate> candidates =
      probe.getGradientCandidates(contribution);
  const GradientCandidate *chosen = chooseGradient(
      probe, candidates,
      [&](const GradientCandidate &candidate) {
        for (unsigned s = 0; s < scenarios; ++s)
          if (live[s] && !quiet[s] &&
              !(relativeDifference(candidate.ratio[s], weight[s]) <=
                std::max(tolerance, 1e-9)))
            return false;
        return true;
      },
      "moments average", result);
  if (!chosen)
    return false;
  result.gradient = chosen->id;
  // What the graph multiplies with, if that is not the rounded exact weight.
  unsigned s = 0;
  while (!live[s] || quiet[s])
    ++s;
  double applied1 = chosen->ratio[s];
  double applied2 = kappa[s] * applied1 * applied1;
  auto store = [&](StringRef decay, double exact, double applied) {
    bool isConstant = llvm::any_of(result.hyperparameters, [&](auto &entry) {
      return entry.first == decay && entry.second.constant;
    });
    if (!isConstant ||
        relativeDifference(applied, roundTo(exact, storedFormat(coarsest))) <
            1e-9)
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
