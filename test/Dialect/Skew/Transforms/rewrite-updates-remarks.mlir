// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: skew-opt %s --skew-rewrite-updates --remarks-filter=skew-rewrite-updates --remark-format=emitRemark --verify-diagnostics | FileCheck %s

// Why an update is left alone.

// Where an update stays, the signature, the moments and the record stay, and the
// group that speaks of a tier no longer has it.
// CHECK-LABEL: func.func @moment_read_elsewhere(
// CHECK-SAME: %{{[a-z0-9]+}}: tensor<8x16xf32>, %[[M:[a-z0-9]+]]: tensor<8x16xf32>, %[[V:[a-z0-9]+]]: tensor<8x16xf32>, %{{[a-z0-9]+}}: tensor<8x16xf32>, %{{[a-z0-9]+}}: tensor<i32>, %{{[a-z0-9]+}}: tensor<f32>) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
// CHECK: %[[W:.*]]:3 = skew.adamw {{.*}} state(%[[M]], %[[V]] :
// CHECK-NOT: group =
// CHECK: "my.log"(%[[V]])
// CHECK: return %[[W]]#0, %[[W]]#1, %[[W]]#2
// CHECK-LABEL: func.func @rewritten(
// CHECK: skew.skewadam
// CHECK-LABEL: func.func @odd_sharding(
// CHECK-SAME: {mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dims={manual}}"}, %{{[a-z0-9]+}}: tensor<8x16xf32>, %{{[a-z0-9]+}}: tensor<8x16xf32>,

skew.group @g role <router> tier_class "router" tier <m = none, v = f32> axes <row = [0], column = [1]>

// Someone else reads the old second moment.
func.func @moment_read_elsewhere(%p: tensor<8x16xf32>, %m: tensor<8x16xf32>, %v: tensor<8x16xf32>, %g: tensor<8x16xf32>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw"}]} {
  // expected-remark @below {{[Missed] Rewritten | Category:skew-rewrite-updates | Function=moment_read_elsewhere | Reason="the second moment is read outside its update, and the new state could not serve that reader", parameter=w}}
  %w:3 = skew.adamw parameter(%p : tensor<8x16xf32>) gradient(%g : tensor<8x16xf32>)
      state(%m, %v : tensor<8x16xf32>, tensor<8x16xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "w", group = @g}
  %x = "my.log"(%v) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %w#0, %w#1, %w#2, %x : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}

// The old first moment is a result as well.
func.func @moment_returned_as_it_was(%p: tensor<8x16xf32>, %m: tensor<8x16xf32>, %v: tensor<8x16xf32>, %g: tensor<8x16xf32>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw"}]} {
  // expected-remark @below {{[Missed] Rewritten | Category:skew-rewrite-updates | Function=moment_returned_as_it_was | Reason="the first moment is read outside its update, and the new state could not serve that reader", parameter=w}}
  %w:3 = skew.adamw parameter(%p : tensor<8x16xf32>) gradient(%g : tensor<8x16xf32>)
      state(%m, %v : tensor<8x16xf32>, tensor<8x16xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "w", group = @g}
  return %w#0, %w#1, %w#2, %m : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}

// The first moment starts from a constant at every call.
func.func @moment_not_an_argument(%p: tensor<8x16xf32>, %v: tensor<8x16xf32>, %g: tensor<8x16xf32>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw"}]} {
  %zero = arith.constant dense<0.0> : tensor<8x16xf32>
  // expected-remark @below {{[Missed] Rewritten | Category:skew-rewrite-updates | Function=moment_not_an_argument | Reason="the first moment is not an argument of the function", parameter=w}}
  %w:3 = skew.adamw parameter(%p : tensor<8x16xf32>) gradient(%g : tensor<8x16xf32>)
      state(%zero, %v : tensor<8x16xf32>, tensor<8x16xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "w", group = @g}
  return %w#0, %w#1, %w#2 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}

// A norm of the new second moment is logged.
func.func @new_moment_used_twice(%p: tensor<8x16xf32>, %m: tensor<8x16xf32>, %v: tensor<8x16xf32>, %g: tensor<8x16xf32>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw"}]} {
  // expected-remark @below {{[Missed] Rewritten | Category:skew-rewrite-updates | Function=new_moment_used_twice | Reason="the new second moment is used for more than the function's result", parameter=w}}
  %w:3 = skew.adamw parameter(%p : tensor<8x16xf32>) gradient(%g : tensor<8x16xf32>)
      state(%m, %v : tensor<8x16xf32>, tensor<8x16xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "w", group = @g}
  %x = "my.log"(%w#2) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %w#0, %w#1, %w#2, %x : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}

// The new first moment goes nowhere.
func.func @new_moment_not_returned(%p: tensor<8x16xf32>, %m: tensor<8x16xf32>, %v: tensor<8x16xf32>, %g: tensor<8x16xf32>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x16xf32>, tensor<8x16xf32>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw"}]} {
  // expected-remark @below {{[Missed] Rewritten | Category:skew-rewrite-updates | Function=new_moment_not_returned | Reason="the new first moment is used for more than the function's result", parameter=w}}
  %w:3 = skew.adamw parameter(%p : tensor<8x16xf32>) gradient(%g : tensor<8x16xf32>)
      state(%m, %v : tensor<8x16xf32>, tensor<8x16xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "w", group = @g}
  return %w#0, %w#2 : tensor<8x16xf32>, tensor<8x16xf32>
}

// A converted moment is returned.
func.func @new_moment_converted(%p: tensor<8x16xf32>, %m: tensor<8x16xf32>, %v: tensor<8x16xf32>, %g: tensor<8x16xf32>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw"}]} {
  // expected-remark @below {{[Missed] Rewritten | Category:skew-rewrite-updates | Function=new_moment_converted | Reason="the new first moment is used for more than the function's result", parameter=w}}
  %w:3 = skew.adamw parameter(%p : tensor<8x16xf32>) gradient(%g : tensor<8x16xf32>)
      state(%m, %v : tensor<8x16xf32>, tensor<8x16xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "w", group = @g}
  %x = "my.view"(%w#1) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %w#0, %x, %w#2 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}

// The function has callers: its signature is theirs, too.
func.func @called(%p: tensor<8x16xf32>, %m: tensor<8x16xf32>, %v: tensor<8x16xf32>, %g: tensor<8x16xf32>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw"}]} {
  // expected-remark @below {{[Missed] Rewritten | Category:skew-rewrite-updates | Function=called | Reason="the function has callers", parameter=w}}
  %w:3 = skew.adamw parameter(%p : tensor<8x16xf32>) gradient(%g : tensor<8x16xf32>)
      state(%m, %v : tensor<8x16xf32>, tensor<8x16xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "w", group = @g}
  return %w#0, %w#1, %w#2 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}

func.func @caller(%p: tensor<8x16xf32>, %t: tensor<i32>, %lr: tensor<f32>) -> tensor<8x16xf32> {
  %r:3 = func.call @called(%p, %p, %p, %p, %t, %lr) : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>, tensor<i32>, tensor<f32>) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
  return %r#0 : tensor<8x16xf32>
}

// A symbol in an attribute of an op that nothing is known of, in its region, is a caller.
func.func @called_in_region(%p: tensor<8x16xf32>, %m: tensor<8x16xf32>, %v: tensor<8x16xf32>, %g: tensor<8x16xf32>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw"}]} {
  // expected-remark @below {{[Missed] Rewritten | Category:skew-rewrite-updates | Function=called_in_region | Reason="the function has callers", parameter=w}}
  %w:3 = skew.adamw parameter(%p : tensor<8x16xf32>) gradient(%g : tensor<8x16xf32>)
      state(%m, %v : tensor<8x16xf32>, tensor<8x16xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "w", group = @g}
  return %w#0, %w#1, %w#2 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}

func.func @loop() {
  "my.loop"() ({
    "my.apply"() {function = @called_in_region} : () -> ()
  }) : () -> ()
  return
}

// The update is in a branch.
func.func @in_a_region(%p: tensor<8x16xf32>, %m: tensor<8x16xf32>, %v: tensor<8x16xf32>, %g: tensor<8x16xf32>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw"}]} {
  %b:3 = "my.branch"() ({
    // expected-remark @below {{[Missed] Rewritten | Category:skew-rewrite-updates | Function=in_a_region | Reason="the update is inside a region that carries no state", parameter=w}}
    %w:3 = skew.adamw parameter(%p : tensor<8x16xf32>) gradient(%g : tensor<8x16xf32>)
        state(%m, %v : tensor<8x16xf32>, tensor<8x16xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
        {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "w", group = @g}
    "my.yield"(%w#0, %w#1, %w#2) : (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) -> ()
  }) : () -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
  return %b#0, %b#1, %b#2 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}

// None of these: rewritten, and what tier it has is said.
func.func @rewritten(%p: tensor<8x16xf32>, %m: tensor<8x16xf32>, %v: tensor<8x16xf32>, %g: tensor<8x16xf32>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw"}]} {
  // expected-remark @below {{[Passed] Rewritten | Category:skew-rewrite-updates | Function=rewritten | parameter=w, tier="#skew.tier<m = none, v = f32>"}}
  %w:3 = skew.adamw parameter(%p : tensor<8x16xf32>) gradient(%g : tensor<8x16xf32>)
      state(%m, %v : tensor<8x16xf32>, tensor<8x16xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "w", group = @g}
  return %w#0, %w#1, %w#2 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}

// A sharding of a form that is not understood is dropped, and said.
// expected-remark @below {{sharding "{devices=[2,1,2]<=[4] last_tile_dims={manual}}" of the old state is of a form that cannot be restricted; the new state has none}}
func.func @odd_sharding(%p: tensor<8x16xf32> {mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dims={manual}}"}, %m: tensor<8x16xf32>, %v: tensor<8x16xf32> {mhlo.sharding = "{devices=[2,1,2]<=[4] last_tile_dims={manual}}"}, %g: tensor<8x16xf32>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw"}]} {
  // expected-remark @below {{[Passed] Rewritten | Category:skew-rewrite-updates | Function=odd_sharding}}
  %w:3 = skew.adamw parameter(%p : tensor<8x16xf32>) gradient(%g : tensor<8x16xf32>)
      state(%m, %v : tensor<8x16xf32>, tensor<8x16xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "w", group = @g}
  return %w#0, %w#1, %w#2 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}
