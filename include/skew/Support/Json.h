//===- Json.h - JSON that people hand in ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_SUPPORT_JSON_H
#define SKEW_SUPPORT_JSON_H

#include "llvm/Support/JSON.h"

namespace mlir::skew {

/// llvm::json::parse for text of any origin: nesting deeper than 1000 is an
/// error, where LLVM's recursive parser would run out of stack.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text);

} // namespace mlir::skew

#endif // SKEW_SUPPORT_JSON_H
