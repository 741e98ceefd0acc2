// RUN: skew-opt %s --skew-raise --allow-unregistered-dialect \
// RUN:   --remarks-filter=skew-raise --remark-format=emitRemark -o %t 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not="Passed"
// RUN: FileCheck %s --check-prefix=NONE --input-file=%t

// Near neighbours of AdamW, mostly in the step: one thing changed in each.
// `model.gradient`, `model.norm`, `model.other` are not elementwise.

// NONE-NOT: skew.adamw
// NONE-NOT: skew.sgd
// NONE-NOT: skew.lion

module {
  // v from the raw gradient.
  // CHECK: [Missed] declined | Category:skew-raise | Function=clip_by_norm_in_first_moment | Reason="the weight of the gradient depends on a reduction over tensors"
  func.func @clip_by_norm_in_first_moment(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "model.norm"(%0) : (tensor<8xf32>) -> tensor<f32>
    %2 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.compare"(%1, %2) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<8xi1>
    %5 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %6 = "stablehlo.divide"(%0, %5) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %7 = "stablehlo.select"(%4, %0, %6) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %8 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %9 = "stablehlo.multiply"(%8, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %10 = "stablehlo.constant"() <{value = dense<1.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %11 = "stablehlo.multiply"(%10, %7) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %12 = "stablehlo.add"(%9, %11) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %13 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %14 = "stablehlo.multiply"(%13, %v) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %15 = "stablehlo.multiply"(%0, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %16 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %17 = "stablehlo.multiply"(%16, %15) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %18 = "stablehlo.add"(%14, %17) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %19 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %20 = "stablehlo.add"(%t, %19) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %21 = "stablehlo.convert"(%20) : (tensor<i32>) -> tensor<f32>
    %22 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.power"(%22, %21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %24 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.subtract"(%24, %23) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %26 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %27 = "stablehlo.power"(%26, %21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %28 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %29 = "stablehlo.subtract"(%28, %27) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %30 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %31 = "stablehlo.divide"(%12, %30) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %32 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %33 = "stablehlo.divide"(%18, %32) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %34 = "stablehlo.sqrt"(%33) : (tensor<8xf32>) -> tensor<8xf32>
    %35 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %36 = "stablehlo.add"(%34, %35) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %37 = "stablehlo.divide"(%31, %36) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %38 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %39 = "stablehlo.multiply"(%38, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %40 = "stablehlo.add"(%37, %39) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %41 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %43 = "stablehlo.multiply"(%42, %40) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %44 = "stablehlo.subtract"(%p, %43) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %44, %12, %18, %20 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // Below any tolerance.
  // CHECK: [Missed] declined | Category:skew-raise | Function=tiny_extra_term | Reason="another value than the gradient enters the step (result of 'model.other')"
  func.func @tiny_extra_term(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %38 = "model.other"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %39 = "stablehlo.constant"() <{value = dense<1.000000000e-14> : tensor<8xf32>}> : () -> tensor<8xf32>
    %40 = "stablehlo.multiply"(%39, %38) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %41 = "stablehlo.add"(%37, %40) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %41, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // p + 1e-14 g.
  // CHECK: [Missed] declined | Category:skew-raise | Function=tiny_gradient_term | Reason="another value than the gradient enters the step (result of 'model.gradient')"
  func.func @tiny_gradient_term(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %38 = "stablehlo.constant"() <{value = dense<1.000000000e-14> : tensor<8xf32>}> : () -> tensor<8xf32>
    %39 = "stablehlo.multiply"(%38, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %40 = "stablehlo.add"(%37, %39) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %40, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // CHECK: [Missed] declined | Category:skew-raise | Function=tiny_term_in_moment | Reason="no value in the graph is the gradient that the moments average"
  func.func @tiny_term_in_moment(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %12 = "model.other"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %13 = "stablehlo.constant"() <{value = dense<1.000000000e-14> : tensor<8xf32>}> : () -> tensor<8xf32>
    %14 = "stablehlo.multiply"(%13, %12) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %15 = "stablehlo.add"(%5, %14) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
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
    %28 = "stablehlo.divide"(%15, %27) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %29 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %30 = "stablehlo.divide"(%11, %29) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
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
    return %41, %15, %11, %17 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // min(v, 3e37) never bites in training, nor in a probe.
  // CHECK: [Missed] declined | Category:skew-raise | Function=second_moment_capped | Reason="a condition in the update was never exercised both ways by the probes (minimum with 3e+37)"
  func.func @second_moment_capped(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %12 = "stablehlo.constant"() <{value = dense<3.000000000e+37> : tensor<8xf32>}> : () -> tensor<8xf32>
    %13 = "stablehlo.minimum"(%11, %12) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %14 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %15 = "stablehlo.add"(%t, %14) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %16 = "stablehlo.convert"(%15) : (tensor<i32>) -> tensor<f32>
    %17 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %18 = "stablehlo.power"(%17, %16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %19 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %20 = "stablehlo.subtract"(%19, %18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %21 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.power"(%21, %16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %23 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %24 = "stablehlo.subtract"(%23, %22) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %25 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %26 = "stablehlo.divide"(%5, %25) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %27 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %28 = "stablehlo.divide"(%13, %27) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %29 = "stablehlo.sqrt"(%28) : (tensor<8xf32>) -> tensor<8xf32>
    %30 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %31 = "stablehlo.add"(%29, %30) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %32 = "stablehlo.divide"(%26, %31) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %33 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %34 = "stablehlo.multiply"(%33, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %35 = "stablehlo.add"(%32, %34) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %36 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %38 = "stablehlo.multiply"(%37, %35) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %39 = "stablehlo.subtract"(%p, %38) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %39, %5, %13, %15 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // clamp(p, +-1e9).
  // CHECK: [Missed] declined | Category:skew-raise | Function=parameter_clamped | Reason="a condition in the update was never exercised both ways by the probes (maximum with -1e+09)"
  func.func @parameter_clamped(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %38 = "stablehlo.constant"() <{value = dense<-1.000000000e+09> : tensor<8xf32>}> : () -> tensor<8xf32>
    %39 = "stablehlo.maximum"(%37, %38) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %40 = "stablehlo.constant"() <{value = dense<1.000000000e+09> : tensor<8xf32>}> : () -> tensor<8xf32>
    %41 = "stablehlo.minimum"(%39, %40) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %41, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // beta1 changes at step 123457.
  // CHECK: [Missed] declined | Category:skew-raise | Function=beta_switches_late | Reason="beta1 changes with the step"
  func.func @beta_switches_late(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<123457> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.compare"(%t, %1) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.constant"() <{value = dense<9.500000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.select"(%2, %3, %4) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %7 = "stablehlo.multiply"(%6, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %8 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %9 = "stablehlo.subtract"(%8, %5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %11 = "stablehlo.multiply"(%10, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %12 = "stablehlo.add"(%7, %11) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %13 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %14 = "stablehlo.multiply"(%13, %v) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %15 = "stablehlo.multiply"(%0, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %16 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %17 = "stablehlo.multiply"(%16, %15) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %18 = "stablehlo.add"(%14, %17) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %19 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %20 = "stablehlo.add"(%t, %19) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %21 = "stablehlo.convert"(%20) : (tensor<i32>) -> tensor<f32>
    %22 = "stablehlo.power"(%5, %21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %23 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %24 = "stablehlo.subtract"(%23, %22) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %25 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %26 = "stablehlo.power"(%25, %21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %27 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %28 = "stablehlo.subtract"(%27, %26) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %29 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %30 = "stablehlo.divide"(%12, %29) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %31 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %32 = "stablehlo.divide"(%18, %31) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %33 = "stablehlo.sqrt"(%32) : (tensor<8xf32>) -> tensor<8xf32>
    %34 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %35 = "stablehlo.add"(%33, %34) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %36 = "stablehlo.divide"(%30, %35) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %37 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %38 = "stablehlo.multiply"(%37, %36) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %39 = "stablehlo.subtract"(%p, %38) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %39, %12, %18, %20 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // m is dropped at step 123457.
  // CHECK: [Missed] declined | Category:skew-raise | Function=momentum_reset_late | Reason="a condition in the update was never exercised both ways by the probes (select with 0)"
  func.func @momentum_reset_late(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<123457> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.compare"(%t, %1) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.select"(%2, %3, %4) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %7 = "stablehlo.multiply"(%6, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %8 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %9 = "stablehlo.multiply"(%8, %7) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %10 = "stablehlo.constant"() <{value = dense<1.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %11 = "stablehlo.multiply"(%10, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %12 = "stablehlo.add"(%9, %11) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %13 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %14 = "stablehlo.multiply"(%13, %v) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %15 = "stablehlo.multiply"(%0, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %16 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %17 = "stablehlo.multiply"(%16, %15) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %18 = "stablehlo.add"(%14, %17) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %19 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %20 = "stablehlo.add"(%t, %19) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %21 = "stablehlo.convert"(%20) : (tensor<i32>) -> tensor<f32>
    %22 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.power"(%22, %21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %24 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.subtract"(%24, %23) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %26 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %27 = "stablehlo.power"(%26, %21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %28 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %29 = "stablehlo.subtract"(%28, %27) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %30 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %31 = "stablehlo.divide"(%12, %30) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %32 = "stablehlo.broadcast_in_dim"(%29) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %33 = "stablehlo.divide"(%18, %32) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %34 = "stablehlo.sqrt"(%33) : (tensor<8xf32>) -> tensor<8xf32>
    %35 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %36 = "stablehlo.add"(%34, %35) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %37 = "stablehlo.divide"(%31, %36) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %38 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %39 = "stablehlo.multiply"(%38, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %40 = "stablehlo.add"(%37, %39) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %41 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %42 = "stablehlo.broadcast_in_dim"(%41) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %43 = "stablehlo.multiply"(%42, %40) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %44 = "stablehlo.subtract"(%p, %43) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %44, %12, %18, %20 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // LAMB: the step is scaled by a ratio of norms.
  // CHECK: [Missed] declined | Category:skew-raise | Function=trust_ratio | Reason="the step size (trust ratio, clipped update or estimated step) depends on a reduction over tensors"
  func.func @trust_ratio(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %34 = "model.norm"(%p) : (tensor<8xf32>) -> tensor<f32>
    %35 = "model.norm"(%33) : (tensor<8xf32>) -> tensor<f32>
    %36 = "stablehlo.divide"(%34, %35) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %37 = "stablehlo.broadcast_in_dim"(%36) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %38 = "stablehlo.multiply"(%37, %33) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %39 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %40 = "stablehlo.multiply"(%39, %38) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %41 = "stablehlo.subtract"(%p, %40) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %41, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // Each element of the step is clipped at 1.
  // CHECK: [Missed] declined | Category:skew-raise | Function=step_clipped | Reason="the step saturates for small second moments (clipped after the update rule) or has another denominator"
  func.func @step_clipped(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %31 = "stablehlo.constant"() <{value = dense<-1.000000000e+00> : tensor<8xf32>}> : () -> tensor<8xf32>
    %32 = "stablehlo.maximum"(%30, %31) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %33 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<8xf32>}> : () -> tensor<8xf32>
    %34 = "stablehlo.minimum"(%32, %33) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %35 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %36 = "stablehlo.multiply"(%35, %34) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %37 = "stablehlo.subtract"(%p, %36) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %37, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // max(sqrt(v), eps).
  // CHECK: [Missed] declined | Category:skew-raise | Function=denominator_floored | Reason="the step saturates for small second moments (clipped after the update rule) or has another denominator"
  func.func @denominator_floored(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %29 = "stablehlo.maximum"(%27, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %30 = "stablehlo.divide"(%24, %29) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %31 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %32 = "stablehlo.multiply"(%31, %30) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %33 = "stablehlo.subtract"(%p, %32) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %33, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // The step is dropped where it disagrees with the gradient.
  // CHECK: [Missed] declined | Category:skew-raise | Function=cautious | Reason="elements whose gradient and first moment disagree in sign are masked out of the step (cautious)"
  func.func @cautious(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %31 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<8xf32>}> : () -> tensor<8xf32>
    %32 = "stablehlo.multiply"(%30, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %33 = "stablehlo.compare"(%32, %31) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %34 = "stablehlo.select"(%33, %30, %31) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %35 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %36 = "stablehlo.multiply"(%35, %34) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %37 = "stablehlo.subtract"(%p, %36) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %37, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // CHECK: [Missed] declined | Category:skew-raise | Function=uphill | Reason="the step goes uphill"
  func.func @uphill(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %12 = "stablehlo.constant"() <{value = dense<-1.000000000e-03> : tensor<f32>}> : () -> tensor<f32>
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
    %27 = "stablehlo.divide"(%11, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %28 = "stablehlo.sqrt"(%27) : (tensor<8xf32>) -> tensor<8xf32>
    %29 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %30 = "stablehlo.add"(%28, %29) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %31 = "stablehlo.divide"(%25, %30) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %32 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %33 = "stablehlo.multiply"(%32, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %34 = "stablehlo.add"(%31, %33) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %35 = "stablehlo.broadcast_in_dim"(%12) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %36 = "stablehlo.multiply"(%35, %34) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %37 = "stablehlo.subtract"(%p, %36) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %37, %5, %11, %14 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // No second moment in the first steps.
  // CHECK: [Missed] declined | Category:skew-raise | Function=radam | Reason="no second moment in the step (in at least one run-time branch: radam)"
  func.func @radam(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %23 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %24 = "stablehlo.compare"(%t, %23) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<8xi1>
    %26 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %27 = "stablehlo.divide"(%5, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %28 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %29 = "stablehlo.divide"(%5, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %30 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %31 = "stablehlo.divide"(%11, %30) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %32 = "stablehlo.sqrt"(%31) : (tensor<8xf32>) -> tensor<8xf32>
    %33 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %34 = "stablehlo.add"(%32, %33) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %35 = "stablehlo.divide"(%29, %34) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %36 = "stablehlo.select"(%25, %27, %35) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %37 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %38 = "stablehlo.multiply"(%37, %36) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %39 = "stablehlo.subtract"(%p, %38) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %39, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // The step is rounded to integers.
  // CHECK: [Missed] declined | Category:skew-raise | Function=rounded_update | Reason="some elements do not move although their first moment does: masked or rounded"
  func.func @rounded_update(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %31 = "stablehlo.round_nearest_even"(%30) : (tensor<8xf32>) -> tensor<8xf32>
    %32 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %33 = "stablehlo.multiply"(%32, %31) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %34 = "stablehlo.subtract"(%p, %33) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %34, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // v averages the square of another value.
  // CHECK: [Missed] declined | Category:skew-raise | Function=two_gradients | Reason="second moment does not average the square of what the first averages"
  func.func @two_gradients(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "model.hutchinson"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %2 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %3 = "stablehlo.multiply"(%2, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %4 = "stablehlo.constant"() <{value = dense<1.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %5 = "stablehlo.multiply"(%4, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %6 = "stablehlo.add"(%3, %5) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %7 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %8 = "stablehlo.multiply"(%7, %v) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %9 = "stablehlo.multiply"(%1, %1) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
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
    %25 = "stablehlo.divide"(%6, %24) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
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
    return %38, %6, %12, %14 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // Weight 0.002 where 1 - beta2 is 0.001.
  // CHECK: [Missed] declined | Category:skew-raise | Function=damped_second_moment | Reason="the weights of g and g^2 do not fit the decays: w2/w1^2 is 2.000e-01, not 1.000e-01"
  func.func @damped_second_moment(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %2 = "stablehlo.multiply"(%1, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.constant"() <{value = dense<1.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %4 = "stablehlo.multiply"(%3, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.add"(%2, %4) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %6 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %7 = "stablehlo.multiply"(%6, %v) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %8 = "stablehlo.multiply"(%0, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %9 = "stablehlo.constant"() <{value = dense<2.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
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
    return %37, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // CHECK: [Missed] declined | Category:skew-raise | Function=fourth_root | Reason="the step is not m'/(sqrt(v') + eps): another value enters it, or it has another denominator"
  func.func @fourth_root(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %28 = "stablehlo.sqrt"(%27) : (tensor<8xf32>) -> tensor<8xf32>
    %29 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %30 = "stablehlo.add"(%28, %29) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %31 = "stablehlo.divide"(%24, %30) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %32 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %33 = "stablehlo.multiply"(%32, %31) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %34 = "stablehlo.subtract"(%p, %33) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %34, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // The caller would have to pass a negative rate.
  // CHECK: [Missed] declined | Category:skew-raise | Function=uphill_by_argument | Reason="the step goes uphill"
  func.func @uphill_by_argument(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>, %lr: tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %31 = "stablehlo.broadcast_in_dim"(%lr) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %32 = "stablehlo.multiply"(%31, %30) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %33 = "stablehlo.add"(%p, %32) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %33, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // Decay follows lr^2.
  // CHECK: [Missed] declined | Category:skew-raise | Function=squared_learning_rate_decay | Reason="decay is not a constant times the learning rate"
  func.func @squared_learning_rate_decay(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>, %lr: tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %23 = "stablehlo.multiply"(%lr, %lr) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %24 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.multiply"(%23, %24) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %27 = "stablehlo.multiply"(%26, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %28 = "stablehlo.subtract"(%p, %27) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %29 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %30 = "stablehlo.divide"(%5, %29) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %31 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %32 = "stablehlo.divide"(%11, %31) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %33 = "stablehlo.sqrt"(%32) : (tensor<8xf32>) -> tensor<8xf32>
    %34 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %35 = "stablehlo.add"(%33, %34) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %36 = "stablehlo.divide"(%30, %35) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %37 = "stablehlo.broadcast_in_dim"(%lr) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %38 = "stablehlo.multiply"(%37, %36) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %39 = "stablehlo.subtract"(%28, %38) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %39, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // The learning rate is divided by a norm.
  // CHECK: [Missed] declined | Category:skew-raise | Function=rate_follows_reduction | Reason="the step size (trust ratio, clipped update or estimated step) depends on a reduction over tensors"
  func.func @rate_follows_reduction(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %12 = "model.norm"(%0) : (tensor<8xf32>) -> tensor<f32>
    %13 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %14 = "stablehlo.divide"(%13, %12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
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
    %27 = "stablehlo.divide"(%5, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %28 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %29 = "stablehlo.divide"(%11, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %30 = "stablehlo.sqrt"(%29) : (tensor<8xf32>) -> tensor<8xf32>
    %31 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %32 = "stablehlo.add"(%30, %31) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %33 = "stablehlo.divide"(%27, %32) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %34 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %35 = "stablehlo.multiply"(%34, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %36 = "stablehlo.add"(%33, %35) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %37 = "stablehlo.broadcast_in_dim"(%14) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %38 = "stablehlo.multiply"(%37, %36) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %39 = "stablehlo.subtract"(%p, %38) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %39, %5, %11, %16 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // select(step < 4e9, ...) in f32: no probe can take the other side.
  // CHECK: [Missed] declined | Category:skew-raise | Function=branch_never_taken | Reason="the gradient enters the step beside the first moment (nesterov, nadam)"
  func.func @branch_never_taken(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %38 = "stablehlo.convert"(%t) : (tensor<i32>) -> tensor<f32>
    %39 = "stablehlo.constant"() <{value = dense<4.000000000e+09> : tensor<f32>}> : () -> tensor<f32>
    %40 = "stablehlo.compare"(%38, %39) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %41 = "stablehlo.broadcast_in_dim"(%40) <{broadcast_dimensions = array<i64>}> : (tensor<i1>) -> tensor<8xi1>
    %42 = "stablehlo.add"(%37, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %43 = "stablehlo.select"(%41, %37, %42) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %43, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }
}
