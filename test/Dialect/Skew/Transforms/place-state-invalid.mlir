// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: rm -f %t.none
// What is wrong with a plan is said in the plan's terms, once.
// RUN: not skew-opt %s --skew-place-state=plan=%S/Inputs/plans/absent.json -o %t.none 2>&1 | FileCheck %s --check-prefix=ABSENT
// ABSENT: error: plan '{{.*}}absent.json': No such file or directory
// ABSENT-NOT: error:
// RUN: not skew-opt %s --skew-place-state=plan=%S/Inputs/plans/truncated.json -o %t.none 2>&1 | FileCheck %s --check-prefix=TRUNCATED
// TRUNCATED: error: plan '{{.*}}truncated.json': [4:13, byte=60]: Unexpected EOF
// TRUNCATED-NOT: error:
// RUN: not skew-opt %s --skew-place-state=plan=%S/Inputs/plans/no-schema.json -o %t.none 2>&1 | FileCheck %s --check-prefix=NO-SCHEMA
// NO-SCHEMA: error: plan '{{.*}}no-schema.json': must have "schema": "skew-plan/1"
// NO-SCHEMA-NOT: error:
// RUN: not skew-opt %s --skew-place-state=plan=%S/Inputs/plans/other-schema.json -o %t.none 2>&1 | FileCheck %s --check-prefix=OTHER-SCHEMA
// OTHER-SCHEMA: error: plan '{{.*}}other-schema.json': must have "schema": "skew-plan/1"
// OTHER-SCHEMA-NOT: error:
// RUN: not skew-opt %s --skew-place-state=plan=%S/Inputs/plans/version-zero.json -o %t.none 2>&1 | FileCheck %s --check-prefix=VERSION-ZERO
// VERSION-ZERO: error: plan '{{.*}}version-zero.json': must have "schema": "skew-plan/1"
// VERSION-ZERO-NOT: error:
// RUN: not skew-opt %s --skew-place-state=plan=%S/Inputs/plans/newer.json -o %t.none 2>&1 | FileCheck %s --check-prefix=NEWER
// NEWER: error: plan '{{.*}}newer.json': has schema skew-plan/2, newer than skew-plan/1: use a newer skew-opt
// NEWER-NOT: error:
// RUN: not skew-opt %s --skew-place-state=plan=%S/Inputs/plans/other-function.json -o %t.none 2>&1 | FileCheck %s --check-prefix=OTHER-FUNCTION
// OTHER-FUNCTION: error: plan '{{.*}}other-function.json': has no function 'step'
// OTHER-FUNCTION-NOT: error:
// RUN: not skew-opt %s --skew-place-state=plan=%S/Inputs/plans/no-functions.json -o %t.none 2>&1 | FileCheck %s --check-prefix=NO-FUNCTIONS
// NO-FUNCTIONS: error: plan '{{.*}}no-functions.json': needs an array 'functions'
// NO-FUNCTIONS-NOT: error:
// RUN: not skew-opt %s --skew-place-state=plan=%S/Inputs/plans/no-parameters.json -o %t.none 2>&1 | FileCheck %s --check-prefix=NO-PARAMETERS
// NO-PARAMETERS: error: plan '{{.*}}no-parameters.json': function 'step' needs an array 'parameters'
// NO-PARAMETERS-NOT: error:
// RUN: not skew-opt %s --skew-place-state=plan=%S/Inputs/plans/nameless.json -o %t.none 2>&1 | FileCheck %s --check-prefix=NAMELESS
// NAMELESS: error: plan '{{.*}}nameless.json': every parameter needs a string 'name'
// NAMELESS-NOT: error:
// RUN: not skew-opt %s --skew-place-state=plan=%S/Inputs/plans/twice.json -o %t.none 2>&1 | FileCheck %s --check-prefix=TWICE
// TWICE: error: plan '{{.*}}twice.json': parameter p0 is listed twice
// TWICE-NOT: error:
// RUN: not skew-opt %s --skew-place-state=plan=%S/Inputs/plans/function-twice.json -o %t.none 2>&1 | FileCheck %s --check-prefix=FUNCTION-TWICE
// FUNCTION-TWICE: error: plan '{{.*}}function-twice.json': function 'step' is listed twice
// FUNCTION-TWICE-NOT: error:
// RUN: %python -c "print('[' * 100000)" > %t.deep.json
// RUN: not skew-opt %s --skew-place-state=plan=%t.deep.json -o %t.none 2>&1 | FileCheck %s --check-prefix=DEEP
// DEEP: error: plan '{{.*}}deep.json': [1:1001, byte=1000]: Brackets must not nest deeper than 1000
// DEEP-NOT: error:
// RUN: not skew-opt %s --skew-annotate-roles=roles=%t.deep.json -o %t.none 2>&1 | FileCheck %s --check-prefix=DEEP-RULES
// DEEP-RULES: deep.json:1:1001: brackets must not nest deeper than 1000
// RUN: not skew-opt %s --skew-place-state=plan=%S/Inputs/plans/unknown-parameter.json -o %t.none 2>&1 | FileCheck %s --check-prefix=UNKNOWN-PARAMETER
// UNKNOWN-PARAMETER: error: plan '{{.*}}unknown-parameter.json' names parameter p9, which is not a raised parameter of 'step'
// UNKNOWN-PARAMETER-NOT: error:
// RUN: not skew-opt %s --skew-place-state=plan=%S/Inputs/plans/missing-parameter.json -o %t.none 2>&1 | FileCheck %s --check-prefix=MISSING-PARAMETER
// MISSING-PARAMETER: error: plan '{{.*}}missing-parameter.json' must cover every raised parameter, but p1 is not in it; add it, with "tier": "keep" to leave it alone
// MISSING-PARAMETER-NOT: error:
// RUN: not skew-opt %s --skew-place-state=plan=%S/Inputs/plans/no-tier.json -o %t.none 2>&1 | FileCheck %s --check-prefix=NO-TIER
// NO-TIER: error: {{.*}}parameter p0: 'tier' must be "keep" or an object
// NO-TIER-NOT: error:
// RUN: not skew-opt %s --skew-place-state=plan=%S/Inputs/plans/no-m.json -o %t.none 2>&1 | FileCheck %s --check-prefix=NO-M
// NO-M: error: {{.*}}parameter p0: needs key 'm'
// NO-M-NOT: error:
// RUN: not skew-opt %s --skew-place-state=plan=%S/Inputs/plans/bad-v.json -o %t.none 2>&1 | FileCheck %s --check-prefix=BAD-V
// BAD-V: error: {{.*}}parameter p0: unknown value "int4" of key 'v'
// BAD-V-NOT: error:
// RUN: not skew-opt %s --skew-place-state=plan=%S/Inputs/plans/no-v.json -o %t.none 2>&1 | FileCheck %s --check-prefix=NO-V
// NO-V: error: {{.*}}parameter p0: the second moment must be kept: a float type or factored
// NO-V-NOT: error:
// RUN: not skew-opt %s --skew-place-state=plan=%S/Inputs/plans/factored-m.json -o %t.none 2>&1 | FileCheck %s --check-prefix=FACTORED-M
// FACTORED-M: error: {{.*}}parameter p0: the first moment can be none or a float type, not factored
// FACTORED-M-NOT: error:
// RUN: not skew-opt %s --skew-place-state=plan=%S/Inputs/plans/host.json -o %t.none 2>&1 | FileCheck %s --check-prefix=HOST
// HOST: error: {{.*}}parameter p0: place host cannot be lowered, use device
// HOST-NOT: error:
// RUN: not skew-opt %s --skew-place-state=plan=%S/Inputs/plans/no-axes.json -o %t.none 2>&1 | FileCheck %s --check-prefix=NO-AXES
// NO-AXES: error: {{.*}}parameter p0: needs an array 'row_axes'
// NO-AXES-NOT: error:
// RUN: not skew-opt %s --skew-place-state=plan=%S/Inputs/plans/text-axes.json -o %t.none 2>&1 | FileCheck %s --check-prefix=TEXT-AXES
// TEXT-AXES: error: {{.*}}parameter p0: 'row_axes' must hold integers, got "x"
// TEXT-AXES-NOT: error:
// RUN: not skew-opt %s --skew-place-state=plan=%S/Inputs/plans/same-axis.json -o %t.none 2>&1 | FileCheck %s --check-prefix=SAME-AXIS
// SAME-AXIS: error: {{.*}}parameter p0: batch, row and column must partition the axes 0 to 1
// SAME-AXIS-NOT: error:
// RUN: not skew-opt %s --skew-place-state=plan=%S/Inputs/plans/descending.json -o %t.none 2>&1 | FileCheck %s --check-prefix=DESCENDING
// DESCENDING: error: {{.*}}parameter p0: axes of one class must ascend
// DESCENDING-NOT: error:
// RUN: not skew-opt %s --skew-place-state=plan=%S/Inputs/plans/few-axes.json -o %t.none 2>&1 | FileCheck %s --check-prefix=FEW-AXES
// FEW-AXES: error: {{.*}}parameter p0: axes must split the 2 axes of 'tensor<4x6xf32>', got #skew.axes<column = [0]>
// FEW-AXES-NOT: error:
// RUN: not skew-opt %s --skew-place-state=plan=%S/Inputs/plans/factored-vector.json -o %t.none 2>&1 | FileCheck %s --check-prefix=FACTORED-VECTOR
// FACTORED-VECTOR: error: {{.*}}parameter p1: second moment must be kept exactly: 'tensor<6xf32>' with axes #skew.axes<column = [0]> has no matrix that factors would make smaller
// FACTORED-VECTOR-NOT: error:
// RUN: not skew-opt %s --skew-place-state=plan=%S/Inputs/plans/stochastic-f32.json -o %t.none 2>&1 | FileCheck %s --check-prefix=STOCHASTIC-F32
// STOCHASTIC-F32: error: {{.*}}parameter p0: stochastic rounding needs a bf16 or f16 parameter, got 'tensor<4x6xf32>'
// STOCHASTIC-F32-NOT: error:
// RUN: not skew-opt %s --skew-place-state=plan=%S/Inputs/plans/seed.json -o %t.none 2>&1 | FileCheck %s --check-prefix=SEED
// SEED: error: {{.*}}parameter p0: 'seed' must be an integer, got "x"
// SEED-NOT: error:
// RUN: not test -e %t.none

// A record that promises an update which is not there.
// RUN: sed 's/argument = 4 /argument = 5 /' %s | not skew-opt --skew-place-state 2>&1 | FileCheck %s --check-prefix=NO-UPDATE
// NO-UPDATE: error: parameter p1 is recorded as raised but no update of argument 5 exists

// RUN: sed 's/tier_class = "backbone", axes = #skew.axes<column/tier_class = "spine", axes = #skew.axes<column/' %s | not skew-opt --skew-place-state 2>&1 | FileCheck %s --check-prefix=CLASS
// CLASS: error: tier_class must be backbone, expert or router, got 'spine'

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
