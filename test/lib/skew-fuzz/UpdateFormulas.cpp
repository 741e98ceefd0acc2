//===- UpdateFormulas.cpp - update rules as they are documented -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"
#include "skew/Dialect/Skew/IR/Skew.h"
#include <cmath>

using namespace mlir;
using namespace mlir::skew;
using namespace mlir::skew::fuzz;

namespace {

/// The operands of an update by their names.
struct Update {
  const Elements *parameter, *gradient, *learningRate;
  SmallVector<const Elements *, 2> state;
  const Elements *step = nullptr, *gradientScale = nullptr, *skip = nullptr;
  std::map<std::string, const Elements *> runtime;
  DictionaryAttr constants;
  Type computeType;

  /// A constant as the compute type holds it, or the operand.
  double hyper(StringRef name) const {
    if (auto it = runtime.find(name.str()); it != runtime.end())
      return it->second->asDouble(0);
    auto value = dyn_cast_or_null<FloatAttr>(constants.get(name));
    return value ? store(value.getValueAsDouble()) : 0.0;
  }
  /// A constant in scalar arithmetic: never coarser than f32.
  double scalarHyper(StringRef name) const {
    if (auto it = runtime.find(name.str()); it != runtime.end())
      return it->second->asDouble(0);
    auto value = dyn_cast_or_null<FloatAttr>(constants.get(name));
    if (!value)
      return 0.0;
    double exact = value.getValueAsDouble();
    return computeType && !computeType.isF64() ? double(float(exact)) : exact;
  }
  bool isConstant(StringRef name) const { return bool(constants.get(name)); }

  /// Weight of the new value in an average: 1 - beta, or what is stored.
  double takeWeight(StringRef beta) const {
    std::string stored = ("one_minus_" + beta + "_stored").str();
    if (computeType && isConstant(stored))
      return hyper(stored);
    if (auto value = dyn_cast_or_null<FloatAttr>(constants.get(beta)))
      return store(1.0 - value.getValueAsDouble());
    return 1.0 - hyper(beta);
  }
  double keepWeight(StringRef beta) const {
    std::string stored = (beta + "_stored").str();
    return computeType && isConstant(stored) ? hyper(stored) : hyper(beta);
  }

private:
  double store(double exact) const {
    auto type = dyn_cast_or_null<FloatType>(computeType);
    if (!type)
      return exact;
    APFloat value(exact);
    bool losesInfo;
    value.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return value.convertToDouble();
  }
};

/// Reads the operands of an op of the shared form.
template <typename Op>
Update readUpdate(Op op, ArrayRef<const Elements *> operands) {
  Update update;
  size_t next = 0;
  update.parameter = operands[next++];
  update.gradient = operands[next++];
  for (size_t i = 0; i < op.getState().size(); ++i)
    update.state.push_back(operands[next++]);
  if (op.getStep())
    update.step = operands[next++];
  update.learningRate = operands[next++];
  size_t number = 0;
  if (ArrayAttr names = op.getRuntimeNamesAttr())
    for (StringRef name : names.getAsValueRange<StringAttr>()) {
      if (number++ == op.getRuntime().size())
        break;
      update.runtime[name.str()] = operands[next++];
    }
  if (op.getGradientScale())
    update.gradientScale = operands[next++];
  if (op.getSkip())
    update.skip = operands[next++];
  update.constants = op.getHyperparameters();
  if (std::optional<Type> type = op.getComputeType())
    update.computeType = *type;
  return update;
}

} // namespace

std::optional<std::vector<Elements>>
mlir::skew::fuzz::computeUpdate(Operation *op,
                                ArrayRef<const Elements *> operands,
                                double &lowestStep) {
  Update u;
  enum { AdamW, Lion, SGD } rule;
  if (auto adamw = dyn_cast<AdamWOp>(op)) {
    u = readUpdate(adamw, operands);
    rule = AdamW;
  } else if (auto lion = dyn_cast<LionOp>(op)) {
    u = readUpdate(lion, operands);
    rule = Lion;
  } else if (auto sgd = dyn_cast<SGDOp>(op)) {
    u = readUpdate(sgd, operands);
    rule = SGD;
  } else {
    return std::nullopt;
  }

  std::vector<Elements> results(1 + u.state.size());
  double step = u.step ? u.step->asDouble(0) : 1.0;
  if (u.step)
    lowestStep = std::min(lowestStep, step);
  double rate = u.learningRate->asDouble(0), decay = u.hyper("weight_decay");
  double scale = u.gradientScale ? u.gradientScale->asDouble(0) : 1.0;
  size_t count = u.parameter->size();
  for (size_t at = 0; at < count; ++at) {
    double p = u.parameter->asDouble(at), g = u.gradient->asDouble(at) * scale;
    SmallVector<double, 2> old, updated;
    for (const Elements *state : u.state)
      old.push_back(state->asDouble(at));
    double direction = g;
    if (rule == AdamW) {
      double m = u.keepWeight("beta1") * old[0] + u.takeWeight("beta1") * g;
      double v = u.keepWeight("beta2") * old[1] + u.takeWeight("beta2") * g * g;
      double c1 = 1.0 - std::pow(u.scalarHyper("beta1"), step);
      double c2 = 1.0 - std::pow(u.scalarHyper("beta2"), step);
      direction = (m / c1) /
                  (std::sqrt(v / c2 + u.hyper("eps_root")) + u.hyper("eps"));
      updated = {m, v};
    } else if (rule == Lion) {
      double mean = u.keepWeight("beta1") * old[0] + u.takeWeight("beta1") * g;
      direction = std::isnan(mean) ? mean : double(mean > 0) - double(mean < 0);
      updated = {u.keepWeight("beta2") * old[0] + u.takeWeight("beta2") * g};
    } else if (!old.empty()) {
      double momentum = u.hyper("momentum");
      double m = momentum * old[0] + u.takeWeight("dampening") * g;
      double ahead = g + momentum * m, nesterov = u.hyper("nesterov");
      direction = nesterov == 0.0   ? m
                  : nesterov == 1.0 ? ahead
                                    : m + nesterov * (ahead - m);
      updated = {m};
    }
    double newP = p - rate * (direction + decay * p);
    if (u.skip && u.skip->asInteger(0)) {
      newP = p;
      updated = old;
    }
    results[0].f.push_back(newP);
    for (auto [k, value] : llvm::enumerate(updated))
      results[1 + k].f.push_back(value);
  }
  return results;
}
