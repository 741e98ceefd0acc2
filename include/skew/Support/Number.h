//===- Number.h - numbers as people write them ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_SUPPORT_NUMBER_H
#define SKEW_SUPPORT_NUMBER_H

#include <string>

namespace mlir::skew {

/// The shortest decimal text that reads back as `number` (0.05, 1e-08, inf).
std::string formatNumber(double number);

/// `number` with `digits` significant digits at most (0.03906, 5e-05).
std::string formatNumber(double number, int digits);

} // namespace mlir::skew

#endif // SKEW_SUPPORT_NUMBER_H
