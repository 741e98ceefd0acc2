//===- Sharding.h - sharding of state that lost dimensions ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_DIALECT_SKEW_TRANSFORMS_SHARDING_H
#define SKEW_DIALECT_SKEW_TRANSFORMS_SHARDING_H

#include "mlir/IR/Attributes.h"

namespace mlir::skew {

/// The sharding of a tensor that keeps only the axes `kept` of one that
/// `sharding` describes: an `#sdy.sharding` (registered or opaque) without the
/// dropped dimensions, or an `mhlo.sharding` string whose dropped tiles become
/// replication. Null when the text is of a form that is not understood.
Attribute restrictSharding(Attribute sharding, llvm::ArrayRef<int64_t> kept);

} // namespace mlir::skew

#endif // SKEW_DIALECT_SKEW_TRANSFORMS_SHARDING_H
