//===- UpdateProbe.h - questions a match solver may ask ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A match solver belongs to an update rule and knows nothing of graphs. The
// frontend implements `UpdateProbe` on a scalar slice; the solver chooses the
// points, reads the values and returns an `UpdateMatch`. Numbers propose; the
// frontend's structural checks and a confirmation against the rule's own sweeps
// decide, so a solver need not look for what no point can show.
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_DIALECT_SKEW_IR_UPDATEPROBE_H
#define SKEW_DIALECT_SKEW_IR_UPDATEPROBE_H

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>
#include <vector>

namespace mlir::skew {

/// Values at [scenario][point], row-major.
class ProbeGrid {
public:
  ProbeGrid() = default;
  ProbeGrid(unsigned scenarios, unsigned points)
      : points(points), values(size_t(scenarios) * points) {}

  double &at(unsigned scenario, unsigned point) {
    return values[size_t(scenario) * points + point];
  }
  double at(unsigned scenario, unsigned point) const {
    return values[size_t(scenario) * points + point];
  }
  unsigned getNumPoints() const { return points; }

private:
  unsigned points = 0;
  std::vector<double> values;
};

/// One element of a tensor: where the slice is evaluated.
struct ProbePoint {
  double parameter = 0.0;
  llvm::SmallVector<double, 2> state;
  /// Which of the random samples every other tensor of the slice (the gradient
  /// among them) takes its value from; -1: all of them are zero. Sample 0 is
  /// zero for floats as well.
  int sample = -1;
};

/// New parameter and new states at the points asked for.
struct ProbeValues {
  ProbeGrid parameter;
  llvm::SmallVector<ProbeGrid, 2> state;
};

/// A float scalar of the slice that depends on no tensor and no reduction.
struct ProbeScalar {
  int id = -1;
  /// One value per scenario.
  llvm::ArrayRef<double> values;
  /// The same in every run of the graph.
  bool isConstant = false;
  /// An argument of the function, up to casts: its caller chooses the value.
  bool isArgument = false;
  /// The type it is stored in.
  const llvm::fltSemantics *format = nullptr;
};

/// A power with a base in (0, 1): the decay of a bias correction.
struct ProbePower {
  ProbeScalar base;
  ProbeScalar exponent;
};

/// A value of the slice that some contribution is proportional to.
struct GradientCandidate {
  int id = -1;
  /// contribution / value, per scenario; NaN where the contribution is zero.
  llvm::SmallVector<double> ratio;
};

/// Answers questions about one parameter's slice in double precision. Casts are
/// the identity; constants are what the graph stores. A *scenario* fixes all
/// run-time scalars; the second half of the scenarios repeats the first with
/// only the reductions (norms, sums, anything not elementwise) drawn anew.
class UpdateProbe {
public:
  virtual ~UpdateProbe() = default;

  virtual unsigned getNumStates() const = 0;
  virtual unsigned getNumScenarios() const = 0;
  virtual unsigned getNumSamples() const = 0;

  /// Evaluates the slice at `points` in every scenario.
  virtual ProbeValues evaluate(llvm::ArrayRef<ProbePoint> points) = 0;

  /// Scalars of the slice; preferred ones (run-time, at hand where the update
  /// ends) first.
  virtual llvm::ArrayRef<ProbeScalar> getScalars() = 0;
  virtual llvm::ArrayRef<ProbePower> getPowers() = 0;

  /// Coarsest float type of the arithmetic between old and new state.
  virtual const llvm::fltSemantics &getCoarsestFormat() = 0;

  /// Values proportional to `contribution` ([scenario][sample]: what the
  /// gradient adds at parameter = state = 0), the last computed first.
  virtual llvm::SmallVector<GradientCandidate>
  getGradientCandidates(const ProbeGrid &contribution) = 0;

  /// Structural veto: why `candidate` is not all that enters the new states
  /// beside the old ones; empty if it is.
  virtual std::string whyNotGradient(int candidate) = 0;

  /// True if `values` (one per scenario) differ between the two halves of the
  /// scenarios where `live`.
  bool changesWithReductions(llvm::ArrayRef<double> values,
                             llvm::ArrayRef<bool> live,
                             double tolerance = 1e-9) const;
};

/// Value of one hyperparameter: a constant, or a run-time scalar of the probe.
struct MatchedScalar {
  std::optional<double> constant;
  /// Id of the scalar in the probe when not constant, else -1.
  int scalar = -1;
  /// The run-time scalar has the opposite sign (torch keeps -lr/bc1).
  bool negated = false;

  bool operator==(const MatchedScalar &other) const {
    return constant == other.constant && scalar == other.scalar &&
           negated == other.negated;
  }
};

/// What a solver found, or why it refuses.
struct UpdateMatch {
  /// How far a candidate came: the reason of the furthest one is reported.
  enum Stage : unsigned {
    NoStatePair,
    FirstMoment,
    SecondMoment,
    Step,
    Constants,
    Structure,
    Confirmation
  };

  unsigned stage = NoStatePair;
  /// Empty when matched; else lower-case reason without a full stop.
  std::string reason;
  llvm::SmallVector<std::pair<std::string, MatchedScalar>> hyperparameters;
  MatchedScalar learningRate;
  /// Scalar that counts steps (after the increment); scalar -1: none needed.
  MatchedScalar step;
  /// Id of the value that is the gradient the states average.
  int gradient = -1;
  /// The gradient is the constant zero.
  bool zeroGradient = false;
  /// The new parameter sees the gradient beside the new states.
  bool gradientInStep = false;
  /// The new parameter sees the old states beside the new ones.
  bool oldStateInStep = false;
  /// Scenarios in which the step moves the parameter (a learning rate of zero
  /// hides everything).
  llvm::SmallVector<bool> live;

  bool matched() const { return reason.empty(); }
  static UpdateMatch refuse(unsigned stage, std::string reason) {
    UpdateMatch match;
    match.stage = stage;
    match.reason = std::move(reason);
    return match;
  }
};

} // namespace mlir::skew

#endif // SKEW_DIALECT_SKEW_IR_UPDATEPROBE_H
