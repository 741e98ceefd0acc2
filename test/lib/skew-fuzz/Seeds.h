//===- Seeds.h - what mutants are made from ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_TEST_LIB_SKEW_FUZZ_SEEDS_H
#define SKEW_TEST_LIB_SKEW_FUZZ_SEEDS_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <memory>
#include <string>
#include <vector>

namespace mlir::skew::fuzz {

struct Seed {
  std::string name;
  /// Generic text, without locations.
  std::string text;
  /// Null for text that does not parse.
  OwningOpRef<ModuleOp> module;
  /// A whole graph is read when it is first used.
  std::string path;
  /// Reads it; false if it does not parse.
  bool load(MLIRContext &context);
};

/// Size above which a seed is a whole graph.
inline constexpr size_t kLargeSeed = 20000;

/// Reads every *.mlir file of `folder` in order of names. Small ones in pieces:
/// at split markers, and one seed for each public function with what it calls,
/// up to `kLargeSeed`. Large ones are files above that size.
std::vector<Seed> readSeeds(llvm::StringRef folder, bool large,
                            MLIRContext &context);

} // namespace mlir::skew::fuzz

#endif // SKEW_TEST_LIB_SKEW_FUZZ_SEEDS_H
