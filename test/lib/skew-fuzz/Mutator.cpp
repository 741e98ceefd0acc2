//===- Mutator.cpp - changes of ops, operands and attributes --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutator.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;
using namespace mlir::skew::fuzz;

static constexpr StringLiteral kUnary[] = {
    "negate", "abs",   "sqrt", "rsqrt", "sign",  "square",    "tanh",
    "floor",  "ceil",  "log",  "exponential", "cbrt", "logistic", "not"};
static constexpr StringLiteral kBinary[] = {
    "add",     "multiply", "subtract",  "divide", "maximum",
    "minimum", "power",    "remainder", "and",    "or"};

ArrayRef<Mutator::Entry> Mutator::getKinds() {
  static constexpr Entry kinds[] = {
      {"swap-operands", &Mutator::swapOperands, 10},
      {"replace-operand", &Mutator::replaceOperand, 16},
      {"change-constant", &Mutator::changeConstant, 14},
      {"change-constant-kind", &Mutator::changeConstantKind, 2},
      {"rename-op", &Mutator::renameOp, 10},
      {"change-attribute", &Mutator::changeAttribute, 5},
      {"change-result-type", &Mutator::changeResultType, 4},
      {"insert-unary", &Mutator::insertUnary, 8},
      {"insert-binary", &Mutator::insertBinary, 10},
      {"insert-select", &Mutator::insertSelect, 5},
      {"swap-returns", &Mutator::swapReturns, 4},
      {"replace-return", &Mutator::replaceReturn, 4},
      {"drop-op", &Mutator::dropOp, 8},
      {"duplicate-op", &Mutator::duplicateOp, 5},
      {"move-op", &Mutator::moveOp, 4},
      {"wrap-in-case", &Mutator::wrapInCase, 5},
      {"wrap-in-while", &Mutator::wrapInWhile, 4},
      {"outline", &Mutator::outline, 5},
      {"inline-call", &Mutator::inlineCall, 3},
      {"call-itself", &Mutator::callItself, 1},
      {"split-block", &Mutator::splitBlock, 1},
      {"add-argument", &Mutator::addArgument, 2},
      {"drop-argument", &Mutator::dropArgument, 2},
      {"drop-return", &Mutator::dropReturn, 3},
      {"change-argument-type", &Mutator::changeArgumentType, 3},
      {"change-function-attribute", &Mutator::changeFunctionAttribute, 3},
      {"change-visibility", &Mutator::changeVisibility, 1},
      {"duplicate-function", &Mutator::duplicateFunction, 1},
      {"drop-body", &Mutator::dropBody, 1},
  };
  return kinds;
}

Mutator::Mutator(ModuleOp module, uint64_t seed)
    : module(module), random(seed) {
  collect();
}

void Mutator::collect() {
  ops.clear();
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != module)
      ops.push_back(op);
  });
}

StringRef Mutator::mutate() {
  unsigned total = 0;
  for (const Entry &entry : getKinds())
    total += entry.weight;
  for (unsigned attempt = 0; attempt < 16; ++attempt) {
    uint64_t place = random.below(total);
    for (const Entry &entry : getKinds()) {
      if (place >= entry.weight) {
        place -= entry.weight;
        continue;
      }
      if (ops.empty())
        return "";
      if ((this->*entry.apply)()) {
        collect();
        return entry.name;
      }
      break;
    }
  }
  return "";
}

//===----------------------------------------------------------------------===//
// Choosing
//===----------------------------------------------------------------------===//

Operation *Mutator::pickOp() {
  // The optimizer stands at the end of a train step.
  size_t from = random.oneIn(2) ? ops.size() / 2 : 0;
  return ops[from + random.below(ops.size() - from)];
}

Operation *Mutator::pickTensorOp() {
  for (unsigned attempt = 0; attempt < 12; ++attempt) {
    Operation *op = pickOp();
    if (op->getNumResults() == 1 && op->getBlock() &&
        op->getParentOp() != module.getOperation() &&
        isa<RankedTensorType>(op->getResult(0).getType()))
      return op;
  }
  return nullptr;
}

func::FuncOp Mutator::pickFunction() {
  SmallVector<func::FuncOp> functions(module.getOps<func::FuncOp>());
  return functions.empty() ? func::FuncOp() : random.pick(functions);
}

Value Mutator::pickValue(Operation *op, Type type) {
  SmallVector<Value> found;
  auto add = [&](Value value) {
    if (!type || value.getType() == type)
      found.push_back(value);
  };
  // Up to the next function: values beyond belong to nobody.
  for (Operation *at = op; at && !isa<func::FuncOp>(at) && at->getBlock();
       at = at->getParentOp()) {
    Block *block = at->getBlock();
    for (BlockArgument argument : block->getArguments())
      add(argument);
    unsigned looked = 0;
    for (Operation *before = at->getPrevNode(); before && looked < 400;
         before = before->getPrevNode(), ++looked)
      for (Value result : before->getResults())
        add(result);
  }
  return found.empty() ? Value() : random.pick(found);
}

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

Operation *Mutator::create(OpBuilder &builder, StringRef name,
                           ValueRange operands, TypeRange types,
                           ArrayRef<NamedAttribute> attributes,
                           unsigned regions) {
  OperationState state(module.getLoc(), name);
  state.addOperands(operands);
  state.addTypes(types);
  state.addAttributes(attributes);
  for (unsigned i = 0; i < regions; ++i)
    state.addRegion();
  return builder.create(state);
}

/// An unregistered op keeps a null where `removeAttr` finds a property.
void Mutator::removeAttribute(Operation *op, StringRef name) {
  auto properties = dyn_cast_or_null<DictionaryAttr>(
      op->isRegistered() ? Attribute() : op->getPropertiesAsAttribute());
  if (!properties || !properties.get(name)) {
    op->removeAttr(name);
    return;
  }
  NamedAttrList list(properties);
  list.erase(name);
  (void)op->setPropertiesFromAttribute(list.getDictionary(op->getContext()),
                                       nullptr);
}

double Mutator::oddNumber() {
  static constexpr double numbers[] = {
      0.0,    1.0,    -1.0,   2.0,    0.5,    0.1,      0.9,   0.99,
      0.999,  1e-8,   1e-14,  1e-30,  1e9,    3.0,      1e38,  0.99999,
      1.0001, 1e-3,   INFINITY, -INFINITY, NAN, 123457.0, -0.0, 1e-45};
  return random.pick(numbers);
}

Value Mutator::createSplat(OpBuilder &builder, Type type, double value) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape())
    return Value();
  Type element = tensor.getElementType();
  Attribute splat;
  if (isa<FloatType>(element))
    splat = builder.getFloatAttr(element, value);
  else if (isa<IntegerType>(element))
    splat = builder.getIntegerAttr(
        element, APInt(element.getIntOrFloatBitWidth(),
                       std::isfinite(value) && std::fabs(value) < 1e9
                           ? uint64_t(int64_t(value))
                           : 1,
                       false, true));
  else
    return Value();
  auto attr = builder.getNamedAttr("value", DenseElementsAttr::get(tensor, splat));
  return create(builder, "stablehlo.constant", {}, type, attr)->getResult(0);
}

Attribute Mutator::makeOddAttribute(Attribute old) {
  Builder builder(module.getContext());
  if (auto array = dyn_cast_or_null<DenseI64ArrayAttr>(old);
      array && !random.oneIn(4)) {
    SmallVector<int64_t> values(array.asArrayRef());
    if (values.empty() || random.oneIn(4))
      values.push_back(int64_t(random.below(4)));
    else if (random.oneIn(4))
      values.pop_back();
    else
      random.pick(values) = int64_t(random.below(6)) - 1;
    return builder.getDenseI64ArrayAttr(values);
  }
  if (auto text = dyn_cast_or_null<StringAttr>(old); text && !random.oneIn(4)) {
    std::string changed = text.getValue().str();
    if (changed.empty() || random.oneIn(3))
      changed += "\"\\\n\xff";
    else
      changed[random.below(changed.size())] = char(random.next());
    return builder.getStringAttr(changed);
  }
  if (auto number = dyn_cast_or_null<IntegerAttr>(old);
      number && number.getType().isSignlessInteger() && !random.oneIn(4)) {
    unsigned width = number.getType().getIntOrFloatBitWidth();
    static constexpr int64_t values[] = {0, 1, -1, 2, 7, INT64_MAX, INT64_MIN};
    return builder.getIntegerAttr(
        number.getType(),
        APInt(width, uint64_t(random.pick(values)), false, true));
  }
  if (auto dictionary = dyn_cast_or_null<DictionaryAttr>(old);
      dictionary && !dictionary.empty() && !random.oneIn(4)) {
    NamedAttrList list(dictionary);
    NamedAttribute entry = random.pick(dictionary.getValue());
    if (random.oneIn(3))
      list.erase(entry.getName());
    else
      list.set(entry.getName(), makeOddAttribute(entry.getValue()));
    return list.getDictionary(module.getContext());
  }
  if (auto array = dyn_cast_or_null<ArrayAttr>(old);
      array && !array.empty() && !random.oneIn(4)) {
    SmallVector<Attribute> values(array.getValue());
    size_t place = random.below(values.size());
    if (random.oneIn(3))
      values.erase(values.begin() + place);
    else if (random.oneIn(3))
      values.push_back(values[place]);
    else
      values[place] = makeOddAttribute(values[place]);
    return builder.getArrayAttr(values);
  }
  if (auto number = dyn_cast_or_null<FloatAttr>(old); number && !random.oneIn(4))
    return builder.getFloatAttr(number.getType(), oddNumber());
  switch (random.below(7)) {
  case 0:
    return builder.getUnitAttr();
  case 1:
    return builder.getStringAttr("fuzz");
  case 2:
    return builder.getI64IntegerAttr(int64_t(random.next()));
  case 3:
    return builder.getArrayAttr({});
  case 4:
    return builder.getDictionaryAttr({});
  case 5:
    return builder.getF64FloatAttr(oddNumber());
  default:
    return TypeAttr::get(builder.getF16Type());
  }
}

Type Mutator::makeOddType(Type old) {
  Builder builder(module.getContext());
  auto tensor = dyn_cast<RankedTensorType>(old);
  Type elements[] = {builder.getF32Type(),  builder.getBF16Type(),
                     builder.getF16Type(),  builder.getF64Type(),
                     builder.getI32Type(),  builder.getI1Type(),
                     builder.getI64Type(),  builder.getIntegerType(8, false),
                     builder.getIndexType(), Float8E4M3FNType::get(builder.getContext()),
                     ComplexType::get(builder.getF32Type())};
  if (tensor && random.oneIn(2))
    return tensor.clone(random.pick(elements));
  Type element = tensor ? tensor.getElementType() : builder.getF32Type();
  if (!RankedTensorType::get({}, builder.getF32Type()).clone(element))
    return old;
  SmallVector<int64_t> shape;
  if (tensor)
    llvm::append_range(shape, tensor.getShape());
  switch (random.below(8)) {
  case 0:
    shape.push_back(1);
    break;
  case 1:
    shape.push_back(int64_t(1) << 40);
    shape.push_back(int64_t(1) << 40);
    break;
  case 2:
    return UnrankedTensorType::get(element);
  case 3:
    return tensor ? element : RankedTensorType::get({}, element);
  case 4:
    return VectorType::get({4}, builder.getF32Type());
  case 5:
    return NoneType::get(builder.getContext());
  default:
    if (shape.empty())
      shape.push_back(8);
    else
      random.pick(shape) = random.oneIn(2) ? ShapedType::kDynamic
                                           : int64_t(random.below(10));
  }
  return RankedTensorType::get(shape, element);
}

//===----------------------------------------------------------------------===//
// Mutations
//===----------------------------------------------------------------------===//

bool Mutator::swapOperands() {
  Operation *op = pickOp();
  unsigned count = op->getNumOperands();
  if (count < 2)
    return false;
  unsigned x = random.below(count), y = random.below(count);
  if (op->getOperand(x) == op->getOperand(y))
    return false;
  bool sameType =
      op->getOperand(x).getType() == op->getOperand(y).getType();
  if (!sameType && !random.oneIn(10))
    return false;
  Value first = op->getOperand(x);
  op->setOperand(x, op->getOperand(y));
  op->setOperand(y, first);
  return true;
}

bool Mutator::replaceOperand() {
  Operation *op = pickOp();
  if (op->getNumOperands() == 0)
    return false;
  unsigned place = random.below(op->getNumOperands());
  Value old = op->getOperand(place);
  Value value = pickValue(op, random.oneIn(20) ? Type() : old.getType());
  if (!value || value == old)
    return false;
  op->setOperand(place, value);
  return true;
}

bool Mutator::changeConstant() {
  for (unsigned attempt = 0; attempt < 20; ++attempt) {
    Operation *op = pickOp();
    auto dense = dyn_cast_or_null<DenseElementsAttr>(op->getAttr("value"));
    if (op->getNumOperands() != 0 || !dense || !dense.isSplat() ||
        dense.getNumElements() == 0)
      continue;
    Builder builder(module.getContext());
    Type element = dense.getElementType();
    Attribute splat;
    if (auto type = dyn_cast<FloatType>(element)) {
      double value = dense.getSplatValue<FloatAttr>().getValueAsDouble();
      static constexpr double factors[] = {0.0, 2.0,  0.5,  0.99,   1.01,
                                           -1.0, 1e3, 1e-3, 1.0001, 1.000001};
      double changed = random.oneIn(3) ? oddNumber() : value * random.pick(factors);
      splat = builder.getFloatAttr(type, changed);
    } else if (auto type = dyn_cast<IntegerType>(element)) {
      static constexpr int64_t values[] = {0, 1, 2, 3, -1, 1000, INT32_MAX};
      splat = builder.getIntegerAttr(
          type, APInt(type.getWidth(), uint64_t(random.pick(values)), false, true));
    } else {
      continue;
    }
    op->setAttr("value", DenseElementsAttr::get(dense.getType(), splat));
    return true;
  }
  return false;
}

/// A constant that is no splat, is held as a resource, or is no constant.
bool Mutator::changeConstantKind() {
  Operation *op = pickTensorOp();
  if (!op || op->getNumOperands() != 0 || !op->getAttr("value"))
    return false;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (!type.hasStaticShape() || type.getNumElements() > 1000)
    return false;
  switch (random.below(3)) {
  case 0: {
    if (!type.getElementType().isF32())
      return false;
    SmallVector<float> values;
    for (int64_t i = 0; i < type.getNumElements(); ++i)
      values.push_back(float(random.unit()));
    op->setAttr("value", DenseElementsAttr::get(type, ArrayRef(values)));
    return true;
  }
  case 1: {
    if (!type.getElementType().isF32())
      return false;
    std::vector<float> values(type.getNumElements(), 0.5f);
    auto blob = HeapAsmResourceBlob::allocateAndCopyWithAlign(
        ArrayRef(reinterpret_cast<const char *>(values.data()),
                 values.size() * sizeof(float)),
        alignof(float));
    op->setAttr("value", DenseResourceElementsAttr::get(type, "fuzz",
                                                        std::move(blob)));
    return true;
  }
  default:
    removeAttribute(op, "value");
    return true;
  }
}

bool Mutator::renameOp() {
  Operation *op = pickTensorOp();
  if (!op || op->isRegistered())
    return false;
  StringRef name;
  if (op->getNumOperands() == 1)
    name = random.pick(kUnary);
  else if (op->getNumOperands() == 2)
    name = random.pick(kBinary);
  else if (op->getNumOperands() == 3)
    name = random.oneIn(2) ? "select" : "clamp";
  else
    return false;
  if (random.oneIn(12))
    name = "unheard_of";
  std::string full = ((random.oneIn(12) ? "chlo." : "stablehlo.") + name).str();
  if (op->getName().getStringRef() == full)
    return false;
  OpBuilder builder(op);
  Operation *other = create(builder, full, op->getOperands(),
                            op->getResultTypes(),
                            random.oneIn(2) ? ArrayRef<NamedAttribute>()
                                            : op->getAttrs());
  op->getResult(0).replaceAllUsesWith(other->getResult(0));
  op->erase();
  return true;
}

bool Mutator::changeAttribute() {
  Operation *op = pickOp();
  if (isa<func::FuncOp>(op))
    return false;
  DictionaryAttr dictionary = op->getAttrDictionary();
  Builder builder(module.getContext());
  if (dictionary.empty() || random.oneIn(10)) {
    op->setAttr(random.oneIn(2) ? "fuzz" : "value", makeOddAttribute({}));
    return true;
  }
  NamedAttribute attr = random.pick(dictionary.getValue());
  if (random.oneIn(4))
    removeAttribute(op, attr.getName());
  else
    op->setAttr(attr.getName(), makeOddAttribute(attr.getValue()));
  // An attribute with a default is never missing in what was read: properties
  // without it exist only in memory.
  if (op->isRegistered() && !op->getAttr(attr.getName()))
    op->setAttr(attr.getName(), attr.getValue());
  return true;
}

bool Mutator::changeResultType() {
  Operation *op = pickTensorOp();
  if (!op)
    return false;
  op->getResult(0).setType(makeOddType(op->getResult(0).getType()));
  return true;
}

bool Mutator::insertUnary() {
  Operation *op = pickOp();
  if (op->getNumOperands() == 0)
    return false;
  unsigned place = random.below(op->getNumOperands());
  Value old = op->getOperand(place);
  if (!isa<RankedTensorType>(old.getType()))
    return false;
  OpBuilder builder(op);
  std::string name = ("stablehlo." + random.pick(kUnary)).str();
  op->setOperand(place, create(builder, name, old, old.getType())->getResult(0));
  return true;
}

bool Mutator::insertBinary() {
  Operation *op = pickOp();
  if (op->getNumOperands() == 0)
    return false;
  unsigned place = random.below(op->getNumOperands());
  Value old = op->getOperand(place);
  OpBuilder builder(op);
  Value other = random.oneIn(3) ? pickValue(op, old.getType())
                                : createSplat(builder, old.getType(), oddNumber());
  if (!other)
    return false;
  std::string name = ("stablehlo." + random.pick(kBinary)).str();
  Value inputs[] = {old, other};
  if (random.oneIn(4))
    std::swap(inputs[0], inputs[1]);
  op->setOperand(place,
                 create(builder, name, inputs, old.getType())->getResult(0));
  return true;
}

bool Mutator::insertSelect() {
  Operation *op = pickOp();
  if (op->getNumOperands() == 0)
    return false;
  unsigned place = random.below(op->getNumOperands());
  Value old = op->getOperand(place);
  auto type = dyn_cast<RankedTensorType>(old.getType());
  Value other = pickValue(op, old.getType());
  if (!type || !other)
    return false;
  OpBuilder builder(op);
  static constexpr StringLiteral directions[] = {"LT", "LE", "GT", "GE", "EQ", "NE"};
  std::string text = ("#stablehlo<comparison_direction " +
                      random.pick(directions) + ">").str();
  Attribute direction = builder.getStringAttr(text);
  if (random.oneIn(2))
    direction = builder.getStringAttr(random.pick(directions));
  // By elements, or by a scalar such as the step.
  Value left = pickValue(op, old.getType());
  if (random.oneIn(2))
    if (Value scalar = pickValue(op, RankedTensorType::get({}, builder.getI32Type())))
      left = scalar;
  auto compared = cast<RankedTensorType>(left.getType());
  Value right = createSplat(builder, compared, oddNumber());
  if (!right)
    return false;
  Value condition =
      create(builder, "stablehlo.compare", {left, right},
             compared.clone(builder.getI1Type()),
             builder.getNamedAttr("comparison_direction", direction))
          ->getResult(0);
  op->setOperand(place, create(builder, "stablehlo.select",
                               {condition, old, other}, type)->getResult(0));
  return true;
}

bool Mutator::swapReturns() {
  Operation *op = nullptr;
  for (Operation *other : ops)
    if (isa<func::ReturnOp>(other) && (!op || random.oneIn(2)))
      op = other;
  if (!op || op->getNumOperands() < 2)
    return false;
  unsigned x = random.below(op->getNumOperands());
  for (unsigned attempt = 0; attempt < 20; ++attempt) {
    unsigned y = random.below(op->getNumOperands());
    Value first = op->getOperand(x), second = op->getOperand(y);
    if (first == second || first.getType() != second.getType())
      continue;
    op->setOperand(x, second);
    op->setOperand(y, first);
    return true;
  }
  return false;
}

bool Mutator::replaceReturn() {
  Operation *op = nullptr;
  for (Operation *other : ops)
    if (isa<func::ReturnOp>(other) && (!op || random.oneIn(2)))
      op = other;
  if (!op || op->getNumOperands() == 0)
    return false;
  unsigned place = random.below(op->getNumOperands());
  Value value = pickValue(op, op->getOperand(place).getType());
  if (!value || value == op->getOperand(place))
    return false;
  op->setOperand(place, value);
  return true;
}
