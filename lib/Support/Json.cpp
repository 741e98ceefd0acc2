//===- Json.cpp - JSON that people hand in --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Support/Json.h"
#include "llvm/ADT/StringRef.h"

using namespace mlir;
using namespace mlir::skew;

llvm::Expected<llvm::json::Value> mlir::skew::parseJson(llvm::StringRef text) {
  constexpr unsigned kMaxDepth = 1000;
  unsigned depth = 0, line = 1, column = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    ++column;
    if (c == '\n') {
      ++line;
      column = 0;
    }
    if (inString) {
      if (c == '\\')
        ++i, ++column;
      inString = c != '"';
      continue;
    }
    inString = c == '"';
    if (c == ']' || c == '}')
      depth -= depth > 0;
    else if ((c == '[' || c == '{') && ++depth > kMaxDepth)
      // As llvm::json::ParseError writes it.
      return llvm::createStringError(
          llvm::inconvertibleErrorCode(), "[%u:%u, byte=%zu]: %s", line, column,
          i, "Brackets must not nest deeper than 1000");
  }
  return llvm::json::parse(text);
}
