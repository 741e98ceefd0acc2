//===- SliceArithmetic.cpp - one slice operation on rows of doubles -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers are exact in double below 2^53. Floats keep full precision: casts
// between float types are the identity here.
//
//===----------------------------------------------------------------------===//

#include "SliceArithmetic.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::skew;

/// StableHLO: sign of a NaN is the NaN.
static double signOf(double x) { return x > 0.0 ? 1.0 : x < 0.0 ? -1.0 : x; }

/// NaN-propagating, as StableHLO's maximum and minimum are.
static double maximumOf(double x, double y) {
  return std::isnan(x) ? x : std::isnan(y) ? y : std::max(x, y);
}
static double minimumOf(double x, double y) {
  return std::isnan(x) ? x : std::isnan(y) ? y : std::min(x, y);
}

static double roundEven(double x) { return std::nearbyint(x); }

/// Bitwise operation on integers that a double holds.
template <typename Fn>
static double onBits(double x, double y, Fn fn) {
  constexpr double kLimit = 0x1p53;
  if (!(std::abs(x) < kLimit) || !(std::abs(y) < kLimit))
    return std::numeric_limits<double>::quiet_NaN();
  return double(fn(int64_t(x), int64_t(y)));
}

void mlir::skew::computeRow(const SliceNode &node,
                            ArrayRef<OperandRow> operands, double *out,
                            unsigned count) {
  auto value = [&](unsigned operand, unsigned i) {
    return operands[operand].values[i * operands[operand].stride];
  };
  auto unary = [&](auto fn) {
    for (unsigned i = 0; i < count; ++i)
      out[i] = fn(value(0, i));
  };
  auto binary = [&](auto fn) {
    for (unsigned i = 0; i < count; ++i)
      out[i] = fn(value(0, i), value(1, i));
  };
  bool isFloat = node.number == NumberKind::Float;
  bool isBoolean = node.number == NumberKind::Boolean;
  switch (node.kind) {
  case SliceKind::Argument:
  case SliceKind::Opaque:
    break;
  case SliceKind::Constant:
    std::fill(out, out + count, node.constant);
    break;
  case SliceKind::Broadcast:
    unary([](double x) { return x; });
    break;
  case SliceKind::Convert:
    if (isBoolean)
      unary([](double x) { return double(x != 0.0); });
    else if (!isFloat && operands[0].number == NumberKind::Float)
      unary([](double x) { return std::trunc(x); });
    else
      unary([](double x) { return x; });
    break;
  case SliceKind::Negate:
    unary([](double x) { return -x; });
    break;
  case SliceKind::Abs:
    unary([](double x) { return std::abs(x); });
    break;
  case SliceKind::Sign:
    unary(signOf);
    break;
  case SliceKind::Square:
    unary([](double x) { return x * x; });
    break;
  case SliceKind::Sqrt:
    unary([](double x) { return std::sqrt(x); });
    break;
  case SliceKind::Rsqrt:
    unary([](double x) { return 1.0 / std::sqrt(x); });
    break;
  case SliceKind::Cbrt:
    unary([](double x) { return std::cbrt(x); });
    break;
  case SliceKind::Exp:
    unary([](double x) { return std::exp(x); });
    break;
  case SliceKind::ExpMinusOne:
    unary([](double x) { return std::expm1(x); });
    break;
  case SliceKind::Log:
    unary([](double x) { return std::log(x); });
    break;
  case SliceKind::LogPlusOne:
    unary([](double x) { return std::log1p(x); });
    break;
  case SliceKind::Cosine:
    unary([](double x) { return std::cos(x); });
    break;
  case SliceKind::Sine:
    unary([](double x) { return std::sin(x); });
    break;
  case SliceKind::Tanh:
    unary([](double x) { return std::tanh(x); });
    break;
  case SliceKind::Logistic:
    unary([](double x) { return 1.0 / (1.0 + std::exp(-x)); });
    break;
  case SliceKind::Floor:
    unary([](double x) { return std::floor(x); });
    break;
  case SliceKind::Ceil:
    unary([](double x) { return std::ceil(x); });
    break;
  case SliceKind::RoundEven:
    unary(roundEven);
    break;
  case SliceKind::RoundAway:
    unary([](double x) { return std::round(x); });
    break;
  case SliceKind::IsFinite:
    unary([](double x) { return double(std::isfinite(x)); });
    break;
  case SliceKind::Not:
    if (isBoolean)
      unary([](double x) { return double(x == 0.0); });
    else
      unary([](double x) { return -x - 1.0; });
    break;
  case SliceKind::Add:
    binary([](double x, double y) { return x + y; });
    break;
  case SliceKind::Subtract:
    binary([](double x, double y) { return x - y; });
    break;
  case SliceKind::Multiply:
    binary([](double x, double y) { return x * y; });
    break;
  case SliceKind::Divide:
    if (isFloat)
      binary([](double x, double y) { return x / y; });
    else
      binary([](double x, double y) { return std::trunc(x / y); });
    break;
  case SliceKind::Remainder:
    binary([](double x, double y) { return std::fmod(x, y); });
    break;
  case SliceKind::Power:
    binary([](double x, double y) { return std::pow(x, y); });
    break;
  case SliceKind::Maximum:
    binary(maximumOf);
    break;
  case SliceKind::Minimum:
    binary(minimumOf);
    break;
  case SliceKind::And:
    if (isBoolean)
      binary([](double x, double y) { return double(x != 0.0 && y != 0.0); });
    else
      binary([](double x, double y) {
        return onBits(x, y, [](int64_t a, int64_t b) { return a & b; });
      });
    break;
  case SliceKind::Or:
    if (isBoolean)
      binary([](double x, double y) { return double(x != 0.0 || y != 0.0); });
    else
      binary([](double x, double y) {
        return onBits(x, y, [](int64_t a, int64_t b) { return a | b; });
      });
    break;
  case SliceKind::Xor:
    if (isBoolean)
      binary(
          [](double x, double y) { return double((x != 0.0) != (y != 0.0)); });
    else
      binary([](double x, double y) {
        return onBits(x, y, [](int64_t a, int64_t b) { return a ^ b; });
      });
    break;
  case SliceKind::Less:
    binary([](double x, double y) { return double(x < y); });
    break;
  case SliceKind::LessEqual:
    binary([](double x, double y) { return double(x <= y); });
    break;
  case SliceKind::Greater:
    binary([](double x, double y) { return double(x > y); });
    break;
  case SliceKind::GreaterEqual:
    binary([](double x, double y) { return double(x >= y); });
    break;
  case SliceKind::Equal:
    binary([](double x, double y) { return double(x == y); });
    break;
  case SliceKind::NotEqual:
    binary([](double x, double y) { return double(x != y); });
    break;
  case SliceKind::Select:
    for (unsigned i = 0; i < count; ++i)
      out[i] = value(0, i) != 0.0 ? value(1, i) : value(2, i);
    break;
  case SliceKind::Clamp:
    for (unsigned i = 0; i < count; ++i)
      out[i] = minimumOf(maximumOf(value(1, i), value(0, i)), value(2, i));
    break;
  case SliceKind::Switch: {
    // Out of range means the last branch.
    unsigned branches = operands.size() - 1;
    for (unsigned i = 0; i < count; ++i) {
      double index = value(0, i);
      bool inRange = index >= 0.0 && index < double(branches);
      unsigned branch = inRange ? unsigned(index) : branches - 1;
      out[i] = value(1 + branch, i);
    }
    break;
  }
  }
}
