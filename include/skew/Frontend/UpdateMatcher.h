//===- UpdateMatcher.h - finds the optimizer of a function ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_FRONTEND_UPDATEMATCHER_H
#define SKEW_FRONTEND_UPDATEMATCHER_H

#include "skew/Frontend/SliceProbe.h"

namespace mlir::skew {

/// An argument of the function and the result that is its next value.
struct CarriedTensor {
  unsigned argument = 0;
  unsigned result = 0;
};

/// When an update leaves everything as it is: a boolean scalar that says so, or
/// several conditions together.
struct SkipGuard {
  /// None if no single value says so.
  NodeId condition = kNoNode;
  /// Skip where the condition is false.
  bool negated = false;
  /// Conditions with their numbers of values, and for each combination of
  /// these (the last condition varies fastest) whether it skips.
  SmallVector<std::pair<NodeId, unsigned>> tests;
  SmallVector<bool> skips;
};

/// Where an update inside regions is. Its places count there.
struct InnerStep {
  SliceGraph *graph = nullptr;
  CarriedTensor parameter;
  SmallVector<CarriedTensor, 2> states;
  /// Calls that separate the step from the function, callees first: they must
  /// be inlined before the update can be built.
  SmallVector<Operation *> calls;
  /// How a manual computation cuts parameter and state.
  Attribute shards;
};

/// One parameter whose update is a known rule. Ids in `match` are nodes of the
/// matched graph, or of that of `inner`.
struct RaisedUpdate {
  CarriedTensor parameter;
  SmallVector<CarriedTensor, 2> states;
  OperationName rule;
  UpdateMatch match = {};
  std::optional<SkipGuard> skip = std::nullopt;
  /// Index of a branch -> the only value it has in steps that are not skipped.
  llvm::MapVector<NodeId, unsigned> takenBranches = {};
  /// Coarsest format of the averages' arithmetic: how constants are rounded.
  const llvm::fltSemantics *stateFormat = nullptr;
  /// Finest one: what the update computes in when it keeps the graph's types.
  const llvm::fltSemantics *computeFormat = nullptr;
  bool scaledByReduction = false;
  /// Set if the update is inside regions.
  std::optional<InnerStep> inner = std::nullopt;
};

struct DeclinedParameter {
  CarriedTensor parameter;
  std::string reason;
};

enum class OtherStateKind { Step, Accumulator, Average, Moment, Other };
StringRef stringify(OtherStateKind kind);

struct OtherState {
  CarriedTensor tensor;
  OtherStateKind kind = OtherStateKind::Other;
};

/// Every argument of a step that is carried to a result, once: parameters
/// (raised, declined, frozen), their states inside `raised`, and other state.
struct FunctionMatch {
  std::vector<RaisedUpdate> raised;
  SmallVector<DeclinedParameter> declined;
  SmallVector<CarriedTensor> frozen;
  SmallVector<OtherState> otherStates;
  /// Graphs of the regions that were looked into.
  std::vector<std::unique_ptr<SliceGraph>> inner;
};

struct MatchOptions {
  uint64_t seed = 0;
  /// Probe one slice of each class; without, each for itself.
  bool shareClasses = true;
};

/// Finds all updates of `graph`'s root and of the loops and manual computations
/// that its results come out of. Changes no IR.
FunctionMatch matchFunction(SliceGraph &graph, const MatchOptions &options);

/// Compares the rule's own decomposition, run by the reference interpreter,
/// with the slice on the fresh points of `scalars`; the reason why they differ,
/// or empty.
std::string whyNotConfirmed(const UpdateSlice &slice, ScalarTable &scalars,
                            const FixedConditions &fixed, ProbeMode mode,
                            OperationName rule, const UpdateMatch &match,
                            const llvm::fltSemantics &stateFormat,
                            const llvm::fltSemantics &coarsest);

/// Update rules of the dialect that are raised from graphs, those with most
/// state first.
SmallVector<OperationName> getRaisableRules(MLIRContext *context);

/// State tensors that a rule can have, most first.
SmallVector<unsigned, 2> getStateCounts(OperationName rule);

class SliceClasses;

/// Finds the update of one parameter with given state places.
class UpdateFinder {
public:
  UpdateFinder(SliceGraph &graph, const MatchOptions &options);
  ~UpdateFinder();

  /// Tries `rule` on one assignment of parameter and states. On success fills
  /// all of `update` but its places.
  UpdateMatch tryRule(OperationName rule, const UpdateSlice &slice,
                      RaisedUpdate &update);

  /// Scalars with the finder's first seed and no condition fixed.
  ScalarTable &getScalars() { return *tables[0]; }
  const ScalarHints &getHints() const { return hints; }

private:
  UpdateMatch tryClass(OperationName rule, const UpdateSlice &slice,
                       RaisedUpdate &update);
  UpdateMatch tryOnce(OperationName rule, const UpdateSlice &slice,
                      uint64_t seed, ProbeMode mode, RaisedUpdate &update,
                      bool &drawAgain);
  UpdateMatch trySeeds(OperationName rule, const UpdateSlice &slice,
                       uint64_t seed, RaisedUpdate &update);

  SliceGraph &graph;
  uint64_t baseSeed;
  ScalarHints hints;
  /// One per seed offset, shared by all parameters.
  std::map<uint64_t, std::unique_ptr<ScalarTable>> tables;
  /// Null if every slice is probed.
  std::unique_ptr<SliceClasses> classes;
};

} // namespace mlir::skew

#endif // SKEW_FRONTEND_UPDATEMATCHER_H
