//===- Passes.h - passes on the skew dialect --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_DIALECT_SKEW_TRANSFORMS_PASSES_H
#define SKEW_DIALECT_SKEW_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"
#include "skew/Dialect/Skew/IR/Skew.h"

namespace mlir::skew {

#define GEN_PASS_DECL
#include "skew/Dialect/Skew/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "skew/Dialect/Skew/Transforms/Passes.h.inc"

} // namespace mlir::skew

#endif // SKEW_DIALECT_SKEW_TRANSFORMS_PASSES_H
