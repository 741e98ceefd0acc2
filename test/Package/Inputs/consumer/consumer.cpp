//===- consumer.cpp - a compiler that uses skew -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Somebody else's compiler: its own context, its own driver, its own pass
// between our stages.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "skew/Dialect/Skew/IR/ParameterTable.h"
#include "skew/Dialect/Skew/IR/Skew.h"
#include "skew/Pipelines/Pipelines.h"
#include "skew/Support/Version.h"
#include "skew/Target/Passes.h"
#include "skew/Target/Report.h"

using namespace mlir;

namespace {
/// Asks the analyses, and each update whatever its rule is.
class ListUpdates : public PassWrapper<ListUpdates, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ListUpdates)

  StringRef getArgument() const override { return "consumer-list-updates"; }

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      for (const skew::ParameterEntry &entry :
           skew::getParameterEntries(function)) {
        llvm::outs() << entry.getName() << " " << entry.getStatus();
        if (std::optional<skew::Role> role = entry.getRole())
          llvm::outs() << " " << skew::stringifyRole(*role);
        llvm::outs() << " " << entry.getConfidence() << "\n";
      }
    getOperation()->walk([](skew::UpdateOpInterface update) {
      llvm::outs() << update->getName() << " of "
                   << update.getUpdatedParameter().getType() << " keeps";
      for (const skew::StateComponent &state : update.getStateLayout())
        llvm::outs() << " " << state.name << ":" << state.getSizeInBytes();
      if (std::optional<double> beta =
              update.getConstantHyperparameter("beta1"))
        llvm::outs() << " beta1 " << *beta;
      llvm::outs() << "\n";
    });
    markAllAnalysesPreserved();
  }
};
} // namespace

int main(int argc, char **argv) {
  llvm::outs() << "consumer with skew " << SKEW_VERSION_STRING << "\n";
  if (argc != 2)
    return 2;

  DialectRegistry registry;
  registry.insert<func::FuncDialect, skew::SkewDialect>();
  MLIRContext context(registry);
  context.allowUnregisteredDialects();
  OwningOpRef<ModuleOp> module = parseSourceFile<ModuleOp>(argv[1], &context);
  if (!module)
    return 1;

  skew::SkewPipelineOptions options;
  options.policy = "paper";
  PassManager pm(&context);
  skew::buildRaiseStage(pm, options);
  pm.addPass(std::make_unique<ListUpdates>());
  skew::buildPlaceStage(pm, options);
  skew::buildRewriteStage(pm);
  pm.addPass(std::make_unique<ListUpdates>());
  skew::RecordOutputsOptions record;
  record.input = argv[1];
  pm.addPass(skew::createRecordOutputs(record));
  skew::buildStableHLOStage(pm);
  if (failed(pm.run(*module)))
    return 1;

  auto report = llvm::json::parse(
      skew::takeRecordedOutput(*module, skew::SkewDialect::kReportAttr));
  if (!report)
    return 1;
  llvm::outs() << skew::formatReport(*report);
  for (StringRef rest :
       {skew::SkewDialect::kLayoutAttr, skew::SkewDialect::kPlanAttr})
    (void)skew::takeRecordedOutput(*module, rest);
  module->print(llvm::outs());
  llvm::outs() << "\n";
  return 0;
}
