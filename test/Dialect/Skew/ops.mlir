// RUN: skew-opt %s | skew-opt | FileCheck %s
// RUN: skew-opt %s --mlir-print-op-generic | skew-opt | FileCheck %s
// RUN: skew-opt %s --emit-bytecode | skew-opt | FileCheck %s
// Written by version 1 of the dialect: make a new file for a new version, and
// never change this one.
// RUN: skew-opt %S/Inputs/ops-version-1.mlirbc | FileCheck %s

// CHECK: skew.group @expert_0 role <expert> tier_class "expert" tier <m = none, v = factored> axes <batch = [0], row = [1], column = [2]> {rounding = #skew.rounding<stochastic>, why = "policy paper: expert"}
skew.group @expert_0 role <expert> tier_class "expert"
    tier <m = none, v = factored> axes <batch = [0], row = [1], column = [2]>
    {rounding = #skew.rounding<stochastic>, why = "policy paper: expert"}
// CHECK: skew.group @norms role <norm> tier_class "backbone" tier <m = f32, v = f32, place = host> axes <column = [0]>
skew.group @norms role <norm> tier_class "backbone"
    tier <m = f32, v = f32, place = host> axes <column = [0]>
// CHECK: skew.group @undecided role <embedding> tier_class "backbone"{{$}}
skew.group @undecided role <embedding> tier_class "backbone"

// CHECK: skew.state_layout @layout [#skew.slot<index = 0, kind = "parameter", old_index = 0, result = 0, old_result = 0, parameter = "w", parameter_id = 18446744073709551615, component = "", type = tensor<8x6xbf16>, init = 0.000000e+00 : f64, axes = <row = [0], column = [1]>>, #skew.slot<index = 1, kind = "other", old_index = 3, result = -1, old_result = -1, parameter = "", parameter_id = 0, component = "", type = tensor<f32>, init = 0.000000e+00 : f64>] results [0]
skew.state_layout @layout [
  #skew.slot<index = 0, kind = "parameter", old_index = 0, result = 0,
             old_result = 0, parameter = "w",
             parameter_id = 18446744073709551615, component = "",
             type = tensor<8x6xbf16>, init = 0.0 : f64,
             axes = #skew.axes<row = [0], column = [1]>>,
  #skew.slot<index = 1, kind = "other", old_index = 3, result = -1,
             old_result = -1, parameter = "", parameter_id = 0, component = "",
             type = tensor<f32>, init = 0.0 : f64>] results [0]
func.func @layout(%p: tensor<8x6xbf16>, %lr: tensor<f32>) -> tensor<8x6xbf16> {
  return %p : tensor<8x6xbf16>
}

// CHECK-LABEL: func.func @adamw
// CHECK: skew.adamw parameter(%{{.*}} : tensor<8x4xf32>) gradient(%{{.*}} : tensor<8x4xf32>) state(%{{.*}}, %{{.*}} : tensor<8x4xf32>, tensor<8x4xf32>) step(%{{.*}} : tensor<i32>) learning_rate(%{{.*}} : tensor<f32>) {beta1 = {{.*}}weight_decay = 1.000000e-02 : f64}
func.func @adamw(%p: tensor<8x4xf32>, %g: tensor<8x4xf32>, %m: tensor<8x4xf32>,
                 %v: tensor<8x4xf32>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
  %p1, %m1, %v1 = skew.adamw parameter(%p : tensor<8x4xf32>)
      gradient(%g : tensor<8x4xf32>) state(%m, %v : tensor<8x4xf32>, tensor<8x4xf32>)
      step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01}
  return %p1, %m1, %v1 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
}

// CHECK-LABEL: func.func @adamw_keeps_the_graphs_arithmetic
// CHECK: runtime ["weight_decay"](%{{.*}} : tensor<f32>) gradient_scale(%{{.*}} : tensor<f32>) skip(%{{.*}} : tensor<i1>)
// CHECK-SAME: beta1_stored = 0.8984375 : f64
// CHECK-SAME: compute_type = bf16
func.func @adamw_keeps_the_graphs_arithmetic(
    %p: tensor<4xbf16>, %g: tensor<4xbf16>, %m: tensor<4xbf16>,
    %t: tensor<i32>, %lr: tensor<f32>, %wd: tensor<f32>, %scale: tensor<f32>,
    %skip: tensor<i1>) -> tensor<4xbf16> {
  %p1, %m1, %v1 = skew.adamw parameter(%p : tensor<4xbf16>)
      gradient(%g : tensor<4xbf16>) state(%m, %m : tensor<4xbf16>, tensor<4xbf16>)
      step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      runtime ["weight_decay"](%wd : tensor<f32>)
      gradient_scale(%scale : tensor<f32>) skip(%skip : tensor<i1>)
      {beta1 = 0.9, beta1_stored = 0.8984375, beta2 = 0.999, eps = 1.0e-8,
       eps_root = 0.0}
      {compute_type = bf16, group = @undecided}
  return %p1 : tensor<4xbf16>
}

// CHECK-LABEL: func.func @skewadam
// CHECK: skew.skewadam parameter(%{{.*}} : tensor<4x8x6xbf16>)
// CHECK-SAME: {axes = #skew.axes<batch = [0], row = [1], column = [2]>, rounding = #skew.rounding<stochastic>, tier = #skew.tier<m = none, v = factored>}
func.func @skewadam(%p: tensor<4x8x6xbf16>, %g: tensor<4x8x6xbf16>,
                    %r: tensor<4x8xf32>, %c: tensor<4x6xf32>, %t: tensor<i32>,
                    %lr: tensor<f32>)
    -> (tensor<4x8x6xbf16>, tensor<4x8xf32>, tensor<4x6xf32>) {
  %p1, %r1, %c1 = skew.skewadam parameter(%p : tensor<4x8x6xbf16>)
      gradient(%g : tensor<4x8x6xbf16>) state(%r, %c : tensor<4x8xf32>, tensor<4x6xf32>)
      step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.05}
      {axes = #skew.axes<batch = [0], row = [1], column = [2]>,
       tier = #skew.tier<m = none, v = factored>, rounding = #skew.rounding<stochastic>}
  return %p1, %r1, %c1 : tensor<4x8x6xbf16>, tensor<4x8xf32>, tensor<4x6xf32>
}

// CHECK-LABEL: func.func @lion_and_sgd
func.func @lion_and_sgd(%p: tensor<8xf32>, %g: tensor<8xf32>, %m: tensor<8xf32>,
                        %lr: tensor<f32>)
    -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  // CHECK: skew.lion parameter(%{{.*}}) gradient(%{{.*}}) state(%{{.*}}) learning_rate(%{{.*}}) {beta1 =
  %p1, %m1 = skew.lion parameter(%p : tensor<8xf32>) gradient(%g : tensor<8xf32>)
      state(%m : tensor<8xf32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.99, weight_decay = 0.1}
  // CHECK: skew.sgd parameter(%{{.*}}) gradient(%{{.*}}) state(%{{.*}}) learning_rate(%{{.*}}) {dampening =
  %p2, %m2 = skew.sgd parameter(%p1 : tensor<8xf32>) gradient(%g : tensor<8xf32>)
      state(%m1 : tensor<8xf32>) learning_rate(%lr : tensor<f32>)
      {momentum = 0.9, dampening = 0.0, nesterov = 0.0, weight_decay = 0.0}
  // CHECK: skew.sgd parameter(%{{.*}}) gradient(%{{.*}}) learning_rate(%{{.*}}) {weight_decay =
  %p3 = skew.sgd parameter(%p2 : tensor<8xf32>) gradient(%g : tensor<8xf32>)
      learning_rate(%lr : tensor<f32>) {weight_decay = 0.0}
  return %p2, %m2, %p3 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @sweeps
func.func @sweeps(%g: tensor<8x4xbf16>, %p: tensor<8x4xf16>, %t: tensor<i32>)
    -> (tensor<8xf32>, tensor<4xf32>, tensor<8x4xf16>, tensor<f64>) {
  // CHECK: skew.sweep domain([8, 4], <row = [0], column = [1]>) ins(%{{.*}} elem : tensor<8x4xbf16>) outs(row sum into -1 : tensor<8xf32>, col sum into -1 : tensor<4xf32>) {
  // CHECK: ^bb0(%{{.*}}: f32, %{{.*}}: i64):
  // CHECK: skew.yield %{{.*}}, %{{.*}} : f32, f32
  %r:2 = skew.sweep domain([8, 4], <row = [0], column = [1]>)
      ins(%g elem : tensor<8x4xbf16>)
      outs(row sum into -1 : tensor<8xf32>, col sum into -1 : tensor<4xf32>) {
  ^bb0(%x: f32, %index: i64):
    %q = arith.mulf %x, %x : f32
    skew.yield %q, %q : f32, f32
  }
  // CHECK: skew.sweep domain([8, 4], <batch = [0], column = [1]>) ins(%{{.*}} elem : tensor<8x4xf16>) outs(elem write into 0 : tensor<8x4xf16>) attributes {note = "rounds itself"} {
  // CHECK: skew.round_stochastic %{{.*}}, %{{.*}} : f32 to f16
  %s = skew.sweep domain([8, 4], <batch = [0], column = [1]>)
      ins(%p elem : tensor<8x4xf16>) outs(elem write into 0 : tensor<8x4xf16>)
      attributes {note = "rounds itself"} {
  ^bb0(%x: f32, %index: i64):
    %bits = arith.trunci %index : i64 to i32
    %y = skew.round_stochastic %x, %bits : f32 to f16
    skew.yield %y : f16
  }
  // CHECK: skew.sweep domain([], <>) ins(%{{.*}} scalar : tensor<i32>) outs(scalar write into -1 : tensor<f64>) {
  %u = skew.sweep domain([], <>) ins(%t scalar : tensor<i32>)
      outs(scalar write into -1 : tensor<f64>) {
  ^bb0(%x: i32, %index: i64):
    %y = arith.sitofp %x : i32 to f64
    skew.yield %y : f64
  }
  return %r#0, %r#1, %s, %u
      : tensor<8xf32>, tensor<4xf32>, tensor<8x4xf16>, tensor<f64>
}
