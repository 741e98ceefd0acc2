// RUN: skew-opt %s --skew-strip --verify-diagnostics

func.func @main(%p: tensor<8xf32>, %lr: tensor<f32>) -> tensor<8xf32> {
  // expected-error @below {{'skew.sgd' op is left: lower updates and sweeps before skew-strip}}
  %p1 = skew.sgd parameter(%p : tensor<8xf32>) gradient(%p : tensor<8xf32>)
      learning_rate(%lr : tensor<f32>) {weight_decay = 0.0}
  return %p1 : tensor<8xf32>
}
