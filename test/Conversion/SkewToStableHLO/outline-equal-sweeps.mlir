// RUN: skew-opt %s --skew-decompose-updates --convert-skew-to-stablehlo | FileCheck %s

// Parameters of one shape share functions. The bias corrections depend on the
// step alone and are computed once. Another constant, type or shape is another
// function, or none where it stands alone.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[P:[a-z0-9]+]]: tensor<8x4xf32>, %[[Q:[a-z0-9]+]]: tensor<8x4xf32>, %[[W:[a-z0-9]+]]: tensor<8x4xbf16>
// CHECK-COUNT-2: "stablehlo.power"
// CHECK: %[[A:.*]]:3 = call @[[F:skew_sweep[_0-9]*]]({{.*}}%[[P]]
// CHECK-NOT: "stablehlo.power"
// CHECK: %[[B:.*]]:3 = call @[[F]]({{.*}}%[[Q]]
// CHECK-NOT: call @
// CHECK: "stablehlo.power"
// CHECK-NOT: {{call @|"stablehlo.power"}}
// CHECK: return %[[A]]#{{[0-9]}}, %[[B]]#{{[0-9]}}
// CHECK: func.func private @[[F]](
// CHECK-NOT: func.func
func.func @main(%p: tensor<8x4xf32>, %q: tensor<8x4xf32>, %w: tensor<8x4xbf16>,
                %x: tensor<8x4xf32>, %g: tensor<8x4xf32>,
                %m: tensor<8x4xf32>, %v: tensor<8x4xf32>,
                %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xbf16>, tensor<8x4xf32>) {
  %a:3 = skew.adamw parameter(%p : tensor<8x4xf32>) gradient(%g : tensor<8x4xf32>)
      state(%m, %v : tensor<8x4xf32>, tensor<8x4xf32>)
      step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.1}
  %b:3 = skew.adamw parameter(%q : tensor<8x4xf32>) gradient(%g : tensor<8x4xf32>)
      state(%m, %v : tensor<8x4xf32>, tensor<8x4xf32>)
      step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.1}
  %c:3 = skew.adamw parameter(%w : tensor<8x4xbf16>) gradient(%g : tensor<8x4xf32>)
      state(%m, %v : tensor<8x4xf32>, tensor<8x4xf32>)
      step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.1}
  %d:3 = skew.adamw parameter(%x : tensor<8x4xf32>) gradient(%g : tensor<8x4xf32>)
      state(%m, %v : tensor<8x4xf32>, tensor<8x4xf32>)
      step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.95, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.1}
  return %a#0, %b#0, %c#0, %d#0 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xbf16>, tensor<8x4xf32>
}
