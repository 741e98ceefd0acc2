//===- Passes.h - analysis passes -------------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_ANALYSIS_PASSES_H
#define SKEW_ANALYSIS_PASSES_H

#include "mlir/Pass/Pass.h"
#include "skew/Dialect/Skew/IR/Skew.h"

namespace mlir::skew {

#define GEN_PASS_DECL
#include "skew/Analysis/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "skew/Analysis/Passes.h.inc"

} // namespace mlir::skew

#endif // SKEW_ANALYSIS_PASSES_H
