//===- FunctionMatcher.h - pairs, matches, accounts -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_LIB_FRONTEND_FUNCTIONMATCHER_H
#define SKEW_LIB_FRONTEND_FUNCTIONMATCHER_H

#include "skew/Frontend/StableHLORegions.h"
#include "skew/Frontend/UpdateMatcher.h"
#include "llvm/ADT/BitVector.h"

namespace mlir::skew {

/// The work behind matchFunction: pairs arguments with results by data flow,
/// tries rules, and accounts for what is left.
class FunctionMatcher {
public:
  /// `nesting`: how many regions the graph's root is inside.
  FunctionMatcher(SliceGraph &graph, const MatchOptions &options,
                  unsigned nesting = 0)
      : graph(graph), options(options), nesting(nesting),
        inLoop(isLoop(graph.getBody(0)->getParentOp())) {}
  FunctionMatch run();

private:
  /// Why the rule that came nearest refuses.
  struct Reason {
    unsigned stage, numStates;
    std::string text;
  };

  void pair();
  void findUsedArguments();
  void followOpaque(SmallVectorImpl<NodeId> &roots);
  void matchParameters();
  void matchRegions();
  void matchRegion(Operation *op, ScopeId scope);
  std::optional<unsigned> findDirectArgument(Value operand, ScopeId scope);
  std::optional<unsigned> findDirectResult(Value value, ScopeId scope);
  std::optional<CarriedTensor> findOuter(Operation *op, ScopeId scope,
                                         CarriedTensor tensor);
  std::string describeLostPlace(Operation *op, ScopeId scope,
                                CarriedTensor tensor, StringRef what);
  void refuseAmbiguous();
  void matchParameter(unsigned argument);
  SmallVector<SmallVector<NodeId, 2>>
  listElementChoices(CarriedTensor parameter, ArrayRef<CarriedTensor> states);
  void tryAssignments(OperationName rule, CarriedTensor parameter,
                      ArrayRef<unsigned> others, unsigned count,
                      std::vector<RaisedUpdate> &found);
  void tryStates(OperationName rule, CarriedTensor parameter,
                 ArrayRef<CarriedTensor> states, unsigned numOthers,
                 std::vector<RaisedUpdate> &found);
  bool isGradientArgument(unsigned argument, CarriedTensor parameter,
                          ArrayRef<CarriedTensor> states);
  void note(unsigned argument, unsigned stage, unsigned numStates,
            const std::string &reason);
  void account();
  void pairByEvidence(llvm::BitVector &done, llvm::BitVector &resultTaken);
  void declineUnmodelled(SmallVectorImpl<CarriedTensor> &rest);
  bool hasOpenResult(unsigned argument);
  std::optional<unsigned> followsCarriedState(NodeId node);
  void pairCounters(llvm::BitVector &done, llvm::BitVector &resultTaken,
                    SmallVectorImpl<CarriedTensor> &rest);
  bool isFrozen(CarriedTensor tensor);
  std::string describeBranch(unsigned result);
  /// `known.text`, or what tells the update better from the rules there are.
  std::string explainRefusal(CarriedTensor parameter, const Reason &known);
  std::optional<unsigned> findLaneCounter(ArrayRef<NodeId> update);
  std::string explainOtherShape(CarriedTensor parameter,
                                ArrayRef<NodeId> update);
  std::string explainCarriedScalar(CarriedTensor parameter,
                                   ArrayRef<NodeId> update);
  std::string explainStates(CarriedTensor parameter);
  std::string explainReplacedState(CarriedTensor parameter,
                                   ArrayRef<NodeId> update);
  std::optional<unsigned> findOpaqueSource(unsigned result, NodeId node);
  OtherStateKind classifyOther(CarriedTensor tensor);
  std::string hintAtExtraState(ArrayRef<unsigned> others,
                               ArrayRef<CarriedTensor> states);

  /// A loop carries each argument to its own place.
  bool mayCarry(unsigned argument, unsigned result) const {
    return argumentTypes[argument] == resultTypes[result] &&
           (!inLoop || argument == result);
  }

  bool reaches(unsigned result, unsigned argument) const {
    return llvm::is_contained(graph.getReachedArguments(results[result]),
                              argument);
  }

  SliceGraph &graph;
  const MatchOptions &options;
  unsigned nesting;
  /// The root is the body of a loop.
  bool inLoop;
  std::unique_ptr<UpdateFinder> finder;
  SmallVector<OperationName> rules;
  SmallVector<NodeId> arguments, results;
  SmallVector<Type> argumentTypes, resultTypes;
  /// Result that each argument is donated to.
  SmallVector<std::optional<unsigned>> alias;
  /// Results that can be the next value of each argument.
  SmallVector<SmallVector<unsigned, 2>> successors;
  /// Arguments that something not elementwise uses, other than through a
  /// result of the function.
  llvm::BitVector used;
  /// Arguments that the new value of a declined parameter takes in.
  llvm::BitVector usedByDeclined;
  /// What the op behind an opaque node takes.
  DenseMap<NodeId, SmallVector<NodeId>> opaqueOperands;
  /// Nodes that depend on carried state, through whatever ops, and an argument
  /// each that they depend on.
  std::optional<DenseMap<NodeId, unsigned>> afterState;
  /// Results that no argument is the elementwise past of.
  std::optional<llvm::BitVector> openResults;
  std::map<unsigned, Reason> reasons;
  FunctionMatch match;
};

} // namespace mlir::skew

#endif // SKEW_LIB_FRONTEND_FUNCTIONMATCHER_H
