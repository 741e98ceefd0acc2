//===- StableHLO.h - reads and builds StableHLO ops -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The adaptor to the input dialects stablehlo, chlo, sdy and func (see
// GraphAdaptor.h). Ops are recognised by name, attributes are read by their printed text,
// so unregistered generic ops and the registered dialects read the same. Names
// of these ops appear here and in StableHLODims only.
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_FRONTEND_STABLEHLO_H
#define SKEW_FRONTEND_STABLEHLO_H

#include "skew/Frontend/SliceForm.h"

namespace mlir::skew {

/// Classifies `result`. Shapes are checked: an elementwise form has operands of
/// the result's shape, or scalars where the op takes scalars.
SliceForm classifyStableHLO(OpResult result);

/// Regions of a branch in the order of the index (for a boolean: false, true)
/// and the terminator operand that becomes result `number`.
Value getBranchYield(Operation *branch, unsigned index, unsigned number);

/// The symbol a call refers to; null if `op` is no call.
StringAttr getCallee(Operation *op);

/// Short name of an op as a reader knows it ("stablehlo.case").
StringRef getDisplayName(Operation *op);

} // namespace mlir::skew

#endif // SKEW_FRONTEND_STABLEHLO_H
