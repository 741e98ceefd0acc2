//===- Passes.h - conversions out of the skew dialect -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_CONVERSION_PASSES_H
#define SKEW_CONVERSION_PASSES_H

#include "skew/Conversion/SkewToStableHLO.h"

namespace mlir::skew {

#define GEN_PASS_REGISTRATION
#include "skew/Conversion/Passes.h.inc"

} // namespace mlir::skew

#endif // SKEW_CONVERSION_PASSES_H
