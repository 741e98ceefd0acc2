//===- Optimize.cpp - the pipeline as one call ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Pipelines/Optimize.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "skew/Dialect/Skew/IR/Skew.h"
#include "skew/InitAll.h"
#include "skew/InputDialects.h"
#include "skew/Pipelines/Pipelines.h"
#include "skew/Target/Passes.h"

using namespace mlir;
using namespace mlir::skew;

/// `loc: text` without the noise of a nested location.
static std::string format(Diagnostic &diagnostic) {
  std::string text;
  llvm::raw_string_ostream os(text);
  Location loc = diagnostic.getLocation();
  if (!isa<UnknownLoc>(loc)) {
    loc->print(os);
    os << ": ";
  }
  os << diagnostic;
  for (Diagnostic &note : diagnostic.getNotes())
    os << "; note: " << note;
  return text;
}

static void setOptions(SkewPipelineOptions &pipeline,
                       const OptimizeOptions &options) {
  pipeline.policy = options.policy;
  pipeline.numerics = options.numerics;
  pipeline.rounding = options.rounding;
  pipeline.seed = static_cast<int64_t>(options.seed);
  pipeline.rmsClip = options.rmsClip;
  pipeline.budget = options.budget;
  pipeline.profile = options.profile;
  pipeline.plan = options.plan;
  pipeline.roles = options.roles;
  pipeline.target = options.target;
  pipeline.chip = options.chip;
  pipeline.strict = options.strict;
  pipeline.validate = options.validate;
}

llvm::Expected<OptimizeResult> skew::optimize(StringRef graphText,
                                              const OptimizeOptions &options) {
  DialectRegistry registry;
  skew::registerAllDialects(registry);
  skew::registerInputDialects(registry);
  MLIRContext context(registry);
  context.allowUnregisteredDialects();
  // The operation at fault can be a whole train step: thousands of lines.
  context.printOpOnDiagnostic(false);

  OptimizeResult result;
  std::string errors;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Remark)
      result.remarks.push_back(format(diagnostic));
    else
      errors += (errors.empty() ? "" : "\n") + format(diagnostic);
    return success();
  });
  auto fail = [&]() {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s",
                                   errors.empty() ? "the compiler failed"
                                                  : errors.c_str());
  };
  // A kind without a filter of its own is off, whatever the one for all says.
  std::string any = ".*";
  remark::RemarkCategories categories{any, any, any, any, any};
  if (failed(remark::enableOptimizationRemarks(
          context, nullptr,
          std::make_unique<remark::RemarkEmittingPolicyAll>(), categories,
          /*printAsEmitRemarks=*/true)))
    return fail();

  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      graphText, ParserConfig(&context), options.inputName);
  if (!module)
    return fail();
  SkewPipelineOptions pipeline;
  setOptions(pipeline, options);
  SkewOutputOptions outputs;
  outputs.input = options.inputName;
  outputs.keepRecorded = true;
  PassManager pm(&context);
  pm.enableVerifier();
  buildSkewPipeline(pm, pipeline, outputs);
  if (failed(pm.run(*module)))
    return fail();

  result.report = takeRecordedOutput(*module, SkewDialect::kReportAttr);
  result.layout = takeRecordedOutput(*module, SkewDialect::kLayoutAttr);
  result.plan = takeRecordedOutput(*module, SkewDialect::kPlanAttr);
  llvm::raw_string_ostream os(result.module);
  module->print(os,
                OpPrintingFlags().printGenericOpForm().enableDebugInfo(true));
  os << "\n";
  return result;
}
