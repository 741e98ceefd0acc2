// RUN: skew-test-opt --allow-unregistered-dialect --split-input-file --skew-test-roles %s -o %t | FileCheck %s

// Nothing verifies unregistered operations. One that contradicts its types, or
// lacks what it needs, is opaque: its results depend on its operands, and
// nothing else is known.

// CHECK-LABEL: roles of @contradictions
// CHECK: no forward pass: no parameter is contracted
// CHECK: argument 0: unused backbone guess batch [] row [0] column [1] by position
func.func @contradictions(%w: tensor<4x4xf32>, %x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<f32>) {
  %0 = "stablehlo.transpose"(%w) <{permutation = array<i64: 0, 7>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64: 0, 0>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %2 = "stablehlo.dot_general"(%1, %x) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [9], rhs_contracting_dimensions = [0]>}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %3 = "stablehlo.dot_general"(%2, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %4 = "stablehlo.gather"(%3) <{dimension_numbers = #stablehlo.gather<offset_dims = [0]>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %5 = "stablehlo.compare"(%4) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %6 = "stablehlo.multiply"(%5) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %7 = "stablehlo.convolution"(%6, %x) <{dimension_numbers = #stablehlo.conv<[b, f]x[q, r]->[b, f]>}> : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %8 = "stablehlo.scatter"(%7, %x) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %9 = "stablehlo.iota"() : () -> tensor<4x4xf32>
  %10 = "stablehlo.select"(%8, %9) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %11 = "stablehlo.while"(%10) ({
    "stablehlo.return"() : () -> ()
  }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %12 = "stablehlo.case"(%x) ({
    "stablehlo.return"() : () -> ()
  }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %13 = "stablehlo.add"(%11, %12) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %14 = "stablehlo.reduce"(%13) : (tensor<4x4xf32>) -> tensor<f32>
  return %w, %14 : tensor<4x4xf32>, tensor<f32>
}

// -----

// CHECK-LABEL: roles of @recursion
// CHECK: no forward pass: function calls itself ('loop')
// CHECK: argument 0: unused backbone guess batch [] row [0] column [1] by position
func.func private @loop(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = call @loop(%x) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}
func.func @recursion(%w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = call @loop(%w) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// A call to a declaration is opaque, too.
// CHECK-LABEL: roles of @declaration
// CHECK: no forward pass: no parameter is contracted or looked up before its update
func.func private @outside(tensor<4x4xf32>) -> tensor<4x4xf32>
func.func @declaration(%w: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = call @outside(%w) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

// The region of an unknown operation may read what is outside: the loss
// depends on w through it.
// CHECK-LABEL: roles of @captured
// CHECK: result 1 is the loss
// CHECK: argument 0: backbone likely
// CHECK: argument 1: backbone certain batch [] row [0] column [1]; its product at dot_general
func.func @captured(%v: tensor<4x4xf32>, %w: tensor<4x4xf32>, %x: tensor<2x4xf32>) -> (tensor<4x4xf32>, tensor<f32>) {
  %0 = "mystery.op"() ({
    "mystery.use"(%v) : (tensor<4x4xf32>) -> ()
  }) : () -> tensor<2x4xf32>
  %1 = "stablehlo.add"(%0, %x) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
  %2 = "stablehlo.dot_general"(%1, %w) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<2x4xf32>
  %3 = "mystery.sum"(%2) : (tensor<2x4xf32>) -> tensor<f32>
  return %w, %3 : tensor<4x4xf32>, tensor<f32>
}
