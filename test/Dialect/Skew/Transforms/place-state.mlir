// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: skew-opt %s --skew-place-state | FileCheck %s --check-prefix=PAPER
// RUN: skew-opt %s --skew-place-state="rounding=nearest numerics=published rms-clip=off seed=7" | FileCheck %s --check-prefix=OPTIONS
// RUN: skew-opt %s --skew-place-state=policy=keep | FileCheck %s --check-prefix=KEEP

// The paper's tiers by class; bf16 parameters are rounded stochastically, a
// momentum stays in the graph's type, a vector keeps an exact second moment.
// PAPER: skew.group @embedding_0 role <embedding> tier_class "backbone" tier <m = f32, v = factored> axes <row = [0], column = [1]> {rounding = #skew.rounding<stochastic>, why = "policy paper: backbone keeps momentum, second moment factored"}
// PAPER-NEXT: skew.group @expert_0 role <expert> tier_class "expert" tier <m = none, v = factored> axes <batch = [0], row = [1], column = [2]> {rounding = #skew.rounding<stochastic>, why = "policy paper: expert keeps no momentum, second moment factored"}
// PAPER-NEXT: skew.group @router_0 role <router> tier_class "router" tier <m = none, v = f32> axes <row = [0], column = [1]> {rounding = #skew.rounding<stochastic>, why = "policy paper: router keeps no momentum, second moment exact"}
// PAPER-NEXT: skew.group @norm_0 role <norm> tier_class "backbone" tier <m = f32, v = f32> axes <column = [0]> {rounding = #skew.rounding<stochastic>, why = "policy paper: backbone keeps momentum, second moment exact (factors would save nothing)"}
// fp32 parameters need no stochastic rounding; the axes found are kept.
// PAPER-NEXT: skew.group @backbone_0 role <backbone> tier_class "backbone" tier <m = f32, v = factored> axes <row = [1], column = [0]> {why = "policy paper: backbone keeps momentum, second moment factored"}
// PAPER-NEXT: skew.group @backbone_1 role <backbone> tier_class "backbone" tier <m = bf16, v = factored> axes <row = [0], column = [1]> {rounding = #skew.rounding<stochastic>
// PAPER-NEXT: skew.group @backbone_2 role <backbone> tier_class "backbone" {why = "rule lion keeps its own state"}
// PAPER-LABEL: func.func @step
// PAPER: group = @embedding_0
// PAPER: group = @expert_0
// PAPER: group = @router_0
// PAPER: group = @norm_0
// PAPER: group = @backbone_0
// PAPER: group = @backbone_1

// OPTIONS: skew.group @embedding_0 {{.*}} {numerics = #skew.numerics<published>, rms_clip = #skew.rms_clip<off>, seed = 7 : i64, why =

// One group per role, without a tier: the updates stay.
// KEEP: skew.group @embedding_0 role <embedding> tier_class "backbone" {why = "policy keep"}
// KEEP-NEXT: skew.group @expert_0 role <expert> tier_class "expert" {why = "policy keep"}
// KEEP-NOT: tier <
func.func @step(%p0: tensor<8x16xbf16>, %m0: tensor<8x16xf32>, %v0: tensor<8x16xf32>, %g0: tensor<8x16xbf16>,
    %p1: tensor<4x8x16xbf16>, %m1: tensor<4x8x16xf32>, %v1: tensor<4x8x16xf32>, %g1: tensor<4x8x16xbf16>,
    %p2: tensor<8x4xbf16>, %m2: tensor<8x4xf32>, %v2: tensor<8x4xf32>, %g2: tensor<8x4xbf16>,
    %p3: tensor<16xbf16>, %m3: tensor<16xf32>, %v3: tensor<16xf32>, %g3: tensor<16xbf16>,
    %p4: tensor<8x8xf32>, %m4: tensor<8x8xf32>, %v4: tensor<8x8xf32>, %g4: tensor<8x8xf32>,
    %p5: tensor<8x8xbf16>, %m5: tensor<8x8xbf16>, %v5: tensor<8x8xbf16>, %g5: tensor<8x8xbf16>,
    %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x16xbf16>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<4x8x16xbf16>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<8x4xbf16>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<16xbf16>, tensor<16xf32>, tensor<16xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>)
    attributes {skew.parameters = [
      {name = "p0", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw", role = #skew.role<embedding>, tier_class = "backbone", axes = #skew.axes<row = [0], column = [1]>},
      {name = "p1", argument = 4 : i64, result = 3 : i64, status = "raised", rule = "adamw", role = #skew.role<expert>, tier_class = "expert", axes = #skew.axes<batch = [0], row = [1], column = [2]>},
      {name = "p2", argument = 8 : i64, result = 6 : i64, status = "raised", rule = "adamw", role = #skew.role<router>, tier_class = "router", axes = #skew.axes<row = [0], column = [1]>},
      {name = "p3", argument = 12 : i64, result = 9 : i64, status = "raised", rule = "adamw", role = #skew.role<norm>, tier_class = "backbone", axes = #skew.axes<column = [0]>},
      {name = "p4", argument = 16 : i64, result = 12 : i64, status = "raised", rule = "adamw", role = #skew.role<backbone>, tier_class = "backbone", axes = #skew.axes<row = [1], column = [0]>},
      {name = "p5", argument = 20 : i64, result = 15 : i64, status = "raised", rule = "adamw", role = #skew.role<backbone>, tier_class = "backbone", axes = #skew.axes<row = [0], column = [1]>}]} {
  %r0:3 = skew.adamw parameter(%p0 : tensor<8x16xbf16>) gradient(%g0 : tensor<8x16xbf16>)
      state(%m0, %v0 : tensor<8x16xf32>, tensor<8x16xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "p0"}
  %r1:3 = skew.adamw parameter(%p1 : tensor<4x8x16xbf16>) gradient(%g1 : tensor<4x8x16xbf16>)
      state(%m1, %v1 : tensor<4x8x16xf32>, tensor<4x8x16xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "p1"}
  %r2:3 = skew.adamw parameter(%p2 : tensor<8x4xbf16>) gradient(%g2 : tensor<8x4xbf16>)
      state(%m2, %v2 : tensor<8x4xf32>, tensor<8x4xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "p2"}
  %r3:3 = skew.adamw parameter(%p3 : tensor<16xbf16>) gradient(%g3 : tensor<16xbf16>)
      state(%m3, %v3 : tensor<16xf32>, tensor<16xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "p3"}
  %r4:3 = skew.adamw parameter(%p4 : tensor<8x8xf32>) gradient(%g4 : tensor<8x8xf32>)
      state(%m4, %v4 : tensor<8x8xf32>, tensor<8x8xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "p4"}
  %r5:3 = skew.adamw parameter(%p5 : tensor<8x8xbf16>) gradient(%g5 : tensor<8x8xbf16>)
      state(%m5, %v5 : tensor<8x8xbf16>, tensor<8x8xbf16>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "p5"}
  return %r0#0, %r0#1, %r0#2, %r1#0, %r1#1, %r1#2, %r2#0, %r2#1, %r2#2, %r3#0, %r3#1, %r3#2, %r4#0, %r4#1, %r4#2, %r5#0, %r5#1, %r5#2 :
      tensor<8x16xbf16>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<4x8x16xbf16>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<8x4xbf16>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<16xbf16>, tensor<16xf32>, tensor<16xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xbf16>, tensor<8x8xbf16>, tensor<8x8xbf16>
}

// Another rule keeps its own state, and says so.
// PAPER-LABEL: func.func @lion
// PAPER: group = @backbone_{{[0-9]+}}
func.func @lion(%p: tensor<8x8xf32>, %m: tensor<8x8xf32>, %g: tensor<8x8xf32>, %lr: tensor<f32>) -> (tensor<8x8xf32>, tensor<8x8xf32>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "lion"}]} {
  %r:2 = skew.lion parameter(%p : tensor<8x8xf32>) gradient(%g : tensor<8x8xf32>) state(%m : tensor<8x8xf32>)
      learning_rate(%lr : tensor<f32>) {beta1 = 0.9, beta2 = 0.99, weight_decay = 0.1} {parameter_name = "w"}
  return %r#0, %r#1 : tensor<8x8xf32>, tensor<8x8xf32>
}

// Never raised: nothing to place.
// PAPER-LABEL: func.func @other(%arg0: tensor<4xf32>) -> tensor<4xf32> {
func.func @other(%p: tensor<4xf32>) -> tensor<4xf32> {
  return %p : tensor<4xf32>
}
