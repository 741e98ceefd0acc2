// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A hand-written plan: one parameter with bf16 momentum, one left alone. Keys
// that are not known are ignored.
// RUN: skew-opt %s --skew-place-state=plan=%S/Inputs/plans/good.json | FileCheck %s
// RUN: skew-opt %s --skew-place-state=plan=%S/Inputs/plans/unknown-keys.json | FileCheck %s
// The budget is checked on a plan too: m 2*4*6 + 4*(4+6) = 88 B, kept 2*4*6 = 48 B.
// RUN: skew-opt %s --skew-place-state="budget=136 plan=%S/Inputs/plans/good.json" | FileCheck %s
// RUN: not skew-opt %s --skew-place-state="budget=135 plan=%S/Inputs/plans/good.json" 2>&1 | FileCheck %s --check-prefix=SHORT
// SHORT: error: optimizer state must fit the budget of 135 bytes (135 B), but the plan needs 136 bytes (136 B): short by 1 bytes

// CHECK: skew.group @backbone_0 role <backbone> tier_class "backbone" tier <m = bf16, v = factored> axes <row = [0], column = [1]> {why = "plan"}
// CHECK-NEXT: skew.group @norm_0 role <norm> tier_class "backbone" {why = "a norm is small"}
func.func @step(%p0: tensor<4x6xf32>, %m0: tensor<4x6xf32>, %v0: tensor<4x6xf32>, %g0: tensor<4x6xf32>,
    %p1: tensor<6xf32>, %m1: tensor<6xf32>, %v1: tensor<6xf32>, %g1: tensor<6xf32>,
    %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>)
    attributes {skew.parameters = [
      {name = "p0", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw", role = #skew.role<backbone>, tier_class = "backbone", axes = #skew.axes<row = [0], column = [1]>},
      {name = "p1", argument = 4 : i64, result = 3 : i64, status = "raised", rule = "adamw", role = #skew.role<norm>, tier_class = "backbone", axes = #skew.axes<column = [0]>}]} {
  %r0:3 = skew.adamw parameter(%p0 : tensor<4x6xf32>) gradient(%g0 : tensor<4x6xf32>)
      state(%m0, %v0 : tensor<4x6xf32>, tensor<4x6xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "p0"}
  %r1:3 = skew.adamw parameter(%p1 : tensor<6xf32>) gradient(%g1 : tensor<6xf32>)
      state(%m1, %v1 : tensor<6xf32>, tensor<6xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "p1"}
  return %r0#0, %r0#1, %r0#2, %r1#0, %r1#1, %r1#2 :
      tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
}
