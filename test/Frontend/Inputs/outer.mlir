func.func @outer(%p: tensor<64x32xbf16> loc("params['w']"), %m: tensor<64x32xf32>, %v: tensor<64x32xf32>, %t: tensor<i32>, %x: tensor<8x64xbf16>)
    -> (tensor<64x32xbf16>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<i32>) {
  %r:4 = func.call @middle(%p, %m, %v, %t, %x) : (tensor<64x32xbf16>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<i32>, tensor<8x64xbf16>) -> (tensor<64x32xbf16>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<i32>)
  func.return %r#0, %r#1, %r#2, %r#3 : tensor<64x32xbf16>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<i32>
}
func.func private @middle(%p: tensor<64x32xbf16>, %m: tensor<64x32xf32>, %v: tensor<64x32xf32>, %t: tensor<i32>, %x: tensor<8x64xbf16>)
    -> (tensor<64x32xbf16>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<i32>) {
  %r:4 = func.call @inner(%p, %m, %v, %t, %x) : (tensor<64x32xbf16>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<i32>, tensor<8x64xbf16>) -> (tensor<64x32xbf16>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<i32>)
  func.return %r#0, %r#1, %r#2, %r#3 : tensor<64x32xbf16>, tensor<64x32xf32>, tensor<64x32xf32>, tensor<i32>
}
