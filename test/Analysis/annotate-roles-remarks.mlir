// RUN: split-file %s %t
// RUN: skew-test-opt --allow-unregistered-dialect --remarks-filter=skew-annotate-roles --remark-format=emitRemark --skew-annotate-roles %t/graph.mlir -o %t/out.mlir 2>&1 | FileCheck %t/graph.mlir --check-prefix=NAMES
// RUN: skew-test-opt --allow-unregistered-dialect --remarks-filter=skew-annotate-roles --remark-format=emitRemark --skew-annotate-roles=roles=%t/rules.json %t/graph.mlir -o %t/out.mlir 2>&1 | FileCheck %t/graph.mlir --check-prefix=RULES
// RUN: skew-test-opt --allow-unregistered-dialect --skew-annotate-roles=roles=%t/rules.json %t/graph.mlir -o %t/out.mlir 2>&1 | FileCheck %t/graph.mlir --check-prefix=WARNING
// RUN: skew-test-opt --allow-unregistered-dialect --remarks-filter=skew-annotate-roles --remark-format=emitRemark --skew-annotate-roles=roles=%t/same.json %t/graph.mlir -o %t/same.mlir 2>&1 | FileCheck %t/graph.mlir --check-prefix=SAME --implicit-check-not=RepeatedRule --implicit-check-not=UnmatchedRule --implicit-check-not=warning
// RUN: FileCheck %t/graph.mlir --check-prefix=RULED --input-file=%t/out.mlir
// RUN: skew-test-opt --allow-unregistered-dialect --remarks-filter=skew-annotate-roles --remark-format=emitRemark --skew-annotate-roles=roles=%t/axes.json %t/graph.mlir 2>&1 | FileCheck %t/graph.mlir --check-prefix=AXES

//--- rules.json
{"schema": "skew-rules/1", "note": "unknown keys are ignored", "rules": [
  {"match": "router\\.w$", "role": "norm"},
  {"match": "^layers", "role": "embedding"},
  {"match": "^no such", "role": "expert"}
]}

//--- same.json
{"schema": "skew-rules/1", "rules": [
  {"match": "up_proj", "role": "router", "batch_axes": []},
  {"match": "^layers.0.up", "role": "router"},
  {"match": "^embed$", "row_axes": [0]},
  {"match": "bed$", "row_axes": [0]}
]}

//--- axes.json
{"schema": "skew-rules/1", "rules": [
  {"match": "up_proj", "batch_axes": [1]},
  {"match": "^embed$", "row_axes": [1], "column_axes": [0]}
]}

//--- graph.mlir
// Structure stands against names that lie; what says nothing is no lie.

// NAMES: [Analysis] ForwardPass {{.*}}Reason="result 4 is the loss, 18 of 18 operations compute it"
// NAMES: [Analysis] ParameterRole {{.*}}axes_from=structure, batch_axes=, column_axes=1, confidence=certain, parameter=embed, role=embedding, role_source=structure, row_axes=0, tier_class=backbone
// NAMES-NOT: [Missed]
// NAMES: [Analysis] ParameterRole {{.*}}parameter=layers.0.up_proj, role=router
// NAMES-NOT: [Missed]
// NAMES: [Analysis] ParameterRole {{.*}}batch_axes=0, column_axes=2, confidence=certain, parameter=router.w, role=expert, role_source=structure, row_axes=1, tier_class=expert
// NAMES: [Missed] RoleInDoubt {{.*}}Reason="structure says expert: its product at dot_general -> 6x4x16xf32 {{.*}}; the name says router", parameter=router.w
// NAMES: [Missed] RoleInDoubt {{.*}}the name says norm", parameter=layers.0.ln_1.scale

// A rule wins over structure and name; against certain structure it is reported.
// RULES: [Analysis] ParameterRole {{.*}}parameter=layers.0.up_proj, role=embedding, role_source=user
// RULES: [Missed] RuleAgainstStructure {{.*}}Reason="rule '^layers' makes it embedding, but structure says router: its product {{.*}}", parameter=layers.0.up_proj
// RULES: [Missed] RuleAgainstStructure {{.*}}Reason="rule 'router{{.*}}' makes it norm, but structure says expert
// RULES: [Missed] RuleAgainstStructure
// RULES: [Missed] UnmatchedRule {{.*}}Reason="no parameter matches rule '^no such'", rule="^no such"

// WARNING: warning: no parameter matches rule '^no such'

// Rules that agree are no error.
// SAME: [Analysis] RepeatedRule {{.*}}Reason="rules '^embed$' and 'bed$' both match and give the same axes", parameter=embed
// SAME: [Analysis] RepeatedRule {{.*}}Reason="rules 'up_proj' and '^layers.0.up' both match and give the same role", parameter=layers.0.up_proj

// RULED: confidence = "certain", {{.*}}name = "router.w", result = 2 : i64, role = #skew.role<norm>, role_source = "user", status = "raised", tier_class = "backbone"}

// Axes of a rule; what it leaves open is filled from the back.
// AXES: [Analysis] ParameterRole {{.*}}axes_from="set by a rule", batch_axes=, column_axes=0, confidence=certain, parameter=embed, role=embedding, role_source=structure, row_axes=1
// AXES: [Analysis] ParameterRole {{.*}}axes_from="set by a rule", batch_axes=1, column_axes=0, confidence=certain, parameter=layers.0.up_proj, role=router, role_source=structure, row_axes=,

func.func @main(%embed: tensor<32x8xf32>, %router: tensor<8x4xf32>, %w_in: tensor<4x8x16xf32>, %w_out: tensor<4x16x8xf32>, %tokens: tensor<6xi32>)
    -> (tensor<32x8xf32>, tensor<8x4xf32>, tensor<4x8x16xf32>, tensor<4x16x8xf32>, tensor<f32>)
    attributes {skew.parameters = [
      {name = "embed", argument = 0 : i64, result = 0 : i64, status = "raised"},
      {name = "layers.0.up_proj", argument = 1 : i64, result = 1 : i64, status = "raised"},
      {name = "router.w", argument = 2 : i64, result = 2 : i64, status = "raised"},
      {name = "layers.0.ln_1.scale", argument = 3 : i64, result = 3 : i64, status = "raised"}
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
