//===- ElementOps.cpp - elementwise ops in fp64 ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace mlir;
using namespace mlir::skew::fuzz;

int64_t mlir::skew::fuzz::toInteger(double value) {
  if (std::isnan(value))
    return 0;
  return value >= 9.2e18    ? INT64_MAX
         : value <= -9.2e18 ? INT64_MIN
                            : int64_t(value);
}

int64_t Elements::asInteger(size_t at) const {
  at = size() == 1 ? 0 : at;
  return isInteger ? i[at] : toInteger(f[at]);
}

bool mlir::skew::fuzz::isIntegerType(Type type) {
  return isa<IntegerType, IndexType>(getElementTypeOrSelf(type));
}

size_t mlir::skew::fuzz::countElements(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor)
    return 1;
  // Products of mutated extents overflow; no more than the bound is counted.
  uint64_t count = 1;
  for (int64_t extent : tensor.getShape()) {
    if (extent == 0)
      return 0;
    if (extent < 0 || extent > kMaxElements)
      count = kMaxElements + 1;
    else
      count = std::min<uint64_t>(count * extent, kMaxElements + 1);
  }
  return count > uint64_t(kMaxElements) ? kSampled : count;
}

int64_t mlir::skew::fuzz::wrapInteger(int64_t value, Type type) {
  auto integer = dyn_cast<IntegerType>(getElementTypeOrSelf(type));
  if (!integer || integer.getWidth() >= 64 || integer.getWidth() == 0)
    return value;
  unsigned unused = 64 - integer.getWidth();
  uint64_t shifted = uint64_t(value) << unused;
  bool isUnsigned = integer.isUnsigned() || integer.getWidth() == 1;
  return isUnsigned ? int64_t(shifted >> unused)
                    : int64_t(shifted) >> unused;
}

static std::optional<double> unary(StringRef name, double x) {
  using F = double (*)(double);
  F function =
      llvm::StringSwitch<F>(name)
          .Case("negate", [](double x) { return -x; })
          .Case("abs", [](double x) { return std::fabs(x); })
          .Case("sign",
                [](double x) {
                  return std::isnan(x) ? x : double(x > 0) - double(x < 0);
                })
          .Case("square", [](double x) { return x * x; })
          .Case("sqrt", [](double x) { return std::sqrt(x); })
          .Case("rsqrt", [](double x) { return 1.0 / std::sqrt(x); })
          .Case("cbrt", [](double x) { return std::cbrt(x); })
          .Case("exponential", [](double x) { return std::exp(x); })
          .Case("exponential_minus_one", [](double x) { return std::expm1(x); })
          .Case("log", [](double x) { return std::log(x); })
          .Case("log_plus_one", [](double x) { return std::log1p(x); })
          .Case("cosine", [](double x) { return std::cos(x); })
          .Case("sine", [](double x) { return std::sin(x); })
          .Case("tan", [](double x) { return std::tan(x); })
          .Case("tanh", [](double x) { return std::tanh(x); })
          .Case("logistic", [](double x) { return 1.0 / (1.0 + std::exp(-x)); })
          .Case("floor", [](double x) { return std::floor(x); })
          .Case("ceil", [](double x) { return std::ceil(x); })
          .Case("round_nearest_even", [](double x) { return std::nearbyint(x); })
          .Case("round_nearest_afz", [](double x) { return std::round(x); })
          .Default(nullptr);
  return function ? std::optional<double>(function(x)) : std::nullopt;
}

static std::optional<double> binary(StringRef name, double x, double y) {
  using F = double (*)(double, double);
  F function =
      llvm::StringSwitch<F>(name)
          .Case("add", [](double x, double y) { return x + y; })
          .Case("subtract", [](double x, double y) { return x - y; })
          .Case("multiply", [](double x, double y) { return x * y; })
          .Case("divide", [](double x, double y) { return x / y; })
          .Case("remainder", [](double x, double y) { return std::fmod(x, y); })
          .Case("power", [](double x, double y) { return std::pow(x, y); })
          .Case("atan2", [](double x, double y) { return std::atan2(x, y); })
          .Case("maximum",
                [](double x, double y) {
                  return std::isnan(x) || std::isnan(y) ? NAN : std::fmax(x, y);
                })
          .Case("minimum",
                [](double x, double y) {
                  return std::isnan(x) || std::isnan(y) ? NAN : std::fmin(x, y);
                })
          .Default(nullptr);
  return function ? std::optional<double>(function(x, y)) : std::nullopt;
}

static std::optional<int64_t> unaryInteger(StringRef name, int64_t x,
                                           bool isBoolean) {
  return llvm::StringSwitch<std::optional<int64_t>>(name)
      .Case("negate", int64_t(-uint64_t(x)))
      .Case("abs", x < 0 ? int64_t(-uint64_t(x)) : x)
      .Case("sign", (x > 0) - (x < 0))
      .Case("square", int64_t(uint64_t(x) * uint64_t(x)))
      .Case("not", isBoolean ? !x : ~x)
      .Default(std::nullopt);
}

static std::optional<int64_t> binaryInteger(StringRef name, int64_t x,
                                            int64_t y, bool isBoolean) {
  uint64_t a = x, b = y;
  if (name == "power") {
    uint64_t result = 1;
    for (int64_t n = 0; n < std::min<int64_t>(y, 64); ++n)
      result *= a;
    return int64_t(result);
  }
  bool safe = y != 0 && !(x == INT64_MIN && y == -1);
  return llvm::StringSwitch<std::optional<int64_t>>(name)
      .Case("add", isBoolean ? (x | y) : int64_t(a + b))
      .Case("subtract", int64_t(a - b))
      .Case("multiply", int64_t(a * b))
      .Case("divide", safe ? x / y : -1)
      .Case("remainder", safe ? x % y : x)
      .Case("maximum", std::max(x, y))
      .Case("minimum", std::min(x, y))
      .Case("and", x & y)
      .Case("or", x | y)
      .Case("xor", x ^ y)
      .Case("shift_left", b < 64 ? int64_t(a << b) : 0)
      .Case("shift_right_logical", b < 64 ? int64_t(a >> b) : 0)
      .Case("shift_right_arithmetic", x >> std::min<uint64_t>(b, 63))
      .Default(std::nullopt);
}

template <typename T>
static std::optional<bool> compare(StringRef direction, T x, T y) {
  return llvm::StringSwitch<std::optional<bool>>(direction)
      .Case("LT", x < y)
      .Case("LE", x <= y)
      .Case("GT", x > y)
      .Case("GE", x >= y)
      .Case("EQ", x == y)
      .Case("NE", x != y)
      .Default(std::nullopt);
}

std::optional<Elements> mlir::skew::fuzz::computeElementwise(
    StringRef name, StringRef direction, ArrayRef<const Elements *> operands,
    Type operandType, Type type) {
  size_t count = countElements(type);
  for (const Elements *operand : operands)
    if (operand->size() != count && operand->size() != 1)
      return std::nullopt;
  Elements result;
  result.isInteger = isIntegerType(type);
  auto add = [&](double value) {
    // A float kind's value in an integer result (a mutant's type) is converted.
    Elements one;
    one.f.push_back(value);
    if (result.isInteger)
      result.i.push_back(wrapInteger(one.asInteger(0), type));
    else
      result.f.push_back(value);
  };
  auto addInteger = [&](int64_t value) {
    if (result.isInteger)
      result.i.push_back(wrapInteger(value, type));
    else
      result.f.push_back(double(wrapInteger(value, operandType)));
  };
  auto copy = [&](const Elements &from, size_t at) {
    if (from.isInteger)
      addInteger(from.asInteger(at));
    else
      add(from.asDouble(at));
  };
  bool integers = llvm::all_of(
      operands, [](const Elements *operand) { return operand->isInteger; });
  bool isBoolean = getElementTypeOrSelf(operandType).isInteger(1);
  for (size_t at = 0; at < count; ++at) {
    if (name == "convert" && operands.size() == 1) {
      bool toBoolean = getElementTypeOrSelf(type).isInteger(1);
      if (toBoolean)
        addInteger(operands[0]->asDouble(at) != 0.0);
      else if (integers && !result.isInteger)
        add(double(operands[0]->asInteger(at)));
      else
        copy(*operands[0], at);
      continue;
    }
    if (name == "is_finite" && operands.size() == 1) {
      addInteger(std::isfinite(operands[0]->asDouble(at)));
      continue;
    }
    if (name == "compare" && operands.size() == 2) {
      std::optional<bool> truth =
          integers ? compare(direction, operands[0]->asInteger(at),
                             operands[1]->asInteger(at))
                   : compare(direction, operands[0]->asDouble(at),
                             operands[1]->asDouble(at));
      if (!truth)
        return std::nullopt;
      addInteger(*truth);
      continue;
    }
    if (name == "select" && operands.size() == 3) {
      copy(*operands[operands[0]->asInteger(at) ? 1 : 2], at);
      continue;
    }
    if (name == "clamp" && operands.size() == 3) {
      if (integers) {
        int64_t x = std::max(operands[0]->asInteger(at), operands[1]->asInteger(at));
        addInteger(std::min(x, operands[2]->asInteger(at)));
        continue;
      }
      double low = operands[0]->asDouble(at), x = operands[1]->asDouble(at),
             high = operands[2]->asDouble(at);
      bool anyNaN = std::isnan(low) || std::isnan(x) || std::isnan(high);
      add(anyNaN ? NAN : std::fmin(std::fmax(low, x), high));
      continue;
    }
    if (operands.size() == 1) {
      if (integers) {
        auto value = unaryInteger(name, operands[0]->asInteger(at), isBoolean);
        if (!value)
          return std::nullopt;
        addInteger(*value);
      } else {
        auto value = unary(name, operands[0]->asDouble(at));
        if (!value)
          return std::nullopt;
        add(*value);
      }
      continue;
    }
    if (operands.size() != 2)
      return std::nullopt;
    if (integers) {
      // Shifts and comparisons are of the type's own width.
      auto value = binaryInteger(
          name, wrapInteger(operands[0]->asInteger(at), operandType),
          wrapInteger(operands[1]->asInteger(at), operandType), isBoolean);
      if (!value)
        return std::nullopt;
      addInteger(*value);
    } else {
      auto value =
          binary(name, operands[0]->asDouble(at), operands[1]->asDouble(at));
      if (!value)
        return std::nullopt;
      add(*value);
    }
  }
  return result;
}
