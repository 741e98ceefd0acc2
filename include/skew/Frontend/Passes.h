//===- Passes.h - passes that read graphs -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_FRONTEND_PASSES_H
#define SKEW_FRONTEND_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::skew {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "skew/Frontend/Passes.h.inc"

} // namespace mlir::skew

#endif // SKEW_FRONTEND_PASSES_H
