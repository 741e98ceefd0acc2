//===- UpdateBuilder.cpp - creates update ops of any rule -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Frontend/UpdateBuilder.h"

using namespace mlir;
using namespace mlir::skew;

Operation *mlir::skew::buildUpdate(OpBuilder &builder, Location loc,
                                   OperationName rule,
                                   const UpdateOperands &operands,
                                   DictionaryAttr hyperparameters,
                                   ArrayRef<NamedAttribute> attributes) {
  OperationState state(loc, rule);
  SmallVector<int32_t> segments;
  auto addSegment = [&](ValueRange values) {
    state.addOperands(values);
    segments.push_back(values.size());
  };
  auto addOptional = [&](Value value) {
    addSegment(value ? ValueRange(value) : ValueRange());
  };
  addSegment(operands.parameter);
  addSegment(operands.gradient);
  addSegment(operands.state);
  addOptional(operands.step);
  addSegment(operands.learningRate);
  addSegment(operands.runtime);
  addOptional(operands.gradientScale);
  addOptional(operands.skip);
  state.addTypes(operands.parameter.getType());
  state.addTypes(ValueRange(operands.state).getTypes());
  state.addAttribute("operandSegmentSizes",
                     builder.getDenseI32ArrayAttr(segments));
  state.addAttribute("hyperparameters", hyperparameters);
  if (!operands.runtimeNames.empty())
    state.addAttribute("runtime_names",
                       builder.getStrArrayAttr(operands.runtimeNames));
  state.addAttributes(attributes);
  return builder.create(state);
}

DictionaryAttr
mlir::skew::getConstantHyperparameters(MLIRContext *context,
                                       const UpdateMatch &match) {
  Builder builder(context);
  SmallVector<NamedAttribute> entries;
  for (const auto &[name, scalar] : match.hyperparameters)
    if (scalar.constant)
      entries.push_back(builder.getNamedAttr(
          name, builder.getF64FloatAttr(*scalar.constant)));
  return builder.getDictionaryAttr(entries);
}

FloatType mlir::skew::getFloatType(MLIRContext *context,
                                   const llvm::fltSemantics &format) {
  if (&format == &llvm::APFloat::BFloat())
    return BFloat16Type::get(context);
  if (&format == &llvm::APFloat::IEEEhalf())
    return Float16Type::get(context);
  if (&format == &llvm::APFloat::IEEEdouble())
    return Float64Type::get(context);
  return Float32Type::get(context);
}
