// A resource without its blob is given another name when bytecode is read.
// UNSUPPORTED: roundtrip
// RUN: skew-opt %s --skew-raise --allow-unregistered-dialect | FileCheck %s
// RUN: skew-opt %s --skew-pipeline=policy=keep --allow-unregistered-dialect | FileCheck %s --check-prefix=KEPT

// Constants and attributes in forms that front ends had or have.

module {
  // A weight that was elided in printing: nothing needs its value.
  // CHECK-LABEL: func.func @elided_weight(
  // CHECK: dense_resource<__elided__> : tensor<8xf32>
  // CHECK: skew.sgd parameter(%arg0
  // KEPT-LABEL: func.func @elided_weight(
  // KEPT: dense_resource<__elided__> : tensor<8xf32>
  func.func @elided_weight(%p: tensor<8xf32>, %m: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %w = "stablehlo.constant"() <{value = dense_resource<__elided__> : tensor<8xf32>}> : () -> tensor<8xf32>
    %g = "model.gradient"(%p, %w) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %0 = "stablehlo.constant"() <{value = dense<9.0e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %1 = "stablehlo.multiply"(%0, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %2 = "stablehlo.add"(%1, %g) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.constant"() <{value = dense<1.0e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %4 = "stablehlo.multiply"(%3, %2) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.subtract"(%p, %4) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %5, %2 : tensor<8xf32>, tensor<8xf32>
  }

  // A momentum that was elided: it could be anything.
  // CHECK-LABEL: func.func @elided_momentum(
  // CHECK-SAME: reason = "{{[^"]+}}"
  // CHECK-NOT: skew.sgd
  // CHECK: return
  func.func @elided_momentum(%p: tensor<8xf32>, %m: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %g = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %0 = "stablehlo.constant"() <{value = dense_resource<__elided__> : tensor<8xf32>}> : () -> tensor<8xf32>
    %1 = "stablehlo.multiply"(%0, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %2 = "stablehlo.add"(%1, %g) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.constant"() <{value = dense<1.0e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %4 = "stablehlo.multiply"(%3, %2) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.subtract"(%p, %4) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %5, %2 : tensor<8xf32>, tensor<8xf32>
  }

  // A blob whose elements are all 0.9: a constant of any values to the tool.
  // CHECK-LABEL: func.func @momentum_in_a_blob(
  // CHECK-SAME: reason = "{{[^"]+}}"
  // CHECK-NOT: skew.sgd
  // CHECK: return
  func.func @momentum_in_a_blob(%p: tensor<8xf32>, %m: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %g = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %0 = "stablehlo.constant"() <{value = dense_resource<equal> : tensor<8xf32>}> : () -> tensor<8xf32>
    %1 = "stablehlo.multiply"(%0, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %2 = "stablehlo.add"(%1, %g) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.constant"() <{value = dense<1.0e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %4 = "stablehlo.multiply"(%3, %2) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.subtract"(%p, %4) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %5, %2 : tensor<8xf32>, tensor<8xf32>
  }

  // Dimensions as a dense tensor, as StableHLO had them, and as an array.
  // CHECK-LABEL: func.func @dense_dimensions(
  // CHECK: skew.sgd parameter(%arg0 : tensor<8xf32>) gradient(%{{.*}} : tensor<8xf32>) state(%arg1 : tensor<8xf32>)
  // CHECK-LABEL: func.func @array_dimensions(
  // CHECK: skew.sgd parameter(%arg0 : tensor<8xf32>) gradient(%{{.*}} : tensor<8xf32>) state(%arg1 : tensor<8xf32>)
  func.func @dense_dimensions(%p: tensor<8xf32>, %m: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %g = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %b = "stablehlo.broadcast_in_dim"(%g) {broadcast_dimensions = dense<0> : tensor<1xi64>} : (tensor<8xf32>) -> tensor<8xf32>
    %0 = "stablehlo.constant"() {value = dense<9.0e-01> : tensor<f32>} : () -> tensor<f32>
    %c = "stablehlo.broadcast_in_dim"(%0) {broadcast_dimensions = dense<> : tensor<0xi64>} : (tensor<f32>) -> tensor<8xf32>
    %1 = "stablehlo.multiply"(%c, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %2 = "stablehlo.add"(%1, %b) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.constant"() {value = dense<1.0e-02> : tensor<8xf32>} : () -> tensor<8xf32>
    %4 = "stablehlo.multiply"(%3, %2) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.subtract"(%p, %4) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %5, %2 : tensor<8xf32>, tensor<8xf32>
  }
  func.func @array_dimensions(%p: tensor<8xf32>, %m: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %g = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %b = "stablehlo.broadcast_in_dim"(%g) <{broadcast_dimensions = array<i64: 0>}> : (tensor<8xf32>) -> tensor<8xf32>
    %0 = "stablehlo.constant"() <{value = dense<9.0e-01> : tensor<f32>}> : () -> tensor<f32>
    %c = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
    %1 = "stablehlo.multiply"(%c, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %2 = "stablehlo.add"(%1, %b) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.constant"() <{value = dense<1.0e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %4 = "stablehlo.multiply"(%3, %2) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.subtract"(%p, %4) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %5, %2 : tensor<8xf32>, tensor<8xf32>
  }

  // `and` of floats is no StableHLO: it is not read as arithmetic.
  // CHECK-LABEL: func.func @and_of_floats(
  // CHECK-SAME: reason = "its state (argument 1) enters its update through 'stablehlo.and', which is not elementwise"
  // CHECK-NOT: skew.sgd
  // CHECK: return
  func.func @and_of_floats(%p: tensor<8xf32>, %m: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %g = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
    %0 = "stablehlo.constant"() <{value = dense<9.0e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %1 = "stablehlo.and"(%0, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %2 = "stablehlo.add"(%1, %g) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.constant"() <{value = dense<1.0e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %4 = "stablehlo.multiply"(%3, %2) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.subtract"(%p, %4) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %5, %2 : tensor<8xf32>, tensor<8xf32>
  }

  // Locations with a range of columns.
  // CHECK-LABEL: func.func @ranges(
  // CHECK: skew.sgd
  func.func @ranges(%p: tensor<8xf32>, %m: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
    %g = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32> loc("f":2:8 to :10)
    %0 = "stablehlo.constant"() <{value = dense<9.0e-01> : tensor<8xf32>}> : () -> tensor<8xf32>
    %1 = "stablehlo.multiply"(%0, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> loc("f":2:8 to 3:1)
    %2 = "stablehlo.add"(%1, %g) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %3 = "stablehlo.constant"() <{value = dense<1.0e-02> : tensor<8xf32>}> : () -> tensor<8xf32>
    %4 = "stablehlo.multiply"(%3, %2) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %5 = "stablehlo.subtract"(%p, %4) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
    return %5, %2 : tensor<8xf32>, tensor<8xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      equal: "0x040000006666663F6666663F6666663F6666663F6666663F6666663F6666663F6666663F"
    }
  }
#-}
