//===- GraphAdaptor.cpp - reads and extends training graphs ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Frontend/GraphAdaptor.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "skew/Frontend/Linalg.h"

using namespace mlir;
using namespace mlir::skew;

unsigned mlir::skew::getNumOperandsOf(SliceKind kind) {
  if (kind < SliceKind::Add)
    return 1;
  return kind < SliceKind::Select ? 2 : 3;
}

SliceForm mlir::skew::classifyForSlice(OpResult result) {
  SliceForm form = classifyStableHLO(result);
  return form.form == SliceForm::Leaf ? classifyLinalg(result) : form;
}

bool mlir::skew::isErasableElementwise(Operation *op) {
  // What a body's destination is written to.
  if (isa<tensor::EmptyOp>(op))
    return true;
  for (OpResult result : op->getResults()) {
    SliceForm::Form form = classifyForSlice(result).form;
    if (form != SliceForm::Elementwise && form != SliceForm::Pass &&
        form != SliceForm::Constant)
      return false;
  }
  return op->getNumResults() != 0;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

Value GraphBuilder::buildStableHLO(Location loc, StringRef name,
                                   ValueRange operands, Type type,
                                   ArrayRef<NamedAttribute> attributes) {
  OperationState state(loc, name);
  state.addOperands(operands);
  state.addTypes(type);
  state.addAttributes(attributes);
  return create(state)->getResult(0);
}

Value GraphBuilder::buildSplat(Location loc, RankedTensorType type,
                               double value) {
  auto element = cast<FloatType>(type.getElementType());
  auto splat =
      DenseElementsAttr::get(type, Attribute(getFloatAttr(element, value)));
  if (isLinalg)
    return arith::ConstantOp::create(*this, loc, splat);
  return buildStableHLO(loc, "stablehlo.constant", {}, type,
                        getNamedAttr("value", splat));
}

Value GraphBuilder::buildNegate(Location loc, Value value) {
  if (isLinalg)
    return arith::NegFOp::create(*this, loc, value);
  return buildStableHLO(loc, "stablehlo.negate", value, value.getType());
}

Value GraphBuilder::buildNot(Location loc, Value value) {
  if (isLinalg) {
    auto ones = DenseElementsAttr::get(cast<ShapedType>(value.getType()), true);
    return arith::XOrIOp::create(*this, loc, value,
                                 arith::ConstantOp::create(*this, loc, ones));
  }
  return buildStableHLO(loc, "stablehlo.not", value, value.getType());
}

Value GraphBuilder::buildZero(Location loc, RankedTensorType type) {
  auto splat = DenseElementsAttr::get(
      type, Attribute(getZeroAttr(type.getElementType())));
  if (isLinalg)
    return arith::ConstantOp::create(*this, loc, splat);
  return buildStableHLO(loc, "stablehlo.constant", {}, type,
                        getNamedAttr("value", splat));
}

Value GraphBuilder::buildAnd(Location loc, Value x, Value y) {
  if (isLinalg)
    return arith::AndIOp::create(*this, loc, x, y);
  return buildStableHLO(loc, "stablehlo.and", {x, y}, x.getType());
}

Value GraphBuilder::buildOr(Location loc, Value x, Value y) {
  if (isLinalg)
    return arith::OrIOp::create(*this, loc, x, y);
  return buildStableHLO(loc, "stablehlo.or", {x, y}, x.getType());
}

Value GraphBuilder::buildEquals(Location loc, Value integer, int64_t value) {
  auto type = cast<RankedTensorType>(integer.getType());
  auto splat = DenseElementsAttr::get(
      type, Attribute(getIntegerAttr(type.getElementType(), value)));
  if (isLinalg)
    return arith::CmpIOp::create(*this, loc, arith::CmpIPredicate::eq, integer,
                                 arith::ConstantOp::create(*this, loc, splat));
  Value constant = buildStableHLO(loc, "stablehlo.constant", {}, type,
                                  getNamedAttr("value", splat));
  // Opaque text, or the dialect's own attribute when it is loaded.
  Attribute direction =
      parseAttribute("#stablehlo<comparison_direction EQ>", getContext());
  return buildStableHLO(loc, "stablehlo.compare", {integer, constant},
                        type.clone(getI1Type()),
                        getNamedAttr("comparison_direction", direction));
}

Value GraphBuilder::buildReshape(Location loc, Value value,
                                 ArrayRef<int64_t> shape) {
  auto from = cast<RankedTensorType>(value.getType());
  auto to = RankedTensorType::get(shape, from.getElementType());
  if (!isLinalg)
    return buildStableHLO(loc, "stablehlo.reshape", value, to);
  // By way of one dimension: any static shape goes there and back.
  auto flat =
      RankedTensorType::get({from.getNumElements()}, from.getElementType());
  auto grouped = [](RankedTensorType type) {
    SmallVector<ReassociationIndices> groups;
    if (type.getRank() != 0)
      groups.emplace_back(
          llvm::to_vector(llvm::seq<int64_t>(0, type.getRank())));
    return groups;
  };
  if (from.getRank() == 0)
    value = tensor::ExpandShapeOp::create(*this, loc, flat, value,
                                          ArrayRef<ReassociationIndices>());
  else if (from.getRank() > 1)
    value =
        tensor::CollapseShapeOp::create(*this, loc, flat, value, grouped(from));
  if (to.getRank() == 0)
    return tensor::CollapseShapeOp::create(*this, loc, to, value,
                                           ArrayRef<ReassociationIndices>());
  if (to.getRank() > 1)
    return tensor::ExpandShapeOp::create(*this, loc, to, value, grouped(to));
  return value;
}

Value GraphBuilder::buildScalarTensor(Location loc, Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type)
    return tensor::FromElementsOp::create(
        *this, loc, RankedTensorType::get({}, value.getType()), value);
  return type.getRank() == 0 ? value : buildReshape(loc, value, {});
}
