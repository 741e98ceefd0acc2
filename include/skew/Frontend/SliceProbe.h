//===- SliceProbe.h - a slice that answers a match solver -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_FRONTEND_SLICEPROBE_H
#define SKEW_FRONTEND_SLICEPROBE_H

#include "skew/Frontend/SliceEvaluator.h"

namespace mlir::skew {

/// UpdateProbe on an UpdateSlice. `fixed` holds the conditions that are
/// enumerated. Also answers the frontend's own structural questions.
class SliceProbe : public UpdateProbe {
public:
  SliceProbe(const UpdateSlice &slice, ScalarTable &scalars,
             const FixedConditions &fixed, ProbeMode mode);

  unsigned getNumStates() const override { return slice.states.size(); }
  unsigned getNumScenarios() const override { return kNumScenarios; }
  unsigned getNumSamples() const override { return kNumSamples; }
  ProbeValues evaluate(llvm::ArrayRef<ProbePoint> points) override;
  llvm::ArrayRef<ProbeScalar> getScalars() override;
  llvm::ArrayRef<ProbePower> getPowers() override;
  const llvm::fltSemantics &getCoarsestFormat() override;
  llvm::SmallVector<GradientCandidate>
  getGradientCandidates(const ProbeGrid &contribution) override;
  std::string whyNotGradient(int candidate) override;

  /// True if new parameter and new states are the old ones, for finite values,
  /// whatever they are: read off the expressions, not off points.
  bool leavesUnchanged();
  /// True if the new parameter equals the old one at all points.
  bool leavesParameterUnchanged();

  /// Structural veto over a whole match: only-through of the new parameter and
  /// coverage of every condition. Empty if sound; `drawAgain` is set if other
  /// points could help.
  std::string whyNotSound(const UpdateMatch &match, bool &drawAgain);

  /// Coarsest format of the arithmetic of the new states (of the new parameter
  /// if there are none): how finely their constants are stored.
  const llvm::fltSemantics &getStateFormat();
  /// Finest one: what a rewrite that keeps the graph's numbers computes in.
  const llvm::fltSemantics &getComputeFormat();

  /// True if a reduction over tensors scales the value (clip, loss scale).
  bool isScaledByReduction(NodeId node);

  const UpdateSlice &getSlice() const { return slice; }
  ScalarTable &getScalarTable() { return scalars; }
  const FixedConditions &getFixed() const { return fixed; }

private:
  SmallVector<ProbePoint> makeGenericPoints() const;
  const llvm::fltSemantics &coarsestBelow(ArrayRef<NodeId> roots,
                                          uint32_t dependence);
  /// Why a value is rounded to a type in which nothing is stored.
  std::string whyNotRounded(ArrayRef<NodeId> roots,
                            const DenseSet<NodeId> &cut);
  /// Why something in `bad` reaches `root` other than through `cut`.
  std::string whyNotOnlyThrough(NodeId root, const DenseSet<NodeId> &cut,
                                uint32_t bad, StringRef what);
  DenseSet<NodeId> findEquals(const UpdateMatch &match);
  /// Why a scalar leaf that nothing in `parts` depends on reaches `roots`
  /// other than through `cut` or a condition.
  std::string whyNotExplained(ArrayRef<NodeId> roots,
                              const DenseSet<NodeId> &cut,
                              ArrayRef<NodeId> parts);
  std::string whyNotCovered(ArrayRef<NodeId> roots, const DenseSet<NodeId> &cut,
                            ArrayRef<bool> live);

  const UpdateSlice &slice;
  const SliceGraph &graph;
  ScalarTable &scalars;
  const FixedConditions &fixed;
  SliceEvaluator evaluator;
  /// All points that the solver has evaluated.
  std::vector<ProbePoint> asked;
  std::optional<SmallVector<ProbeScalar>> knownScalars;
  std::optional<SmallVector<ProbePower>> knownPowers;
};

/// Scalar nodes that a match takes as operands.
SmallVector<NodeId> getOperandNodes(const UpdateMatch &match);

} // namespace mlir::skew

#endif // SKEW_FRONTEND_SLICEPROBE_H
