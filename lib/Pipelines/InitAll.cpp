//===- InitAll.cpp - register everything of skew-opt ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/InitAll.h"
#include "mlir/InitAllDialects.h"
#include "skew/Analysis/Passes.h"
#include "skew/Conversion/Passes.h"
#include "skew/Dialect/Skew/IR/Skew.h"
#include "skew/Dialect/Skew/Transforms/Passes.h"
#include "skew/Frontend/Passes.h"
#include "skew/Target/Passes.h"

using namespace mlir;

void skew::registerAllDialects(DialectRegistry &registry) {
  // Graphs mix in what their front end has (linalg, tensor, ...), in its own
  // syntax, which only a registered dialect reads.
  mlir::registerAllDialects(registry);
  registry.insert<SkewDialect>();
}

void skew::registerAllPasses() {
  registerSkewTransformsPasses();
  registerSkewFrontendPasses();
  registerSkewAnalysisPasses();
  registerSkewConversionPasses();
  registerSkewTargetPasses();
}
