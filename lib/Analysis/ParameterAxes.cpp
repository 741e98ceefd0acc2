//===- ParameterAxes.cpp - batch, row and column axes ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RoleVerdict.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::skew;
using namespace mlir::skew::detail;

using RecordId = FlatGraph::RecordId;
using ValueId = FlatGraph::ValueId;

SmallVector<int64_t> mlir::skew::detail::listOf(AxisSet set) {
  SmallVector<int64_t> axes;
  for (; set; set &= set - 1)
    axes.push_back(llvm::countr_zero(set));
  return axes;
}

int64_t mlir::skew::detail::sizeOf(ArrayRef<int64_t> shape, AxisSet set) {
  int64_t size = 1;
  for (int64_t axis : listOf(set))
    if (ShapedType::isDynamic(shape[axis]) ||
        llvm::MulOverflow(size, shape[axis], size))
      return 0;
  return size;
}

AxisSplit AxisReader::axesOf(const ParameterUse &use) const {
  const OpDims &dims = graph.dims(use.record);
  const ParameterView &view = *use.view;
  AxisSplit split;
  split.batch = view.indexed;
  auto assign = [&](auto classify) {
    for (unsigned dim = 0; dim < view.axes.size(); ++dim)
      classify(dim) |= view.axes[dim];
  };
  switch (dims.kind) {
  case FlowKind::dot: {
    if (use.operand > 1)
      break;
    ArrayRef<int64_t> batch = dims.batchDims(use.operand);
    ArrayRef<int64_t> contract = dims.contractingDims(use.operand);
    ArrayRef<int64_t> otherContract = dims.contractingDims(1 - use.operand);
    ValueId other = graph.operand(use.record, 1 - use.operand);
    assign([&](int64_t dim) -> AxisSet & {
      if (llvm::is_contained(batch, dim))
        return split.batch;
      auto *at = llvm::find(contract, dim);
      if (at == contract.end())
        return split.column;
      // Contracted along an axis on which the activation is a broadcast and
      // only the routing varies: that picks experts, it does not mix them.
      int64_t otherDim = otherContract[at - contract.begin()];
      bool picks = routing.tag(other).kind == TagKind::chosen ||
                   (routing.isInsideAny(other) &&
                    !(routing.variesAlong(other) >> otherDim & 1));
      return picks ? split.batch : split.row;
    });
    break;
  }
  case FlowKind::raggedDot:
    if (use.operand != 1)
      break;
    assign([&](int64_t dim) -> AxisSet & {
      if (llvm::is_contained(dims.rhsGroup, dim) ||
          llvm::is_contained(dims.rhsBatch, dim))
        return split.batch;
      return llvm::is_contained(dims.rhsContract, dim) ? split.row
                                                       : split.column;
    });
    break;
  case FlowKind::convolution:
    if (use.operand != 1)
      break;
    assign([&](int64_t dim) -> AxisSet & {
      return dim == dims.kernelOutput ? split.column : split.row;
    });
    break;
  case FlowKind::gather: {
    // A lookup: the vocabulary is the row. A selection: the experts are a
    // batch.
    bool isLookup = use.kind == UseKind::lookup;
    assign([&](int64_t dim) -> AxisSet & {
      if (llvm::is_contained(dims.operandBatch, dim))
        return split.batch;
      if (llvm::is_contained(dims.collapsed, dim))
        return isLookup ? split.row : split.batch;
      return split.column;
    });
    break;
  }
  default:
    break;
  }
  return split;
}

AxisSet AxisReader::expertAxesMet(const ParameterUse &use) const {
  const OpDims &dims = graph.dims(use.record);
  if (dims.kind != FlowKind::dot || use.kind == UseKind::selectedProduct ||
      use.operand > 1)
    return 0;
  ValueId other = graph.operand(use.record, 1 - use.operand);
  if (routing.isRouterValue(other) || !routing.isInsideAny(other))
    return 0;
  uint64_t experts = routing.expertDims(other);
  AxisSet axes = 0;
  auto meet = [&](ArrayRef<int64_t> own, ArrayRef<int64_t> others) {
    for (auto [dim, otherDim] : llvm::zip(own, others))
      if (experts >> otherDim & 1)
        axes |= use.view->axes[dim];
  };
  meet(dims.batchDims(use.operand), dims.batchDims(1 - use.operand));
  meet(dims.contractingDims(use.operand),
       dims.contractingDims(1 - use.operand));
  return axes;
}

AxisSet AxisReader::expertAxesProduced(const ParameterUse &use,
                                       AxisSet column) const {
  using DimAxes = SmallVector<AxisSet, 4>;
  std::optional<DimMap> map = graph.mapDims(use.record, use.operand);
  if (!map)
    return 0;
  DimAxes start = use.view->through(*map);
  const OpDims &useDims = graph.dims(use.record);
  if (useDims.kind == FlowKind::dot)
    for (unsigned dim = 0; dim < useDims.lhsBatch.size(); ++dim)
      start[dim] = 0;
  for (AxisSet &set : start)
    set &= column;

  AxisSet found = 0;
  SmallVector<std::pair<ValueId, DimAxes>> stack{
      {graph.result(use.record), start}};
  llvm::DenseSet<RecordId> seen;
  while (!stack.empty()) {
    auto [value, axes] = stack.pop_back_val();
    auto axesOfDims = [&axes = axes](ArrayRef<int64_t> dims) {
      AxisSet set = 0;
      for (int64_t dim : dims)
        set |= axes[dim];
      return set;
    };
    for (RecordId user : routing.users(value)) {
      if (!seen.insert(user).second || graph.record(user).numResults == 0)
        continue;
      const OpDims &dims = graph.dims(user);
      bool isJunction = routing.isJunction(user);
      for (auto [number, operand] : llvm::enumerate(graph.operands(user))) {
        if (operand != value)
          continue;
        if ((dims.kind == FlowKind::dot ||
             (dims.kind == FlowKind::outer && isJunction)) &&
            number < 2) {
          ValueId other = graph.operand(user, 1 - number);
          if (isJunction) {
            found |= axesOfDims(dims.batchDims(number)) |
                     axesOfDims(dims.contractingDims(number));
            continue;
          }
          if (routing.tag(other).kind == TagKind::view)
            found |= axesOfDims(dims.batchDims(number));
        }
        if (isJunction) {
          if (dims.kind == FlowKind::multiply) {
            uint64_t weighted =
                routing.nonBroadcastDims(graph.operand(user, 1 - number));
            for (unsigned dim = 0; dim < axes.size(); ++dim)
              if (weighted >> dim & 1)
                found |= axes[dim];
          }
          continue;
        }
        std::optional<DimMap> next = graph.mapDims(user, number);
        if (!next)
          continue;
        DimAxes mapped;
        AxisSet any = 0;
        for (uint64_t from : *next) {
          AxisSet set = 0;
          for (unsigned dim = 0; dim < axes.size(); ++dim)
            if (from >> dim & 1)
              set |= axes[dim];
          mapped.push_back(set & ~found);
          any |= mapped.back();
        }
        if (any)
          stack.push_back({graph.result(user), mapped});
      }
    }
  }
  return found;
}
