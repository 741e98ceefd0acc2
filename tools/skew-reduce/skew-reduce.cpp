//===- skew-reduce.cpp - the test case reducer ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlir-reduce with the skew dialect and reductions of its own:
//
//   skew-reduce big.mlir --reduction-tree='traversal-mode=0 test=./interesting'
//
// The script `interesting` gets a file name and exits with 1 if the module in
// it is interesting.
//
//===----------------------------------------------------------------------===//

#include "Reductions.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Reducer/Passes.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"
#include "skew/Dialect/Skew/IR/Skew.h"
#include "skew/InitAll.h"
#include "skew/Pipelines/Pipelines.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

int main(int argc, char **argv) {
  DialectRegistry registry;
  skew::registerAllDialects(registry);
  skew::registerReductions(registry);
  skew::registerAllPasses();
  skew::registerSkewPipelines();
  MLIRContext context(registry);
  // Graphs are read as skew-opt reads them.
  context.allowUnregisteredDialects();
  context.printOpOnDiagnostic(false);
  // MLIR's own handler is silent on warnings, such as that nothing is reduced.
  context.getDiagEngine().registerHandler([](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Warning)
      return failure();
    llvm::errs() << diagnostic.getLocation() << ": warning: " << diagnostic
                 << "\n";
    return success();
  });
  // Its patterns are there even for graphs without ops of ours.
  context.loadDialect<skew::SkewDialect>();
  return failed(mlirReduceMain(argc, argv, context));
}
