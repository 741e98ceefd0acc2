//===- InputDialects.h - stand-ins for dialects of inputs -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_INPUTDIALECTS_H
#define SKEW_INPUTDIALECTS_H

namespace mlir {
class DialectRegistry;
}

namespace mlir::skew {

/// Registers a stand-in for Shardy's dialect: its ops stay unregistered, its
/// attributes stay text. MLIR takes an op of an unknown dialect with one region
/// for a possible symbol table and refuses the calls inside; the body of a
/// manual computation is full of them. Only for a program that owns its
/// context and links no Shardy: the two cannot be registered together.
void registerInputDialects(DialectRegistry &registry);

} // namespace mlir::skew

#endif // SKEW_INPUTDIALECTS_H
