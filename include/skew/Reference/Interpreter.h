//===- Interpreter.h - fp64 reference of updates and sweeps -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The meaning of the dialect, executed: what lowerings and matches are compared
// with. Scalar loops on doubles, simple rather than fast.
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_REFERENCE_INTERPRETER_H
#define SKEW_REFERENCE_INTERPRETER_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <memory>
#include <vector>

namespace mlir::skew {

/// A tensor of doubles, or of integers (sign-extended to 64 bits; i1 is 0 or
/// 1), elements in row-major order. Only the vector that `isInteger` selects is
/// filled.
struct ReferenceTensor {
  SmallVector<int64_t> shape;
  bool isInteger = false;
  std::vector<double> f;
  std::vector<int64_t> i;

  static ReferenceTensor floats(ArrayRef<int64_t> shape,
                                std::vector<double> values);
  static ReferenceTensor integers(ArrayRef<int64_t> shape,
                                  std::vector<int64_t> values);
};

struct InterpreterOptions {
  /// Round every float that a tensor holds (arguments, sweep results,
  /// constants) to the tensor's element type, once and to nearest even. When
  /// false, tensors keep doubles: the result of the formulas themselves.
  /// Arithmetic inside a body is in double either way; `arith.truncf` and
  /// `skew.round_stochastic` round to their result type either way.
  bool roundStorage = false;
};

/// A function prepared for repeated execution. Its body may hold update ops
/// (decomposed on a copy; the function given is not changed), `skew.sweep`,
/// tensor `arith.constant` and `func.return`, in one block.
class Interpreter {
public:
  /// Reports unsupported ops and types as errors at their location.
  static FailureOr<Interpreter> create(func::FuncOp function,
                                       InterpreterOptions options = {});
  Interpreter(Interpreter &&);
  Interpreter &operator=(Interpreter &&);
  ~Interpreter();

  /// The function's results for `arguments`. Reports an error if an argument
  /// has another shape or kind than the function takes.
  FailureOr<SmallVector<ReferenceTensor>>
  run(ArrayRef<ReferenceTensor> arguments) const;

private:
  struct Program;
  explicit Interpreter(std::unique_ptr<Program> program);
  std::unique_ptr<Program> program;
};

/// Prepares `function` and runs it once.
FailureOr<SmallVector<ReferenceTensor>>
interpret(func::FuncOp function, ArrayRef<ReferenceTensor> arguments,
          InterpreterOptions options = {});

/// `value` rounded to nearest even in `type` (f16, bf16, f32 or f64).
double roundToNearest(double value, FloatType type);

/// `skew.round_stochastic` on one value: `value` is first rounded to f32, the
/// low 16 bits of `bits` decide. `type` is bf16 or f16.
double roundStochastically(double value, uint32_t bits, FloatType type);

} // namespace mlir::skew

#endif // SKEW_REFERENCE_INTERPRETER_H
