//===- ExpandRounding.cpp - stochastic rounding as arith ops --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finite values are rounded in integer arithmetic: it is the same on every
// target, whatever that target does with subnormal floats.
//
//===----------------------------------------------------------------------===//

#include "skew/Dialect/Skew/Transforms/ExpandRounding.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::skew;

namespace {
/// Emits integer and float ops at one place.
class RoundingExpander {
public:
  explicit RoundingExpander(RoundStochasticOp op)
      : op(op), builder(op), loc(op.getLoc()), i32(builder.getI32Type()),
        image(arith::BitcastOp::create(builder, loc, i32, op.getValue())),
        random(binary<arith::AndIOp>(op.getBits(), integer(0xffff))) {}

  Value expand() {
    Type type = op.getType();
    Value finite = type.isBF16() ? roundToBF16() : roundToF16();
    // Adding bits to an infinity would make a NaN of it.
    Value exponent = integer(0x7f800000);
    Value special = compare(arith::CmpIPredicate::eq,
                            binary<arith::AndIOp>(image, exponent), exponent);
    Value converted =
        arith::TruncFOp::create(builder, loc, type, op.getValue());
    return arith::SelectOp::create(builder, loc, special, converted, finite);
  }

private:
  /// Adds 16 random bits below the kept mantissa and truncates.
  Value roundToBF16() {
    Value sum = binary<arith::AddIOp>(image, random);
    return fromUpperHalf(sum);
  }

  Value roundToF16() {
    // A carry out of the mantissa moves to the next power of two, as it
    // should; from 2^16 on the conversion gives infinity.
    Value low = binary<arith::AndIOp>(random, integer(0x1fff));
    Value kept = binary<arith::AndIOp>(binary<arith::AddIOp>(image, low),
                                       integer(~0x1fffu));
    Value normal = arith::TruncFOp::create(
        builder, loc, op.getType(),
        arith::BitcastOp::create(builder, loc, builder.getF32Type(), kept));

    // Below 2^-14 the results are k 2^-24 and k, at most 1024, is their bit
    // pattern: 16 bits below that grid make an integer of less than 2^26. The
    // conversion is kept defined where its result is not used.
    Value magnitude = binary<arith::AndIOp>(image, integer(0x7fffffff));
    Value isSmall = compare(arith::CmpIPredicate::ult, magnitude,
                            integer(0x38800000)); // 2^-14
    Value small = arith::BitcastOp::create(
        builder, loc, builder.getF32Type(),
        arith::SelectOp::create(builder, loc, isSmall, magnitude, integer(0)));
    Value scale = arith::ConstantOp::create(builder, loc,
                                            builder.getF32FloatAttr(0x1p40f));
    Value fixed = arith::FPToSIOp::create(
        builder, loc, i32, arith::MulFOp::create(builder, loc, small, scale));
    Value grid = binary<arith::ShRUIOp>(binary<arith::AddIOp>(fixed, random),
                                        integer(16));
    Value sign = binary<arith::AndIOp>(image, integer(0x80000000u));
    Value subnormal = fromUpperHalf(
        binary<arith::OrIOp>(sign, binary<arith::ShLIOp>(grid, integer(16))));
    return arith::SelectOp::create(builder, loc, isSmall, subnormal, normal);
  }

  /// The upper 16 bits as a value of the result type.
  Value fromUpperHalf(Value bits) {
    Value half =
        arith::TruncIOp::create(builder, loc, builder.getI16Type(),
                                binary<arith::ShRUIOp>(bits, integer(16)));
    return arith::BitcastOp::create(builder, loc, op.getType(), half);
  }

  Value integer(uint32_t value) {
    return arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(i32, APInt(32, value)));
  }
  Value compare(arith::CmpIPredicate predicate, Value a, Value b) {
    return arith::CmpIOp::create(builder, loc, predicate, a, b);
  }
  template <typename Op>
  Value binary(Value a, Value b) {
    return Op::create(builder, loc, a, b);
  }

  RoundStochasticOp op;
  OpBuilder builder;
  Location loc;
  Type i32;
  /// The value's bits, and the random bits that count.
  Value image, random;
};
} // namespace

void skew::expandStochasticRounding(SweepOp sweep) {
  SmallVector<RoundStochasticOp> ops;
  sweep.getBody().walk([&](RoundStochasticOp op) { ops.push_back(op); });
  for (RoundStochasticOp op : ops) {
    Value expanded = RoundingExpander(op).expand();
    op.replaceAllUsesWith(expanded);
    op.erase();
  }
}
