//===- Pipelines.cpp - named pass pipelines -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Pipelines/Pipelines.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"
#include "skew/Analysis/Passes.h"
#include "skew/Conversion/Passes.h"
#include "skew/Dialect/Skew/Transforms/Passes.h"
#include "skew/Frontend/Passes.h"
#include "skew/Target/Passes.h"

using namespace mlir;
using namespace mlir::skew;

/// The policy that a run goes by, for the report.
static std::string policyOf(const SkewPipelineOptions &options) {
  if (!options.policy.empty())
    return options.policy;
  return options.plan.empty() ? "paper" : "plan";
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

void skew::buildRaiseStage(OpPassManager &pm,
                           const SkewPipelineOptions &options) {
  RaiseOptions raise;
  raise.strict = options.strict;
  pm.addPass(createRaise(raise));
  // Roles look at the forward part of the graph, which raising leaves alone,
  // and at the record that raising makes of the parameters.
  AnnotateRolesOptions roles;
  roles.roles = options.roles;
  pm.addPass(createAnnotateRoles(roles));
}

void skew::buildPlaceStage(OpPassManager &pm,
                           const SkewPipelineOptions &options) {
  PlaceStateOptions place;
  place.policy = options.policy;
  place.numerics = options.numerics;
  place.rounding = options.rounding;
  place.rmsClip = options.rmsClip;
  place.seed = options.seed;
  place.budget = options.budget;
  place.plan = options.plan;
  pm.addPass(createPlaceState(place));
}

void skew::buildRewriteStage(OpPassManager &pm) {
  pm.addPass(createRewriteUpdates());
  // After the rewrite, because the numerics and the rounding that were chosen
  // decide which hazards remain.
  pm.addPass(createDetectHazards());
}

void skew::buildStableHLOStage(OpPassManager &pm) {
  DecomposeUpdatesOptions decompose;
  decompose.share = true;
  pm.addPass(createDecomposeUpdates(decompose));
  pm.addPass(createConvertSkewToStableHLO());
  // Groups, layout and the record have served; XLA knows none of them.
  pm.addPass(createStrip());
}

void skew::buildSkewPipeline(OpPassManager &pm,
                             const SkewPipelineOptions &options,
                             const SkewOutputOptions &outputs) {
  outputs.used = true;
  // What this version cannot do must not cost a run: it is checked first.
  CheckOptionsOptions check;
  check.target = options.target;
  check.chip = options.chip;
  check.profile = options.profile;
  check.validate = options.validate;
  pm.addPass(createCheckOptions(check));

  buildRaiseStage(pm, options);
  buildPlaceStage(pm, options);
  buildRewriteStage(pm);

  // The report speaks of updates, so it is made while they are ops; it is
  // written last, when nothing can fail any more.
  RecordOutputsOptions record;
  record.input = options.input.empty() ? outputs.input : options.input;
  record.policy = policyOf(options);
  record.budget = options.budget;
  pm.addPass(createRecordOutputs(record));
  if (options.target == "stablehlo")
    buildStableHLOStage(pm);
  if (!outputs.keepRecorded) {
    auto pick = [](const std::string &option, const std::string &output) {
      return option.empty() ? output : option;
    };
    WriteOutputsOptions write;
    write.report = pick(options.report, outputs.report);
    write.layout = pick(options.layout, outputs.layout);
    write.plan = pick(options.planOutput, outputs.plan);
    pm.addPass(createWriteOutputs(write));
  }
}

//===----------------------------------------------------------------------===//
// Registration
//===----------------------------------------------------------------------===//

/// Registers a pipeline of module passes. Elsewhere than on a module it is an
/// error, not the end of the process, which adding its passes would be.
template <typename Options>
static void registerModulePipeline(
    StringRef name, StringRef description,
    std::function<void(OpPassManager &, const Options &)> build) {
  registerPassPipeline(
      name, description,
      [name, build](OpPassManager &pm, StringRef text,
                    function_ref<LogicalResult(const Twine &)> error) {
        std::optional<StringRef> anchor = pm.getOpName();
        if (anchor && *anchor != ModuleOp::getOperationName())
          return error("pipeline '" + name +
                       "' must be run on 'builtin.module', not on '" + *anchor +
                       "'");
        Options options;
        if (failed(options.parseFromString(text)))
          return error("options of pipeline '" + name + "' cannot be read: '" +
                       text + "'");
        build(pm, options);
        return success();
      },
      [](function_ref<void(const mlir::detail::PassOptions &)> visit) {
        visit(Options());
      });
}

static void registerStagePipelines() {
  registerModulePipeline<SkewPipelineOptions>(
      "skew-raise-pipeline", "find optimizer updates and parameter roles",
      buildRaiseStage);
  registerModulePipeline<SkewPipelineOptions>(
      "skew-place-pipeline", "raise, then decide where state lives",
      [](OpPassManager &pm, const SkewPipelineOptions &options) {
        buildRaiseStage(pm, options);
        buildPlaceStage(pm, options);
      });
  registerModulePipeline<SkewPipelineOptions>(
      "skew-rewrite-pipeline", "raise, place and rewrite, in the skew dialect",
      [](OpPassManager &pm, const SkewPipelineOptions &options) {
        buildRaiseStage(pm, options);
        buildPlaceStage(pm, options);
        buildRewriteStage(pm);
      });
  registerModulePipeline<EmptyPipelineOptions>(
      "skew-lower-stablehlo-pipeline",
      "lower update ops and sweeps to StableHLO",
      [](OpPassManager &pm, const EmptyPipelineOptions &) {
        buildStableHLOStage(pm);
      });
}

static void registerWholePipeline(
    std::function<void(OpPassManager &, const SkewPipelineOptions &)> build) {
  registerModulePipeline<SkewPipelineOptions>(
      "skew-pipeline",
      "find optimizer updates, place their state, rewrite and lower them",
      std::move(build));
}

void skew::registerSkewPipelines(const SkewOutputOptions &outputs) {
  registerWholePipeline(
      [&outputs](OpPassManager &pm, const SkewPipelineOptions &options) {
        buildSkewPipeline(pm, options, outputs);
      });
  registerStagePipelines();
}

void skew::registerSkewPipelines() {
  registerWholePipeline(
      [](OpPassManager &pm, const SkewPipelineOptions &options) {
        SkewOutputOptions outputs;
        outputs.input = "<input>";
        buildSkewPipeline(pm, options, outputs);
      });
  registerStagePipelines();
}
