//===- ParameterAxes.cpp - batch, row and column axes ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RoleVerdict.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"
#include <deque>

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

namespace {
using DimAxes = SmallVector<AxisSet, 4>;
} // namespace

/// The axes in `wanted` behind each dimension of the result of `use`, its batch
/// dimensions left out unless `withBatch`.
static std::optional<DimAxes> producedAxes(const FlatGraph &graph,
                                           const ParameterUse &use,
                                           AxisSet wanted,
                                           bool withBatch = false) {
  std::optional<DimMap> map = graph.mapDims(use.record, use.operand);
  if (!map)
    return std::nullopt;
  DimAxes axes = use.view->through(*map);
  const OpDims &dims = graph.dims(use.record);
  if (dims.kind == FlowKind::dot && !withBatch)
    for (unsigned dim = 0; dim < dims.lhsBatch.size(); ++dim)
      axes[dim] = 0;
  for (AxisSet &set : axes)
    set &= wanted;
  return axes;
}

static AxisSet axesOfDims(const DimAxes &axes, ArrayRef<int64_t> dims) {
  AxisSet set = 0;
  for (int64_t dim : dims)
    set |= axes[dim];
  return set;
}

static AxisSet axesOfBits(const DimAxes &axes, uint64_t bits) {
  AxisSet set = 0;
  for (unsigned dim = 0; dim < axes.size(); ++dim)
    if (bits >> dim & 1)
      set |= axes[dim];
  return set;
}

/// `axes` behind operand `number` of `record` carried to its result, without
/// those `found`; nothing if none is left.
static std::optional<DimAxes> carry(const FlatGraph &graph, RecordId record,
                                    unsigned number, const DimAxes &axes,
                                    AxisSet found) {
  std::optional<DimMap> next = graph.mapDims(record, number);
  if (!next)
    return std::nullopt;
  DimAxes mapped;
  AxisSet any = 0;
  for (uint64_t from : *next) {
    mapped.push_back(axesOfBits(axes, from) & ~found);
    any |= mapped.back();
  }
  if (!any)
    return std::nullopt;
  return mapped;
}

MetAxes AxisReader::expertAxesProduced(const ParameterUse &use,
                                       AxisSet column) const {
  MetAxes found;
  std::optional<DimAxes> start = producedAxes(graph, use, column);
  if (!start)
    return found;
  SmallVector<std::pair<ValueId, DimAxes>> stack{
      {graph.result(use.record), *start}};
  llvm::DenseSet<RecordId> seen;
  while (!stack.empty()) {
    auto [value, axes] = stack.pop_back_val();
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
            uint64_t experts = routing.expertDims(other);
            auto meet = [&, &axes = axes](ArrayRef<int64_t> own,
                                          ArrayRef<int64_t> others) {
              for (auto [dim, otherDim] : llvm::zip(own, others)) {
                found.all |= axes[dim];
                if (!experts || (experts >> otherDim & 1))
                  found.experts |= axes[dim];
              }
            };
            meet(dims.batchDims(number), dims.batchDims(1 - number));
            meet(dims.contractingDims(number),
                 dims.contractingDims(1 - number));
            continue;
          }
          // No evidence yet: heads do so, too.
          if (routing.tag(other).kind == TagKind::view)
            found.all |= axesOfDims(axes, dims.batchDims(number));
        }
        if (isJunction) {
          if (dims.kind == FlowKind::multiply) {
            ValueId other = graph.operand(user, 1 - number);
            uint64_t weighted = routing.nonBroadcastDims(other);
            uint64_t experts = routing.expertDims(other);
            found.all |= axesOfBits(axes, weighted);
            found.experts |=
                axesOfBits(axes, experts ? weighted & experts : weighted);
          }
          continue;
        }
        if (std::optional<DimAxes> next =
                carry(graph, user, number, axes, found.experts))
          stack.push_back({graph.result(user), *next});
      }
    }
  }
  return found;
}

GroupAxes AxisReader::groupAxesProduced(const ParameterUse &use,
                                        AxisSet made) const {
  GroupAxes found;
  std::optional<DimAxes> start =
      producedAxes(graph, use, made, /*withBatch=*/true);
  // One axis is the column.
  if (!start || llvm::count_if(*start, [](AxisSet set) { return set; }) < 2)
    return found;
  SetPool::Id product = routing.tag(graph.result(use.record)).products;
  std::deque<std::pair<ValueId, DimAxes>> queue{
      {graph.result(use.record), *start}};
  llvm::DenseSet<RecordId> seen;
  // Groups are weighted close to where they are made; the bound keeps this
  // linear.
  for (unsigned budget = 64; budget > 0 && !queue.empty();) {
    auto [value, axes] = std::move(queue.front());
    queue.pop_front();
    for (RecordId user : routing.users(value)) {
      if (graph.record(user).numResults == 0 || routing.isJunction(user) ||
          !seen.insert(user).second || budget == 0)
        continue;
      --budget;
      const OpDims &dims = graph.dims(user);
      for (auto [number, operand] : llvm::enumerate(graph.operands(user))) {
        if (operand != value)
          continue;
        if (number < 2 && graph.record(user).numOperands == 2) {
          ValueId other = graph.operand(user, 1 - number);
          AxisSet here = 0;
          if (dims.kind == FlowKind::dot) {
            size_t met = dims.batchDims(1 - number).size() +
                         dims.contractingDims(1 - number).size();
            if (routing.tag(other).kind == TagKind::view)
              here = axesOfDims(axes, dims.batchDims(number));
            else if (met == graph.rank(other) && routing.isGate(other, product))
              here = axesOfDims(axes, dims.batchDims(number)) |
                     axesOfDims(axes, dims.contractingDims(number));
          } else if (routing.isGate(other, product)) {
            // The result has the operand's dimensions, or puts batch first.
            if (std::optional<DimAxes> next =
                    carry(graph, user, number, axes, 0))
              here = axesOfBits(*next, routing.gatingDims(user, 1 - number));
          }
          found.all |= here;
          if (!routing.views().dependsOnParameters(other))
            found.picked |= here;
        }
        if (std::optional<DimAxes> next =
                carry(graph, user, number, axes, found.picked))
          queue.push_back({graph.result(user), *next});
      }
    }
  }
  return found;
}

GroupAxes AxisReader::groupAxes(const ParameterUse &use,
                                const AxisSplit &split) const {
  GroupAxes found =
      groupAxesProduced(use, split.column | (split.batch & ~use.view->indexed));
  if (!(split.column & ~found.all))
    found = {};
  const OpDims &dims = graph.dims(use.record);
  if (dims.kind != FlowKind::dot || use.operand > 1)
    return found;
  ValueId other = graph.operand(use.record, 1 - use.operand);
  AxisSet contracted = 0, picked = 0;
  for (auto [dim, otherDim] :
       llvm::zip(dims.contractingDims(use.operand),
                 dims.contractingDims(1 - use.operand))) {
    if (routing.gatedDims(other) >> otherDim & 1)
      contracted |= use.view->axes[dim];
    if (routing.pickedDims(other) >> otherDim & 1)
      picked |= use.view->axes[dim];
  }
  contracted &= split.row;
  if (split.row & ~contracted) {
    found.all |= contracted;
    found.picked |= picked & contracted;
  }
  return found;
}
