//===- StableHLO.cpp - reads StableHLO ops --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Frontend/StableHLO.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "skew/Dialect/Skew/Transforms/Sharding.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::skew;

/// Text of an attribute, whichever dialect it belongs to.
static std::string printed(Attribute attr) {
  std::string text;
  if (attr) {
    llvm::raw_string_ostream os(text);
    attr.print(os);
  }
  return text;
}

/// The integers of an array<i64> or a dense elements attribute.
static std::optional<SmallVector<int64_t>> readIntegers(Attribute attr) {
  if (auto array = dyn_cast_or_null<DenseI64ArrayAttr>(attr))
    return llvm::to_vector(array.asArrayRef());
  if (auto dense = dyn_cast_or_null<DenseIntElementsAttr>(attr)) {
    SmallVector<int64_t> values;
    for (const APInt &value : dense.getValues<APInt>())
      values.push_back(value.getSExtValue());
    return values;
  }
  return std::nullopt;
}

/// Name without dialect for the dialects that share their arithmetic ops.
static StringRef getArithmeticName(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (name.consume_front("stablehlo.") || name.consume_front("chlo."))
    return name;
  return "";
}

static std::optional<SliceKind> getElementwiseKind(StringRef name) {
  using K = SliceKind;
  return llvm::StringSwitch<std::optional<SliceKind>>(name)
      .Case("convert", K::Convert)
      .Case("negate", K::Negate)
      .Case("abs", K::Abs)
      .Case("sign", K::Sign)
      .Case("square", K::Square)
      .Case("sqrt", K::Sqrt)
      .Case("rsqrt", K::Rsqrt)
      .Case("cbrt", K::Cbrt)
      .Case("exponential", K::Exp)
      .Case("exponential_minus_one", K::ExpMinusOne)
      .Case("log", K::Log)
      .Case("log_plus_one", K::LogPlusOne)
      .Case("cosine", K::Cosine)
      .Case("sine", K::Sine)
      .Case("tanh", K::Tanh)
      .Case("logistic", K::Logistic)
      .Case("floor", K::Floor)
      .Case("ceil", K::Ceil)
      .Case("round_nearest_even", K::RoundEven)
      .Case("round_nearest_afz", K::RoundAway)
      .Case("is_finite", K::IsFinite)
      .Case("not", K::Not)
      .Case("add", K::Add)
      .Case("subtract", K::Subtract)
      .Case("multiply", K::Multiply)
      .Case("divide", K::Divide)
      .Case("remainder", K::Remainder)
      .Case("power", K::Power)
      .Case("maximum", K::Maximum)
      .Case("minimum", K::Minimum)
      .Case("and", K::And)
      .Case("or", K::Or)
      .Case("xor", K::Xor)
      .Case("select", K::Select)
      .Case("clamp", K::Clamp)
      .Default(std::nullopt);
}

static std::optional<SliceKind> getComparison(Operation *op) {
  std::string text = printed(op->getAttr("comparison_direction"));
  StringRef direction = StringRef(text).rtrim('>');
  direction = direction.substr(direction.find_last_of(" .") + 1);
  using K = SliceKind;
  return llvm::StringSwitch<std::optional<SliceKind>>(direction)
      .Case("LT", K::Less)
      .Case("LE", K::LessEqual)
      .Case("GT", K::Greater)
      .Case("GE", K::GreaterEqual)
      .Case("EQ", K::Equal)
      .Case("NE", K::NotEqual)
      .Default(std::nullopt);
}

static RankedTensorType getStaticType(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() ? type : RankedTensorType();
}

/// True if the dimensions above extent 1 come in ascending order of `map`,
/// operand dimension -> result dimension.
static bool keepsLinearOrder(ArrayRef<int64_t> extents, ArrayRef<int64_t> map) {
  int64_t last = -1;
  for (auto [extent, to] : llvm::zip_equal(extents, map)) {
    if (extent == 1)
      continue;
    if (to <= last)
      return false;
    last = to;
  }
  return true;
}

static SliceForm makePass(Value value) {
  SliceForm form;
  form.form = SliceForm::Pass;
  form.passed = value;
  return form;
}

static SliceForm classifyConstant(Operation *op) {
  SliceForm form;
  auto dense = dyn_cast_or_null<DenseElementsAttr>(op->getAttr("value"));
  if (!dense || !dense.isSplat() || dense.getNumElements() == 0 ||
      dense.getType() != op->getResult(0).getType())
    return form;
  if (isa<FloatType>(dense.getElementType())) {
    APFloat value = dense.getSplatValue<APFloat>();
    bool losesInfo;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    form.constant = value.convertToDouble();
  } else if (auto type = dyn_cast<IntegerType>(dense.getElementType())) {
    if (type.getWidth() > 64)
      return form;
    APInt value = dense.getSplatValue<APInt>();
    bool isUnsigned = type.isUnsigned() || type.getWidth() == 1;
    form.constant = isUnsigned ? double(value.getZExtValue())
                               : double(value.getSExtValue());
  } else {
    return form;
  }
  form.form = SliceForm::Constant;
  form.kind = SliceKind::Constant;
  return form;
}

static SliceForm classifyBroadcast(Operation *op, RankedTensorType type) {
  SliceForm leaf;
  Value operand = op->getOperand(0);
  RankedTensorType from = getStaticType(operand);
  if (!from)
    return leaf;
  if (from.getNumElements() == 1 && type.getNumElements() != 1) {
    SliceForm form;
    form.form = SliceForm::Elementwise;
    form.kind = SliceKind::Broadcast;
    return form;
  }
  auto dims = readIntegers(op->getAttr("broadcast_dimensions"));
  if (from.getNumElements() == type.getNumElements() && dims &&
      dims->size() == size_t(from.getRank()) &&
      keepsLinearOrder(from.getShape(), *dims))
    return makePass(operand);
  return leaf;
}

static SliceForm classifyTranspose(Operation *op) {
  RankedTensorType from = getStaticType(op->getOperand(0));
  auto permutation = readIntegers(op->getAttr("permutation"));
  if (!from || !permutation || permutation->size() != size_t(from.getRank()))
    return SliceForm();
  SmallVector<int64_t> map(permutation->size());
  for (auto [to, fromDim] : llvm::enumerate(*permutation))
    if (fromDim >= 0 && fromDim < from.getRank())
      map[fromDim] = to;
  return keepsLinearOrder(from.getShape(), map) ? makePass(op->getOperand(0))
                                                : SliceForm();
}

/// Unregistered ops verify nothing: `and` of floats, or an `add` whose result
/// has another type than its operands, means nothing.
static bool fitsElementTypes(SliceKind kind, Operation *op,
                             RankedTensorType type) {
  using K = SliceKind;
  auto typeOf = [&](unsigned number) {
    return getElementTypeOrSelf(op->getOperand(number).getType());
  };
  Type element = type.getElementType();
  switch (kind) {
  case K::Convert:
    return true;
  case K::IsFinite:
    return isa<FloatType>(typeOf(0)) && element.isInteger(1);
  case K::Less:
  case K::LessEqual:
  case K::Greater:
  case K::GreaterEqual:
  case K::Equal:
  case K::NotEqual:
    return typeOf(0) == typeOf(1) && element.isInteger(1);
  case K::Select:
    return typeOf(0).isInteger(1) && typeOf(1) == element &&
           typeOf(2) == element;
  case K::Not:
  case K::And:
  case K::Or:
  case K::Xor:
    if (!isa<IntegerType>(element))
      return false;
    break;
  default:
    // Roots, exponentials, roundings: an integer has none of them.
    if (kind >= K::Sqrt && kind <= K::RoundAway && !isa<FloatType>(element))
      return false;
    break;
  }
  for (unsigned i = 0; i < op->getNumOperands(); ++i)
    if (typeOf(i) != element)
      return false;
  return true;
}

SliceForm mlir::skew::classifyStableHLO(OpResult result) {
  SliceForm leaf;
  Operation *op = result.getOwner();
  StringRef name = op->getName().getStringRef();
  RankedTensorType type = getStaticType(result);
  if (!type)
    return leaf;
  if (getCallee(op)) {
    SliceForm form;
    form.form = SliceForm::Call;
    return form;
  }
  if (isBranch(op)) {
    SliceForm form;
    form.form = SliceForm::Branch;
    form.kind = SliceKind::Switch;
    return form;
  }
  if (name == "stablehlo.optimization_barrier")
    return makePass(op->getOperand(result.getResultNumber()));
  if (op->getNumResults() != 1 || op->getNumRegions() != 0)
    return leaf;
  if (name == "stablehlo.constant" || name == "arith.constant")
    return classifyConstant(op);
  if (op->getNumOperands() == 0 || !getStaticType(op->getOperand(0)))
    return leaf;
  if (isShardingConstraint(op))
    return makePass(op->getOperand(0));
  if (name == "stablehlo.custom_call") {
    auto target = dyn_cast_or_null<StringAttr>(op->getAttr("call_target_name"));
    bool transparent = target && op->getNumOperands() == 1 &&
                       op->getOperand(0).getType() == type &&
                       target.getValue() == "annotate_device_placement";
    return transparent ? makePass(op->getOperand(0)) : leaf;
  }
  if (name == "stablehlo.reshape")
    return makePass(op->getOperand(0));
  if (name == "stablehlo.broadcast_in_dim")
    return classifyBroadcast(op, type);
  if (name == "stablehlo.transpose")
    return classifyTranspose(op);

  StringRef shortName = getArithmeticName(op);
  std::optional<SliceKind> kind = shortName == "compare"
                                      ? getComparison(op)
                                      : getElementwiseKind(shortName);
  if (!kind || op->getNumOperands() != getNumOperandsOf(*kind))
    return leaf;
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    RankedTensorType operandType = getStaticType(operand);
    bool scalarAllowed = (*kind == SliceKind::Select && number == 0) ||
                         (*kind == SliceKind::Clamp && number != 1);
    if (!operandType || (operandType.getShape() != type.getShape() &&
                         !(scalarAllowed && operandType.getRank() == 0)))
      return leaf;
  }
  if (!fitsElementTypes(*kind, op, type))
    return leaf;
  SliceForm form;
  form.form = SliceForm::Elementwise;
  form.kind = *kind;
  return form;
}

StringAttr mlir::skew::getCallee(Operation *op) {
  if (op->getName().getStringRef() != "func.call")
    return StringAttr();
  auto callee = dyn_cast_or_null<FlatSymbolRefAttr>(op->getAttr("callee"));
  return callee ? callee.getAttr() : StringAttr();
}

StringRef mlir::skew::getDisplayName(Operation *op) {
  return op->getName().getStringRef();
}
