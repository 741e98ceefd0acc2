//===- Confirm.cpp - a match against the rule's own definition ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The last word of raising: the op that would be built is decomposed and run by
// the reference interpreter, and must give what the slice gives. A solver and
// the rule it solves for cannot drift apart unseen.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "skew/Frontend/UpdateBuilder.h"
#include "skew/Frontend/UpdateMatcher.h"
#include "skew/Reference/Interpreter.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace mlir::skew;

static constexpr unsigned kColumns = 2 * kNumSamples;
static constexpr unsigned kMaxScenarios = 12;
static constexpr unsigned kMinScenarios = 4;

/// func(parameter, gradient, states..., step, learning rate, runtime...) that
/// returns the update's results, on f64 tensors.
static OwningOpRef<ModuleOp> buildScratch(const UpdateSlice &slice,
                                          OperationName rule,
                                          const UpdateMatch &match,
                                          const llvm::fltSemantics &format,
                                          func::FuncOp &function) {
  MLIRContext *context = rule.getContext();
  OpBuilder builder(context);
  Location loc = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
  builder.setInsertionPointToStart(module->getBody());
  Type tensor = RankedTensorType::get({kColumns}, builder.getF64Type());
  Type scalar = RankedTensorType::get({}, builder.getF64Type());
  SmallVector<Type> inputs(2 + slice.states.size(), tensor);
  SmallVector<Type> results(1 + slice.states.size(), tensor);
  bool hasStep = match.step.scalar >= 0;
  unsigned numScalars = hasStep + 1;
  for (const auto &[name, value] : match.hyperparameters)
    numScalars += !value.constant;
  inputs.append(numScalars, scalar);
  function = func::FuncOp::create(builder, loc, "confirm",
                                  builder.getFunctionType(inputs, results));
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToStart(body);
  UpdateOperands operands;
  unsigned next = 0;
  operands.parameter = body->getArgument(next++);
  operands.gradient = body->getArgument(next++);
  for (size_t i = 0; i < slice.states.size(); ++i)
    operands.state.push_back(body->getArgument(next++));
  if (hasStep)
    operands.step = body->getArgument(next++);
  operands.learningRate = body->getArgument(next++);
  for (const auto &[name, value] : match.hyperparameters)
    if (!value.constant) {
      operands.runtime.push_back(body->getArgument(next++));
      operands.runtimeNames.push_back(name);
    }
  Operation *update = buildUpdate(
      builder, loc, rule, operands, getConstantHyperparameters(context, match),
      builder.getNamedAttr("compute_type",
                           TypeAttr::get(getFloatType(context, format))));
  func::ReturnOp::create(builder, loc, update->getResults());
  return module;
}

namespace {

/// One scenario's inputs and what the slice gives for them.
struct ConfirmColumns {
  std::vector<double> gradient, newParameter;
  SmallVector<std::vector<double>, 2> newStates;
};

} // namespace

std::string mlir::skew::whyNotConfirmed(const UpdateSlice &slice,
                                        ScalarTable &scalars,
                                        const FixedConditions &fixed,
                                        ProbeMode mode, OperationName rule,
                                        const UpdateMatch &match,
                                        const llvm::fltSemantics &stateFormat,
                                        const llvm::fltSemantics &coarsest) {
  std::string complaint;
  ScopedDiagnosticHandler handler(rule.getContext(), [&](Diagnostic &diag) {
    complaint = diag.str();
    return success();
  });
  // The slice is evaluated without rounding, so the rule is too: where terms
  // cancel, 16-bit arithmetic is off by more than any tolerance.
  const llvm::fltSemantics &format =
      APFloat::semanticsPrecision(stateFormat) < 24 ? APFloat::IEEEsingle()
                                                    : stateFormat;
  func::FuncOp function;
  OwningOpRef<ModuleOp> module =
      buildScratch(slice, rule, match, format, function);
  FailureOr<Interpreter> interpreter = Interpreter::create(function);
  if (failed(interpreter))
    return "the rule cannot be evaluated: " + complaint;

  SmallVector<ProbePoint> points(kColumns);
  for (unsigned c = 0; c < kColumns; ++c) {
    ProbePoint &point = points[c];
    auto draw = [&](unsigned what) { return hashToUnit(0xC0F1, c, what); };
    point.parameter = (draw(0) - 0.5) * std::pow(10.0, 3.0 * draw(1) - 1.0);
    for (unsigned k = 0; k < slice.states.size(); ++k)
      point.state.push_back((draw(2 + 2 * k) - (k == 0 ? 0.5 : 0.0)) *
                            std::pow(10.0, 8.0 * draw(3 + 2 * k) - 5.0));
    point.sample = c % kNumSamples;
  }
  std::vector<ConfirmColumns> columns(kNumScenarios);
  SliceEvaluator evaluator(slice, scalars, fixed, mode);
  evaluator.evaluate(points, [&](unsigned s, const SliceRow &row) {
    auto read = [&](NodeId node) {
      std::vector<double> values(kColumns);
      for (unsigned c = 0; c < kColumns; ++c)
        values[c] = row.get(slice.getIndex(node), c);
      return values;
    };
    columns[s].gradient = match.gradient >= 0
                              ? read(match.gradient)
                              : std::vector<double>(kColumns, 0.0);
    columns[s].newParameter = read(slice.newParameter);
    for (NodeId state : slice.newStates)
      columns[s].newStates.push_back(read(state));
  });

  // f32 constants: 1 - 0.999 is 1.3e-5 off. Coarser ones: a unit in the last
  // place or two.
  double ulp =
      std::ldexp(1.0, 1 - int(APFloat::semanticsPrecision(stateFormat)));
  double tolerance = std::max(2e-4, 4.0 * ulp);
  // Weight decay is often the one product in the parameter's own type, with
  // its constant rounded to it.
  double decayUlp =
      std::ldexp(1.0, 1 - int(APFloat::semanticsPrecision(coarsest)));
  auto valueOf = [&](const MatchedScalar &scalar, unsigned s) {
    double value =
        scalar.constant ? *scalar.constant : scalars.get(scalar.scalar)[s];
    return scalar.negated ? -value : value;
  };
  auto single = [](double value) {
    return ReferenceTensor::floats({}, {value});
  };
  unsigned compared = 0;
  // Half from each end, so that both halves of the scenarios take part.
  for (unsigned n = 0; n < kNumScenarios && compared < kMaxScenarios; ++n) {
    unsigned s = n % 2 ? kNumScenarios - 1 - n / 2 : n / 2;
    double rate = valueOf(match.learningRate, s);
    double step = match.step.scalar >= 0 ? valueOf(match.step, s) : 1.0;
    if (!std::isfinite(rate) || rate == 0.0 || !(step >= 1.0))
      continue;
    double decay = 0.0;
    for (const auto &[name, value] : match.hyperparameters)
      if (name == "weight_decay")
        decay = valueOf(value, s);
    std::vector<double> parameter;
    SmallVector<std::vector<double>, 2> states(slice.states.size());
    for (const ProbePoint &point : points) {
      parameter.push_back(point.parameter);
      for (auto [k, state] : llvm::enumerate(states))
        state.push_back(point.state[k]);
    }
    SmallVector<ReferenceTensor> inputs;
    inputs.push_back(ReferenceTensor::floats({kColumns}, parameter));
    inputs.push_back(ReferenceTensor::floats({kColumns}, columns[s].gradient));
    for (const std::vector<double> &state : states)
      inputs.push_back(ReferenceTensor::floats({kColumns}, state));
    if (match.step.scalar >= 0)
      inputs.push_back(single(step));
    inputs.push_back(single(rate));
    for (const auto &[name, value] : match.hyperparameters)
      if (!value.constant)
        inputs.push_back(single(valueOf(value, s)));
    FailureOr<SmallVector<ReferenceTensor>> outputs = interpreter->run(inputs);
    if (failed(outputs))
      return "the rule cannot be evaluated: " + complaint;
    ++compared;
    for (unsigned c = 0; c < kColumns; ++c) {
      double wanted = (*outputs)[0].f[c], got = columns[s].newParameter[c];
      double bound =
          tolerance * std::abs(got - parameter[c]) +
          (4e-7 + decayUlp * std::abs(rate * decay)) * std::abs(parameter[c]) +
          1e-30;
      // Where the graph's value is not finite the bound is not either, and
      // anything would agree.
      bool same = std::isfinite(got) ? std::abs(wanted - got) <= bound
                                     : !std::isfinite(wanted);
      for (size_t k = 0; k < states.size() && same; ++k) {
        double newState = columns[s].newStates[k][c];
        double ruleState = (*outputs)[1 + k].f[c];
        double scale = std::abs(states[k][c]) + std::abs(newState);
        same = std::isfinite(newState)
                   ? std::abs(ruleState - newState) <=
                         std::max(2e-6, 4.0 * ulp) * scale + 1e-30
                   : !std::isfinite(ruleState);
      }
      if (!same)
        return llvm::formatv("'{0}' with the constants found gives {1:e9} "
                             "where the graph gives {2:e9}",
                             rule.getStringRef(), wanted, got)
            .str();
    }
  }
  return compared >= kMinScenarios
             ? ""
             : "too few scenarios move the parameter to confirm the match";
}
