//===- Interpreter.cpp - fp64 reference of updates and sweeps -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Reference/Interpreter.h"
#include "SweepProgram.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "skew/Dialect/Skew/Transforms/Decompose.h"

using namespace mlir;
using namespace mlir::skew;

ReferenceTensor ReferenceTensor::floats(ArrayRef<int64_t> shape,
                                        std::vector<double> values) {
  ReferenceTensor tensor;
  llvm::append_range(tensor.shape, shape);
  tensor.f = std::move(values);
  return tensor;
}

ReferenceTensor ReferenceTensor::integers(ArrayRef<int64_t> shape,
                                          std::vector<int64_t> values) {
  ReferenceTensor tensor;
  llvm::append_range(tensor.shape, shape);
  tensor.isInteger = true;
  tensor.i = std::move(values);
  return tensor;
}

namespace {
/// A sweep, and where its operands are among the function's values.
struct Step {
  SweepProgram sweep;
  SmallVector<unsigned> operands;
  unsigned firstResult;
  /// Values that no later step reads.
  SmallVector<unsigned> dead;
};
} // namespace

struct Interpreter::Program {
  /// Arguments, then constants and sweep results in the order of the body.
  unsigned numValues = 0;
  SmallVector<RankedTensorType> argumentTypes;
  std::vector<std::pair<unsigned, ReferenceTensor>> constants;
  std::vector<Step> steps;
  SmallVector<unsigned> results;
  InterpreterOptions options;
  Location loc;

  explicit Program(Location loc) : loc(loc) {}
  LogicalResult compile(func::FuncOp function);
};

static void roundTensor(ReferenceTensor &tensor, Type element) {
  if (auto type = dyn_cast<FloatType>(element))
    for (double &value : tensor.f)
      value = roundToNearest(value, type);
}

/// The elements of a constant; null for an attribute that is not dense.
static std::optional<ReferenceTensor> readConstant(TypedAttr attr) {
  auto elements = dyn_cast<DenseIntOrFPElementsAttr>(attr);
  if (!elements)
    return std::nullopt;
  ReferenceTensor tensor;
  llvm::append_range(tensor.shape, elements.getType().getShape());
  Type element = elements.getElementType();
  tensor.isInteger = isa<IntegerType>(element);
  if (tensor.isInteger) {
    if (element.getIntOrFloatBitWidth() > 64)
      return std::nullopt;
    bool isBool = element.isInteger(1);
    for (const APInt &value : elements.getValues<APInt>())
      tensor.i.push_back(isBool ? value.getZExtValue() : value.getSExtValue());
    return tensor;
  }
  for (APFloat value : elements.getValues<APFloat>()) {
    bool lost;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lost);
    tensor.f.push_back(value.convertToDouble());
  }
  return tensor;
}

LogicalResult Interpreter::Program::compile(func::FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return function.emitError("the reference interpreter needs a function body "
                              "of one block");
  Block &body = function.getBody().front();
  llvm::DenseMap<Value, unsigned> position;
  std::vector<int> lastUse;
  auto define = [&](Value value) {
    position[value] = numValues;
    lastUse.push_back(-1);
    return numValues++;
  };
  for (BlockArgument argument : body.getArguments()) {
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    if (!type || !type.hasStaticShape() ||
        !type.getElementType().isIntOrFloat())
      return function.emitError("the reference interpreter needs tensors of "
                                "static shape, got argument ")
             << argument.getArgNumber() << " of type " << argument.getType();
    argumentTypes.push_back(type);
    define(argument);
  }

  for (Operation &op : body) {
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      std::optional<ReferenceTensor> tensor = readConstant(constant.getValue());
      if (!tensor)
        return op.emitError("the reference interpreter takes dense tensor "
                            "constants only");
      constants.emplace_back(define(constant), std::move(*tensor));
      continue;
    }
    if (auto ret = dyn_cast<func::ReturnOp>(op)) {
      for (Value value : ret.getOperands()) {
        results.push_back(position.at(value));
        lastUse[results.back()] = steps.size();
      }
      break;
    }
    auto sweep = dyn_cast<SweepOp>(op);
    if (!sweep)
      return op.emitError("the reference interpreter does not know op '")
             << op.getName() << "'";
    if (sweep.getShards())
      return sweep.emitError("the reference interpreter runs one device: a "
                             "sweep over a part of a tensor needs all parts");
    FailureOr<SweepProgram> program = SweepProgram::create(sweep, options);
    if (failed(program))
      return failure();
    SmallVector<unsigned> operands;
    for (Value value : sweep.getInputs()) {
      operands.push_back(position.at(value));
      lastUse[operands.back()] = steps.size();
    }
    unsigned firstResult = numValues;
    for (Value result : sweep.getResults())
      define(result);
    steps.push_back({std::move(*program), operands, firstResult, {}});
  }
  for (auto [value, step] : llvm::enumerate(lastUse))
    if (step >= 0 && step < int(steps.size()))
      steps[step].dead.push_back(value);
  return success();
}

Interpreter::Interpreter(std::unique_ptr<Program> program)
    : program(std::move(program)) {}
Interpreter::Interpreter(Interpreter &&) = default;
Interpreter &Interpreter::operator=(Interpreter &&) = default;
Interpreter::~Interpreter() = default;

FailureOr<Interpreter> Interpreter::create(func::FuncOp function,
                                           InterpreterOptions options) {
  auto program = std::make_unique<Program>(function.getLoc());
  program->options = options;
  OwningOpRef<func::FuncOp> copy(function.clone());
  decomposeUpdates(*copy);
  if (failed(program->compile(*copy)))
    return failure();
  return Interpreter(std::move(program));
}

FailureOr<SmallVector<ReferenceTensor>>
Interpreter::run(ArrayRef<ReferenceTensor> arguments) const {
  const Program &p = *program;
  if (arguments.size() != p.argumentTypes.size())
    return emitError(p.loc, "the function takes ")
           << p.argumentTypes.size() << " arguments, got " << arguments.size();
  std::vector<ReferenceTensor> values(p.numValues);
  for (auto [i, type] : llvm::enumerate(p.argumentTypes)) {
    const ReferenceTensor &given = arguments[i];
    size_t size = given.isInteger ? given.i.size() : given.f.size();
    if (given.isInteger != isa<IntegerType>(type.getElementType()) ||
        ArrayRef<int64_t>(given.shape) != type.getShape() ||
        int64_t(size) != type.getNumElements()) {
      InFlightDiagnostic diag = emitError(p.loc, "argument ")
                                << i << " must be " << type << ", got "
                                << (given.isInteger ? "integers" : "floats")
                                << " of shape [";
      llvm::interleaveComma(given.shape, diag);
      diag << "] with " << size << " elements";
      return diag;
    }
    values[i] = given;
    if (p.options.roundStorage)
      roundTensor(values[i], type.getElementType());
  }
  for (const auto &[position, tensor] : p.constants)
    values[position] = tensor;

  for (const Step &step : p.steps) {
    SmallVector<const ReferenceTensor *> operands;
    for (unsigned operand : step.operands)
      operands.push_back(&values[operand]);
    SmallVector<ReferenceTensor> results;
    step.sweep.run(operands, results);
    for (auto [i, result] : llvm::enumerate(results))
      values[step.firstResult + i] = std::move(result);
    for (unsigned dead : step.dead)
      values[dead] = ReferenceTensor();
  }
  SmallVector<ReferenceTensor> results;
  for (unsigned result : p.results)
    results.push_back(values[result]);
  return results;
}

FailureOr<SmallVector<ReferenceTensor>>
skew::interpret(func::FuncOp function, ArrayRef<ReferenceTensor> arguments,
                InterpreterOptions options) {
  FailureOr<Interpreter> interpreter = Interpreter::create(function, options);
  if (failed(interpreter))
    return failure();
  return interpreter->run(arguments);
}
