//===- ParameterId.h - the random-bit key of a parameter --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_SUPPORT_PARAMETERID_H
#define SKEW_SUPPORT_PARAMETERID_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace mlir::skew {

/// Low 64 bits (of the big-endian number) of the SHA-256 of a parameter's full
/// name; of the decimal argument index for the positional name `argN` that
/// nameless parameters get. The same in every front end.
uint64_t getParameterId(llvm::StringRef name);

} // namespace mlir::skew

#endif // SKEW_SUPPORT_PARAMETERID_H
