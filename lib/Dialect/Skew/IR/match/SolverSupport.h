//===- SolverSupport.h - arithmetic shared by match solvers -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_LIB_DIALECT_SKEW_IR_MATCH_SOLVERSUPPORT_H
#define SKEW_LIB_DIALECT_SKEW_IR_MATCH_SOLVERSUPPORT_H

#include "skew/Dialect/Skew/IR/UpdateProbe.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace mlir::skew::match {

/// |x - y| relative to the larger magnitude; 0 if equal.
double relativeDifference(double x, double y);

/// A run of consecutive points in one evaluation.
struct PointRange {
  unsigned begin = 0;
  unsigned end = 0;
};

/// The points of an evaluation, in named runs.
class PointList {
public:
  /// Adds `count` points made by `make(i)`.
  PointRange add(unsigned count, llvm::function_ref<ProbePoint(unsigned)> make);
  llvm::ArrayRef<ProbePoint> get() const { return points; }

private:
  std::vector<ProbePoint> points;
};

/// Random state and parameter values of the generic points; a fixed sequence,
/// so that a solver's answer depends on the probe's seed only.
class PointRandom {
public:
  double uniform(double low, double high);
  double normal();

private:
  uint64_t state = 0x9E3779B97F4A7C15ull;
  double next();
};

/// Three rounds over all samples with random parameter and, if the rule has
/// one, state: what a rule without a second moment is held against.
PointRange addGenericPoints(PointList &points, PointRandom &random,
                            unsigned samples, bool hasState);

/// The first candidate that fits and that the graph's structure allows.
/// Otherwise refuses in `result`: for the structure of the first that fits, or
/// because no value is the gradient that the `states` take in.
const GradientCandidate *
chooseGradient(UpdateProbe &probe,
               llvm::ArrayRef<GradientCandidate> candidates,
               llvm::function_ref<bool(const GradientCandidate &)> fits,
               llvm::StringRef states, UpdateMatch &result);

/// A hyperparameter with one value in all runs.
MatchedScalar makeConstant(double value);

/// The value that x has at all points of each scenario, or nullopt if it is not
/// finite or differs by more than `tolerance` (relative).
std::optional<llvm::SmallVector<double>>
constantOverPoints(unsigned scenarios, unsigned points,
                   llvm::function_ref<double(unsigned, unsigned)> x,
                   double tolerance);

/// Median of the finite values; NaN if there are none.
double medianOf(llvm::SmallVector<double> values);

/// True if `values` are equal within `tolerance` in all live scenarios.
bool isConstantWhereLive(llvm::ArrayRef<double> values,
                         llvm::ArrayRef<bool> live, double tolerance);

/// First live scenario; asserts that there is one.
unsigned firstLive(llvm::ArrayRef<bool> live);
unsigned countLive(llvm::ArrayRef<bool> live);

/// `x` rounded to nearest in `format`.
double roundTo(double x, const llvm::fltSemantics &format);

/// 2^-precision of `format`.
double halfUlp(const llvm::fltSemantics &format);

/// Shortest decimal that rounds to `x` in `format`.
double shortestDecimal(double x, const llvm::fltSemantics &format);

/// `x`, known to about 1e-12, as the shortest decimal it can be: the same
/// digits on every machine.
double withoutNoise(double x);

/// What `values` are: one constant in all live scenarios (the graph's own value
/// if it holds one, then in its shortest decimal), or a scalar of the probe.
std::optional<MatchedScalar> explain(UpdateProbe &probe,
                                     llvm::ArrayRef<double> values,
                                     llvm::ArrayRef<bool> live,
                                     double tolerance, bool allowNegated);

/// A learning rate: a scalar of the probe, or a constant that the graph itself
/// holds. A constant that only fits would also fit p (1 - lr wd) - step with
/// the decay taken after the step.
std::optional<MatchedScalar> explainLearningRate(UpdateProbe &probe,
                                                 llvm::ArrayRef<double> values,
                                                 llvm::ArrayRef<bool> live);

/// A decay of an average: `applied` is the weight of the old average in each
/// scenario. Constant, or an argument of the function; else nullopt.
std::optional<MatchedScalar> explainDecay(UpdateProbe &probe,
                                          llvm::ArrayRef<double> applied,
                                          llvm::ArrayRef<bool> live);

/// Weight decay from the factor A of the old parameter, 1 - A = lr * wd, where
/// 1 - A is known to 1e-15 absolute only.
std::optional<MatchedScalar>
explainWeightDecay(UpdateProbe &probe, llvm::ArrayRef<double> factor,
                   llvm::ArrayRef<double> learningRate,
                   llvm::ArrayRef<bool> live);

/// Powers of a decay near `applied`: those the graph holds, and exponentials
/// that equal one (exp(t log b), 1 - expm1, ...).
llvm::SmallVector<ProbePower> findPowers(UpdateProbe &probe,
                                         llvm::ArrayRef<double> applied,
                                         llvm::ArrayRef<bool> live,
                                         double tolerance);

} // namespace mlir::skew::match

#endif // SKEW_LIB_DIALECT_SKEW_IR_MATCH_SOLVERSUPPORT_H
