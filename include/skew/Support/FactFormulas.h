//===- FactFormulas.h - the arithmetic of gradient facts --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place where the arithmetic of GradientFacts.h is written, for any
// scalar `T`: double on the host (checkpoints, hooks), a `Term` in the body of
// a sweep. T needs + - * /, and by argument-dependent lookup sqrt, log,
// maximum, sign and constantLike(T, double), as below for double.
//
// Two passes over the elements of a batch element with n rows and m columns.
// The first sums V over rows and columns. The second works on w = V / mean(V):
// facts are ratios, and V^2 of a late gradient would underflow in fp32. A
// tensor without a row or a column axis has scalar forms alone.
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_SUPPORT_FACTFORMULAS_H
#define SKEW_SUPPORT_FACTFORMULAS_H

#include "skew/Support/GradientFacts.h"
#include <cmath>

namespace mlir::skew::facts {

// What a double needs beside its operators.
inline double sqrt(double x) { return std::sqrt(x); }
inline double log(double x) { return std::log(x); }
inline double maximum(double a, double b) { return a > b ? a : b; }
inline double sign(double x) { return x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0; }
inline double constantLike(double, double value) { return value; }

/// Below it a scaled second moment counts as zero; a normal fp32 number, so
/// that a target which flushes denormals agrees.
inline constexpr double tiny = 1e-30;
/// A slice whose variance is below this part of its squared mean is constant:
/// its SNR is infinite up to rounding, and it is dropped from the mean.
inline constexpr double constantSlice = 1e-9;

/// 1 if x > 0, else 0 (also for NaN).
template <typename T>
T positive(T x) {
  return maximum(sign(x), constantLike(x, 0.0));
}
/// a / b, or 0 where b is not above `tiny`.
template <typename T>
T ratio(T a, T b) {
  T least = constantLike(b, tiny);
  return positive(b - least) * (a / maximum(b, least));
}

/// A second moment (a form of it, or the element itself) and what the sums
/// need of it. On the host made once per row and column, not per element; in a
/// sweep hoisting does that.
template <typename T>
struct Moment {
  explicit Moment(T value)
      : value(value), root(sqrt(value)),
        logarithm(log(maximum(value, constantLike(value, tiny)))),
        present(positive(value - constantLike(value, tiny))),
        inverseRoot(ratio(constantLike(value, 1.0), root)) {}

  /// The product of a row's and a column's: their forms multiply.
  Moment(const Moment &row, const Moment &column)
      : value(row.value * column.value), root(row.root * column.root),
        logarithm(row.logarithm + column.logarithm),
        present(row.present * column.present),
        inverseRoot(row.inverseRoot * column.inverseRoot) {}

  T value, root, logarithm;
  /// 1 where the moment is not zero.
  T present;
  /// 1 / root, 0 where the moment is zero.
  T inverseRoot;
};

/// What is summed over the elements of a batch element in the second pass, and
/// (the last three) over its rows and columns.
enum class Sum : unsigned {
  // Per form, in the order of `Form`.
  Information,
  SquaredError = Information + 4,
  Counted = SquaredError + 4,
  Dot = Counted + 4,
  SquaredStep = Dot + 4,
  /// (w - 1)^2.
  SquaredDeviation = SquaredStep + 4,
  /// u^2, with u = x / sqrt(w).
  ExactStep,
  /// u g / sqrt(w), (g / sqrt(w))^2, g u.
  GradientDot,
  GradientStep,
  Progress,
  SquaredMomentum,
  SquaredOldMomentum,
  SquaredGradient,
  /// g m_{t-1}.
  OldMomentumDot,
  NonzeroGradient,
  BelowEpsilon,
  // Over rows and columns, see SnrTerms.
  SnrRow,
  SnrRowCounted,
  SnrColumn,
  SnrColumnCounted,
  NonzeroRows,
  TouchedRows,
};
inline constexpr unsigned numSums = static_cast<unsigned>(Sum::TouchedRows) + 1;

/// The forms a second moment is held in, smallest error first in general.
enum class Form : unsigned { Factored, Row, Column, Scalar };
inline constexpr Sum of(Sum sum, Form form) {
  return static_cast<Sum>(static_cast<unsigned>(sum) +
                          static_cast<unsigned>(form));
}

/// One element, scaled: `w` = V / mean(V); momentum, old momentum and gradient
/// over sqrt(mean(V)). Null where there is none.
template <typename T>
struct Element {
  const Moment<T> &w;
  const Moment<T> *row = nullptr, *column = nullptr;
  const T *momentum = nullptr, *oldMomentum = nullptr, *gradient = nullptr;
  /// The rule's epsilon over mean(V).
  const T *epsilon = nullptr;
};

/// (w - mean)^2, for the variance of a row, a column or all.
template <typename T>
T squaredDeviation(T w, T mean) {
  T difference = w - mean;
  return difference * difference;
}

/// Calls `add(sum, term)` for what `form` (w') contributes at one element with
/// the direction `x`, the first moment or the gradient.
template <typename T, typename Add>
void addForm(const Moment<T> &w, const Moment<T> &form, Form which, const T *x,
             Add add) {
  add(of(Sum::Information, which), w.value * (w.logarithm - form.logarithm));
  T error = w.root * form.inverseRoot - constantLike(w.value, 1.0);
  add(of(Sum::SquaredError, which), error * error * form.present);
  add(of(Sum::Counted, which), form.present);
  if (!x)
    return;
  T step = *x * form.inverseRoot * w.present;
  add(of(Sum::Dot, which), *x * w.inverseRoot * step);
  add(of(Sum::SquaredStep, which), step * step);
}

/// Calls `add(sum, term)` for every sum the element has a share in.
template <typename T, typename Add>
void addElement(const Element<T> &element, Add add) {
  const Moment<T> &w = element.w;
  const T *x = element.momentum ? element.momentum : element.gradient;
  T one = constantLike(w.value, 1.0);
  addForm(w, Moment<T>(one), Form::Scalar, x, add);
  if (element.row && element.column) {
    addForm(w, Moment<T>(*element.row, *element.column), Form::Factored, x,
            add);
    addForm(w, *element.row, Form::Row, x, add);
    addForm(w, *element.column, Form::Column, x, add);
  }
  add(Sum::SquaredDeviation, squaredDeviation(w.value, one));
  if (element.epsilon)
    add(Sum::BelowEpsilon, positive(*element.epsilon - w.value));
  if (!x)
    return;
  T step = *x * w.inverseRoot;
  add(Sum::ExactStep, step * step);
  if (element.momentum)
    add(Sum::SquaredMomentum, *element.momentum * *element.momentum);
  if (!element.gradient)
    return;
  T g = *element.gradient;
  add(Sum::SquaredGradient, g * g);
  add(Sum::NonzeroGradient, sign(g) * sign(g));
  add(Sum::Progress, g * step);
  if (!element.momentum)
    return;
  T gradientStep = g * w.inverseRoot;
  add(Sum::GradientDot, step * gradientStep);
  add(Sum::GradientStep, gradientStep * gradientStep);
  if (!element.oldMomentum)
    return;
  add(Sum::SquaredOldMomentum, *element.oldMomentum * *element.oldMomentum);
  add(Sum::OldMomentumDot, g * *element.oldMomentum);
}

/// Calls `add` for one slice's share in a mean SNR: `mean` of w along the slice
/// and the mean of its squared deviations. A slice that is constant or zero has
/// none.
template <typename T, typename Add>
void addSnr(Sum snr, Sum counted, T mean, T variance, Add add) {
  T square = mean * mean;
  T present = positive(variance - square * constantLike(mean, constantSlice)) *
              positive(mean);
  add(snr, present * ratio(square, variance));
  add(counted, present);
}

/// `row`: mean of w in one row, `variance` of w in it.
template <typename T, typename Add>
void addRow(T row, T variance, Add add) {
  addSnr(Sum::SnrRow, Sum::SnrRowCounted, row, variance, add);
  add(Sum::TouchedRows, positive(row));
}
template <typename T, typename Add>
void addColumn(T column, T variance, Add add) {
  addSnr(Sum::SnrColumn, Sum::SnrColumnCounted, column, variance, add);
}

/// The facts of one batch element in one sample. `sum(Sum)` is a total,
/// `has(Sum)` says if it was made; `elements` and `rows` are counts, `mean` is
/// the mean of V. Calls `fact(Fact, value, counted)`: counted is 1 where the
/// value is one, 0 where this sample has none (all of V zero, a norm of zero);
/// the value is finite then, too. A profile's fact is
/// sum(counted value) / sum(counted) over its samples.
template <typename T, typename GetSum, typename HasSum, typename Emit>
void sampleFacts(T elements, T rows, T mean, GetSum sum, HasSum has,
                 Emit fact) {
  T one = constantLike(mean, 1.0);
  T present = positive(mean);
  auto share = [&](Fact which, Sum part, T whole, T counted) {
    fact(which, ratio(sum(part), whole), counted);
  };
  auto form = [&](Form which, Fact information, Fact error, Fact loss) {
    if (!has(of(Sum::Information, which)))
      return;
    share(information, of(Sum::Information, which), elements, present);
    T counted = sum(of(Sum::Counted, which));
    fact(error, sqrt(ratio(sum(of(Sum::SquaredError, which)), counted)),
         positive(counted) * present);
    if (!has(of(Sum::Dot, which)))
      return;
    T norms =
        sqrt(sum(Sum::ExactStep)) * sqrt(sum(of(Sum::SquaredStep, which)));
    fact(loss, one - ratio(sum(of(Sum::Dot, which)), norms),
         positive(norms) * present);
  };
  form(Form::Factored, Fact::InformationFactored, Fact::StepErrorFactored,
       Fact::CosineLossFactored);
  form(Form::Row, Fact::InformationRow, Fact::StepErrorRow,
       Fact::CosineLossRow);
  form(Form::Column, Fact::InformationColumn, Fact::StepErrorColumn,
       Fact::CosineLossColumn);
  form(Form::Scalar, Fact::InformationScalar, Fact::StepErrorScalar,
       Fact::CosineLossScalar);
  addSnr(Sum::SnrRow, Sum::SnrRowCounted, one,
         sum(Sum::SquaredDeviation) / elements, [&](Sum what, T value) {
           if (what == Sum::SnrRow)
             fact(Fact::SnrScalar, value,
                  present * positive(sum(Sum::SquaredDeviation) / elements -
                                     constantLike(mean, constantSlice)));
         });
  if (has(Sum::SnrRow)) {
    T counted = sum(Sum::SnrRowCounted);
    share(Fact::SnrRow, Sum::SnrRow, counted, positive(counted) * present);
    fact(Fact::UntouchedRows, one - sum(Sum::TouchedRows) / rows, one);
  }
  if (has(Sum::SnrColumn)) {
    T counted = sum(Sum::SnrColumnCounted);
    share(Fact::SnrColumn, Sum::SnrColumn, counted,
          positive(counted) * present);
  }
  if (has(Sum::NonzeroRows))
    fact(Fact::ZeroRows, one - sum(Sum::NonzeroRows) / rows, one);
  if (has(Sum::NonzeroGradient))
    fact(Fact::ZeroGradient, one - positive(sum(Sum::NonzeroGradient)), one);
  if (has(Sum::BelowEpsilon))
    fact(Fact::BelowEpsilon, sum(Sum::BelowEpsilon) / elements, one);
  fact(Fact::MeanSecondMoment, mean, one);
  if (has(Sum::SquaredGradient))
    fact(Fact::MeanSquaredGradient, sum(Sum::SquaredGradient) / elements * mean,
         one);
  if (has(Sum::Progress))
    fact(Fact::Progress, sum(Sum::Progress) * sqrt(mean), one);
  if (has(Sum::SquaredMomentum))
    share(Fact::MomentumRatio, Sum::SquaredMomentum, elements, present);
  auto cosine = [&](Sum dot, Sum left, Sum right, auto emit) {
    if (!has(dot))
      return;
    T norms = sqrt(sum(left)) * sqrt(sum(right));
    emit(ratio(sum(dot), norms), positive(norms) * present);
  };
  cosine(Sum::GradientDot, Sum::ExactStep, Sum::GradientStep,
         [&](T value, T counted) {
           fact(Fact::CosineLossNoMomentum, one - value, counted);
         });
  cosine(
      Sum::OldMomentumDot, Sum::SquaredOldMomentum, Sum::SquaredGradient,
      [&](T value, T counted) { fact(Fact::GradientCosine, value, counted); });
}

} // namespace mlir::skew::facts

#endif // SKEW_SUPPORT_FACTFORMULAS_H
