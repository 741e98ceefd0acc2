//===- RoleVerdict.h - the verdict on one parameter -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Internal to the library: what one forward slice says about each parameter.
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_LIB_ANALYSIS_ROLEVERDICT_H
#define SKEW_LIB_ANALYSIS_ROLEVERDICT_H

#include "skew/Analysis/RoleAnalysis.h"
#include "skew/Analysis/RoutingAnalysis.h"

namespace mlir::skew::detail {

/// The axes in `set`, ascending.
SmallVector<int64_t> listOf(AxisSet set);

/// Product of the sizes of the axes in `set`; 0 if one is not known.
int64_t sizeOf(ArrayRef<int64_t> shape, AxisSet set);

/// Axes that meet a routing weight. `experts`: those that meet an axis that the
/// router chose along; others (heads) may have a weight each, too.
struct MetAxes {
  AxisSet all = 0, experts = 0;
};

/// Axes that count slices of which a soft mixture, or an index that no
/// parameter decides (`picked`), weights each.
struct GroupAxes {
  AxisSet all = 0, picked = 0;
};

/// A split of some axes of a parameter.
struct AxisSplit {
  AxisSet batch = 0, row = 0, column = 0;
};

struct Verdict {
  Role role = Role::backbone;
  /// False: the slice does not read the parameter.
  bool used = false;
  /// The role holds, but rests on one observation only.
  bool singleSided = false;
  AxisSplit axes;
  /// Axes of which a loop or slice picks one place: stacked layers.
  AxisSet indexed = 0;
  /// False: no use shows how the axes fall.
  bool axesKnown = false;
  std::string axesNote;
  SmallVector<Evidence> evidence;
  /// router and expert: the router concerned.
  const Router *router = nullptr;
};

/// Splits the axes of parameters by the uses that a routing analysis found.
class AxisReader {
public:
  explicit AxisReader(const RoutingAnalysis &routing)
      : routing(routing), graph(routing.graph()) {}

  /// The split that a contraction, lookup or selection shows.
  AxisSplit axesOf(const ParameterUse &use) const;
  /// Axes that meet an expert axis of the routed activation.
  AxisSet expertAxesMet(const ParameterUse &use) const;
  /// Produced axes in `column` that later meet the routing weight, the expert
  /// axis where every expert sees every token, or are a batch dimension against
  /// another parameter.
  MetAxes expertAxesProduced(const ParameterUse &use, AxisSet column) const;
  /// The axes of groups that no router chooses from: produced by `use` and then
  /// weighted one by one or multiplied group by group, or contracted after they
  /// were weighted. Leaves a column and a row.
  GroupAxes groupAxes(const ParameterUse &use, const AxisSplit &split) const;

private:
  GroupAxes groupAxesProduced(const ParameterUse &use, AxisSet made) const;

  const RoutingAnalysis &routing;
  const FlatGraph &graph;
};

/// One verdict per parameter.
std::vector<Verdict> judgeParameters(RoutingAnalysis &routing);

} // namespace mlir::skew::detail

#endif // SKEW_LIB_ANALYSIS_ROLEVERDICT_H
