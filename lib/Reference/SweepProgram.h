//===- SweepProgram.h - one sweep as a list of instructions -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_LIB_REFERENCE_SWEEPPROGRAM_H
#define SKEW_LIB_REFERENCE_SWEEPPROGRAM_H

#include "skew/Dialect/Skew/IR/Skew.h"
#include "skew/Reference/Interpreter.h"

namespace mlir::skew {

/// A scalar of a body. Integers are kept zero-extended from their width.
union Scalar {
  double f;
  uint64_t u;
};

/// What an instruction computes; `signedOf` reads go through the source width.
enum class Opcode : uint8_t {
  addF,
  subF,
  mulF,
  divF,
  negF,
  absF,
  maximumF,
  minimumF,
  maxNumF,
  minNumF,
  sqrt,
  rsqrt,
  cbrt,
  pow,
  exp,
  exp2,
  expm1,
  log,
  log2,
  log1p,
  tanh,
  floor,
  ceil,
  copySign,
  fma,
  compareF,
  round,
  roundStochastic,
  addI,
  subI,
  mulI,
  andI,
  orI,
  xorI,
  shiftLeft,
  shiftRightU,
  shiftRightS,
  maxS,
  minS,
  maxU,
  minU,
  compareI,
  zeroExtend,
  signExtend,
  truncate,
  signedToFloat,
  unsignedToFloat,
  floatToSigned,
  floatToUnsigned,
  floatToBits,
  bitsToFloat,
  select,
  copy
};

struct Instruction {
  Opcode opcode;
  /// Comparison predicate of compareF and compareI.
  uint8_t predicate = 0;
  /// Integer widths of the result and of the first operand.
  uint8_t width = 64, sourceWidth = 64;
  /// Slots.
  unsigned result = 0, operands[3] = {0, 0, 0};
  /// Result type of round and roundStochastic, float side of bit casts.
  FloatType type;
};

/// The low `width` bits; the same as a signed number.
inline uint64_t truncateTo(uint64_t value, unsigned width) {
  return width >= 64 ? value : value & ((uint64_t(1) << width) - 1);
}
inline int64_t signedOf(uint64_t value, unsigned width) {
  return static_cast<int64_t>(value << (64 - width)) >> (64 - width);
}

/// The value of one instruction on the slots it names.
Scalar execute(const Instruction &op, const std::vector<Scalar> &slots);

/// Executes one sweep.
class SweepProgram {
public:
  /// Reports an error at an op that it does not know.
  static FailureOr<SweepProgram> create(SweepOp sweep,
                                        InterpreterOptions options);

  /// `inputs` in the order of the sweep's operands; appends its results.
  void run(ArrayRef<const ReferenceTensor *> inputs,
           SmallVectorImpl<ReferenceTensor> &results) const;

private:
  /// How an operand lies in the domain: element stride per domain axis, 0 on
  /// axes it lacks.
  struct Port {
    SmallVector<int64_t> shape, strides;
    unsigned slot;
    bool isInteger;
    uint8_t width;
    /// Outputs: sum over the axes it lacks; rounding on store, if any.
    bool sums = false;
    FloatType storage;
  };
  Port makePort(SweepOp sweep, Type type, Projection projection, unsigned slot);

  SmallVector<int64_t> shape;
  SmallVector<Port> inputs, outputs;
  std::vector<Instruction> instructions;
  /// Initial slots: constants are filled in.
  std::vector<Scalar> slots;
  unsigned indexSlot = 0;
};

} // namespace mlir::skew

#endif // SKEW_LIB_REFERENCE_SWEEPPROGRAM_H
