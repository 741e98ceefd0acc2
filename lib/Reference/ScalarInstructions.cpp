//===- ScalarInstructions.cpp - one instruction of a sweep's body ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SweepProgram.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <cmath>

using namespace mlir;
using namespace mlir::skew;

/// NaN if either is, and +0 above -0.
static double maximumOf(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::numeric_limits<double>::quiet_NaN();
  if (a == b)
    return std::signbit(a) ? b : a;
  return a > b ? a : b;
}

static bool compareFloats(arith::CmpFPredicate predicate, double a, double b) {
  using P = arith::CmpFPredicate;
  bool unordered = std::isnan(a) || std::isnan(b);
  switch (predicate) {
  case P::AlwaysFalse:
    return false;
  case P::AlwaysTrue:
    return true;
  case P::ORD:
    return !unordered;
  case P::UNO:
    return unordered;
  case P::OEQ:
    return a == b;
  case P::OGT:
    return a > b;
  case P::OGE:
    return a >= b;
  case P::OLT:
    return a < b;
  case P::OLE:
    return a <= b;
  case P::ONE:
    return !unordered && a != b;
  case P::UEQ:
    return unordered || a == b;
  case P::UGT:
    return unordered || a > b;
  case P::UGE:
    return unordered || a >= b;
  case P::ULT:
    return unordered || a < b;
  case P::ULE:
    return unordered || a <= b;
  case P::UNE:
    return a != b;
  }
  llvm_unreachable("every predicate is listed");
}

static bool compareIntegers(arith::CmpIPredicate predicate, uint64_t a,
                            uint64_t b, unsigned width) {
  using P = arith::CmpIPredicate;
  int64_t sa = signedOf(a, width), sb = signedOf(b, width);
  switch (predicate) {
  case P::eq:
    return a == b;
  case P::ne:
    return a != b;
  case P::slt:
    return sa < sb;
  case P::sle:
    return sa <= sb;
  case P::sgt:
    return sa > sb;
  case P::sge:
    return sa >= sb;
  case P::ult:
    return a < b;
  case P::ule:
    return a <= b;
  case P::ugt:
    return a > b;
  case P::uge:
    return a >= b;
  }
  llvm_unreachable("every predicate is listed");
}

/// Conversions out of range are undefined in the dialects; saturation is what
/// XLA does and keeps this program defined.
static uint64_t floatToInteger(double value, unsigned width, bool isSigned) {
  if (std::isnan(value))
    return 0;
  double low = isSigned ? -std::ldexp(1.0, width - 1) : 0.0;
  double end = std::ldexp(1.0, isSigned ? width - 1 : width);
  value = std::trunc(value);
  if (value < low)
    value = low;
  if (value >= end)
    return truncateTo(
        isSigned ? (uint64_t(1) << (width - 1)) - 1 : ~uint64_t(0), width);
  return truncateTo(isSigned
                        ? static_cast<uint64_t>(static_cast<int64_t>(value))
                        : static_cast<uint64_t>(value),
                    width);
}

static uint64_t bitsOf(double value, FloatType type) {
  llvm::APFloat number(value);
  bool lost;
  number.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven,
                 &lost);
  return number.bitcastToAPInt().getZExtValue();
}

static double floatFromBits(uint64_t bits, FloatType type) {
  llvm::APFloat number(type.getFloatSemantics(),
                       llvm::APInt(type.getWidth(), bits));
  bool lost;
  number.convert(llvm::APFloat::IEEEdouble(),
                 llvm::APFloat::rmNearestTiesToEven, &lost);
  return number.convertToDouble();
}

Scalar mlir::skew::execute(const Instruction &op,
                           const std::vector<Scalar> &slots) {
  Scalar a = slots[op.operands[0]], b = slots[op.operands[1]];
  auto number = [](double value) {
    Scalar scalar;
    scalar.f = value;
    return scalar;
  };
  auto integer = [&](uint64_t value) {
    Scalar scalar;
    scalar.u = truncateTo(value, op.width);
    return scalar;
  };
  int64_t sa = signedOf(a.u, op.sourceWidth),
          sb = signedOf(b.u, op.sourceWidth);
  switch (op.opcode) {
  case Opcode::addF:
    return number(a.f + b.f);
  case Opcode::subF:
    return number(a.f - b.f);
  case Opcode::mulF:
    return number(a.f * b.f);
  case Opcode::divF:
    return number(a.f / b.f);
  case Opcode::negF:
    return number(-a.f);
  case Opcode::absF:
    return number(std::fabs(a.f));
  case Opcode::maximumF:
    return number(maximumOf(a.f, b.f));
  case Opcode::minimumF:
    return number(-maximumOf(-a.f, -b.f));
  case Opcode::maxNumF:
    return number(std::fmax(a.f, b.f));
  case Opcode::minNumF:
    return number(std::fmin(a.f, b.f));
  case Opcode::sqrt:
    return number(std::sqrt(a.f));
  case Opcode::rsqrt:
    return number(1.0 / std::sqrt(a.f));
  case Opcode::cbrt:
    return number(std::cbrt(a.f));
  case Opcode::pow:
    return number(std::pow(a.f, b.f));
  case Opcode::exp:
    return number(std::exp(a.f));
  case Opcode::exp2:
    return number(std::exp2(a.f));
  case Opcode::expm1:
    return number(std::expm1(a.f));
  case Opcode::log:
    return number(std::log(a.f));
  case Opcode::log2:
    return number(std::log2(a.f));
  case Opcode::log1p:
    return number(std::log1p(a.f));
  case Opcode::tanh:
    return number(std::tanh(a.f));
  case Opcode::floor:
    return number(std::floor(a.f));
  case Opcode::ceil:
    return number(std::ceil(a.f));
  case Opcode::copySign:
    return number(std::copysign(a.f, b.f));
  case Opcode::fma:
    return number(std::fma(a.f, b.f, slots[op.operands[2]].f));
  case Opcode::compareF:
    return integer(compareFloats(
        static_cast<arith::CmpFPredicate>(op.predicate), a.f, b.f));
  case Opcode::round:
    return number(roundToNearest(a.f, op.type));
  case Opcode::roundStochastic:
    return number(
        roundStochastically(a.f, static_cast<uint32_t>(b.u), op.type));
  case Opcode::addI:
    return integer(a.u + b.u);
  case Opcode::subI:
    return integer(a.u - b.u);
  case Opcode::mulI:
    return integer(a.u * b.u);
  case Opcode::andI:
    return integer(a.u & b.u);
  case Opcode::orI:
    return integer(a.u | b.u);
  case Opcode::xorI:
    return integer(a.u ^ b.u);
  case Opcode::shiftLeft:
    return integer(b.u >= op.width ? 0 : a.u << b.u);
  case Opcode::shiftRightU:
    return integer(b.u >= op.width ? 0 : a.u >> b.u);
  case Opcode::shiftRightS:
    return integer(sa >> std::min<uint64_t>(b.u, 63));
  case Opcode::maxS:
    return integer(std::max(sa, sb));
  case Opcode::minS:
    return integer(std::min(sa, sb));
  case Opcode::maxU:
    return integer(std::max(a.u, b.u));
  case Opcode::minU:
    return integer(std::min(a.u, b.u));
  case Opcode::compareI:
    return integer(
        compareIntegers(static_cast<arith::CmpIPredicate>(op.predicate), a.u,
                        b.u, op.sourceWidth));
  case Opcode::zeroExtend:
  case Opcode::truncate:
    return integer(a.u);
  case Opcode::signExtend:
    return integer(sa);
  case Opcode::signedToFloat:
    return number(static_cast<double>(sa));
  case Opcode::unsignedToFloat:
    return number(static_cast<double>(a.u));
  case Opcode::floatToSigned:
    return integer(floatToInteger(a.f, op.width, /*isSigned=*/true));
  case Opcode::floatToUnsigned:
    return integer(floatToInteger(a.f, op.width, /*isSigned=*/false));
  case Opcode::floatToBits:
    return integer(bitsOf(a.f, op.type));
  case Opcode::bitsToFloat:
    return number(floatFromBits(a.u, op.type));
  case Opcode::select:
    return a.u ? b : slots[op.operands[2]];
  case Opcode::copy:
    return a;
  }
  llvm_unreachable("every opcode is listed");
}
