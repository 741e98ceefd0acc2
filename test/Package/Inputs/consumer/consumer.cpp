//===- consumer.cpp - A user of the installed package ----------*- C++ -*-===//
//
// Part of the skew-opt project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Dialect/Skew/IR/Skew.h"
#include "skew/Support/Version.h"

#include "mlir/IR/MLIRContext.h"

#include "llvm/Support/raw_ostream.h"

int main() {
  mlir::MLIRContext context;
  auto *dialect = context.getOrLoadDialect<mlir::skew::SkewDialect>();
  llvm::outs() << dialect->getNamespace() << " " << SKEW_VERSION_STRING << "\n";
  return 0;
}
