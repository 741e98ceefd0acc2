// RUN: skew-test-opt --allow-unregistered-dialect --split-input-file --skew-test-roles %s -o %t | FileCheck %s

// The only scalar is the norm of a gradient: below it w is contracted over its
// other axis with something that depends on w itself.
// CHECK-LABEL: roles of @gradient_norm
// CHECK: no result is the loss (result 1 depends on a backward product at dot_general -> 2x8xf32 {{.*}}); taken from first uses, 1 of 4 operations
// CHECK: argument 0: backbone likely batch [] row [0] column [1]
func.func @gradient_norm(%w: tensor<8x4xf32>, %x: tensor<2x8xf32>) -> (tensor<8x4xf32>, tensor<f32>) {
  %y = "stablehlo.dot_general"(%x, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>
  %dx = "stablehlo.dot_general"(%y, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<2x4xf32>, tensor<8x4xf32>) -> tensor<2x8xf32>
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %norm = "stablehlo.reduce"(%dx, %zero) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<2x8xf32>, tensor<f32>) -> tensor<f32>
  return %w, %norm : tensor<8x4xf32>, tensor<f32>
}

// -----

// A weight that is used twice over the same axis is shared, not differentiated.
// CHECK-LABEL: roles of @shared_weight
// CHECK: result 1 is the loss
// CHECK: argument 0: backbone certain batch [] row [0] column [1]
func.func @shared_weight(%w: tensor<8x8xf32>, %x: tensor<2x8xf32>) -> (tensor<8x8xf32>, tensor<f32>) {
  %y = "stablehlo.dot_general"(%x, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
  %z = "stablehlo.dot_general"(%y, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %loss = "stablehlo.reduce"(%z, %zero) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<2x8xf32>, tensor<f32>) -> tensor<f32>
  return %w, %loss : tensor<8x8xf32>, tensor<f32>
}

// -----

// Two uses that contract different axes of a weight that is never looked up:
// one split is taken, and it is not certain.
// CHECK-LABEL: roles of @conflict
// CHECK: argument 0: backbone likely batch [] row [0] column [1] (two uses contract different axes)
func.func @conflict(%w: tensor<8x8xf32>, %x: tensor<2x8xf32>, %z: tensor<2x8xf32>) -> (tensor<8x8xf32>, tensor<f32>) {
  %y0 = "stablehlo.dot_general"(%x, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
  %y1 = "stablehlo.dot_general"(%z, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<2x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
  %y = "stablehlo.add"(%y0, %y1) : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %loss = "stablehlo.reduce"(%y, %zero) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<2x8xf32>, tensor<f32>) -> tensor<f32>
  return %w, %loss : tensor<8x8xf32>, tensor<f32>
}
