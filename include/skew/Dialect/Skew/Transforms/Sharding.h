//===- Sharding.h - reading and deriving shardings --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shardings are read as text: an `#sdy.sharding` may be opaque or its dialect's
// own, an `mhlo.sharding` is a string.
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_DIALECT_SKEW_TRANSFORMS_SHARDING_H
#define SKEW_DIALECT_SKEW_TRANSFORMS_SHARDING_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "skew/Dialect/Skew/IR/Skew.h"

namespace mlir::skew {

/// Shardings of a manual computation's operands and results.
inline constexpr llvm::StringLiteral kInShardingsAttr = "in_shardings";
inline constexpr llvm::StringLiteral kOutShardingsAttr = "out_shardings";

/// Attributes of a function's arguments and results that shard them.
inline constexpr llvm::StringLiteral kShardyAttr = "sdy.sharding";
inline constexpr llvm::StringLiteral kHloShardingAttr = "mhlo.sharding";

/// True if all that `op` does is to ask for a sharding of its operand.
bool isShardingConstraint(Operation *op);

/// The sharding of a tensor that keeps only the axes `kept` of one that
/// `sharding` describes: an `#sdy.sharding` without the dropped dimensions, or
/// an `mhlo.sharding` string whose dropped tiles become replication. Null when
/// the text is of a form that is not understood.
Attribute restrictSharding(Attribute sharding, ArrayRef<int64_t> kept);

/// The shardings in an `#sdy.sharding_per_value`, one attribute per value;
/// nullopt if it is none.
std::optional<SmallVector<Attribute>> splitShardings(Attribute perValue);
/// The `#sdy.sharding_per_value` of `shardings`.
Attribute joinShardings(MLIRContext *context, ArrayRef<Attribute> shardings);

/// What the body of a manual region knows of a value that enters or leaves it:
/// `sharding` is one entry of its shardings, `mesh` the `#sdy.mesh` that the
/// entry names (unused if the entry holds its mesh), `manualAxes` the region's
/// manual axes, `whole` and `part` the shapes outside and inside. Null with a
/// `reason` for what `ShardingAttr` cannot express: devices in another order, a
/// mesh that is only partly manual, axes that are split.
ShardingAttr readManualSharding(Attribute sharding, Attribute mesh,
                                ArrayRef<StringRef> manualAxes,
                                ArrayRef<int64_t> whole, ArrayRef<int64_t> part,
                                std::string &reason);

/// Takes away the constraints on the layout of `update`'s state that stand
/// between it and the border of `function`: a result without a sharding of its
/// own gets the one that was asked for.
void moveStateConstraints(UpdateOpInterface update,
                          FunctionOpInterface function);

} // namespace mlir::skew

#endif // SKEW_DIALECT_SKEW_TRANSFORMS_SHARDING_H
