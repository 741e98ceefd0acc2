// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: skew-opt %s --skew-raise --allow-unregistered-dialect --split-input-file | FileCheck %s

// An optimizer's step alone: no model says which arguments are parameters.
// What takes in other state and is taken in by none is one, also where no rule
// fits.

// RMSProp: v is state of the declined p.
// CHECK-LABEL: func.func @rmsprop(
// CHECK-SAME: skew.other_state = [{argument = 1 : i64, bytes = 32 : i64, kind = "moment", name = "arg1", result = 1 : i64}]
// CHECK-SAME: skew.parameters = [{argument = 0 : i64, name = "arg0", reason = "{{[^"]+}}", result = 0 : i64, status = "declined"}]
func.func @rmsprop(%p: tensor<8xf32>, %v: tensor<8xf32>, %g: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c9 = "stablehlo.constant"() <{value = dense<0.9> : tensor<8xf32>}> : () -> tensor<8xf32>
  %c1 = "stablehlo.constant"() <{value = dense<0.1> : tensor<8xf32>}> : () -> tensor<8xf32>
  %lr = "stablehlo.constant"() <{value = dense<0.001> : tensor<8xf32>}> : () -> tensor<8xf32>
  %eps = "stablehlo.constant"() <{value = dense<1.0e-8> : tensor<8xf32>}> : () -> tensor<8xf32>
  %0 = "stablehlo.multiply"(%c9, %v) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = "stablehlo.multiply"(%g, %g) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %2 = "stablehlo.multiply"(%c1, %1) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %v1 = "stablehlo.add"(%0, %2) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %3 = "stablehlo.sqrt"(%v1) : (tensor<8xf32>) -> tensor<8xf32>
  %4 = "stablehlo.add"(%3, %eps) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %5 = "stablehlo.divide"(%g, %4) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %6 = "stablehlo.multiply"(%lr, %5) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %p1 = "stablehlo.subtract"(%p, %6) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %p1, %v1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// Nothing that is carried takes in anything else that is: no parameter.
// CHECK-LABEL: func.func @accumulate(
// CHECK-NOT: status
func.func @accumulate(%a: tensor<8xf32>, %b: tensor<8xf32>, %g: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %a1 = "stablehlo.add"(%a, %g) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %b1 = "stablehlo.multiply"(%b, %g) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %a1, %b1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// A sum of losses is no counter: what is added is not the same in every step.
// State that no update accounts for is no plain SGD.
// CHECK-LABEL: func.func @summed_loss(
// CHECK-SAME: skew.other_state = [{argument = 1 : i64, bytes = 4 : i64, kind = "accumulator", name = "arg1", result = 1 : i64},
// CHECK-SAME: {argument = 2 : i64, bytes = 4 : i64, kind = "step", name = "arg2", result = 2 : i64}]
// CHECK-SAME: status = "declined"
func.func @summed_loss(%p: tensor<8xf32>, %s: tensor<f32>, %t: tensor<f32>, %x: tensor<8xf32>) -> (tensor<8xf32>, tensor<f32>, tensor<f32>) {
  %g = "model.gradient"(%p, %x) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %l = "model.loss"(%p, %x) : (tensor<8xf32>, tensor<8xf32>) -> tensor<f32>
  %s1 = "stablehlo.add"(%s, %l) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %one = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
  %t1 = "stablehlo.add"(%t, %one) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %lr = "stablehlo.constant"() <{value = dense<0.001> : tensor<8xf32>}> : () -> tensor<8xf32>
  %u = "stablehlo.multiply"(%lr, %g) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %p1 = "stablehlo.subtract"(%p, %u) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %p1, %s1, %t1 : tensor<8xf32>, tensor<f32>, tensor<f32>
}
