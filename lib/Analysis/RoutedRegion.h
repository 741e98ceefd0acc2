//===- RoutedRegion.h - questions about routed regions ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to the library: what a verdict asks about the part of a graph that
// one router's weights apply to.
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_LIB_ANALYSIS_ROUTEDREGION_H
#define SKEW_LIB_ANALYSIS_ROUTEDREGION_H

#include "skew/Analysis/RoutingAnalysis.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::skew::detail {

class RoutedRegion {
public:
  using ValueId = FlatGraph::ValueId;
  using RecordId = FlatGraph::RecordId;

  explicit RoutedRegion(RoutingAnalysis &routing);

  /// True if a path leads from `product` through a junction of `router` to a
  /// product inside its region: the product stands before the dispatch.
  bool leadsToExperts(RecordId product, const Router &router) const;
  /// True if the routing side of `junction` has an expert axis.
  bool carriesExperts(RecordId junction) const;
  /// True if other weights reach only parts of `junctions`, two of them
  /// disjoint: separate experts that share something.
  bool isSharedBySeparate(SetPool::Id junctions) const;
  /// The router that the first fate of `kind` in `fates` belongs to, or null.
  const Router *routerIn(SetPool::Id fates, Fate::Kind kind) const;
  /// The last router that dispatched to `use` along an axis of its experts,
  /// where the weight was applied before and nothing is weighted behind.
  const Router *routerUpstream(const ParameterUse &use) const;

private:
  RoutingAnalysis &routing;
  const FlatGraph &graph;
  /// Contractions of parameters whose result must be weighted by one router.
  llvm::MapVector<RecordId, SetPool::Id> weightedProducts;
};

} // namespace mlir::skew::detail

#endif // SKEW_LIB_ANALYSIS_ROUTEDREGION_H
