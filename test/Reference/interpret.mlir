// RUN: skew-interpret %s --function=adamw | FileCheck %s --check-prefix=ADAMW
// RUN: skew-interpret %s --function=integers | FileCheck %s --check-prefix=INTEGERS
// RUN: skew-interpret %s --function=sums | FileCheck %s --check-prefix=SUMS
// RUN: skew-interpret %s --function=storage | FileCheck %s --check-prefix=TRUTH
// RUN: skew-interpret %s --function=storage --round-storage | FileCheck %s --check-prefix=ROUNDED
// RUN: skew-interpret %s --function=stochastic | FileCheck %s --check-prefix=STOCHASTIC

// p = 1, gradient 0, lr 1e-3, decay 1e-2: 1 - 1e-5 (constants are fp32).
// ADAMW: result 0: [] 0.9999899999997
// ADAMW: result 1: [] 0
// ADAMW: result 2: [] 0
func.func @adamw() -> (tensor<f32>, tensor<f32>, tensor<f32>) {
  %p = arith.constant dense<1.0> : tensor<f32>
  %g = arith.constant dense<0.0> : tensor<f32>
  %t = arith.constant dense<1> : tensor<i32>
  %lr = arith.constant dense<1.0e-3> : tensor<f32>
  %p1, %m1, %v1 = skew.adamw parameter(%p : tensor<f32>)
      gradient(%g : tensor<f32>) state(%g, %g : tensor<f32>, tensor<f32>)
      step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01}
  return %p1, %m1, %v1 : tensor<f32>, tensor<f32>, tensor<f32>
}

// x = -1 and 7: product with 2^31 - 1 wraps, unsigned and signed shift by 2,
// unsigned and signed order, zero extension.
// INTEGERS: result 0: [2] -2147483647 2147483641
// INTEGERS: result 1: [2] 1073741823 1
// INTEGERS: result 2: [2] -1 1
// INTEGERS: result 3: [2] 0 1
// INTEGERS: result 4: [2] 1 0
// INTEGERS: result 5: [2] 4294967295 7
func.func @integers() -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>,
                          tensor<2xi1>, tensor<2xi1>, tensor<2xi64>) {
  %a = arith.constant dense<[-1, 7]> : tensor<2xi32>
  %r:6 = skew.sweep domain([2], <column = [0]>) ins(%a elem : tensor<2xi32>)
      outs(elem write into -1 : tensor<2xi32>, elem write into -1 : tensor<2xi32>,
           elem write into -1 : tensor<2xi32>, elem write into -1 : tensor<2xi1>,
           elem write into -1 : tensor<2xi1>, elem write into -1 : tensor<2xi64>) {
  ^bb0(%x: i32, %index: i64):
    %big = arith.constant 2147483647 : i32
    %two = arith.constant 2 : i32
    %zero = arith.constant 0 : i32
    %p = arith.muli %x, %big : i32
    %neg = arith.cmpi slt, %x, %zero : i32
    %u = arith.shrui %x, %two : i32
    %s = arith.shrsi %x, %two : i32
    %ult = arith.cmpi ult, %x, %big : i32
    %w = arith.extui %x : i32 to i64
    skew.yield %p, %u, %s, %ult, %neg, %w : i32, i32, i32, i1, i1, i64
  }
  return %r#0, %r#1, %r#2, %r#3, %r#4, %r#5 : tensor<2xi32>, tensor<2xi32>,
      tensor<2xi32>, tensor<2xi1>, tensor<2xi1>, tensor<2xi64>
}

// Compensated: 1e16 + 1 + 1 - 1e16 is 2, where plain doubles give 0 or 2 by luck
// of the order. Per row, per column, and the index of every element.
// SUMS: result 0: [2] 2 10
// SUMS: result 1: [2] 10000000000000004 -9999999999999992
// SUMS: result 2: [] 12
// SUMS: result 3: [2x4] 0 1 2 3 4 5 6 7
func.func @sums() -> (tensor<2xf64>, tensor<2xf64>, tensor<f64>, tensor<2x4xi64>) {
  %a = arith.constant dense<[[1.0e16, 1.0, 1.0, -1.0e16], [1.0, 2.0, 3.0, 4.0]]>
      : tensor<2x4xf64>
  %r:3 = skew.sweep domain([2, 4], <row = [0], column = [1]>)
      ins(%a elem : tensor<2x4xf64>)
      outs(row sum into -1 : tensor<2xf64>, scalar sum into -1 : tensor<f64>,
           elem write into -1 : tensor<2x4xi64>) {
  ^bb0(%x: f64, %index: i64):
    skew.yield %x, %x, %index : f64, f64, i64
  }
  %b = arith.constant dense<[[[1.0e16, 1.0], [3.0, -1.0e16]], [[1.0, 2.0], [-1.0, 5.0]]]>
      : tensor<2x2x2xf64>
  %c = skew.sweep domain([2, 2, 2], <batch = [2], row = [0, 1]>)
      ins(%b elem : tensor<2x2x2xf64>) outs(batch sum into -1 : tensor<2xf64>) {
  ^bb0(%x: f64, %index: i64):
    skew.yield %x : f64
  }
  return %r#0, %c, %r#1, %r#2
      : tensor<2xf64>, tensor<2xf64>, tensor<f64>, tensor<2x4xi64>
}

// 1/3 in bf16 is 0.333984375; the second sweep reads what was stored.
// TRUTH: result 0: [] 0.33333333333333331
// TRUTH: result 1: [] 1
// ROUNDED: result 0: [] 0.333984375
// ROUNDED: result 1: [] 1.001953125
func.func @storage() -> (tensor<bf16>, tensor<f64>) {
  %a = arith.constant dense<3.0> : tensor<f64>
  %b = skew.sweep domain([], <>) ins(%a elem : tensor<f64>)
      outs(elem write into -1 : tensor<bf16>) {
  ^bb0(%x: f64, %index: i64):
    %one = arith.constant 1.0 : f64
    %y = arith.divf %one, %x : f64
    skew.yield %y : f64
  }
  %c = skew.sweep domain([], <>)
      ins(%a elem : tensor<f64>, %b elem : tensor<bf16>)
      outs(elem write into -1 : tensor<f64>) {
  ^bb0(%x: f64, %y: f64, %index: i64):
    %z = arith.mulf %x, %y : f64
    skew.yield %z : f64
  }
  return %b, %c : tensor<bf16>, tensor<f64>
}

// 1 + 2^-9 is a quarter of the way to the next bf16, 1 + 2^-7: bits from 49152
// on round up. f16 holds it.
// STOCHASTIC: result 0: [4] 1 1 1.0078125 1.0078125
// STOCHASTIC: result 1: [4] 1.001953125 1.001953125 1.001953125 1.001953125
func.func @stochastic() -> (tensor<4xbf16>, tensor<4xf16>) {
  %a = arith.constant dense<1.001953125> : tensor<4xf32>
  %b = arith.constant dense<[0, 49151, 49152, 65535]> : tensor<4xi32>
  %r:2 = skew.sweep domain([4], <column = [0]>)
      ins(%a elem : tensor<4xf32>, %b elem : tensor<4xi32>)
      outs(elem write into -1 : tensor<4xbf16>, elem write into -1 : tensor<4xf16>) {
  ^bb0(%x: f32, %bits: i32, %index: i64):
    %y = skew.round_stochastic %x, %bits : f32 to bf16
    %z = skew.round_stochastic %x, %bits : f32 to f16
    skew.yield %y, %z : bf16, f16
  }
  return %r#0, %r#1 : tensor<4xbf16>, tensor<4xf16>
}
