//===- StableHLODimMaps.cpp - where dimensions of operands go -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/BuiltinTypes.h"
#include "skew/Frontend/StableHLODims.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::skew;

bool mlir::skew::isElementwise(FlowKind kind) {
  return kind >= FlowKind::add && kind <= FlowKind::elementwise;
}

bool mlir::skew::isContraction(FlowKind kind) {
  return kind == FlowKind::dot || kind == FlowKind::convolution ||
         kind == FlowKind::raggedDot;
}

bool mlir::skew::keepsDims(FlowKind kind) {
  switch (kind) {
  case FlowKind::slice:
  case FlowKind::dynamicSlice:
  case FlowKind::updateSlice:
  case FlowKind::sameDims:
  case FlowKind::customCall:
  case FlowKind::window:
  case FlowKind::pass:
  case FlowKind::sort:
  case FlowKind::topK:
  case FlowKind::phi:
  case FlowKind::loopResult:
  case FlowKind::join:
    return true;
  default:
    return isElementwise(kind);
  }
}

static uint64_t bit(int64_t dim) { return uint64_t(1) << dim; }

/// Pairs groups of operand and result dimensions with equal products. Unit
/// dimensions belong to no group: they come from nowhere.
static std::optional<DimMap> mapReshape(ArrayRef<int64_t> from,
                                        ArrayRef<int64_t> to) {
  if (llvm::any_of(from, ShapedType::isDynamic) ||
      llvm::any_of(to, ShapedType::isDynamic)) {
    if (from != to)
      return std::nullopt;
    DimMap same;
    for (size_t dim = 0; dim < from.size(); ++dim)
      same.push_back(bit(dim));
    return same;
  }
  SmallVector<int64_t, 6> fromDims, toDims;
  for (auto [dim, size] : llvm::enumerate(from))
    if (size != 1)
      fromDims.push_back(dim);
  for (auto [dim, size] : llvm::enumerate(to))
    if (size != 1)
      toDims.push_back(dim);
  DimMap map(to.size(), 0);
  size_t i = 0, j = 0;
  while (i < fromDims.size() && j < toDims.size()) {
    uint64_t group = bit(fromDims[i]);
    size_t firstResult = j;
    int64_t fromSize = from[fromDims[i++]], toSize = to[toDims[j++]];
    while (fromSize != toSize) {
      bool overflow;
      if (fromSize < toSize) {
        if (i == fromDims.size())
          return std::nullopt;
        group |= bit(fromDims[i]);
        overflow = llvm::MulOverflow(fromSize, from[fromDims[i++]], fromSize);
      } else {
        if (j == toDims.size())
          return std::nullopt;
        overflow = llvm::MulOverflow(toSize, to[toDims[j++]], toSize);
      }
      if (overflow)
        return std::nullopt;
    }
    for (; firstResult < j; ++firstResult)
      map[toDims[firstResult]] = group;
  }
  if (i != fromDims.size() || j != toDims.size())
    return std::nullopt;
  return map;
}

/// Result dimensions of a product: batch, free of the left, free of the right.
static std::optional<DimMap> mapProduct(const OpDims &op,
                                        ArrayRef<ArrayRef<int64_t>> shapes,
                                        size_t resultRank, unsigned operand) {
  if (operand > 1)
    return std::nullopt;
  SmallVector<int64_t, 4> free[2];
  for (unsigned side : {0u, 1u})
    for (int64_t dim = 0; dim < static_cast<int64_t>(shapes[side].size());
         ++dim)
      if (!llvm::is_contained(op.batchDims(side), dim) &&
          !llvm::is_contained(op.contractingDims(side), dim) &&
          (side == 0 || !llvm::is_contained(op.rhsGroup, dim)))
        free[side].push_back(dim);
  // A ragged product over a ragged contracting dimension has another layout.
  if (op.lhsBatch.size() + free[0].size() + free[1].size() != resultRank)
    return std::nullopt;
  DimMap map(resultRank, 0);
  for (auto [place, dim] : llvm::enumerate(op.batchDims(operand)))
    map[place] = bit(dim);
  size_t first = op.lhsBatch.size() + (operand == 0 ? 0 : free[0].size());
  for (auto [place, dim] : llvm::enumerate(free[operand]))
    map[first + place] = bit(dim);
  return map;
}

/// Pairs `window` dimensions with the operand dimensions that are neither
/// collapsed nor batching, in order.
static SmallVector<std::pair<int64_t, int64_t>, 4>
windowPairs(const OpDims &op, size_t operandRank) {
  SmallVector<std::pair<int64_t, int64_t>, 4> pairs;
  size_t next = 0;
  for (int64_t dim = 0; dim < static_cast<int64_t>(operandRank); ++dim)
    if (!llvm::is_contained(op.collapsed, dim) &&
        !llvm::is_contained(op.operandBatch, dim) && next < op.window.size())
      pairs.push_back({op.window[next++], dim});
  return pairs;
}

/// For each batching dimension of the operand: its dimension in the batch part
/// (result of a gather, updates of a scatter) of rank `batchedRank`.
static SmallVector<std::pair<int64_t, int64_t>, 2>
batchPairs(const OpDims &op, size_t indexRank, size_t batchedRank) {
  SmallVector<int64_t, 6> batchDims, indexDims;
  for (int64_t dim = 0; dim < static_cast<int64_t>(batchedRank); ++dim)
    if (!llvm::is_contained(op.window, dim))
      batchDims.push_back(dim);
  for (int64_t dim = 0; dim < static_cast<int64_t>(indexRank); ++dim)
    if (dim != op.indexVectorDim)
      indexDims.push_back(dim);
  SmallVector<std::pair<int64_t, int64_t>, 2> pairs;
  for (auto [operandDim, indexDim] :
       llvm::zip(op.operandBatch, op.indexBatch)) {
    size_t place = llvm::find(indexDims, indexDim) - indexDims.begin();
    if (place < indexDims.size() && place < batchDims.size())
      pairs.push_back({batchDims[place], operandDim});
  }
  return pairs;
}

static std::optional<DimMap> mapGather(const OpDims &op,
                                       ArrayRef<ArrayRef<int64_t>> shapes,
                                       size_t resultRank, unsigned operand) {
  if (operand != 0)
    return std::nullopt;
  DimMap map(resultRank, 0);
  for (auto [resultDim, operandDim] : windowPairs(op, shapes[0].size()))
    map[resultDim] |= bit(operandDim);
  for (auto [resultDim, operandDim] :
       batchPairs(op, shapes[1].size(), resultRank))
    map[resultDim] |= bit(operandDim);
  return map;
}

std::optional<DimMap> mlir::skew::mapDims(const OpDims &op,
                                          ArrayRef<ArrayRef<int64_t>> shapes,
                                          ArrayRef<int64_t> resultShape,
                                          unsigned operand) {
  ArrayRef<int64_t> shape = shapes[operand];
  size_t rank = resultShape.size();
  if (keepsDims(op.kind)) {
    if (shape.size() != rank) {
      if (shape.empty())
        return DimMap(rank, 0);
      return std::nullopt;
    }
    DimMap map;
    for (size_t dim = 0; dim < rank; ++dim)
      map.push_back(bit(dim));
    return map;
  }
  switch (op.kind) {
  case FlowKind::broadcast: {
    DimMap map(rank, 0);
    if (operand != 0)
      return map;
    for (auto [from, to] : llvm::enumerate(op.dims))
      if (shape[from] == resultShape[to])
        map[to] = bit(from);
    return map;
  }
  case FlowKind::transpose: {
    DimMap map;
    for (int64_t from : op.dims)
      map.push_back(bit(from));
    return map;
  }
  case FlowKind::reshape:
    if (operand != 0)
      return std::nullopt;
    return mapReshape(shape, resultShape);
  case FlowKind::reduce:
  case FlowKind::argReduce: {
    if (shape.size() != rank + op.dims.size())
      return std::nullopt;
    DimMap map;
    for (int64_t dim = 0; dim < static_cast<int64_t>(shape.size()); ++dim)
      if (!llvm::is_contained(op.dims, dim))
        map.push_back(bit(dim));
    return map;
  }
  case FlowKind::dot:
  case FlowKind::outer:
  case FlowKind::raggedDot:
    return mapProduct(op, shapes, rank, operand);
  case FlowKind::gather:
    return mapGather(op, shapes, rank, operand);
  case FlowKind::scatter: {
    size_t inputs = shapes.size() / 2;
    DimMap map(rank, 0);
    if (operand < inputs) {
      if (shape.size() != rank)
        return std::nullopt;
      for (size_t dim = 0; dim < rank; ++dim)
        map[dim] = bit(dim);
      return map;
    }
    if (operand == inputs)
      return std::nullopt;
    for (auto [updateDim, operandDim] : windowPairs(op, rank))
      map[operandDim] |= bit(updateDim);
    for (auto [updateDim, operandDim] :
         batchPairs(op, shapes[inputs].size(), shape.size()))
      map[operandDim] |= bit(updateDim);
    return map;
  }
  default:
    return std::nullopt;
  }
}
