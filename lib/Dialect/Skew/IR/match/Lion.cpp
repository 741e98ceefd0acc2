//===- Lion.cpp - match solver of the Lion rule ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Dialect/Skew/IR/Skew.h"

using namespace mlir;
using namespace mlir::skew;

UpdateMatch LionOp::matchUpdate(UpdateProbe &) {
  return UpdateMatch::refuse(0, "this rule has no match solver");
}
