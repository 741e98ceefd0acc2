//===- OutputFile.h - files that are whole or absent ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_SUPPORT_OUTPUTFILE_H
#define SKEW_SUPPORT_OUTPUTFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace mlir::skew {

/// Writes `contents` to `path` through a temporary file beside it that is then
/// renamed: readers see the old file or the whole new one. "-" is standard
/// error. The error names the path.
llvm::Error writeWholeFile(llvm::StringRef path, llvm::StringRef contents);

} // namespace mlir::skew

#endif // SKEW_SUPPORT_OUTPUTFILE_H
