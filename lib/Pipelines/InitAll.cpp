//===- InitAll.cpp - register everything of skew-opt ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/InitAll.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "skew/Analysis/Passes.h"
#include "skew/Conversion/Passes.h"
#include "skew/Dialect/Skew/IR/Skew.h"
#include "skew/Dialect/Skew/Transforms/Passes.h"
#include "skew/Frontend/Passes.h"
#include "skew/Target/Passes.h"

using namespace mlir;

void skew::registerAllDialects(DialectRegistry &registry) {
  registry.insert<SkewDialect, func::FuncDialect, arith::ArithDialect,
                  math::MathDialect>();
}

void skew::registerAllPasses() {
  registerSkewTransformsPasses();
  registerSkewFrontendPasses();
  registerSkewAnalysisPasses();
  registerSkewConversionPasses();
  registerSkewTargetPasses();
}
