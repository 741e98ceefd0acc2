//===- Skew.h - the skew dialect --------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_DIALECT_SKEW_IR_SKEW_H
#define SKEW_DIALECT_SKEW_IR_SKEW_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "skew/Dialect/Skew/IR/UpdateProbe.h"

#include "skew/Dialect/Skew/IR/SkewEnums.h.inc"

namespace mlir::skew {

/// One state tensor of an update.
struct StateComponent {
  /// `m`, `v`, `v_row`, `v_col`.
  llvm::StringRef name;
  llvm::SmallVector<int64_t> shape;
  Type elementType;
  /// Value before the first step.
  double init = 0.0;

  /// Bytes of the tensor.
  int64_t getSizeInBytes() const;
};

/// The float type of an exact moment stored as `storage`; null for none and
/// factored (whose vectors are f32).
Type getStorageType(StateStorage storage, MLIRContext *context);

/// The storage of an exact moment whose elements are `type`; nullopt for a type
/// that no tier can hold.
std::optional<StateStorage> getStorageOf(Type type);

/// Number of elements; 1 for a scalar.
int64_t getNumElements(llvm::ArrayRef<int64_t> shape);

} // namespace mlir::skew

#include "skew/Dialect/Skew/IR/SkewDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "skew/Dialect/Skew/IR/SkewAttributes.h.inc"
#include "skew/Dialect/Skew/IR/SkewInterfaces.h.inc"
#define GET_OP_CLASSES
#include "skew/Dialect/Skew/IR/SkewOps.h.inc"

namespace mlir::skew {

/// The state that `tier` keeps for a parameter of `shape` split by `axes`, in
/// the order of the op's operands.
SmallVector<StateComponent> getTieredState(TierAttr tier, AxesAttr axes,
                                           llvm::ArrayRef<int64_t> shape);
/// Bytes of that state.
int64_t getTieredStateBytes(TierAttr tier, AxesAttr axes,
                            llvm::ArrayRef<int64_t> shape);

/// Checks that `shards` cuts a tensor whose part has `shape`.
LogicalResult
verifySharding(llvm::function_ref<InFlightDiagnostic()> emitError,
               ShardingAttr shards, llvm::ArrayRef<int64_t> shape);

} // namespace mlir::skew

#endif // SKEW_DIALECT_SKEW_IR_SKEW_H
