//===- OutlineSweeps.h - equal sweeps share a function ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_LIB_CONVERSION_OUTLINESWEEPS_H
#define SKEW_LIB_CONVERSION_OUTLINESWEEPS_H

#include "skew/Dialect/Skew/IR/Skew.h"

namespace mlir::skew {

/// Moves sweeps that occur several times, and long scalar ones, into private
/// functions and calls them. Of those with the same operands, in one block, one
/// is left.
void outlineSweeps(ModuleOp module);

} // namespace mlir::skew

#endif // SKEW_LIB_CONVERSION_OUTLINESWEEPS_H
