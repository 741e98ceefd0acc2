// RUN: skew-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{the mesh has no axis "y"}}
func.func private @f() attributes {a = #skew.sharding<mesh = ["x" = 2], dims = [["y"]]>}

// -----

// expected-error @below {{the mesh has two axes "x"}}
func.func private @f() attributes {a = #skew.sharding<mesh = ["x" = 2, "x" = 2], dims = []>}

// -----

// expected-error @below {{axis "x" must have a positive size, got 0}}
func.func private @f() attributes {a = #skew.sharding<mesh = ["x" = 0], dims = []>}

// -----

// expected-error @below {{a mesh of more than 1048576 devices is not supported}}
func.func private @f() attributes {a = #skew.sharding<mesh = ["x" = 1048576, "y" = 2], dims = []>}

// -----

// expected-error @below {{axis "x" cuts two dimensions, or one twice}}
func.func private @f() attributes {a = #skew.sharding<mesh = ["x" = 2], dims = [["x"], ["x"]]>}

// -----

// expected-error @below {{axis "x" cuts two dimensions, or one twice}}
func.func private @f() attributes {a = #skew.sharding<mesh = ["x" = 2], dims = [["x", "x"]]>}

// -----

func.func @f(%p: tensor<8x4xf32>, %lr: tensor<f32>) {
  // expected-error @below {{'skew.sgd' op shards must have one list of axes for each of the 2 dimensions, got 1}}
  %r0 = skew.sgd parameter(%p : tensor<8x4xf32>) gradient(%p : tensor<8x4xf32>)
      learning_rate(%lr : tensor<f32>) {weight_decay = 0.1}
      {shards = #skew.sharding<mesh = ["x" = 2], dims = [["x"]]>}
  return
}

// -----

func.func @f(%p: tensor<1152921504606846976x4xf32>, %lr: tensor<f32>) {
  // expected-error @below {{'skew.sgd' op the whole tensor has more elements than an index of 64 bits can count}}
  %r0 = skew.sgd parameter(%p : tensor<1152921504606846976x4xf32>) gradient(%p : tensor<1152921504606846976x4xf32>)
      learning_rate(%lr : tensor<f32>) {weight_decay = 0.1}
      {shards = #skew.sharding<mesh = ["x" = 2], dims = [["x"], []]>}
  return
}

// -----

func.func @f(%p: tensor<1x4xf32>, %r: tensor<1xf32>, %c: tensor<4xf32>, %t: tensor<i32>, %lr: tensor<f32>) {
  // A row of a whole of one row.
  // expected-error @below {{'skew.skewadam' op factored second moment needs row and column axes with n*m > n+m: parameter 'tensor<1x4xf32>' with axes #skew.axes<row = [0], column = [1]> must keep it exactly}}
  %r0, %r1, %r2 = skew.skewadam parameter(%p : tensor<1x4xf32>) gradient(%p : tensor<1x4xf32>)
      state(%r, %c : tensor<1xf32>, tensor<4xf32>)
      step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.1}
      {axes = #skew.axes<row = [0], column = [1]>, tier = #skew.tier<m = none, v = factored>,
       shards = #skew.sharding<mesh = ["x" = 2], dims = [[], ["x"]]>}
  return
}

// -----

func.func @f(%g: tensor<4xf32>) {
  // expected-error @below {{'skew.sweep' op shards must have one list of axes for each of the 1 dimensions, got 2}}
  %r = skew.sweep domain([4], <column = [0]>) ins(%g elem : tensor<4xf32>)
      outs(elem write into -1 : tensor<4xf32>)
      shards <mesh = ["x" = 2], dims = [["x"], []]> {
  ^bb0(%x: f32, %index: i64):
    skew.yield %x : f32
  }
  return
}
