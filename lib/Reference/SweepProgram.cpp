//===- SweepProgram.cpp - one sweep as a list of instructions -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SweepProgram.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace mlir::skew;

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

static uint8_t widthOf(Type type) {
  return isa<IntegerType>(type) ? type.getIntOrFloatBitWidth() : 64;
}

/// The opcode of an op whose instruction needs no further look at the op.
static std::optional<Opcode> simpleOpcode(Operation &op) {
  return llvm::TypeSwitch<Operation *, std::optional<Opcode>>(&op)
#define SKEW_CASE(OP, OPCODE)                                                  \
  .Case<OP>([](auto) { return std::optional<Opcode>(Opcode::OPCODE); })
      SKEW_CASE(arith::AddFOp, addF) SKEW_CASE(arith::SubFOp, subF) SKEW_CASE(
             arith::MulFOp,
             mulF) SKEW_CASE(arith::DivFOp,
                             divF) SKEW_CASE(arith::NegFOp,
                                             negF) SKEW_CASE(arith::MaximumFOp,
                                                             maximumF)
          SKEW_CASE(arith::MinimumFOp, minimumF) SKEW_CASE(
              arith::MaxNumFOp,
              maxNumF) SKEW_CASE(arith::MinNumFOp,
                                 minNumF) SKEW_CASE(math::AbsFOp,
                                                    absF) SKEW_CASE(math::
                                                                        SqrtOp,
                                                                    sqrt)
              SKEW_CASE(math::RsqrtOp, rsqrt) SKEW_CASE(math::CbrtOp, cbrt) SKEW_CASE(
                  math::PowFOp,
                  pow) SKEW_CASE(math::ExpOp,
                                 exp) SKEW_CASE(math::Exp2Op,
                                                exp2) SKEW_CASE(math::ExpM1Op,
                                                                expm1)
                  SKEW_CASE(math::LogOp, log) SKEW_CASE(
                      math::Log2Op,
                      log2) SKEW_CASE(math::Log1pOp,
                                      log1p) SKEW_CASE(math::TanhOp,
                                                       tanh) SKEW_CASE(math::
                                                                           FloorOp,
                                                                       floor)
                      SKEW_CASE(math::CeilOp, ceil) SKEW_CASE(
                          math::CopySignOp,
                          copySign) SKEW_CASE(math::FmaOp,
                                              fma) SKEW_CASE(arith::TruncFOp,
                                                             round)
                          SKEW_CASE(arith::ExtFOp, copy) SKEW_CASE(
                              RoundStochasticOp,
                              roundStochastic) SKEW_CASE(arith::AddIOp,
                                                         addI) SKEW_CASE(arith::
                                                                             SubIOp,
                                                                         subI)
                              SKEW_CASE(arith::MulIOp, mulI) SKEW_CASE(
                                  arith::AndIOp,
                                  andI) SKEW_CASE(arith::OrIOp,
                                                  orI) SKEW_CASE(arith::XOrIOp,
                                                                 xorI)
                                  SKEW_CASE(arith::ShLIOp, shiftLeft) SKEW_CASE(
                                      arith::ShRUIOp,
                                      shiftRightU) SKEW_CASE(arith::ShRSIOp,
                                                             shiftRightS)
                                      SKEW_CASE(arith::MaxSIOp, maxS) SKEW_CASE(
                                          arith::MinSIOp,
                                          minS) SKEW_CASE(arith::MaxUIOp, maxU)
                                          SKEW_CASE(arith::MinUIOp, minU) SKEW_CASE(
                                              arith::ExtUIOp,
                                              zeroExtend) SKEW_CASE(arith::
                                                                        ExtSIOp,
                                                                    signExtend)
                                              SKEW_CASE(
                                                  arith::TruncIOp,
                                                  truncate) SKEW_CASE(arith::
                                                                          SIToFPOp,
                                                                      signedToFloat)
                                                  SKEW_CASE(arith::UIToFPOp,
                                                            unsignedToFloat)
                                                      SKEW_CASE(arith::FPToSIOp,
                                                                floatToSigned)
                                                          SKEW_CASE(
                                                              arith::FPToUIOp,
                                                              floatToUnsigned)
                                                              SKEW_CASE(
                                                                  arith::
                                                                      SelectOp,
                                                                  select)
                                                                  SKEW_CASE(
                                                                      arith::
                                                                          CmpFOp,
                                                                      compareF)
                                                                      SKEW_CASE(
                                                                          arith::
                                                                              CmpIOp,
                                                                          compareI)
#undef SKEW_CASE
                                                                          .Default(
                                                                              [](Operation
                                                                                     *) {
                                                                                return std::
                                                                                    nullopt;
                                                                              });
}

/// The types a body may compute with, or a tensor hold: IEEE floats and integers
/// of at most 64 bits.
static bool isKnownType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.getWidth() <= 64;
  return type.isF16() || type.isBF16() || type.isF32() || type.isF64();
}

static FailureOr<Instruction> compileOp(Operation &op) {
  if (op.getNumResults() != 1 || op.getNumRegions() != 0 ||
      op.getNumOperands() > 3 || op.getNumOperands() == 0)
    return op.emitError("the reference interpreter does not know op '")
           << op.getName() << "' in a sweep";
  Type type = op.getResult(0).getType();
  Type source = op.getOperand(0).getType();
  for (Type t : {type, source})
    if (!isKnownType(t))
      return op.emitError("the reference interpreter does not compute in ")
             << t;

  Instruction instruction;
  instruction.width = widthOf(type);
  instruction.sourceWidth = widthOf(source);
  instruction.type = dyn_cast<FloatType>(type);
  if (auto cast = dyn_cast<arith::BitcastOp>(op)) {
    bool toInteger = isa<IntegerType>(type);
    if (toInteger == isa<IntegerType>(source)) {
      instruction.opcode = Opcode::copy;
      if (type != source)
        return op.emitError("the reference interpreter does not cast the bits "
                            "of ")
               << source << " to " << type;
      return instruction;
    }
    instruction.opcode = toInteger ? Opcode::floatToBits : Opcode::bitsToFloat;
    if (toInteger)
      instruction.type = llvm::cast<FloatType>(source);
    return instruction;
  }
  std::optional<Opcode> opcode = simpleOpcode(op);
  if (!opcode)
    return op.emitError("the reference interpreter does not know op '")
           << op.getName() << "' in a sweep";
  instruction.opcode = *opcode;
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    instruction.predicate = static_cast<uint8_t>(compare.getPredicate());
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    instruction.predicate = static_cast<uint8_t>(compare.getPredicate());
  return instruction;
}

SweepProgram::Port SweepProgram::makePort(SweepOp sweep, Type type,
                                          Projection projection,
                                          unsigned slot) {
  auto tensor = cast<RankedTensorType>(type);
  Port port;
  llvm::append_range(port.shape, tensor.getShape());
  port.strides.assign(shape.size(), 0);
  SmallVector<int64_t> axes = sweep.getAxes().axesOf(projection);
  int64_t stride = 1;
  for (int64_t axis : llvm::reverse(axes)) {
    port.strides[axis] = stride;
    stride *= shape[axis];
  }
  port.slot = slot;
  port.isInteger = isa<IntegerType>(tensor.getElementType());
  port.width = widthOf(tensor.getElementType());
  port.sums = axes.size() != shape.size();
  return port;
}

FailureOr<SweepProgram> SweepProgram::create(SweepOp sweep,
                                             InterpreterOptions options) {
  SweepProgram program;
  llvm::append_range(program.shape, sweep.getShape());
  Block &body = sweep.getBody().front();

  llvm::DenseMap<Value, unsigned> slotOf;
  auto newSlot = [&](Value value) {
    unsigned slot = program.slots.size();
    slotOf[value] = slot;
    program.slots.push_back(Scalar{0.0});
    return slot;
  };
  for (auto [i, input] : llvm::enumerate(sweep.getInputs())) {
    Type element = cast<RankedTensorType>(input.getType()).getElementType();
    for (Type type : {element, body.getArgument(i).getType()})
      if (!isKnownType(type))
        return sweep.emitError("the reference interpreter does not compute in ")
               << type;
    program.inputs.push_back(program.makePort(sweep, input.getType(),
                                              sweep.getInputProjection(i),
                                              newSlot(body.getArgument(i))));
  }
  program.indexSlot = newSlot(sweep.getIndexArgument());

  for (Operation &op : body.without_terminator()) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      Scalar &slot = program.slots[newSlot(constant)];
      if (auto number = dyn_cast<FloatAttr>(constant.getValue()))
        slot.f = number.getValueAsDouble();
      else if (auto number = dyn_cast<IntegerAttr>(constant.getValue());
               number && isKnownType(number.getType()))
        slot.u = number.getValue().getZExtValue();
      else
        return op.emitError("the reference interpreter does not compute in ")
               << constant.getType();
      continue;
    }
    FailureOr<Instruction> instruction = compileOp(op);
    if (failed(instruction))
      return failure();
    for (auto [i, operand] : llvm::enumerate(op.getOperands()))
      instruction->operands[i] = slotOf.at(operand);
    instruction->result = newSlot(op.getResult(0));
    program.instructions.push_back(*instruction);
  }

  for (auto [i, value] : llvm::enumerate(body.getTerminator()->getOperands())) {
    Type type = sweep.getResult(i).getType();
    Type element = cast<RankedTensorType>(type).getElementType();
    if (!isKnownType(element))
      return sweep.emitError("the reference interpreter does not compute in ")
             << element;
    Port port = program.makePort(sweep, type, sweep.getOutputProjection(i),
                                 slotOf.at(value));
    if (options.roundStorage)
      port.storage = dyn_cast<FloatType>(element);
    program.outputs.push_back(port);
  }
  return program;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

static uint64_t truncateTo(uint64_t value, unsigned width) {
  return width >= 64 ? value : value & ((uint64_t(1) << width) - 1);
}

static int64_t signedOf(uint64_t value, unsigned width) {
  return static_cast<int64_t>(value << (64 - width)) >> (64 - width);
}

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

static Scalar execute(const Instruction &op, const std::vector<Scalar> &slots) {
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

/// Adds `value` to `sum`; `lost` collects what the additions rounded away
/// (Neumaier's variant of compensated summation).
static void addCompensated(double &sum, double &lost, double value) {
  double total = sum + value;
  lost += std::fabs(sum) >= std::fabs(value) ? (sum - total) + value
                                             : (value - total) + sum;
  sum = total;
}

void SweepProgram::run(ArrayRef<const ReferenceTensor *> tensors,
                       SmallVectorImpl<ReferenceTensor> &results) const {
  unsigned base = results.size();
  std::vector<std::vector<double>> lost(outputs.size());
  for (auto [i, port] : llvm::enumerate(outputs)) {
    ReferenceTensor &tensor = results.emplace_back();
    tensor.shape = port.shape;
    tensor.isInteger = port.isInteger;
    int64_t count = getNumElements(port.shape);
    if (port.isInteger)
      tensor.i.assign(count, 0);
    else
      tensor.f.assign(count, 0.0);
    if (port.sums && !port.isInteger)
      lost[i].assign(count, 0.0);
  }

  std::vector<Scalar> values = slots;
  SmallVector<int64_t> position(shape.size(), 0);
  SmallVector<int64_t> inputAt(inputs.size(), 0), outputAt(outputs.size(), 0);
  int64_t count = getNumElements(shape);
  for (int64_t element = 0; element < count; ++element) {
    for (auto [i, port] : llvm::enumerate(inputs)) {
      if (port.isInteger)
        values[port.slot].u = truncateTo(tensors[i]->i[inputAt[i]], port.width);
      else
        values[port.slot].f = tensors[i]->f[inputAt[i]];
    }
    values[indexSlot].u = element;
    for (const Instruction &instruction : instructions)
      values[instruction.result] = execute(instruction, values);

    for (auto [i, port] : llvm::enumerate(outputs)) {
      ReferenceTensor &tensor = results[base + i];
      Scalar value = values[port.slot];
      if (port.isInteger && port.sums)
        tensor.i[outputAt[i]] += value.u;
      else if (port.isInteger)
        tensor.i[outputAt[i]] = value.u;
      else if (port.sums)
        addCompensated(tensor.f[outputAt[i]], lost[i][outputAt[i]], value.f);
      else
        tensor.f[outputAt[i]] = value.f;
    }

    for (int64_t axis = shape.size() - 1; axis >= 0; --axis) {
      bool carries = ++position[axis] == shape[axis];
      int64_t steps = carries ? 1 - shape[axis] : 1;
      for (auto [i, port] : llvm::enumerate(inputs))
        inputAt[i] += steps * port.strides[axis];
      for (auto [i, port] : llvm::enumerate(outputs))
        outputAt[i] += steps * port.strides[axis];
      if (!carries)
        break;
      position[axis] = 0;
    }
  }

  for (auto [i, port] : llvm::enumerate(outputs)) {
    ReferenceTensor &tensor = results[base + i];
    for (auto [k, sum] : llvm::enumerate(tensor.f)) {
      // An infinite sum has no meaningful remainder (inf - inf).
      if (port.sums && std::isfinite(sum))
        sum += lost[i][k];
      if (port.storage)
        sum = roundToNearest(sum, port.storage);
    }
    for (int64_t &value : tensor.i) {
      value = truncateTo(value, port.width);
      if (port.width > 1)
        value = signedOf(value, port.width);
    }
  }
}
