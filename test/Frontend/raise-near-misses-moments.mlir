// RUN: skew-opt %s --skew-raise --allow-unregistered-dialect \
// RUN:   --remarks-filter=skew-raise --remark-format=emitRemark -o %t 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not="Passed"
// RUN: FileCheck %s --check-prefix=NONE --input-file=%t

// Near neighbours of AdamW, mostly in the moments: one thing changed in each.
// `model.gradient`, `model.norm`, `model.other` are not elementwise.

// NONE-NOT: skew.adamw
// NONE-NOT: skew.sgd
// NONE-NOT: skew.lion

module {
  // L2 in both moments with no value that is the gradient plus decay.
  // CHECK: [Missed] declined | Category:skew-raise | Function=l2_folded | Reason="the old parameter enters the new state other than through the gradient"
  func.func @l2_folded(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %2 = "stablehlo.multiply"(%1, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.constant"() <{value = dense<1.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %4 = "stablehlo.multiply"(%3, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %6 = "stablehlo.multiply"(%5, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %7 = "stablehlo.add"(%4, %6) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %8 = "stablehlo.add"(%2, %7) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %9 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %10 = "stablehlo.multiply"(%9, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %11 = "stablehlo.add"(%0, %10) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %12 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %13 = "stablehlo.multiply"(%12, %v) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %14 = "stablehlo.multiply"(%0, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %15 = "stablehlo.multiply"(%0, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %16 = "stablehlo.constant"() <{value = dense<2.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %17 = "stablehlo.multiply"(%16, %15) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %18 = "stablehlo.add"(%14, %17) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %19 = "stablehlo.multiply"(%p, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %20 = "stablehlo.constant"() <{value = dense<1.000000000e-04> : tensor<8xf32>}> : () -> tensor<8xf32>
    %21 = "stablehlo.multiply"(%20, %19) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %22 = "stablehlo.add"(%18, %21) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %23 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %24 = "stablehlo.multiply"(%23, %22) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %25 = "stablehlo.add"(%13, %24) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %26 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %27 = "stablehlo.add"(%t, %26) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %28 = "stablehlo.convert"(%27) : (tensor<i32>) -> tensor<f32>
    %29 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %30 = "stablehlo.power"(%29, %28) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %31 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %32 = "stablehlo.subtract"(%31, %30) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %33 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %34 = "stablehlo.power"(%33, %28) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %35 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %36 = "stablehlo.subtract"(%35, %34) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %37 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %38 = "stablehlo.divide"(%8, %37) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %39 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %40 = "stablehlo.divide"(%25, %39) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %41 = "stablehlo.sqrt"(%40) : (tensor<8xf32>) -> tensor<8xf32>
    %42 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %43 = "stablehlo.add"(%41, %42) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %44 = "stablehlo.divide"(%38, %43) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %45 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %46 = "stablehlo.broadcast_in_dim"(%45) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %47 = "stablehlo.multiply"(%46, %44) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %48 = "stablehlo.subtract"(%p, %47) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %48, %8, %25, %27 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // CHECK: [Missed] declined | Category:skew-raise | Function=l2_in_first_moment_only | Reason="another value than the gradient enters the new state (result of 'model.gradient')"
  func.func @l2_in_first_moment_only(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %2 = "stablehlo.multiply"(%1, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %4 = "stablehlo.multiply"(%3, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.add"(%0, %4) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %6 = "stablehlo.constant"() <{value = dense<1.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %7 = "stablehlo.multiply"(%6, %5) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %8 = "stablehlo.add"(%2, %7) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %9 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %10 = "stablehlo.multiply"(%9, %v) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %11 = "stablehlo.multiply"(%0, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %12 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %13 = "stablehlo.multiply"(%12, %11) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %14 = "stablehlo.add"(%10, %13) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %15 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %16 = "stablehlo.add"(%t, %15) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %17 = "stablehlo.convert"(%16) : (tensor<i32>) -> tensor<f32>
    %18 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %19 = "stablehlo.power"(%18, %17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %20 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %21 = "stablehlo.subtract"(%20, %19) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %22 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.power"(%22, %17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %24 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.subtract"(%24, %23) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %26 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %27 = "stablehlo.divide"(%8, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %28 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %29 = "stablehlo.divide"(%14, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %30 = "stablehlo.sqrt"(%29) : (tensor<8xf32>) -> tensor<8xf32>
    %31 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %32 = "stablehlo.add"(%30, %31) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %33 = "stablehlo.divide"(%27, %32) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %34 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %35 = "stablehlo.broadcast_in_dim"(%34) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %36 = "stablehlo.multiply"(%35, %33) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %37 = "stablehlo.subtract"(%p, %36) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %37, %8, %14, %16 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // The denominator is the running maximum of v.
  // CHECK: [Missed] declined | Category:skew-raise | Function=amsgrad | Reason="the step is not m'/(sqrt(v') + eps): another value enters it, or it has another denominator; a further state tensor (argument 4) takes a maximum: amsgrad"
  func.func @amsgrad(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>, %vmax: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>, tensor<8xf32>) {
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
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %24 = "stablehlo.divide"(%11, %23) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %25 = "stablehlo.maximum"(%vmax, %24) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %26 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %27 = "stablehlo.divide"(%5, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %28 = "stablehlo.sqrt"(%25) : (tensor<8xf32>) -> tensor<8xf32>
    %29 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %30 = "stablehlo.add"(%28, %29) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %31 = "stablehlo.divide"(%27, %30) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %32 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %33 = "stablehlo.multiply"(%32, %31) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %34 = "stablehlo.subtract"(%p, %33) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %34, %5, %11, %13, %25 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>, tensor<8xf32>
  }

  // v itself takes the maximum.
  // CHECK: [Missed] declined | Category:skew-raise | Function=amsgrad_in_place | Reason="second moment is not a weighted average of itself (a maximum, sign or root: adamax, yogi or novograd)"
  func.func @amsgrad_in_place(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %12 = "stablehlo.maximum"(%v, %11) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %13 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %14 = "stablehlo.add"(%t, %13) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %15 = "stablehlo.convert"(%14) : (tensor<i32>) -> tensor<f32>
    %16 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.power"(%16, %15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %18 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %19 = "stablehlo.subtract"(%18, %17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %20 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %21 = "stablehlo.power"(%20, %15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %22 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.subtract"(%22, %21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %24 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %25 = "stablehlo.divide"(%5, %24) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %26 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %27 = "stablehlo.divide"(%12, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %28 = "stablehlo.sqrt"(%27) : (tensor<8xf32>) -> tensor<8xf32>
    %29 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %30 = "stablehlo.add"(%28, %29) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %31 = "stablehlo.divide"(%25, %30) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %32 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %33 = "stablehlo.multiply"(%32, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %34 = "stablehlo.add"(%31, %33) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %35 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %37 = "stablehlo.multiply"(%36, %34) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %38 = "stablehlo.subtract"(%p, %37) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %38, %5, %12, %14 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // nadam: looks ahead with the gradient.
  // CHECK: [Missed] declined | Category:skew-raise | Function=nesterov | Reason="the gradient enters the step beside the first moment (nesterov, nadam)"
  func.func @nesterov(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %23 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %24 = "stablehlo.multiply"(%23, %5) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %25 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %26 = "stablehlo.divide"(%24, %25) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %27 = "stablehlo.constant"() <{value = dense<1.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %28 = "stablehlo.multiply"(%27, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %29 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %30 = "stablehlo.divide"(%28, %29) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %31 = "stablehlo.add"(%26, %30) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %32 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %33 = "stablehlo.divide"(%11, %32) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %34 = "stablehlo.sqrt"(%33) : (tensor<8xf32>) -> tensor<8xf32>
    %35 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %36 = "stablehlo.add"(%34, %35) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %37 = "stablehlo.divide"(%31, %36) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %38 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %39 = "stablehlo.multiply"(%38, %37) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %40 = "stablehlo.subtract"(%p, %39) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %40, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // lr sqrt(bc2)/bc1 * m/(sqrt(v) + eps): epsilon is not corrected.
  // CHECK: [Missed] declined | Category:skew-raise | Function=epsilon_before_correction | Reason="epsilon is added before the bias correction of the second moment (epsilon not bias-corrected)"
  func.func @epsilon_before_correction(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %23 = "stablehlo.sqrt"(%22) : (tensor<f32>) -> tensor<f32>
    %24 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.multiply"(%24, %23) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %26 = "stablehlo.divide"(%25, %18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %27 = "stablehlo.sqrt"(%11) : (tensor<8xf32>) -> tensor<8xf32>
    %28 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %29 = "stablehlo.add"(%27, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %30 = "stablehlo.divide"(%5, %29) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %31 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %32 = "stablehlo.multiply"(%31, %30) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %33 = "stablehlo.subtract"(%p, %32) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %33, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // p (1 - wd) without lr.
  // CHECK: [Missed] declined | Category:skew-raise | Function=decay_after_learning_rate | Reason="decay is a constant that does not follow the learning rate (applied after it)"
  func.func @decay_after_learning_rate(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>, %lr: tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %23 = "stablehlo.constant"() <{value = dense<9.900000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %24 = "stablehlo.multiply"(%p, %23) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %25 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %26 = "stablehlo.divide"(%5, %25) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %27 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %28 = "stablehlo.divide"(%11, %27) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %29 = "stablehlo.sqrt"(%28) : (tensor<8xf32>) -> tensor<8xf32>
    %30 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %31 = "stablehlo.add"(%29, %30) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %32 = "stablehlo.divide"(%26, %31) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %33 = "stablehlo.broadcast_in_dim"(%lr) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %34 = "stablehlo.multiply"(%33, %32) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %35 = "stablehlo.subtract"(%24, %34) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %35, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // (p - step)(1 - lr wd): decay sees the step.
  // CHECK: [Missed] declined | Category:skew-raise | Function=decay_of_the_new_parameter | Reason="no value in the graph is the learning rate under this bias correction (the step size follows another law of the step)"
  func.func @decay_of_the_new_parameter(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %31 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %33 = "stablehlo.multiply"(%32, %30) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %34 = "stablehlo.subtract"(%p, %33) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %35 = "stablehlo.constant"() <{value = dense<1.000000000e-05> : tensor<8xf32>}> : () -> tensor<8xf32>
    %36 = "stablehlo.multiply"(%35, %34) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %37 = "stablehlo.subtract"(%34, %36) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %37, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // |p|^1/2 decays, not p.
  // CHECK: [Missed] declined | Category:skew-raise | Function=decay_to_zero_weighted | Reason="the new parameter is not p (1 - lr wd) - step: the decay is another one, or another value enters"
  func.func @decay_to_zero_weighted(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %31 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %32 = "stablehlo.broadcast_in_dim"(%31) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %33 = "stablehlo.multiply"(%32, %30) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %34 = "stablehlo.subtract"(%p, %33) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %35 = "stablehlo.abs"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %36 = "stablehlo.sqrt"(%35) : (tensor<8xf32>) -> tensor<8xf32>
    %37 = "stablehlo.constant"() <{value = dense<1.000000000e-05> : tensor<8xf32>}> : () -> tensor<8xf32>
    %38 = "stablehlo.multiply"(%37, %36) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %39 = "stablehlo.subtract"(%34, %38) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %39, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // v averages (g - m)^2.
  // CHECK: [Missed] declined | Category:skew-raise | Function=adabelief | Reason="the second moment (argument 2) averages the squared distance of the gradient from the first (adabelief)"
  func.func @adabelief(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %2 = "stablehlo.multiply"(%1, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.constant"() <{value = dense<1.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %4 = "stablehlo.multiply"(%3, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.add"(%2, %4) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %6 = "stablehlo.subtract"(%0, %5) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %7 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %8 = "stablehlo.multiply"(%7, %v) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %9 = "stablehlo.multiply"(%6, %6) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %10 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %11 = "stablehlo.multiply"(%10, %9) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %12 = "stablehlo.add"(%8, %11) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %13 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %14 = "stablehlo.add"(%t, %13) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %15 = "stablehlo.convert"(%14) : (tensor<i32>) -> tensor<f32>
    %16 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.power"(%16, %15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %18 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %19 = "stablehlo.subtract"(%18, %17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %20 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %21 = "stablehlo.power"(%20, %15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %22 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.subtract"(%22, %21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %24 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %25 = "stablehlo.divide"(%5, %24) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %26 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %27 = "stablehlo.divide"(%12, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %28 = "stablehlo.sqrt"(%27) : (tensor<8xf32>) -> tensor<8xf32>
    %29 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %30 = "stablehlo.add"(%28, %29) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %31 = "stablehlo.divide"(%25, %30) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %32 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %33 = "stablehlo.multiply"(%32, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %34 = "stablehlo.add"(%31, %33) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %35 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %37 = "stablehlo.multiply"(%36, %34) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %38 = "stablehlo.subtract"(%p, %37) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %38, %5, %12, %14 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // v is a decaying maximum.
  // CHECK: [Missed] declined | Category:skew-raise | Function=adamax | Reason="second moment is not a weighted average of itself (a maximum, sign or root: adamax, yogi or novograd)"
  func.func @adamax(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %2 = "stablehlo.multiply"(%1, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.constant"() <{value = dense<1.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %4 = "stablehlo.multiply"(%3, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.add"(%2, %4) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %6 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %7 = "stablehlo.multiply"(%6, %v) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %8 = "stablehlo.abs"(%0) : (tensor<8xf32>) -> tensor<8xf32>
    %9 = "stablehlo.maximum"(%7, %8) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %10 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %11 = "stablehlo.add"(%t, %10) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %12 = "stablehlo.convert"(%11) : (tensor<i32>) -> tensor<f32>
    %13 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %14 = "stablehlo.power"(%13, %12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %15 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.subtract"(%15, %14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %17 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %18 = "stablehlo.power"(%17, %12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %19 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %20 = "stablehlo.subtract"(%19, %18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %21 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %22 = "stablehlo.divide"(%5, %21) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %23 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %24 = "stablehlo.add"(%9, %23) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %25 = "stablehlo.divide"(%22, %24) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %26 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %27 = "stablehlo.multiply"(%26, %25) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %28 = "stablehlo.subtract"(%p, %27) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %28, %5, %9, %11 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // v moves by sign(g^2 - v).
  // CHECK: [Missed] declined | Category:skew-raise | Function=yogi | Reason="second moment is not a weighted average of itself (a maximum, sign or root: adamax, yogi or novograd)"
  func.func @yogi(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %2 = "stablehlo.multiply"(%1, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.constant"() <{value = dense<1.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %4 = "stablehlo.multiply"(%3, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.add"(%2, %4) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %6 = "stablehlo.multiply"(%0, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %7 = "stablehlo.subtract"(%6, %v) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %8 = "stablehlo.sign"(%7) : (tensor<8xf32>) -> tensor<8xf32>
    %9 = "stablehlo.multiply"(%8, %6) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %10 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %11 = "stablehlo.multiply"(%10, %9) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %12 = "stablehlo.add"(%v, %11) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %13 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %14 = "stablehlo.add"(%t, %13) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %15 = "stablehlo.convert"(%14) : (tensor<i32>) -> tensor<f32>
    %16 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.power"(%16, %15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %18 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %19 = "stablehlo.subtract"(%18, %17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %20 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %21 = "stablehlo.power"(%20, %15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %22 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.subtract"(%22, %21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %24 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %25 = "stablehlo.divide"(%5, %24) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %26 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %27 = "stablehlo.divide"(%12, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %28 = "stablehlo.sqrt"(%27) : (tensor<8xf32>) -> tensor<8xf32>
    %29 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %30 = "stablehlo.add"(%28, %29) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %31 = "stablehlo.divide"(%25, %30) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %32 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %33 = "stablehlo.multiply"(%32, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %34 = "stablehlo.add"(%31, %33) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %35 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %36 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %37 = "stablehlo.multiply"(%36, %34) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %38 = "stablehlo.subtract"(%p, %37) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %38, %5, %12, %14 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // Donation says that m becomes v.
  // CHECK: [Missed] declined | Category:skew-raise | Function=results_swapped | Reason="tf.aliasing_output carries its tensors to each other's places"
  func.func @results_swapped(%p: tensor<8xf32> {tf.aliasing_output = 0 : i32}, %m: tensor<8xf32> {tf.aliasing_output = 1 : i32}, %v: tensor<8xf32> {tf.aliasing_output = 2 : i32}, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    return %37, %11, %5, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // The step uses the old first moment.
  // CHECK: [Missed] declined | Category:skew-raise | Function=old_moment_in_step | Reason="the gradient enters the step beside the first moment (nesterov, nadam)"
  func.func @old_moment_in_step(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %24 = "stablehlo.divide"(%m, %23) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
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
    return %37, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // CHECK: [Missed] declined | Category:skew-raise | Function=old_second_moment_in_step | Reason="the step is not m'/(sqrt(v') + eps): another value enters it, or it has another denominator"
  func.func @old_second_moment_in_step(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %26 = "stablehlo.divide"(%v, %25) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
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
    return %37, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // CHECK: [Missed] declined | Category:skew-raise | Function=no_correction | Reason="no bias correction of the moments"
  func.func @no_correction(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %15 = "stablehlo.sqrt"(%11) : (tensor<8xf32>) -> tensor<8xf32>
    %16 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %17 = "stablehlo.add"(%15, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %18 = "stablehlo.divide"(%5, %17) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %19 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %20 = "stablehlo.multiply"(%19, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %21 = "stablehlo.subtract"(%p, %20) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %21, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // CHECK: [Missed] declined | Category:skew-raise | Function=no_first_correction | Reason="no bias correction of the first moment"
  func.func @no_first_correction(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %24 = "stablehlo.divide"(%11, %23) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %25 = "stablehlo.sqrt"(%24) : (tensor<8xf32>) -> tensor<8xf32>
    %26 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %27 = "stablehlo.add"(%25, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %28 = "stablehlo.divide"(%5, %27) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %29 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %30 = "stablehlo.multiply"(%29, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %31 = "stablehlo.subtract"(%p, %30) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %31, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // CHECK: [Missed] declined | Category:skew-raise | Function=no_second_correction | Reason="no bias correction of the second moment"
  func.func @no_second_correction(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %25 = "stablehlo.sqrt"(%11) : (tensor<8xf32>) -> tensor<8xf32>
    %26 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %27 = "stablehlo.add"(%25, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %28 = "stablehlo.divide"(%24, %27) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %29 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %30 = "stablehlo.multiply"(%29, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %31 = "stablehlo.subtract"(%p, %30) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %31, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // t + 1 in one, t in the other.
  // CHECK: [Missed] declined | Category:skew-raise | Function=corrections_count_differently | Reason="the two bias corrections count different steps"
  func.func @corrections_count_differently(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %19 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %20 = "stablehlo.add"(%13, %19) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %21 = "stablehlo.convert"(%20) : (tensor<i32>) -> tensor<f32>
    %22 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.power"(%22, %21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %24 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.subtract"(%24, %23) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %26 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %27 = "stablehlo.divide"(%5, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %28 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %29 = "stablehlo.divide"(%11, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %30 = "stablehlo.sqrt"(%29) : (tensor<8xf32>) -> tensor<8xf32>
    %31 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %32 = "stablehlo.add"(%30, %31) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %33 = "stablehlo.divide"(%27, %32) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %34 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %35 = "stablehlo.multiply"(%34, %33) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %36 = "stablehlo.subtract"(%p, %35) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %36, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // Corrected by 0.95^t where 0.9 averages.
  // CHECK: [Missed] declined | Category:skew-raise | Function=correction_of_another_decay | Reason="no bias correction of both moments that explains the step"
  func.func @correction_of_another_decay(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %15 = "stablehlo.constant"() <{value = dense<9.500000000e-01> : tensor<f32>}> : () -> tensor<f32>
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
    %31 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %32 = "stablehlo.multiply"(%31, %30) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %33 = "stablehlo.subtract"(%p, %32) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %33, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // CHECK: [Missed] declined | Category:skew-raise | Function=clip_by_value_in_first_moment | Reason="a condition in the update was never exercised both ways by the probes (maximum with -100000)"
  func.func @clip_by_value_in_first_moment(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<-1.000000000e+05> : tensor<8xf32>}> : () -> tensor<8xf32>
    %2 = "stablehlo.maximum"(%0, %1) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.constant"() <{value = dense<1.000000000e+05> : tensor<8xf32>}> : () -> tensor<8xf32>
    %4 = "stablehlo.minimum"(%2, %3) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %6 = "stablehlo.multiply"(%5, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %7 = "stablehlo.constant"() <{value = dense<1.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %8 = "stablehlo.multiply"(%7, %4) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %9 = "stablehlo.add"(%6, %8) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %10 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %11 = "stablehlo.multiply"(%10, %v) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %12 = "stablehlo.multiply"(%0, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %13 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %14 = "stablehlo.multiply"(%13, %12) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %15 = "stablehlo.add"(%11, %14) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %16 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %17 = "stablehlo.add"(%t, %16) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %18 = "stablehlo.convert"(%17) : (tensor<i32>) -> tensor<f32>
    %19 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %20 = "stablehlo.power"(%19, %18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %21 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.subtract"(%21, %20) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %23 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %24 = "stablehlo.power"(%23, %18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %25 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %26 = "stablehlo.subtract"(%25, %24) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %27 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %28 = "stablehlo.divide"(%9, %27) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %29 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %30 = "stablehlo.divide"(%15, %29) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %31 = "stablehlo.sqrt"(%30) : (tensor<8xf32>) -> tensor<8xf32>
    %32 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %33 = "stablehlo.add"(%31, %32) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %34 = "stablehlo.divide"(%28, %33) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %35 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %36 = "stablehlo.multiply"(%35, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %37 = "stablehlo.add"(%34, %36) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %38 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %39 = "stablehlo.broadcast_in_dim"(%38) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %40 = "stablehlo.multiply"(%39, %37) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %41 = "stablehlo.subtract"(%p, %40) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %41, %9, %15, %17 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }
}
