//===- AdamWSolver.h - match solver of skew.adamw ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With a = m'/m and b = v'/v at zero gradient, and y = -m'/p' at p = 0, AdamW
// is y = sqrt(alpha v' + beta) + gamma, p' = A p - m'/y: five numbers per
// scenario, each solved in closed form from a few points and then held against
// all others. Bias corrections, learning rate, epsilons and decay follow from
// how those numbers change with the step.
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_LIB_DIALECT_SKEW_IR_MATCH_ADAMWSOLVER_H
#define SKEW_LIB_DIALECT_SKEW_IR_MATCH_ADAMWSOLVER_H

#include "SolverSupport.h"
#include "skew/Dialect/Skew/IR/Skew.h"
#include <cmath>

namespace mlir::skew::match {

class AdamWSolver {
public:
  explicit AdamWSolver(UpdateProbe &probe)
      : probe(probe), scenarios(probe.getNumScenarios()),
        coarsest(probe.getCoarsestFormat()) {}

  UpdateMatch solve();

private:
  using PerScenario = SmallVector<double>;

  /// `scale`: of the old parameter.
  void choosePoints(double scale);
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
  std::string explainStillElements();

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

} // namespace mlir::skew::match

#endif // SKEW_LIB_DIALECT_SKEW_IR_MATCH_ADAMWSOLVER_H
