//===- Optimize.h - the pipeline as one call --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_PIPELINES_OPTIMIZE_H
#define SKEW_PIPELINES_OPTIMIZE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace mlir::skew {

/// Options of `skew-pipeline`, as plain values; profile, plan and roles are
/// paths of files.
struct OptimizeOptions {
  std::string policy, numerics = "tiered", rounding = "auto",
                      rmsClip = "batch", budget, profile, plan, roles,
                      target = "stablehlo", chip, inputName;
  uint64_t seed = 0;
  bool strict = false, validate = false;
};

/// The rewritten module and what goes with it.
struct OptimizeResult {
  /// Generic text with locations.
  std::string module;
  /// JSON: skew-report/1, skew-layout/1, skew-plan/1.
  std::string report, layout, plan;
  /// One per remark, in the order of the passes.
  std::vector<std::string> remarks;
};

/// Runs the pipeline on generic MLIR text in a context of its own. The error
/// holds all diagnostics, one a line.
llvm::Expected<OptimizeResult> optimize(llvm::StringRef graphText,
                                        const OptimizeOptions &options);

} // namespace mlir::skew

#endif // SKEW_PIPELINES_OPTIMIZE_H
