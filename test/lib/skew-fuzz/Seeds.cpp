//===- Seeds.cpp - what mutants are made from -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Seeds.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::skew::fuzz;

static std::string printGeneric(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module->print(os, OpPrintingFlags().printGenericOpForm());
  return text;
}

/// `function` and the symbols it needs, in a module of its own.
static OwningOpRef<ModuleOp> extract(ModuleOp module, func::FuncOp function) {
  OwningOpRef<ModuleOp> result = ModuleOp::create(module.getLoc());
  (*result)->setAttrs(module->getAttrDictionary());
  OpBuilder builder(module.getContext());
  builder.setInsertionPointToEnd(result->getBody());
  SetVector<Operation *> needed;
  needed.insert(function);
  for (size_t i = 0; i < needed.size(); ++i) {
    if (auto uses = SymbolTable::getSymbolUses(needed[i]))
      for (SymbolTable::SymbolUse use : *uses)
        if (Operation *symbol = module.lookupSymbol(
                use.getSymbolRef().getRootReference()))
          needed.insert(symbol);
  }
  for (Operation &op : module.getBody()->getOperations())
    if (needed.contains(&op))
      builder.clone(op);
  return result;
}

bool Seed::load(MLIRContext &context) {
  if (path.empty() || module)
    return bool(module);
  ScopedDiagnosticHandler silent(&context,
                                 [](Diagnostic &) { return success(); });
  module = parseSourceFile<ModuleOp>(path, ParserConfig(&context));
  if (module)
    text = printGeneric(*module);
  return bool(module);
}

std::vector<Seed> mlir::skew::fuzz::readSeeds(StringRef folder, bool large,
                                              MLIRContext &context) {
  std::vector<std::string> paths;
  std::error_code error;
  for (llvm::sys::fs::directory_iterator it(folder, error), end;
       it != end && !error; it.increment(error))
    if (StringRef(it->path()).ends_with(".mlir"))
      paths.push_back(it->path());
  llvm::sort(paths);

  ScopedDiagnosticHandler silent(&context, [](Diagnostic &) { return success(); });
  std::vector<Seed> seeds;
  if (large) {
    for (const std::string &path : paths) {
      uint64_t size = 0;
      if (!llvm::sys::fs::file_size(path, size) && size >= kLargeSeed) {
        seeds.emplace_back();
        seeds.back().name = llvm::sys::path::filename(path).str();
        seeds.back().path = path;
      }
    }
    return seeds;
  }
  auto add = [&](std::string name, OwningOpRef<ModuleOp> module) {
    std::string text = printGeneric(*module);
    if (text.size() < kLargeSeed)
      seeds.push_back({std::move(name), std::move(text), std::move(module), {}});
  };
  for (const std::string &path : paths) {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer)
      continue;
    StringRef contents = (*buffer)->getBuffer();
    SmallVector<StringRef> pieces;
    contents.split(pieces, "// -----");
    for (auto [number, piece] : llvm::enumerate(pieces)) {
      std::string name =
          (llvm::sys::path::filename(path) + "#" + Twine(number)).str();
      OwningOpRef<ModuleOp> module =
          parseSourceString<ModuleOp>(piece, ParserConfig(&context));
      if (!module) {
        if (piece.size() < kLargeSeed)
          seeds.push_back({name, piece.str(), {}, {}});
        continue;
      }
      SmallVector<func::FuncOp> functions;
      for (auto function : module->getOps<func::FuncOp>())
        if (function.isPublic() && !function.isExternal())
          functions.push_back(function);
      if (functions.size() < 2) {
        add(name, std::move(module));
        continue;
      }
      for (func::FuncOp function : functions)
        add((name + "@" + function.getName()).str(),
            extract(*module, function));
    }
  }
  return seeds;
}
