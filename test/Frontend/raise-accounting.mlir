// RUN: skew-opt %s --skew-raise --allow-unregistered-dialect | FileCheck %s
// RUN: not skew-opt %s --skew-raise=strict=true --allow-unregistered-dialect \
// RUN:   -o %t.none 2>&1 | FileCheck %s --check-prefix=STRICT
// RUN: not test -e %t.none

// Every trainable parameter once, and what else is carried from argument to
// result.

// STRICT: error: 1 parameters are not raised
// STRICT: note: no bias correction of the moments

module {
  // (a) one trained, one frozen by p + 0, one returned as it is; x is data.
  // (b) is in raise-adamw.mlir: a gradient that is zero.
  // CHECK-LABEL: func.func @partition(
  // CHECK-SAME: skew.other_state = [{argument = 5 : i64, bytes = 4 : i64, kind = "step", name = "arg5", result = 5 : i64}]
  // CHECK-SAME: skew.parameters = [{argument = 0 : i64, {{.*}}, status = "raised"},
  // CHECK-SAME: {argument = 1 : i64, name = "arg1", result = 1 : i64, status = "frozen"},
  // CHECK-SAME: {argument = 2 : i64, name = "arg2", result = 2 : i64, status = "frozen"}]}
  // The frozen ones keep their ops.
  // CHECK: %[[ZERO:.*]] = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<8xf32>}>
  // CHECK: %[[F:.*]] = "stablehlo.add"(%arg1, %[[ZERO]])
  // CHECK: return %{{.*}}#0, %[[F]], %arg2, %{{.*}}#1, %{{.*}}#2
  func.func @partition(%a: tensor<8xf32>, %f: tensor<8xf32>, %q: tensor<8xf32>, %ma: tensor<8xf32>, %va: tensor<8xf32>, %t: tensor<i32>, %x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
    %0 = "model.loss"(%a, %f, %q, %x) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %2 = "stablehlo.multiply"(%1, %ma) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.constant"() <{value = dense<1.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %4 = "stablehlo.multiply"(%3, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.add"(%2, %4) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %6 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %7 = "stablehlo.multiply"(%6, %va) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %8 = "stablehlo.multiply"(%0, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %9 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %10 = "stablehlo.multiply"(%9, %8) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %11 = "stablehlo.add"(%7, %10) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %12 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %13 = "stablehlo.add"(%t, %12) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %14 = "stablehlo.convert"(%13) : (tensor<i32>) -> tensor<f32>
    %15 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.power"(%15, %14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %17 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %18 = "stablehlo.subtract"(%17, %16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %19 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %20 = "stablehlo.power"(%19, %14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %21 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.subtract"(%21, %20) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %23 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %24 = "stablehlo.divide"(%5, %23) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %25 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %26 = "stablehlo.divide"(%11, %25) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %27 = "stablehlo.sqrt"(%26) : (tensor<8xf32>) -> tensor<8xf32>
    %28 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %29 = "stablehlo.add"(%27, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %30 = "stablehlo.divide"(%24, %29) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %31 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %32 = "stablehlo.multiply"(%31, %a) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %33 = "stablehlo.add"(%30, %32) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %34 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %36 = "stablehlo.multiply"(%35, %33) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %37 = "stablehlo.subtract"(%a, %36) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %38 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<8xf32>}> : () -> tensor<8xf32>
    %39 = "stablehlo.add"(%f, %38) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %37, %39, %q, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // An average of the parameter, a running sum and a float counter beside the update.
  // CHECK-LABEL: func.func @other_state(
  // CHECK-SAME: {argument = 3 : i64, bytes = 4 : i64, kind = "step", name = "arg3", result = 3 : i64}
  // CHECK-SAME: {argument = 4 : i64, bytes = 32 : i64, kind = "ema", name = "arg4", result = 4 : i64}
  // CHECK-SAME: {argument = 5 : i64, bytes = 32 : i64, kind = "accumulator", name = "arg5", result = 5 : i64}
  // CHECK-SAME: {argument = 6 : i64, bytes = 4 : i64, kind = "step", name = "arg6", result = 6 : i64}
  // CHECK-COUNT-1: status = "raised"
  // CHECK-NOT: status =
  // CHECK: return
  func.func @other_state(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>, %ema: tensor<8xf32>, %acc: tensor<8xf32>, %n: tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %2 = "stablehlo.multiply"(%1, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.constant"() <{value = dense<1.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %4 = "stablehlo.multiply"(%3, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.add"(%2, %4) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %6 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %7 = "stablehlo.multiply"(%6, %v) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %8 = "stablehlo.multiply"(%0, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %9 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %10 = "stablehlo.multiply"(%9, %8) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %11 = "stablehlo.add"(%7, %10) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %12 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %13 = "stablehlo.add"(%t, %12) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %14 = "stablehlo.convert"(%13) : (tensor<i32>) -> tensor<f32>
    %15 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.power"(%15, %14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %17 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %18 = "stablehlo.subtract"(%17, %16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %19 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %20 = "stablehlo.power"(%19, %14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %21 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.subtract"(%21, %20) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %23 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %24 = "stablehlo.divide"(%5, %23) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %25 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %26 = "stablehlo.divide"(%11, %25) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %27 = "stablehlo.sqrt"(%26) : (tensor<8xf32>) -> tensor<8xf32>
    %28 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %29 = "stablehlo.add"(%27, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %30 = "stablehlo.divide"(%24, %29) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %31 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %32 = "stablehlo.multiply"(%31, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %33 = "stablehlo.add"(%30, %32) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %34 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %36 = "stablehlo.multiply"(%35, %33) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %37 = "stablehlo.subtract"(%p, %36) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %38 = "stablehlo.constant"() <{value = dense<9.900000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %39 = "stablehlo.multiply"(%38, %ema) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %40 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %41 = "stablehlo.multiply"(%40, %37) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %42 = "stablehlo.add"(%39, %41) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %43 = "stablehlo.add"(%acc, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %44 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %45 = "stablehlo.add"(%n, %44) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    return %37, %5, %11, %13, %42, %43, %45 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>
  }

  // No correction: declined, and its moments are accounted for.
  // CHECK-LABEL: func.func @declined_with_moments(
  // CHECK-SAME: {argument = 1 : i64, bytes = 32 : i64, kind = "moment", name = "arg1", result = 1 : i64}, {argument = 2 : i64, bytes = 32 : i64, kind = "moment", name = "arg2", result = 2 : i64}
  // CHECK-SAME: skew.parameters = [{argument = 0 : i64, name = "arg0", reason = "no bias correction of the moments", result = 0 : i64, status = "declined"}]}
  func.func @declined_with_moments(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %2 = "stablehlo.multiply"(%1, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.constant"() <{value = dense<1.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %4 = "stablehlo.multiply"(%3, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.add"(%2, %4) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %6 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %7 = "stablehlo.multiply"(%6, %v) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %8 = "stablehlo.multiply"(%0, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %9 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %10 = "stablehlo.multiply"(%9, %8) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %11 = "stablehlo.add"(%7, %10) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %12 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %13 = "stablehlo.add"(%t, %12) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %14 = "stablehlo.sqrt"(%11) : (tensor<8xf32>) -> tensor<8xf32>
    %15 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %16 = "stablehlo.add"(%14, %15) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %17 = "stablehlo.divide"(%5, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %18 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %19 = "stablehlo.multiply"(%18, %17) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %20 = "stablehlo.subtract"(%p, %19) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %20, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }
}
