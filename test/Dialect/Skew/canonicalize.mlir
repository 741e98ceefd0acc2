// RUN: skew-opt %s --canonicalize | FileCheck %s
// RUN: skew-opt %s --cse --canonicalize | FileCheck %s --check-prefix=CSE

// CHECK-LABEL: func.func @input_given_twice_is_read_once
// CHECK-SAME: (%[[G:.*]]: tensor<8xf32>)
func.func @input_given_twice_is_read_once(%g: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: skew.sweep domain([8], <column = [0]>) ins(%[[G]] elem : tensor<8xf32>) outs
  // CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %{{.*}}: i64):
  // CHECK-NEXT: arith.mulf %[[X]], %[[X]] : f32
  %r = skew.sweep domain([8], <column = [0]>)
      ins(%g elem : tensor<8xf32>, %g elem : tensor<8xf32>)
      outs(elem write into -1 : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32, %index: i64):
    %p = arith.mulf %x, %y : f32
    skew.yield %p : f32
  }
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @another_projection_is_another_input
func.func @another_projection_is_another_input(%g: tensor<8xf32>) -> tensor<8x8xf32> {
  // CHECK: ins(%{{.*}} row : tensor<8xf32>, %{{.*}} col : tensor<8xf32>)
  %r = skew.sweep domain([8, 8], <row = [0], column = [1]>)
      ins(%g row : tensor<8xf32>, %g col : tensor<8xf32>)
      outs(elem write into -1 : tensor<8x8xf32>) {
  ^bb0(%x: f32, %y: f32, %index: i64):
    %p = arith.mulf %x, %y : f32
    skew.yield %p : f32
  }
  return %r : tensor<8x8xf32>
}

// The tie follows the input that stands for the dropped one.
// CHECK-LABEL: func.func @tie_of_a_dropped_input_moves
// CHECK-SAME: (%[[A:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<8xf32>)
func.func @tie_of_a_dropped_input_moves(%a: tensor<8xf32>, %b: tensor<8xf32>)
    -> tensor<8xf32> {
  // CHECK: ins(%[[A]] elem : tensor<8xf32>, %[[B]] elem : tensor<8xf32>) outs(elem write into 1 : tensor<8xf32>)
  %r = skew.sweep domain([8], <column = [0]>)
      ins(%a elem : tensor<8xf32>, %a elem : tensor<8xf32>,
          %b elem : tensor<8xf32>, %b elem : tensor<8xf32>)
      outs(elem write into 3 : tensor<8xf32>) {
  ^bb0(%w: f32, %x: f32, %y: f32, %z: f32, %index: i64):
    %p = arith.mulf %w, %y : f32
    %q = arith.mulf %x, %z : f32
    %s = arith.addf %p, %q : f32
    skew.yield %s : f32
  }
  return %r : tensor<8xf32>
}

// CHECK-LABEL: func.func @unread_input_goes_unless_tied
// CHECK-SAME: (%[[A:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<8xf32>, %[[C:.*]]: tensor<8xf32>)
func.func @unread_input_goes_unless_tied(%a: tensor<8xf32>, %b: tensor<8xf32>,
    %c: tensor<8xf32>) -> tensor<8xf32> {
  // CHECK: ins(%[[B]] elem : tensor<8xf32>, %[[C]] elem : tensor<8xf32>) outs(elem write into 1 : tensor<8xf32>)
  %r = skew.sweep domain([8], <column = [0]>)
      ins(%a elem : tensor<8xf32>, %b elem : tensor<8xf32>, %c elem : tensor<8xf32>)
      outs(elem write into 2 : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32, %index: i64):
    %s = arith.addf %y, %y : f32
    skew.yield %s : f32
  }
  return %r : tensor<8xf32>
}

// The dropped result takes its input and its arithmetic with it.
// CHECK-LABEL: func.func @unused_result_goes
// CHECK-SAME: (%[[A:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<8xf32>)
func.func @unused_result_goes(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<f32> {
  // CHECK: %[[R:.*]] = skew.sweep domain([8], <column = [0]>) ins(%[[B]] elem : tensor<8xf32>) outs(scalar sum into -1 : tensor<f32>) {
  // CHECK-NOT: arith.mulf
  // CHECK: skew.yield %{{.*}} : f32
  // CHECK: return %[[R]]
  %r:2 = skew.sweep domain([8], <column = [0]>)
      ins(%a elem : tensor<8xf32>, %b elem : tensor<8xf32>)
      outs(elem write into -1 : tensor<8xf32>, scalar sum into -1 : tensor<f32>) {
  ^bb0(%x: f32, %y: f32, %index: i64):
    %p = arith.mulf %x, %x : f32
    %q = arith.addf %y, %y : f32
    skew.yield %p, %q : f32, f32
  }
  return %r#1 : tensor<f32>
}

// CHECK-LABEL: func.func @sweep_without_a_used_result_goes
// CHECK-NEXT: return
func.func @sweep_without_a_used_result_goes(%a: tensor<8xf32>) {
  %r = skew.sweep domain([8], <column = [0]>) ins(%a elem : tensor<8xf32>)
      outs(elem write into 0 : tensor<8xf32>) {
  ^bb0(%x: f32, %index: i64):
    %p = arith.mulf %x, %x : f32
    skew.yield %p : f32
  }
  return
}

// CHECK-LABEL: func.func @input_written_back_is_itself
// CHECK-SAME: (%[[A:.*]]: tensor<8xbf16>)
// CHECK-NEXT: return %[[A]]
func.func @input_written_back_is_itself(%a: tensor<8xbf16>) -> tensor<8xbf16> {
  %r = skew.sweep domain([8], <column = [0]>) ins(%a elem : tensor<8xbf16>)
      outs(elem write into 0 : tensor<8xbf16>) {
  ^bb0(%x: f32, %index: i64):
    skew.yield %x : f32
  }
  return %r : tensor<8xbf16>
}

// f16 does not hold every bf16, a sum is no copy, a transpose neither.
// CHECK-LABEL: func.func @what_only_looks_like_a_copy
// CHECK-COUNT-3: skew.sweep
func.func @what_only_looks_like_a_copy(%a: tensor<8x8xbf16>, %b: tensor<8xf32>)
    -> (tensor<8x8xbf16>, tensor<8xf32>, tensor<8xf32>) {
  %r = skew.sweep domain([8, 8], <column = [0, 1]>) ins(%a elem : tensor<8x8xbf16>)
      outs(elem write into 0 : tensor<8x8xbf16>) {
  ^bb0(%x: f16, %index: i64):
    skew.yield %x : f16
  }
  %s = skew.sweep domain([8, 8], <row = [0], column = [1]>) ins(%b row : tensor<8xf32>)
      outs(row sum into -1 : tensor<8xf32>) {
  ^bb0(%x: f32, %index: i64):
    skew.yield %x : f32
  }
  %t = skew.sweep domain([8, 8], <row = [0], column = [1]>) ins(%b row : tensor<8xf32>)
      outs(col sum into -1 : tensor<8xf32>) {
  ^bb0(%x: f32, %index: i64):
    skew.yield %x : f32
  }
  return %r, %s, %t : tensor<8x8xbf16>, tensor<8xf32>, tensor<8xf32>
}

// Equal sweeps are one, as for two parameters with the same step.
// CSE-LABEL: func.func @equal_sweeps_are_one
// CSE-COUNT-1: skew.sweep
// CSE-NOT: skew.sweep
// CSE: return
func.func @equal_sweeps_are_one(%t: tensor<i32>) -> (tensor<f32>, tensor<f32>) {
  %a = skew.sweep domain([], <>) ins(%t elem : tensor<i32>)
      outs(elem write into -1 : tensor<f32>) {
  ^bb0(%x: i32, %index: i64):
    %y = arith.sitofp %x : i32 to f64
    skew.yield %y : f64
  }
  %b = skew.sweep domain([], <>) ins(%t elem : tensor<i32>)
      outs(elem write into -1 : tensor<f32>) {
  ^bb0(%x: i32, %index: i64):
    %y = arith.sitofp %x : i32 to f64
    skew.yield %y : f64
  }
  return %a, %b : tensor<f32>, tensor<f32>
}
