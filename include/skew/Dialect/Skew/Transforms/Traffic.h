//===- Traffic.h - memory traffic of sweeps ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_DIALECT_SKEW_TRANSFORMS_TRAFFIC_H
#define SKEW_DIALECT_SKEW_TRANSFORMS_TRAFFIC_H

#include "skew/Dialect/Skew/IR/Skew.h"

namespace mlir::skew {

/// Bytes that one chain of sweeps moves: those that share tensors, usually the
/// sweeps of one parameter.
struct ChainTraffic {
  /// First sweep of the chain.
  SweepOp first;
  /// Elements of its largest domain.
  int64_t elements = 0;
  /// Every sweep reads its inputs from memory, once per buffer, and writes its
  /// outputs.
  int64_t coldBytes = 0;
  /// Between sweeps of the chain all tensors stay in cache: each buffer is read
  /// once unless it was written before, and written back once. A sweep that
  /// waits for another chain (through a norm over all gradients, say) starts
  /// anew: until then the other chains have passed through the cache.
  int64_t warmBytes = 0;
};

/// The traffic of the sweeps of `block`, from the IR alone, chains in the order
/// of their first sweeps. An output tied to an input is the same buffer.
/// Scalars are left out: sweeps over nothing, and operands without axes.
SmallVector<ChainTraffic> computeTraffic(Block &block);

} // namespace mlir::skew

#endif // SKEW_DIALECT_SKEW_TRANSFORMS_TRAFFIC_H
