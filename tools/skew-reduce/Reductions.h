//===- Reductions.h - how modules with updates get smaller ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_TOOLS_SKEW_REDUCE_REDUCTIONS_H
#define SKEW_TOOLS_SKEW_REDUCE_REDUCTIONS_H

namespace mlir {
class DialectRegistry;
}

namespace mlir::skew {

/// Adds our patterns to the skew dialect and those of signatures to func.
void registerReductions(DialectRegistry &registry);

} // namespace mlir::skew

#endif // SKEW_TOOLS_SKEW_REDUCE_REDUCTIONS_H
