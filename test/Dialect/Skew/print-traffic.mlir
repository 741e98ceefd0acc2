// RUN: skew-opt %s --skew-decompose-updates --skew-print-traffic --remarks-filter=skew-print-traffic --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s

// Bytes per element and step with bf16 parameter and gradient (g, p), fp32
// state: the table of floors. Factors, their sums and the means per batch add a
// little; here it is (1024 + 1024) 4 B per access to a pair of them over 2^20
// elements, 0.0078 B.

// AdamW: g 2, p 2 + 2, m 4 + 4, v 4 + 4 = 22.
// CHECK: remark: {{.*}}Function=adamw
// CHECK-SAME: cold_bytes=23068672, cold_bytes_per_element=22.000
// CHECK-SAME: elements=1048576, warm_bytes=23068672
// CHECK-SAME: warm_bytes_per_element=22.000
func.func @adamw(%p: tensor<1024x1024xbf16>, %g: tensor<1024x1024xbf16>,
                 %m: tensor<1024x1024xf32>, %v: tensor<1024x1024xf32>,
                 %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<1024x1024xbf16>, tensor<1024x1024xf32>, tensor<1024x1024xf32>) {
  %p1, %m1, %v1 = skew.adamw parameter(%p : tensor<1024x1024xbf16>)
      gradient(%g : tensor<1024x1024xbf16>)
      state(%m, %v : tensor<1024x1024xf32>, tensor<1024x1024xf32>)
      step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01}
  return %p1, %m1, %v1
      : tensor<1024x1024xbf16>, tensor<1024x1024xf32>, tensor<1024x1024xf32>
}

// Lion: g 2, p 2 + 2, m 4 + 4 = 14.
// CHECK: remark: {{.*}}Function=lion
// CHECK-SAME: cold_bytes_per_element=14.000
// CHECK-SAME: warm_bytes_per_element=14.000
func.func @lion(%p: tensor<1024x1024xbf16>, %g: tensor<1024x1024xbf16>,
                %m: tensor<1024x1024xf32>, %lr: tensor<f32>)
    -> (tensor<1024x1024xbf16>, tensor<1024x1024xf32>) {
  %p1, %m1 = skew.lion parameter(%p : tensor<1024x1024xbf16>)
      gradient(%g : tensor<1024x1024xbf16>) state(%m : tensor<1024x1024xf32>)
      learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.99, weight_decay = 0.1}
  return %p1, %m1 : tensor<1024x1024xbf16>, tensor<1024x1024xf32>
}

// Expert: g 2 (sums), g 2 (RMS), g 2 and p 2 + 2 (write) = 10; warm g 2, p 2 + 2.
// Pairs of vectors: sums written and read, factors read, written, and read by
// two sweeps: 6 times 0.0078; warm: sums written, factors read and written.
// CHECK: remark: {{.*}}Function=expert
// CHECK-SAME: cold_bytes_per_element=10.047
// CHECK-SAME: warm_bytes_per_element=6.023
func.func @expert(%p: tensor<1024x1024xbf16>, %g: tensor<1024x1024xbf16>,
                  %r: tensor<1024xf32>, %c: tensor<1024xf32>, %t: tensor<i32>,
                  %lr: tensor<f32>)
    -> (tensor<1024x1024xbf16>, tensor<1024xf32>, tensor<1024xf32>) {
  %p1, %r1, %c1 = skew.skewadam parameter(%p : tensor<1024x1024xbf16>)
      gradient(%g : tensor<1024x1024xbf16>)
      state(%r, %c : tensor<1024xf32>, tensor<1024xf32>)
      step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.05}
      {axes = #skew.axes<row = [0], column = [1]>,
       tier = #skew.tier<m = none, v = factored>, rounding = #skew.rounding<stochastic>}
  return %p1, %r1, %c1 : tensor<1024x1024xbf16>, tensor<1024xf32>, tensor<1024xf32>
}

// Backbone: g 2 (sums); g 2, m 4 + 4; m 4, p 2 + 2 = 20; warm g 2, m 4 + 4, p 2 + 2.
// CHECK: remark: {{.*}}Function=backbone
// CHECK-SAME: cold_bytes_per_element=20.047
// CHECK-SAME: warm_bytes_per_element=14.023
func.func @backbone(%p: tensor<1024x1024xbf16>, %g: tensor<1024x1024xbf16>,
                    %m: tensor<1024x1024xf32>, %r: tensor<1024xf32>,
                    %c: tensor<1024xf32>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<1024x1024xbf16>, tensor<1024x1024xf32>) {
  %p1, %m1, %r1, %c1 = skew.skewadam parameter(%p : tensor<1024x1024xbf16>)
      gradient(%g : tensor<1024x1024xbf16>)
      state(%m, %r, %c : tensor<1024x1024xf32>, tensor<1024xf32>, tensor<1024xf32>)
      step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.05}
      {axes = #skew.axes<row = [0], column = [1]>,
       tier = #skew.tier<m = f32, v = factored>}
  return %p1, %m1 : tensor<1024x1024xbf16>, tensor<1024x1024xf32>
}

// Router: g 2, v 4 + 4; g 2, v 4, p 2 + 2 = 20; warm g 2, v 4 + 4, p 2 + 2.
// CHECK: remark: {{.*}}Function=router
// CHECK-SAME: cold_bytes_per_element=20.000
// CHECK-SAME: warm_bytes_per_element=14.000
func.func @router(%p: tensor<1024x1024xbf16>, %g: tensor<1024x1024xbf16>,
                  %v: tensor<1024x1024xf32>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<1024x1024xbf16>, tensor<1024x1024xf32>) {
  %p1, %v1 = skew.skewadam parameter(%p : tensor<1024x1024xbf16>)
      gradient(%g : tensor<1024x1024xbf16>) state(%v : tensor<1024x1024xf32>)
      step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.05}
      {axes = #skew.axes<row = [0], column = [1]>, tier = #skew.tier<m = none, v = f32>}
  return %p1, %v1 : tensor<1024x1024xbf16>, tensor<1024x1024xf32>
}

// A norm over both gradients stands between a chain's sweeps: warm is then g 2
// (norm), g 2, p 2 + 2 = 8, as cold. Each parameter is a chain of its own.
// CHECK: remark: {{.*}}Function=norm_of_two
// CHECK-SAME: cold_bytes_per_element=8.000, elements=4096
// CHECK-SAME: warm_bytes_per_element=8.000
// CHECK: remark: {{.*}}Function=norm_of_two
// CHECK-SAME: cold_bytes_per_element=8.000, elements=8192
// CHECK-SAME: warm_bytes_per_element=8.000
func.func @norm_of_two(%p: tensor<4096xbf16>, %g: tensor<4096xbf16>,
                       %q: tensor<8192xbf16>, %h: tensor<8192xbf16>)
    -> (tensor<4096xbf16>, tensor<8192xbf16>) {
  %a = skew.sweep domain([4096], <column = [0]>) ins(%g elem : tensor<4096xbf16>)
      outs(scalar sum into -1 : tensor<f32>) {
  ^bb0(%x: f32, %index: i64):
    %s = arith.mulf %x, %x : f32
    skew.yield %s : f32
  }
  %b = skew.sweep domain([8192], <column = [0]>) ins(%h elem : tensor<8192xbf16>)
      outs(scalar sum into -1 : tensor<f32>) {
  ^bb0(%x: f32, %index: i64):
    %s = arith.mulf %x, %x : f32
    skew.yield %s : f32
  }
  %n = skew.sweep domain([], <>) ins(%a elem : tensor<f32>, %b elem : tensor<f32>)
      outs(elem write into -1 : tensor<f32>) {
  ^bb0(%x: f64, %y: f64, %index: i64):
    %s = arith.addf %x, %y : f64
    %r = math.sqrt %s : f64
    skew.yield %r : f64
  }
  %p1 = skew.sweep domain([4096], <column = [0]>)
      ins(%g elem : tensor<4096xbf16>, %p elem : tensor<4096xbf16>, %n scalar : tensor<f32>)
      outs(elem write into 1 : tensor<4096xbf16>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %index: i64):
    %s = arith.divf %x, %z : f32
    %d = arith.subf %y, %s : f32
    skew.yield %d : f32
  }
  %q1 = skew.sweep domain([8192], <column = [0]>)
      ins(%h elem : tensor<8192xbf16>, %q elem : tensor<8192xbf16>, %n scalar : tensor<f32>)
      outs(elem write into 1 : tensor<8192xbf16>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %index: i64):
    %s = arith.divf %x, %z : f32
    %d = arith.subf %y, %s : f32
    skew.yield %d : f32
  }
  return %p1, %q1 : tensor<4096xbf16>, tensor<8192xbf16>
}

// The same with a norm of its own: g is still in cache, 6.
// CHECK: remark: {{.*}}Function=norm_of_one
// CHECK-SAME: cold_bytes_per_element=8.000
// CHECK-SAME: warm_bytes_per_element=6.000
func.func @norm_of_one(%p: tensor<4096xbf16>, %g: tensor<4096xbf16>) -> tensor<4096xbf16> {
  %a = skew.sweep domain([4096], <column = [0]>) ins(%g elem : tensor<4096xbf16>)
      outs(scalar sum into -1 : tensor<f32>) {
  ^bb0(%x: f32, %index: i64):
    %s = arith.mulf %x, %x : f32
    skew.yield %s : f32
  }
  %p1 = skew.sweep domain([4096], <column = [0]>)
      ins(%g elem : tensor<4096xbf16>, %p elem : tensor<4096xbf16>, %a scalar : tensor<f32>)
      outs(elem write into 1 : tensor<4096xbf16>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %index: i64):
    %s = arith.divf %x, %z : f32
    %d = arith.subf %y, %s : f32
    skew.yield %d : f32
  }
  return %p1 : tensor<4096xbf16>
}
