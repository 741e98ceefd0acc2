//===- Linalg.h - reads linalg on tensors -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The adaptor to linalg, arith, math and tensor (see GraphAdaptor.h). A linalg
// op whose iterators are all parallel is elementwise: its result is the value
// that its body yields, at every point.
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_FRONTEND_LINALG_H
#define SKEW_FRONTEND_LINALG_H

#include "skew/Frontend/SliceForm.h"

namespace mlir::skew {

/// Classifies a result of an op of linalg, arith, math or tensor: a tensor, or
/// a scalar of a linalg body. A linalg op passes what its body yields.
SliceForm classifyLinalg(OpResult result);

/// The operand that an argument of a linalg body takes its elements from; null
/// if it is none. `inOrder`: point by point in the linear order of both, or the
/// operand's one element at every point.
Value getBodySource(BlockArgument argument, bool &inOrder);

/// The number of points that a scalar is computed at: 1 outside of linalg
/// bodies, -1 if it is not known.
int64_t getNumPoints(Value scalar);

/// True if the function computes in linalg: its new ops have to.
bool isLinalgGraph(Operation *function);

} // namespace mlir::skew

#endif // SKEW_FRONTEND_LINALG_H
