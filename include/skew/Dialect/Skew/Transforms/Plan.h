//===- Plan.h - placement plans as JSON -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Schema "skew-plan/1": {"schema", "policy", "functions": [{"name",
// "parameters": [{"name", "argument", "tier": TIER or "keep", "seed", "why"}]}]}
// where TIER is the object that reports use: {"m", "v", "place", "numerics",
// "rounding", "rms_clip", "batch_axes", "row_axes", "column_axes"}. Readers
// ignore unknown keys and refuse a higher version.
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_DIALECT_SKEW_TRANSFORMS_PLAN_H
#define SKEW_DIALECT_SKEW_TRANSFORMS_PLAN_H

#include "mlir/IR/BuiltinOps.h"
#include "skew/Dialect/Skew/IR/Skew.h"
#include "llvm/Support/JSON.h"
#include <map>

namespace mlir::skew {

/// What is decided for one parameter.
struct Decision {
  /// Null: the update stays as it is.
  TierAttr tier;
  AxesAttr axes;
  Numerics numerics = Numerics::tiered;
  Rounding rounding = Rounding::nearest;
  RmsClip rmsClip = RmsClip::batch;
  int64_t seed = 0;
  std::string why;
};

/// A plan of one function: parameter name to decision.
using FunctionPlan = std::map<std::string, Decision>;

/// Reads the plan of `function` from the file at `path`. Errors name the file
/// and the offending parameter or key.
llvm::Expected<FunctionPlan> readPlan(StringRef path, StringRef function,
                                      MLIRContext *context);

/// The plan that `module`'s groups express, as JSON text.
std::string writePlan(ModuleOp module, StringRef policy);

/// The TIER object of a decision.
llvm::json::Object tierToJSON(const Decision &decision);

/// The decision that an update op embodies or is to follow: of a tiered update
/// its own attributes, else of its group; null tier if it stays as it is.
Decision getDecision(UpdateOpInterface update);

/// Name under which an update's parameter appears in reports and plans.
StringRef getParameterName(UpdateOpInterface update);

} // namespace mlir::skew

#endif // SKEW_DIALECT_SKEW_TRANSFORMS_PLAN_H
