// RUN: skew-opt %s --skew-strip | FileCheck %s

// CHECK: module {
// CHECK-NOT: skew
module attributes {skew.note = "read"} {
  skew.group @norms role <norm> tier_class "backbone"
  // CHECK: func.func @main(%{{.*}}: tensor<8xf32> {tf.aliasing_output = 0 : i32}) -> (tensor<8xf32> {jax.result_info = "p"}) {
  func.func @main(%p: tensor<8xf32> {skew.role = "norm", tf.aliasing_output = 0 : i32})
      -> (tensor<8xf32> {jax.result_info = "p", skew.of = "p"})
      attributes {skew.lint = []} {
    // CHECK-NEXT: %[[R:.*]] = "x.op"(%{{.*}}) {kept} :
    %r = "x.op"(%p) {skew.tier = "none", kept} : (tensor<8xf32>) -> tensor<8xf32>
    // CHECK-NEXT: return %[[R]]
    return %r : tensor<8xf32>
  }
  skew.state_layout @main [
    #skew.slot<index = 0, kind = "parameter", old_index = 0, result = 0,
               old_result = 0, parameter = "p", parameter_id = 1, component = "",
               type = tensor<8xf32>, init = 0.0 : f64>] results [0]
}
