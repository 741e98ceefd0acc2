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
