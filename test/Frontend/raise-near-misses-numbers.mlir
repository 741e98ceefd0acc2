// RUN: skew-opt %s --skew-raise --allow-unregistered-dialect \
// RUN:   --remarks-filter=skew-raise --remark-format=emitRemark -o %t 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not="Passed"
// RUN: FileCheck %s --check-prefix=NONE --input-file=%t

// Near neighbours of AdamW in their run-time numbers: at the numbers that the
// probes draw they are AdamW, elsewhere they are not.

// NONE-NOT: skew.adamw
// NONE-NOT: skew.sgd
// NONE-NOT: skew.lion

module {
  // No decay below a rate of 100.
  // CHECK: [Missed] declined | Category:skew-raise | Function=rounded_decay | Reason="the update rounds or tests a number
  func.func @rounded_decay(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>, %lr: tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<0.9> : tensor<8xf32>}> : () -> tensor<8xf32>
    %2 = "stablehlo.multiply"(%1, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.constant"() <{value = dense<0.1> : tensor<8xf32>}> : () -> tensor<8xf32>
    %4 = "stablehlo.multiply"(%3, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.add"(%2, %4) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %6 = "stablehlo.multiply"(%0, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %7 = "stablehlo.constant"() <{value = dense<0.999> : tensor<8xf32>}> : () -> tensor<8xf32>
    %8 = "stablehlo.multiply"(%7, %v) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %9 = "stablehlo.constant"() <{value = dense<0.001> : tensor<8xf32>}> : () -> tensor<8xf32>
    %10 = "stablehlo.multiply"(%9, %6) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %11 = "stablehlo.add"(%8, %10) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %12 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %13 = "stablehlo.add"(%t, %12) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %14 = "stablehlo.convert"(%13) : (tensor<i32>) -> tensor<f32>
    %15 = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.constant"() <{value = dense<0.9> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.power"(%16, %14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %18 = "stablehlo.subtract"(%15, %17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %20 = "stablehlo.divide"(%5, %19) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %21 = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.constant"() <{value = dense<0.999> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.power"(%22, %14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %24 = "stablehlo.subtract"(%21, %23) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %26 = "stablehlo.divide"(%11, %25) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %27 = "stablehlo.sqrt"(%26) : (tensor<8xf32>) -> tensor<8xf32>
    %28 = "stablehlo.constant"() <{value = dense<1.0e-8> : tensor<8xf32>}> : () -> tensor<8xf32>
    %29 = "stablehlo.add"(%27, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %30 = "stablehlo.divide"(%20, %29) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %31 = "stablehlo.constant"() <{value = dense<0.01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %32 = "stablehlo.multiply"(%31, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %33 = "stablehlo.constant"() <{value = dense<0.01> : tensor<f32>}> : () -> tensor<f32>
    %34 = "stablehlo.multiply"(%lr, %33) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %35 = "stablehlo.floor"(%34) : (tensor<f32>) -> tensor<f32>
    %36 = "stablehlo.broadcast_in_dim"(%lr) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %37 = "stablehlo.multiply"(%36, %30) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %38 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %39 = "stablehlo.multiply"(%38, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %40 = "stablehlo.add"(%37, %39) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %41 = "stablehlo.subtract"(%p, %40) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %41, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }
  // Another rate of the step from a rate of 1000 on.
  // CHECK: [Missed] declined | Category:skew-raise | Function=rounded_rate | Reason="the update rounds or tests a number
  func.func @rounded_rate(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>, %lr: tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<0.9> : tensor<8xf32>}> : () -> tensor<8xf32>
    %2 = "stablehlo.multiply"(%1, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.constant"() <{value = dense<0.1> : tensor<8xf32>}> : () -> tensor<8xf32>
    %4 = "stablehlo.multiply"(%3, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.add"(%2, %4) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %6 = "stablehlo.multiply"(%0, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %7 = "stablehlo.constant"() <{value = dense<0.999> : tensor<8xf32>}> : () -> tensor<8xf32>
    %8 = "stablehlo.multiply"(%7, %v) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %9 = "stablehlo.constant"() <{value = dense<0.001> : tensor<8xf32>}> : () -> tensor<8xf32>
    %10 = "stablehlo.multiply"(%9, %6) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %11 = "stablehlo.add"(%8, %10) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %12 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %13 = "stablehlo.add"(%t, %12) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %14 = "stablehlo.convert"(%13) : (tensor<i32>) -> tensor<f32>
    %15 = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.constant"() <{value = dense<0.9> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.power"(%16, %14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %18 = "stablehlo.subtract"(%15, %17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %20 = "stablehlo.divide"(%5, %19) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %21 = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.constant"() <{value = dense<0.999> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.power"(%22, %14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %24 = "stablehlo.subtract"(%21, %23) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %26 = "stablehlo.divide"(%11, %25) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %27 = "stablehlo.sqrt"(%26) : (tensor<8xf32>) -> tensor<8xf32>
    %28 = "stablehlo.constant"() <{value = dense<1.0e-8> : tensor<8xf32>}> : () -> tensor<8xf32>
    %29 = "stablehlo.add"(%27, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %30 = "stablehlo.divide"(%20, %29) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %31 = "stablehlo.constant"() <{value = dense<0.01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %32 = "stablehlo.multiply"(%31, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %33 = "stablehlo.constant"() <{value = dense<1.0e-3> : tensor<f32>}> : () -> tensor<f32>
    %34 = "stablehlo.multiply"(%lr, %33) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %35 = "stablehlo.floor"(%34) : (tensor<f32>) -> tensor<f32>
    %36 = "stablehlo.add"(%30, %32) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %37 = "stablehlo.broadcast_in_dim"(%lr) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %38 = "stablehlo.multiply"(%37, %36) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %39 = "stablehlo.broadcast_in_dim"(%35) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %40 = "stablehlo.multiply"(%39, %30) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %41 = "stablehlo.add"(%38, %40) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %42 = "stablehlo.subtract"(%p, %41) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %42, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }
  // The step chooses the branch: each branch is tried with that step alone.
  // CHECK: [Missed] declined | Category:skew-raise | Function=step_chooses_branch | Reason="the update is inside a branch of 'stablehlo.case': the number that chooses a branch is used otherwise, too
  func.func @step_chooses_branch(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>, %lr: tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<0.9> : tensor<8xf32>}> : () -> tensor<8xf32>
    %2 = "stablehlo.multiply"(%1, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.constant"() <{value = dense<0.1> : tensor<8xf32>}> : () -> tensor<8xf32>
    %4 = "stablehlo.multiply"(%3, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.add"(%2, %4) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %6 = "stablehlo.multiply"(%0, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %7 = "stablehlo.constant"() <{value = dense<0.999> : tensor<8xf32>}> : () -> tensor<8xf32>
    %8 = "stablehlo.multiply"(%7, %v) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %9 = "stablehlo.constant"() <{value = dense<0.001> : tensor<8xf32>}> : () -> tensor<8xf32>
    %10 = "stablehlo.multiply"(%9, %6) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %11 = "stablehlo.add"(%8, %10) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %12 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %13 = "stablehlo.add"(%t, %12) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %14 = "stablehlo.convert"(%13) : (tensor<i32>) -> tensor<f32>
    %15 = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.constant"() <{value = dense<0.9> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.power"(%16, %14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %18 = "stablehlo.subtract"(%15, %17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %20 = "stablehlo.divide"(%5, %19) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %21 = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.constant"() <{value = dense<0.999> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.power"(%22, %14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %24 = "stablehlo.subtract"(%21, %23) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %26 = "stablehlo.divide"(%11, %25) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %27 = "stablehlo.sqrt"(%26) : (tensor<8xf32>) -> tensor<8xf32>
    %28 = "stablehlo.constant"() <{value = dense<1.0e-8> : tensor<8xf32>}> : () -> tensor<8xf32>
    %29 = "stablehlo.add"(%27, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %30 = "stablehlo.divide"(%20, %29) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %31 = "stablehlo.constant"() <{value = dense<0.01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %32 = "stablehlo.multiply"(%31, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %33 = "stablehlo.broadcast_in_dim"(%lr) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %34 = "stablehlo.add"(%30, %32) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %35 = "stablehlo.multiply"(%33, %34) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %36 = "stablehlo.subtract"(%p, %35) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %r:3 = "stablehlo.case"(%t) ({
      "stablehlo.return"(%p, %m, %v) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> ()
    }, {
      "stablehlo.return"(%36, %5, %11) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> ()
    }) : (tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
    return %r#0, %r#1, %r#2, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }
  // The bias correction is rounded to zero: the graph gives
  // infinities, with which any rule would agree.
  // CHECK: [Missed] declined | Category:skew-raise | Function=infinite_steps | Reason="the update rounds or tests a number
  func.func @infinite_steps(%arg0: tensor<8xf32>, %arg1: tensor<8xf32>, %arg2: tensor<8xf32>, %arg3: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
    %0 = "model.gradient"(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<8xf32>}> : () -> tensor<8xf32>
    %2 = "stablehlo.multiply"(%1, %arg1) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.constant"() <{value = dense<1.000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %4 = "stablehlo.multiply"(%3, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.add"(%2, %4) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %6 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %7 = "stablehlo.multiply"(%6, %arg2) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %8 = "stablehlo.multiply"(%0, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %9 = "stablehlo.constant"() <{value = dense<1.000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %10 = "stablehlo.multiply"(%9, %8) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %11 = "stablehlo.add"(%7, %10) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %12 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %13 = "stablehlo.add"(%arg3, %12) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %14 = "stablehlo.convert"(%13) : (tensor<i32>) -> tensor<f32>
    %15 = "stablehlo.convert"(%arg3) : (tensor<i32>) -> tensor<f32>
    %16 = "stablehlo.constant"() <{value = dense<-9.99999974E-6> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.multiply"(%16, %15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %18 = "stablehlo.constant"() <{value = dense<0.899999976> : tensor<f32>}> : () -> tensor<f32>
    %19 = "stablehlo.power"(%18, %14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %20 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %21 = "stablehlo.subtract"(%20, %19) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %23 = "stablehlo.floor"(%22) : (tensor<8xf32>) -> tensor<8xf32>
    %24 = "stablehlo.divide"(%5, %23) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %25 = "stablehlo.constant"() <{value = dense<9.990000e-01> : tensor<f32>}> : () -> tensor<f32>
    %26 = "stablehlo.power"(%25, %14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %27 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %28 = "stablehlo.subtract"(%27, %26) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %29 = "stablehlo.broadcast_in_dim"(%28) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %30 = "stablehlo.divide"(%11, %29) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %31 = "stablehlo.sqrt"(%30) : (tensor<8xf32>) -> tensor<8xf32>
    %32 = "stablehlo.constant"() <{value = dense<9.99999993E-9> : tensor<8xf32>}> : () -> tensor<8xf32>
    %33 = "stablehlo.add"(%31, %32) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %34 = "stablehlo.divide"(%24, %33) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %35 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %36 = "stablehlo.multiply"(%35, %34) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %37 = "stablehlo.add"(%arg0, %36) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %37, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }
}
