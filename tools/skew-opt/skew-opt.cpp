//===- skew-opt.cpp - the optimizer driver --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlir-opt with the skew dialect, passes and pipelines, which also accepts ops
// of unregistered dialects without being asked and never leaves a part of an
// output file behind.
//
//===----------------------------------------------------------------------===//

#include "InputForm.h"
#include "RoundTrip.h"
#include "mlir/Dialect/Linalg/TransformOps/DialectExtension.h"
#include "mlir/Dialect/Transform/Transforms/Passes.h"
#include "mlir/IR/AsmState.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "mlir/Transforms/Passes.h"
#include "skew/Pipelines/TransformOps/SkewTransformOps.h"
#include "skew/InitAll.h"
#include "skew/InputDialects.h"
#include "skew/Pipelines/Pipelines.h"
#include "skew/Support/OutputFile.h"
#include "skew/Support/Version.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;

static int fail(const llvm::Twine &message) {
  llvm::errs() << "error: " << message << "\n";
  return EXIT_FAILURE;
}

/// Two names of one file, whether it is there yet or not.
static bool isSameFile(StringRef x, StringRef y) {
  auto normalize = [](StringRef path) {
    llvm::SmallString<128> full = path;
    llvm::sys::fs::make_absolute(full);
    llvm::sys::path::remove_dots(full, /*remove_dot_dot=*/true);
    return full;
  };
  auto isNoFile = [](StringRef path) {
    return path.empty() || path == "-" ||
           (llvm::sys::fs::exists(path) &&
            !llvm::sys::fs::is_regular_file(path));
  };
  if (isNoFile(x) || isNoFile(y))
    return false;
  bool equivalent = false;
  return normalize(x) == normalize(y) ||
         (!llvm::sys::fs::equivalent(x, y, equivalent) && equivalent);
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::cl::AddExtraVersionPrinter([](llvm::raw_ostream &os) {
    os << "skew-opt " << SKEW_VERSION_STRING << "\n";
  });

  skew::SkewOutputOptions outputs;
  llvm::cl::OptionCategory category("skew-opt options");
  llvm::cl::opt<std::string, true> report(
      "skew-report", llvm::cl::value_desc("path"), llvm::cl::cat(category),
      llvm::cl::location(outputs.report),
      llvm::cl::desc("write the report as JSON (- for a table on stderr)"));
  llvm::cl::opt<std::string, true> layout(
      "skew-layout", llvm::cl::value_desc("path"), llvm::cl::cat(category),
      llvm::cl::location(outputs.layout),
      llvm::cl::desc("write the state layout as JSON"));
  llvm::cl::opt<std::string, true> plan(
      "skew-plan", llvm::cl::value_desc("path"), llvm::cl::cat(category),
      llvm::cl::location(outputs.plan),
      llvm::cl::desc("write the placement plan as JSON, readable by plan="));

  DialectRegistry registry;
  skew::registerAllDialects(registry);
  // The matchers of transform scripts are linalg's.
  linalg::registerTransformDialectExtension(registry);
  skew::registerTransformDialectExtension(registry);
  skew::registerInputDialects(registry);
  skew::registerAllPasses();
  skew::registerSkewPipelines(outputs);
  mlir::registerTransformsPasses();
  transform::registerInterpreterPass();
  transform::registerPreloadLibraryPass();

  // An error about a module must not print the module: graphs are megabytes.
  registerMLIRContextCLOptions();
  auto printsOp =
      llvm::cl::getRegisteredOptions().find("mlir-print-op-on-diagnostic");
  if (printsOp != llvm::cl::getRegisteredOptions().end())
    static_cast<llvm::cl::opt<bool> *>(printsOp->second)->setValue(false);

  auto [inputName, outputName] =
      registerAndParseCLIOptions(argc, argv, "skew-opt", registry);
  outputs.input = inputName == "-" ? "<stdin>" : inputName;

  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects()) {
    llvm::interleave(
        registry.getDialectNames(), llvm::outs(),
        [](StringRef name) { llvm::outs() << name; }, "\n");
    llvm::outs() << "\n";
    return EXIT_SUCCESS;
  }
  if (config.shouldListPasses()) {
    printRegisteredPasses();
    return EXIT_SUCCESS;
  }
  config.allowUnregisteredDialects(true);

  std::pair<StringRef, StringRef> written[] = {
      {"-o", outputName},
      {"--skew-report", outputs.report},
      {"--skew-layout", outputs.layout},
      {"--skew-plan", outputs.plan}};
  for (const auto &[number, second] : llvm::enumerate(written))
    for (const auto &first : ArrayRef(written).take_front(number))
      if (isSameFile(first.second, second.second))
        return fail(first.first + llvm::Twine(" and ") + second.first +
                    " must name different files, both are '" + second.second +
                    "'");

  std::string error;
  std::unique_ptr<llvm::MemoryBuffer> input = openInputFile(inputName, &error);
  if (!input)
    return fail(error);
  std::string reason =
      skew::explainUnreadableInput(outputs.input, input->getBuffer());
  if (!reason.empty())
    return fail(reason);

  // Round-trip checks by environment, so that a whole suite can run with them.
  const char *variable = std::getenv("SKEW_VERIFY_ROUNDTRIP");
  bool roundTrips = variable && StringRef(variable) == "1";
  auto findLoss = [&](StringRef module) {
    return roundTrips ? skew::findRoundTripLoss(
                            module, config.inputSplitMarker(), registry)
                      : "";
  };
  reason = findLoss(input->getBuffer());
  if (!reason.empty())
    return fail(outputs.input + ": " + reason);

  std::string text;
  llvm::raw_string_ostream stream(text);
  if (failed(MlirOptMain(stream, std::move(input), registry, config)))
    return EXIT_FAILURE;
  reason = findLoss(text);
  if (!reason.empty())
    return fail("output: " + reason);
  for (const auto &[option, path] : {std::pair("skew-report", &outputs.report),
                                     std::pair("skew-layout", &outputs.layout),
                                     std::pair("skew-plan", &outputs.plan)})
    if (!path->empty() && !outputs.used)
      return fail(llvm::Twine("option --") + option +
                  " needs --skew-pipeline: nothing else makes that file");
  if (outputName == "-") {
    llvm::outs() << text;
    return EXIT_SUCCESS;
  }
  if (llvm::Error failure = skew::writeWholeFile(outputName, text)) {
    // A report of a module that is not there would mislead.
    for (StringRef path : {outputs.report, outputs.layout, outputs.plan})
      if (llvm::sys::fs::is_regular_file(path))
        llvm::sys::fs::remove(path);
    return fail(llvm::toString(std::move(failure)));
  }
  return EXIT_SUCCESS;
}
