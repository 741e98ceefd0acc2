//===- OutlineSweeps.h - equal sweeps share a function ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_DIALECT_SKEW_TRANSFORMS_OUTLINESWEEPS_H
#define SKEW_DIALECT_SKEW_TRANSFORMS_OUTLINESWEEPS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "skew/Dialect/Skew/IR/Skew.h"
#include <memory>
#include <vector>

namespace mlir::skew {

/// Moves sweeps that occur several times, and long scalar ones, into private
/// functions and calls them. Of those with the same operands, in one block, one
/// is left. Takes sweeps one by one, in the order of the text, so that no more
/// than one of each kind is there at a time.
class SweepOutliner {
public:
  explicit SweepOutliner(ModuleOp module);
  ~SweepOutliner();

  /// May erase the sweep, or one that was added before.
  void add(SweepOp sweep);
  /// Sees to the long ones that occurred once.
  void finish();

private:
  struct SweepClass;
  SweepClass &findClass(SweepOp sweep);
  void shareConstants(SweepOp sweep);
  void makeFunction(SweepClass &sweepClass);
  void replaceByCall(SweepClass &sweepClass, SweepOp sweep);

  ModuleOp module;
  SymbolTable symbols;
  /// In the order of their first sweeps.
  std::vector<std::unique_ptr<SweepClass>> classes;
  /// Hash -> places in `classes`; pointers make it, so it is only looked up in.
  llvm::DenseMap<uint64_t, SmallVector<unsigned, 1>> places;
  /// The first constant that a sweep took, which comes before all that follow.
  llvm::DenseMap<std::pair<Block *, Attribute>, Value> constants;
};

/// The same for all sweeps of a module, but those that are a function already.
void outlineSweeps(ModuleOp module);

} // namespace mlir::skew

#endif // SKEW_DIALECT_SKEW_TRANSFORMS_OUTLINESWEEPS_H
