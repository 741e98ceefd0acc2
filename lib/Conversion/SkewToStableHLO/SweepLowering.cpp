//===- SweepLowering.cpp - one sweep as StableHLO -------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StableHLOEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "skew/Conversion/SkewToStableHLO.h"
#include "skew/Dialect/Skew/IR/SweepLevels.h"
#include "skew/Dialect/Skew/Transforms/ExpandRounding.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::skew;

namespace {
class SweepLowering {
public:
  explicit SweepLowering(SweepOp sweep)
      : sweep(sweep), levels(sweep), builder(sweep),
        emit(builder, sweep.getLoc()), domain(sweep.getShape()) {}

  LogicalResult lower();

private:
  void lowerInputs();
  /// The row-major index of every element in the whole tensor.
  Value makeIndex();
  /// First place of this device's part along `axis` of the whole tensor; null
  /// if the axis is not cut.
  Value makeOffset(int64_t axis);
  Value integer(int64_t value) {
    return emit.scalar(builder.getI64IntegerAttr(value));
  }
  LogicalResult lowerBodyOp(Operation &op);
  Value lowerOutput(unsigned i);

  /// `operands` are of one shape; null if the op has no StableHLO form.
  Value lowerElementwise(Operation &op, ValueRange operands);
  Value lowerCompare(arith::CmpFOp op, Value a, Value b);
  Value lowerCompare(arith::CmpIOp op, Value a, Value b);

  /// The body value as a tensor over `axes`.
  Value over(Value value, ArrayRef<int64_t> axes) {
    return emit.broadcast(tensors.lookup(value), levels.getAxes(value), axes,
                          domain);
  }
  /// Signless integers read as unsigned ones.
  Value asUnsigned(Value tensor) {
    unsigned width = elementOf(tensor).getIntOrFloatBitWidth();
    if (width == 1)
      return tensor;
    return emit.bitcast(tensor, builder.getIntegerType(width, false));
  }
  Value asSignless(Value tensor) {
    auto type = cast<IntegerType>(elementOf(tensor));
    return emit.bitcast(tensor, builder.getIntegerType(type.getWidth()));
  }
  static Type elementOf(Value tensor) {
    return cast<RankedTensorType>(tensor.getType()).getElementType();
  }

  SweepOp sweep;
  SweepLevels levels;
  OpBuilder builder;
  StableHLOEmitter emit;
  ArrayRef<int64_t> domain;
  /// This device's number, once it was asked for.
  Value device;
  /// Each body value as a tensor over the axes of its level.
  llvm::DenseMap<Value, Value> tensors;
};
} // namespace

/// Ops whose StableHLO form differs by name alone; empty for any other.
static StringRef plainName(Operation &op) {
  return llvm::TypeSwitch<Operation *, StringRef>(&op)
      .Case<arith::AddFOp>([](auto) { return "add"; })
      .Case<arith::SubFOp>([](auto) { return "subtract"; })
      .Case<arith::MulFOp>([](auto) { return "multiply"; })
      .Case<arith::DivFOp>([](auto) { return "divide"; })
      .Case<arith::NegFOp>([](auto) { return "negate"; })
      .Case<arith::MaximumFOp>([](auto) { return "maximum"; })
      .Case<arith::MinimumFOp>([](auto) { return "minimum"; })
      .Case<math::AbsFOp>([](auto) { return "abs"; })
      .Case<math::SqrtOp>([](auto) { return "sqrt"; })
      .Case<math::RsqrtOp>([](auto) { return "rsqrt"; })
      .Case<math::CbrtOp>([](auto) { return "cbrt"; })
      .Case<math::PowFOp>([](auto) { return "power"; })
      .Case<math::ExpOp>([](auto) { return "exponential"; })
      .Case<math::ExpM1Op>([](auto) { return "exponential_minus_one"; })
      .Case<math::LogOp>([](auto) { return "log"; })
      .Case<math::Log1pOp>([](auto) { return "log_plus_one"; })
      .Case<math::TanhOp>([](auto) { return "tanh"; })
      .Case<math::FloorOp>([](auto) { return "floor"; })
      .Case<math::CeilOp>([](auto) { return "ceil"; })
      .Case<arith::SubIOp>([](auto) { return "subtract"; })
      .Case<arith::AndIOp>([](auto) { return "and"; })
      .Case<arith::OrIOp>([](auto) { return "or"; })
      .Case<arith::XOrIOp>([](auto) { return "xor"; })
      .Case<arith::MaxSIOp>([](auto) { return "maximum"; })
      .Case<arith::MinSIOp>([](auto) { return "minimum"; })
      .Case<arith::SelectOp>([](auto) { return "select"; })
      .Case<arith::ShLIOp>([](auto) { return "shift_left"; })
      .Case<arith::ShRUIOp>([](auto) { return "shift_right_logical"; })
      .Case<arith::ShRSIOp>([](auto) { return "shift_right_arithmetic"; })
      .Case<arith::BitcastOp>([](auto) { return "bitcast_convert"; })
      .Case<arith::AddIOp>([](auto) { return "add"; })
      .Case<arith::MulIOp>([](auto) { return "multiply"; })
      .Default([](Operation *) { return ""; });
}

Value SweepLowering::lowerElementwise(Operation &op, ValueRange operands) {
  Type element = op.getResult(0).getType();
  // StableHLO's i1 is a truth value: its sums and products are not those of
  // one-bit numbers, and a conversion to it asks for "not zero".
  auto hasBools = [&] {
    return element.isInteger(1) ||
           llvm::any_of(op.getOperandTypes(),
                        [](Type type) { return type.isInteger(1); });
  };
  bool plainBools =
      isa<arith::SelectOp, arith::AndIOp, arith::OrIOp, arith::XOrIOp,
          arith::CmpFOp, arith::CmpIOp, arith::ExtUIOp, arith::UIToFPOp>(op);
  if (hasBools() && !plainBools)
    return {};
  if (StringRef name = plainName(op); !name.empty())
    return emit.elementwise(name, operands, element);
  return llvm::TypeSwitch<Operation *, Value>(&op)
      .Case<arith::CmpFOp, arith::CmpIOp>([&](auto compare) {
        return lowerCompare(compare, operands[0], operands[1]);
      })
      .Case<arith::ExtFOp, arith::TruncFOp, arith::SIToFPOp, arith::TruncIOp,
            arith::ExtSIOp, arith::FPToSIOp>(
          [&](auto) { return emit.convert(operands[0], element); })
      .Case<arith::ExtUIOp, arith::UIToFPOp>(
          [&](auto) { return emit.convert(asUnsigned(operands[0]), element); })
      .Case<arith::FPToUIOp>([&](auto) {
        unsigned width = element.getIntOrFloatBitWidth();
        return asSignless(
            emit.convert(operands[0], builder.getIntegerType(width, false)));
      })
      .Case<arith::MaxUIOp, arith::MinUIOp>([&](Operation *minMax) {
        Value a = asUnsigned(operands[0]), b = asUnsigned(operands[1]);
        StringRef name = isa<arith::MaxUIOp>(minMax) ? "maximum" : "minimum";
        return asSignless(emit.elementwise(name, {a, b}, elementOf(a)));
      })
      .Default([](Operation *) { return Value(); });
}

Value SweepLowering::lowerCompare(arith::CmpFOp op, Value a, Value b) {
  using P = arith::CmpFPredicate;
  auto compare = [&](StringRef direction, Value a, Value b) {
    return emit.compare(direction, "FLOAT", a, b);
  };
  auto both = [&](StringRef combine, Value x, Value y) {
    return emit.elementwise(combine, {x, y}, builder.getI1Type());
  };
  auto negated = [&](Value x) {
    return emit.elementwise("not", x, builder.getI1Type());
  };
  // A comparison with NaN is false, except NE. The unordered predicates are
  // the negations of the opposite ordered ones.
  switch (op.getPredicate()) {
  case P::OEQ:
    return compare("EQ", a, b);
  case P::OGT:
    return compare("GT", a, b);
  case P::OGE:
    return compare("GE", a, b);
  case P::OLT:
    return compare("LT", a, b);
  case P::OLE:
    return compare("LE", a, b);
  case P::UNE:
    return compare("NE", a, b);
  case P::UGT:
    return negated(compare("LE", a, b));
  case P::UGE:
    return negated(compare("LT", a, b));
  case P::ULT:
    return negated(compare("GE", a, b));
  case P::ULE:
    return negated(compare("GT", a, b));
  case P::ONE:
    return both("or", compare("LT", a, b), compare("GT", a, b));
  case P::UEQ:
    return negated(both("or", compare("LT", a, b), compare("GT", a, b)));
  case P::ORD:
    return both("and", compare("EQ", a, a), compare("EQ", b, b));
  case P::UNO:
    return both("or", compare("NE", a, a), compare("NE", b, b));
  case P::AlwaysFalse:
  case P::AlwaysTrue:
    return {};
  }
  llvm_unreachable("every predicate is listed");
}

Value SweepLowering::lowerCompare(arith::CmpIOp op, Value a, Value b) {
  using P = arith::CmpIPredicate;
  bool isUnsigned = op.getPredicate() >= P::ult;
  // Booleans have but one order in StableHLO, that of unsigned numbers.
  bool areBools = elementOf(a).isInteger(1);
  bool isEquality = op.getPredicate() == P::eq || op.getPredicate() == P::ne;
  if (areBools && !isUnsigned && !isEquality)
    return {};
  if (isUnsigned) {
    a = asUnsigned(a);
    b = asUnsigned(b);
  }
  StringRef direction;
  switch (op.getPredicate()) {
  case P::eq:
    direction = "EQ";
    break;
  case P::ne:
    direction = "NE";
    break;
  case P::slt:
  case P::ult:
    direction = "LT";
    break;
  case P::sle:
  case P::ule:
    direction = "LE";
    break;
  case P::sgt:
  case P::ugt:
    direction = "GT";
    break;
  case P::sge:
  case P::uge:
    direction = "GE";
    break;
  }
  return emit.compare(direction, isUnsigned || areBools ? "UNSIGNED" : "SIGNED",
                      a, b);
}

void SweepLowering::lowerInputs() {
  Block &body = sweep.getBody().front();
  for (auto [i, input] : llvm::enumerate(sweep.getInputs())) {
    BlockArgument argument = body.getArgument(i);
    if (argument.use_empty())
      continue;
    if (isa<IntegerType>(argument.getType()))
      tensors[argument] = asSignless(input);
    else
      tensors[argument] = emit.convert(input, argument.getType());
  }
  if (!sweep.getIndexArgument().use_empty())
    tensors[sweep.getIndexArgument()] = makeIndex();
}

Value SweepLowering::makeOffset(int64_t axis) {
  ShardingAttr shards = sweep.getShardsAttr();
  if (!shards || shards.getNumParts(axis) == 1)
    return {};
  Type i64 = builder.getI64Type();
  auto combine = [&](StringRef op, Value a, int64_t b) {
    return emit.elementwise(op, {a, integer(b)}, i64);
  };
  if (!device)
    device = emit.deviceNumber();
  // The part's number: the device's coordinates as digits, major first.
  Value part;
  for (int64_t meshAxis : shards.axesOver(axis)) {
    int64_t size = shards.getAxisSizes()[meshAxis];
    Value coordinate =
        combine("remainder",
                combine("divide", device, shards.getStride(meshAxis)), size);
    part = part ? emit.elementwise(
                      "add", {combine("multiply", part, size), coordinate}, i64)
                : coordinate;
  }
  return combine("multiply", part, domain[axis]);
}

Value SweepLowering::makeIndex() {
  Type i64 = builder.getI64Type();
  if (domain.empty())
    return integer(0);
  auto type = RankedTensorType::get(domain, i64);
  SmallVector<int64_t> all = sweep.getAxes().axesOf(Projection::elem);
  ShardingAttr shards = sweep.getShardsAttr();
  Value index;
  int64_t stride = 1;
  for (int64_t axis = domain.size() - 1; axis >= 0; --axis) {
    Value position = emit.iota(type, axis);
    if (Value offset = makeOffset(axis))
      position = emit.elementwise(
          "add", {position, emit.broadcast(offset, {}, all, domain)}, i64);
    if (stride != 1) {
      Value factor = emit.broadcast(integer(stride), {}, all, domain);
      position = emit.elementwise("multiply", {position, factor}, i64);
    }
    index = index ? emit.elementwise("add", {position, index}, i64) : position;
    stride *= domain[axis] * (shards ? shards.getNumParts(axis) : 1);
  }
  return index;
}

LogicalResult SweepLowering::lowerBodyOp(Operation &op) {
  if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
    tensors[constant] = emit.scalar(constant.getValue());
    return success();
  }
  Value result;
  if (op.getNumResults() == 1 && op.getNumOperands() > 0 &&
      op.getNumRegions() == 0) {
    ArrayRef<int64_t> axes = levels.getAxes(op.getResult(0));
    SmallVector<Value> operands;
    for (Value operand : op.getOperands())
      operands.push_back(over(operand, axes));
    result = lowerElementwise(op, operands);
  }
  if (!result)
    return op.emitOpError("has no StableHLO form in a sweep");
  tensors[op.getResult(0)] = result;
  return success();
}

/// Axes of the mesh with more than one device that cut the dimensions `dims`.
static SmallVector<int64_t> cutOver(ShardingAttr shards,
                                    ArrayRef<int64_t> dims) {
  SmallVector<int64_t> axes = shards.axesOver(dims);
  llvm::erase_if(
      axes, [&](int64_t axis) { return shards.getAxisSizes()[axis] == 1; });
  return axes;
}

Value SweepLowering::lowerOutput(unsigned i) {
  Value yielded = sweep.getBody().front().getTerminator()->getOperand(i);
  Type element = elementOf(sweep.getResult(i));
  SmallVector<int64_t> summed = levels.getSummedAxes(i);
  Value value =
      over(yielded,
           sweep.getAxes().axesOf(summed.empty() ? sweep.getOutputProjection(i)
                                                 : Projection::elem));
  if (!summed.empty())
    value = emit.sum(value, summed);
  // Every device has the sum over its own part: join the parts of those that
  // cut the summed axes. Axes of the mesh that do not are left alone.
  if (ShardingAttr shards = sweep.getShardsAttr(); shards && !summed.empty())
    if (SmallVector<int64_t> cut = cutOver(shards, summed); !cut.empty())
      value = emit.allReduceSum(value, shards.getGroups(cut));
  return emit.convert(value, element);
}

LogicalResult SweepLowering::lower() {
  lowerInputs();
  for (Operation &op : sweep.getBody().front().without_terminator())
    if (failed(lowerBodyOp(op)))
      return failure();
  SmallVector<Value> results;
  for (unsigned i = 0; i < sweep.getNumResults(); ++i)
    results.push_back(lowerOutput(i));
  sweep->replaceAllUsesWith(results);
  sweep->erase();
  return success();
}

LogicalResult skew::lowerSweepToStableHLO(SweepOp sweep) {
  expandStochasticRounding(sweep);
  return SweepLowering(sweep).lower();
}
