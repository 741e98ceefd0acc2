//===- Pipelines.h - named pass pipelines -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_PIPELINES_PIPELINES_H
#define SKEW_PIPELINES_PIPELINES_H

#include "mlir/Pass/PassOptions.h"
#include <string>

namespace mlir {
class OpPassManager;
}

namespace mlir::skew {

/// Options of `skew-pipeline`; their meaning is documented in
/// docs/pipelines.md.
struct SkewPipelineOptions : public PassPipelineOptions<SkewPipelineOptions> {
  Option<std::string> policy{
      *this, "policy",
      llvm::cl::desc("paper, keep or auto (default: auto with a budget or a "
                     "profile, else paper)")};
  Option<std::string> numerics{*this, "numerics",
                               llvm::cl::desc("tiered or published"),
                               llvm::cl::init("tiered")};
  Option<std::string> rounding{*this, "rounding",
                               llvm::cl::desc("auto, nearest or stochastic"),
                               llvm::cl::init("auto")};
  Option<int64_t> seed{*this, "seed",
                       llvm::cl::desc("seed of stochastic rounding"),
                       llvm::cl::init(0)};
  Option<std::string> rmsClip{
      *this, "rms-clip",
      llvm::cl::desc("scope of the RMS clip: batch, tensor or off"),
      llvm::cl::init("batch")};
  Option<std::string> budget{
      *this, "budget", llvm::cl::desc("largest total state, such as 2GiB")};
  Option<std::string> profile{*this, "profile",
                              llvm::cl::desc("gradient profile (JSON file)")};
  Option<std::string> plan{*this, "plan",
                           llvm::cl::desc("placement plan (JSON file)")};
  Option<std::string> roles{*this, "roles",
                            llvm::cl::desc("role rules (JSON file)")};
  Option<std::string> target{*this, "target",
                             llvm::cl::desc("stablehlo, or none to stop after "
                                            "planning, in the skew dialect"),
                             llvm::cl::init("stablehlo")};
  Option<std::string> chip{*this, "chip", llvm::cl::desc("GPU chip")};
  Option<bool> strict{*this, "strict",
                      llvm::cl::desc("a declined parameter is an error"),
                      llvm::cl::init(false)};
  Option<bool> validate{
      *this, "validate",
      llvm::cl::desc("validate the result (not available yet)"),
      llvm::cl::init(false)};
  // For tools without command-line options of ours, such as mlir-opt with the
  // plugin; where given they win over SkewOutputOptions.
  Option<std::string> input{
      *this, "input", llvm::cl::desc("name of the input, for the report")};
  Option<std::string> report{
      *this, "report",
      llvm::cl::desc("write the report as JSON (- for a table on stderr)")};
  Option<std::string> layout{*this, "layout",
                             llvm::cl::desc("write the state layout as JSON")};
  Option<std::string> planOutput{
      *this, "plan-output",
      llvm::cl::desc("write the placement plan as JSON, readable by plan=")};
};

/// Files that a pipeline writes besides the module; empty paths are not
/// written, "-" is standard error.
struct SkewOutputOptions {
  std::string input = "<stdin>", report, layout, plan;
  /// Set once a pipeline that writes them is built.
  mutable bool used = false;
  /// Leave the recorded outputs on the module (for embedders) instead.
  bool keepRecorded = false;
};

/// The stages of the pipeline, for tools that put their own passes between
/// them: raise and roles; place; rewrite and hazards; decompose, lower, strip.
/// Each assumes that those before it have run.
void buildRaiseStage(OpPassManager &pm, const SkewPipelineOptions &options);
void buildPlaceStage(OpPassManager &pm, const SkewPipelineOptions &options);
void buildRewriteStage(OpPassManager &pm);
void buildStableHLOStage(OpPassManager &pm);

/// raise, roles, place, rewrite, hazards, record, lower, write.
void buildSkewPipeline(OpPassManager &pm, const SkewPipelineOptions &options,
                       const SkewOutputOptions &outputs);

/// Registers `skew-pipeline` (writing to `outputs`, which must outlive every
/// pipeline that is built) and the stages' own pipelines.
void registerSkewPipelines(const SkewOutputOptions &outputs);

/// The same for tools without outputs of their own: files are written where the
/// pipeline's options say.
void registerSkewPipelines();

} // namespace mlir::skew

#endif // SKEW_PIPELINES_PIPELINES_H
