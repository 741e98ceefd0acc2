// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: skew-opt %s --skew-place-state=policy=paper --remarks-filter=skew-place-state --remark-format=emitRemark --verify-diagnostics -o /dev/null

// A second moment is factored only where that is smaller: n*m > n+m.

func.func @shapes(%p0: tensor<1x4096xf32>, %p1: tensor<4096x1xf32>, %p2: tensor<2x2xf32>, %p3: tensor<2x3xf32>, %p4: tensor<3x3xf32>, %p5: tensor<128x2xf32>, %p6: tensor<0x8xf32>, %p7: tensor<64x64xf32>, %p8: tensor<f32>, %p9: tensor<7xf32>,
    %m0: tensor<1x4096xf32>, %v0: tensor<1x4096xf32>, %g0: tensor<1x4096xf32>,
    %m1: tensor<4096x1xf32>, %v1: tensor<4096x1xf32>, %g1: tensor<4096x1xf32>,
    %m2: tensor<2x2xf32>, %v2: tensor<2x2xf32>, %g2: tensor<2x2xf32>,
    %m3: tensor<2x3xf32>, %v3: tensor<2x3xf32>, %g3: tensor<2x3xf32>,
    %m4: tensor<3x3xf32>, %v4: tensor<3x3xf32>, %g4: tensor<3x3xf32>,
    %m5: tensor<128x2xf32>, %v5: tensor<128x2xf32>, %g5: tensor<128x2xf32>,
    %m6: tensor<0x8xf32>, %v6: tensor<0x8xf32>, %g6: tensor<0x8xf32>,
    %m7: tensor<64x64xf32>, %v7: tensor<64x64xf32>, %g7: tensor<64x64xf32>,
    %m8: tensor<f32>, %v8: tensor<f32>, %g8: tensor<f32>,
    %m9: tensor<7xf32>, %v9: tensor<7xf32>, %g9: tensor<7xf32>,
    %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<1x4096xf32>, tensor<1x4096xf32>, tensor<1x4096xf32>, tensor<4096x1xf32>, tensor<4096x1xf32>, tensor<4096x1xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<128x2xf32>, tensor<128x2xf32>, tensor<128x2xf32>, tensor<0x8xf32>, tensor<0x8xf32>, tensor<0x8xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>)
    attributes {skew.parameters = [
      {name = "p0", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw"},
      {name = "p1", argument = 1 : i64, result = 3 : i64, status = "raised", rule = "adamw"},
      {name = "p2", argument = 2 : i64, result = 6 : i64, status = "raised", rule = "adamw"},
      {name = "p3", argument = 3 : i64, result = 9 : i64, status = "raised", rule = "adamw"},
      {name = "p4", argument = 4 : i64, result = 12 : i64, status = "raised", rule = "adamw"},
      {name = "p5", argument = 5 : i64, result = 15 : i64, status = "raised", rule = "adamw"},
      {name = "p6", argument = 6 : i64, result = 18 : i64, status = "raised", rule = "adamw"},
      {name = "p7", argument = 7 : i64, result = 21 : i64, status = "raised", rule = "adamw"},
      {name = "p8", argument = 8 : i64, result = 24 : i64, status = "raised", rule = "adamw"},
      {name = "p9", argument = 9 : i64, result = 27 : i64, status = "raised", rule = "adamw"}]} {
  // m and v 4*4096 B each
  // expected-remark @below {{Reason="policy paper: backbone keeps momentum, second moment exact (factors would save nothing)", bytes_after=32768, bytes_before=32768, parameter=p0}}
  %r0:3 = skew.adamw parameter(%p0 : tensor<1x4096xf32>) gradient(%g0 : tensor<1x4096xf32>)
      state(%m0, %v0 : tensor<1x4096xf32>, tensor<1x4096xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "p0"}
  // m and v 4*4096 B each
  // expected-remark @below {{Reason="policy paper: backbone keeps momentum, second moment exact (factors would save nothing)", bytes_after=32768, bytes_before=32768, parameter=p1}}
  %r1:3 = skew.adamw parameter(%p1 : tensor<4096x1xf32>) gradient(%g1 : tensor<4096x1xf32>)
      state(%m1, %v1 : tensor<4096x1xf32>, tensor<4096x1xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "p1"}
  // m and v 4*4 B each
  // expected-remark @below {{Reason="policy paper: backbone keeps momentum, second moment exact (factors would save nothing)", bytes_after=32, bytes_before=32, parameter=p2}}
  %r2:3 = skew.adamw parameter(%p2 : tensor<2x2xf32>) gradient(%g2 : tensor<2x2xf32>)
      state(%m2, %v2 : tensor<2x2xf32>, tensor<2x2xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "p2"}
  // m 4*2*3 B, v 4*(2+3) B
  // expected-remark @below {{Reason="policy paper: backbone keeps momentum, second moment factored", bytes_after=44, bytes_before=48, parameter=p3}}
  %r3:3 = skew.adamw parameter(%p3 : tensor<2x3xf32>) gradient(%g3 : tensor<2x3xf32>)
      state(%m3, %v3 : tensor<2x3xf32>, tensor<2x3xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "p3"}
  // m 4*3*3 B, v 4*(3+3) B
  // expected-remark @below {{Reason="policy paper: backbone keeps momentum, second moment factored", bytes_after=60, bytes_before=72, parameter=p4}}
  %r4:3 = skew.adamw parameter(%p4 : tensor<3x3xf32>) gradient(%g4 : tensor<3x3xf32>)
      state(%m4, %v4 : tensor<3x3xf32>, tensor<3x3xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "p4"}
  // m 4*128*2 B, v 4*(128+2) B
  // expected-remark @below {{Reason="policy paper: backbone keeps momentum, second moment factored", bytes_after=1544, bytes_before=2048, parameter=p5}}
  %r5:3 = skew.adamw parameter(%p5 : tensor<128x2xf32>) gradient(%g5 : tensor<128x2xf32>)
      state(%m5, %v5 : tensor<128x2xf32>, tensor<128x2xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "p5"}
  // m and v 4*0 B each
  // expected-remark @below {{Reason="policy paper: backbone keeps momentum, second moment exact (factors would save nothing)", bytes_after=0, bytes_before=0, parameter=p6}}
  %r6:3 = skew.adamw parameter(%p6 : tensor<0x8xf32>) gradient(%g6 : tensor<0x8xf32>)
      state(%m6, %v6 : tensor<0x8xf32>, tensor<0x8xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "p6"}
  // m 4*64*64 B, v 4*(64+64) B
  // expected-remark @below {{Reason="policy paper: backbone keeps momentum, second moment factored", bytes_after=16896, bytes_before=32768, parameter=p7}}
  %r7:3 = skew.adamw parameter(%p7 : tensor<64x64xf32>) gradient(%g7 : tensor<64x64xf32>)
      state(%m7, %v7 : tensor<64x64xf32>, tensor<64x64xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "p7"}
  // m and v 4*1 B each
  // expected-remark @below {{Reason="policy paper: backbone keeps momentum, second moment exact (factors would save nothing)", bytes_after=8, bytes_before=8, parameter=p8}}
  %r8:3 = skew.adamw parameter(%p8 : tensor<f32>) gradient(%g8 : tensor<f32>)
      state(%m8, %v8 : tensor<f32>, tensor<f32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "p8"}
  // m and v 4*7 B each
  // expected-remark @below {{Reason="policy paper: backbone keeps momentum, second moment exact (factors would save nothing)", bytes_after=56, bytes_before=56, parameter=p9}}
  %r9:3 = skew.adamw parameter(%p9 : tensor<7xf32>) gradient(%g9 : tensor<7xf32>)
      state(%m9, %v9 : tensor<7xf32>, tensor<7xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "p9"}
  return %r0#0, %r0#1, %r0#2, %r1#0, %r1#1, %r1#2, %r2#0, %r2#1, %r2#2, %r3#0, %r3#1, %r3#2, %r4#0, %r4#1, %r4#2, %r5#0, %r5#1, %r5#2, %r6#0, %r6#1, %r6#2, %r7#0, %r7#1, %r7#2, %r8#0, %r8#1, %r8#2, %r9#0, %r9#1, %r9#2 :
      tensor<1x4096xf32>, tensor<1x4096xf32>, tensor<1x4096xf32>, tensor<4096x1xf32>, tensor<4096x1xf32>, tensor<4096x1xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x2xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<3x3xf32>, tensor<128x2xf32>, tensor<128x2xf32>, tensor<128x2xf32>, tensor<0x8xf32>, tensor<0x8xf32>, tensor<0x8xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>
}
