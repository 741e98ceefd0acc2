//===- GraphAdaptor.h - reads and extends training graphs -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What raising knows of input dialects: it asks here, and here asks the one
// adaptor per dialect family (StableHLO.h, Linalg.h).
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_FRONTEND_GRAPHADAPTOR_H
#define SKEW_FRONTEND_GRAPHADAPTOR_H

#include "mlir/IR/Builders.h"
#include "skew/Frontend/SliceForm.h"
#include "skew/Frontend/StableHLO.h"

namespace mlir::skew {

/// Classifies `result`, of whatever dialect.
SliceForm classifyForSlice(OpResult result);

/// True if `op` computes its results from its operands alone and can be erased
/// when unused: an elementwise, pass or constant op.
bool isErasableElementwise(Operation *op);

/// Builds the few ops that raising needs at the edge of the raised part, in the
/// graph's own dialect.
class GraphBuilder : public OpBuilder {
public:
  /// `isLinalg`: arith and tensor instead of StableHLO.
  GraphBuilder(MLIRContext *context, bool isLinalg)
      : OpBuilder(context), isLinalg(isLinalg) {}

  Value buildSplat(Location loc, RankedTensorType type, double value);
  Value buildNegate(Location loc, Value value);
  Value buildNot(Location loc, Value value);
  Value buildZero(Location loc, RankedTensorType type);
  Value buildAnd(Location loc, Value x, Value y);
  Value buildOr(Location loc, Value x, Value y);
  Value buildEquals(Location loc, Value integer, int64_t value);
  Value buildReshape(Location loc, Value value, ArrayRef<int64_t> shape);
  /// A tensor of rank 0 of a scalar or of a tensor of one element.
  Value buildScalarTensor(Location loc, Value value);

private:
  Value buildStableHLO(Location loc, StringRef name, ValueRange operands,
                       Type type, ArrayRef<NamedAttribute> attributes = {});

  bool isLinalg;
};

} // namespace mlir::skew

#endif // SKEW_FRONTEND_GRAPHADAPTOR_H
