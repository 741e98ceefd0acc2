//===- CarriedValues.h - state that region ops hand on ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An update inside a loop or a manual computation takes block arguments of that
// region, not of the function. Raising, which knows the front end's ops, marks
// the ops around an update with `skew.carries`: operand i becomes argument i of
// every region, and what the last region's terminator returns becomes the
// results. What follows works on that alone.
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_DIALECT_SKEW_TRANSFORMS_CARRIEDVALUES_H
#define SKEW_DIALECT_SKEW_TRANSFORMS_CARRIEDVALUES_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "skew/Dialect/Skew/IR/Skew.h"

namespace mlir::skew {

/// Unit attribute of a region op whose regions carry state as above.
inline constexpr llvm::StringLiteral kCarriesAttr = "skew.carries";

/// True if regions, operands and results of `op` have the form that
/// `skew.carries` claims; types are not compared.
bool canCarry(Operation *op);

/// The region whose terminator gives the results: a loop's body.
inline Block &getCarryingBody(Operation *op) {
  return op->getRegion(op->getNumRegions() - 1).front();
}

/// A place of a region op: the number of an operand or of a result.
struct CarriedPlace {
  Operation *op = nullptr;
  unsigned number = 0;
};

/// The way of a value between a function's signature and a region.
struct CarriedPath {
  /// Number of the function's argument or result.
  unsigned number = 0;
  /// The region ops on the way, innermost first; empty in the function's body.
  SmallVector<CarriedPlace, 2> places;
};

/// How an argument of a function reaches `value` unchanged.
std::optional<CarriedPath> traceToArgument(Value value);
/// How `value` reaches a result of its function unchanged.
std::optional<CarriedPath> traceToResult(Value value);

/// State of `update` as the signature of its function has it: in a manual
/// computation the update sees parts.
SmallVector<StateComponent> getWholeState(UpdateOpInterface update);

} // namespace mlir::skew

#endif // SKEW_DIALECT_SKEW_TRANSFORMS_CARRIEDVALUES_H
