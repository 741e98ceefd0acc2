//===- SweepBuilder.h - writing sweeps as formulas --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Update rules are written with these two classes: a `Term` is a scalar value
// in a sweep's body with the usual operators, a `SweepBuilder` collects inputs
// and outputs and makes the op. Declare inputs as variables before using them
// in an expression: C++ does not order the operands of `+`, and the order of
// declaration is the order of the op's operands.
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_DIALECT_SKEW_IR_SWEEPBUILDER_H
#define SKEW_DIALECT_SKEW_IR_SWEEPBUILDER_H

#include "mlir/IR/Builders.h"
#include "skew/Dialect/Skew/IR/Skew.h"

namespace mlir::skew {

/// A scalar in the body of a sweep under construction.
class Term {
public:
  Term() = default;
  Term(Value value, OpBuilder &builder) : value(value), builder(&builder) {}

  explicit operator bool() const { return static_cast<bool>(value); }
  Value getValue() const { return value; }
  Type getType() const { return value.getType(); }
  OpBuilder &getBuilder() const { return *builder; }
  Location getLoc() const { return value.getLoc(); }

  /// A constant of this term's type: `number` rounded once, or an integer.
  Term constant(double number) const;
  Term constantInt(uint64_t bits) const;

private:
  Value value;
  OpBuilder *builder = nullptr;
};

// Floating point.
Term operator+(Term a, Term b);
Term operator-(Term a, Term b);
Term operator*(Term a, Term b);
Term operator/(Term a, Term b);
Term sqrt(Term a);
Term pow(Term base, Term exponent);
Term maximum(Term a, Term b);
/// -1, 0 or 1; sign(0) and sign(NaN) are 0.
Term sign(Term a);
/// `condition ? a : b`; condition is i1.
Term select(Term condition, Term a, Term b);
/// The float or signed integer `a` as `type`, a float type.
Term toFloat(Term a, Type type);

// Integers wrap.
Term addi(Term a, Term b);
Term muli(Term a, Term b);
Term xori(Term a, Term b);
Term shrui(Term a, unsigned amount);
/// `a` as an integer of `width` bits: truncated, or extended with zeros.
Term toInt(Term a, unsigned width);

/// Builds one `skew.sweep`.
class SweepBuilder {
public:
  /// A sweep over a domain of `shape` split by `axes`; floats are computed in
  /// `compute`, whatever they are stored as. With `shards` the domain is a part.
  SweepBuilder(OpBuilder &builder, Location loc, AxesAttr axes,
               ArrayRef<int64_t> shape, Type compute, ShardingAttr shards = {});
  ~SweepBuilder();
  SweepBuilder(const SweepBuilder &) = delete;
  SweepBuilder &operator=(const SweepBuilder &) = delete;

  /// Reads `tensor`; the same tensor under the same projection is one input.
  Term input(Value tensor, Projection projection = Projection::elem);
  /// The global row-major element index, i64.
  Term index();
  /// A constant of the compute type, rounded once.
  Term constant(double number);
  /// Writes `term` (or sums it over the axes that `projection` lacks) as
  /// `elementType`; `into` is the input whose buffer may be reused.
  void output(Term term, Projection projection, Type elementType,
              Value into = {});
  /// Makes the op and returns its results.
  ResultRange finish();

private:
  OpBuilder &builder;
  Location loc;
  AxesAttr axes;
  SmallVector<int64_t> shape;
  Type compute;
  ShardingAttr shards;
  Region body;
  Block *block;
  OpBuilder bodyBuilder;
  Operation *indexPlaceholder = nullptr;
  SmallVector<Value> inputs, yielded;
  SmallVector<Attribute> inputProjections, outputProjections, combiners;
  SmallVector<Type> resultTypes;
  SmallVector<Value> ties;
};

} // namespace mlir::skew

#endif // SKEW_DIALECT_SKEW_IR_SWEEPBUILDER_H
