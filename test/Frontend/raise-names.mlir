// RUN: skew-opt %s --skew-raise --allow-unregistered-dialect \
// RUN:   --remarks-filter=skew-raise --remark-format=emitRemark 2>%t.remarks \
// RUN:   | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

// A name comes from the argument's location, else from the result, else from
// the place. It never changes what is raised.

// One disagreement, in one function.
// REMARK-COUNT-1: [Analysis] names-disagree | Category:skew-raise | Function=disagreeing | Remark="the argument is called params['router'], its result result[0]['gate']"
// REMARK-NOT: names-disagree

module {
  // CHECK-LABEL: func.func @by_location(
  // CHECK: skew.sgd
  // CHECK-SAME: parameter_id = -1857993412138908824 : i64, parameter_name = "params['pos_emb']"
  func.func @by_location(%p: tensor<8xf32> loc("params['pos_emb']"))
      -> (tensor<8xf32> {jax.result_info = "result[0]['pos_emb']"}) {
    %g = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %c = "stablehlo.constant"() <{value = dense<1.000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %u = "stablehlo.multiply"(%c, %g) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %r = "stablehlo.subtract"(%p, %u) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %r : tensor<8xf32>
  }

  // CHECK-LABEL: func.func @by_result(
  // CHECK: skew.sgd
  // CHECK-SAME: parameter_id = -1857993412138908824 : i64, parameter_name = "params['pos_emb']"
  func.func @by_result(%p: tensor<8xf32>)
      -> (tensor<8xf32> {jax.result_info = "result[0]['pos_emb']"}) {
    %g = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %c = "stablehlo.constant"() <{value = dense<1.000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %u = "stablehlo.multiply"(%c, %g) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %r = "stablehlo.subtract"(%p, %u) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %r : tensor<8xf32>
  }

  // The id is that of the decimal argument index: SHA-256 of "1".
  // CHECK-LABEL: func.func @by_place(
  // CHECK: skew.sgd
  // CHECK-SAME: parameter_id = -4603150656905716917 : i64, parameter_name = "arg1"
  func.func @by_place(%x: tensor<8xf32>, %p: tensor<8xf32>) -> tensor<8xf32> {
    %g = "model.gradient"(%p, %x) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %c = "stablehlo.constant"() <{value = dense<1.000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %u = "stablehlo.multiply"(%c, %g) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %r = "stablehlo.subtract"(%p, %u) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %r : tensor<8xf32>
  }

  // Quotes and bytes beyond ASCII survive.
  // CHECK-LABEL: func.func @odd_name(
  // CHECK: skew.sgd
  // CHECK-SAME: parameter_name = "params['a\22b']['\C3\A9'][0]"
  func.func @odd_name(%p: tensor<8xf32> loc("params['a\22b']['é'][0]")) -> tensor<8xf32> {
    %g = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %c = "stablehlo.constant"() <{value = dense<1.000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %u = "stablehlo.multiply"(%c, %g) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %r = "stablehlo.subtract"(%p, %u) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %r : tensor<8xf32>
  }

  // CHECK-LABEL: func.func @disagreeing(
  // CHECK: skew.sgd
  // CHECK-SAME: parameter_name = "params['router']"
  func.func @disagreeing(%p: tensor<8xf32> loc("params['router']"))
      -> (tensor<8xf32> {jax.result_info = "result[0]['gate']"}) {
    %g = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %c = "stablehlo.constant"() <{value = dense<1.000000e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %u = "stablehlo.multiply"(%c, %g) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %r = "stablehlo.subtract"(%p, %u) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %r : tensor<8xf32>
  }
}
