//===- GradientFacts.h - what a profile knows of a gradient -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The facts that state is chosen by, for one parameter or one batch element of
// a stacked one. V is the second moment, u = x / sqrt(V) the step with x the
// first moment (the gradient where none is kept), V' and u' the same with V as
// a smaller form holds it. Forms: `factored` r c^T / mean, `row` one value per
// row (the mean over columns), `column` one per column, `scalar` one per batch
// element. All facts are dimensionless but where a unit is given.
//
// Sources: SNR from SlimAdam (2503.01843); information and step error of the
// best rank-1 fit in generalised Kullback-Leibler divergence, which r c^T /
// mean is (Lee and Seung 2001; Adafactor, 1804.04235).
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_SUPPORT_GRADIENTFACTS_H
#define SKEW_SUPPORT_GRADIENTFACTS_H

#include <array>
#include <cstddef>
#include <optional>

/// Applies `X(identifier, "json_name", needs)` to every fact, in file order;
/// only ever appended to. `needs`: what must be at hand, see FactNeeds.
#define SKEW_GRADIENT_FACTS(X)                                                 \
  /* E[V]^2 / Var[V] along what the form averages, mean over the slices. */    \
  X(SnrRow, "snr_row", Matrix)                                                 \
  X(SnrColumn, "snr_column", Matrix)                                           \
  X(SnrScalar, "snr_scalar", SecondMoment)                                     \
  /* sum V log(V / V') / sum V, nats; factored: at most log min(n, m). */      \
  X(InformationFactored, "information_factored", Matrix)                       \
  X(InformationRow, "information_row", Matrix)                                 \
  X(InformationColumn, "information_column", Matrix)                           \
  X(InformationScalar, "information_scalar", SecondMoment)                     \
  /* Root mean square of sqrt(V / V') - 1 over the elements with V' > 0. */    \
  X(StepErrorFactored, "step_error_factored", Matrix)                          \
  X(StepErrorRow, "step_error_row", Matrix)                                    \
  X(StepErrorColumn, "step_error_column", Matrix)                              \
  X(StepErrorScalar, "step_error_scalar", SecondMoment)                        \
  /* The greatest |sqrt(V / V') - 1| of the factored form. */                  \
  X(StepErrorFactoredMax, "step_error_factored_max", MatrixSorted)             \
  /* 1 - cos(u, u'). */                                                        \
  X(CosineLossFactored, "cosine_loss_factored", MatrixDirection)               \
  X(CosineLossRow, "cosine_loss_row", MatrixDirection)                         \
  X(CosineLossColumn, "cosine_loss_column", MatrixDirection)                   \
  X(CosineLossScalar, "cosine_loss_scalar", Direction)                         \
  /* 1 - cos(u, g / sqrt(V)). */                                               \
  X(CosineLossNoMomentum, "cosine_loss_no_momentum", MomentumAndGradient)      \
  /* |E g|^2 / E |g|^2 over the window of the moments: |m|^2 / sum V. Noise */ \
  /* alone gives (1 - beta1) / (1 + beta1).                                 */ \
  X(MomentumRatio, "momentum_ratio", Momentum)                                 \
  /* cos(g_t, m_{t-1}): the gradient against those before it. */               \
  X(GradientCosine, "gradient_cosine", MomentumAndGradient)                    \
  /* Share of samples whose gradient is zero everywhere. */                    \
  X(ZeroGradient, "zero_gradient", Gradient)                                   \
  /* Share of rows whose gradient is zero in a sample. */                      \
  X(ZeroRows, "zero_rows", MatrixGradient)                                     \
  /* Share of rows whose V is zero: never touched, or long ago. */             \
  X(UntouchedRows, "untouched_rows", Matrix)                                   \
  /* Share of elements with V below the rule's epsilon. */                     \
  X(BelowEpsilon, "below_epsilon", SecondMoment)                               \
  /* log2(max / median) of |m| and of V in blocks of 256, over the blocks */   \
  /* with a positive median; the mean over blocks.                        */   \
  X(RangeMomentum, "range_momentum", MomentumSorted)                           \
  X(RangeSecondMoment, "range_second_moment", SecondMomentSorted)              \
  /* Mean of V, in squared gradient units. */                                  \
  X(MeanSecondMoment, "mean_second_moment", SecondMoment)                      \
  /* Mean of g^2, in squared gradient units. */                                \
  X(MeanSquaredGradient, "mean_squared_gradient", Gradient)                    \
  /* sum g u, in gradient units: first-order progress per unit of lr. */       \
  X(Progress, "progress", DirectionAndGradient)

namespace mlir::skew {

enum class Fact : unsigned {
#define SKEW_FACT(identifier, name, needs) identifier,
  SKEW_GRADIENT_FACTS(SKEW_FACT)
#undef SKEW_FACT
};

/// What a fact is made from. `Matrix...` ones need a row and a column axis;
/// `...Sorted` ones need elements in order or a maximum, which a sweep of sums
/// does not give; `Direction` is the first moment or, without one, a gradient.
enum class FactNeeds {
  SecondMoment,
  Matrix,
  MatrixSorted,
  SecondMomentSorted,
  Direction,
  MatrixDirection,
  Gradient,
  MatrixGradient,
  Momentum,
  MomentumSorted,
  MomentumAndGradient,
  DirectionAndGradient,
};

struct FactInfo {
  const char *name;
  FactNeeds needs;
};

inline constexpr FactInfo factInfos[] = {
#define SKEW_FACT(identifier, name, needs) {name, FactNeeds::needs},
    SKEW_GRADIENT_FACTS(SKEW_FACT)
#undef SKEW_FACT
};
inline constexpr size_t numFacts = sizeof(factInfos) / sizeof(factInfos[0]);

inline constexpr const FactInfo &getInfo(Fact fact) {
  return factInfos[static_cast<size_t>(fact)];
}

/// The facts of one parameter (or batch element); nullopt where unknown.
class GradientFacts {
public:
  std::optional<double> &operator[](Fact fact) {
    return values[static_cast<size_t>(fact)];
  }
  const std::optional<double> &operator[](Fact fact) const {
    return values[static_cast<size_t>(fact)];
  }

private:
  std::array<std::optional<double>, numFacts> values;
};

} // namespace mlir::skew

#endif // SKEW_SUPPORT_GRADIENTFACTS_H
