//===- ParameterViews.cpp - which values are a parameter ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Analysis/ParameterViews.h"

using namespace mlir;
using namespace mlir::skew;

SmallVector<AxisSet, 4> ParameterView::through(const DimMap &map) const {
  SmallVector<AxisSet, 4> result;
  for (uint64_t dims : map) {
    AxisSet set = 0;
    for (unsigned dim = 0; dim < axes.size(); ++dim)
      if (dims >> dim & 1)
        set |= axes[dim];
    result.push_back(set);
  }
  return result;
}

ParameterViews::ParameterViews(const FlatGraph &graph,
                               ArrayRef<unsigned> parameterArguments)
    : flat(graph), parameters(parameterArguments),
      dependence(graph.numValues(), SetPool::kEmpty),
      data(graph.numValues(), false),
      viewNumbers(graph.numValues(), FlatGraph::kNone),
      first(parameterArguments.size()), later(parameterArguments.size()) {
  for (ValueId value : flat.arguments())
    data[value] = true;
  for (auto [number, argument] : llvm::enumerate(parameters)) {
    ValueId value = flat.arguments()[argument];
    data[value] = false;
    dependence[value] = pool.single(number);
    viewNumbers[value] = views.size();
    ParameterView view{static_cast<unsigned>(number), {}, 0};
    for (unsigned axis = 0; axis < flat.rank(value); ++axis)
      view.axes.push_back(AxisSet(1) << axis);
    views.push_back(std::move(view));
  }

  SmallVector<unsigned> viewOperands;
  for (RecordId id = 0; id < flat.numRecords(); ++id) {
    ArrayRef<ValueId> operands = flat.operands(id);
    SetPool::Id set = SetPool::kEmpty;
    bool hasData = false, hasOthers = false, sameParameter = true;
    viewOperands.clear();
    for (auto [number, value] : llvm::enumerate(operands)) {
      set = pool.unite(set, dependence[value]);
      hasData = hasData || data[value];
      if (const ParameterView *view = viewOf(value)) {
        sameParameter =
            sameParameter &&
            (viewOperands.empty() ||
             viewOf(operands[viewOperands[0]])->parameter == view->parameter);
        viewOperands.push_back(number);
      } else if (dependsOnParameters(value)) {
        hasOthers = true;
      }
    }
    for (ValueId result : flat.results(id)) {
      dependence[result] = set;
      data[result] = hasData;
    }
    if (viewOperands.empty())
      continue;
    if (!hasOthers && sameParameter && extend(id, viewOperands))
      continue;
    for (unsigned number : viewOperands) {
      unsigned parameter = viewOf(operands[number])->parameter;
      bool isLater = false;
      for (auto [other, value] : llvm::enumerate(operands))
        isLater = isLater || (other != number && dependsOn(value, parameter));
      SmallVector<RecordId, 2> &uses = (isLater ? later : first)[parameter];
      if (uses.empty() || uses.back() != id)
        uses.push_back(id);
    }
  }
}

/// True if `id` joins data with a parameter that is a broadcast along some
/// dimension: a scale of the inputs rather than a masked weight.
bool ParameterViews::scalesData(RecordId id, const ParameterView &view) const {
  bool isBroadcast = false;
  for (auto [dim, size] : llvm::enumerate(flat.shape(flat.result(id))))
    isBroadcast = isBroadcast || (size != 1 && view.axes[dim] == 0);
  return isBroadcast && llvm::any_of(flat.operands(id), [&](ValueId value) {
           return !dependsOnParameters(value) && data[value] &&
                  flat.rank(value) > 0;
         });
}

/// Makes the results of `id`, which depends on one parameter through
/// `viewOperands` only, views of it; false if `id` is a use instead.
bool ParameterViews::extend(RecordId id, ArrayRef<unsigned> viewOperands) {
  if (flat.record(id).numResults == 0)
    return false;
  const OpDims &dims = flat.dims(id);
  bool onlyOperand = viewOperands.size() == 1 && viewOperands[0] == 0;
  switch (dims.kind) {
  case FlowKind::gather: {
    // One index picks one place of the collapsed dimensions.
    if (!onlyOperand || flat.record(id).numOperands < 2)
      return false;
    for (auto [dim, size] : llvm::enumerate(flat.shape(flat.operand(id, 1))))
      if (static_cast<int64_t>(dim) != dims.indexVectorDim && size != 1)
        return false;
    break;
  }
  case FlowKind::updateSlice: {
    // Written into an empty buffer: a loop that saves its slices of a stack.
    ValueId buffer = flat.operand(id, 0);
    bool isSaved = viewOperands.size() == 1 && viewOperands[0] == 1 &&
                   !dependsOnParameters(buffer) && !data[buffer];
    if (!onlyOperand && !isSaved)
      return false;
    break;
  }
  case FlowKind::dot:
  case FlowKind::convolution:
  case FlowKind::raggedDot:
  case FlowKind::scatter:
  case FlowKind::sort:
  case FlowKind::topK:
  case FlowKind::window:
  case FlowKind::customCall:
  case FlowKind::argReduce:
  case FlowKind::opaque:
    return false;
  default:
    break;
  }

  const ParameterView &source = *viewOf(flat.operand(id, viewOperands[0]));
  ParameterView view{source.parameter, {}, 0};
  view.axes.assign(flat.rank(flat.result(id)), 0);
  for (unsigned number : viewOperands) {
    const ParameterView &operand = *viewOf(flat.operand(id, number));
    std::optional<DimMap> map = flat.mapDims(id, number);
    if (!map)
      return false;
    view.indexed |= operand.indexed;
    for (auto [set, more] : llvm::zip(view.axes, operand.through(*map)))
      set |= more;
  }
  ArrayRef<int64_t> shape = flat.shape(flat.operand(id, 0));
  if (dims.kind == FlowKind::gather) {
    for (int64_t dim : dims.collapsed)
      if (shape[dim] != 1)
        view.indexed |= source.axes[dim];
  } else if (dims.kind == FlowKind::slice ||
             dims.kind == FlowKind::dynamicSlice) {
    ArrayRef<int64_t> resultShape = flat.shape(flat.result(id));
    for (unsigned dim = 0; dim < shape.size(); ++dim)
      if (resultShape[dim] == 1 && shape[dim] != 1) {
        view.indexed |= view.axes[dim];
        view.axes[dim] = 0;
      }
  }
  if (isElementwise(dims.kind) && scalesData(id, view))
    return false;
  for (ValueId result : flat.results(id))
    viewNumbers[result] = views.size();
  views.push_back(std::move(view));
  return true;
}

bool mlir::skew::isOneHot(const FlatGraph &graph, FlatGraph::ValueId value) {
  SmallVector<FlatGraph::ValueId> stack{value};
  // One-hots are made of a handful of operations.
  for (unsigned budget = 24; budget > 0 && !stack.empty(); --budget) {
    FlatGraph::RecordId id = graph.definer(stack.pop_back_val());
    if (id == FlatGraph::kNone || graph.record(id).numOperands == 0)
      continue;
    switch (FlowKind kind = graph.kind(id); kind) {
    case FlowKind::compare:
      if (graph.dims(id).equality)
        return true;
      break;
    case FlowKind::multiply:
      stack.push_back(graph.operand(id, 1));
      stack.push_back(graph.operand(id, 0));
      break;
    default:
      if (keepsDims(kind) || kind == FlowKind::reshape ||
          kind == FlowKind::transpose || kind == FlowKind::broadcast)
        stack.push_back(graph.operand(id, 0));
    }
  }
  return false;
}
