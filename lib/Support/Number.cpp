//===- Number.cpp - numbers as people write them --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Support/Number.h"
#include <algorithm>
#include <charconv>

std::string mlir::skew::formatNumber(double number) {
  // 17 digits, a sign, a point and an exponent of five characters.
  char text[32];
  return std::string(text,
                     std::to_chars(text, text + sizeof(text), number).ptr);
}

std::string mlir::skew::formatNumber(double number, int digits) {
  char text[32];
  std::to_chars_result end =
      std::to_chars(text, text + sizeof(text), number,
                    std::chars_format::general, std::min(digits, 17));
  return std::string(text, end.ptr);
}
