//===- SweepBuilder.cpp - writing sweeps as formulas ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Dialect/Skew/IR/SweepBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::skew;

//===----------------------------------------------------------------------===//
// Terms
//===----------------------------------------------------------------------===//

Term Term::constant(double number) const {
  return Term(arith::ConstantOp::create(*builder, getLoc(),
                                        FloatAttr::get(getType(), number)),
              *builder);
}

Term Term::constantInt(uint64_t bits) const {
  unsigned width = getType().getIntOrFloatBitWidth();
  APInt value(64, bits);
  return Term(arith::ConstantOp::create(
                  *builder, getLoc(),
                  IntegerAttr::get(getType(), value.zextOrTrunc(width))),
              *builder);
}

template <typename Op, typename... Args>
static Term emit(Term first, Args... operands) {
  OpBuilder &builder = first.getBuilder();
  return Term(Op::create(builder, first.getLoc(), operands...), builder);
}

Term skew::operator+(Term a, Term b) {
  return emit<arith::AddFOp>(a, a.getValue(), b.getValue());
}
Term skew::operator-(Term a, Term b) {
  return emit<arith::SubFOp>(a, a.getValue(), b.getValue());
}
Term skew::operator*(Term a, Term b) {
  return emit<arith::MulFOp>(a, a.getValue(), b.getValue());
}
Term skew::operator/(Term a, Term b) {
  return emit<arith::DivFOp>(a, a.getValue(), b.getValue());
}
Term skew::sqrt(Term a) { return emit<math::SqrtOp>(a, a.getValue()); }
Term skew::pow(Term base, Term exponent) {
  return emit<math::PowFOp>(base, base.getValue(), exponent.getValue());
}
Term skew::maximum(Term a, Term b) {
  return emit<arith::MaximumFOp>(a, a.getValue(), b.getValue());
}

Term skew::sign(Term a) {
  Term zero = a.constant(0.0);
  Term above = emit<arith::CmpFOp>(a, arith::CmpFPredicate::OGT, a.getValue(),
                                   zero.getValue());
  Term below = emit<arith::CmpFOp>(a, arith::CmpFPredicate::OLT, a.getValue(),
                                   zero.getValue());
  return select(above, a.constant(1.0), select(below, a.constant(-1.0), zero));
}

Term skew::select(Term condition, Term a, Term b) {
  return emit<arith::SelectOp>(a, condition.getValue(), a.getValue(),
                               b.getValue());
}

Term skew::toFloat(Term a, Type type) {
  if (a.getType() == type)
    return a;
  if (isa<IntegerType>(a.getType()))
    return emit<arith::SIToFPOp>(a, type, a.getValue());
  if (a.getType().getIntOrFloatBitWidth() < type.getIntOrFloatBitWidth())
    return emit<arith::ExtFOp>(a, type, a.getValue());
  return emit<arith::TruncFOp>(a, type, a.getValue());
}

Term skew::addi(Term a, Term b) {
  return emit<arith::AddIOp>(a, a.getValue(), b.getValue());
}
Term skew::muli(Term a, Term b) {
  return emit<arith::MulIOp>(a, a.getValue(), b.getValue());
}
Term skew::xori(Term a, Term b) {
  return emit<arith::XOrIOp>(a, a.getValue(), b.getValue());
}
Term skew::shrui(Term a, unsigned amount) {
  return emit<arith::ShRUIOp>(a, a.getValue(),
                              a.constantInt(amount).getValue());
}
Term skew::toInt(Term a, unsigned width) {
  auto type = IntegerType::get(a.getType().getContext(), width);
  if (isa<FloatType>(a.getType()))
    return emit<arith::FPToSIOp>(a, type, a.getValue());
  unsigned from = a.getType().getIntOrFloatBitWidth();
  if (from == width)
    return a;
  if (from < width)
    return emit<arith::ExtUIOp>(a, type, a.getValue());
  return emit<arith::TruncIOp>(a, type, a.getValue());
}

//===----------------------------------------------------------------------===//
// SweepBuilder
//===----------------------------------------------------------------------===//

SweepBuilder::SweepBuilder(OpBuilder &builder, Location loc, AxesAttr axes,
                           ArrayRef<int64_t> shape, Type compute,
                           ShardingAttr shards)
    : builder(builder), loc(loc), axes(axes), shape(shape), compute(compute),
      shards(shards && !shards.isReplicated() ? shards : ShardingAttr()),
      bodyBuilder(builder.getContext()) {
  block = new Block;
  body.push_back(block);
  bodyBuilder.setInsertionPointToEnd(block);
}

SweepBuilder::~SweepBuilder() = default;

Term SweepBuilder::input(Value tensor, Projection projection) {
  auto attr = ProjectionAttr::get(builder.getContext(), projection);
  for (auto [i, value] : llvm::enumerate(inputs))
    if (value == tensor && inputProjections[i] == attr)
      return Term(block->getArgument(i), bodyBuilder);
  Type element = cast<RankedTensorType>(tensor.getType()).getElementType();
  Type argument = isa<FloatType>(element)
                      ? compute
                      : Type(IntegerType::get(builder.getContext(),
                                              element.getIntOrFloatBitWidth()));
  inputs.push_back(tensor);
  inputProjections.push_back(attr);
  return Term(block->addArgument(argument, loc), bodyBuilder);
}

Term SweepBuilder::index() {
  // The index is the last argument, and inputs may still be added.
  if (!indexPlaceholder) {
    // The region has no op yet, so the block cannot name its context.
    OpBuilder first(builder.getContext());
    first.setInsertionPointToStart(block);
    indexPlaceholder =
        arith::ConstantOp::create(first, loc, first.getI64IntegerAttr(0));
  }
  return Term(indexPlaceholder->getResult(0), bodyBuilder);
}

Term SweepBuilder::constant(double number) {
  return Term(arith::ConstantOp::create(bodyBuilder, loc,
                                        FloatAttr::get(compute, number)),
              bodyBuilder);
}

void SweepBuilder::output(Term term, Projection projection, Type elementType,
                          Value into) {
  SmallVector<int64_t> outShape = axes.shapeOf(projection, shape);
  bool whole = axes.axesOf(projection).size() == shape.size();
  MLIRContext *context = builder.getContext();
  // Stored wider than computed: widening is exact.
  if (isa<FloatType>(elementType) && isa<FloatType>(term.getType()) &&
      term.getType().getIntOrFloatBitWidth() <
          elementType.getIntOrFloatBitWidth())
    term = toFloat(term, elementType);
  yielded.push_back(term.getValue());
  outputProjections.push_back(ProjectionAttr::get(context, projection));
  combiners.push_back(
      CombinerAttr::get(context, whole ? Combiner::write : Combiner::sum));
  resultTypes.push_back(RankedTensorType::get(outShape, elementType));
  ties.push_back(into);
}

ResultRange SweepBuilder::finish() {
  Value index = block->addArgument(builder.getI64Type(), loc);
  if (indexPlaceholder) {
    indexPlaceholder->getResult(0).replaceAllUsesWith(index);
    indexPlaceholder->erase();
  }
  YieldOp::create(bodyBuilder, loc, yielded);
  SmallVector<int64_t> into;
  for (auto [tie, type] : llvm::zip_equal(ties, resultTypes)) {
    int64_t position = -1;
    for (auto [i, value] : llvm::enumerate(inputs))
      if (tie && value == tie && value.getType() == type)
        position = i;
    into.push_back(position);
  }
  auto sweep = SweepOp::create(
      builder, loc, resultTypes, inputs, builder.getDenseI64ArrayAttr(shape),
      axes, builder.getArrayAttr(inputProjections),
      builder.getArrayAttr(outputProjections), builder.getArrayAttr(combiners),
      builder.getDenseI64ArrayAttr(into), shards);
  sweep.getBody().takeBody(body);
  return sweep->getResults();
}
