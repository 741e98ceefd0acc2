//===- AdamW.cpp - match solver of the AdamW rule ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Dialect/Skew/IR/Skew.h"

using namespace mlir;
using namespace mlir::skew;

UpdateMatch AdamWOp::matchUpdate(UpdateProbe &) {
  return UpdateMatch::refuse(0, "this rule has no match solver");
}
