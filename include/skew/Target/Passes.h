//===- Passes.h - passes that write what is not IR --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_TARGET_PASSES_H
#define SKEW_TARGET_PASSES_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::skew {

/// Takes a recorded output off `module`; empty if there is none.
std::string takeRecordedOutput(ModuleOp module, llvm::StringRef attribute);

#define GEN_PASS_DECL
#include "skew/Target/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "skew/Target/Passes.h.inc"

} // namespace mlir::skew

#endif // SKEW_TARGET_PASSES_H
