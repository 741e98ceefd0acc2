// RUN: skew-opt %s --skew-decompose-updates --cse --canonicalize --convert-skew-to-stablehlo | FileCheck %s

// The random key's sweep is one function for both parameters: seed, id and step
// are its operands. Philox in ten rounds for two words: 19 products.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[T:[a-z0-9]+]]: tensor<i32>, %{{.*}}: tensor<f32>)
// CHECK-DAG: %[[SEED:.*]] = "stablehlo.constant"() {value = dense<5> : tensor<i64>}
// CHECK-DAG: %[[ID1:.*]] = "stablehlo.constant"() {value = dense<11> : tensor<i64>}
// CHECK-DAG: %[[ID2:.*]] = "stablehlo.constant"() {value = dense<22> : tensor<i64>}
// CHECK: call @skew_scalar(%[[T]], %[[SEED]], %[[ID1]]) : (tensor<i32>, tensor<i64>, tensor<i64>) -> (tensor<i32>, tensor<i32>)
// CHECK: call @skew_scalar(%[[T]], %[[SEED]], %[[ID2]])
// CHECK: return
// CHECK: func.func private @skew_scalar(%{{.*}}: tensor<i32>, %{{.*}}: tensor<i64>, %{{.*}}: tensor<i64>) -> (tensor<i32>, tensor<i32>) {
// CHECK-COUNT-19: "stablehlo.multiply"
// CHECK-NOT: "stablehlo.multiply"
// CHECK: func.func private @skew_sweep(
// CHECK-NOT: func.func
func.func @main(%p: tensor<8xbf16>, %g: tensor<8xbf16>, %t: tensor<i32>,
                %lr: tensor<f32>) -> (tensor<8xbf16>, tensor<8xbf16>) {
  %a = skew.sgd parameter(%p : tensor<8xbf16>) gradient(%g : tensor<8xbf16>)
      step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>) {weight_decay = 0.0}
      {rounding = #skew.rounding<stochastic>, seed = 5 : i64, parameter_id = 11 : i64}
  %b = skew.sgd parameter(%p : tensor<8xbf16>) gradient(%g : tensor<8xbf16>)
      step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>) {weight_decay = 0.0}
      {rounding = #skew.rounding<stochastic>, seed = 5 : i64, parameter_id = 22 : i64}
  return %a, %b : tensor<8xbf16>, tensor<8xbf16>
}
