//===- InitAll.h - register everything of skew-opt --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_INITALL_H
#define SKEW_INITALL_H

namespace mlir {
class DialectRegistry;
}

namespace mlir::skew {

/// The dialects that the pipeline reads and writes: skew, func, arith, math.
void registerAllDialects(DialectRegistry &registry);
/// The passes of every library of skew-opt (not the pipelines).
void registerAllPasses();

} // namespace mlir::skew

#endif // SKEW_INITALL_H
