//===- RuleEmitter.h - what the rules' formulas share -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_LIB_DIALECT_SKEW_IR_RULES_RULEEMITTER_H
#define SKEW_LIB_DIALECT_SKEW_IR_RULES_RULEEMITTER_H

#include "skew/Dialect/Skew/IR/SweepBuilder.h"

namespace mlir::skew {

/// The parts every rule needs: domains, hyperparameters, gradient, bias
/// correction, guarded and rounded writes.
class RuleEmitter {
public:
  /// `axes`: the split of the parameter's axes.
  template <typename UpdateOp>
  RuleEmitter(OpBuilder &builder, UpdateOp op, AxesAttr axes)
      : RuleEmitter(builder, cast<UpdateOpInterface>(op.getOperation()), axes,
                    {op.getStep(), op.getLearningRate(), op.getGradientScale(),
                     op.getSkip()},
                    op.getRounding(), op.getSeed(), op.getParameterId(),
                    op.getComputeType().value_or(Type()), op.getShardsAttr()) {}

  /// A sweep over the domain that `projection` spans (elem: the parameter).
  /// Elements are computed in fp32 (fp64 for an fp64 parameter, or the update's
  /// compute_type); `scalar` sweeps in fp64, or fp32 with a compute_type.
  SweepBuilder over(Projection projection);

  Value parameter, gradient, step, learningRate;
  SmallVector<Value> state;
  /// The type that sums and scalars between sweeps are stored in: f32, or f64
  /// for an fp64 parameter.
  Type betweenType;

  /// The gradient, scaled.
  Term gradientIn(SweepBuilder &sweep);
  /// Learning rate as a scalar input.
  Term learningRateIn(SweepBuilder &sweep);
  /// A hyperparameter: its constant, or the run-time scalar.
  Term hyper(SweepBuilder &sweep, StringRef name);
  /// 1 - hyperparameter, folded in fp64 when constant.
  Term complement(SweepBuilder &sweep, StringRef name);
  /// True if the hyperparameter is an attribute.
  bool isConstant(StringRef name);
  /// True if the hyperparameter is the constant 0, so its term falls away.
  bool isZero(StringRef name);
  /// Number of elements of the whole tensor over the axes that `projection`
  /// has, as a scalar tensor: an input rather than a constant of a body, so
  /// that one body serves all shapes.
  Value count(Projection projection);

  /// 1 - beta^step, a scalar tensor of `betweenType`.
  Value biasCorrection(StringRef beta);
  /// Exponential average old <- beta old + (1 - beta) value.
  Term average(SweepBuilder &sweep, StringRef beta, Term old, Term value);
  /// p - lr (u + weight_decay p), guarded and rounded into the parameter.
  void writeParameter(SweepBuilder &sweep, Term update);
  /// `updated`, or `old` in a skipped step.
  Term guarded(SweepBuilder &sweep, Term updated, Term old);
  /// Writes new state, guarded, in the state's own type.
  void writeState(SweepBuilder &sweep, Term updated, Term old, Value state,
                  Projection projection = Projection::elem);

private:
  struct Scalars {
    Value step, learningRate, gradientScale, skip;
  };
  RuleEmitter(OpBuilder &builder, UpdateOpInterface op, AxesAttr axes,
              Scalars scalars, Rounding rounding, int64_t seed,
              int64_t parameterId, Type computeType, ShardingAttr shards);

  /// The two key words of this update's random bits, scalar i32 tensors.
  std::pair<Value, Value> randomKey();
  /// Random bits of one element (32, the low 16 are used).
  Term randomBits(SweepBuilder &sweep);
  Value scalarTensor(Attribute value, Type type);

  OpBuilder &builder;
  UpdateOpInterface op;
  Location loc;
  AxesAttr axes;
  SmallVector<int64_t> shape;
  /// How the parameter is cut over devices; null if it is whole.
  ShardingAttr shards;
  Value gradientScale, skip;
  Rounding rounding;
  int64_t seed, parameterId;
  Type elementCompute, scalarCompute;
  bool keepsConstants;
  std::pair<Value, Value> key;
};

/// State of the parameter's own shape, as it is stored.
StateComponent makeElementState(StringRef name, Value state);

} // namespace mlir::skew

#endif // SKEW_LIB_DIALECT_SKEW_IR_RULES_RULEEMITTER_H
