//===- skew-test-opt.cpp - the passes that only tests use -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "skew/Analysis/Passes.h"
#include "skew/Dialect/Skew/IR/Skew.h"

using namespace mlir;

namespace mlir::skew::test {
void registerTestRoles();
} // namespace mlir::skew::test

int main(int argc, char **argv) {
  DialectRegistry registry;
  registry.insert<arith::ArithDialect, func::FuncDialect, math::MathDialect,
                  skew::SkewDialect>();
  skew::registerSkewAnalysisPasses();
  skew::test::registerTestRoles();
  return asMainReturnCode(MlirOptMain(
      argc, argv, "passes that only tests of skew-opt use\n", registry));
}
