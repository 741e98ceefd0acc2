//===- ParameterViews.h - which values are a parameter ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_ANALYSIS_PARAMETERVIEWS_H
#define SKEW_ANALYSIS_PARAMETERVIEWS_H

#include "skew/Analysis/SetPool.h"
#include "skew/Frontend/FlatGraph.h"

namespace mlir::skew {

/// A set of axes of one parameter: bit d for axis d.
using AxisSet = uint64_t;

/// A value that is one parameter in another guise: converted, transposed,
/// scaled by a constant, sliced.
struct ParameterView {
  unsigned parameter;
  /// Per dimension of the value: the parameter's axes it runs along.
  SmallVector<AxisSet, 4> axes;
  /// Axes of which one place was picked: a layer of a stack.
  AxisSet indexed = 0;

  AxisSet allAxes() const {
    AxisSet all = 0;
    for (AxisSet set : axes)
      all |= set;
    return all;
  }
  /// The axes of the dimensions in `dims`.
  AxisSet axesOf(ArrayRef<int64_t> dims) const {
    AxisSet all = 0;
    for (int64_t dim : dims)
      all |= axes[dim];
    return all;
  }
  /// The view's dimensions seen through `map`.
  SmallVector<AxisSet, 4> through(const DimMap &map) const;
};

/// Which parameters each value of a graph depends on, and which values are
/// still views of one.
class ParameterViews {
public:
  using ValueId = FlatGraph::ValueId;
  using RecordId = FlatGraph::RecordId;

  /// `parameters` are argument numbers.
  ParameterViews(const FlatGraph &graph, ArrayRef<unsigned> parameters);

  const FlatGraph &graph() const { return flat; }
  unsigned numParameters() const { return parameters.size(); }
  ArrayRef<unsigned> parameterArguments() const { return parameters; }
  ArrayRef<int64_t> shapeOf(unsigned parameter) const {
    return flat.shape(flat.arguments()[parameters[parameter]]);
  }

  bool dependsOnParameters(ValueId value) const {
    return dependence[value] != SetPool::kEmpty;
  }
  bool dependsOn(ValueId value, unsigned parameter) const {
    return pool.contains(dependence[value], parameter);
  }
  /// True if an argument that is no parameter reaches `value`.
  bool dependsOnData(ValueId value) const { return data[value]; }

  /// Null if `value` is no view.
  const ParameterView *viewOf(ValueId value) const {
    return viewNumbers[value] == FlatGraph::kNone ? nullptr
                                                  : &views[viewNumbers[value]];
  }

  /// Records that turn a view of `parameter` into something else, in program
  /// order: `firstUses` where the other operands do not depend on it,
  /// `laterUses` where they do (gradients, shared weights).
  ArrayRef<RecordId> firstUses(unsigned parameter) const {
    return first[parameter];
  }
  ArrayRef<RecordId> laterUses(unsigned parameter) const {
    return later[parameter];
  }

private:
  bool extend(RecordId id, ArrayRef<unsigned> viewOperands);
  bool scalesData(RecordId id, const ParameterView &view) const;

  const FlatGraph &flat;
  SmallVector<unsigned> parameters;
  SetPool pool;
  std::vector<SetPool::Id> dependence;
  std::vector<bool> data;
  std::vector<uint32_t> viewNumbers;
  std::deque<ParameterView> views;
  std::vector<SmallVector<RecordId, 2>> first, later;
};

/// True if `value`, which depends on no parameter, is an equality test in
/// another guise.
bool isOneHot(const FlatGraph &graph, FlatGraph::ValueId value);

} // namespace mlir::skew

#endif // SKEW_ANALYSIS_PARAMETERVIEWS_H
