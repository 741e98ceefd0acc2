// RUN: skew-opt %s --skew-raise --allow-unregistered-dialect | FileCheck %s

// One optimizer in many spellings. `model.gradient` and `model.norm` stand for
// whatever is not elementwise.

module {
  // As written in the paper; optax spells it so.
  // CHECK-LABEL: func.func @textbook(
  // CHECK: %[[G:.*]] = "model.gradient"(%arg0)
  // CHECK: %[[T:.*]] = "stablehlo.add"(%arg3
  // CHECK: %[[LR:.*]] = "stablehlo.constant"() {value = dense<1.000000e-03> : tensor<f32>}
  // CHECK-NEXT: %[[U:.*]]:3 = skew.adamw parameter(%arg0 : tensor<8xf32>) gradient(%[[G]] : tensor<8xf32>) state(%arg1, %arg2 : tensor<8xf32>, tensor<8xf32>) step(%[[T]] : tensor<i32>) learning_rate(%[[LR]] : tensor<f32>)
  // CHECK-SAME: {beta1 = 9.000000e-01 : f64, beta2 = {{0.99[0-9]*}} : f64, eps = 1.000000e-08 : f64, eps_root = 0.000000e+00 : f64, weight_decay = 1.000000e-02 : f64}
  // CHECK-SAME: compute_type = f32
  // The ops it replaces are gone.
  // CHECK-NEXT: return %[[U]]#0, %[[U]]#1, %[[U]]#2, %[[T]]
  func.func @textbook(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    return %37, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // Decay first, both corrections folded into the denominator.
  // CHECK-LABEL: func.func @torch_order(
  // CHECK: skew.adamw
  // CHECK-SAME: {beta1 = 9.000000e-01 : f64, beta2 = {{0.99[0-9]*}} : f64, eps = 1.000000e-08 : f64, eps_root = 0.000000e+00 : f64, weight_decay = 1.000000e-02 : f64}
  func.func @torch_order(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %16 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.power"(%16, %14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %18 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %19 = "stablehlo.subtract"(%18, %17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %20 = "stablehlo.sqrt"(%19) : (tensor<f32>) -> tensor<f32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %22 = "stablehlo.divide"(%15, %21) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %23 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %24 = "stablehlo.add"(%22, %23) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %25 = "stablehlo.constant"() <{value = dense<9.999900000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %26 = "stablehlo.multiply"(%p, %25) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %27 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %28 = "stablehlo.power"(%27, %14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %29 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %30 = "stablehlo.subtract"(%29, %28) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %31 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %32 = "stablehlo.divide"(%31, %30) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %33 = "stablehlo.divide"(%5, %24) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %34 = "stablehlo.broadcast_in_dim"(%32) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %35 = "stablehlo.multiply"(%34, %33) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %36 = "stablehlo.subtract"(%26, %35) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %36, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // m + (1 - beta1)(g - m).
  // CHECK-LABEL: func.func @lerp(
  // The averages multiply with 1 - f32(0.1), not with f32(0.9).
  // CHECK: skew.adamw
  // CHECK-SAME: {beta1 = 9.000000e-01 : f64, beta1_stored = 0.89999999851000{{[0-9]*}} : f64, beta2 = {{0.99[0-9]*}} : f64, beta2_stored = 0.998999999{{[0-9]*}} : f64,
  func.func @lerp(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.subtract"(%0, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %2 = "stablehlo.constant"() <{value = dense<1.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %3 = "stablehlo.multiply"(%2, %1) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %4 = "stablehlo.add"(%m, %3) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.multiply"(%0, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %6 = "stablehlo.subtract"(%5, %v) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %7 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %8 = "stablehlo.multiply"(%7, %6) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %9 = "stablehlo.add"(%v, %8) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %10 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %11 = "stablehlo.add"(%t, %10) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %12 = "stablehlo.convert"(%11) : (tensor<i32>) -> tensor<f32>
    %13 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %14 = "stablehlo.power"(%13, %12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %15 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.subtract"(%15, %14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %18 = "stablehlo.divide"(%4, %17) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %19 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %20 = "stablehlo.power"(%19, %12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %21 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.subtract"(%21, %20) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %23 = "stablehlo.broadcast_in_dim"(%22) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %24 = "stablehlo.divide"(%9, %23) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %25 = "stablehlo.sqrt"(%24) : (tensor<8xf32>) -> tensor<8xf32>
    %26 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %27 = "stablehlo.add"(%25, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %28 = "stablehlo.divide"(%18, %27) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %29 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %30 = "stablehlo.multiply"(%29, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %31 = "stablehlo.add"(%28, %30) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %32 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %33 = "stablehlo.multiply"(%32, %31) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %34 = "stablehlo.subtract"(%p, %33) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %34, %4, %9, %11 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // exp(t log b), and -expm1(t log b) for the other.
  // CHECK-LABEL: func.func @power_by_exponential(
  // CHECK: skew.adamw
  // CHECK-SAME: {beta1 = 9.000000e-01 : f64, beta2 = {{0.99[0-9]*}} : f64, eps = 1.000000e-08 : f64, eps_root = 0.000000e+00 : f64, weight_decay = 1.000000e-02 : f64}
  func.func @power_by_exponential(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %16 = "stablehlo.log"(%15) : (tensor<f32>) -> tensor<f32>
    %17 = "stablehlo.multiply"(%14, %16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %18 = "stablehlo.exponential"(%17) : (tensor<f32>) -> tensor<f32>
    %19 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %20 = "stablehlo.subtract"(%19, %18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %21 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.log"(%21) : (tensor<f32>) -> tensor<f32>
    %23 = "stablehlo.multiply"(%14, %22) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %24 = "stablehlo.exponential_minus_one"(%23) : (tensor<f32>) -> tensor<f32>
    %25 = "stablehlo.negate"(%24) : (tensor<f32>) -> tensor<f32>
    %26 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
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
    %37 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %38 = "stablehlo.multiply"(%37, %36) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %39 = "stablehlo.subtract"(%p, %38) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %39, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // Epsilon under the root only, multiplied by rsqrt.
  // CHECK-LABEL: func.func @epsilon_root(
  // CHECK: skew.adamw
  // CHECK-SAME: {beta1 = 9.000000e-01 : f64, beta2 = {{0.99[0-9]*}} : f64, eps = 0.000000e+00 : f64, eps_root = 1.000000e-02 : f64, weight_decay = 1.000000e-02 : f64}
  func.func @epsilon_root(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %20 = "stablehlo.divide"(%5, %19) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %21 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.power"(%21, %14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %23 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %24 = "stablehlo.subtract"(%23, %22) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %26 = "stablehlo.divide"(%11, %25) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %27 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %28 = "stablehlo.add"(%26, %27) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %29 = "stablehlo.rsqrt"(%28) : (tensor<8xf32>) -> tensor<8xf32>
    %30 = "stablehlo.multiply"(%20, %29) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %31 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %32 = "stablehlo.multiply"(%31, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %33 = "stablehlo.add"(%30, %32) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %34 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %35 = "stablehlo.multiply"(%34, %33) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %36 = "stablehlo.subtract"(%p, %35) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %36, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // The sign and the learning rate divide.
  // CHECK-LABEL: func.func @learning_rate_in_denominator(
  // CHECK: skew.adamw
  // CHECK-SAME: {beta1 = 9.000000e-01 : f64, beta2 = {{0.99[0-9]*}} : f64, eps = 1.000000e-08 : f64, eps_root = 0.000000e+00 : f64, weight_decay = 1.000000e-02 : f64}
  func.func @learning_rate_in_denominator(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %19 = "stablehlo.constant"() <{value = dense<-1.000000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %20 = "stablehlo.divide"(%18, %19) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %21 = "stablehlo.sqrt"(%11) : (tensor<8xf32>) -> tensor<8xf32>
    %22 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.power"(%22, %14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %24 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.subtract"(%24, %23) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %26 = "stablehlo.sqrt"(%25) : (tensor<f32>) -> tensor<f32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %28 = "stablehlo.divide"(%21, %27) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %29 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %30 = "stablehlo.add"(%28, %29) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %31 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %32 = "stablehlo.multiply"(%30, %31) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %33 = "stablehlo.constant"() <{value = dense<9.999900000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %34 = "stablehlo.multiply"(%p, %33) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %35 = "stablehlo.divide"(%5, %32) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %36 = "stablehlo.add"(%34, %35) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %36, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // Nothing changes when the norm is not finite.
  // CHECK-LABEL: func.func @skip_guard(
  // CHECK: %[[OK:.*]] = "stablehlo.is_finite"
  // CHECK: %[[SKIP:.*]] = "stablehlo.not"(%[[OK]])
  // CHECK-NEXT: skew.adamw
  // CHECK-SAME: skip(%[[SKIP]] : tensor<i1>)
  // CHECK-SAME: {beta1 = 9.000000e-01 : f64, beta2 = {{0.99[0-9]*}} : f64, eps = 1.000000e-08 : f64, eps_root = 0.000000e+00 : f64, weight_decay = 1.000000e-02 : f64}
  func.func @skip_guard(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %38 = "model.norm"(%0) : (tensor<8xf32>) -> tensor<f32>
    %39 = "stablehlo.is_finite"(%38) : (tensor<f32>) -> tensor<i1>
    %40 = "stablehlo.select"(%39, %37, %p) : (tensor<i1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %41 = "stablehlo.select"(%39, %5, %m) : (tensor<i1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %42 = "stablehlo.select"(%39, %11, %v) : (tensor<i1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %43 = "stablehlo.select"(%39, %13, %t) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
    return %40, %41, %42, %43 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // What the caller passes stays an operand.
  // CHECK-LABEL: func.func @run_time_hyperparameters(
  // CHECK: skew.adamw
  // CHECK-SAME: learning_rate(%arg4 : tensor<f32>)
  // CHECK-SAME: runtime ["beta1", "weight_decay"](%arg6, %arg5 : tensor<f32>, tensor<f32>)
  // CHECK-SAME: {beta2 = {{0.99[0-9]*}} : f64, eps = 1.000000e-08 : f64, eps_root = 0.000000e+00 : f64}
  func.func @run_time_hyperparameters(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>, %lr: tensor<f32>, %wd: tensor<f32>, %b1: tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.broadcast_in_dim"(%b1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %2 = "stablehlo.multiply"(%1, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.subtract"(%3, %b1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %6 = "stablehlo.multiply"(%5, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %7 = "stablehlo.add"(%2, %6) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %8 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %9 = "stablehlo.multiply"(%8, %v) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %10 = "stablehlo.multiply"(%0, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %11 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %12 = "stablehlo.multiply"(%11, %10) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %13 = "stablehlo.add"(%9, %12) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %14 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %15 = "stablehlo.add"(%t, %14) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %16 = "stablehlo.convert"(%15) : (tensor<i32>) -> tensor<f32>
    %17 = "stablehlo.power"(%b1, %16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %18 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %19 = "stablehlo.subtract"(%18, %17) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %21 = "stablehlo.divide"(%7, %20) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %22 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.power"(%22, %16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %24 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.subtract"(%24, %23) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %27 = "stablehlo.divide"(%13, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %28 = "stablehlo.sqrt"(%27) : (tensor<8xf32>) -> tensor<8xf32>
    %29 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %30 = "stablehlo.add"(%28, %29) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %31 = "stablehlo.divide"(%21, %30) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %32 = "stablehlo.broadcast_in_dim"(%wd) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %33 = "stablehlo.multiply"(%32, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %34 = "stablehlo.add"(%31, %33) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %35 = "stablehlo.broadcast_in_dim"(%lr) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %36 = "stablehlo.multiply"(%35, %34) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %37 = "stablehlo.subtract"(%p, %36) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %37, %7, %13, %15 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // The gradient operand is the value after clipping; the norm stays.
  // CHECK-LABEL: func.func @clipped_gradient(
  // CHECK: %[[G:.*]] = "stablehlo.select"
  // CHECK: skew.adamw parameter(%arg0 : tensor<8xf32>) gradient(%[[G]] : tensor<8xf32>)
  // CHECK-SAME: {beta1 = 9.000000e-01 : f64, beta2 = {{0.99[0-9]*}} : f64, eps = 1.000000e-08 : f64, eps_root = 0.000000e+00 : f64, weight_decay = 1.000000e-02 : f64}
  func.func @clipped_gradient(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %15 = "stablehlo.multiply"(%7, %7) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
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

  // Linear warm-up; the rate is the scalar that the graph computes.
  // CHECK-LABEL: func.func @schedule(
  // CHECK: %[[LR:.*]] = "stablehlo.select"
  // CHECK: skew.adamw
  // CHECK-SAME: learning_rate(%[[LR]] : tensor<f32>)
  // CHECK-SAME: {beta1 = 9.000000e-01 : f64, beta2 = {{0.99[0-9]*}} : f64, eps = 1.000000e-08 : f64, eps_root = 0.000000e+00 : f64, weight_decay = 1.000000e-02 : f64}
  func.func @schedule(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.convert"(%t) : (tensor<i32>) -> tensor<f32>
    %2 = "stablehlo.constant"() <{value = dense<100> : tensor<i32>}> : () -> tensor<i32>
    %3 = "stablehlo.compare"(%t, %2) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = "stablehlo.constant"() <{value = dense<1.000000000e-05> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.multiply"(%1, %4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %6 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.select"(%3, %5, %6) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %8 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %9 = "stablehlo.multiply"(%8, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
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
    %41 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %42 = "stablehlo.multiply"(%41, %40) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %43 = "stablehlo.subtract"(%p, %42) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %43, %12, %18, %20 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // L2 inside the gradient: decay is 0 and the gradient operand is the sum.
  // CHECK-LABEL: func.func @coupled_l2(
  // CHECK: %[[SUM:.*]] = "stablehlo.add"(%{{.*}}, %{{.*}}) : (tensor<8xf32>
  // CHECK: skew.adamw parameter(%arg0 : tensor<8xf32>) gradient(%[[SUM]] : tensor<8xf32>)
  // CHECK-SAME: {beta1 = 9.000000e-01 : f64, beta2 = {{0.99[0-9]*}} : f64, eps = 1.000000e-08 : f64, eps_root = 0.000000e+00 : f64, weight_decay = 0.000000e+00 : f64}
  func.func @coupled_l2(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %2 = "stablehlo.multiply"(%1, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.add"(%0, %2) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %4 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %5 = "stablehlo.multiply"(%4, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %6 = "stablehlo.constant"() <{value = dense<1.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %7 = "stablehlo.multiply"(%6, %3) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %8 = "stablehlo.add"(%5, %7) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %9 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %10 = "stablehlo.multiply"(%9, %v) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %11 = "stablehlo.multiply"(%3, %3) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
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

  // A parameter that the loss cannot see: moments shrink, decay applies.
  // CHECK-LABEL: func.func @zero_gradient(
  // CHECK: %[[ZERO:.*]] = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<8xf32>}
  // CHECK: skew.adamw parameter(%arg0 : tensor<8xf32>) gradient(%[[ZERO]] : tensor<8xf32>)
  // CHECK-SAME: {beta1 = 9.000000e-01 : f64, beta2 = {{0.99[0-9]*}} : f64, eps = 1.000000e-08 : f64, eps_root = 0.000000e+00 : f64, weight_decay = 1.000000e-02 : f64}
  func.func @zero_gradient(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %2 = "stablehlo.multiply"(%1, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %4 = "stablehlo.multiply"(%3, %v) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %6 = "stablehlo.add"(%t, %5) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %7 = "stablehlo.convert"(%6) : (tensor<i32>) -> tensor<f32>
    %8 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %9 = "stablehlo.power"(%8, %7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %10 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %11 = "stablehlo.subtract"(%10, %9) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %13 = "stablehlo.divide"(%2, %12) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %14 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %15 = "stablehlo.power"(%14, %7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %16 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.subtract"(%16, %15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %19 = "stablehlo.divide"(%4, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %20 = "stablehlo.sqrt"(%19) : (tensor<8xf32>) -> tensor<8xf32>
    %21 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %22 = "stablehlo.add"(%20, %21) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %23 = "stablehlo.divide"(%13, %22) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %24 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %25 = "stablehlo.multiply"(%24, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %26 = "stablehlo.add"(%23, %25) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %27 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %28 = "stablehlo.multiply"(%27, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %29 = "stablehlo.subtract"(%p, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %29, %2, %4, %6 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // beta2 is 1.0 in the average; the true one is the base of the f32 power.
  // CHECK-LABEL: func.func @all_bf16(
  // CHECK: skew.adamw
  // CHECK-SAME: {beta1 = 9.000000e-01 : f64, beta1_stored = 0.8984375 : f64, beta2 = {{0.99[0-9]*}} : f64, beta2_stored = 1.000000e+00 : f64, eps = 1.000000e-08 : f64, eps_root = 0.000000e+00 : f64, one_minus_beta1_stored = 0.10009765625 : f64, one_minus_beta2_stored = 9.9945068359
  // CHECK-SAME: weight_decay = 1.000000e-04 : f64}
  // CHECK-SAME: compute_type = bf16
  func.func @all_bf16(%p: tensor<8xbf16>, %m: tensor<8xbf16>, %v: tensor<8xbf16>, %t: tensor<i32>) -> (tensor<8xbf16>, tensor<8xbf16>, tensor<8xbf16>, tensor<i32>) {
    %0 = "model.gradient"(%p) : (tensor<8xbf16>) -> tensor<8xbf16>
    %1 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xbf16>}> : () -> tensor<8xbf16>
    %2 = "stablehlo.multiply"(%1, %m) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    %3 = "stablehlo.constant"() <{value = dense<1.000000000e-01> : tensor<8xbf16>}> : () -> tensor<8xbf16>
    %4 = "stablehlo.multiply"(%3, %0) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    %5 = "stablehlo.add"(%2, %4) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    %6 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<8xbf16>}> : () -> tensor<8xbf16>
    %7 = "stablehlo.multiply"(%6, %v) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    %8 = "stablehlo.multiply"(%0, %0) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    %9 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xbf16>}> : () -> tensor<8xbf16>
    %10 = "stablehlo.multiply"(%9, %8) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    %11 = "stablehlo.add"(%7, %10) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    %12 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %13 = "stablehlo.add"(%t, %12) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %14 = "stablehlo.convert"(%13) : (tensor<i32>) -> tensor<f32>
    %15 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.power"(%15, %14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %17 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %18 = "stablehlo.subtract"(%17, %16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %19 = "stablehlo.convert"(%18) : (tensor<f32>) -> tensor<bf16>
    %20 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %21 = "stablehlo.power"(%20, %14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %22 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.subtract"(%22, %21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %24 = "stablehlo.convert"(%23) : (tensor<f32>) -> tensor<bf16>
    %25 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<8xbf16>
    %26 = "stablehlo.divide"(%5, %25) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    %27 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<bf16>) -> tensor<8xbf16>
    %28 = "stablehlo.divide"(%11, %27) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    %29 = "stablehlo.sqrt"(%28) : (tensor<8xbf16>) -> tensor<8xbf16>
    %30 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xbf16>}> : () -> tensor<8xbf16>
    %31 = "stablehlo.add"(%29, %30) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    %32 = "stablehlo.divide"(%26, %31) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    %33 = "stablehlo.constant"() <{value = dense<1.000000000e-04> : tensor<8xbf16>}> : () -> tensor<8xbf16>
    %34 = "stablehlo.multiply"(%33, %p) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    %35 = "stablehlo.add"(%32, %34) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    %36 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xbf16>}> : () -> tensor<8xbf16>
    %37 = "stablehlo.multiply"(%36, %35) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    %38 = "stablehlo.subtract"(%p, %37) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    return %38, %5, %11, %13 : tensor<8xbf16>, tensor<8xbf16>, tensor<8xbf16>, tensor<i32>
  }

  // The step counter lives in the callee: that call is inlined.
  // CHECK-LABEL: func.func @through_a_call(
  // CHECK: skew.adamw parameter(%arg0
  // CHECK-SAME: {beta1 = 9.000000e-01 : f64, beta2 = {{0.99[0-9]*}} : f64, eps = 1.000000e-08 : f64, eps_root = 0.000000e+00 : f64, weight_decay = 1.000000e-02 : f64}
  func.func @through_a_call(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %r:4 = func.call @update(%p, %m, %v, %t, %0) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>)
    return %r#0, %r#1, %r#2, %r#3 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // The graph holds -lr only: it is negated.
  // CHECK-LABEL: func.func @negative_learning_rate(
  // CHECK: %[[LR:.*]] = "stablehlo.negate"
  // CHECK: skew.adamw
  // CHECK-SAME: learning_rate(%[[LR]] : tensor<f32>)
  // CHECK-SAME: {beta1 = 9.000000e-01 : f64, beta2 = {{0.99[0-9]*}} : f64, eps = 1.000000e-08 : f64, eps_root = 0.000000e+00 : f64, weight_decay = 0.000000e+00 : f64}
  func.func @negative_learning_rate(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %15 = "stablehlo.convert"(%t) : (tensor<i32>) -> tensor<f32>
    %16 = "stablehlo.constant"() <{value = dense<-1.000000000e-05> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.multiply"(%16, %15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %18 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %19 = "stablehlo.power"(%18, %14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %20 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %21 = "stablehlo.subtract"(%20, %19) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %22 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %23 = "stablehlo.divide"(%5, %22) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %24 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.power"(%24, %14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %26 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %27 = "stablehlo.subtract"(%26, %25) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %28 = "stablehlo.broadcast_in_dim"(%27) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %29 = "stablehlo.divide"(%11, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %30 = "stablehlo.sqrt"(%29) : (tensor<8xf32>) -> tensor<8xf32>
    %31 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %32 = "stablehlo.add"(%30, %31) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %33 = "stablehlo.divide"(%23, %32) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %34 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %35 = "stablehlo.multiply"(%34, %33) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %36 = "stablehlo.add"(%p, %35) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %36, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // Nothing says which result is which but the data flow.
  // CHECK-LABEL: func.func @results_in_another_order(
  // CHECK: %[[U:.*]]:3 = skew.adamw parameter(%arg0 : tensor<8xf32>) gradient(%{{.*}} : tensor<8xf32>) state(%arg1, %arg2
  // CHECK: return %[[U]]#2, %{{.*}}, %[[U]]#0, %[[U]]#1
  func.func @results_in_another_order(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<i32>, tensor<8xf32>, tensor<8xf32>) {
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
    return %11, %13, %37, %5 : tensor<8xf32>, tensor<i32>, tensor<8xf32>, tensor<8xf32>
  }

  // A parameter of one element: the rate is a scalar, the gradient too.
  // CHECK-LABEL: func.func @one_element(
  // CHECK: skew.adamw parameter(%arg0 : tensor<f32>) gradient(%{{.*}} : tensor<f32>)
  // CHECK-SAME: {beta1 = 9.000000e-01 : f64, beta2 = {{0.99[0-9]*}} : f64, eps = 1.000000e-08 : f64, eps_root = 0.000000e+00 : f64, weight_decay = 1.000000e-02 : f64}
  func.func @one_element(%p: tensor<f32>, %m: tensor<f32>, %v: tensor<f32>, %t: tensor<i32>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<i32>) {
    %0 = "model.gradient"(%p) : (tensor<f32>) -> tensor<f32>
    %1 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.multiply"(%1, %m) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %3 = "stablehlo.constant"() <{value = dense<1.000000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %4 = "stablehlo.multiply"(%3, %0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %5 = "stablehlo.add"(%2, %4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %6 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.multiply"(%6, %v) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %8 = "stablehlo.multiply"(%0, %0) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %9 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %10 = "stablehlo.multiply"(%9, %8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %11 = "stablehlo.add"(%7, %10) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %12 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %13 = "stablehlo.add"(%t, %12) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %14 = "stablehlo.convert"(%13) : (tensor<i32>) -> tensor<f32>
    %15 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.power"(%15, %14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %17 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %18 = "stablehlo.subtract"(%17, %16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %19 = "stablehlo.divide"(%5, %18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %20 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %21 = "stablehlo.power"(%20, %14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %22 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.subtract"(%22, %21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %24 = "stablehlo.divide"(%11, %23) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %25 = "stablehlo.sqrt"(%24) : (tensor<f32>) -> tensor<f32>
    %26 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<f32>}> : () -> tensor<f32>
    %27 = "stablehlo.add"(%25, %26) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %28 = "stablehlo.divide"(%19, %27) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %29 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<f32>}> : () -> tensor<f32>
    %30 = "stablehlo.multiply"(%29, %p) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %31 = "stablehlo.add"(%28, %30) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %32 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %33 = "stablehlo.multiply"(%32, %31) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %34 = "stablehlo.subtract"(%p, %33) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    return %34, %5, %11, %13 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<i32>
  }

  // torch counts in floats.
  // CHECK-LABEL: func.func @float_step(
  // CHECK: %[[T:.*]] = "stablehlo.add"(%arg3
  // CHECK: skew.adamw
  // CHECK-SAME: step(%[[T]] : tensor<f32>)
  // CHECK-SAME: {beta1 = 9.000000e-01 : f64, beta2 = {{0.99[0-9]*}} : f64, eps = 1.000000e-08 : f64, eps_root = 0.000000e+00 : f64, weight_decay = 0.000000e+00 : f64}
  func.func @float_step(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>) {
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
    %12 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %13 = "stablehlo.add"(%t, %12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %14 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %15 = "stablehlo.power"(%14, %13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %16 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.subtract"(%16, %15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %18 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %19 = "stablehlo.divide"(%5, %18) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %20 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %21 = "stablehlo.power"(%20, %13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %22 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.subtract"(%22, %21) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %25 = "stablehlo.divide"(%11, %24) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %26 = "stablehlo.sqrt"(%25) : (tensor<8xf32>) -> tensor<8xf32>
    %27 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %28 = "stablehlo.add"(%26, %27) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %29 = "stablehlo.divide"(%19, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %30 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %31 = "stablehlo.multiply"(%30, %29) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %32 = "stablehlo.subtract"(%p, %31) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %32, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>
  }

  // bf16 weights, fp32 moments and arithmetic.
  // CHECK-LABEL: func.func @mixed_precision(
  // CHECK: skew.adamw parameter(%arg0 : tensor<8xbf16>) gradient(%{{.*}} : tensor<8xf32>) state(%arg1, %arg2 : tensor<8xf32>, tensor<8xf32>)
  // CHECK-SAME: {beta1 = 9.000000e-01 : f64, beta2 = {{0.99[0-9]*}} : f64, eps = 1.000000e-08 : f64, eps_root = 0.000000e+00 : f64, weight_decay = 1.000000e-02 : f64}
  // CHECK-SAME: compute_type = f32
  func.func @mixed_precision(%p: tensor<8xbf16>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xbf16>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
    %0 = "model.gradient"(%p) : (tensor<8xbf16>) -> tensor<8xbf16>
    %1 = "stablehlo.convert"(%0) : (tensor<8xbf16>) -> tensor<8xf32>
    %2 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %3 = "stablehlo.multiply"(%2, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %4 = "stablehlo.constant"() <{value = dense<1.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %5 = "stablehlo.multiply"(%4, %1) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
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
    %16 = "stablehlo.convert"(%p) : (tensor<8xbf16>) -> tensor<8xf32>
    %17 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %18 = "stablehlo.power"(%17, %15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %19 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %20 = "stablehlo.subtract"(%19, %18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %21 = "stablehlo.broadcast_in_dim"(%20) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %22 = "stablehlo.divide"(%6, %21) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %23 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %24 = "stablehlo.power"(%23, %15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %25 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %26 = "stablehlo.subtract"(%25, %24) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %27 = "stablehlo.broadcast_in_dim"(%26) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %28 = "stablehlo.divide"(%12, %27) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %29 = "stablehlo.sqrt"(%28) : (tensor<8xf32>) -> tensor<8xf32>
    %30 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %31 = "stablehlo.add"(%29, %30) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %32 = "stablehlo.divide"(%22, %31) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %33 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %34 = "stablehlo.multiply"(%33, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %35 = "stablehlo.add"(%32, %34) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %36 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %37 = "stablehlo.multiply"(%36, %35) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %38 = "stablehlo.subtract"(%16, %37) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %39 = "stablehlo.convert"(%38) : (tensor<8xf32>) -> tensor<8xbf16>
    return %39, %6, %12, %14 : tensor<8xbf16>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // 1 - beta in f32 is not the rounded 1 - beta: what the graph multiplies with is kept.
  // CHECK-LABEL: func.func @weights_computed_in_f32(
  // CHECK: skew.adamw
  // CHECK-SAME: one_minus_beta1_stored = 0.100000023842 : f64, one_minus_beta2_stored = 9.9998712539{{[0-9]*}}E-4 : f64
  func.func @weights_computed_in_f32(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %2 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %3 = "stablehlo.multiply"(%2, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %4 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.subtract"(%1, %4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %7 = "stablehlo.multiply"(%6, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %8 = "stablehlo.add"(%3, %7) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %9 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %10 = "stablehlo.multiply"(%9, %v) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %11 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %13 = "stablehlo.subtract"(%11, %12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %14 = "stablehlo.multiply"(%0, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %15 = "stablehlo.broadcast_in_dim"(%13) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %16 = "stablehlo.multiply"(%15, %14) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %17 = "stablehlo.add"(%10, %16) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %18 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %19 = "stablehlo.add"(%t, %18) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %20 = "stablehlo.convert"(%19) : (tensor<i32>) -> tensor<f32>
    %21 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.power"(%21, %20) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %23 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %24 = "stablehlo.subtract"(%23, %22) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %26 = "stablehlo.divide"(%8, %25) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %27 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %28 = "stablehlo.power"(%27, %20) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %29 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %30 = "stablehlo.subtract"(%29, %28) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %31 = "stablehlo.broadcast_in_dim"(%30) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %32 = "stablehlo.divide"(%17, %31) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %33 = "stablehlo.sqrt"(%32) : (tensor<8xf32>) -> tensor<8xf32>
    %34 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %35 = "stablehlo.add"(%33, %34) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %36 = "stablehlo.divide"(%26, %35) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %37 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %38 = "stablehlo.multiply"(%37, %36) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %39 = "stablehlo.subtract"(%p, %38) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %39, %8, %17, %19 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // A small epsilon beside a large one under the root.
  // CHECK-LABEL: func.func @both_epsilons(
  // CHECK: skew.adamw
  // CHECK-SAME: {beta1 = 9.000000e-01 : f64, beta2 = {{0.99[0-9]*}} : f64, eps = 1.000000e-08 : f64, eps_root = 1.000000e-02 : f64, weight_decay = 0.000000e+00 : f64}
  func.func @both_epsilons(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
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
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %20 = "stablehlo.divide"(%5, %19) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %21 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %22 = "stablehlo.power"(%21, %14) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %23 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %24 = "stablehlo.subtract"(%23, %22) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %26 = "stablehlo.divide"(%11, %25) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %27 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %28 = "stablehlo.add"(%26, %27) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %29 = "stablehlo.sqrt"(%28) : (tensor<8xf32>) -> tensor<8xf32>
    %30 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %31 = "stablehlo.add"(%29, %30) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %32 = "stablehlo.divide"(%20, %31) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %33 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %34 = "stablehlo.multiply"(%33, %32) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %35 = "stablehlo.subtract"(%p, %34) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %35, %5, %11, %13 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // Its gradient and the norm are both scalars.
  // CHECK-LABEL: func.func @one_element_clipped(
  // CHECK-SAME: gradient = "scaled_by_reduction"
  // CHECK: %[[G:.*]] = "stablehlo.select"
  // CHECK: skew.adamw parameter(%arg0 : tensor<f32>) gradient(%[[G]] : tensor<f32>)
  // CHECK-SAME: {beta1 = 9.000000e-01 : f64, beta2 = {{0.99[0-9]*}} : f64, eps = 1.000000e-08 : f64, eps_root = 0.000000e+00 : f64, weight_decay = 0.000000e+00 : f64}
  func.func @one_element_clipped(%p: tensor<f32>, %m: tensor<f32>, %v: tensor<f32>, %t: tensor<i32>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<i32>) {
    %0 = "model.gradient"(%p) : (tensor<f32>) -> tensor<f32>
    %1 = "model.norm"(%0) : (tensor<f32>) -> tensor<f32>
    %2 = "model.other_norm"(%0) : (tensor<f32>) -> tensor<f32>
    %3 = "stablehlo.add"(%1, %2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %4 = "stablehlo.sqrt"(%3) : (tensor<f32>) -> tensor<f32>
    %5 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %6 = "stablehlo.compare"(%4, %5) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %7 = "stablehlo.divide"(%0, %4) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %8 = "stablehlo.select"(%6, %0, %7) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
    %9 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %10 = "stablehlo.multiply"(%9, %m) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %11 = "stablehlo.constant"() <{value = dense<1.000000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.multiply"(%11, %8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %13 = "stablehlo.add"(%10, %12) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %14 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %15 = "stablehlo.multiply"(%14, %v) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %16 = "stablehlo.multiply"(%8, %8) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %17 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %18 = "stablehlo.multiply"(%17, %16) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %19 = "stablehlo.add"(%15, %18) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %20 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %21 = "stablehlo.add"(%t, %20) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %22 = "stablehlo.convert"(%21) : (tensor<i32>) -> tensor<f32>
    %23 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %24 = "stablehlo.power"(%23, %22) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %25 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %26 = "stablehlo.subtract"(%25, %24) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %27 = "stablehlo.divide"(%13, %26) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %28 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %29 = "stablehlo.power"(%28, %22) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %30 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %31 = "stablehlo.subtract"(%30, %29) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %32 = "stablehlo.divide"(%19, %31) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %33 = "stablehlo.sqrt"(%32) : (tensor<f32>) -> tensor<f32>
    %34 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<f32>}> : () -> tensor<f32>
    %35 = "stablehlo.add"(%33, %34) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %36 = "stablehlo.divide"(%27, %35) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %37 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %38 = "stablehlo.multiply"(%37, %36) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %39 = "stablehlo.subtract"(%p, %38) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    return %39, %13, %19, %21 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<i32>
  }

  // m is decayed in bf16 and averaged in f32: computed in f32, with the stored 0.8984375.
  // CHECK-LABEL: func.func @first_moment_in_bf16(
  // CHECK: skew.adamw
  // CHECK-SAME: {beta1 = 9.000000e-01 : f64, beta1_stored = 0.8984375 : f64, beta2
  // CHECK-SAME: compute_type = f32
  func.func @first_moment_in_bf16(%p: tensor<8xf32>, %m: tensor<8xbf16>, %v: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xbf16>, tensor<8xf32>, tensor<i32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xbf16>}> : () -> tensor<8xbf16>
    %2 = "stablehlo.multiply"(%1, %m) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    %3 = "stablehlo.convert"(%2) : (tensor<8xbf16>) -> tensor<8xf32>
    %4 = "stablehlo.constant"() <{value = dense<1.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %5 = "stablehlo.multiply"(%4, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %6 = "stablehlo.add"(%3, %5) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %7 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %8 = "stablehlo.multiply"(%7, %v) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %9 = "stablehlo.multiply"(%0, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
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
    %20 = "stablehlo.broadcast_in_dim"(%19) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %21 = "stablehlo.divide"(%6, %20) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %22 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %23 = "stablehlo.power"(%22, %15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %24 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.subtract"(%24, %23) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %26 = "stablehlo.broadcast_in_dim"(%25) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %27 = "stablehlo.divide"(%12, %26) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %28 = "stablehlo.sqrt"(%27) : (tensor<8xf32>) -> tensor<8xf32>
    %29 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %30 = "stablehlo.add"(%28, %29) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %31 = "stablehlo.divide"(%21, %30) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %32 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %33 = "stablehlo.multiply"(%32, %31) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %34 = "stablehlo.subtract"(%p, %33) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %35 = "stablehlo.convert"(%6) : (tensor<8xf32>) -> tensor<8xbf16>
    return %34, %35, %12, %14 : tensor<8xf32>, tensor<8xbf16>, tensor<8xf32>, tensor<i32>
  }

  func.func private @update(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>, %g: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
    %0 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %1 = "stablehlo.multiply"(%0, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %2 = "stablehlo.constant"() <{value = dense<1.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %3 = "stablehlo.multiply"(%2, %g) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %4 = "stablehlo.add"(%1, %3) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %6 = "stablehlo.multiply"(%5, %v) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %7 = "stablehlo.multiply"(%g, %g) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %8 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %9 = "stablehlo.multiply"(%8, %7) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %10 = "stablehlo.add"(%6, %9) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %11 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %12 = "stablehlo.add"(%t, %11) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    %13 = "stablehlo.convert"(%12) : (tensor<i32>) -> tensor<f32>
    %14 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %15 = "stablehlo.power"(%14, %13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %16 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %17 = "stablehlo.subtract"(%16, %15) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %18 = "stablehlo.constant"() <{value = dense<9.990000000e-01> : tensor<f32>}> : () -> tensor<f32>
    %19 = "stablehlo.power"(%18, %13) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %20 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %21 = "stablehlo.subtract"(%20, %19) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %22 = "stablehlo.broadcast_in_dim"(%17) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %23 = "stablehlo.divide"(%4, %22) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %24 = "stablehlo.broadcast_in_dim"(%21) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %25 = "stablehlo.divide"(%10, %24) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %26 = "stablehlo.sqrt"(%25) : (tensor<8xf32>) -> tensor<8xf32>
    %27 = "stablehlo.constant"() <{value = dense<1.000000000e-08> : tensor<8xf32>}> : () -> tensor<8xf32>
    %28 = "stablehlo.add"(%26, %27) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %29 = "stablehlo.divide"(%23, %28) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %30 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %31 = "stablehlo.multiply"(%30, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %32 = "stablehlo.add"(%29, %31) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %33 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<f32>}> : () -> tensor<f32>
    %34 = "stablehlo.broadcast_in_dim"(%33) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %35 = "stablehlo.multiply"(%34, %32) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %36 = "stablehlo.subtract"(%p, %35) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %36, %4, %10, %12 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }
}
