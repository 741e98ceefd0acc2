// RUN: skew-opt %s --split-input-file --convert-skew-to-stablehlo --verify-diagnostics

func.func @update_not_decomposed(%p: tensor<8xf32>, %lr: tensor<f32>) -> tensor<8xf32> {
  // expected-error @below {{'skew.sgd' op has no StableHLO form: run skew-decompose-updates first}}
  %p1 = skew.sgd parameter(%p : tensor<8xf32>) gradient(%p : tensor<8xf32>)
      learning_rate(%lr : tensor<f32>) {weight_decay = 0.0}
  return %p1 : tensor<8xf32>
}

// -----

func.func @op_without_a_form(%p: tensor<8xf32>) -> tensor<8xf32> {
  %0 = skew.sweep domain([8], <column = [0]>) ins(%p elem : tensor<8xf32>)
      outs(elem write into -1 : tensor<8xf32>) {
  ^bb0(%x: f32, %index: i64):
    // expected-error @below {{'math.erf' op has no StableHLO form in a sweep}}
    %y = math.erf %x : f32
    skew.yield %y : f32
  }
  return %0 : tensor<8xf32>
}

// -----

// StableHLO's i1 is a truth value: its sum is no sum of one-bit numbers.
func.func @arithmetic_on_truth_values(%p: tensor<8xi1>) -> tensor<8xi1> {
  %0 = skew.sweep domain([8], <column = [0]>) ins(%p elem : tensor<8xi1>)
      outs(elem write into -1 : tensor<8xi1>) {
  ^bb0(%x: i1, %index: i64):
    // expected-error @below {{'arith.addi' op has no StableHLO form in a sweep}}
    %y = arith.addi %x, %x : i1
    skew.yield %y : i1
  }
  return %0 : tensor<8xi1>
}
