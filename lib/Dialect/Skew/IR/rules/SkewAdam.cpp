//===- SkewAdam.cpp - the SkewAdam rule -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// "Where Should Optimizer State Live?" (2607.19058), in two numerics: `tiered`
// is AdamW's formula with the tier's V in place of v, `published` the floors of
// the paper's code.
//
//===----------------------------------------------------------------------===//

#include "RuleEmitter.h"

using namespace mlir;
using namespace mlir::skew;

namespace {

/// Both guards are normal floats: a denormal is flushed to zero by XLA, and an
/// expert idle since step 1 would give 0/0.
constexpr double tieredGuard = 1e-30;
constexpr double publishedGuard = 1e-15;

/// The second moment after this step: `exact` of the parameter's shape, or r, c
/// and mean(r) per batch element.
struct SecondMoment {
  Value exact, row, column, mean;
};

class SkewAdamRule : public RuleEmitter {
public:
  SkewAdamRule(OpBuilder &builder, SkewAdamOp op)
      : RuleEmitter(builder, op, op.getAxes()), op(op),
        published(op.getNumerics() == Numerics::published),
        factored(op.getTier().getV() == StateStorage::factored),
        hasMomentum(op.getTier().getM() != StateStorage::none) {}

  SmallVector<Value> emit();

private:
  /// r, c <- averages of the gradient's mean squares over columns and rows.
  SecondMoment updateFactors(Value row, Value column);
  /// The update before the RMS clip: `numerator` is the new first moment, or
  /// the gradient without one; `exact` the new exact second moment if kept.
  Term update(SweepBuilder &sweep, Term numerator, const SecondMoment &v,
              Term exact);
  Term denominator(SweepBuilder &sweep, const SecondMoment &v, Term exact);

  SkewAdamOp op;
  bool published, factored, hasMomentum;
  Value correction1, correction2;
};

Type elementTypeOf(Value tensor) {
  return cast<RankedTensorType>(tensor.getType()).getElementType();
}

} // namespace

SecondMoment SkewAdamRule::updateFactors(Value row, Value column) {
  Value columns = count(Projection::col), rows = count(Projection::row);
  SweepBuilder sums = over(Projection::elem);
  Term g = gradientIn(sums);
  Term square = g * g;
  sums.output(square, Projection::row, betweenType);
  sums.output(square, Projection::col, betweenType);
  ResultRange sum = sums.finish();

  SweepBuilder rowSweep = over(Projection::row);
  Term r = rowSweep.input(row), rowSum = rowSweep.input(sum[0]);
  Term columnCount = rowSweep.input(columns, Projection::scalar);
  Term rowCount = rowSweep.input(rows, Projection::scalar);
  Term newR = guarded(
      rowSweep, average(rowSweep, "beta2", r, rowSum / columnCount), r);
  rowSweep.output(newR, Projection::elem, elementTypeOf(row), row);
  rowSweep.output(newR / rowCount, Projection::batch, betweenType);
  ResultRange newRow = rowSweep.finish();

  SweepBuilder columnSweep = over(Projection::col);
  Term c = columnSweep.input(column), columnSum = columnSweep.input(sum[1]);
  Term count = columnSweep.input(rows, Projection::scalar);
  writeState(columnSweep, average(columnSweep, "beta2", c, columnSum / count),
             c, column);
  return {Value(), newRow[0], columnSweep.finish()[0], newRow[1]};
}

Term SkewAdamRule::denominator(SweepBuilder &sweep, const SecondMoment &v,
                               Term exact) {
  auto floored = [&](Term x) { return maximum(x, hyper(sweep, "eps")); };
  if (!factored) {
    if (published)
      return sqrt(floored(exact));
    Term radicand = exact / sweep.input(correction2, Projection::scalar);
    if (!isZero("eps_root"))
      radicand = radicand + hyper(sweep, "eps_root");
    return sqrt(radicand) + hyper(sweep, "eps");
  }
  Term r = sweep.input(v.row, Projection::row);
  Term c = sweep.input(v.column, Projection::col);
  Term mean = sweep.input(v.mean, Projection::batch);
  Term relative =
      r / maximum(mean, mean.constant(published ? publishedGuard : tieredGuard));
  if (published)
    return sqrt(floored(relative)) * sqrt(floored(c));
  Term corrected = c / sweep.input(correction2, Projection::scalar);
  // Written per axis, so that no root is taken per element; with eps_root the
  // sum under the root has to be formed first.
  if (isZero("eps_root"))
    return sqrt(relative) * sqrt(corrected) + hyper(sweep, "eps");
  return sqrt(relative * corrected + hyper(sweep, "eps_root")) +
         hyper(sweep, "eps");
}

Term SkewAdamRule::update(SweepBuilder &sweep, Term numerator,
                          const SecondMoment &v, Term exact) {
  if (hasMomentum)
    numerator = numerator / sweep.input(correction1, Projection::scalar);
  if (published)
    numerator = numerator * sqrt(sweep.input(correction2, Projection::scalar));
  return numerator / denominator(sweep, v, exact);
}

SmallVector<Value> SkewAdamRule::emit() {
  if (hasMomentum)
    correction1 = biasCorrection("beta1");
  correction2 = biasCorrection("beta2");
  Value oldM = hasMomentum ? state[0] : Value();
  Value oldExact = factored ? Value() : state[hasMomentum];
  SecondMoment v;
  if (factored)
    v = updateFactors(state[hasMomentum], state[hasMomentum + 1]);

  // Without a clip nothing stands between the moments and the write, so one
  // sweep does both. With one, the moments and the sum of the update's squares
  // come first, and the write reads the new moments back.
  bool clips = op.getRmsClip() != RmsClip::off;
  Projection scope = op.getRmsClip() == RmsClip::tensor ? Projection::scalar
                                                        : Projection::batch;
  SweepBuilder first = over(Projection::elem);
  Term g = gradientIn(first), numerator = g, exact;
  if (hasMomentum) {
    Term m = first.input(oldM);
    numerator = guarded(first, average(first, "beta1", m, g), m);
  }
  if (!factored) {
    Term old = first.input(oldExact);
    exact = guarded(first, average(first, "beta2", old, g * g), old);
  }
  Term u = update(first, numerator, v, exact);
  if (clips)
    first.output(u * u, scope, betweenType);
  else
    writeParameter(first, u);
  if (hasMomentum)
    first.output(numerator, Projection::elem, elementTypeOf(oldM), oldM);
  if (!factored)
    first.output(exact, Projection::elem, elementTypeOf(oldExact), oldExact);
  ResultRange results = first.finish();

  Value newParameter = results[0];
  unsigned next = 1;
  Value newM = hasMomentum ? results[next++] : Value();
  if (!factored)
    v.exact = results[next++];

  if (clips) {
    Value elements = count(scope == Projection::scalar ? Projection::elem
                                                       : Projection::row);
    Value columns = count(Projection::col);
    SweepBuilder write = over(Projection::elem);
    numerator = hasMomentum ? write.input(newM) : gradientIn(write);
    exact = factored ? Term() : write.input(v.exact);
    Term sum = write.input(results[0], scope);
    Term size = write.input(elements, Projection::scalar);
    if (scope == Projection::batch)
      size = size * write.input(columns, Projection::scalar);
    Term rms = sqrt(sum / size);
    u = update(write, numerator, v, exact) / maximum(rms, rms.constant(1.0));
    writeParameter(write, u);
    newParameter = write.finish()[0];
  }

  SmallVector<Value> all{newParameter};
  if (hasMomentum)
    all.push_back(newM);
  if (factored)
    all.append({v.row, v.column});
  else
    all.push_back(v.exact);
  return all;
}

SmallVector<Value> SkewAdamOp::decompose(OpBuilder &builder) {
  return SkewAdamRule(builder, *this).emit();
}

int SkewAdamOp::getNumRaisedStates() { return -1; }

UpdateMatch SkewAdamOp::matchUpdate(UpdateProbe &) {
  return UpdateMatch::refuse(0, "tiered updates are made, never raised");
}

SmallVector<StateComponent>
skew::getTieredState(TierAttr tier, AxesAttr axes, ArrayRef<int64_t> shape) {
  MLIRContext *context = tier.getContext();
  SmallVector<StateComponent> layout;
  auto add = [&](StringRef name, Projection projection, Type element) {
    layout.push_back({name, axes.shapeOf(projection, shape), element, 0.0});
  };
  if (Type element = getStorageType(tier.getM(), context))
    add("m", Projection::elem, element);
  if (Type element = getStorageType(tier.getV(), context)) {
    add("v", Projection::elem, element);
    return layout;
  }
  Type f32 = Float32Type::get(context);
  add("v_row", Projection::row, f32);
  add("v_col", Projection::col, f32);
  return layout;
}

int64_t skew::getTieredStateBytes(TierAttr tier, AxesAttr axes,
                                  ArrayRef<int64_t> shape) {
  int64_t bytes = 0;
  for (const StateComponent &component : getTieredState(tier, axes, shape))
    bytes += component.getSizeInBytes();
  return bytes;
}

SmallVector<StateComponent> SkewAdamOp::getStateLayout() {
  auto type = cast<RankedTensorType>(getParameter().getType());
  return getTieredState(getTier(), getAxes(), type.getShape());
}
