// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// p0: m 4*4*6 + factors 4*(4+6) = 136 B; p1: m and v 4*6 each = 48 B: 184 in all.
// RUN: skew-opt %s --skew-place-state="policy=paper budget=184B" | FileCheck %s
// RUN: skew-opt %s --skew-place-state="policy=paper budget=1kB" | FileCheck %s
// RUN: rm -f %t.none
// RUN: not skew-opt %s --skew-place-state="policy=paper budget=183" -o %t.none 2>&1 | FileCheck %s --check-prefix=SHORT
// RUN: not test -e %t.none
// CHECK: skew.group @backbone_0
// SHORT: error: optimizer state must fit the budget of 183 bytes (183 B), but the policy needs 184 bytes (184 B): short by 1 bytes; raise the budget or choose smaller tiers in a plan
// SHORT-NOT: error:

// keep: 2 * 4 * (24 + 6) = 240.
// RUN: skew-opt %s --skew-place-state="policy=keep budget=240" | FileCheck %s
// RUN: not skew-opt %s --skew-place-state="policy=keep budget=0.234kB" 2>&1 | FileCheck %s --check-prefix=KEEP
// KEEP: error: optimizer state must fit the budget of 234 bytes (234 B), but the policy needs 240 bytes (240 B): short by 6 bytes

// Sizes that are none.
// RUN: not skew-opt %s --skew-place-state="policy=paper budget=0" 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not skew-opt %s --skew-place-state="policy=paper budget=-1" 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// RUN: not skew-opt %s --skew-place-state="policy=paper budget=10XB" 2>&1 | FileCheck %s --check-prefix=UNIT
// RUN: not skew-opt %s --skew-place-state="policy=paper budget=9223372036854775808" 2>&1 | FileCheck %s --check-prefix=HUGE
// ZERO: error: option budget: byte size must be a positive number with one of the units B, kB, MB, GB, TB, KiB, MiB, GiB, TiB, got '0': must be above zero
// NEGATIVE: error: option budget: byte size must be a positive number {{.*}}, got '-1'
// UNIT: error: option budget: byte size must be a positive number {{.*}}, got '10XB': unknown unit
// HUGE: error: option budget: byte size must be a positive number {{.*}}, got '9223372036854775808': too large

// A policy that this version lacks, and values that no option has.
// RUN: not skew-opt %s --skew-place-state="budget=1GiB" 2>&1 | FileCheck %s --check-prefix=AUTO
// RUN: not skew-opt %s --skew-place-state="policy=auto" 2>&1 | FileCheck %s --check-prefix=AUTO
// RUN: not skew-opt %s --skew-place-state="policy=papers" 2>&1 | FileCheck %s --check-prefix=POLICY
// RUN: not skew-opt %s --skew-place-state="numerics=exact" 2>&1 | FileCheck %s --check-prefix=NUMERICS
// RUN: not skew-opt %s --skew-place-state="rms-clip=row" 2>&1 | FileCheck %s --check-prefix=CLIP
// RUN: not skew-opt %s --skew-place-state="rounding=up" 2>&1 | FileCheck %s --check-prefix=ROUNDING
// RUN: not skew-opt %s --skew-place-state="seed=x" 2>&1 | FileCheck %s --check-prefix=SEED
// RUN: not skew-opt %s --skew-place-state="tiers=all" 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// AUTO: error: policy auto needs gradient facts, which this version does not measure: use policy=paper or policy=keep (budget is then checked), or a plan
// POLICY: error: option policy must be paper, keep or auto, got 'papers'
// NUMERICS: error: option numerics must be tiered or published, got 'exact'
// CLIP: error: option rms-clip must be batch, tensor or off, got 'row'
// ROUNDING: error: option rounding must be auto, nearest or stochastic, got 'up'
// SEED: for the --seed option: 'x' value invalid
// UNKNOWN: no such option tiers

func.func @step(%p0: tensor<4x6xf32>, %m0: tensor<4x6xf32>, %v0: tensor<4x6xf32>, %g0: tensor<4x6xf32>,
    %p1: tensor<6xf32>, %m1: tensor<6xf32>, %v1: tensor<6xf32>, %g1: tensor<6xf32>,
    %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>)
    attributes {skew.parameters = [
      {name = "p0", argument = 0 : i64, result = 0 : i64, status = "raised", rule = "adamw", role = #skew.role<backbone>, tier_class = "backbone", axes = #skew.axes<row = [0], column = [1]>},
      {name = "p1", argument = 4 : i64, result = 3 : i64, status = "raised", rule = "adamw", role = #skew.role<norm>, tier_class = "backbone", axes = #skew.axes<column = [0]>}]} {
  %r0:3 = skew.adamw parameter(%p0 : tensor<4x6xf32>) gradient(%g0 : tensor<4x6xf32>)
      state(%m0, %v0 : tensor<4x6xf32>, tensor<4x6xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "p0"}
  %r1:3 = skew.adamw parameter(%p1 : tensor<6xf32>) gradient(%g1 : tensor<6xf32>)
      state(%m1, %v1 : tensor<6xf32>, tensor<6xf32>) step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01} {parameter_name = "p1"}
  return %r0#0, %r0#1, %r0#2, %r1#0, %r1#1, %r1#2 :
      tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
}
