//===- RegionRewriter.h - change what region ops carry ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_LIB_DIALECT_SKEW_TRANSFORMS_REGIONREWRITER_H
#define SKEW_LIB_DIALECT_SKEW_TRANSFORMS_REGIONREWRITER_H

#include "skew/Dialect/Skew/Transforms/CarriedValues.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::skew {

/// One tensor in the place of an old one.
struct Replacement {
  StateComponent component;
  /// Axes of the old tensor that it has, for its sharding.
  SmallVector<int64_t> axes;

  RankedTensorType getType() const {
    return RankedTensorType::get(component.shape, component.elementType);
  }
};

/// The location of a replacement: the name is the old one's with the component,
/// unless the moment keeps its whole shape and so its name.
Location deriveLocation(Location old, const StateComponent &component);

/// Replaces operands and results of ops that carry state (`skew.carries`) by
/// others in the same places. Requests are collected; `rebuild` makes the new
/// ops, `finish` drops what is left of the old ones.
class RegionRewriter {
public:
  /// Makes the body's arguments for `values`, which stand in for the operand at
  /// `place`.
  SmallVector<Value> replaceOperand(CarriedPlace place, ArrayRef<Value> values,
                                    ArrayRef<Replacement> replacements);
  /// Announces what the result at `place` becomes.
  void replaceResult(CarriedPlace place, ArrayRef<Replacement> replacements);
  /// What the body returns for such a result; of an op around another one,
  /// `rebuild` asks for it.
  void setReturned(CarriedPlace place, ArrayRef<Value> values) {
    ops[place.op].results[place.number].values.assign(values.begin(),
                                                      values.end());
  }

  /// Rebuilds the ops, innermost first, and tells what replaces the results:
  /// values that the caller must hand on.
  void rebuild(
      llvm::function_ref<void(CarriedPlace, ArrayRef<Value>)> handOn);
  /// Puts block arguments in order and erases the old ops: once nothing uses
  /// what was replaced.
  void finish();

private:
  struct Tensors {
    SmallVector<Replacement> replacements;
    SmallVector<Value> values;
    /// Of an operand: its arguments of the body.
    SmallVector<Value> arguments;
  };
  using TensorMap = llvm::MapVector<unsigned, Tensors>;
  struct Request {
    TensorMap operands, results;
    Operation *rebuilt = nullptr;
  };
  void rebuildOne(
      Operation *op, Request &request,
      llvm::function_ref<void(CarriedPlace, ArrayRef<Value>)> handOn);

  llvm::MapVector<Operation *, Request> ops;
};

} // namespace mlir::skew

#endif // SKEW_LIB_DIALECT_SKEW_TRANSFORMS_REGIONREWRITER_H
