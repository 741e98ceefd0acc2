// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: skew-opt %s --skew-raise --split-input-file --remarks-filter=skew-raise --remark-format=emitRemark --verify-diagnostics | FileCheck %s

// Everything in one body: read through, because the gradient is a value of its
// own.
// CHECK-LABEL: func.func @momentum(
// CHECK-SAME: %[[P:.*]]: tensor<8xf32>, %[[M:.*]]: tensor<8xf32>, %[[G:.*]]: tensor<8xf32>
// CHECK: %[[NEW:.*]]:2 = skew.sgd parameter(%[[P]] : tensor<8xf32>) gradient(%[[G]] : tensor<8xf32>) state(%[[M]] : tensor<8xf32>)
// CHECK-SAME: momentum = 9.000000e-01
// CHECK-NOT: linalg
// CHECK: return %[[NEW]]#0, %[[NEW]]#1
#map = affine_map<(d0) -> (d0)>
// expected-remark @below {{[Passed] raised | Category:skew-raise | Function=momentum | Remark="arg0: sgd with weight_decay 0, momentum 0.9, dampening 0, nesterov 0, learning_rate 0.001, gradient plain"}}
func.func @momentum(%p: tensor<8xf32>, %m: tensor<8xf32>, %g: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %rate = arith.constant 1.0e-3 : f32
  %decay = arith.constant 0.9 : f32
  %empty = tensor.empty() : tensor<8xf32>
  %new:2 = linalg.generic {indexing_maps = [#map, #map, #map, #map, #map], iterator_types = ["parallel"]}
      ins(%p, %m, %g : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%empty, %empty : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32, %out2: f32):
    %0 = arith.mulf %b, %decay : f32
    %1 = arith.addf %0, %c : f32
    %2 = arith.mulf %1, %rate : f32
    %3 = arith.subf %a, %2 : f32
    linalg.yield %3, %1 : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  return %new#0, %new#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// The moment is read from the other end: no elementwise update.
#map = affine_map<(d0) -> (d0)>
#reverse = affine_map<(d0) -> (7 - d0)>
// CHECK-LABEL: func.func @reversed(
// CHECK-NOT: skew.sgd
// CHECK: return
// expected-remark @below {{[Missed] declined | Category:skew-raise | Function=reversed | Reason="momentum must lie between 0 and 1, the state's weight is 1"}}
func.func @reversed(%p: tensor<8xf32>, %m: tensor<8xf32>, %g: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %rate = arith.constant 1.0e-3 : f32
  %decay = arith.constant 0.9 : f32
  %empty = tensor.empty() : tensor<8xf32>
  %new:2 = linalg.generic {indexing_maps = [#map, #reverse, #map, #map, #map], iterator_types = ["parallel"]}
      ins(%p, %m, %g : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%empty, %empty : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32, %out2: f32):
    %0 = arith.mulf %b, %decay : f32
    %1 = arith.addf %0, %c : f32
    %2 = arith.mulf %1, %rate : f32
    %3 = arith.subf %a, %2 : f32
    linalg.yield %3, %1 : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  return %new#0, %new#1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// A square matrix read transposed has the same size and type, not the same
// order.
#map = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
// CHECK-LABEL: func.func @transposed(
// CHECK-NOT: skew.sgd
// CHECK: return
// expected-remark @below {{[Missed] declined | Category:skew-raise | Function=transposed | Reason="momentum must lie between 0 and 1, the state's weight is 1"}}
func.func @transposed(%p: tensor<4x4xf32>, %m: tensor<4x4xf32>, %g: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %rate = arith.constant 1.0e-3 : f32
  %decay = arith.constant 0.9 : f32
  %empty = tensor.empty() : tensor<4x4xf32>
  %new:2 = linalg.generic {indexing_maps = [#map, #swap, #map, #map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%p, %m, %g : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) outs(%empty, %empty : tensor<4x4xf32>, tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32, %out2: f32):
    %0 = arith.mulf %b, %decay : f32
    %1 = arith.addf %0, %c : f32
    %2 = arith.mulf %1, %rate : f32
    %3 = arith.subf %a, %2 : f32
    linalg.yield %3, %1 : f32, f32
  } -> (tensor<4x4xf32>, tensor<4x4xf32>)
  return %new#0, %new#1 : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// The momentum sums over rows: a reduction is not elementwise.
#map = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0, 0)>
// CHECK-LABEL: func.func @broadcast(
// CHECK-NOT: skew.sgd
// CHECK: return
// expected-remark @below {{[Missed] declined | Category:skew-raise | Function=broadcast | Reason="momentum must lie between 0 and 1, the state's weight is 1"}}
func.func @broadcast(%p: tensor<4x4xf32>, %m: tensor<4x4xf32>, %g: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %rate = arith.constant 1.0e-3 : f32
  %decay = arith.constant 0.9 : f32
  %empty = tensor.empty() : tensor<4x4xf32>
  %new:2 = linalg.generic {indexing_maps = [#map, #row, #map, #map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%p, %m, %g : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) outs(%empty, %empty : tensor<4x4xf32>, tensor<4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32, %out2: f32):
    %0 = arith.mulf %b, %decay : f32
    %1 = arith.addf %0, %c : f32
    %2 = arith.mulf %1, %rate : f32
    %3 = arith.subf %a, %2 : f32
    linalg.yield %3, %1 : f32, f32
  } -> (tensor<4x4xf32>, tensor<4x4xf32>)
  return %new#0, %new#1 : tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// A learning rate that is a scalar argument, named ops, unit dimensions.
#map = affine_map<(d0, d1) -> (d0, d1)>
#unit = affine_map<(d0, d1) -> (d0, 0)>
// CHECK-LABEL: func.func @scalar_rate(
// CHECK-SAME: %[[LR:[a-z0-9]+]]: f32)
// CHECK-DAG: %[[RATE:.*]] = tensor.from_elements %[[LR]] : tensor<f32>
// CHECK: skew.sgd parameter({{.*}} learning_rate(%[[RATE]] : tensor<f32>)
// expected-remark @below {{[Passed] raised | Category:skew-raise | Function=scalar_rate | Remark="arg0: sgd with weight_decay 0, momentum 0.9, dampening 0, nesterov 0, learning_rate operand, gradient plain"}}
func.func @scalar_rate(%p: tensor<4x1xf32>, %m: tensor<4x1xf32>, %g: tensor<4x1xf32>, %lr: f32) -> (tensor<4x1xf32>, tensor<4x1xf32>) {
  %decay = arith.constant dense<0.9> : tensor<4x1xf32>
  %empty = tensor.empty() : tensor<4x1xf32>
  %0 = linalg.mul ins(%m, %decay : tensor<4x1xf32>, tensor<4x1xf32>) outs(%empty : tensor<4x1xf32>) -> tensor<4x1xf32>
  %m1 = linalg.add ins(%0, %g : tensor<4x1xf32>, tensor<4x1xf32>) outs(%empty : tensor<4x1xf32>) -> tensor<4x1xf32>
  %p1 = linalg.generic {indexing_maps = [#map, #unit, #map], iterator_types = ["parallel", "parallel"]}
      ins(%p, %m1 : tensor<4x1xf32>, tensor<4x1xf32>) outs(%empty : tensor<4x1xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %2 = arith.mulf %b, %lr : f32
    %3 = arith.subf %a, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<4x1xf32>
  return %p1, %m1 : tensor<4x1xf32>, tensor<4x1xf32>
}

// -----

// The clipped gradient is no value outside of the body that uses it.
#map = affine_map<(d0) -> (d0)>
#none = affine_map<(d0) -> ()>
// CHECK-LABEL: func.func @fused(
// CHECK-NOT: skew.sgd
// CHECK: return
// expected-remark @below {{[Missed] declined | Category:skew-raise | Function=fused | Reason="the gradient is only formed inside 'linalg.generic'", Remark="arg0 is not raised"}}
func.func @fused(%p: tensor<8xf32>, %m: tensor<8xf32>, %x: tensor<8xbf16>, %s: tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %rate = arith.constant 1.0e-3 : f32
  %decay = arith.constant 0.9 : f32
  %empty = tensor.empty() : tensor<8xf32>
  %new:2 = linalg.generic {indexing_maps = [#map, #map, #map, #none, #map, #map], iterator_types = ["parallel"]}
      ins(%p, %m, %x, %s : tensor<8xf32>, tensor<8xf32>, tensor<8xbf16>, tensor<f32>) outs(%empty, %empty : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: bf16, %d: f32, %out: f32, %out2: f32):
    %wide = arith.extf %c : bf16 to f32
    %g = arith.mulf %wide, %d : f32
    %0 = arith.mulf %b, %decay : f32
    %1 = arith.addf %0, %g : f32
    %2 = arith.mulf %1, %rate : f32
    %3 = arith.subf %a, %2 : f32
    linalg.yield %3, %1 : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  return %new#0, %new#1 : tensor<8xf32>, tensor<8xf32>
}
