// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: skew-opt %s --split-input-file --skew-record-outputs --verify-diagnostics

// A record that was edited by hand.

// expected-error @below {{parameter w of skew.parameters must be a tensor argument of static shape, got number 4}}
func.func @beyond(%p: tensor<8xf32>) -> tensor<8xf32>
    attributes {skew.parameters = [{name = "w", argument = 4 : i64, result = 0 : i64, status = "frozen"}]} {
  return %p : tensor<8xf32>
}

// -----

// expected-error @below {{parameter w of skew.parameters must be a tensor argument of static shape, got number -1}}
func.func @none(%p: tensor<8xf32>) -> tensor<8xf32>
    attributes {skew.parameters = [{name = "w", status = "frozen"}]} {
  return %p : tensor<8xf32>
}

// -----

// expected-error @below {{parameter w of skew.parameters must be a tensor argument of static shape, got number 0}}
func.func @no_tensor(%p: f32) -> f32
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "frozen"}]} {
  return %p : f32
}

// -----

// expected-error @below {{parameter w of skew.parameters must be a tensor argument of static shape, got number 0 of type 'tensor<?x8xf32>'}}
func.func @dynamic(%p: tensor<?x8xf32>) -> tensor<?x8xf32>
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "frozen"}]} {
  return %p : tensor<?x8xf32>
}

// -----

// State in the signature that no parameter accounts for.

// expected-error @below {{state in the rewritten signature is 32 bytes, but the parameters account for 0: this is a defect of skew-opt, please report it}}
func.func @unaccounted(%p: tensor<8xf32>, %m: tensor<8xf32>) -> tensor<8xf32>
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64, status = "frozen"}]} {
  return %p : tensor<8xf32>
}
skew.state_layout @unaccounted [
  #skew.slot<index = 0, kind = "parameter", old_index = 0, result = 0, old_result = 0, parameter = "w", parameter_id = 1, component = "", type = tensor<8xf32>, init = 0.0 : f64>,
  #skew.slot<index = 1, kind = "state", old_index = 1, result = -1, old_result = -1, parameter = "w", parameter_id = 1, component = "m", type = tensor<8xf32>, init = 0.0 : f64>]
  results [0]
