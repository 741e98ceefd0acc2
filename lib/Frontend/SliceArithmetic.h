//===- SliceArithmetic.h - one slice operation on rows of doubles -*- C++ -===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_LIB_FRONTEND_SLICEARITHMETIC_H
#define SKEW_LIB_FRONTEND_SLICEARITHMETIC_H

#include "skew/Frontend/SliceGraph.h"

namespace mlir::skew {

/// Values of an operand: `stride` 0 repeats one.
struct OperandRow {
  const double *values;
  unsigned stride;
  NumberKind number;
};

/// Computes `count` values of `node` from its operands.
void computeRow(const SliceNode &node, ArrayRef<OperandRow> operands,
                double *out, unsigned count);

} // namespace mlir::skew

#endif // SKEW_LIB_FRONTEND_SLICEARITHMETIC_H
