// RUN: skew-test-opt --allow-unregistered-dialect --skew-annotate-roles %s | FileCheck %s

// A mixture of experts with a tied head, forward pass only: the parameters are
// handed through. Every key that raising wrote stays.

// CHECK-LABEL: func.func @main
// CHECK-SAME: skew.parameters = [
// CHECK-SAME: {argument = 0 : i64, axes = #skew.axes<row = [0], column = [1]>, confidence = "certain", evidence = "looked up by indices that no parameter decides, at gather -> 6x8xf32 {{[^"]*}}; tied head: its product is dot_general -> 6x32xf32 {{[^"]*}}", name = "params['embed']", result = 0 : i64, role = #skew.role<embedding>, role_source = "structure", status = "raised", tier_class = "backbone"},
// CHECK-SAME: {argument = 1 : i64, axes = #skew.axes<row = [0], column = [1]>, confidence = "certain", evidence = "its product at dot_general -> 6x4xf32 {{[^"]*}} goes through top_k -> 6x2xf32 {{[^"]*}} and weights dot_general -> 6x8xf32{{[^"]*}}", name = "params['router']", result = 1 : i64, role = #skew.role<router>, role_source = "structure", status = "raised", tier_class = "router"},
// CHECK-SAME: {argument = 2 : i64, axes = #skew.axes<batch = [0], row = [1], column = [2]>, confidence = "certain", {{.*}}, name = "params['w_in']", result = 2 : i64, role = #skew.role<expert>, role_source = "structure", status = "raised", tier_class = "expert"},
// CHECK-SAME: {argument = 3 : i64, axes = #skew.axes<batch = [0], row = [1], column = [2]>, confidence = "certain", {{.*}}, name = "params['w_out']", result = 3 : i64, role = #skew.role<expert>, role_source = "structure", status = "raised", tier_class = "expert"}]

func.func @main(%embed: tensor<32x8xf32>, %router: tensor<8x4xf32>, %w_in: tensor<4x8x16xf32>, %w_out: tensor<4x16x8xf32>, %tokens: tensor<6xi32>)
    -> (tensor<32x8xf32>, tensor<8x4xf32>, tensor<4x8x16xf32>, tensor<4x16x8xf32>, tensor<f32>)
    attributes {skew.parameters = [
      {name = "params['embed']", argument = 0 : i64, result = 0 : i64, status = "raised"},
      {name = "params['router']", argument = 1 : i64, result = 1 : i64, status = "raised"},
      {name = "params['w_in']", argument = 2 : i64, result = 2 : i64, status = "raised"},
      {name = "params['w_out']", argument = 3 : i64, result = 3 : i64, status = "raised"}
    ]} {
  %index = "stablehlo.reshape"(%tokens) : (tensor<6xi32>) -> tensor<6x1xi32>
  %x = "stablehlo.gather"(%embed, %index) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 8>}> : (tensor<32x8xf32>, tensor<6x1xi32>) -> tensor<6x8xf32>
  %scores = "stablehlo.dot_general"(%x, %router) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<6x8xf32>, tensor<8x4xf32>) -> tensor<6x4xf32>
  %probabilities = "stablehlo.logistic"(%scores) : (tensor<6x4xf32>) -> tensor<6x4xf32>
  %top:2 = "chlo.top_k"(%probabilities) <{k = 2 : i64}> : (tensor<6x4xf32>) -> (tensor<6x2xf32>, tensor<6x2xi32>)
  %choice = "stablehlo.broadcast_in_dim"(%top#1) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<6x2xi32>) -> tensor<6x2x4xi32>
  %count = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<6x2x4xi32>
  %chosen = "stablehlo.compare"(%choice, %count) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<6x2x4xi32>, tensor<6x2x4xi32>) -> tensor<6x2x4xi1>
  %one_hot = "stablehlo.convert"(%chosen) : (tensor<6x2x4xi1>) -> tensor<6x2x4xf32>
  %weights = "stablehlo.dot_general"(%top#0, %one_hot) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<6x2xf32>, tensor<6x2x4xf32>) -> tensor<6x4xf32>
  %hidden = "stablehlo.dot_general"(%x, %w_in) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<6x8xf32>, tensor<4x8x16xf32>) -> tensor<6x4x16xf32>
  %active = "stablehlo.tanh"(%hidden) : (tensor<6x4x16xf32>) -> tensor<6x4x16xf32>
  %each = "stablehlo.dot_general"(%active, %w_out) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [1], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>}> : (tensor<6x4x16xf32>, tensor<4x16x8xf32>) -> tensor<4x6x8xf32>
  %mixed = "stablehlo.dot_general"(%each, %weights) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [1], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [1]>}> : (tensor<4x6x8xf32>, tensor<6x4xf32>) -> tensor<6x8xf32>
  %sum = "stablehlo.add"(%x, %mixed) : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>
  %logits = "stablehlo.dot_general"(%sum, %embed) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1]>}> : (tensor<6x8xf32>, tensor<32x8xf32>) -> tensor<6x32xf32>
  %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
  %loss = "stablehlo.reduce"(%logits, %zero) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%s) : (tensor<f32>) -> ()
  }) : (tensor<6x32xf32>, tensor<f32>) -> tensor<f32>
  return %embed, %router, %w_in, %w_out, %loss : tensor<32x8xf32>, tensor<8x4xf32>, tensor<4x8x16xf32>, tensor<4x16x8xf32>, tensor<f32>
}

// A function that was never raised stays as it is.
// CHECK-LABEL: func.func @other(%arg0: tensor<4xf32>) -> tensor<4xf32> {
func.func @other(%p: tensor<4xf32>) -> tensor<4xf32> {
  return %p : tensor<4xf32>
}

// No model at all: nothing is read, so the name decides, and without one the
// parameter counts as backbone.
// CHECK-LABEL: func.func @optimizer_alone
// CHECK-SAME: {argument = 0 : i64, axes = #skew.axes<batch = [0], row = [1], column = [2]>, confidence = "guess", evidence = "", name = "moe.experts.w1", result = 0 : i64, role = #skew.role<expert>, role_source = "name", {{.*}}tier_class = "expert"}
// CHECK-SAME: {argument = 1 : i64, axes = #skew.axes<row = [0], column = [1]>, confidence = "guess", evidence = "", name = "w", result = 1 : i64, role = #skew.role<backbone>, role_source = "default", {{.*}}tier_class = "backbone"}
func.func @optimizer_alone(%p: tensor<4x8x8xf32>, %q: tensor<8x8xf32>, %g: tensor<4x8x8xf32>, %h: tensor<8x8xf32>)
    -> (tensor<4x8x8xf32>, tensor<8x8xf32>) attributes {skew.parameters = [
      {name = "moe.experts.w1", argument = 0 : i64, result = 0 : i64, status = "raised"},
      {name = "w", argument = 1 : i64, result = 1 : i64, status = "raised"}
    ]} {
  %0 = "stablehlo.add"(%p, %g) : (tensor<4x8x8xf32>, tensor<4x8x8xf32>) -> tensor<4x8x8xf32>
  %1 = "stablehlo.add"(%q, %h) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0, %1 : tensor<4x8x8xf32>, tensor<8x8xf32>
}
