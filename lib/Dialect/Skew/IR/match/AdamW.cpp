//===- AdamW.cpp - the numbers of an AdamW step
//------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// See AdamWSolver.h.
//
//===----------------------------------------------------------------------===//

#include "AdamWSolver.h"

using namespace mlir;
using namespace mlir::skew;
using namespace mlir::skew::match;

/// How far a value is moved to see what depends on it.
constexpr double kMoveM = 1.7, kMoveV = 2.3, kMoveP = 1.9, kHugeV = 1e34;

bool AdamWSolver::refuse(unsigned stage, const Twine &reason) {
  result = UpdateMatch::refuse(stage, reason.str());
  return false;
}

void AdamWSolver::choosePoints(double scale) {
  points = PointList();
  unsigned samples = probe.getNumSamples();
  PointRandom random;
  SmallVector<ProbePoint> base(samples);
  for (unsigned i = 0; i < samples; ++i) {
    base[i].parameter =
        random.normal() * std::pow(10.0, random.uniform(-2.0, 4.0)) * scale;
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
  if (llvm::all_of(a, [](double weight) { return weight == 0.0; }))
    return refuse(
        UpdateMatch::Step,
        "the old first moment does not enter the new one (beta1 is 0)");
  for (unsigned s = 0; s < scenarios; ++s)
    for (unsigned i = 0; i < size(generic); ++i) {
      double value = m(s, generic.begin + i);
      double moved = m(s, movedM.begin + i);
      double scale = std::abs(value) + std::abs(moved) + 1e-300;
      if (!(std::abs(moved - value - a[s] * kMoveM) <=
            1e-12 * scale + 1e-13 * std::abs(at[generic.begin + i].state[0])))
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
      affine &=
          std::abs(moved - value - b[s] * kMoveV) <=
          1e-12 * scale + 1e-13 * std::abs(at[generic.begin + i].state[1]);
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

/// Elements that do not move although m' is not zero, if there are both kinds:
/// which are they?
std::string AdamWSolver::explainStillElements() {
  bool allAgainst = true, allDown = true, still = false, moving = false;
  for (unsigned s = 0; s < scenarios; ++s)
    for (unsigned i = 0; i < size(zeroP); ++i) {
      double top = m(s, zeroP.begin + i), g = m(s, gradientOnly.begin + i);
      if (top == 0.0 || g == 0.0)
        continue;
      bool stays = p(s, zeroP.begin + i) == 0.0;
      (stays ? still : moving) = true;
      allAgainst &= stays == (top * g < 0.0);
      allDown &= stays == (top > 0.0);
    }
  if (!still || !moving)
    return "";
  if (allAgainst)
    return "elements whose gradient and first moment disagree in sign are "
           "masked out of the step (cautious)";
  if (allDown)
    return "the new parameter is clamped from below";
  return "some elements do not move although their first moment does: masked "
         "or rounded";
}

/// Which of the known neighbours a step that does not fit could be.
std::string AdamWSolver::explainStepMisfit() {
  if (!explainDecay(probe, b, live))
    return "beta2 changes with the step";
  if (std::string masked = explainStillElements(); !masked.empty())
    return masked;
  unsigned far = firstLive(live), last = gridV.end - 1;
  if (relativeDifference(m(far, last) / p(far, last),
                         m(far, largeV.begin) / p(far, largeV.begin)) < 1e-9)
    return "the step stops shrinking with a large second moment: its size is "
           "clamped between bounds (adabound)";
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
  std::string masked = countLive(live) < 4 ? explainStillElements() : "";
  if (!masked.empty())
    return refuse(UpdateMatch::Step, masked);
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
    ignoresV &=
        relativeDifference(-m(s, largeV.begin) / p(s, largeV.begin), y0) < 1e-9;
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
    if (std::abs(gamma[s]) < 1e-12 * y0)
      gamma[s] = 0.0;
    beta[s] = std::pow(std::max(0.0, y0 - gamma[s]), 2.0);
    if (beta[s] < 1e-22 * y0 * y0)
      beta[s] = 0.0;
  }
  if (ignoresV)
    return refuse(UpdateMatch::Step,
                  "no second moment in the step (in at least one run-time "
                  "branch: radam)");
  for (unsigned s = 0; s < scenarios; ++s)
    if (live[s] && !(gamma[s] >= 0.0) && !explainDecay(probe, b, live))
      return refuse(UpdateMatch::Step, "beta2 changes with the step");
    else if (live[s] && !(gamma[s] >= 0.0))
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
      fits &= error <= 1e-6 * std::max(std::abs(step(s, c)), 1e-12 * largest);
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
      fits &=
          error <= 1e-9 * (std::abs(at[c].parameter) + std::abs(step(s, c)));
    });
    if (live[s] && !fits)
      return refuse(UpdateMatch::Step,
                    "the new parameter is not p (1 - lr wd) - step: the decay "
                    "is another one, or another value enters");
  }
  return true;
}

UpdateMatch AdamWSolver::solve() {
  // A gradient may grow with the parameter (a temperature kept as a logarithm).
  bool finite = false;
  for (double scale : {1.0, 1e-3}) {
    choosePoints(scale);
    values = probe.evaluate(points.get());
    finite = true;
    for (unsigned s = 0; finite && s < scenarios; ++s)
      for (unsigned c = generic.begin; c < movedP.end; ++c)
        finite &= std::isfinite(m(s, c));
    if (finite)
      break;
  }
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
