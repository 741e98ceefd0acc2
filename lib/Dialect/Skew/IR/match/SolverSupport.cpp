//===- SolverSupport.cpp - arithmetic shared by match solvers -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SolverSupport.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir::skew;
using namespace mlir::skew::match;
using llvm::APFloat;
using llvm::ArrayRef;
using llvm::SmallVector;

bool UpdateProbe::changesWithReductions(ArrayRef<double> values,
                                        ArrayRef<bool> live,
                                        double tolerance) const {
  size_t half = values.size() / 2;
  for (size_t i = 0; i < half; ++i)
    if (live[i] && live[i + half] &&
        !(relativeDifference(values[i], values[i + half]) <= tolerance))
      return true;
  return false;
}

double match::relativeDifference(double x, double y) {
  double scale = std::max(std::abs(x), std::abs(y));
  return x == y ? 0.0 : std::abs(x - y) / std::max(scale, 1e-300);
}

PointRange PointList::add(unsigned count,
                          llvm::function_ref<ProbePoint(unsigned)> make) {
  PointRange range;
  range.begin = points.size();
  for (unsigned i = 0; i < count; ++i)
    points.push_back(make(i));
  range.end = points.size();
  return range;
}

PointRange match::addGenericPoints(PointList &points, PointRandom &random,
                                   unsigned samples, bool hasState) {
  return points.add(3 * samples, [&](unsigned i) {
    ProbePoint point;
    point.parameter =
        random.normal() * std::pow(10.0, random.uniform(-2.0, 4.0));
    double state = random.normal() * std::pow(10.0, random.uniform(-3.0, 3.0));
    if (hasState)
      point.state = {state};
    point.sample = int(i % samples);
    return point;
  });
}

const GradientCandidate *match::chooseGradient(
    UpdateProbe &probe, ArrayRef<GradientCandidate> candidates,
    llvm::function_ref<bool(const GradientCandidate &)> fits,
    llvm::StringRef states, UpdateMatch &result) {
  std::string veto;
  for (const GradientCandidate &candidate : candidates) {
    if (!fits(candidate))
      continue;
    std::string reason = probe.whyNotGradient(candidate.id);
    if (reason.empty())
      return &candidate;
    if (veto.empty())
      veto = reason;
  }
  result = veto.empty()
               ? UpdateMatch::refuse(UpdateMatch::Constants,
                                     "no value in the graph is the gradient "
                                     "that the " +
                                         states.str())
               : UpdateMatch::refuse(UpdateMatch::Structure, veto);
  return nullptr;
}

double PointRandom::next() {
  // splitmix64
  uint64_t z = (state += 0x9E3779B97F4A7C15ull);
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
  z ^= z >> 31;
  return (double(z >> 11) + 0.5) * 0x1p-53;
}

double PointRandom::uniform(double low, double high) {
  return low + (high - low) * next();
}

double PointRandom::normal() {
  double radius = std::sqrt(-2.0 * std::log(next()));
  return radius * std::cos(2.0 * llvm::numbers::pi * next());
}

double match::medianOf(SmallVector<double> values) {
  llvm::erase_if(values, [](double x) { return !std::isfinite(x); });
  if (values.empty())
    return std::numeric_limits<double>::quiet_NaN();
  auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

std::optional<SmallVector<double>>
match::constantOverPoints(unsigned scenarios, unsigned points,
                          llvm::function_ref<double(unsigned, unsigned)> x,
                          double tolerance) {
  SmallVector<double> result(scenarios);
  for (unsigned s = 0; s < scenarios; ++s) {
    SmallVector<double> row(points);
    for (unsigned c = 0; c < points; ++c)
      row[c] = x(s, c);
    if (!llvm::all_of(row, [](double v) { return std::isfinite(v); }))
      return std::nullopt;
    double median = medianOf(row);
    for (double value : row)
      if (std::abs(value - median) > tolerance * std::abs(median) + 1e-13)
        return std::nullopt;
    result[s] = median;
  }
  return result;
}

unsigned match::firstLive(ArrayRef<bool> live) {
  return std::find(live.begin(), live.end(), true) - live.begin();
}

unsigned match::countLive(ArrayRef<bool> live) {
  return llvm::count(live, true);
}

bool match::isConstantWhereLive(ArrayRef<double> values, ArrayRef<bool> live,
                                double tolerance) {
  double first = values[firstLive(live)];
  for (auto [value, isLive] : llvm::zip_equal(values, live))
    if (isLive && !(relativeDifference(value, first) <= tolerance))
      return false;
  return true;
}

double match::roundTo(double x, const llvm::fltSemantics &format) {
  APFloat value(x);
  bool losesInfo;
  value.convert(format, APFloat::rmNearestTiesToEven, &losesInfo);
  value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

double match::halfUlp(const llvm::fltSemantics &format) {
  return std::ldexp(1.0, -int(APFloat::semanticsPrecision(format)));
}

double match::shortestDecimal(double x, const llvm::fltSemantics &format) {
  if (x == 0.0 || !std::isfinite(x))
    return x;
  double stored = roundTo(x, format);
  for (int digits = 0; digits < 17; ++digits) {
    std::string text;
    llvm::raw_string_ostream(text) << llvm::format("%.*e", digits, x);
    double decimal = 0.0;
    if (!llvm::to_float(text, decimal))
      break;
    // A type may flush x to zero (1e-8 in f16): then any decimal would do.
    if (roundTo(decimal, format) == stored &&
        relativeDifference(decimal, x) < 1.01 * halfUlp(format))
      return decimal;
  }
  return x;
}

double match::withoutNoise(double x) {
  for (int digits = 0; digits < 12; ++digits) {
    std::string text;
    llvm::raw_string_ostream(text) << llvm::format("%.*e", digits, x);
    double decimal = 0.0;
    if (llvm::to_float(text, decimal) && relativeDifference(decimal, x) < 1e-11)
      return decimal;
  }
  return x;
}

/// Equal in every live scenario.
static bool fitsWhereLive(ArrayRef<double> x, ArrayRef<double> y, double sign,
                          ArrayRef<bool> live, double tolerance) {
  for (auto [a, b, isLive] : llvm::zip_equal(x, y, live))
    if (isLive && !(relativeDifference(a, sign * b) <= tolerance))
      return false;
  return true;
}

MatchedScalar match::makeConstant(double value) {
  MatchedScalar result;
  result.constant = value;
  return result;
}

static MatchedScalar makeOperand(const ProbeScalar &scalar, bool negated) {
  MatchedScalar result;
  result.scalar = scalar.id;
  result.negated = negated;
  return result;
}

std::optional<MatchedScalar>
match::explain(UpdateProbe &probe, ArrayRef<double> values, ArrayRef<bool> live,
               double tolerance, bool allowNegated) {
  double first = values[firstLive(live)];
  if (isConstantWhereLive(values, live, tolerance)) {
    if (first == 0.0)
      return makeConstant(0.0);
    for (const ProbeScalar &scalar : probe.getScalars())
      if (scalar.isConstant &&
          relativeDifference(std::abs(scalar.values[0]), std::abs(first)) <
              std::max(tolerance, 1e-6))
        return makeConstant(std::copysign(
            shortestDecimal(std::abs(scalar.values[0]), *scalar.format),
            first));
    return makeConstant(shortestDecimal(first, APFloat::IEEEsingle()));
  }
  for (double sign : {1.0, -1.0}) {
    if (sign < 0.0 && !allowNegated)
      break;
    for (const ProbeScalar &scalar : probe.getScalars())
      if (!scalar.isConstant &&
          fitsWhereLive(values, scalar.values, sign, live, tolerance))
        return makeOperand(scalar, sign < 0.0);
  }
  return std::nullopt;
}

std::optional<MatchedScalar> match::explainLearningRate(UpdateProbe &probe,
                                                        ArrayRef<double> values,
                                                        ArrayRef<bool> live) {
  constexpr double kTolerance = 1e-9;
  // Where nothing moves the rate is zero: a schedule that is constant
  // otherwise, or one of whose branches fits everywhere else, is told by that.
  if (countLive(live) < live.size())
    for (double sign : {1.0, -1.0})
      for (const ProbeScalar &scalar : probe.getScalars()) {
        bool fits = !scalar.isConstant && fitsWhereLive(values, scalar.values,
                                                        sign, live, kTolerance);
        for (auto [value, isLive] : llvm::zip_equal(scalar.values, live))
          fits &= isLive || value == 0.0;
        if (fits)
          return makeOperand(scalar, sign < 0.0);
      }
  if (isConstantWhereLive(values, live, kTolerance)) {
    double rate = values[firstLive(live)];
    bool held = rate == 1.0;
    for (const ProbeScalar &scalar : probe.getScalars())
      held |= scalar.isConstant &&
              relativeDifference(std::abs(scalar.values[0]), rate) < kTolerance;
    if (!held)
      return std::nullopt;
  }
  return explain(probe, values, live, kTolerance, /*allowNegated=*/true);
}

std::optional<MatchedScalar> match::explainDecay(UpdateProbe &probe,
                                                 ArrayRef<double> applied,
                                                 ArrayRef<bool> live) {
  if (isConstantWhereLive(applied, live, 1e-9))
    return explain(probe, applied, live, 1e-9, /*allowNegated=*/false);
  for (const ProbeScalar &scalar : probe.getScalars())
    if (scalar.isArgument &&
        fitsWhereLive(applied, scalar.values, 1.0, live, 1e-9))
      return makeOperand(scalar, /*negated=*/false);
  return std::nullopt;
}

std::optional<MatchedScalar>
match::explainWeightDecay(UpdateProbe &probe, ArrayRef<double> factor,
                          ArrayRef<double> learningRate, ArrayRef<bool> live) {
  size_t count = factor.size();
  size_t largest = firstLive(live);
  bool none = true, anyKept = false;
  for (size_t i = 0; i < count; ++i) {
    if (!live[i])
      continue;
    none &= std::abs(1.0 - factor[i]) < 1e-14;
    anyKept |= factor[i] > 0.0;
    if (std::abs(1.0 - factor[i]) > std::abs(1.0 - factor[largest]))
      largest = i;
  }
  // A result that holds the step alone, without the old parameter.
  if (!anyKept)
    return std::nullopt;
  if (none)
    return makeConstant(0.0);
  auto fits = [&](llvm::function_ref<double(size_t)> decay) {
    for (size_t i = 0; i < count; ++i) {
      double left = 1.0 - factor[i];
      if (live[i] && !(std::abs(left - learningRate[i] * decay(i)) <
                       1e-14 + 1e-7 * std::abs(left)))
        return false;
    }
    return true;
  };
  for (double sign : {1.0, -1.0})
    for (const ProbeScalar &scalar : probe.getScalars())
      if (fits([&](size_t i) { return sign * scalar.values[i]; })) {
        if (!scalar.isConstant)
          return makeOperand(scalar, sign < 0.0);
        return makeConstant(
            shortestDecimal(sign * scalar.values[0], *scalar.format));
      }
  double decay = (1.0 - factor[largest]) / learningRate[largest];
  if (!fits([&](size_t) { return decay; }))
    return std::nullopt;
  // torch folds 1 - lr * wd into one stored constant, whose digits below the
  // decimal it was rounded from are noise.
  for (const ProbeScalar &scalar : probe.getScalars())
    if (scalar.isConstant && scalar.values[0] == factor[largest]) {
      double written = shortestDecimal(scalar.values[0], *scalar.format);
      double rate =
          shortestDecimal(learningRate[largest], APFloat::IEEEsingle());
      decay = (1.0 - written) / rate;
      break;
    }
  return makeConstant(shortestDecimal(decay, APFloat::IEEEsingle()));
}

SmallVector<ProbePower> match::findPowers(UpdateProbe &probe,
                                          ArrayRef<double> applied,
                                          ArrayRef<bool> live,
                                          double tolerance) {
  SmallVector<ProbePower> result;
  auto near = [&](ArrayRef<double> base) {
    for (auto [x, y, isLive] : llvm::zip_equal(base, applied, live))
      if (isLive && !(std::abs(x - y) <= tolerance))
        return false;
    return true;
  };
  for (const ProbePower &power : probe.getPowers())
    if (near(power.base.values))
      result.push_back(power);
  if (!result.empty())
    return result;

  // An exponential that equals applied^t for a scalar t of the graph.
  size_t count = applied.size();
  ArrayRef<ProbeScalar> scalars = probe.getScalars();
  for (const ProbeScalar &scalar : scalars) {
    if (scalar.isConstant || isConstantWhereLive(scalar.values, live, 0.0))
      continue;
    for (unsigned form = 0; form < 3; ++form) {
      SmallVector<double> exponent(count);
      SmallVector<bool> usable(count, false);
      bool inRange = true;
      for (size_t i = 0; i < count && inRange; ++i) {
        double z = scalar.values[i];
        double w = form == 0 ? z : form == 1 ? 1.0 - z : 1.0 + z;
        inRange = !live[i] || (w >= 0.0 && w < 1.0);
        usable[i] = live[i] && w > 1e-9;
        exponent[i] = usable[i] ? std::log(w) / std::log(applied[i]) : 0.0;
      }
      if (!inRange || countLive(usable) < 4)
        continue;
      for (const ProbeScalar &step : scalars)
        if (!step.isConstant &&
            fitsWhereLive(step.values, exponent, 1.0, usable, 1e-5)) {
          ProbePower power;
          power.base = scalar;
          power.base.values = applied;
          power.exponent = step;
          result.push_back(power);
          break;
        }
    }
  }
  return result;
}
