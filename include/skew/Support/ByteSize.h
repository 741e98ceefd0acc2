//===- ByteSize.h - byte sizes as people write them -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_SUPPORT_BYTESIZE_H
#define SKEW_SUPPORT_BYTESIZE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace mlir::skew {

/// Parses a byte size: a decimal number, perhaps with a fraction, followed by
/// B, kB, MB, GB, TB (powers of 1000) or KiB, MiB, GiB, TiB (powers of 1024); a
/// bare number is bytes. Errors on zero, negative, unknown units, and sizes of
/// 2^63 bytes or more.
llvm::Expected<int64_t> parseByteSize(llvm::StringRef text);

/// `bytes` in the largest binary unit that keeps it at 1 or more, with two
/// decimals ("1.29 GiB"); plain bytes below 1024 ("12 B").
std::string formatByteSize(int64_t bytes);

} // namespace mlir::skew

#endif // SKEW_SUPPORT_BYTESIZE_H
