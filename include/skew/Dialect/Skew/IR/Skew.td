//===- Skew.td - umbrella of the skew dialect -------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_DIALECT_SKEW_IR_SKEW_TD
#define SKEW_DIALECT_SKEW_IR_SKEW_TD

include "skew/Dialect/Skew/IR/SkewDialect.td"
include "skew/Dialect/Skew/IR/SkewEnums.td"
include "skew/Dialect/Skew/IR/SkewAttributes.td"
include "skew/Dialect/Skew/IR/SkewInterfaces.td"
include "skew/Dialect/Skew/IR/SkewUpdateOps.td"
include "skew/Dialect/Skew/IR/SkewSweepOps.td"
include "skew/Dialect/Skew/IR/SkewOps.td"

#endif // SKEW_DIALECT_SKEW_IR_SKEW_TD
