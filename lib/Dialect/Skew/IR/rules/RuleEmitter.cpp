//===- RuleEmitter.cpp - what the rules' formulas share -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuleEmitter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::skew;

RuleEmitter::RuleEmitter(OpBuilder &builder, UpdateOpInterface op,
                         AxesAttr axes, Scalars scalars, Rounding rounding,
                         int64_t seed, int64_t parameterId, Type computeType,
                         ShardingAttr shards)
    : parameter(op.getUpdatedParameter()), gradient(op.getUpdateGradient()),
      step(scalars.step), learningRate(scalars.learningRate),
      state(op.getStateOperands()), builder(builder), op(op), loc(op.getLoc()),
      axes(axes), shards(shards), gradientScale(scalars.gradientScale), skip(scalars.skip),
      rounding(rounding), seed(seed), parameterId(parameterId),
      keepsConstants(static_cast<bool>(computeType)) {
  auto type = cast<RankedTensorType>(parameter.getType());
  llvm::append_range(shape, type.getShape());
  betweenType = type.getElementType().isF64() ? Type(builder.getF64Type())
                                              : Type(builder.getF32Type());
  elementCompute = computeType ? computeType : betweenType;
  scalarCompute = computeType && !computeType.isF64()
                      ? Type(builder.getF32Type())
                      : Type(builder.getF64Type());
}

SweepBuilder RuleEmitter::over(Projection projection) {
  if (projection == Projection::elem)
    return SweepBuilder(builder, loc, axes, shape, elementCompute, shards);
  Type compute =
      projection == Projection::scalar ? scalarCompute : elementCompute;
  return SweepBuilder(
      builder, loc, axes.restrictedTo(projection),
      axes.shapeOf(projection, shape), compute,
      shards ? shards.restrictedTo(axes.axesOf(projection)) : ShardingAttr());
}

Value RuleEmitter::scalarTensor(Attribute value, Type type) {
  auto tensor = RankedTensorType::get({}, type);
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(tensor, value));
}

Value RuleEmitter::count(Projection projection) {
  // Batch is what row and column projections share, so the count of one matrix
  // side is over that side's axes alone.
  SmallVector<int64_t> over = axes.axesOf(projection);
  if (projection == Projection::row || projection == Projection::col)
    llvm::erase_if(over, [&](int64_t axis) {
      return llvm::is_contained(axes.getBatch(), axis);
    });
  SmallVector<int64_t> whole = shards ? shards.wholeShapeOf(shape) : shape;
  double elements = 1.0;
  for (int64_t axis : over)
    elements *= static_cast<double>(whole[axis]);
  return scalarTensor(builder.getF64FloatAttr(elements), builder.getF64Type());
}

Term RuleEmitter::gradientIn(SweepBuilder &sweep) {
  Term g = sweep.input(gradient);
  return gradientScale ? g * sweep.input(gradientScale, Projection::scalar) : g;
}

Term RuleEmitter::learningRateIn(SweepBuilder &sweep) {
  return sweep.input(learningRate, Projection::scalar);
}

Term RuleEmitter::hyper(SweepBuilder &sweep, StringRef name) {
  if (std::optional<double> constant = op.getConstantHyperparameter(name))
    return sweep.constant(*constant);
  return sweep.input(op.getRuntimeHyperparameter(name), Projection::scalar);
}

Term RuleEmitter::complement(SweepBuilder &sweep, StringRef name) {
  if (std::optional<double> constant = op.getConstantHyperparameter(name))
    return sweep.constant(1.0 - *constant);
  Term value = hyper(sweep, name);
  return value.constant(1.0) - value;
}

bool RuleEmitter::isConstant(StringRef name) {
  return op.getConstantHyperparameter(name).has_value();
}

bool RuleEmitter::isZero(StringRef name) {
  std::optional<double> constant = op.getConstantHyperparameter(name);
  return constant && *constant == 0.0;
}

Value RuleEmitter::biasCorrection(StringRef beta) {
  SweepBuilder sweep = over(Projection::scalar);
  Term t = toFloat(sweep.input(step), scalarCompute);
  Term base = hyper(sweep, beta);
  sweep.output(base.constant(1.0) - pow(base, t), Projection::elem,
               betweenType);
  return sweep.finish()[0];
}

Term RuleEmitter::average(SweepBuilder &sweep, StringRef beta, Term old,
                          Term value) {
  auto weight = [&](const Twine &stored, Term otherwise) {
    if (keepsConstants)
      if (auto constant = op.getConstantHyperparameter(stored.str()))
        return sweep.constant(*constant);
    return otherwise;
  };
  Term keep = weight(beta + "_stored", hyper(sweep, beta));
  Term take =
      weight("one_minus_" + beta + "_stored", complement(sweep, beta));
  return keep * old + take * value;
}

Term RuleEmitter::guarded(SweepBuilder &sweep, Term updated, Term old) {
  if (!skip)
    return updated;
  return select(sweep.input(skip, Projection::scalar), old, updated);
}

void RuleEmitter::writeState(SweepBuilder &sweep, Term updated, Term old,
                             Value state, Projection projection) {
  Type element = cast<RankedTensorType>(state.getType()).getElementType();
  sweep.output(guarded(sweep, updated, old), projection, element, state);
}

void RuleEmitter::writeParameter(SweepBuilder &sweep, Term update) {
  Term p = sweep.input(parameter);
  Term lr = learningRateIn(sweep);
  if (!isZero("weight_decay"))
    update = update + hyper(sweep, "weight_decay") * p;
  Term result = guarded(sweep, p - lr * update, p);
  Type element = cast<RankedTensorType>(parameter.getType()).getElementType();
  if (rounding == Rounding::stochastic) {
    Term bits = randomBits(sweep);
    OpBuilder &body = result.getBuilder();
    result = Term(RoundStochasticOp::create(body, loc, element,
                                            result.getValue(), bits.getValue()),
                  body);
  }
  sweep.output(result, Projection::elem, element, parameter);
}

//===----------------------------------------------------------------------===//
// Random bits: Philox4x32-10 (Salmon et al., SC 2011) once per update and
// step gives two key words; each element hashes its global index with them in
// two rounds of a 32-bit integer mixer (C. Wellons' lowbias32).
//===----------------------------------------------------------------------===//

std::pair<Value, Value> RuleEmitter::randomKey() {
  if (key.first)
    return key;
  Type i64 = builder.getI64Type(), i32 = builder.getI32Type();
  Value seedValue = scalarTensor(builder.getI64IntegerAttr(seed), i64);
  Value id = scalarTensor(builder.getI64IntegerAttr(parameterId), i64);
  SweepBuilder sweep = over(Projection::scalar);
  Term t = toInt(sweep.input(step), 64);
  Term s = sweep.input(seedValue), i = sweep.input(id);
  Term counter[4] = {toInt(t, 32), toInt(shrui(t, 32), 32), toInt(i, 32),
                     toInt(shrui(i, 32), 32)};
  Term key0 = toInt(s, 32), key1 = toInt(shrui(s, 32), 32);
  for (unsigned round = 0; round < 10; ++round) {
    if (round) {
      key0 = addi(key0, key0.constantInt(0x9E3779B9));
      key1 = addi(key1, key1.constantInt(0xBB67AE85));
    }
    Term product0 = toInt(counter[0], 64);
    product0 = muli(product0, product0.constantInt(0xD2511F53));
    Term product1 = toInt(counter[2], 64);
    product1 = muli(product1, product1.constantInt(0xCD9E8D57));
    Term high0 = toInt(shrui(product0, 32), 32), low0 = toInt(product0, 32);
    Term high1 = toInt(shrui(product1, 32), 32), low1 = toInt(product1, 32);
    counter[0] = xori(xori(high1, counter[1]), key0);
    counter[1] = low1;
    counter[2] = xori(xori(high0, counter[3]), key1);
    counter[3] = low0;
  }
  sweep.output(counter[0], Projection::elem, i32);
  sweep.output(counter[1], Projection::elem, i32);
  ResultRange words = sweep.finish();
  key = {words[0], words[1]};
  return key;
}

/// One round of a 32-bit mixer (lowbias32).
static Term mix(Term x) {
  x = xori(x, shrui(x, 16));
  x = muli(x, x.constantInt(0x7feb352d));
  x = xori(x, shrui(x, 15));
  x = muli(x, x.constantInt(0x846ca68b));
  return xori(x, shrui(x, 16));
}

Term RuleEmitter::randomBits(SweepBuilder &sweep) {
  // The key is a sweep of its own; it is made before this one's op is.
  auto [word0, word1] = randomKey();
  Term key0 = sweep.input(word0, Projection::scalar);
  Term key1 = sweep.input(word1, Projection::scalar);
  Term index = sweep.index();
  Term low = toInt(index, 32), high = toInt(shrui(index, 32), 32);
  // One round alone would make every step a permutation of the same numbers.
  Term second = addi(key1, muli(high, high.constantInt(0x9E3779B9)));
  return mix(addi(mix(xori(low, key0)), second));
}

StateComponent skew::makeElementState(StringRef name, Value state) {
  auto type = cast<RankedTensorType>(state.getType());
  StateComponent component;
  component.name = name;
  llvm::append_range(component.shape, type.getShape());
  component.elementType = type.getElementType();
  return component;
}
