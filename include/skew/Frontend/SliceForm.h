//===- SliceForm.h - how a value enters a scalar slice ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the adaptors of the input dialects say of an operation.
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_FRONTEND_SLICEFORM_H
#define SKEW_FRONTEND_SLICEFORM_H

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
    /// The same elements in the same linear order as `passed`, or its one
    /// element everywhere.
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

/// The kind's operands, for kinds of elementwise ops.
unsigned getNumOperandsOf(SliceKind kind);

} // namespace mlir::skew

#endif // SKEW_FRONTEND_SLICEFORM_H
