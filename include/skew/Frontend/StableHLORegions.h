//===- StableHLORegions.h - regions that are steps --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of the adaptor that knows loops and manual computations.
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_FRONTEND_STABLEHLOREGIONS_H
#define SKEW_FRONTEND_STABLEHLOREGIONS_H

#include "skew/Dialect/Skew/IR/Skew.h"

namespace mlir::skew {

/// A loop or a manual computation of the form that `skew.carries` stands for:
/// its body is a step of its own.
bool isStepRegion(Operation *op);

/// The body of `op` is run again on what it returned, place by place.
bool isLoop(Operation *op);

/// How tensors that enter `op` as `operands` and leave it as `results` are cut
/// over devices: sets `shards` (null if each device has all of them). The reason
/// if they are not cut alike or in a way that an update cannot have, or empty.
std::string readShards(Operation *op, ArrayRef<unsigned> operands,
                       ArrayRef<unsigned> results, ShardingAttr &shards);

} // namespace mlir::skew

#endif // SKEW_FRONTEND_STABLEHLOREGIONS_H
