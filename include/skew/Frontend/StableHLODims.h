//===- StableHLODims.h - dimensions of StableHLO operations -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dimension side of the StableHLO adaptor: what an operation does with the
// dimensions of its operands, read from its attributes. Works on unregistered
// operations and on the registered dialect alike, because nothing is asked but
// the operation's name, its attributes by name, and their text.
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_FRONTEND_STABLEHLODIMS_H
#define SKEW_FRONTEND_STABLEHLODIMS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace mlir::skew {

/// What an operation means to analyses that follow values and dimensions. The
/// kinds are as coarse as those analyses allow.
enum class FlowKind : uint8_t {
  /// Nothing is known: every result depends on every operand.
  opaque,
  constant,
  iota,
  // Elementwise, set apart where a consumer has to tell them apart.
  add, ///< sums and differences
  multiply,
  divide,
  compare,
  select,
  root,   ///< square roots, their reciprocals, powers
  squash, ///< tanh, logistic, exponential, error function
  elementwise,
  // The result has the operand's dimensions, each perhaps of another size.
  slice,
  dynamicSlice,
  updateSlice,
  sameDims,
  customCall,
  window,
  /// The value itself: sharding annotations, resharding.
  pass,
  // Layout.
  broadcast,
  transpose,
  reshape,
  // Reductions and products.
  reduce,
  argReduce, ///< several operands reduced together, such as argmax
  dot,
  outer, ///< a product without contracting dimensions: a broadcast multiply
  convolution,
  raggedDot,
  // Lookups and choices.
  gather,
  scatter,
  sort,
  topK,
  // Control flow; never seen in a FlatGraph.
  call,
  loop,
  branches,
  region,
  barrier,
  terminator,
  // Made by FlatGraph.
  phi,
  loopResult,
  join,
};

/// True for kinds whose result element depends on the operand elements at the
/// same place only.
bool isElementwise(FlowKind kind);
/// True for products that sum over a dimension of a parameter.
bool isContraction(FlowKind kind);
/// True for kinds that keep the number of dimensions and their order.
bool keepsDims(FlowKind kind);

/// Per result dimension the set (bit d: dimension d) of the operand dimensions
/// that it runs along.
using DimMap = SmallVector<uint64_t, 6>;

/// The dimension numbers of one operation, checked against its types: every
/// dimension named here exists.
struct OpDims {
  using Dims = SmallVector<int64_t, 4>;

  FlowKind kind = FlowKind::opaque;
  /// broadcast: result dimension of each operand dimension; transpose: the
  /// permutation; reduce: the dimensions reduced over; iota, sort: its
  /// dimension.
  Dims dims;
  /// reduce: the body adds.
  bool sums = false;
  /// compare: for equality.
  bool equality = false;
  /// dot, outer, raggedDot.
  Dims lhsBatch, rhsBatch, lhsContract, rhsContract, rhsGroup;
  /// convolution: the kernel's feature dimensions.
  int64_t kernelInput = 0, kernelOutput = 0;
  /// gather and scatter. `window`: the result's (updates') dimensions that run
  /// along the operand; `collapsed`: operand dimensions that they leave out.
  Dims window, collapsed, operandBatch, indexBatch;
  int64_t indexVectorDim = 0;
  /// call: the symbol that is called; customCall: its target.
  StringRef symbol;

  /// The batch and contracting dimensions of operand 0 or 1 of a product.
  ArrayRef<int64_t> batchDims(unsigned operand) const {
    return operand == 0 ? lhsBatch : rhsBatch;
  }
  ArrayRef<int64_t> contractingDims(unsigned operand) const {
    return operand == 0 ? lhsContract : rhsContract;
  }
};

/// Reads `op`. An operation that is unknown, lacks an attribute it needs or
/// contradicts its types is opaque.
OpDims readOpDims(Operation *op);

/// How the dimensions of operand number `operand` appear in the first result;
/// nothing if that is not known. `shapes` are the operands' shapes.
std::optional<DimMap> mapDims(const OpDims &op,
                              ArrayRef<ArrayRef<int64_t>> shapes,
                              ArrayRef<int64_t> resultShape, unsigned operand);

} // namespace mlir::skew

#endif // SKEW_FRONTEND_STABLEHLODIMS_H
