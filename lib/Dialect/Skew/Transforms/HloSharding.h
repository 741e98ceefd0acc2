//===- HloSharding.h - sharding strings of HLO ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_LIB_DIALECT_SKEW_TRANSFORMS_HLOSHARDING_H
#define SKEW_LIB_DIALECT_SKEW_TRANSFORMS_HLOSHARDING_H

#include "mlir/IR/BuiltinAttributes.h"

namespace mlir::skew {

/// `restrictSharding` for the text of an `mhlo.sharding`.
StringAttr restrictHloSharding(StringAttr sharding,
                               llvm::ArrayRef<int64_t> kept);

} // namespace mlir::skew

#endif // SKEW_LIB_DIALECT_SKEW_TRANSFORMS_HLOSHARDING_H
