//===- StableHLOEmitter.cpp - StableHLO ops by name -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StableHLOEmitter.h"
#include "mlir/AsmParser/AsmParser.h"

using namespace mlir;
using namespace mlir::skew;

static constexpr llvm::StringLiteral dialectName = "stablehlo";

static Type elementOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getElementType();
}

bool StableHLOEmitter::isUsable(MLIRContext *context) {
  return context->allowsUnregisteredDialects() ||
         context->getLoadedDialect(dialectName);
}

Value StableHLOEmitter::make(StringRef op, ValueRange operands, Type type,
                             ArrayRef<NamedAttribute> attributes) {
  OperationState state(loc, (dialectName + "." + op).str(), operands,
                       TypeRange(type), attributes);
  return builder.create(state)->getResult(0);
}

Attribute StableHLOEmitter::attribute(StringRef text) {
  return parseAttribute(("#" + dialectName + "<" + text + ">").str(),
                        builder.getContext());
}

Value StableHLOEmitter::elementwise(StringRef op, ValueRange operands,
                                    Type element) {
  auto type = cast<RankedTensorType>(operands.front().getType());
  return make(op, operands, type.clone(element));
}

Value StableHLOEmitter::constant(ElementsAttr elements) {
  return make("constant", {}, elements.getType(),
              builder.getNamedAttr("value", elements));
}

Value StableHLOEmitter::scalar(TypedAttr value) {
  auto type = RankedTensorType::get({}, value.getType());
  return constant(DenseElementsAttr::get(type, Attribute(value)));
}

Value StableHLOEmitter::compare(StringRef direction, StringRef kind, Value a,
                                Value b) {
  auto named = [&](StringRef name, StringRef value) {
    return builder.getNamedAttr(name, attribute((name + " " + value).str()));
  };
  auto type = cast<RankedTensorType>(a.getType());
  return make(
      "compare", {a, b}, type.clone(builder.getI1Type()),
      {named("comparison_direction", direction),
       builder.getNamedAttr("compare_type",
                            named("comparison_type", kind).getValue())});
}

Value StableHLOEmitter::broadcast(Value value, ArrayRef<int64_t> from,
                                  ArrayRef<int64_t> to,
                                  ArrayRef<int64_t> domain) {
  if (from == to)
    return value;
  SmallVector<int64_t> places, shape;
  for (auto [i, axis] : llvm::enumerate(to)) {
    shape.push_back(domain[axis]);
    if (llvm::is_contained(from, axis))
      places.push_back(i);
  }
  return make("broadcast_in_dim", value,
              RankedTensorType::get(shape, elementOf(value)),
              builder.getNamedAttr("broadcast_dimensions",
                                   builder.getDenseI64ArrayAttr(places)));
}

Value StableHLOEmitter::iota(RankedTensorType type, int64_t axis) {
  return make(
      "iota", {}, type,
      builder.getNamedAttr("iota_dimension", builder.getI64IntegerAttr(axis)));
}

Value StableHLOEmitter::sum(Value value, ArrayRef<int64_t> axes) {
  auto type = cast<RankedTensorType>(value.getType());
  Type element = type.getElementType();
  Value zero = scalar(builder.getZeroAttr(element));
  SmallVector<int64_t> shape;
  for (auto [axis, extent] : llvm::enumerate(type.getShape()))
    if (!llvm::is_contained(axes, int64_t(axis)))
      shape.push_back(extent);

  OperationState state(
      loc, (dialectName + ".reduce").str(), ValueRange{value, zero},
      TypeRange(RankedTensorType::get(shape, element)),
      builder.getNamedAttr("dimensions", builder.getDenseI64ArrayAttr(axes)));
  addSumRegion(state, element);
  return builder.create(state)->getResult(0);
}

void StableHLOEmitter::addSumRegion(OperationState &state, Type element) {
  auto scalarType = RankedTensorType::get({}, element);
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(state.addRegion(), {},
                                     {scalarType, scalarType}, {loc, loc});
  Value added = make("add", block->getArguments(), scalarType);
  OperationState end(loc, (dialectName + ".return").str(), added, TypeRange());
  builder.create(end);
}

Value StableHLOEmitter::allReduceSum(Value value,
                                     ArrayRef<SmallVector<int64_t>> groups) {
  SmallVector<int64_t> devices;
  for (const SmallVector<int64_t> &group : groups)
    llvm::append_range(devices, group);
  auto type = RankedTensorType::get(
      {int64_t(groups.size()), int64_t(groups.front().size())},
      builder.getI64Type());
  // The channel is what says that devices of one program, not replicas of it,
  // take part; all collectives of a program may share it.
  OperationState state(
      loc, (dialectName + ".all_reduce").str(), value, value.getType(),
      {builder.getNamedAttr("channel_handle",
                            attribute("channel_handle<handle = 1, type = 1>")),
       builder.getNamedAttr(
           "replica_groups",
           DenseIntElementsAttr::get(type, ArrayRef<int64_t>(devices))),
       builder.getNamedAttr("use_global_device_ids", builder.getUnitAttr())});
  addSumRegion(state, elementOf(value));
  return builder.create(state)->getResult(0);
}

Value StableHLOEmitter::deviceNumber() {
  auto type = RankedTensorType::get({}, builder.getIntegerType(32, false));
  return convert(make("partition_id", {}, type), builder.getI64Type());
}

Value StableHLOEmitter::convert(Value value, Type element) {
  if (elementOf(value) == element)
    return value;
  return elementwise("convert", value, element);
}

Value StableHLOEmitter::bitcast(Value value, Type element) {
  if (elementOf(value) == element)
    return value;
  return elementwise("bitcast_convert", value, element);
}
