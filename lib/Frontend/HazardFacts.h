//===- HazardFacts.h - what a graph does around an update -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to the library. An update op says what is computed, not how the
// original graph went about it. What skew-detect-hazards needs of that is
// recorded in the parameter's entry, key `facts`.
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_LIB_FRONTEND_HAZARDFACTS_H
#define SKEW_LIB_FRONTEND_HAZARDFACTS_H

#include "skew/Frontend/UpdateMatcher.h"

namespace mlir::skew {

class HazardFacts {
public:
  /// Reads `graph`, in whose function `match` was found; before any of it
  /// changes.
  HazardFacts(SliceGraph &graph, const FunctionMatch &match);

  /// The facts about one of the updates, null if there are none:
  ///   norm_over      parameters whose gradients enter a scalar that scales
  ///                  this one's, if there are several
  ///   gradient_cast  16-bit type that the gradient was rounded to
  ///   squared_in     16-bit type that it was squared in
  ///   step_type      type of the counter, if it is a float or below 32 bits
  ///   step_cast      16-bit type that the count was rounded to
  DictionaryAttr get(const RaisedUpdate &update);

  /// The facts about a parameter that no rule explains:
  ///   updates  two lists of arguments: the states of two updates in one step,
  ///            which share none
  DictionaryAttr get(const DeclinedParameter &declined);

private:
  int64_t countNormed(const RaisedUpdate &update);
  const SmallVector<unsigned> &gradientsBelow(NodeId scalar);
  void addRoundings(const RaisedUpdate &update, NamedAttrList &facts);
  void addStep(const RaisedUpdate &update, NamedAttrList &facts);

  SmallVector<int64_t> statesBelow(NodeId id, unsigned parameter) const;

  SliceGraph &graph;
  /// Arguments that are carried and no parameter.
  DenseSet<unsigned> carried;
  /// Leaf of a gradient -> number of the update.
  DenseMap<NodeId, unsigned> owners;
  DenseMap<NodeId, SmallVector<unsigned>> known;
};

} // namespace mlir::skew

#endif // SKEW_LIB_FRONTEND_HAZARDFACTS_H
