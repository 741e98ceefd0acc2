//===- Rounding.cpp - rounding of doubles to storage types ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Reference/Interpreter.h"
#include "llvm/ADT/bit.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::skew;

double skew::roundToNearest(double value, FloatType type) {
  if (type.isF64() || value == 0.0 || !std::isfinite(value))
    return value;
  // In units of the last place of the result (of its smallest subnormal, if
  // below the normal range) the value is rounded once, as an integer.
  const llvm::fltSemantics &semantics = type.getFloatSemantics();
  int precision = llvm::APFloat::semanticsPrecision(semantics);
  int smallest = llvm::APFloat::semanticsMinExponent(semantics);
  int largest = llvm::APFloat::semanticsMaxExponent(semantics);
  int unit = std::max(std::ilogb(value), smallest) - (precision - 1);
  double rounded = std::ldexp(std::nearbyint(std::ldexp(value, -unit)), unit);
  if (std::fabs(rounded) >= std::ldexp(1.0, largest + 1))
    return std::copysign(std::numeric_limits<double>::infinity(), value);
  return rounded;
}

double skew::roundStochastically(double value, uint32_t bits, FloatType type) {
  float narrowed = static_cast<float>(value);
  if (!std::isfinite(narrowed))
    return narrowed;
  uint32_t random = bits & 0xffff;
  uint32_t image = llvm::bit_cast<uint32_t>(narrowed);
  if (type.isBF16())
    return llvm::bit_cast<float>((image + random) & 0xffff0000u);

  float magnitude = std::fabs(narrowed);
  if (magnitude >= 0x1p-14f) {
    float rounded =
        llvm::bit_cast<float>((image + (random & 0x1fff)) & ~0x1fffu);
    if (std::fabs(rounded) > 65504.0f)
      return std::copysign(std::numeric_limits<double>::infinity(), value);
    return rounded;
  }
  // Subnormal results: 16 bits below the grid 2^-24.
  uint32_t fixed = static_cast<uint32_t>(std::ldexp(magnitude, 40));
  return std::copysign(std::ldexp((fixed + random) >> 16, -24), narrowed);
}
