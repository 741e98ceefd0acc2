//===- SkewUpdateOps.cpp - checks of update ops ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every rule has in common is checked once, against the rule's own state
// layout; only attributes that a rule adds are checked by the rule.
//
//===----------------------------------------------------------------------===//

#include "skew/Dialect/Skew/IR/Skew.h"

using namespace mlir;
using namespace mlir::skew;

/// Results are the parameter's type followed by the state's types.
template <typename UpdateOp>
static LogicalResult inferResults(typename UpdateOp::Adaptor adaptor,
                                  SmallVectorImpl<Type> &types) {
  types.push_back(adaptor.getParameter().getType());
  llvm::append_range(types, adaptor.getState().getTypes());
  return success();
}

/// Checks the operands shared by all rules. `required` are the hyperparameters
/// the rule needs, each once, constant or at run time; `optional` may be there.
template <typename UpdateOp>
static LogicalResult verifyUpdate(UpdateOp op, ArrayRef<StringRef> required,
                                  ArrayRef<StringRef> optional, bool needsStep) {
  auto parameter = cast<RankedTensorType>(op.getParameter().getType());
  auto gradient = cast<RankedTensorType>(op.getGradient().getType());
  if (!parameter.hasStaticShape())
    return op.emitOpError("parameter must have a static shape, got ")
           << parameter;
  if (ShardingAttr shards = op.getShardsAttr();
      shards && failed(verifySharding([&] { return op.emitOpError(); }, shards,
                                      parameter.getShape())))
    return failure();
  if (gradient.getShape() != parameter.getShape())
    return op.emitOpError("gradient must have the parameter's shape ")
           << parameter << ", got " << gradient;

  SmallVector<StateComponent> layout = op.getStateLayout();
  if (layout.size() != op.getState().size()) {
    InFlightDiagnostic diag = op.emitOpError("must have ")
                              << layout.size() << " state operands (";
    llvm::interleaveComma(layout, diag, [&](auto &c) { diag << c.name; });
    return diag << "), got " << op.getState().size();
  }
  for (auto [component, value] : llvm::zip_equal(layout, op.getState())) {
    auto expected =
        RankedTensorType::get(component.shape, component.elementType);
    if (value.getType() == expected)
      continue;
    InFlightDiagnostic diag = op.emitOpError("state ")
                              << component.name << " must be " << expected
                              << ", got " << value.getType();
    if (Operation *owner = value.getDefiningOp())
      diag.attachNote(owner->getLoc()) << "state is defined here";
    return diag;
  }
  if (needsStep && !op.getStep())
    return op.emitOpError("needs a step to correct the moments' bias");

  unsigned names = op.getRuntimeNames() ? op.getRuntimeNames()->size() : 0;
  if (names != op.getRuntime().size())
    return op.emitOpError("needs one name per run-time hyperparameter, got ")
           << names << " names for " << op.getRuntime().size() << " values";
  llvm::SmallDenseSet<StringRef> given;
  auto take = [&](StringRef name) -> LogicalResult {
    if (!llvm::is_contained(required, name) &&
        !llvm::is_contained(optional, name))
      return op.emitOpError("has no hyperparameter '") << name << "'";
    if (!given.insert(name).second)
      return op.emitOpError("hyperparameter '") << name << "' is given twice";
    return success();
  };
  for (NamedAttribute attr : op.getHyperparameters()) {
    auto number = dyn_cast<FloatAttr>(attr.getValue());
    if (!number || !number.getType().isF64())
      return op.emitOpError("hyperparameter '")
             << attr.getName().getValue() << "' must be an f64 number, got "
             << attr.getValue();
    if (failed(take(attr.getName())))
      return failure();
  }
  if (ArrayAttr names = op.getRuntimeNamesAttr())
    for (Attribute name : names)
      if (failed(take(cast<StringAttr>(name).getValue())))
        return failure();
  for (StringRef name : required)
    if (!given.contains(name))
      return op.emitOpError("needs hyperparameter '") << name << "'";

  if (op.getRounding() == Rounding::stochastic) {
    Type element = parameter.getElementType();
    if (!element.isBF16() && !element.isF16())
      return op.emitOpError("stochastic rounding needs a bf16 or f16 "
                            "parameter, got ")
             << parameter;
    if (!op.getStep())
      return op.emitOpError("stochastic rounding needs a step for its random "
                            "bits");
  }
  if (op.getComputeType() && !isa<FloatType>(*op.getComputeType()))
    return op.emitOpError("compute_type must be a float type, got ")
           << *op.getComputeType();
  return success();
}

#define SKEW_INFER_RESULTS(OP)                                                 \
  LogicalResult OP::inferReturnTypes(                                          \
      MLIRContext *, std::optional<Location>, ValueRange operands,             \
      DictionaryAttr attributes, OpaqueProperties properties,                  \
      RegionRange regions, SmallVectorImpl<Type> &types) {                     \
    return inferResults<OP>(Adaptor(operands, attributes, properties, regions),\
                            types);                                            \
  }
SKEW_INFER_RESULTS(AdamWOp)
SKEW_INFER_RESULTS(SkewAdamOp)
SKEW_INFER_RESULTS(LionOp)
SKEW_INFER_RESULTS(SGDOp)
#undef SKEW_INFER_RESULTS

LogicalResult AdamWOp::verify() {
  if (getState().size() != 2)
    return emitOpError("must have 2 state operands (m, v), got ")
           << getState().size();
  StringRef stored[] = {"beta1_stored", "one_minus_beta1_stored",
                        "beta2_stored", "one_minus_beta2_stored"};
  if (!getComputeType())
    for (StringRef name : stored)
      if (getHyperparameters().contains(name))
        return emitOpError("hyperparameter '")
               << name << "' needs compute_type: it is the graph's own constant";
  return verifyUpdate(*this,
                      {"beta1", "beta2", "eps", "eps_root", "weight_decay"},
                      stored, /*needsStep=*/true);
}

LogicalResult SkewAdamOp::verify() {
  ArrayRef<int64_t> shape =
      cast<RankedTensorType>(getParameter().getType()).getShape();
  if (getAxes().getRank() != shape.size())
    return emitOpError("axes must split the parameter's ")
           << shape.size() << " axes, got " << getAxes();
  // The whole tensor's shape decides, not that of a part.
  ShardingAttr shards = getShardsAttr();
  if (shards && failed(verifySharding([&] { return emitOpError(); }, shards,
                                      shape)))
    return failure();
  if (getTier().getV() == StateStorage::factored &&
      !getAxes().canFactor(shards ? shards.wholeShapeOf(shape)
                                  : llvm::to_vector(shape))) {
    InFlightDiagnostic diag = emitOpError(
        "factored second moment needs row and column axes with n*m > n+m: ");
    return diag << "parameter " << getParameter().getType() << " with axes "
                << getAxes() << " must keep it exactly";
  }
  if (getComputeType())
    return emitOpError("computes in fp32: compute_type belongs to updates that "
                       "keep a graph's own arithmetic");
  return verifyUpdate(*this,
                      {"beta1", "beta2", "eps", "eps_root", "weight_decay"}, {},
                      /*needsStep=*/true);
}

LogicalResult LionOp::verify() {
  if (getState().size() != 1)
    return emitOpError("must have 1 state operand (m), got ")
           << getState().size();
  return verifyUpdate(*this, {"beta1", "beta2", "weight_decay"}, {},
                      /*needsStep=*/false);
}

LogicalResult SGDOp::verify() {
  if (getState().size() > 1)
    return emitOpError("must have at most 1 state operand (m), got ")
           << getState().size();
  if (getState().empty())
    return verifyUpdate(*this, {"weight_decay"}, {}, /*needsStep=*/false);
  return verifyUpdate(*this,
                      {"weight_decay", "momentum", "dampening", "nesterov"}, {},
                      /*needsStep=*/false);
}
