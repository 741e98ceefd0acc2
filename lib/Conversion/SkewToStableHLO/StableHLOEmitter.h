//===- StableHLOEmitter.h - StableHLO ops by name ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Debian's MLIR has no StableHLO dialect, so its ops are made in generic form:
// unregistered, or registered when a tool has loaded the dialect. Names and
// attributes of the output live in this class alone.
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_LIB_CONVERSION_STABLEHLOEMITTER_H
#define SKEW_LIB_CONVERSION_STABLEHLOEMITTER_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace mlir::skew {

class StableHLOEmitter {
public:
  StableHLOEmitter(OpBuilder &builder, Location loc)
      : builder(builder), loc(loc) {}

  /// True if ops of the dialect can be made in `context`.
  static bool isUsable(MLIRContext *context);

  /// `stablehlo.<op>` on operands of one shape; the result has that shape and
  /// element type `element`.
  Value elementwise(StringRef op, ValueRange operands, Type element);

  /// The tensor `elements`.
  Value constant(ElementsAttr elements);
  /// A 0-D tensor of a float or integer attribute.
  Value scalar(TypedAttr value);

  /// `direction` is EQ, NE, LT, LE, GT or GE; `kind` FLOAT, SIGNED or UNSIGNED.
  Value compare(StringRef direction, StringRef kind, Value a, Value b);
  /// `value`, whose axes are the axes `from` of the domain, over the axes `to`,
  /// a superset.
  Value broadcast(Value value, ArrayRef<int64_t> from, ArrayRef<int64_t> to,
                  ArrayRef<int64_t> domain);
  /// Position along `axis`, of `type`.
  Value iota(RankedTensorType type, int64_t axis);
  /// Sum over `axes`, ascending, in the element type of `value`.
  Value sum(Value value, ArrayRef<int64_t> axes);
  /// Sum of `value` over the devices of each group; every device of the mesh is
  /// in one group.
  Value allReduceSum(Value value, ArrayRef<SmallVector<int64_t>> groups);
  /// The number of this device among those that run the program, i64.
  Value deviceNumber();
  /// Conversion of every element's value, or of its bits.
  Value convert(Value value, Type element);
  Value bitcast(Value value, Type element);

private:
  /// Gives `state` a region that adds its two scalars of type `element`.
  void addSumRegion(OperationState &state, Type element);
  /// An attribute of the dialect: opaque, or its own when it is loaded.
  Attribute attribute(StringRef text);
  Value make(StringRef op, ValueRange operands, Type type,
             ArrayRef<NamedAttribute> attributes = {});

  OpBuilder &builder;
  Location loc;
};

} // namespace mlir::skew

#endif // SKEW_LIB_CONVERSION_STABLEHLOEMITTER_H
