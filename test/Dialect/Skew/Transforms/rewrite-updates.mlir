// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: skew-opt %s --split-input-file --skew-rewrite-updates --mlir-print-debuginfo | FileCheck %s

// An expert without momentum and with factors, a bias that keeps both moments,
// the step and data. What replaces a moment stands where it stood, is donated to
// its own next value, has the moment's name, location and what is left of its
// sharding; places after a moment that goes move up.

skew.group @expert_0 role <expert> tier_class "expert" tier <m = none, v = factored>
    axes <batch = [0], row = [1], column = [2]> {rounding = #skew.rounding<stochastic>, seed = 3 : i64}
skew.group @norm_0 role <norm> tier_class "backbone" tier <m = f32, v = f32> axes <column = [0]>
    {numerics = #skew.numerics<published>, rms_clip = #skew.rms_clip<off>}

// CHECK-LABEL: func.func @signature(
// CHECK-SAME: %[[P:[a-z0-9]+]]: tensor<4x8x16xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>, tf.aliasing_output = 0 : i32} loc("p['w']"),
// CHECK-SAME: %[[ROW:[a-z0-9]+]]: tensor<4x8xf32> {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, tf.aliasing_output = 1 : i32} loc("s.nu['w'].v_row"),
// CHECK-SAME: %[[COL:[a-z0-9]+]]: tensor<4x16xf32> {mhlo.sharding = "{devices=[2,4]<=[8]}", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>, tf.aliasing_output = 2 : i32} loc("s.nu['w'].v_col"),
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<16xf32> {tf.aliasing_output = 3 : i32} loc("p['b']"),
// CHECK-SAME: %[[MB:[a-z0-9]+]]: tensor<16xf32> {tf.aliasing_output = 4 : i32} loc("s.mu['b']"),
// A moment that was not donated is not.
// CHECK-SAME: %[[VB:[a-z0-9]+]]: tensor<16xf32> loc("s.nu['b']"),
// CHECK-SAME: %[[T:[a-z0-9]+]]: tensor<i32> {tf.aliasing_output = 6 : i32} loc("s.count"),
// CHECK-SAME: %[[G:[a-z0-9]+]]: tensor<4x8x16xbf16> {jax.buffer_donor = true}
// CHECK-SAME: -> (tensor<4x8x16xbf16> {jax.result_info = "result[0]['w']"},
// CHECK-SAME: tensor<4x8xf32> {jax.result_info = "result[1].nu['w'].v_row", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
// CHECK-SAME: tensor<4x16xf32> {jax.result_info = "result[1].nu['w'].v_col", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
// CHECK-SAME: tensor<16xf32> {jax.result_info = "result[0]['b']"}, tensor<16xf32> {jax.result_info = "result[1].mu['b']"}, tensor<16xf32> {jax.result_info = "result[1].nu['b']"}, tensor<i32> {jax.result_info = "result[1].count"})
// CHECK: %[[W:.*]]:3 = skew.skewadam parameter(%[[P]] : tensor<4x8x16xbf16>) gradient(%[[G]] : tensor<4x8x16xbf16>) state(%[[ROW]], %[[COL]] : tensor<4x8xf32>, tensor<4x16xf32>) step(%{{.*}} : tensor<i32>) learning_rate(%{{.*}} : tensor<f32>)
// The graph's own stored constants belong to its own arithmetic.
// CHECK-SAME: {beta1 = 9.000000e-01 : f64, beta2 = 0.99899999999999999 : f64, eps = 1.000000e-08 : f64, eps_root = 0.000000e+00 : f64, weight_decay = 1.000000e-02 : f64}
// CHECK-SAME: {axes = #skew.axes<batch = [0], row = [1], column = [2]>, group = @expert_0, parameter_id = 77 : i64, parameter_name = "p['w']", rounding = #skew.rounding<stochastic>, seed = 3 : i64, tier = #skew.tier<m = none, v = factored>}
// CHECK: %[[BIAS:.*]]:3 = skew.skewadam parameter(%[[B]] : tensor<16xf32>) {{.*}} state(%[[MB]], %[[VB]] : tensor<16xf32>, tensor<16xf32>)
// CHECK-SAME: numerics = #skew.numerics<published>, parameter_name = "p['b']", rms_clip = #skew.rms_clip<off>
// CHECK: return %[[W]]#0, %[[W]]#1, %[[W]]#2, %[[BIAS]]#0, %[[BIAS]]#1, %[[BIAS]]#2, %{{.*}} : tensor<4x8x16xbf16>, tensor<4x8xf32>, tensor<4x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<i32>
// CHECK-NOT: skew.adamw

// CHECK: skew.state_layout @signature
// CHECK-SAME: #skew.slot<index = 0, kind = "parameter", old_index = 0, result = 0, old_result = 0, parameter = "p['w']", parameter_id = [[ID:[0-9]+]], component = "", type = tensor<4x8x16xbf16>, init = 0.000000e+00 : f64, axes = <batch = [0], row = [1], column = [2]>>
// CHECK-SAME: #skew.slot<index = 1, kind = "state", old_index = 2, result = 1, old_result = 2, parameter = "p['w']", parameter_id = [[ID]], component = "v_row", type = tensor<4x8xf32>
// CHECK-SAME: #skew.slot<index = 2, kind = "state", old_index = 2, result = 2, old_result = 2, parameter = "p['w']", parameter_id = [[ID]], component = "v_col", type = tensor<4x16xf32>
// CHECK-SAME: #skew.slot<index = 3, kind = "parameter", old_index = 3, result = 3, old_result = 3, parameter = "p['b']"
// CHECK-SAME: #skew.slot<index = 4, kind = "state", old_index = 4, result = 4, old_result = 4, parameter = "p['b']"
// CHECK-SAME: component = "m"
// CHECK-SAME: #skew.slot<index = 5, kind = "state", old_index = 5, result = 5, old_result = 5,
// CHECK-SAME: component = "v"
// CHECK-SAME: #skew.slot<index = 6, kind = "state", old_index = 6, result = 6, old_result = 6, parameter = "", parameter_id = 0, component = "step", type = tensor<i32>
// CHECK-SAME: #skew.slot<index = 7, kind = "other", old_index = 7, result = -1, old_result = -1,
// CHECK-SAME: results [0, 2, 2, 3, 4, 5, 6]

func.func @signature(
    %p: tensor<4x8x16xbf16> {tf.aliasing_output = 0 : i32, sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>} loc("p['w']"),
    %m: tensor<4x8x16xf32> {tf.aliasing_output = 1 : i32, sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>} loc("s.mu['w']"),
    %v: tensor<4x8x16xf32> {tf.aliasing_output = 2 : i32, sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>, mhlo.sharding = "{devices=[2,1,4]<=[8]}"} loc("s.nu['w']"),
    %b: tensor<16xf32> {tf.aliasing_output = 3 : i32} loc("p['b']"),
    %mb: tensor<16xf32> {tf.aliasing_output = 4 : i32} loc("s.mu['b']"),
    %vb: tensor<16xf32> loc("s.nu['b']"),
    %t: tensor<i32> {tf.aliasing_output = 6 : i32} loc("s.count"),
    %g: tensor<4x8x16xbf16> {jax.buffer_donor = true}, %gb: tensor<16xf32>, %lr: tensor<f32>)
    -> (tensor<4x8x16xbf16> {jax.result_info = "result[0]['w']"},
        tensor<4x8x16xf32> {jax.result_info = "result[1].mu['w']"},
        tensor<4x8x16xf32> {jax.result_info = "result[1].nu['w']", sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>},
        tensor<16xf32> {jax.result_info = "result[0]['b']"}, tensor<16xf32> {jax.result_info = "result[1].mu['b']"},
        tensor<16xf32> {jax.result_info = "result[1].nu['b']"}, tensor<i32> {jax.result_info = "result[1].count"})
    attributes {skew.parameters = [
      {name = "p['w']", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw"},
      {name = "p['b']", argument = 3 : i64, result = 3 : i64, status = "raised", rule = "adamw"}],
      skew.other_state = [{name = "s.count", kind = "step", argument = 6 : i64, result = 6 : i64, bytes = 4 : i64}]} {
  %one = arith.constant dense<1> : tensor<i32>
  %t1 = arith.addi %t, %one : tensor<i32>
  %w:3 = skew.adamw parameter(%p : tensor<4x8x16xbf16>) gradient(%g : tensor<4x8x16xbf16>)
      state(%m, %v : tensor<4x8x16xf32>, tensor<4x8x16xf32>) step(%t1 : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, beta2_stored = 0.9990234375, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01}
      {parameter_name = "p['w']", parameter_id = 77 : i64, group = @expert_0, compute_type = f32}
  %bias:3 = skew.adamw parameter(%b : tensor<16xf32>) gradient(%gb : tensor<16xf32>)
      state(%mb, %vb : tensor<16xf32>, tensor<16xf32>) step(%t1 : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01}
      {parameter_name = "p['b']", group = @norm_0}
  return %w#0, %w#1, %w#2, %bias#0, %bias#1, %bias#2, %t1
      : tensor<4x8x16xbf16>, tensor<4x8x16xf32>, tensor<4x8x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<i32>
}

// -----

// The state stands first and the front end paired equal types in order: the
// parameter was donated to a result that goes, and the second moment to the
// parameter's. Each is then donated to its own next value.

skew.group @g role <backbone> tier_class "backbone" tier <m = bf16, v = factored> axes <row = [0], column = [1]>

// CHECK-LABEL: func.func @donated_in_order(
// CHECK-SAME: %{{.*}}: tensor<8x16xf32> {tf.aliasing_output = 3 : i32} loc({{[^)]*}}), %{{.*}}: tensor<8x16xbf16> {tf.aliasing_output = 0 : i32} loc({{[^)]*}}), %{{.*}}: tensor<8xf32> {tf.aliasing_output = 1 : i32} loc({{[^)]*}}), %{{.*}}: tensor<16xf32> {tf.aliasing_output = 2 : i32}
// CHECK-SAME: -> (tensor<8x16xbf16>, tensor<8xf32>, tensor<16xf32>, tensor<8x16xf32>)
func.func @donated_in_order(
    %p: tensor<8x16xf32> {tf.aliasing_output = 0 : i32}, %m: tensor<8x16xf32> {tf.aliasing_output = 1 : i32},
    %v: tensor<8x16xf32> {tf.aliasing_output = 2 : i32}, %g: tensor<8x16xf32>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 2 : i64, status = "raised", rule = "adamw"}]} {
  %w:3 = skew.adamw parameter(%p : tensor<8x16xf32>) gradient(%g : tensor<8x16xf32>)
      state(%m, %v : tensor<8x16xf32>, tensor<8x16xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "w", group = @g}
  return %w#1, %w#2, %w#0 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}

// -----

// Data that was donated to a moment that goes has no one to be donated to.

skew.group @g role <router> tier_class "router" tier <m = none, v = f32> axes <row = [0], column = [1]>

// CHECK-LABEL: func.func @donor_without_taker(
// CHECK-SAME: %{{.*}}: tensor<8x16xf32> loc({{[^)]*}}), %{{.*}}: tensor<8x16xf32> loc({{[^)]*}}), %{{.*}}: tensor<8x16xf32> loc(
// CHECK-SAME: -> (tensor<8x16xf32>, tensor<8x16xf32>)
func.func @donor_without_taker(
    %p: tensor<8x16xf32>, %m: tensor<8x16xf32>, %v: tensor<8x16xf32>, %g: tensor<8x16xf32> {tf.aliasing_output = 1 : i32},
    %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw"}]} {
  %w:3 = skew.adamw parameter(%p : tensor<8x16xf32>) gradient(%g : tensor<8x16xf32>)
      state(%m, %v : tensor<8x16xf32>, tensor<8x16xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "w", group = @g}
  return %w#0, %w#1, %w#2 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}

// -----

// The group is what the rewrite reads: without a tier the update stays, and the
// layout says where everything is.

skew.group @g role <backbone> tier_class "backbone" {why = "edited by hand"}

// CHECK-LABEL: func.func @kept(
// CHECK: skew.adamw
// CHECK-NOT: skew.skewadam
// CHECK: skew.state_layout @kept
// CHECK-SAME: #skew.slot<index = 1, kind = "state", old_index = 1, result = 1, old_result = 1, parameter = "w", parameter_id = {{[0-9]+}}, component = "m"
func.func @kept(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %g: tensor<8xf32>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw"}]} {
  %w:3 = skew.adamw parameter(%p : tensor<8xf32>) gradient(%g : tensor<8xf32>)
      state(%m, %v : tensor<8xf32>, tensor<8xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "w", group = @g}
  return %w#0, %w#1, %w#2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}
