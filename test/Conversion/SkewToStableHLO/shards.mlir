// RUN: skew-opt %s --allow-unregistered-dialect --convert-skew-to-stablehlo | FileCheck %s

// The sum over columns joins the devices that cut columns, that over rows the
// ones that cut rows, and no others.
// CHECK-LABEL: func.func @sums(
// CHECK-SAME: %[[G:.*]]: tensor<8x4xf32>
// CHECK: %[[LOCAL_ROW:.*]] = "stablehlo.reduce"(%{{.*}})
// CHECK: }) {dimensions = array<i64: 1>}
// CHECK: %[[ROW:.*]] = "stablehlo.all_reduce"(%[[LOCAL_ROW]]) ({
// CHECK: "stablehlo.add"
// CHECK: "stablehlo.return"
// CHECK: }) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<{{\[\[}}0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids} : (tensor<8xf32>) -> tensor<8xf32>
// CHECK: %[[LOCAL_COL:.*]] = "stablehlo.reduce"(%{{.*}})
// CHECK: }) {dimensions = array<i64: 0>}
// CHECK: %[[COL:.*]] = "stablehlo.all_reduce"(%[[LOCAL_COL]])
// CHECK: }) {channel_handle{{.*}}replica_groups = dense<{{\[\[}}0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>
// CHECK: %[[LOCAL_ALL:.*]] = "stablehlo.reduce"(%{{.*}})
// CHECK: }) {dimensions = array<i64: 0, 1>}
// CHECK: %[[ALL:.*]] = "stablehlo.all_reduce"(%[[LOCAL_ALL]])
// CHECK: }) {channel_handle{{.*}}replica_groups = dense<{{\[\[}}0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>
// CHECK-NOT: all_reduce
// CHECK: return %[[ROW]], %[[COL]], %[[ALL]]
func.func @sums(%g: tensor<8x4xf32>) -> (tensor<8xf32>, tensor<4xf32>, tensor<f32>) {
  %r:3 = skew.sweep domain([8, 4], <row = [0], column = [1]>)
      ins(%g elem : tensor<8x4xf32>)
      outs(row sum into -1 : tensor<8xf32>, col sum into -1 : tensor<4xf32>,
           scalar sum into -1 : tensor<f32>)
      shards <mesh = ["x" = 2, "y" = 4], dims = [["x"], ["y"]]> {
  ^bb0(%x: f32, %index: i64):
    skew.yield %x, %x, %x : f32, f32, f32
  }
  return %r#0, %r#1, %r#2 : tensor<8xf32>, tensor<4xf32>, tensor<f32>
}

// A dimension that is not cut costs nothing: rows are cut by the outer two axes
// of three, so only the sum over rows is joined. Its value is joined before it
// is rounded.
// CHECK-LABEL: func.func @one_dimension_cut(
// CHECK: %[[ROW:.*]] = "stablehlo.reduce"(%{{.*}})
// CHECK: }) {dimensions = array<i64: 1>}
// CHECK-NOT: stablehlo.all_reduce
// CHECK: %[[LOCAL:.*]] = "stablehlo.reduce"(%{{.*}})
// CHECK: }) {dimensions = array<i64: 0>}
// CHECK: %[[SUM:.*]] = "stablehlo.all_reduce"(%[[LOCAL]])
// CHECK: }) {channel_handle{{.*}}replica_groups = dense<{{\[\[}}0, 2, 4, 6], [1, 3, 5, 7]]> : tensor<2x4xi64>
// CHECK: %[[COL:.*]] = "stablehlo.convert"(%[[SUM]]) : (tensor<4xf32>) -> tensor<4xbf16>
// CHECK: return %[[ROW]], %[[COL]]
func.func @one_dimension_cut(%g: tensor<8x4xf32>) -> (tensor<8xf32>, tensor<4xbf16>) {
  %r:2 = skew.sweep domain([8, 4], <row = [0], column = [1]>)
      ins(%g elem : tensor<8x4xf32>)
      outs(row sum into -1 : tensor<8xf32>, col sum into -1 : tensor<4xbf16>)
      shards <mesh = ["x" = 2, "y" = 2, "z" = 2], dims = [["y", "x"], []]> {
  ^bb0(%x: f32, %index: i64):
    skew.yield %x, %x : f32, f32
  }
  return %r#0, %r#1 : tensor<8xf32>, tensor<4xbf16>
}

// Experts on different devices have nothing to say to each other.
// CHECK-LABEL: func.func @batch_cut(
// CHECK-NOT: all_reduce
// CHECK: return
func.func @batch_cut(%g: tensor<2x8x4xf32>) -> tensor<2xf32> {
  %r = skew.sweep domain([2, 8, 4], <batch = [0], row = [1], column = [2]>)
      ins(%g elem : tensor<2x8x4xf32>) outs(batch sum into -1 : tensor<2xf32>)
      shards <mesh = ["x" = 8], dims = [["x"], [], []]> {
  ^bb0(%x: f32, %index: i64):
    skew.yield %x : f32
  }
  return %r : tensor<2xf32>
}

// An axis of one device joins nobody.
// CHECK-LABEL: func.func @axis_of_one(
// CHECK-NOT: all_reduce
// CHECK: return
func.func @axis_of_one(%g: tensor<8xf32>) -> tensor<f32> {
  %r = skew.sweep domain([8], <column = [0]>)
      ins(%g elem : tensor<8xf32>) outs(scalar sum into -1 : tensor<f32>)
      shards <mesh = ["x" = 1, "y" = 8], dims = [["x"]]> {
  ^bb0(%x: f32, %index: i64):
    skew.yield %x : f32
  }
  return %r : tensor<f32>
}

// The index counts in the whole 16x16 tensor: rows start at 8 x, columns at
// 4 y, and a row has 16 elements.
// CHECK-LABEL: func.func @index(
// CHECK: "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<8x4xi64>
// CHECK: %[[ID:.*]] = "stablehlo.partition_id"() : () -> tensor<ui32>
// CHECK: %[[D:.*]] = "stablehlo.convert"(%[[ID]]) : (tensor<ui32>) -> tensor<i64>
// CHECK: %[[ONE:.*]] = "stablehlo.constant"() {value = dense<1> : tensor<i64>}
// CHECK: %[[Q:.*]] = "stablehlo.divide"(%[[D]], %[[ONE]])
// CHECK: %[[FOUR:.*]] = "stablehlo.constant"() {value = dense<4> : tensor<i64>}
// CHECK: %[[Y:.*]] = "stablehlo.remainder"(%[[Q]], %[[FOUR]])
// CHECK: %[[WIDTH:.*]] = "stablehlo.constant"() {value = dense<4> : tensor<i64>}
// CHECK: "stablehlo.multiply"(%[[Y]], %[[WIDTH]])
// CHECK: "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<8x4xi64>
// CHECK: %[[FOUR_AGAIN:.*]] = "stablehlo.constant"() {value = dense<4> : tensor<i64>}
// CHECK: %[[R:.*]] = "stablehlo.divide"(%[[D]], %[[FOUR_AGAIN]])
// CHECK: %[[TWO:.*]] = "stablehlo.constant"() {value = dense<2> : tensor<i64>}
// CHECK: %[[X:.*]] = "stablehlo.remainder"(%[[R]], %[[TWO]])
// CHECK: %[[HEIGHT:.*]] = "stablehlo.constant"() {value = dense<8> : tensor<i64>}
// CHECK: "stablehlo.multiply"(%[[X]], %[[HEIGHT]])
// CHECK: "stablehlo.constant"() {value = dense<16> : tensor<i64>}
func.func @index(%g: tensor<8x4xi64>) -> tensor<8x4xi64> {
  %r = skew.sweep domain([8, 4], <row = [0], column = [1]>)
      ins(%g elem : tensor<8x4xi64>) outs(elem write into -1 : tensor<8x4xi64>)
      shards <mesh = ["x" = 2, "y" = 4], dims = [["x"], ["y"]]> {
  ^bb0(%x: i64, %index: i64):
    skew.yield %index : i64
  }
  return %r : tensor<8x4xi64>
}
