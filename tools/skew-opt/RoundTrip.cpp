//===- RoundTrip.cpp - modules through bytecode and text ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RoundTrip.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;

static std::string print(ModuleOp module, bool generic) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().printGenericOpForm(generic));
  return text;
}

/// Lists of nothing but empty dictionaries, which generic text may have, mean
/// nothing and have no syntax of their own.
static void dropEmptyAttributeLists(ModuleOp module) {
  auto isEmpty = [](ArrayAttr list) {
    return list &&
           llvm::all_of(list.getAsRange<DictionaryAttr>(),
                        [](DictionaryAttr attrs) { return attrs.empty(); });
  };
  module->walk([&](FunctionOpInterface function) {
    if (isEmpty(function.getArgAttrsAttr()))
      function.removeArgAttrsAttr();
    if (isEmpty(function.getResAttrsAttr()))
      function.removeResAttrsAttr();
  });
}

/// The first line in which two texts differ.
static std::string describeDifference(StringRef before, StringRef after) {
  while (!before.empty() || !after.empty()) {
    auto [first, restOfFirst] = before.split('\n');
    auto [second, restOfSecond] = after.split('\n');
    if (first != second)
      return ("\n  before: " + first.trim() + "\n  after:  " + second.trim())
          .str();
    before = restOfFirst;
    after = restOfSecond;
  }
  return "";
}

static std::string checkModule(StringRef contents,
                               const DialectRegistry &registry) {
  MLIRContext context(registry);
  context.allowUnregisteredDialects();
  std::string errors;
  ScopedDiagnosticHandler capture(&context, [&](Diagnostic &diagnostic) {
    errors += "\n  " + diagnostic.str();
    return success();
  });
  ParserConfig config(&context);
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(contents, config);
  if (!module)
    return "";
  dropEmptyAttributeLists(*module);
  std::string reference = print(*module, /*generic=*/true);

  auto check = [&](StringRef what, StringRef form) -> std::string {
    errors.clear();
    OwningOpRef<ModuleOp> again = parseSourceString<ModuleOp>(form, config);
    if (!again)
      return (what + " does not read back:" + errors).str();
    std::string difference =
        describeDifference(reference, print(*again, /*generic=*/true));
    return difference.empty()
               ? ""
               : (what + " reads back as something else:").str() + difference;
  };
  std::string bytecode;
  llvm::raw_string_ostream os(bytecode);
  if (failed(writeBytecodeToFile(*module, os)))
    return "bytecode cannot be written:" + errors;
  std::string loss = check("bytecode", bytecode);
  return loss.empty() ? check("text", print(*module, /*generic=*/false)) : loss;
}

std::string mlir::skew::findRoundTripLoss(StringRef contents,
                                          StringRef splitMarker,
                                          const DialectRegistry &registry) {
  SmallVector<StringRef> chunks = {contents};
  if (!splitMarker.empty()) {
    chunks.clear();
    contents.split(chunks, splitMarker);
  }
  for (StringRef chunk : chunks) {
    std::string loss = checkModule(chunk, registry);
    if (!loss.empty())
      return loss;
  }
  return "";
}
