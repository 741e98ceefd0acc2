//===- Evaluator.cpp - what a graph computes, in fp64 ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"
#include "Random.h"
#include "mlir/IR/AffineMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::skew::fuzz;

static constexpr unsigned kMaxDepth = 200;
static constexpr unsigned kMaxIterations = 6;

//===----------------------------------------------------------------------===//
// Names and attributes
//===----------------------------------------------------------------------===//

static std::string print(Attribute attr) {
  std::string text;
  llvm::raw_string_ostream os(text);
  attr.print(os);
  return text;
}

/// The name that `computeElementwise` knows an op by; empty for others.
static StringRef getElementwiseName(Operation *op) {
  auto [dialect, name] = op->getName().getStringRef().split('.');
  if (dialect == "stablehlo" || dialect == "chlo")
    return name;
  if (dialect != "arith" && dialect != "math")
    return "";
  return llvm::StringSwitch<StringRef>(name)
      .Cases({"addf", "addi"}, "add")
      .Cases({"subf", "subi"}, "subtract")
      .Cases({"mulf", "muli"}, "multiply")
      .Cases({"divf", "divsi"}, "divide")
      .Cases({"remf", "remsi"}, "remainder")
      .Cases({"maximumf", "maxsi", "maxnumf"}, "maximum")
      .Cases({"minimumf", "minsi", "minnumf"}, "minimum")
      .Case("negf", "negate")
      .Case("andi", "and")
      .Case("ori", "or")
      .Case("xori", "xor")
      .Case("select", "select")
      .Cases({"cmpf", "cmpi"}, "compare")
      .Cases({"sitofp", "uitofp", "extf", "truncf", "fptosi"}, "convert")
      .Cases({"extsi", "extui", "trunci", "index_cast"}, "convert")
      .Cases({"absf", "absi"}, "abs")
      .Case("sqrt", "sqrt")
      .Case("rsqrt", "rsqrt")
      .Case("cbrt", "cbrt")
      .Cases({"powf", "fpowi"}, "power")
      .Case("exp", "exponential")
      .Case("expm1", "exponential_minus_one")
      .Case("log", "log")
      .Case("log1p", "log_plus_one")
      .Case("tanh", "tanh")
      .Case("sin", "sine")
      .Case("cos", "cosine")
      .Case("floor", "floor")
      .Case("ceil", "ceil")
      .Case("roundeven", "round_nearest_even")
      .Default("");
}

static StringRef getDirection(Operation *op, std::string &storage) {
  if (Attribute direction = op->getAttr("comparison_direction")) {
    storage = print(direction);
    StringRef text = StringRef(storage).rtrim('>');
    return text.substr(text.find_last_of(" .") + 1);
  }
  auto predicate = dyn_cast_or_null<IntegerAttr>(op->getAttr("predicate"));
  if (!predicate)
    return "";
  static constexpr StringLiteral floats[] = {
      "", "EQ", "GT", "GE", "LT", "LE", "NE", "", "EQ", "GT", "GE", "LT", "LE",
      "NE"};
  static constexpr StringLiteral integers[] = {"EQ", "NE", "LT",
                                               "LE", "GT", "GE"};
  uint64_t number = predicate.getValue().getZExtValue();
  if (op->getName().getStringRef() == "arith.cmpi")
    return number < std::size(integers) ? StringRef(integers[number]) : "";
  return number < std::size(floats) ? StringRef(floats[number]) : "";
}

static std::optional<SmallVector<int64_t>> readIntegers(Attribute attr) {
  if (auto array = dyn_cast_or_null<DenseI64ArrayAttr>(attr))
    return llvm::to_vector(array.asArrayRef());
  auto dense = dyn_cast_or_null<DenseIntElementsAttr>(attr);
  if (!dense || dense.getNumElements() > 64)
    return std::nullopt;
  SmallVector<int64_t> values;
  for (const APInt &value : dense.getValues<APInt>())
    values.push_back(value.getSExtValue());
  return values;
}

static bool isNamedElementwise(StringRef name);

uint64_t Evaluator::hashAttributes(Operation *op) {
  DictionaryAttr dictionary = op->getAttrDictionary();
  auto [it, isNew] = attributeHashes.try_emplace(dictionary, 0);
  if (!isNew)
    return it->second;
  uint64_t hash = 1;
  for (NamedAttribute attr : dictionary)
    if (!attr.getName().getValue().starts_with("skew."))
      hash = mix(hash, hashText(attr.getName().getValue()) ^
                           hashText(print(attr.getValue())));
  return attributeHashes[dictionary] = hash;
}

/// Name, attributes, types and regions; not what the operands are.
uint64_t Evaluator::hashOp(Operation *op) {
  uint64_t hash = 0;
  op->walk<WalkOrder::PreOrder>([&](Operation *inner) {
    hash = mix(hash, hashText(inner->getName().getStringRef()));
    hash = mix(hash, hashAttributes(inner));
    hash = mix(hash, inner->getNumOperands());
  });
  return hash;
}

//===----------------------------------------------------------------------===//
// Functions and blocks
//===----------------------------------------------------------------------===//

const Elements *Evaluator::get(Value value) {
  auto it = values.find(value);
  return it == values.end() ? nullptr : &it->second;
}

std::optional<std::vector<Elements>>
Evaluator::run(FunctionOpInterface function, ArrayRef<Elements> arguments) {
  Region &body = function.getFunctionBody();
  if (!body.hasOneBlock() || depth > kMaxDepth)
    return std::nullopt;
  Values results;
  if (!runBlock(body.front(), arguments, results))
    return std::nullopt;
  return results;
}

bool Evaluator::runBlock(Block &block, ArrayRef<Elements> arguments,
                         Values &results) {
  if (block.getNumArguments() != arguments.size() || block.empty() ||
      ++depth > kMaxDepth)
    return false;
  for (auto [argument, value] : llvm::zip_equal(block.getArguments(), arguments))
    values[argument] = value;
  for (Operation &op : block.without_terminator()) {
    Values produced;
    if (!step() || op.getNumSuccessors() != 0)
      return false;
    if (op.getNumResults() == 0)
      continue;
    if (!runOp(&op, produced) || produced.size() != op.getNumResults())
      return false;
    for (auto [result, value] : llvm::zip_equal(op.getResults(), produced))
      values[result] = std::move(value);
  }
  Operation &last = block.back();
  if (last.getNumSuccessors() != 0)
    return false;
  results.clear();
  for (Value operand : last.getOperands()) {
    const Elements *value = get(operand);
    if (!value)
      return false;
    results.push_back(*value);
  }
  --depth;
  return true;
}

bool Evaluator::runWhile(Operation *op, Values &results) {
  if (op->getNumRegions() != 2 || !op->getRegion(0).hasOneBlock() ||
      !op->getRegion(1).hasOneBlock())
    return false;
  Values carried;
  for (Value operand : op->getOperands())
    carried.push_back(*get(operand));
  for (unsigned i = 0; i < kMaxIterations; ++i) {
    Values condition;
    if (!runBlock(op->getRegion(0).front(), carried, condition) ||
        condition.empty())
      return false;
    if (!condition[0].asInteger(0))
      break;
    Values next;
    if (!runBlock(op->getRegion(1).front(), carried, next))
      return false;
    carried = std::move(next);
  }
  results = std::move(carried);
  return true;
}

/// Local and global tensors that are alike are the same; others are functions
/// of one another.
bool Evaluator::runManual(Operation *op, Values &results) {
  if (op->getNumRegions() != 1 || !op->getRegion(0).hasOneBlock())
    return false;
  Block &body = op->getRegion(0).front();
  if (body.getNumArguments() != op->getNumOperands())
    return false;
  auto pass = [&](const Elements &value, Type type, uint64_t key) {
    if (value.size() == countElements(type) &&
        value.isInteger == isIntegerType(type))
      return value;
    return makeOpaque(mix(hashText("manual"), key), &value, type, false);
  };
  Values inputs, outputs;
  for (auto [operand, argument] :
       llvm::zip_equal(op->getOperands(), body.getArguments()))
    inputs.push_back(pass(*get(operand), argument.getType(), 1));
  if (!runBlock(body, inputs, outputs) ||
      outputs.size() != op->getNumResults())
    return false;
  for (auto [output, result] : llvm::zip_equal(outputs, op->getResults()))
    results.push_back(pass(output, result.getType(), 2));
  return true;
}

bool Evaluator::runOp(Operation *op, Values &results) {
  for (Value operand : op->getOperands())
    if (!get(operand))
      return false;
  StringRef name = op->getName().getStringRef();

  if (name == "func.call") {
    auto callee = op->getAttrOfType<FlatSymbolRefAttr>("callee");
    auto function =
        callee ? symbols.lookup<FunctionOpInterface>(callee.getValue())
               : FunctionOpInterface();
    if (function && !function.isExternal()) {
      Values arguments;
      for (Value operand : op->getOperands())
        arguments.push_back(*get(operand));
      auto returned = run(function, arguments);
      if (!returned)
        return false;
      results = std::move(*returned);
      return true;
    }
  }
  if ((name == "stablehlo.case" || name == "stablehlo.if") &&
      op->getNumOperands() == 1 && op->getNumRegions() != 0) {
    int64_t index = get(op->getOperand(0))->asInteger(0);
    int64_t last = op->getNumRegions() - 1;
    if (name == "stablehlo.if")
      index = index ? 0 : 1;
    Region &region = op->getRegion(index < 0 || index > last ? last : index);
    return region.hasOneBlock() && runBlock(region.front(), {}, results);
  }
  if (name == "stablehlo.while")
    return runWhile(op, results);
  if (name == "sdy.manual_computation")
    return runManual(op, results);
  if (name == "stablehlo.optimization_barrier" &&
      op->getNumOperands() == op->getNumResults()) {
    for (Value operand : op->getOperands())
      results.push_back(*get(operand));
    return true;
  }
  SmallVector<const Elements *> operands;
  for (Value operand : op->getOperands())
    operands.push_back(get(operand));
  if (auto updated = computeUpdate(op, operands, lowestStep)) {
    results = std::move(*updated);
    return true;
  }

  for (OpResult result : op->getResults()) {
    std::optional<Elements> value;
    if (op->getNumResults() == 1 && op->getNumRegions() == 0) {
      bool isSame = name == "tensor.from_elements" || name == "tensor.extract" ||
                    name == "tensor.splat" || name == "tensor.collapse_shape" ||
                    name == "tensor.expand_shape";
      size_t count = countElements(result.getType());
      if (isSame && op->getNumOperands() == 1 &&
          (operands[0]->size() == count || operands[0]->size() == 1)) {
        value = *operands[0];
        value->isInteger ? value->i.resize(count, value->i[0])
                         : value->f.resize(count, value->f[0]);
      }
      if (op->getNumOperands() == 0)
        value = runConstant(op);
      if (!value)
        value = runLayout(op, name);
      if (StringRef known = getElementwiseName(op);
          !value && !known.empty() && op->getNumOperands() != 0) {
        std::string storage;
        unsigned typed = known == "select" && operands.size() > 1 ? 1 : 0;
        value = computeElementwise(
            known, known == "compare" ? getDirection(op, storage) : "",
            operands, op->getOperand(typed).getType(), result.getType());
      }
    } else if (name == "linalg.generic" || isNamedElementwise(name)) {
      value = runGeneric(op, result.getResultNumber());
    }
    results.push_back(value ? std::move(*value)
                            : runOpaque(op, result.getResultNumber()));
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Constants and layout
//===----------------------------------------------------------------------===//

std::optional<Elements> Evaluator::runConstant(Operation *op) {
  StringRef name = op->getName().getStringRef();
  if (name != "stablehlo.constant" && name != "arith.constant")
    return std::nullopt;
  Type type = op->getResult(0).getType();
  Elements result;
  result.isInteger = isIntegerType(type);
  auto add = [&](const APFloat &exact) {
    APFloat value = exact;
    bool losesInfo;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    if (result.isInteger)
      result.i.push_back(toInteger(value.convertToDouble()));
    else
      result.f.push_back(value.convertToDouble());
  };
  auto addInteger = [&](const APInt &value) {
    int64_t low = value.getBitWidth() > 64 ? 0 : value.getSExtValue();
    if (result.isInteger)
      result.i.push_back(wrapInteger(low, type));
    else
      result.f.push_back(double(low));
  };
  Attribute attr = op->getAttr("value");
  if (auto number = dyn_cast_or_null<FloatAttr>(attr)) {
    add(number.getValue());
    return result;
  }
  if (auto number = dyn_cast_or_null<IntegerAttr>(attr)) {
    addInteger(number.getValue());
    return result;
  }
  auto dense = dyn_cast_or_null<DenseElementsAttr>(attr);
  size_t count = countElements(type);
  if (!dense || size_t(dense.getNumElements()) < count)
    return std::nullopt;
  if (isa<FloatType>(dense.getElementType())) {
    auto elements = dense.getValues<APFloat>();
    for (size_t at = 0; at < count; ++at)
      add(elements[at]);
    return result;
  }
  if (!isa<IntegerType>(dense.getElementType()))
    return std::nullopt;
  auto elements = dense.getValues<APInt>();
  for (size_t at = 0; at < count; ++at)
    addInteger(elements[at]);
  return result;
}

/// The dimensions above extent 1 and their extents.
static SmallVector<std::pair<int64_t, int64_t>> dropUnits(RankedTensorType type) {
  SmallVector<std::pair<int64_t, int64_t>> dims;
  for (auto [dim, extent] : llvm::enumerate(type.getShape()))
    if (extent != 1)
      dims.push_back({dim, extent});
  return dims;
}

/// Reshapes, broadcasts and transposes of tensors; `map[i]` is where operand
/// dimension i goes.
std::optional<Elements> Evaluator::runLayout(Operation *op, StringRef name) {
  if (op->getNumOperands() != 1)
    return std::nullopt;
  const Elements &operand = *get(op->getOperand(0));
  auto from = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  auto to = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!from || !to || !from.hasStaticShape() || !to.hasStaticShape())
    return std::nullopt;
  size_t count = countElements(to);
  auto target = op->getAttrOfType<StringAttr>("call_target_name");
  bool isIdentity =
      name == "sdy.sharding_constraint" ||
      (name == "stablehlo.custom_call" && target &&
       (target == "Sharding" || target == "annotate_device_placement"));
  if (isIdentity)
    return from == to ? std::optional<Elements>(operand) : std::nullopt;
  if (name == "stablehlo.reshape")
    return operand.size() == count ? std::optional<Elements>(operand)
                                   : std::nullopt;
  SmallVector<int64_t> map;
  if (name == "stablehlo.broadcast_in_dim") {
    if (operand.size() == 1) {
      Elements result = operand;
      result.isInteger ? result.i.resize(count, operand.i[0])
                       : result.f.resize(count, operand.f[0]);
      return result;
    }
    auto dims = readIntegers(op->getAttr("broadcast_dimensions"));
    if (!dims)
      return std::nullopt;
    map = *dims;
  } else if (name == "stablehlo.transpose") {
    auto permutation = readIntegers(op->getAttr("permutation"));
    if (!permutation || permutation->size() != size_t(from.getRank()))
      return std::nullopt;
    map.assign(permutation->size(), -1);
    for (auto [at, dim] : llvm::enumerate(*permutation))
      if (dim >= 0 && dim < from.getRank())
        map[dim] = at;
  } else {
    return std::nullopt;
  }
  if (map.size() != size_t(from.getRank()))
    return std::nullopt;
  for (auto [dim, at] : llvm::enumerate(map))
    if (at < 0 || at >= to.getRank() ||
        (from.getDimSize(dim) != 1 && from.getDimSize(dim) != to.getDimSize(at)))
      return std::nullopt;
  if (count == kSampled && operand.size() == kSampled &&
      !(from.getNumElements() == int64_t(kSampled) &&
        to.getNumElements() == int64_t(kSampled))) {
    // Elements that stand for all: only their order can be kept.
    auto fromDims = dropUnits(from), toDims = dropUnits(to);
    if (fromDims.size() != toDims.size())
      return std::nullopt;
    for (auto [source, destination] : llvm::zip_equal(fromDims, toDims))
      if (map[source.first] != destination.first)
        return std::nullopt;
    return operand;
  }
  if (int64_t(count) != to.getNumElements() ||
      int64_t(operand.size()) != from.getNumElements())
    return std::nullopt;
  Elements result;
  result.isInteger = operand.isInteger;
  for (size_t at = 0; at < count; ++at) {
    SmallVector<int64_t> index(to.getRank());
    size_t rest = at;
    for (int64_t dim = to.getRank(); dim-- > 0;) {
      index[dim] = rest % to.getDimSize(dim);
      rest /= to.getDimSize(dim);
    }
    size_t source = 0;
    for (int64_t dim = 0; dim < from.getRank(); ++dim)
      source = source * from.getDimSize(dim) +
               (from.getDimSize(dim) == 1 ? 0 : index[map[dim]]);
    result.isInteger ? result.i.push_back(operand.i[source])
                     : result.f.push_back(operand.f[source]);
  }
  return result;
}

/// The named linalg ops whose body is run once for each element.
static bool isNamedElementwise(StringRef name) {
  return name.consume_front("linalg.") &&
         llvm::StringSwitch<bool>(name)
             .Cases({"add", "sub", "mul", "div", "max", "min"}, true)
             .Cases({"exp", "log", "abs", "ceil", "floor", "negf"}, true)
             .Cases({"reciprocal", "round", "sqrt", "rsqrt", "square"}, true)
             .Cases({"tanh", "powf", "select", "fill", "copy"}, true)
             .Default(false);
}

/// Element of an operand of `type` that `map` reads at element `at` of `domain`;
/// -1 if the map leaves it.
static int64_t readAt(AffineMap map, ShapedType domain, ShapedType type,
                      size_t at) {
  SmallVector<AffineExpr> index(domain.getRank());
  for (int64_t dim = domain.getRank(), rest = at; dim-- > 0;) {
    index[dim] = getAffineConstantExpr(rest % domain.getDimSize(dim),
                                       map.getContext());
    rest /= domain.getDimSize(dim);
  }
  int64_t place = 0;
  for (auto [dim, expression] : llvm::enumerate(map.getResults())) {
    int64_t value = -1;
    if (auto known =
            dyn_cast<AffineConstantExpr>(expression.replaceDims(index)))
      value = known.getValue();
    if (value < 0 || value >= type.getDimSize(dim))
      return -1;
    place = place * type.getDimSize(dim) + value;
  }
  return place;
}

/// A linalg op over parallel dimensions.
std::optional<Elements> Evaluator::runGeneric(Operation *op, unsigned result) {
  auto maps = op->getAttrOfType<ArrayAttr>("indexing_maps");
  auto type = dyn_cast<RankedTensorType>(op->getResult(result).getType());
  if (op->getNumRegions() != 1 || !op->getRegion(0).hasOneBlock() || !type ||
      !type.hasStaticShape())
    return std::nullopt;
  size_t count = countElements(type);
  bool isWhole = int64_t(count) == type.getNumElements();
  if (op->getName().getStringRef() == "linalg.generic") {
    auto iterators = op->getAttrOfType<ArrayAttr>("iterator_types");
    if (!maps || !iterators || maps.size() != op->getNumOperands())
      return std::nullopt;
    for (Attribute iterator : iterators)
      if (!StringRef(print(iterator)).contains("parallel"))
        return std::nullopt;
    // The result is the domain.
    unsigned outputs = op->getNumResults();
    auto last = dyn_cast<AffineMapAttr>(maps[maps.size() - outputs + result]);
    if (!last || !last.getValue().isIdentity() ||
        last.getValue().getNumDims() != type.getRank())
      return std::nullopt;
  } else {
    maps = {};
  }
  // Where each element of the result reads each operand.
  SmallVector<std::vector<int64_t>> places(op->getNumOperands());
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    size_t size = get(operand)->size();
    auto from = dyn_cast<RankedTensorType>(operand.getType());
    auto map = maps ? dyn_cast<AffineMapAttr>(maps[number]) : AffineMapAttr();
    for (size_t at = 0; at < count; ++at) {
      int64_t place = size == 1 ? 0 : int64_t(at);
      if (size != 1 && map && isWhole && from && from.hasStaticShape() &&
          map.getValue().getNumSymbols() == 0 &&
          int64_t(map.getValue().getNumResults()) == from.getRank())
        place = readAt(map.getValue(), type, from, at);
      else if (size != 1 && (size != count || (map && !map.getValue().isIdentity())))
        place = -1;
      if (place < 0 || place >= int64_t(size))
        return std::nullopt;
      places[number].push_back(place);
    }
  }
  Elements collected;
  collected.isInteger = isIntegerType(type);
  for (size_t at = 0; at < count; ++at) {
    Values inputs, outputs;
    for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
      const Elements &all = *get(operand);
      Elements one;
      one.isInteger = all.isInteger;
      one.isInteger ? one.i.push_back(all.asInteger(places[number][at]))
                    : one.f.push_back(all.asDouble(places[number][at]));
      inputs.push_back(one);
    }
    if (!runBlock(op->getRegion(0).front(), inputs, outputs) ||
        result >= outputs.size() ||
        outputs[result].isInteger != collected.isInteger)
      return std::nullopt;
    collected.isInteger ? collected.i.push_back(outputs[result].asInteger(0))
                        : collected.f.push_back(outputs[result].asDouble(0));
  }
  return collected;
}

//===----------------------------------------------------------------------===//
// Everything else
//===----------------------------------------------------------------------===//

Elements Evaluator::makeOpaque(uint64_t key,
                               ArrayRef<const Elements *> operands, Type type,
                               bool positive) {
  size_t count = countElements(type), total = 1;
  for (const Elements *operand : operands)
    total += operand->size();
  Elements result;
  result.isInteger = isIntegerType(type);
  for (size_t at = 0; at < count; ++at) {
    uint64_t lane = mix(key, at);
    if (result.isInteger) {
      uint64_t hash = lane;
      for (const Elements *operand : operands)
        for (int64_t value : operand->i)
          hash = mix(hash, uint64_t(value));
      result.i.push_back(wrapInteger(int64_t(hash % 97), type));
      continue;
    }
    double sum = 6.28 * toUnit(lane);
    uint64_t number = 0;
    for (const Elements *operand : operands)
      for (size_t k = 0; k < operand->size(); ++k) {
        double value = operand->asDouble(k);
        double weight = 2.0 * toUnit(mix(lane, ++number)) - 1.0;
        if (std::isfinite(value))
          sum += weight * std::asinh(value) / std::sqrt(double(total));
      }
    double wave = std::sin(sum);
    result.f.push_back(positive ? std::exp(3.0 * wave) : 3.0 * wave);
  }
  return result;
}

Elements Evaluator::runOpaque(Operation *op, unsigned result) {
  SmallVector<const Elements *> operands;
  for (Value operand : op->getOperands())
    operands.push_back(get(operand));
  if (op->getNumRegions() != 0) {
    SmallPtrSet<Value, 8> seen;
    op->walk([&](Operation *inner) {
      if (inner == op)
        return;
      for (Value operand : inner->getOperands())
        if (const Elements *value = get(operand);
            value && !op->isAncestor(operand.getParentBlock()->getParentOp()) &&
            seen.insert(operand).second)
          operands.push_back(value);
    });
  }
  // Norms are sums of squares: roots of them must mean something.
  StringRef name = op->getName().getStringRef();
  bool positive = name == "stablehlo.reduce" || name.ends_with("norm");
  return makeOpaque(mix(hashOp(op), result), operands,
                    op->getResult(result).getType(), positive);
}
