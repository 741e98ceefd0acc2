// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: skew-opt %s --skew-pipeline=policy=paper --remarks-filter=skew-raise --remark-format=emitRemark --verify-diagnostics | FileCheck %s
// RUN: not skew-opt %s --skew-pipeline=strict=true 2>&1 | FileCheck %s --check-prefix=STRICT

// Other front ends' dialects are read in their own syntax, but not raised: each
// parameter is declined.
// STRICT: error: 1 parameters are not raised

// CHECK-LABEL: func.func @step(
// CHECK: %[[EMPTY:.*]] = tensor.empty() : tensor<8xf32>
// CHECK: %[[NEW:.*]] = linalg.generic
// CHECK: return %[[NEW]]
#map = affine_map<(d0) -> (d0)>
// expected-remark @below {{[Missed] declined | Category:skew-raise | Function=step | Reason="its new value comes out of 'linalg.generic': no elementwise path from the argument", Remark="arg0 is not raised"}}
func.func @step(%p: tensor<8xf32>, %g: tensor<8xf32>) -> tensor<8xf32> {
  %rate = arith.constant 1.0e-3 : f32
  %empty = tensor.empty() : tensor<8xf32>
  %new = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]}
      ins(%p, %g : tensor<8xf32>, tensor<8xf32>) outs(%empty : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %c = arith.mulf %b, %rate : f32
    %d = arith.subf %a, %c : f32
    linalg.yield %d : f32
  } -> tensor<8xf32>
  return %new : tensor<8xf32>
}
