// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: skew-opt %s --skew-detect-hazards --remarks-filter=skew-detect-hazards --remark-format=emitRemark --verify-diagnostics | FileCheck %s

// Each hazard, and beside it what just misses it; 2^-9 = 0.001953125.

// Findings are on the function; an empty list says that it was looked at.
// CHECK-LABEL: func.func @bf16_beta2(
// CHECK-SAME: skew.lint = [{kind = "bf16-beta2", message = "the graph keeps {{.*}}never decays", parameter = "w"}]
// CHECK-LABEL: func.func @bf16_beta2_near(
// CHECK-SAME: skew.lint = []
// CHECK-LABEL: func.func @untouched(
// CHECK-SAME: skew.lint = [{kind = "untouched-parameter", message = "{{.*}}", parameter = "frozen"}]
// CHECK-LABEL: func.func @never_raised(
// CHECK-NOT: skew.lint

// 1 - 0.999 = 0.001 < 2^-9, and 0.999 is 1 in bf16.
func.func @bf16_beta2(%p: tensor<8x16xf32>, %m: tensor<8x16xbf16>, %v: tensor<8x16xbf16>, %g: tensor<8x16xf32>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x16xf32>, tensor<8x16xbf16>, tensor<8x16xbf16>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw",
      hyperparameters = {beta1 = 0.9 : f64, beta2 = 0.999 : f64, eps = 1.0e-8 : f64, eps_root = 0.0 : f64, weight_decay = 0.01 : f64, learning_rate = 0.001 : f64},
      states = [{component = "m", argument = 1 : i64, result = 1 : i64, dtype = "bf16", shape = array<i64: 8, 16>},
                {component = "v", argument = 2 : i64, result = 2 : i64, dtype = "bf16", shape = array<i64: 8, 16>}]}]} {
  // expected-remark @below {{bf16-beta2 | Category:skew-detect-hazards | Function=bf16_beta2 | Reason="the graph keeps its second moment in bf16 with beta2 = 0.999: 1 - beta2 is below half a bf16 step (2^-9), so the average is multiplied by exactly 1.0 and never decays", parameter=w}}
  %w:3 = skew.adamw parameter(%p : tensor<8x16xf32>) gradient(%g : tensor<8x16xf32>)
      state(%m, %v : tensor<8x16xbf16>, tensor<8x16xbf16>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "w"}
  return %w#0, %w#1, %w#2 : tensor<8x16xf32>, tensor<8x16xbf16>, tensor<8x16xbf16>
}

// 1 - 0.998 = 0.002 > 2^-9 = 0.00195.
func.func @bf16_beta2_near(%p: tensor<8x16xf32>, %m: tensor<8x16xbf16>, %v: tensor<8x16xbf16>, %g: tensor<8x16xf32>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x16xf32>, tensor<8x16xbf16>, tensor<8x16xbf16>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw",
      hyperparameters = {beta1 = 0.9 : f64, beta2 = 0.998 : f64, eps = 1.0e-8 : f64, eps_root = 0.0 : f64, weight_decay = 0.01 : f64, learning_rate = 0.001 : f64},
      states = [{component = "m", argument = 1 : i64, result = 1 : i64, dtype = "bf16", shape = array<i64: 8, 16>},
                {component = "v", argument = 2 : i64, result = 2 : i64, dtype = "bf16", shape = array<i64: 8, 16>}]}]} {
  %w:3 = skew.adamw parameter(%p : tensor<8x16xf32>) gradient(%g : tensor<8x16xf32>)
      state(%m, %v : tensor<8x16xbf16>, tensor<8x16xbf16>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.998, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "w"}
  return %w#0, %w#1, %w#2 : tensor<8x16xf32>, tensor<8x16xbf16>, tensor<8x16xbf16>
}

// The same beta2 in f32.
func.func @f32_beta2(%p: tensor<8x16xf32>, %m: tensor<8x16xf32>, %v: tensor<8x16xf32>, %g: tensor<8x16xf32>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw",
      hyperparameters = {beta1 = 0.9 : f64, beta2 = 0.999 : f64, eps = 1.0e-8 : f64, eps_root = 0.0 : f64, weight_decay = 0.01 : f64, learning_rate = 0.001 : f64},
      states = [{component = "m", argument = 1 : i64, result = 1 : i64, dtype = "f32", shape = array<i64: 8, 16>},
                {component = "v", argument = 2 : i64, result = 2 : i64, dtype = "f32", shape = array<i64: 8, 16>}]}]} {
  %w:3 = skew.adamw parameter(%p : tensor<8x16xf32>) gradient(%g : tensor<8x16xf32>)
      state(%m, %v : tensor<8x16xf32>, tensor<8x16xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "w"}
  return %w#0, %w#1, %w#2 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}

// 1e-3 * 0.05 < 2^-9: nearest rounding gives the weight back.
func.func @decay_lost(%p: tensor<8x16xbf16>, %m: tensor<8x16xf32>, %v: tensor<8x16xf32>, %g: tensor<8x16xbf16>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x16xbf16>, tensor<8x16xf32>, tensor<8x16xf32>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw",
      hyperparameters = {beta1 = 0.9 : f64, beta2 = 0.999 : f64, eps = 1.0e-8 : f64, eps_root = 0.0 : f64, weight_decay = 0.05 : f64, learning_rate = 0.001 : f64},
      states = [{component = "m", argument = 1 : i64, result = 1 : i64, dtype = "f32", shape = array<i64: 8, 16>},
                {component = "v", argument = 2 : i64, result = 2 : i64, dtype = "f32", shape = array<i64: 8, 16>}]}]} {
  // expected-remark @below {{bf16-decay-lost | Category:skew-detect-hazards | Function=decay_lost | Reason="bf16 weight decay rounds away under nearest rounding: lr * weight_decay = 5e-05 is below 2^-9; use stochastic rounding or fp32 weights", parameter=w}}
  %w:3 = skew.adamw parameter(%p : tensor<8x16xbf16>) gradient(%g : tensor<8x16xbf16>)
      state(%m, %v : tensor<8x16xf32>, tensor<8x16xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.05} {parameter_name = "w"}
  return %w#0, %w#1, %w#2 : tensor<8x16xbf16>, tensor<8x16xf32>, tensor<8x16xf32>
}

// Stochastic rounding keeps it: said, because the graph lost it.
func.func @decay_cured(%p: tensor<8x16xbf16>, %m: tensor<8x16xf32>, %v: tensor<8x16xf32>, %g: tensor<8x16xbf16>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x16xbf16>, tensor<8x16xf32>, tensor<8x16xf32>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw",
      hyperparameters = {beta1 = 0.9 : f64, beta2 = 0.999 : f64, eps = 1.0e-8 : f64, eps_root = 0.0 : f64, weight_decay = 0.05 : f64, learning_rate = 0.001 : f64},
      states = [{component = "m", argument = 1 : i64, result = 1 : i64, dtype = "f32", shape = array<i64: 8, 16>},
                {component = "v", argument = 2 : i64, result = 2 : i64, dtype = "f32", shape = array<i64: 8, 16>}]}]} {
  // expected-remark @below {{bf16-decay-lost | Category:skew-detect-hazards | Function=decay_cured | Reason="bf16 weight decay rounds away under nearest rounding: lr * weight_decay = 5e-05 is below 2^-9; this plan writes with stochastic rounding, which keeps it", parameter=w}}
  %w:3 = skew.adamw parameter(%p : tensor<8x16xbf16>) gradient(%g : tensor<8x16xbf16>)
      state(%m, %v : tensor<8x16xf32>, tensor<8x16xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.05} {parameter_name = "w", rounding = #skew.rounding<stochastic>}
  return %w#0, %w#1, %w#2 : tensor<8x16xbf16>, tensor<8x16xf32>, tensor<8x16xf32>
}

// 2^-9 / 0.05 = 0.0390625.
func.func @decay_at_run_time(%p: tensor<8x16xbf16>, %m: tensor<8x16xf32>, %v: tensor<8x16xf32>, %g: tensor<8x16xbf16>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x16xbf16>, tensor<8x16xf32>, tensor<8x16xf32>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw",
      hyperparameters = {beta1 = 0.9 : f64, beta2 = 0.999 : f64, eps = 1.0e-8 : f64, eps_root = 0.0 : f64, weight_decay = 0.05 : f64, learning_rate = "operand"},
      states = [{component = "m", argument = 1 : i64, result = 1 : i64, dtype = "f32", shape = array<i64: 8, 16>},
                {component = "v", argument = 2 : i64, result = 2 : i64, dtype = "f32", shape = array<i64: 8, 16>}]}]} {
  // expected-remark @below {{bf16-decay-lost | Category:skew-detect-hazards | Function=decay_at_run_time | Reason="bf16 weight decay rounds away under nearest rounding while the learning rate is below 0.03906 (lr * weight_decay < 2^-9, weight_decay = 0.05); use stochastic rounding or fp32 weights", parameter=w}}
  %w:3 = skew.adamw parameter(%p : tensor<8x16xbf16>) gradient(%g : tensor<8x16xbf16>)
      state(%m, %v : tensor<8x16xf32>, tensor<8x16xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.05} {parameter_name = "w"}
  return %w#0, %w#1, %w#2 : tensor<8x16xbf16>, tensor<8x16xf32>, tensor<8x16xf32>
}

// 0.02 * 0.1 = 0.002 > 2^-9.
func.func @decay_kept(%p: tensor<8x16xbf16>, %m: tensor<8x16xf32>, %v: tensor<8x16xf32>, %g: tensor<8x16xbf16>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x16xbf16>, tensor<8x16xf32>, tensor<8x16xf32>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw",
      hyperparameters = {beta1 = 0.9 : f64, beta2 = 0.999 : f64, eps = 1.0e-8 : f64, eps_root = 0.0 : f64, weight_decay = 0.1 : f64, learning_rate = 0.02 : f64},
      states = [{component = "m", argument = 1 : i64, result = 1 : i64, dtype = "f32", shape = array<i64: 8, 16>},
                {component = "v", argument = 2 : i64, result = 2 : i64, dtype = "f32", shape = array<i64: 8, 16>}]}]} {
  %w:3 = skew.adamw parameter(%p : tensor<8x16xbf16>) gradient(%g : tensor<8x16xbf16>)
      state(%m, %v : tensor<8x16xf32>, tensor<8x16xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.1} {parameter_name = "w"}
  return %w#0, %w#1, %w#2 : tensor<8x16xbf16>, tensor<8x16xf32>, tensor<8x16xf32>
}

// fp32 weights.
func.func @decay_in_f32(%p: tensor<8x16xf32>, %m: tensor<8x16xf32>, %v: tensor<8x16xf32>, %g: tensor<8x16xf32>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw",
      hyperparameters = {beta1 = 0.9 : f64, beta2 = 0.999 : f64, eps = 1.0e-8 : f64, eps_root = 0.0 : f64, weight_decay = 0.05 : f64, learning_rate = 0.001 : f64},
      states = [{component = "m", argument = 1 : i64, result = 1 : i64, dtype = "f32", shape = array<i64: 8, 16>},
                {component = "v", argument = 2 : i64, result = 2 : i64, dtype = "f32", shape = array<i64: 8, 16>}]}]} {
  %w:3 = skew.adamw parameter(%p : tensor<8x16xf32>) gradient(%g : tensor<8x16xf32>)
      state(%m, %v : tensor<8x16xf32>, tensor<8x16xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.05} {parameter_name = "w"}
  return %w#0, %w#1, %w#2 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}

// Nothing to lose.
func.func @no_decay(%p: tensor<8x16xbf16>, %m: tensor<8x16xf32>, %v: tensor<8x16xf32>, %g: tensor<8x16xbf16>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x16xbf16>, tensor<8x16xf32>, tensor<8x16xf32>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw",
      hyperparameters = {beta1 = 0.9 : f64, beta2 = 0.999 : f64, eps = 1.0e-8 : f64, eps_root = 0.0 : f64, weight_decay = 0.0 : f64, learning_rate = 0.001 : f64},
      states = [{component = "m", argument = 1 : i64, result = 1 : i64, dtype = "f32", shape = array<i64: 8, 16>},
                {component = "v", argument = 2 : i64, result = 2 : i64, dtype = "f32", shape = array<i64: 8, 16>}]}]} {
  %w:3 = skew.adamw parameter(%p : tensor<8x16xbf16>) gradient(%g : tensor<8x16xbf16>)
      state(%m, %v : tensor<8x16xf32>, tensor<8x16xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.0} {parameter_name = "w"}
  return %w#0, %w#1, %w#2 : tensor<8x16xbf16>, tensor<8x16xf32>, tensor<8x16xf32>
}

// 1e-8 is below half the smallest f16.
func.func @eps_underflow(%p: tensor<8x16xf16>, %m: tensor<8x16xf16>, %v: tensor<8x16xf16>, %g: tensor<8x16xf16>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x16xf16>, tensor<8x16xf16>, tensor<8x16xf16>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw",
      hyperparameters = {beta1 = 0.9 : f64, beta2 = 0.999 : f64, eps = 1.0e-8 : f64, eps_root = 0.0 : f64, weight_decay = 0.0 : f64, learning_rate = 0.001 : f64},
      states = [{component = "m", argument = 1 : i64, result = 1 : i64, dtype = "f16", shape = array<i64: 8, 16>},
                {component = "v", argument = 2 : i64, result = 2 : i64, dtype = "f16", shape = array<i64: 8, 16>}]}]} {
  // expected-remark @below {{eps-underflow | Category:skew-detect-hazards | Function=eps_underflow | Reason="epsilon 1e-08 is zero in f16, the type that the update computes in", parameter=w}}
  %w:3 = skew.adamw parameter(%p : tensor<8x16xf16>) gradient(%g : tensor<8x16xf16>)
      state(%m, %v : tensor<8x16xf16>, tensor<8x16xf16>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.0} {parameter_name = "w", compute_type = f16}
  return %w#0, %w#1, %w#2 : tensor<8x16xf16>, tensor<8x16xf16>, tensor<8x16xf16>
}

// Raising reads the graph's own constant, which is 0 already.
func.func @eps_zero_in_f16(%p: tensor<8x16xf16>, %m: tensor<8x16xf16>, %v: tensor<8x16xf16>, %g: tensor<8x16xf16>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x16xf16>, tensor<8x16xf16>, tensor<8x16xf16>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw",
      hyperparameters = {beta1 = 0.9 : f64, beta2 = 0.999 : f64, eps = 0.0 : f64, eps_root = 0.0 : f64, weight_decay = 0.0 : f64, learning_rate = 0.001 : f64},
      states = [{component = "m", argument = 1 : i64, result = 1 : i64, dtype = "f16", shape = array<i64: 8, 16>},
                {component = "v", argument = 2 : i64, result = 2 : i64, dtype = "f16", shape = array<i64: 8, 16>}]}]} {
  // expected-remark @below {{eps-underflow | Category:skew-detect-hazards | Function=eps_zero_in_f16 | Reason="epsilon is zero in f16, the type that the update computes in: a usual 1e-8 underflows there", parameter=w}}
  %w:3 = skew.adamw parameter(%p : tensor<8x16xf16>) gradient(%g : tensor<8x16xf16>)
      state(%m, %v : tensor<8x16xf16>, tensor<8x16xf16>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 0.0, eps_root = 0.0, weight_decay = 0.0} {parameter_name = "w", compute_type = f16}
  return %w#0, %w#1, %w#2 : tensor<8x16xf16>, tensor<8x16xf16>, tensor<8x16xf16>
}

// 1e-7 rounds to a subnormal.
func.func @eps_in_f16(%p: tensor<8x16xf16>, %m: tensor<8x16xf16>, %v: tensor<8x16xf16>, %g: tensor<8x16xf16>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x16xf16>, tensor<8x16xf16>, tensor<8x16xf16>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw",
      hyperparameters = {beta1 = 0.9 : f64, beta2 = 0.999 : f64, eps = 1.0e-7 : f64, eps_root = 0.0 : f64, weight_decay = 0.0 : f64, learning_rate = 0.001 : f64},
      states = [{component = "m", argument = 1 : i64, result = 1 : i64, dtype = "f16", shape = array<i64: 8, 16>},
                {component = "v", argument = 2 : i64, result = 2 : i64, dtype = "f16", shape = array<i64: 8, 16>}]}]} {
  %w:3 = skew.adamw parameter(%p : tensor<8x16xf16>) gradient(%g : tensor<8x16xf16>)
      state(%m, %v : tensor<8x16xf16>, tensor<8x16xf16>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-7, eps_root = 0.0, weight_decay = 0.0} {parameter_name = "w", compute_type = f16}
  return %w#0, %w#1, %w#2 : tensor<8x16xf16>, tensor<8x16xf16>, tensor<8x16xf16>
}

// bf16 has the range of f32.
func.func @eps_in_bf16(%p: tensor<8x16xf32>, %m: tensor<8x16xf32>, %v: tensor<8x16xf32>, %g: tensor<8x16xf32>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw",
      hyperparameters = {beta1 = 0.9 : f64, beta2 = 0.999 : f64, eps = 1.0e-8 : f64, eps_root = 0.0 : f64, weight_decay = 0.01 : f64, learning_rate = 0.001 : f64},
      states = [{component = "m", argument = 1 : i64, result = 1 : i64, dtype = "f32", shape = array<i64: 8, 16>},
                {component = "v", argument = 2 : i64, result = 2 : i64, dtype = "f32", shape = array<i64: 8, 16>}]}]} {
  %w:3 = skew.adamw parameter(%p : tensor<8x16xf32>) gradient(%g : tensor<8x16xf32>)
      state(%m, %v : tensor<8x16xf32>, tensor<8x16xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "w", compute_type = bf16}
  return %w#0, %w#1, %w#2 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}

// Zero on purpose.
func.func @eps_zero_in_f32(%p: tensor<8x16xf32>, %m: tensor<8x16xf32>, %v: tensor<8x16xf32>, %g: tensor<8x16xf32>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw",
      hyperparameters = {beta1 = 0.9 : f64, beta2 = 0.999 : f64, eps = 0.0 : f64, eps_root = 0.0 : f64, weight_decay = 0.01 : f64, learning_rate = 0.001 : f64},
      states = [{component = "m", argument = 1 : i64, result = 1 : i64, dtype = "f32", shape = array<i64: 8, 16>},
                {component = "v", argument = 2 : i64, result = 2 : i64, dtype = "f32", shape = array<i64: 8, 16>}]}]} {
  %w:3 = skew.adamw parameter(%p : tensor<8x16xf32>) gradient(%g : tensor<8x16xf32>)
      state(%m, %v : tensor<8x16xf32>, tensor<8x16xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 0.0, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "w", compute_type = f32}
  return %w#0, %w#1, %w#2 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}

// 1/sqrt(128*256) = 0.00552 < sqrt(1e-4) = 0.01.
func.func @eps_floor(%p: tensor<128x256xf32>, %v: tensor<128x256xf32>, %g: tensor<128x256xf32>, %t: tensor<i32>, %lr: tensor<f32>) -> (tensor<128x256xf32>, tensor<128x256xf32>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw",
      hyperparameters = {beta1 = 0.9 : f64, beta2 = 0.999 : f64, eps = 1.0e-4 : f64, eps_root = 0.0 : f64, weight_decay = 0.01 : f64, learning_rate = 0.001 : f64}}]} {
  // expected-remark @below {{eps-floor | Category:skew-detect-hazards | Function=eps_floor | Reason="under a global-norm clip of 1 the root mean square gradient is at most 0.005524 over 32768 elements, below the floor sqrt(eps) = 0.01 of the published numerics: the update is close to SGD there; use numerics=tiered", parameter=w}}
  %w:2 = skew.skewadam parameter(%p : tensor<128x256xf32>) gradient(%g : tensor<128x256xf32>)
      state(%v : tensor<128x256xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-4, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "w", tier = #skew.tier<m = none, v = f32>, axes = #skew.axes<row = [0], column = [1]>, numerics = #skew.numerics<published>}
  return %w#0, %w#1 : tensor<128x256xf32>, tensor<128x256xf32>
}

// 1/sqrt(8*16) = 0.088 > 0.01.
func.func @eps_floor_small(%p: tensor<8x16xf32>, %v: tensor<8x16xf32>, %g: tensor<8x16xf32>, %t: tensor<i32>, %lr: tensor<f32>) -> (tensor<8x16xf32>, tensor<8x16xf32>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw",
      hyperparameters = {beta1 = 0.9 : f64, beta2 = 0.999 : f64, eps = 1.0e-4 : f64, eps_root = 0.0 : f64, weight_decay = 0.01 : f64, learning_rate = 0.001 : f64}}]} {
  %w:2 = skew.skewadam parameter(%p : tensor<8x16xf32>) gradient(%g : tensor<8x16xf32>)
      state(%v : tensor<8x16xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-4, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "w", tier = #skew.tier<m = none, v = f32>, axes = #skew.axes<row = [0], column = [1]>, numerics = #skew.numerics<published>}
  return %w#0, %w#1 : tensor<8x16xf32>, tensor<8x16xf32>
}

// No floor in the tiered numerics.
func.func @eps_floor_tiered(%p: tensor<128x256xf32>, %v: tensor<128x256xf32>, %g: tensor<128x256xf32>, %t: tensor<i32>, %lr: tensor<f32>) -> (tensor<128x256xf32>, tensor<128x256xf32>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw",
      hyperparameters = {beta1 = 0.9 : f64, beta2 = 0.999 : f64, eps = 1.0e-4 : f64, eps_root = 0.0 : f64, weight_decay = 0.01 : f64, learning_rate = 0.001 : f64}}]} {
  %w:2 = skew.skewadam parameter(%p : tensor<128x256xf32>) gradient(%g : tensor<128x256xf32>)
      state(%v : tensor<128x256xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-4, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "w", tier = #skew.tier<m = none, v = f32>, axes = #skew.axes<row = [0], column = [1]>, numerics = #skew.numerics<tiered>}
  return %w#0, %w#1 : tensor<128x256xf32>, tensor<128x256xf32>
}

// expected-remark @below {{untouched-parameter | Category:skew-detect-hazards | Function=untouched | Reason="no optimizer updates this parameter: the step returns it as it came in", parameter=frozen}}
func.func @untouched(%p: tensor<4xf32>, %q: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    attributes {skew.parameters = [
      {name = "frozen", argument = 0 : i64, result = 0 : i64, status = "frozen"},
      {name = "other", argument = 1 : i64, result = 1 : i64, status = "declined", reason = "it is not AdamW"}]} {
  return %p, %q : tensor<4xf32>, tensor<4xf32>
}

// One update of another's result.
func.func @two_updates(%p: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>, %n: tensor<4xf32>, %w: tensor<4xf32>, %g: tensor<4xf32>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    attributes {skew.parameters = [{name = "a", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw"},
                                   {name = "b", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw"}]} {
  %a:3 = skew.adamw parameter(%p : tensor<4xf32>) gradient(%g : tensor<4xf32>)
      state(%m, %v : tensor<4xf32>, tensor<4xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.0} {parameter_name = "a"}
  // expected-remark @below {{two-updates | Category:skew-detect-hazards | Function=two_updates | Reason="one step updates it twice: the other update is that of 'a'", parameter=b}}
  %b:3 = skew.adamw parameter(%a#0 : tensor<4xf32>) gradient(%g : tensor<4xf32>)
      state(%n, %w : tensor<4xf32>, tensor<4xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.0} {parameter_name = "b"}
  return %b#0, %a#1, %a#2, %b#1, %b#2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// Two updates side by side.
func.func @two_parameters(%p: tensor<4xf32>, %q: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>, %n: tensor<4xf32>, %w: tensor<4xf32>, %g: tensor<4xf32>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
    attributes {skew.parameters = [{name = "a", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw"},
                                   {name = "b", argument = 1 : i64, result = 1 : i64, status = "raised", rule = "adamw"}]} {
  %a:3 = skew.adamw parameter(%p : tensor<4xf32>) gradient(%g : tensor<4xf32>)
      state(%m, %v : tensor<4xf32>, tensor<4xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.0} {parameter_name = "a"}
  %b:3 = skew.adamw parameter(%q : tensor<4xf32>) gradient(%g : tensor<4xf32>)
      state(%n, %w : tensor<4xf32>, tensor<4xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.0} {parameter_name = "b"}
  return %a#0, %b#0, %a#1, %a#2, %b#1, %b#2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

func.func @never_raised(%p: tensor<4xbf16>) -> tensor<4xbf16> {
  return %p : tensor<4xbf16>
}
