//===- Linalg.cpp - reads linalg on tensors -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Frontend/Linalg.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::skew;

static bool isBoolean(Value value) {
  return getElementTypeOrSelf(value.getType()).isInteger(1);
}

//===----------------------------------------------------------------------===//
// Scalar arithmetic
//===----------------------------------------------------------------------===//

/// Ops on signless integers are read as signed ones; what only makes sense of
/// unsigned numbers stays unknown.
static std::optional<SliceKind> getArithmeticKind(Operation *op) {
  using K = SliceKind;
  StringRef name = op->getName().getStringRef();
  if (name.consume_front("arith.")) {
    if (name == "uitofp" || name == "extui")
      return isBoolean(op->getOperand(0)) ? std::optional(K::Convert)
                                          : std::nullopt;
    // A signed boolean is -1.
    if (name == "sitofp" || name == "extsi")
      return isBoolean(op->getOperand(0)) ? std::nullopt
                                          : std::optional(K::Convert);
    if (name == "fptosi" || name == "bitcast")
      return name == "bitcast" || isBoolean(op->getResult(0))
                 ? std::nullopt
                 : std::optional(K::Convert);
    return llvm::StringSwitch<std::optional<K>>(name)
        .Cases({"truncf", "extf"}, K::Convert)
        .Case("negf", K::Negate)
        .Cases({"addf", "addi"}, K::Add)
        .Cases({"subf", "subi"}, K::Subtract)
        .Cases({"mulf", "muli"}, K::Multiply)
        .Cases({"divf", "divsi"}, K::Divide)
        .Cases({"remf", "remsi"}, K::Remainder)
        .Cases({"maximumf", "maxnumf", "maxsi"}, K::Maximum)
        .Cases({"minimumf", "minnumf", "minsi"}, K::Minimum)
        .Case("andi", K::And)
        .Case("ori", K::Or)
        .Case("xori", K::Xor)
        .Case("select", K::Select)
        .Default(std::nullopt);
  }
  if (name.consume_front("math."))
    return llvm::StringSwitch<std::optional<K>>(name)
        .Cases({"absf", "absi"}, K::Abs)
        .Case("sqrt", K::Sqrt)
        .Case("rsqrt", K::Rsqrt)
        .Case("cbrt", K::Cbrt)
        .Case("exp", K::Exp)
        .Case("expm1", K::ExpMinusOne)
        .Case("log", K::Log)
        .Case("log1p", K::LogPlusOne)
        .Case("cos", K::Cosine)
        .Case("sin", K::Sine)
        .Case("tanh", K::Tanh)
        .Case("floor", K::Floor)
        .Case("ceil", K::Ceil)
        .Case("roundeven", K::RoundEven)
        .Case("round", K::RoundAway)
        .Case("isfinite", K::IsFinite)
        .Cases({"powf", "fpowi", "ipowi"}, K::Power)
        .Default(std::nullopt);
  return std::nullopt;
}

static std::optional<SliceKind> getComparison(Operation *op) {
  using K = SliceKind;
  if (auto compare = dyn_cast<arith::CmpFOp>(op)) {
    switch (compare.getPredicate()) {
    case arith::CmpFPredicate::OEQ:
    case arith::CmpFPredicate::UEQ:
      return K::Equal;
    case arith::CmpFPredicate::ONE:
    case arith::CmpFPredicate::UNE:
      return K::NotEqual;
    case arith::CmpFPredicate::OLT:
    case arith::CmpFPredicate::ULT:
      return K::Less;
    case arith::CmpFPredicate::OLE:
    case arith::CmpFPredicate::ULE:
      return K::LessEqual;
    case arith::CmpFPredicate::OGT:
    case arith::CmpFPredicate::UGT:
      return K::Greater;
    case arith::CmpFPredicate::OGE:
    case arith::CmpFPredicate::UGE:
      return K::GreaterEqual;
    default:
      return std::nullopt;
    }
  }
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    // Signed: true is -1.
    bool ordered = !isBoolean(compare.getLhs());
    switch (compare.getPredicate()) {
    case arith::CmpIPredicate::eq:
      return K::Equal;
    case arith::CmpIPredicate::ne:
      return K::NotEqual;
    case arith::CmpIPredicate::slt:
      return ordered ? std::optional(K::Less) : std::nullopt;
    case arith::CmpIPredicate::sle:
      return ordered ? std::optional(K::LessEqual) : std::nullopt;
    case arith::CmpIPredicate::sgt:
      return ordered ? std::optional(K::Greater) : std::nullopt;
    case arith::CmpIPredicate::sge:
      return ordered ? std::optional(K::GreaterEqual) : std::nullopt;
    default:
      return std::nullopt;
    }
  }
  return std::nullopt;
}

/// Booleans add and multiply modulo two: only logic is read.
static bool isSafeOnBooleans(SliceKind kind) {
  using K = SliceKind;
  return kind == K::And || kind == K::Or || kind == K::Xor ||
         kind == K::Select || kind == K::Convert || kind == K::Equal ||
         kind == K::NotEqual;
}

static SliceForm classifyArithmetic(Operation *op) {
  SliceForm form;
  std::optional<SliceKind> kind = getComparison(op);
  if (!kind)
    kind = getArithmeticKind(op);
  if (!kind || op->getNumOperands() != getNumOperandsOf(*kind) ||
      (isBoolean(op->getOperand(op->getNumOperands() - 1)) &&
       !isSafeOnBooleans(*kind)))
    return form;
  form.form = SliceForm::Elementwise;
  form.kind = *kind;
  return form;
}

static SliceForm classifyConstant(Attribute value) {
  SliceForm form;
  if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
    if (!dense.isSplat() || dense.getNumElements() == 0)
      return form;
    value = dense.getSplatValue<Attribute>();
  }
  if (auto number = dyn_cast<FloatAttr>(value)) {
    form.constant = number.getValueAsDouble();
  } else if (auto number = dyn_cast<IntegerAttr>(value)) {
    const APInt &bits = number.getValue();
    if (number.getType().isIndex() || bits.getBitWidth() > 64)
      return form;
    form.constant = bits.getBitWidth() == 1 ? double(bits.getZExtValue())
                                            : double(bits.getSExtValue());
  } else {
    return form;
  }
  form.form = SliceForm::Constant;
  form.kind = SliceKind::Constant;
  return form;
}

//===----------------------------------------------------------------------===//
// Linalg ops
//===----------------------------------------------------------------------===//

/// The op if it computes every point of its results from the operands' elements
/// at that point.
static linalg::LinalgOp getParallel(Operation *op) {
  auto computation = dyn_cast_or_null<linalg::LinalgOp>(op);
  if (!computation || !computation.hasPureTensorSemantics() ||
      computation.getNumLoops() != computation.getNumParallelLoops() ||
      !op->getRegion(0).hasOneBlock() || op->getRegion(0).front().empty())
    return {};
  for (OpOperand &init : computation.getDpsInitsMutable()) {
    auto type = dyn_cast<RankedTensorType>(init.get().getType());
    if (!computation.getMatchingIndexingMap(&init).isIdentity() || !type ||
        !type.hasStaticShape())
      return {};
  }
  return computation;
}

/// True if the elements are read in linear order: each loop of more than one
/// iteration once, in order.
static bool readsInOrder(AffineMap map, ArrayRef<int64_t> ranges) {
  int64_t last = -1;
  SmallVector<bool> read(ranges.size(), false);
  for (AffineExpr result : map.getResults()) {
    auto dim = dyn_cast<AffineDimExpr>(result);
    if (!dim) {
      // The one element of a dimension of extent 1.
      auto zero = dyn_cast<AffineConstantExpr>(result);
      if (!zero || zero.getValue() != 0)
        return false;
      continue;
    }
    int64_t loop = dim.getPosition();
    read[loop] = true;
    if (ranges[loop] == 1)
      continue;
    if (loop <= last)
      return false;
    last = loop;
  }
  for (auto [range, isRead] : llvm::zip_equal(ranges, read))
    if (range != 1 && !isRead)
      return false;
  return true;
}

Value mlir::skew::getBodySource(BlockArgument argument, bool &inOrder) {
  Operation *op = argument.getOwner()->getParentOp();
  auto computation = dyn_cast_or_null<linalg::LinalgOp>(op);
  inOrder = false;
  if (!computation || argument.getOwner() != &op->getRegion(0).front() ||
      argument.getArgNumber() >= op->getNumOperands())
    return Value();
  OpOperand *operand = computation.getMatchingOpOperand(argument);
  Value source = operand->get();
  auto type = dyn_cast<RankedTensorType>(source.getType());
  if (!getParallel(op))
    return source;
  if (!type) // A scalar operand.
    inOrder = true;
  else
    inOrder =
        type.hasStaticShape() &&
        (type.getNumElements() == 1 ||
         readsInOrder(computation.getMatchingIndexingMap(operand),
                      computation.getStaticLoopRanges()));
  return source;
}

int64_t mlir::skew::getNumPoints(Value scalar) {
  Operation *parent = scalar.getParentBlock()->getParentOp();
  auto computation = dyn_cast_or_null<linalg::LinalgOp>(parent);
  if (!computation)
    return 1;
  int64_t points = 1;
  for (int64_t range : computation.getStaticLoopRanges()) {
    if (ShapedType::isDynamic(range))
      return -1;
    points *= range;
  }
  return points;
}

/// Reshapes of tensor, which keep the linear order.
static bool isReshape(Operation *op) {
  return isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp, tensor::ReshapeOp>(
      op);
}

SliceForm mlir::skew::classifyLinalg(OpResult result) {
  SliceForm form;
  Operation *op = result.getOwner();
  if (auto constant = dyn_cast<arith::ConstantOp>(op))
    return classifyConstant(constant.getValue());
  auto pass = [&](Value value) {
    form.form = SliceForm::Pass;
    form.passed = value;
    return form;
  };
  if (linalg::LinalgOp computation = getParallel(op))
    return pass(op->getRegion(0).front().getTerminator()->getOperand(
        result.getResultNumber()));
  if (op->getNumRegions() != 0)
    return form;
  if (isReshape(op))
    return pass(op->getOperand(0));
  // The one element of a tensor of rank 0, and back.
  if (auto extract = dyn_cast<tensor::ExtractOp>(op))
    return extract.getIndices().empty() ? pass(extract.getTensor()) : form;
  if (auto made = dyn_cast<tensor::FromElementsOp>(op))
    return made.getElements().size() == 1 ? pass(made.getElements()[0]) : form;
  if (auto splat = dyn_cast<tensor::SplatOp>(op))
    return splat.getType().hasStaticShape() ? pass(splat.getInput()) : form;
  return op->getNumResults() == 1 && op->getNumOperands() != 0
             ? classifyArithmetic(op)
             : form;
}

bool mlir::skew::isLinalgGraph(Operation *function) {
  return function
      ->walk([](linalg::LinalgOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}
