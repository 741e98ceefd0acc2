// RUN: skew-opt %s --split-input-file --verify-diagnostics

// One cause per chunk; each check of the dialect once.

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

// expected-error @below {{expected batch, row or column, got depth}}
func.func private @f() attributes {a = #skew.axes<depth = [0]>}

// -----

// expected-error @below {{duplicate axis class row}}
func.func private @f() attributes {a = #skew.axes<row = [0], row = [1]>}

// -----

// expected-error @below {{axes of one class must ascend}}
func.func private @f() attributes {a = #skew.axes<row = [1, 0]>}

// -----

// expected-error @below {{batch, row and column must partition the axes 0 to 1}}
func.func private @f() attributes {a = #skew.axes<row = [0], column = [2]>}

// -----

// expected-error @below {{the first moment can be none or a float type, not factored}}
func.func private @f() attributes {a = #skew.tier<m = factored, v = f32>}

// -----

// expected-error @below {{the second moment must be kept: a float type or factored}}
func.func private @f() attributes {a = #skew.tier<m = f32, v = none>}

// -----

//===----------------------------------------------------------------------===//
// Groups and layouts
//===----------------------------------------------------------------------===//

// expected-error @below {{'skew.group' op tier_class must be backbone, expert or router, got 'head'}}
skew.group @g role <norm> tier_class "head"

// -----

// expected-error @below {{'skew.group' op tier needs axes: the split is part of the decision}}
skew.group @g role <norm> tier_class "backbone" tier <m = f32, v = f32>

// -----

// expected-error @below {{'skew.state_layout' op function 'missing' does not exist}}
skew.state_layout @missing [] results []

// -----

// expected-error @below {{'skew.state_layout' op must have one slot per argument: function 'f' has 1, got 0}}
skew.state_layout @f [] results []
func.func private @f(tensor<f32>)

// -----

// expected-error @below {{'skew.state_layout' op must have one original place per result: function 'f' has 1, got 0}}
skew.state_layout @f [] results []
func.func private @f() -> tensor<f32>

// -----

// expected-error @below {{'skew.state_layout' op slot 0 has index 3}}
skew.state_layout @f [
  #skew.slot<index = 3, kind = "parameter", old_index = -1, result = -1,
             old_result = -1, parameter = "w", parameter_id = 1, component = "",
             type = tensor<f32>, init = 0.0 : f64>] results []
func.func private @f(tensor<f32>)

// -----

// expected-error @below {{'skew.state_layout' op slot 0: kind must be parameter, state or other, got 'batch'}}
skew.state_layout @f [
  #skew.slot<index = 0, kind = "batch", old_index = -1, result = -1,
             old_result = -1, parameter = "w", parameter_id = 1, component = "",
             type = tensor<f32>, init = 0.0 : f64>] results []
func.func private @f(tensor<f32>)

// -----

// expected-error @below {{'skew.state_layout' op slot 0 has type 'tensor<f64>' but the argument is 'tensor<f32>'}}
skew.state_layout @f [
  #skew.slot<index = 0, kind = "parameter", old_index = -1, result = -1,
             old_result = -1, parameter = "w", parameter_id = 1, component = "",
             type = tensor<f64>, init = 0.0 : f64>] results []
func.func private @f(tensor<f32>)

// -----

// expected-error @below {{'skew.state_layout' op slot 0: result 1 does not exist}}
skew.state_layout @f [
  #skew.slot<index = 0, kind = "parameter", old_index = -1, result = 1,
             old_result = -1, parameter = "w", parameter_id = 1, component = "",
             type = tensor<f32>, init = 0.0 : f64>] results [0]
func.func private @f(tensor<f32>) -> tensor<f32>

// -----

// expected-error @below {{'skew.state_layout' op slot 0 has type 'tensor<f32>' but its next value, result 0, is 'tensor<f64>'}}
skew.state_layout @f [
  #skew.slot<index = 0, kind = "parameter", old_index = -1, result = 0,
             old_result = -1, parameter = "w", parameter_id = 1, component = "",
             type = tensor<f32>, init = 0.0 : f64>] results [0]
func.func private @f(tensor<f32>) -> tensor<f64>

// -----

// expected-error @below {{'skew.state_layout' op result 0 belongs to two slots}}
skew.state_layout @f [
  #skew.slot<index = 0, kind = "parameter", old_index = -1, result = 0,
             old_result = -1, parameter = "w", parameter_id = 1, component = "",
             type = tensor<f32>, init = 0.0 : f64>,
  #skew.slot<index = 1, kind = "parameter", old_index = -1, result = 0,
             old_result = -1, parameter = "w", parameter_id = 1, component = "",
             type = tensor<f32>, init = 0.0 : f64>] results [0]
func.func private @f(tensor<f32>, tensor<f32>) -> tensor<f32>

// -----

//===----------------------------------------------------------------------===//
// Sweeps
//===----------------------------------------------------------------------===//

func.func @f(%g: tensor<8x4xbf16>, %i: tensor<8xi32>) {
  // expected-error @+2 {{unknown projection 'diagonal'}}
  %r = skew.sweep domain([8, 4], <row = [0], column = [1]>)
      ins(%g diagonal : tensor<8x4xbf16>)
      outs(row sum into -1 : tensor<8xf32>) {
  ^bb0(%x: f32, %index: i64):
    skew.yield %x : f32
  }
  return
}

// -----

func.func @f(%g: tensor<8x4xbf16>, %i: tensor<8xi32>) {
  // expected-error @+3 {{unknown combiner 'max'}}
  %r = skew.sweep domain([8, 4], <row = [0], column = [1]>)
      ins(%g elem : tensor<8x4xbf16>)
      outs(row max into -1 : tensor<8xf32>) {
  ^bb0(%x: f32, %index: i64):
    skew.yield %x : f32
  }
  return
}

// -----

func.func @f(%g: tensor<8x4xbf16>, %i: tensor<8xi32>) {
  // expected-error @below {{'skew.sweep' op axes must cover the domain's 2 axes, got 1}}
  %r = skew.sweep domain([8, 4], <row = [0]>)
      ins(%g elem : tensor<8x4xbf16>)
      outs(row sum into -1 : tensor<8xf32>) {
  ^bb0(%x: f32, %index: i64):
    skew.yield %x : f32
  }
  return
}

// -----

func.func @f(%g: tensor<8x4xbf16>, %i: tensor<8xi32>) {
  // expected-error @below {{'skew.sweep' op domain must have a static shape}}
  %r = skew.sweep domain([-1, 4], <row = [0], column = [1]>)
      ins(%g elem : tensor<8x4xbf16>)
      outs(row sum into -1 : tensor<8xf32>) {
  ^bb0(%x: f32, %index: i64):
    skew.yield %x : f32
  }
  return
}

// -----

func.func @f(%g: tensor<4xf32>) {
  // expected-error @below {{'skew.sweep' op needs one projection per input}}
  %r = "skew.sweep"(%g) <{axes = #skew.axes<column = [0]>, combiners = [#skew.combiner<write>],
      input_projections = [], output_projections = [#skew.projection<elem>],
      into = array<i64: -1>, shape = array<i64: 4>}> ({
  ^bb0(%x: f32, %index: i64):
    skew.yield %x : f32
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%g: tensor<4xf32>) {
  // expected-error @below {{'skew.sweep' op needs one projection, combiner and tie per output}}
  %r = "skew.sweep"(%g) <{axes = #skew.axes<column = [0]>, combiners = [],
      input_projections = [#skew.projection<elem>],
      output_projections = [#skew.projection<elem>],
      into = array<i64: -1>, shape = array<i64: 4>}> ({
  ^bb0(%x: f32, %index: i64):
    skew.yield %x : f32
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @f(%g: tensor<8x4xbf16>, %i: tensor<8xi32>) {
  // expected-error @below {{'skew.sweep' op input 0 with projection row must have shape [8], got 'tensor<8x4xbf16>'}}
  %r = skew.sweep domain([8, 4], <row = [0], column = [1]>)
      ins(%g row : tensor<8x4xbf16>)
      outs(row sum into -1 : tensor<8xf32>) {
  ^bb0(%x: f32, %index: i64):
    skew.yield %x : f32
  }
  return
}

// -----

func.func @f(%g: tensor<8x4xbf16>, %i: tensor<8xi32>) {
  // expected-error @below {{'skew.sweep' op body must have one argument per input and the index}}
  %r = skew.sweep domain([8, 4], <row = [0], column = [1]>)
      ins(%g elem : tensor<8x4xbf16>)
      outs(row sum into -1 : tensor<8xf32>) {
  ^bb0(%x: f32):
    skew.yield %x : f32
  }
  return
}

// -----

func.func @f(%g: tensor<8x4xbf16>, %i: tensor<8xi32>) {
  // expected-error @below {{'skew.sweep' op argument 0 of the body has type 'f32', which does not hold an element of 'tensor<8xi32>'}}
  %r = skew.sweep domain([8, 4], <row = [0], column = [1]>)
      ins(%i row : tensor<8xi32>)
      outs(row sum into -1 : tensor<8xf32>) {
  ^bb0(%x: f32, %index: i64):
    skew.yield %x : f32
  }
  return
}

// -----

func.func @f(%g: tensor<8x4xbf16>, %i: tensor<8xi32>) {
  // expected-error @below {{'skew.sweep' op last argument of the body must be the i64 index}}
  %r = skew.sweep domain([8, 4], <row = [0], column = [1]>)
      ins(%g elem : tensor<8x4xbf16>)
      outs(row sum into -1 : tensor<8xf32>) {
  ^bb0(%x: f32, %index: i32):
    skew.yield %x : f32
  }
  return
}

// -----

func.func @f(%g: tensor<8x4xbf16>, %i: tensor<8xi32>) {
  // expected-error @below {{'skew.sweep' op body must yield 1 values, got 0}}
  %r = skew.sweep domain([8, 4], <row = [0], column = [1]>)
      ins(%g elem : tensor<8x4xbf16>)
      outs(row sum into -1 : tensor<8xf32>) {
  ^bb0(%x: f32, %index: i64):
    skew.yield
  }
  return
}

// -----

func.func @f(%g: tensor<8x4xbf16>, %i: tensor<8xi32>) {
  // expected-error @below {{'skew.sweep' op output 0 with projection col must have shape [4], got 'tensor<8xf32>'}}
  %r = skew.sweep domain([8, 4], <row = [0], column = [1]>)
      ins(%g elem : tensor<8x4xbf16>)
      outs(col sum into -1 : tensor<8xf32>) {
  ^bb0(%x: f32, %index: i64):
    skew.yield %x : f32
  }
  return
}

// -----

func.func @f(%g: tensor<8x4xbf16>, %i: tensor<8xi32>) {
  // expected-error @below {{'skew.sweep' op output 0 lacks axes of the domain, so its combiner must be sum}}
  %r = skew.sweep domain([8, 4], <row = [0], column = [1]>)
      ins(%g elem : tensor<8x4xbf16>)
      outs(row write into -1 : tensor<8xf32>) {
  ^bb0(%x: f32, %index: i64):
    skew.yield %x : f32
  }
  return
}

// -----

func.func @f(%g: tensor<8x4xbf16>, %i: tensor<8xi32>) {
  // expected-error @below {{'skew.sweep' op output 0 has every axis of the domain, so its combiner must be write}}
  %r = skew.sweep domain([8, 4], <row = [0], column = [1]>)
      ins(%g elem : tensor<8x4xbf16>)
      outs(elem sum into -1 : tensor<8x4xf32>) {
  ^bb0(%x: f32, %index: i64):
    skew.yield %x : f32
  }
  return
}

// -----

func.func @f(%g: tensor<8x4xbf16>, %i: tensor<8xi32>) {
  // expected-error @below {{'skew.sweep' op output 0 of element type 'f64' cannot take a 'f32'}}
  %r = skew.sweep domain([8, 4], <row = [0], column = [1]>)
      ins(%g elem : tensor<8x4xbf16>)
      outs(row sum into -1 : tensor<8xf64>) {
  ^bb0(%x: f32, %index: i64):
    skew.yield %x : f32
  }
  return
}

// -----

func.func @f(%g: tensor<8x4xbf16>, %i: tensor<8xi32>) {
  // expected-error @below {{'skew.sweep' op output 0 is tied to input 1, which does not exist}}
  %r = skew.sweep domain([8, 4], <row = [0], column = [1]>)
      ins(%g elem : tensor<8x4xbf16>)
      outs(elem write into 1 : tensor<8x4xbf16>) {
  ^bb0(%x: f32, %index: i64):
    skew.yield %x : f32
  }
  return
}

// -----

func.func @f(%g: tensor<8x4xbf16>, %i: tensor<8xi32>) {
  // expected-error @below {{'skew.sweep' op output 0 is tied to input 0 of another type}}
  %r = skew.sweep domain([8, 4], <row = [0], column = [1]>)
      ins(%g elem : tensor<8x4xbf16>)
      outs(elem write into 0 : tensor<8x4xf32>) {
  ^bb0(%x: f32, %index: i64):
    skew.yield %x : f32
  }
  return
}

// -----

//===----------------------------------------------------------------------===//
// Updates: what every rule checks
//===----------------------------------------------------------------------===//

func.func @f(%p: tensor<?xf32>, %g: tensor<8xf32>, %m: tensor<8xf32>, %lr: tensor<f32>) {
  // expected-error @below {{'skew.lion' op parameter must have a static shape, got 'tensor<?xf32>'}}
  %p1, %m1 = skew.lion parameter(%p : tensor<?xf32>) gradient(%g : tensor<8xf32>)
      state(%m : tensor<8xf32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.99, weight_decay = 0.1}
  return
}

// -----

func.func @f(%p: tensor<8xf32>, %g: tensor<4xf32>, %m: tensor<8xf32>, %lr: tensor<f32>) {
  // expected-error @below {{'skew.lion' op gradient must have the parameter's shape 'tensor<8xf32>', got 'tensor<4xf32>'}}
  %p1, %m1 = skew.lion parameter(%p : tensor<8xf32>) gradient(%g : tensor<4xf32>)
      state(%m : tensor<8xf32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.99, weight_decay = 0.1}
  return
}

// -----

func.func @f(%p: tensor<8xf32>, %g: tensor<8xf32>, %m: tensor<4xf32>, %lr: tensor<f32>) {
  // expected-error @below {{'skew.lion' op state m must be 'tensor<8xf32>', got 'tensor<4xf32>'}}
  %p1, %m1 = skew.lion parameter(%p : tensor<8xf32>) gradient(%g : tensor<8xf32>)
      state(%m : tensor<4xf32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.99, weight_decay = 0.1}
  return
}

// -----

func.func @f(%p: tensor<8xf32>, %g: tensor<8xf32>, %m: tensor<8xf32>, %lr: tensor<f32>) {
  // expected-error @below {{'skew.lion' op needs one name per run-time hyperparameter, got 2 names for 1 values}}
  %p1, %m1 = skew.lion parameter(%p : tensor<8xf32>) gradient(%g : tensor<8xf32>)
      state(%m : tensor<8xf32>) learning_rate(%lr : tensor<f32>)
      runtime ["beta1", "beta2"](%lr : tensor<f32>)
      {weight_decay = 0.1}
  return
}

// -----

func.func @f(%p: tensor<8xf32>, %g: tensor<8xf32>, %m: tensor<8xf32>, %lr: tensor<f32>) {
  // expected-error @below {{'skew.lion' op has no hyperparameter 'eps'}}
  %p1, %m1 = skew.lion parameter(%p : tensor<8xf32>) gradient(%g : tensor<8xf32>)
      state(%m : tensor<8xf32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.99, eps = 1.0e-8, weight_decay = 0.1}
  return
}

// -----

func.func @f(%p: tensor<8xf32>, %g: tensor<8xf32>, %m: tensor<8xf32>, %lr: tensor<f32>) {
  // expected-error @below {{'skew.lion' op hyperparameter 'beta1' is given twice}}
  %p1, %m1 = skew.lion parameter(%p : tensor<8xf32>) gradient(%g : tensor<8xf32>)
      state(%m : tensor<8xf32>) learning_rate(%lr : tensor<f32>)
      runtime ["beta1"](%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.99, weight_decay = 0.1}
  return
}

// -----

func.func @f(%p: tensor<8xf32>, %g: tensor<8xf32>, %m: tensor<8xf32>, %lr: tensor<f32>) {
  // expected-error @below {{'skew.lion' op hyperparameter 'beta1' must be an f64 number, got 5.000000e-01 : f32}}
  %p1, %m1 = skew.lion parameter(%p : tensor<8xf32>) gradient(%g : tensor<8xf32>)
      state(%m : tensor<8xf32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.5 : f32, beta2 = 0.99, weight_decay = 0.1}
  return
}

// -----

func.func @f(%p: tensor<8xf32>, %g: tensor<8xf32>, %m: tensor<8xf32>, %lr: tensor<f32>) {
  // expected-error @below {{'skew.lion' op needs hyperparameter 'beta2'}}
  %p1, %m1 = skew.lion parameter(%p : tensor<8xf32>) gradient(%g : tensor<8xf32>)
      state(%m : tensor<8xf32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, weight_decay = 0.1}
  return
}

// -----

func.func @f(%p: tensor<8xf32>, %g: tensor<8xf32>, %m: tensor<8xf32>, %lr: tensor<f32>) {
  // expected-error @below {{'skew.lion' op stochastic rounding needs a bf16 or f16 parameter, got 'tensor<8xf32>'}}
  %p1, %m1 = skew.lion parameter(%p : tensor<8xf32>) gradient(%g : tensor<8xf32>)
      state(%m : tensor<8xf32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.99, weight_decay = 0.1}
      {rounding = #skew.rounding<stochastic>}
  return
}

// -----

func.func @f(%p: tensor<8xbf16>, %g: tensor<8xf32>, %m: tensor<8xf32>, %lr: tensor<f32>) {
  // expected-error @below {{'skew.lion' op stochastic rounding needs a step for its random bits}}
  %p1, %m1 = skew.lion parameter(%p : tensor<8xbf16>) gradient(%g : tensor<8xf32>)
      state(%m : tensor<8xf32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.99, weight_decay = 0.1}
      {rounding = #skew.rounding<stochastic>}
  return
}

// -----

func.func @f(%p: tensor<8xf32>, %g: tensor<8xf32>, %m: tensor<8xf32>, %lr: tensor<f32>) {
  // expected-error @below {{'skew.lion' op compute_type must be a float type, got 'i32'}}
  %p1, %m1 = skew.lion parameter(%p : tensor<8xf32>) gradient(%g : tensor<8xf32>)
      state(%m : tensor<8xf32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.99, weight_decay = 0.1}
      {compute_type = i32}
  return
}

// -----

//===----------------------------------------------------------------------===//
// Updates: what a rule adds
//===----------------------------------------------------------------------===//

func.func @f(%p: tensor<8x4xf32>, %m: tensor<8x4xf32>, %t: tensor<i32>, %lr: tensor<f32>) {
  // expected-error @below {{'skew.adamw' op needs a step to correct the moments' bias}}
  %r0, %r1, %r2 = skew.adamw parameter(%p : tensor<8x4xf32>) gradient(%p : tensor<8x4xf32>)
      state(%m, %m : tensor<8x4xf32>, tensor<8x4xf32>)
      learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.1}
  return
}

// -----

func.func @f(%p: tensor<8x4xf32>, %m: tensor<8x4xf32>, %t: tensor<i32>, %lr: tensor<f32>) {
  // expected-error @below {{'skew.adamw' op must have 2 state operands (m, v), got 1}}
  %r0, %r1 = skew.adamw parameter(%p : tensor<8x4xf32>) gradient(%p : tensor<8x4xf32>)
      state(%m : tensor<8x4xf32>)
      step(%t : tensor<i32>)
      learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.1}
  return
}

// -----

func.func @f(%p: tensor<8x4xf32>, %m: tensor<8x4xf32>, %t: tensor<i32>, %lr: tensor<f32>) {
  // expected-error @below {{'skew.adamw' op hyperparameter 'beta1_stored' needs compute_type: it is the graph's own constant}}
  %r0, %r1, %r2 = skew.adamw parameter(%p : tensor<8x4xf32>) gradient(%p : tensor<8x4xf32>)
      state(%m, %m : tensor<8x4xf32>, tensor<8x4xf32>)
      step(%t : tensor<i32>)
      learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.1,
       beta1_stored = 0.8984375}
  return
}

// -----

func.func @f(%p: tensor<8x4xf32>, %m: tensor<8x4xf32>, %t: tensor<i32>, %lr: tensor<f32>) {
  // expected-error @below {{'skew.skewadam' op axes must split the parameter's 2 axes, got #skew.axes<column = [0]>}}
  %r0, %r1 = skew.skewadam parameter(%p : tensor<8x4xf32>) gradient(%p : tensor<8x4xf32>)
      state(%m : tensor<8x4xf32>)
      step(%t : tensor<i32>)
      learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.1}
      {axes = #skew.axes<column = [0]>, tier = #skew.tier<m = none, v = f32>}
  return
}

// -----

func.func @f(%p: tensor<2x2xf32>, %m: tensor<2xf32>, %t: tensor<i32>, %lr: tensor<f32>) {
  // expected-error @below {{'skew.skewadam' op factored second moment needs row and column axes with n*m > n+m: parameter 'tensor<2x2xf32>' with axes #skew.axes<row = [0], column = [1]> must keep it exactly}}
  %r0, %r1, %r2 = skew.skewadam parameter(%p : tensor<2x2xf32>) gradient(%p : tensor<2x2xf32>)
      state(%m, %m : tensor<2xf32>, tensor<2xf32>)
      step(%t : tensor<i32>)
      learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.1}
      {axes = #skew.axes<row = [0], column = [1]>, tier = #skew.tier<m = none, v = factored>}
  return
}

// -----

func.func @f(%p: tensor<8x4xf32>, %m: tensor<8x4xf32>, %t: tensor<i32>, %lr: tensor<f32>) {
  // expected-error @below {{'skew.skewadam' op computes in fp32: compute_type belongs to updates that keep a graph's own arithmetic}}
  %r0, %r1 = skew.skewadam parameter(%p : tensor<8x4xf32>) gradient(%p : tensor<8x4xf32>)
      state(%m : tensor<8x4xf32>)
      step(%t : tensor<i32>)
      learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.1}
      {axes = #skew.axes<row = [0], column = [1]>, tier = #skew.tier<m = none, v = f32>,
       compute_type = bf16}
  return
}

// -----

func.func @f(%p: tensor<8x4xf32>, %m: tensor<8xf32>, %t: tensor<i32>, %lr: tensor<f32>) {
  // expected-error @below {{'skew.skewadam' op must have 2 state operands (v_row, v_col), got 1}}
  %r0, %r1 = skew.skewadam parameter(%p : tensor<8x4xf32>) gradient(%p : tensor<8x4xf32>)
      state(%m : tensor<8xf32>)
      step(%t : tensor<i32>)
      learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.1}
      {axes = #skew.axes<row = [0], column = [1]>, tier = #skew.tier<m = none, v = factored>}
  return
}

// -----

func.func @f(%p: tensor<8x4xf32>, %m: tensor<8x4xf32>, %t: tensor<i32>, %lr: tensor<f32>) {
  // expected-error @below {{'skew.lion' op must have 1 state operand (m), got 2}}
  %r0, %r1, %r2 = skew.lion parameter(%p : tensor<8x4xf32>) gradient(%p : tensor<8x4xf32>)
      state(%m, %m : tensor<8x4xf32>, tensor<8x4xf32>)
      step(%t : tensor<i32>)
      learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.99, weight_decay = 0.1}
  return
}

// -----

func.func @f(%p: tensor<8x4xf32>, %m: tensor<8x4xf32>, %t: tensor<i32>, %lr: tensor<f32>) {
  // expected-error @below {{'skew.sgd' op must have at most 1 state operand (m), got 2}}
  %r0, %r1, %r2 = skew.sgd parameter(%p : tensor<8x4xf32>) gradient(%p : tensor<8x4xf32>)
      state(%m, %m : tensor<8x4xf32>, tensor<8x4xf32>)
      step(%t : tensor<i32>)
      learning_rate(%lr : tensor<f32>)
      {weight_decay = 0.1}
  return
}
