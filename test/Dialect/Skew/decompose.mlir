// RUN: skew-opt %s --skew-decompose-updates | FileCheck %s
// RUN: skew-opt %s --skew-decompose-updates --mlir-print-debuginfo | FileCheck %s --check-prefix=LOC

// The numbers of sweeps and their operands are what memory traffic follows
// from; the arithmetic itself is checked by running it (test/Integration).

// CHECK-NOT: skew.{{adamw|skewadam|lion|sgd}}

// One sweep over the elements: 22 B per element with fp32 moments and a bf16
// parameter. Bias corrections are scalar and fp64.
// CHECK-LABEL: func.func @adamw
// CHECK: skew.sweep domain([], <>) ins(%{{.*}} elem : tensor<i32>) outs(elem write into -1 : tensor<f32>)
// CHECK: math.powf %{{.*}}, %{{.*}} : f64
// CHECK: skew.sweep domain([], <>)
// CHECK: %[[R:.*]]:3 = skew.sweep domain([8, 4], <column = [0, 1]>)
// CHECK-SAME: outs(elem write into 5 : tensor<8x4xbf16>, elem write into 1 : tensor<8x4xf32>, elem write into 2 : tensor<8x4xf32>)
// CHECK-NOT: skew.sweep
// CHECK: return %[[R]]#0, %[[R]]#1, %[[R]]#2
// LOC: #[[UPDATE:.*]] = loc("update of w")
// LOC-LABEL: func.func @adamw
// LOC: skew.sweep domain([8, 4]
// LOC: } loc(#[[UPDATE]])
func.func @adamw(%p: tensor<8x4xbf16>, %g: tensor<8x4xbf16>, %m: tensor<8x4xf32>,
                 %v: tensor<8x4xf32>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x4xbf16>, tensor<8x4xf32>, tensor<8x4xf32>) {
  %p1, %m1, %v1 = skew.adamw parameter(%p : tensor<8x4xbf16>)
      gradient(%g : tensor<8x4xbf16>) state(%m, %v : tensor<8x4xf32>, tensor<8x4xf32>)
      step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01}
      loc("update of w")
  return %p1, %m1, %v1 : tensor<8x4xbf16>, tensor<8x4xf32>, tensor<8x4xf32>
}

// Expert: sums of g^2, both factors, sum of the update's squares, write.
// CHECK-LABEL: func.func @expert
// CHECK: %[[SUMS:.*]]:2 = skew.sweep domain([2, 8, 4], <batch = [0], row = [1], column = [2]>) ins(%{{.*}} elem : tensor<2x8x4xbf16>) outs(row sum into -1 : tensor<2x8xf32>, col sum into -1 : tensor<2x4xf32>)
// CHECK: %[[R:.*]]:2 = skew.sweep domain([2, 8], <batch = [0], row = [1]>) ins(%{{.*}} elem : tensor<2x8xf32>, %[[SUMS]]#0 elem : tensor<2x8xf32>
// CHECK-SAME: outs(elem write into 0 : tensor<2x8xf32>, batch sum into -1 : tensor<2xf32>)
// CHECK: %[[C:.*]] = skew.sweep domain([2, 4], <batch = [0], column = [1]>) ins(%{{.*}} elem : tensor<2x4xf32>, %[[SUMS]]#1 elem : tensor<2x4xf32>
// CHECK: %[[RMS:.*]] = skew.sweep domain([2, 8, 4], {{.*}}) outs(batch sum into -1 : tensor<2xf32>)
// CHECK: %[[KEY:.*]]:2 = skew.sweep domain([], <>) ins(%{{.*}} elem : tensor<i32>, %{{.*}} elem : tensor<i64>, %{{.*}} elem : tensor<i64>) outs(elem write into -1 : tensor<i32>, elem write into -1 : tensor<i32>)
// CHECK: %[[P:.*]] = skew.sweep domain([2, 8, 4], {{.*}}) outs(elem write into {{[0-9]+}} : tensor<2x8x4xbf16>)
// CHECK: skew.round_stochastic
// CHECK: return %[[P]], %[[R]]#0, %[[C]]
func.func @expert(%p: tensor<2x8x4xbf16>, %g: tensor<2x8x4xbf16>, %r: tensor<2x8xf32>,
                  %c: tensor<2x4xf32>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<2x8x4xbf16>, tensor<2x8xf32>, tensor<2x4xf32>) {
  %p1, %r1, %c1 = skew.skewadam parameter(%p : tensor<2x8x4xbf16>)
      gradient(%g : tensor<2x8x4xbf16>) state(%r, %c : tensor<2x8xf32>, tensor<2x4xf32>)
      step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.05}
      {axes = #skew.axes<batch = [0], row = [1], column = [2]>,
       tier = #skew.tier<m = none, v = factored>, rounding = #skew.rounding<stochastic>}
  return %p1, %r1, %c1 : tensor<2x8x4xbf16>, tensor<2x8xf32>, tensor<2x4xf32>
}

// Without a clip nothing stands between the moments and the write.
// CHECK-LABEL: func.func @exact_without_clip
// CHECK: skew.sweep domain([], <>)
// CHECK: skew.sweep domain([], <>)
// CHECK: skew.sweep domain([8, 4], <row = [0], column = [1]>)
// CHECK-NOT: skew.sweep
// CHECK: return
func.func @exact_without_clip(%p: tensor<8x4xf32>, %m: tensor<8x4xf32>,
                              %t: tensor<i32>, %lr: tensor<f32>) -> tensor<8x4xf32> {
  %p1, %m1, %v1 = skew.skewadam parameter(%p : tensor<8x4xf32>)
      gradient(%p : tensor<8x4xf32>) state(%m, %m : tensor<8x4xf32>, tensor<8x4xf32>)
      step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.05}
      {axes = #skew.axes<row = [0], column = [1]>, rms_clip = #skew.rms_clip<off>,
       tier = #skew.tier<m = f32, v = f32>}
  return %p1 : tensor<8x4xf32>
}

// A run-time hyperparameter is a scalar input of the sweep.
// CHECK-LABEL: func.func @runtime_decay
// CHECK-SAME: %[[WD:[a-z0-9]+]]: tensor<f32>)
// CHECK: skew.sweep domain([8], <column = [0]>) ins(
// CHECK-SAME: %[[WD]] scalar : tensor<f32>
func.func @runtime_decay(%p: tensor<8xf32>, %g: tensor<8xf32>, %lr: tensor<f32>,
                         %wd: tensor<f32>) -> tensor<8xf32> {
  %p1 = skew.sgd parameter(%p : tensor<8xf32>) gradient(%g : tensor<8xf32>)
      learning_rate(%lr : tensor<f32>) runtime ["weight_decay"](%wd : tensor<f32>) {}
  return %p1 : tensor<8xf32>
}
