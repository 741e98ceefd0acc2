//===- Outputs.cpp - record and write report, layout, plan ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Dialect/Skew/Transforms/Plan.h"
#include "skew/Support/ByteSize.h"
#include "skew/Support/OutputFile.h"
#include "skew/Target/Passes.h"
#include "skew/Support/Json.h"
#include "skew/Target/Report.h"
#include "llvm/Support/FormatVariadic.h"

namespace mlir::skew {
#define GEN_PASS_DEF_CHECKOPTIONS
#define GEN_PASS_DEF_RECORDOUTPUTS
#define GEN_PASS_DEF_WRITEOUTPUTS
#include "skew/Target/Passes.h.inc"
} // namespace mlir::skew

using namespace mlir;
using namespace mlir::skew;

std::string skew::takeRecordedOutput(ModuleOp module, StringRef attribute) {
  auto text = module->getAttrOfType<StringAttr>(attribute);
  if (!text)
    return "";
  module->removeAttr(attribute);
  return text.getValue().str();
}

namespace {

class CheckOptionsPass : public skew::impl::CheckOptionsBase<CheckOptionsPass> {
public:
  using CheckOptionsBase::CheckOptionsBase;
  void runOnOperation() override {
    auto refuse = [&]() {
      signalPassFailure();
      return getOperation().emitError();
    };
    static constexpr StringRef known[] = {"cpu", "nvvm", "rocdl", "spirv",
                                          "linalg"};
    if (llvm::is_contained(known, target))
      refuse() << "option target: " << target
               << " is not available in this version; use stablehlo or none";
    else if (target != "stablehlo" && target != "none")
      refuse() << "option target must be stablehlo or none, got '" << target
               << "'";
    else if (!chip.empty())
      refuse() << "option chip: target " << target << " has no chips";
    else if (!profile.empty())
      refuse() << "option profile: this version reads no gradient profiles; "
                  "use policy=paper, or a plan";
    else if (validate)
      refuse() << "option validate: not available in this version; "
                  "policy=keep with target=none shows what was raised";
    markAllAnalysesPreserved();
  }
};

class RecordOutputsPass
    : public skew::impl::RecordOutputsBase<RecordOutputsPass> {
public:
  using RecordOutputsBase::RecordOutputsBase;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<llvm::json::Value> report = makeReport(module, {input, policy});
    if (failed(report) || failed(checkBudget(*report)))
      return signalPassFailure();
    auto record = [&](StringRef name, std::string text) {
      module->setAttr(name, StringAttr::get(&getContext(), text));
    };
    record(SkewDialect::kReportAttr, llvm::formatv("{0:2}\n", *report));
    record(SkewDialect::kLayoutAttr,
           llvm::formatv("{0:2}\n", makeLayout(module)));
    record(SkewDialect::kPlanAttr, writePlan(module, policy));
    markAllAnalysesPreserved();
  }

private:
  /// Placement counted on every decision; the rewrite may have kept some
  /// updates as they were.
  LogicalResult checkBudget(const llvm::json::Value &report) {
    if (budget.empty())
      return success();
    llvm::Expected<int64_t> limit = parseByteSize(budget);
    if (!limit)
      return getOperation().emitError()
             << "option budget: " << llvm::toString(limit.takeError());
    int64_t bytes = 0;
    for (const llvm::json::Value &function :
         *report.getAsObject()->getArray("functions"))
      bytes += *function.getAsObject()->getObject("totals")->getInteger(
          "state_after_bytes");
    if (bytes <= *limit)
      return success();
    return getOperation().emitError()
           << "optimizer state must fit the budget of " << *limit << " bytes ("
           << formatByteSize(*limit) << "), but " << bytes << " bytes ("
           << formatByteSize(bytes)
           << ") are left because some updates could not be rewritten: short "
              "by "
           << bytes - *limit
           << " bytes; the remarks of skew-rewrite-updates say which and why";
  }
};

class WriteOutputsPass : public skew::impl::WriteOutputsBase<WriteOutputsPass> {
public:
  using WriteOutputsBase::WriteOutputsBase;
  void runOnOperation() override {
    ModuleOp module = getOperation();
    std::string reportText =
        takeRecordedOutput(module, SkewDialect::kReportAttr);
    std::string layoutText =
        takeRecordedOutput(module, SkewDialect::kLayoutAttr);
    std::string planText = takeRecordedOutput(module, SkewDialect::kPlanAttr);
    if (report == "-") {
      // An attribute of the module: anyone's text.
      llvm::Expected<llvm::json::Value> parsed = parseJson(reportText);
      if (!parsed) {
        llvm::consumeError(parsed.takeError());
        getOperation().emitError() << "no report was recorded";
        return signalPassFailure();
      }
      reportText = formatReport(*parsed);
    }
    if (failed(write(report, reportText, "report")) ||
        failed(write(layout, layoutText, "layout")) ||
        failed(write(plan, planText, "plan")))
      signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  LogicalResult write(StringRef path, StringRef text, StringRef what) {
    if (path.empty())
      return success();
    if (text.empty())
      return getOperation().emitError() << "no " << what << " was recorded";
    if (llvm::Error error = writeWholeFile(path, text))
      return getOperation().emitError() << llvm::toString(std::move(error));
    return success();
  }
};

} // namespace
