//===- ParameterId.cpp - the random-bit key of a parameter ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Support/ParameterId.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

using namespace mlir;

uint64_t skew::getParameterId(llvm::StringRef name) {
  llvm::StringRef digits = name;
  if (digits.consume_front("arg") && !digits.empty() &&
      llvm::all_of(digits, llvm::isDigit))
    name = digits;
  std::array<uint8_t, 32> digest =
      llvm::SHA256::hash(llvm::arrayRefFromStringRef(name));
  uint64_t low = 0;
  for (unsigned i = 24; i < 32; ++i)
    low = low << 8 | digest[i];
  return low;
}
