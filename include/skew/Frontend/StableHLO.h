//===- StableHLO.h - reads and builds StableHLO ops -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The adaptor to the input dialects stablehlo, chlo, sdy and func (see
// GraphAdaptor.h). Ops are recognised by name, attributes are read by their
// printed text, so unregistered generic ops and the registered dialects read
// the same. Names of these ops appear here and in StableHLODims only.
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_FRONTEND_STABLEHLO_H
#define SKEW_FRONTEND_STABLEHLO_H

#include "skew/Frontend/SliceForm.h"
#include "llvm/ADT/BitVector.h"

namespace mlir::skew {

/// Classifies `result`. Shapes are checked: an elementwise form has operands of
/// the result's shape, or scalars where the op takes scalars.
SliceForm classifyStableHLO(OpResult result);

/// A choice among regions by the first operand.
bool isBranch(Operation *op);

/// Region that a value of the index chooses (for a boolean: false, true).
Region &getBranchRegion(Operation *branch, unsigned index);

/// The terminator operand of that region that becomes result `number`.
Value getBranchYield(Operation *branch, unsigned index, unsigned number);

/// The symbol a call refers to; null if `op` is no call.
StringAttr getCallee(Operation *op);

/// Short name of an op as a reader knows it ("stablehlo.case").
StringRef getDisplayName(Operation *op);

/// False if an attribute speaks of the results a branch has now.
bool canAddResults(Operation *branch);

/// A branch with the results `kept` of `branch`, whose regions it takes over,
/// and `added` ones: values at the top level of one of its regions, zero where
/// another one runs. Uses of kept results are replaced; `branch` stays, empty,
/// until the caller erases it.
Operation *rebuildBranch(Operation *branch, const llvm::BitVector &kept,
                         ArrayRef<Value> added);

} // namespace mlir::skew

#endif // SKEW_FRONTEND_STABLEHLO_H
