// RUN: skew-opt %s --skew-raise --allow-unregistered-dialect \
// RUN:   --remarks-filter=skew-raise --remark-format=emitRemark -o %t 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not="Passed"
// RUN: FileCheck %s --check-prefix=NONE --input-file=%t

// Near neighbours of Lion and SGD.

// NONE-NOT: skew.sgd
// NONE-NOT: skew.lion

module {
  // CHECK: [Missed] declined | Category:skew-raise | Function=tanh_for_sign | Reason="the step is not linear in momentum and gradient"
  func.func @tanh_for_sign(%p: tensor<8xf32>, %m: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %2 = "stablehlo.multiply"(%1, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.constant"() <{value = dense<1.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %4 = "stablehlo.multiply"(%3, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.add"(%2, %4) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %6 = "stablehlo.tanh"(%5) : (tensor<8xf32>) -> tensor<8xf32>
    %7 = "stablehlo.constant"() <{value = dense<1.000000000e-04> : tensor<8xf32>}> : () -> tensor<8xf32>
    %8 = "stablehlo.multiply"(%7, %6) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %9 = "stablehlo.subtract"(%p, %8) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %10 = "stablehlo.constant"() <{value = dense<9.900000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %11 = "stablehlo.multiply"(%10, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %12 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %13 = "stablehlo.multiply"(%12, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %14 = "stablehlo.add"(%11, %13) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %9, %14 : tensor<8xf32>, tensor<8xf32>
  }

  // select(x >= 0, 1, -1).
  // CHECK: [Missed] declined | Category:skew-raise | Function=sign_of_zero_is_one | Reason="the step of a zero momentum and gradient is not zero"
  func.func @sign_of_zero_is_one(%p: tensor<8xf32>, %m: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %2 = "stablehlo.multiply"(%1, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.constant"() <{value = dense<1.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %4 = "stablehlo.multiply"(%3, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.add"(%2, %4) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %6 = "stablehlo.constant"() <{value = dense<0.000000000e+00> : tensor<8xf32>}> : () -> tensor<8xf32>
    %7 = "stablehlo.compare"(%5, %6) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %8 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<8xf32>}> : () -> tensor<8xf32>
    %9 = "stablehlo.constant"() <{value = dense<-1.000000000e+00> : tensor<8xf32>}> : () -> tensor<8xf32>
    %10 = "stablehlo.select"(%7, %8, %9) : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %11 = "stablehlo.constant"() <{value = dense<1.000000000e-04> : tensor<8xf32>}> : () -> tensor<8xf32>
    %12 = "stablehlo.multiply"(%11, %10) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %13 = "stablehlo.subtract"(%p, %12) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %14 = "stablehlo.constant"() <{value = dense<9.900000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %15 = "stablehlo.multiply"(%14, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %16 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %17 = "stablehlo.multiply"(%16, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %18 = "stablehlo.add"(%15, %17) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %13, %18 : tensor<8xf32>, tensor<8xf32>
  }

  // L2 in the momentum, folded.
  // CHECK: [Missed] declined | Category:skew-raise | Function=momentum_grows_with_parameter | Reason="the step is not linear in momentum and gradient"
  func.func @momentum_grows_with_parameter(%p: tensor<8xf32>, %m: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %2 = "stablehlo.multiply"(%1, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.constant"() <{value = dense<1.000000000e-03> : tensor<8xf32>}> : () -> tensor<8xf32>
    %4 = "stablehlo.multiply"(%3, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.multiply"(%4, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %6 = "stablehlo.add"(%0, %5) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %7 = "stablehlo.add"(%2, %6) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %8 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %9 = "stablehlo.multiply"(%8, %7) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %10 = "stablehlo.subtract"(%p, %9) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %10, %7 : tensor<8xf32>, tensor<8xf32>
  }

  // The step is divided by its norm.
  // CHECK: [Missed] declined | Category:skew-raise | Function=normalised_step | Reason="the step size or a decay depends on a reduction over tensors"
  func.func @normalised_step(%p: tensor<8xf32>, %m: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %2 = "stablehlo.multiply"(%1, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.add"(%2, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %4 = "model.norm"(%3) : (tensor<8xf32>) -> tensor<f32>
    %5 = "stablehlo.broadcast_in_dim"(%4) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %6 = "stablehlo.divide"(%3, %5) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %7 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %8 = "stablehlo.multiply"(%7, %6) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %9 = "stablehlo.subtract"(%p, %8) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %9, %3 : tensor<8xf32>, tensor<8xf32>
  }

  // CHECK: [Missed] declined | Category:skew-raise | Function=step_of_old_momentum | Reason="the gradient or the learning rate is zero in most probes"
  func.func @step_of_old_momentum(%p: tensor<8xf32>, %m: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %2 = "stablehlo.multiply"(%1, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.add"(%2, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %4 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %5 = "stablehlo.multiply"(%4, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %6 = "stablehlo.subtract"(%p, %5) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %6, %3 : tensor<8xf32>, tensor<8xf32>
  }

  // CHECK: [Missed] declined | Category:skew-raise | Function=squared_momentum | Reason="the step is not linear in momentum and gradient"
  func.func @squared_momentum(%p: tensor<8xf32>, %m: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %2 = "stablehlo.multiply"(%1, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.add"(%2, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %4 = "stablehlo.multiply"(%3, %3) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %6 = "stablehlo.multiply"(%5, %4) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %7 = "stablehlo.subtract"(%p, %6) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %7, %3 : tensor<8xf32>, tensor<8xf32>
  }

  // No rule without state: the parameter enters by its square.
  // CHECK: [Missed] declined | Category:skew-raise | Function=root_of_parameter | Reason="the step is not linear in momentum and gradient"
  func.func @root_of_parameter(%p: tensor<8xf32>) -> (tensor<8xf32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.multiply"(%p, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %2 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %3 = "stablehlo.multiply"(%2, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %4 = "stablehlo.subtract"(%1, %3) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %4 : tensor<8xf32>
  }

  // The step is a matrix function of the momentum: no plain SGD.
  func.func @momentum_through_a_product(%p: tensor<8xf32>, %m: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %2 = "stablehlo.multiply"(%1, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.add"(%2, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %4 = "model.orthogonalise"(%3) : (tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %6 = "stablehlo.multiply"(%5, %4) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %7 = "stablehlo.subtract"(%p, %6) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %7, %3 : tensor<8xf32>, tensor<8xf32>
  }

  // The old gradient is carried as it is.
  func.func @momentum_of_the_gradient_before(%p: tensor<8xf32>, %o: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<2.000000000e+00> : tensor<8xf32>}> : () -> tensor<8xf32>
    %2 = "stablehlo.multiply"(%1, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.subtract"(%2, %o) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %4 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %5 = "stablehlo.multiply"(%4, %3) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %6 = "stablehlo.subtract"(%p, %5) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %6, %0 : tensor<8xf32>, tensor<8xf32>
  }

  // CHECK: [Missed] declined | Category:skew-raise | Function=step_uphill | Reason="the step goes uphill"
  func.func @step_uphill(%p: tensor<8xf32>, %m: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %2 = "stablehlo.multiply"(%1, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.add"(%2, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %4 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %5 = "stablehlo.multiply"(%4, %3) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %6 = "stablehlo.add"(%p, %5) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %6, %3 : tensor<8xf32>, tensor<8xf32>
  }

  // CHECK: [Missed] declined | Category:skew-raise | Function=momentum_decays_with_step | Reason="momentum changes with the step"
  func.func @momentum_decays_with_step(%p: tensor<8xf32>, %m: tensor<8xf32>, %t: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
    %0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %1 = "stablehlo.convert"(%t) : (tensor<i32>) -> tensor<f32>
    %2 = "stablehlo.constant"() <{value = dense<2.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.add"(%2, %1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %4 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %5 = "stablehlo.divide"(%4, %3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %6 = "stablehlo.constant"() <{value = dense<1.000000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %7 = "stablehlo.subtract"(%6, %5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %9 = "stablehlo.multiply"(%8, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %10 = "stablehlo.add"(%9, %0) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %11 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %12 = "stablehlo.multiply"(%11, %10) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %13 = "stablehlo.subtract"(%p, %12) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %14 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
    %15 = "stablehlo.add"(%t, %14) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    return %13, %10, %15 : tensor<8xf32>, tensor<8xf32>, tensor<i32>
  }

  // 16-bit averages and no power: the decays are not known.
  // CHECK: [Missed] declined | Category:skew-raise | Function=lion_bf16 | Reason="averages in 16 bits without a bias correction: the true decays are not known"
  func.func @lion_bf16(%p: tensor<8xbf16>, %m: tensor<8xbf16>) -> (tensor<8xbf16>, tensor<8xbf16>) {
    %0 = "model.gradient"(%p) : (tensor<8xbf16>) -> tensor<8xbf16>
    %1 = "stablehlo.constant"() <{value = dense<9.000000000e-01> : tensor<8xbf16>}> : () -> tensor<8xbf16>
    %2 = "stablehlo.multiply"(%1, %m) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    %3 = "stablehlo.constant"() <{value = dense<1.000000000e-01> : tensor<8xbf16>}> : () -> tensor<8xbf16>
    %4 = "stablehlo.multiply"(%3, %0) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    %5 = "stablehlo.add"(%2, %4) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    %6 = "stablehlo.sign"(%5) : (tensor<8xbf16>) -> tensor<8xbf16>
    %7 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xbf16>}> : () -> tensor<8xbf16>
    %8 = "stablehlo.multiply"(%7, %6) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    %9 = "stablehlo.subtract"(%p, %8) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    %10 = "stablehlo.constant"() <{value = dense<9.900000000e-01> : tensor<8xbf16>}> : () -> tensor<8xbf16>
    %11 = "stablehlo.multiply"(%10, %m) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    %12 = "stablehlo.constant"() <{value = dense<1.000000000e-02> : tensor<8xbf16>}> : () -> tensor<8xbf16>
    %13 = "stablehlo.multiply"(%12, %0) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    %14 = "stablehlo.add"(%11, %13) : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
    return %9, %14 : tensor<8xbf16>, tensor<8xbf16>
  }
}
