//===- UpdateBuilder.h - creates update ops of any rule ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_FRONTEND_UPDATEBUILDER_H
#define SKEW_FRONTEND_UPDATEBUILDER_H

#include "skew/Dialect/Skew/IR/Skew.h"
#include "llvm/ADT/APFloat.h"

namespace mlir::skew {

/// Operands that every update op has; null or empty where it has none.
struct UpdateOperands {
  Value parameter, gradient;
  SmallVector<Value> state;
  Value step, learningRate;
  SmallVector<Value> runtime;
  SmallVector<StringRef> runtimeNames;
  Value gradientScale, skip;
};

/// Creates an op of `rule`. `attributes` are further attributes by name.
Operation *buildUpdate(OpBuilder &builder, Location loc, OperationName rule,
                       const UpdateOperands &operands,
                       DictionaryAttr hyperparameters,
                       ArrayRef<NamedAttribute> attributes = {});

/// Constant hyperparameters of a match as the op's dictionary.
DictionaryAttr getConstantHyperparameters(MLIRContext *context,
                                          const UpdateMatch &match);

/// The builtin float type of a format; f32 for one that has none.
FloatType getFloatType(MLIRContext *context, const llvm::fltSemantics &format);

} // namespace mlir::skew

#endif // SKEW_FRONTEND_UPDATEBUILDER_H
