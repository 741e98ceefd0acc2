// RUN: skew-opt %s --skew-raise --allow-unregistered-dialect | FileCheck %s

// Lion and SGD: rules that came in with an op, a decomposition and a solver.

module {
  // CHECK-LABEL: func.func @lion(
  // CHECK: skew.lion parameter(%arg0 : tensor<8xf32>) gradient(%{{.*}} : tensor<8xf32>) state(%arg1 : tensor<8xf32>)
  // CHECK-SAME: {beta1 = 9.000000e-01 : f64, beta2 = 0.98{{9*}} : f64, weight_decay = 1.000000e-01 : f64}
  func.func @lion(%p: tensor<8xf32>, %m: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %2 = "stablehlo.multiply"(%1, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.constant"() <{value = dense<1.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %4 = "stablehlo.multiply"(%3, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.add"(%2, %4) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %6 = "stablehlo.sign"(%5) : (tensor<8xf32>) -> tensor<8xf32>
    %7 = "stablehlo.constant"() <{value = dense<1.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %8 = "stablehlo.multiply"(%7, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %9 = "stablehlo.add"(%6, %8) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %10 = "stablehlo.constant"() <{value = dense<1.000000000e-04> : tensor<8xf32>}> : () -> tensor<8xf32>
    %11 = "stablehlo.multiply"(%10, %9) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %12 = "stablehlo.subtract"(%p, %11) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %13 = "stablehlo.constant"() <{value = dense<9.900000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %14 = "stablehlo.multiply"(%13, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %15 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %16 = "stablehlo.multiply"(%15, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %17 = "stablehlo.add"(%14, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %12, %17 : tensor<8xf32>, tensor<8xf32>
  }

  // Lerps, and a rate that the caller passes.
  // CHECK-LABEL: func.func @lion_by_lerp(
  // CHECK: skew.lion
  // CHECK-SAME: learning_rate(%arg2 : tensor<f32>) {beta1 = 0.94{{9+[0-9]*}} : f64, beta2 = 0.97{{9+[0-9]*}} : f64, weight_decay = 0.000000e+00 : f64}
  func.func @lion_by_lerp(%p: tensor<8xf32>, %m: tensor<8xf32>, %lr: tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.subtract"(%0, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %2 = "stablehlo.constant"() <{value = dense<5.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %3 = "stablehlo.multiply"(%2, %1) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %4 = "stablehlo.add"(%m, %3) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.sign"(%4) : (tensor<8xf32>) -> tensor<8xf32>
    %6 = "stablehlo.broadcast_in_dim"(%lr) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %7 = "stablehlo.multiply"(%6, %5) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %8 = "stablehlo.subtract"(%p, %7) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %9 = "stablehlo.subtract"(%0, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %10 = "stablehlo.constant"() <{value = dense<2.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %11 = "stablehlo.multiply"(%10, %9) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %12 = "stablehlo.add"(%m, %11) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %8, %12 : tensor<8xf32>, tensor<8xf32>
  }

  // CHECK-LABEL: func.func @sgd_momentum(
  // CHECK: skew.sgd parameter(%arg0 : tensor<8xf32>) gradient(%{{.*}} : tensor<8xf32>) state(%arg1 : tensor<8xf32>)
  // CHECK-SAME: {dampening = 0.000000e+00 : f64, momentum = 9.000000e-01 : f64, nesterov = 0.000000e+00 : f64, weight_decay = 0.000000e+00 : f64}
  func.func @sgd_momentum(%p: tensor<8xf32>, %m: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %2 = "stablehlo.multiply"(%1, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.add"(%2, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %4 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %5 = "stablehlo.multiply"(%4, %3) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %6 = "stablehlo.subtract"(%p, %5) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %6, %3 : tensor<8xf32>, tensor<8xf32>
  }

  // CHECK-LABEL: func.func @sgd_nesterov(
  // CHECK: skew.sgd
  // CHECK-SAME: nesterov = 1.000000e+00 : f64
  func.func @sgd_nesterov(%p: tensor<8xf32>, %m: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %2 = "stablehlo.multiply"(%1, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.add"(%2, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %4 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %5 = "stablehlo.multiply"(%4, %3) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %6 = "stablehlo.add"(%0, %5) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %7 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %8 = "stablehlo.multiply"(%7, %6) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %9 = "stablehlo.subtract"(%p, %8) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %9, %3 : tensor<8xf32>, tensor<8xf32>
  }

  // The average weights the gradient with 0.1, and decay is decoupled.
  // CHECK-LABEL: func.func @sgd_dampened(
  // CHECK: %[[G:.*]] = "model.gradient"
  // CHECK: skew.sgd
  // CHECK-SAME: gradient(%{{.*}} : tensor<8xf32>)
  // CHECK-SAME: weight_decay = 5.000000e-02 : f64
  func.func @sgd_dampened(%p: tensor<8xf32>, %m: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %2 = "stablehlo.multiply"(%1, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.constant"() <{value = dense<1.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %4 = "stablehlo.multiply"(%3, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.add"(%2, %4) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %6 = "stablehlo.constant"() <{value = dense<5.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %7 = "stablehlo.multiply"(%6, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %8 = "stablehlo.add"(%5, %7) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %9 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %10 = "stablehlo.multiply"(%9, %8) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %11 = "stablehlo.subtract"(%p, %10) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %11, %5 : tensor<8xf32>, tensor<8xf32>
  }

  // CHECK-LABEL: func.func @sgd_plain(
  // CHECK: %[[G:.*]] = "model.gradient"
  // CHECK: %[[LR:.*]] = "stablehlo.constant"() {value = dense<0.00{{.*}}> : tensor<f32>}
  // CHECK: skew.sgd parameter(%arg0 : tensor<8xf32>) gradient(%[[G]] : tensor<8xf32>) learning_rate(%[[LR]] : tensor<f32>) {weight_decay = 0.000000e+00 : f64}
  func.func @sgd_plain(%p: tensor<8xf32>) -> (tensor<8xf32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %2 = "stablehlo.multiply"(%1, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.subtract"(%p, %2) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %3 : tensor<8xf32>
  }

  // The rate is a scalar of the graph.
  // CHECK-LABEL: func.func @sgd_plain_schedule(
  // CHECK: %[[G:.*]] = "model.gradient"
  // CHECK: %[[LR:.*]] = "stablehlo.divide"
  // CHECK: skew.sgd parameter(%arg0 : tensor<8xf32>) gradient(%[[G]] : tensor<8xf32>) learning_rate(%[[LR]] : tensor<f32>)
  func.func @sgd_plain_schedule(%p: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<i32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.convert"(%t) : (tensor<i32>) -> tensor<f32>
    %2 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.add"(%2, %1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %4 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.divide"(%4, %3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %7 = "stablehlo.multiply"(%6, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %8 = "stablehlo.subtract"(%p, %7) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %9 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %10 = "stablehlo.add"(%t, %9) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    return %8, %10 : tensor<8xf32>, tensor<i32>
  }
}
