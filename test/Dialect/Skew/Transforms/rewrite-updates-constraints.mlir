// RUN: skew-opt %s --allow-unregistered-dialect --skew-rewrite-updates | FileCheck %s

// Constraints on the layout of state go to the result that they were about, and
// from there to what replaces it; one that has a sharding keeps its own. Donors
// without a result stay donors.

skew.group @factored role <expert> tier_class "expert" tier <m = none, v = factored>
    axes <row = [0], column = [1]>
skew.group @exact role <backbone> tier_class "backbone" tier <m = f32, v = f32>
    axes <row = [0], column = [1]>

// CHECK-LABEL: func.func @shardy(
// CHECK-SAME: %[[P:[a-z0-9]+]]: tensor<8x16xf32>, %[[ROW:[a-z0-9]+]]: tensor<8xf32> {jax.buffer_donor = true}, %[[COL:[a-z0-9]+]]: tensor<16xf32> {jax.buffer_donor = true},
// CHECK-SAME: -> (tensor<8x16xf32>, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>})
// CHECK-NOT: sharding_constraint
// CHECK: %[[W:.*]]:3 = skew.skewadam {{.*}} state(%[[ROW]], %[[COL]] :
// CHECK: %[[PARAMETER:.*]] = "sdy.sharding_constraint"(%[[W]]#0)
// CHECK-NOT: sharding_constraint
// CHECK: return %[[PARAMETER]], %[[W]]#1, %[[W]]#2
func.func @shardy(
    %p: tensor<8x16xf32>, %m: tensor<8x16xf32> {jax.buffer_donor = true},
    %v: tensor<8x16xf32> {jax.buffer_donor = true}, %g: tensor<8x16xf32>,
    %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw"}]} {
  %vc = "sdy.sharding_constraint"(%v) {sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %p1, %m1, %v1 = skew.adamw parameter(%p : tensor<8x16xf32>)
      gradient(%g : tensor<8x16xf32>) state(%m, %vc : tensor<8x16xf32>, tensor<8x16xf32>)
      step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.0}
      {group = @factored}
  %pc = "sdy.sharding_constraint"(%p1) {sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %mc = "sdy.sharding_constraint"(%m1) {sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %vd = "sdy.sharding_constraint"(%v1) {sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %pc, %mc, %vd : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}

// CHECK-LABEL: func.func @hlo(
// CHECK-SAME: -> (tensor<8x16xf32>, tensor<8xf32> {mhlo.sharding = "{devices=[2,4]<=[8] last_tile_dim_replicate}"}, tensor<16xf32> {mhlo.sharding = "{devices=[4,2]<=[2,4]T(1,0) last_tile_dim_replicate}"})
// CHECK-NOT: custom_call
func.func @hlo(
    %p: tensor<8x16xf32>, %m: tensor<8x16xf32>, %v: tensor<8x16xf32>,
    %g: tensor<8x16xf32>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw"}]} {
  %p1, %m1, %v1 = skew.adamw parameter(%p : tensor<8x16xf32>)
      gradient(%g : tensor<8x16xf32>) state(%m, %v : tensor<8x16xf32>, tensor<8x16xf32>)
      step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.0}
      {group = @factored}
  %vd = "stablehlo.custom_call"(%v1) {call_target_name = "Sharding", mhlo.sharding = "{devices=[2,4]<=[8]}"} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %p1, %m1, %vd : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}

// The result's own sharding is what the caller sees.
// CHECK-LABEL: func.func @own(
// CHECK-SAME: -> (tensor<8x16xf32>, tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, tensor<8x16xf32>)
func.func @own(
    %p: tensor<8x16xf32>, %m: tensor<8x16xf32>, %v: tensor<8x16xf32>,
    %g: tensor<8x16xf32>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x16xf32>, tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, tensor<8x16xf32>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw"}]} {
  %p1, %m1, %v1 = skew.adamw parameter(%p : tensor<8x16xf32>)
      gradient(%g : tensor<8x16xf32>) state(%m, %v : tensor<8x16xf32>, tensor<8x16xf32>)
      step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.0}
      {group = @exact}
  %mc = "sdy.sharding_constraint"(%m1) {sharding = #sdy.sharding<@mesh, [{"x"}, {}]>} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %p1, %mc, %v1 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}

// A constraint that something else reads as well is no border: the update stays.
// CHECK-LABEL: func.func @read_twice(
// CHECK: skew.adamw
// CHECK: "sdy.sharding_constraint"
// CHECK: "my.log"
func.func @read_twice(
    %p: tensor<8x16xf32>, %m: tensor<8x16xf32>, %v: tensor<8x16xf32>,
    %g: tensor<8x16xf32>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw"}]} {
  %p1, %m1, %v1 = skew.adamw parameter(%p : tensor<8x16xf32>)
      gradient(%g : tensor<8x16xf32>) state(%m, %v : tensor<8x16xf32>, tensor<8x16xf32>)
      step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.0}
      {group = @factored}
  %vd = "sdy.sharding_constraint"(%v1) {sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>} : (tensor<8x16xf32>) -> tensor<8x16xf32>
  "my.log"(%vd) : (tensor<8x16xf32>) -> ()
  return %p1, %m1, %vd : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}
