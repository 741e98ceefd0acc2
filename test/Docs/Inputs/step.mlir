// A training step of one bf16 matrix: loss |x p|^2 / 2, AdamW with decoupled
// decay. README.md shows it before and after.
func.func @step(%p: tensor<64x32xbf16> loc("params['w']"),
                %m: tensor<64x32xf32>, %v: tensor<64x32xf32>,
                %t: tensor<i32>, %x: tensor<8x64xbf16>)
    -> (tensor<64x32xbf16>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<i32>) {
  %y = "stablehlo.dot_general"(%x, %p) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<8x64xbf16>, tensor<64x32xbf16>) -> tensor<8x32xbf16>
  %gb = "stablehlo.dot_general"(%x, %y) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>}> : (tensor<8x64xbf16>, tensor<8x32xbf16>) -> tensor<64x32xbf16>
  %g = "stablehlo.convert"(%gb) : (tensor<64x32xbf16>) -> tensor<64x32xf32>
  %b1 = "stablehlo.constant"() <{value = dense<0.9> : tensor<64x32xf32>}> : () -> tensor<64x32xf32>
  %w1 = "stablehlo.constant"() <{value = dense<0.1> : tensor<64x32xf32>}> : () -> tensor<64x32xf32>
  %b2 = "stablehlo.constant"() <{value = dense<0.999> : tensor<64x32xf32>}> : () -> tensor<64x32xf32>
  %w2 = "stablehlo.constant"() <{value = dense<0.001> : tensor<64x32xf32>}> : () -> tensor<64x32xf32>
  %m0 = "stablehlo.multiply"(%b1, %m) : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  %mg = "stablehlo.multiply"(%w1, %g) : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  %m1 = "stablehlo.add"(%m0, %mg) : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  %g2 = "stablehlo.multiply"(%g, %g) : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  %v0 = "stablehlo.multiply"(%b2, %v) : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  %vg = "stablehlo.multiply"(%w2, %g2) : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  %v1 = "stablehlo.add"(%v0, %vg) : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  %one = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %t1 = "stablehlo.add"(%t, %one) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %tf = "stablehlo.convert"(%t1) : (tensor<i32>) -> tensor<f32>
  %unit = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
  %beta1 = "stablehlo.constant"() <{value = dense<0.9> : tensor<f32>}> : () -> tensor<f32>
  %beta2 = "stablehlo.constant"() <{value = dense<0.999> : tensor<f32>}> : () -> tensor<f32>
  %q1 = "stablehlo.power"(%beta1, %tf) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %q2 = "stablehlo.power"(%beta2, %tf) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %c1 = "stablehlo.subtract"(%unit, %q1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %c2 = "stablehlo.subtract"(%unit, %q2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %c1s = "stablehlo.broadcast_in_dim"(%c1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x32xf32>
  %c2s = "stablehlo.broadcast_in_dim"(%c2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<64x32xf32>
  %mh = "stablehlo.divide"(%m1, %c1s) : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  %vh = "stablehlo.divide"(%v1, %c2s) : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  %s = "stablehlo.sqrt"(%vh) : (tensor<64x32xf32>) -> tensor<64x32xf32>
  %eps = "stablehlo.constant"() <{value = dense<1.0e-8> : tensor<64x32xf32>}> : () -> tensor<64x32xf32>
  %d = "stablehlo.add"(%s, %eps) : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  %u = "stablehlo.divide"(%mh, %d) : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  %pf = "stablehlo.convert"(%p) : (tensor<64x32xbf16>) -> tensor<64x32xf32>
  %wd = "stablehlo.constant"() <{value = dense<0.01> : tensor<64x32xf32>}> : () -> tensor<64x32xf32>
  %decay = "stablehlo.multiply"(%wd, %pf) : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  %step = "stablehlo.add"(%u, %decay) : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  %lr = "stablehlo.constant"() <{value = dense<-0.001> : tensor<64x32xf32>}> : () -> tensor<64x32xf32>
  %move = "stablehlo.multiply"(%lr, %step) : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  %next = "stablehlo.add"(%pf, %move) : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  %p1 = "stablehlo.convert"(%next) : (tensor<64x32xf32>) -> tensor<64x32xbf16>
  func.return %p1, %m1, %v1, %t1 : tensor<64x32xbf16>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<i32>
}
