//===- InputForm.h - inputs that skew-opt cannot read -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_TOOLS_SKEW_OPT_INPUTFORM_H
#define SKEW_TOOLS_SKEW_OPT_INPUTFORM_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace mlir::skew {

/// Recognises input in a form that needs a StableHLO library to read: the
/// pretty text form, and portable bytecode. Returns what is wrong, where, and
/// how to convert it; empty for anything else.
std::string explainUnreadableInput(llvm::StringRef fileName,
                                   llvm::StringRef contents);

} // namespace mlir::skew

#endif // SKEW_TOOLS_SKEW_OPT_INPUTFORM_H
