//===- Decompose.h - update ops to sweeps -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_DIALECT_SKEW_TRANSFORMS_DECOMPOSE_H
#define SKEW_DIALECT_SKEW_TRANSFORMS_DECOMPOSE_H

#include "skew/Dialect/Skew/IR/Skew.h"

namespace mlir::skew {

/// Replaces every op with `UpdateOpInterface` under `root` by its
/// decomposition. The ops made carry the update's location.
void decomposeUpdates(Operation *root);
/// The same for a module, with sweeps that occur several times as functions.
void decomposeUpdatesShared(ModuleOp module);

/// Fails, with an error, if `root` holds an op of the dialect that was read
/// before the dialect was there: to the passes it would be an unknown op, which
/// they leave as it is.
LogicalResult checkSkewOpsKnown(Operation *root);

} // namespace mlir::skew

#endif // SKEW_DIALECT_SKEW_TRANSFORMS_DECOMPOSE_H
