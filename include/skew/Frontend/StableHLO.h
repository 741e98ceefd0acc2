//===- StableHLO.h - reads and builds StableHLO ops -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The adaptor between raising and the input dialects (stablehlo, chlo, sdy,
// func). Ops are recognised by name, attributes are read by their printed text,
// so unregistered generic ops and the registered dialects read the same. Names
// of these ops appear here and in StableHLODims only.
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_FRONTEND_STABLEHLO_H
#define SKEW_FRONTEND_STABLEHLO_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"
#include <cstdint>
#include <optional>

namespace mlir::skew {

/// What a node of a scalar slice computes.
enum class SliceKind : uint8_t {
  // Leaves.
  Argument,
  Opaque,
  Constant,
  // The same number: a broadcast of a scalar, a cast.
  Broadcast,
  Convert,
  // One operand.
  Negate,
  Abs,
  Sign,
  Square,
  Sqrt,
  Rsqrt,
  Cbrt,
  Exp,
  ExpMinusOne,
  Log,
  LogPlusOne,
  Cosine,
  Sine,
  Tanh,
  Logistic,
  Floor,
  Ceil,
  RoundEven,
  RoundAway,
  IsFinite,
  Not,
  // Two operands.
  Add,
  Subtract,
  Multiply,
  Divide,
  Remainder,
  Power,
  Maximum,
  Minimum,
  And,
  Or,
  Xor,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Equal,
  NotEqual,
  // Three operands: (condition, true, false), (low, x, high).
  Select,
  Clamp,
  // A region op seen as a choice: (index, branch 0, branch 1, ...).
  Switch,
};

/// How one result of an operation enters a slice.
struct SliceForm {
  enum Form : uint8_t {
    /// Anything unknown: always safe.
    Leaf,
    /// `kind` of the operands, element by element.
    Elementwise,
    /// The same elements in the same linear order as `passed`.
    Pass,
    Constant,
    /// The callee's result.
    Call,
    /// A choice among regions by the first operand; regions in index order.
    Branch,
  };
  Form form = Leaf;
  SliceKind kind = SliceKind::Opaque;
  Value passed;
  double constant = 0.0;
};

/// Classifies `result`. Shapes are checked: an elementwise form has operands of
/// the result's shape, or scalars where the op takes scalars.
SliceForm classifyForSlice(OpResult result);

/// Regions of a branch in the order of the index (for a boolean: false, true)
/// and the terminator operand that becomes result `number`.
Value getBranchYield(Operation *branch, unsigned index, unsigned number);

/// The symbol a call refers to; null if `op` is no call.
StringAttr getCallee(Operation *op);

/// True if `op` computes its results from its operands alone and can be erased
/// when unused: an elementwise, pass or constant op.
bool isErasableElementwise(Operation *op);

/// Short name of an op as a reader knows it ("stablehlo.case").
StringRef getDisplayName(Operation *op);

/// Builders of what raising needs at the edge of the raised part.
Value buildSplat(OpBuilder &builder, Location loc, RankedTensorType type,
                 double value);
Value buildNegate(OpBuilder &builder, Location loc, Value value);
Value buildNot(OpBuilder &builder, Location loc, Value value);
Value buildReshape(OpBuilder &builder, Location loc, Value value,
                   ArrayRef<int64_t> shape);
/// `scalar` (one element, any rank) as every element of a tensor of `shape`.
Value buildBroadcast(OpBuilder &builder, Location loc, Value scalar,
                     ArrayRef<int64_t> shape);

} // namespace mlir::skew

#endif // SKEW_FRONTEND_STABLEHLO_H
