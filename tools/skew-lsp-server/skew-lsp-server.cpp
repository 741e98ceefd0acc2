//===- skew-lsp-server.cpp - the language server --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlir-lsp-server with the skew dialect: what an editor starts for .mlir files.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Linalg/TransformOps/DialectExtension.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/Support/LLVM.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"
#include "skew/Pipelines/TransformOps/SkewTransformOps.h"
#include "skew/InitAll.h"

using namespace mlir;

int main(int argc, char **argv) {
  DialectRegistry registry;
  skew::registerAllDialects(registry);
  linalg::registerTransformDialectExtension(registry);
  skew::registerTransformDialectExtension(registry);
  return failed(MlirLspServerMain(argc, argv, registry));
}
