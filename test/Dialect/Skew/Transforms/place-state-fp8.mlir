// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: skew-opt %s --skew-place-state=policy=paper --remarks-filter=skew-place-state \
// RUN:   --remark-format=emitRemark -o %t 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: FileCheck %s --input-file=%t

// An update may be written on any float type; one that keeps its momentum in
// eight bits has no tier to go to and stays as it is.

// REMARK: [Analysis] Placed | Category:skew-place-state | Function=momentum_in_eight_bits
// REMARK-SAME: Reason="no tier keeps a momentum of type tensor<8x16xf8E4M3FN>: left as it is"

// CHECK: skew.group @backbone_0
// CHECK-NOT: tier <
// CHECK: func.func @momentum_in_eight_bits
// CHECK: skew.adamw
func.func @momentum_in_eight_bits(%p: tensor<8x16xf8E4M3FN>, %m: tensor<8x16xf8E4M3FN>, %v: tensor<8x16xf32>, %g: tensor<8x16xf32>, %t: tensor<i32>, %lr: tensor<f32>) -> (tensor<8x16xf8E4M3FN>, tensor<8x16xf8E4M3FN>, tensor<8x16xf32>)
    attributes {skew.parameters = [{argument = 0 : i64, hyperparameters = {}, name = "w", result = 0 : i64, rule = "adamw", states = [{argument = 1 : i64, component = "m", dtype = "f8E4M3FN", result = 1 : i64, shape = array<i64: 8, 16>}, {argument = 2 : i64, component = "v", dtype = "f32", result = 2 : i64, shape = array<i64: 8, 16>}], status = "raised", role = #skew.role<backbone>, tier_class = "backbone"}]} {
  %0:3 = skew.adamw parameter(%p : tensor<8x16xf8E4M3FN>) gradient(%g : tensor<8x16xf32>) state(%m, %v : tensor<8x16xf8E4M3FN>, tensor<8x16xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>) {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.0} {parameter_name = "w"}
  return %0#0, %0#1, %0#2 : tensor<8x16xf8E4M3FN>, tensor<8x16xf8E4M3FN>, tensor<8x16xf32>
}
