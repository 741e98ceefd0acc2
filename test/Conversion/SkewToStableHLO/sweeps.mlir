// RUN: skew-opt %s --convert-skew-to-stablehlo | FileCheck %s
// RUN: skew-opt %s --convert-skew-to-stablehlo --mlir-print-debuginfo | FileCheck %s --check-prefix=LOC

// A value has only the axes it depends on: the root is taken per row and per
// column, and the broadcasts stand before the product.
// CHECK-LABEL: func.func @broadcasts_stand_late
// CHECK-SAME: (%[[R:.*]]: tensor<8xf32>, %[[C:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[SR:.*]] = "stablehlo.sqrt"(%[[R]]) : (tensor<8xf32>) -> tensor<8xf32>
// CHECK-NEXT: %[[SC:.*]] = "stablehlo.sqrt"(%[[C]]) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[BR:.*]] = "stablehlo.broadcast_in_dim"(%[[SR]]) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x4xf32>
// CHECK-NEXT: %[[BC:.*]] = "stablehlo.broadcast_in_dim"(%[[SC]]) {broadcast_dimensions = array<i64: 1>} : (tensor<4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT: %[[M:.*]] = "stablehlo.multiply"(%[[BR]], %[[BC]]) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
// CHECK-NEXT: return %[[M]]
func.func @broadcasts_stand_late(%r: tensor<8xf32>, %c: tensor<4xf32>)
    -> tensor<8x4xf32> {
  %0 = skew.sweep domain([8, 4], <row = [0], column = [1]>)
      ins(%r row : tensor<8xf32>, %c col : tensor<4xf32>)
      outs(elem write into -1 : tensor<8x4xf32>) {
  ^bb0(%x: f32, %y: f32, %index: i64):
    %sx = math.sqrt %x : f32
    %sy = math.sqrt %y : f32
    %m = arith.mulf %sx, %sy : f32
    skew.yield %m : f32
  }
  return %0 : tensor<8x4xf32>
}

// CHECK-LABEL: func.func @sums
// CHECK-SAME: (%[[G:.*]]: tensor<3x8x2xbf16>)
// CHECK-NEXT: %[[W:.*]] = "stablehlo.convert"(%[[G]]) : (tensor<3x8x2xbf16>) -> tensor<3x8x2xf32>
// CHECK-NEXT: %[[ZERO:.*]] = "stablehlo.constant"() {value = dense<0.000000e+00> : tensor<f32>} : () -> tensor<f32>
// CHECK-NEXT: %[[S:.*]] = "stablehlo.reduce"(%[[W]], %[[ZERO]]) ({
// CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>):
// CHECK-NEXT:   %[[ADD:.*]] = "stablehlo.add"(%[[A]], %[[B]]) : (tensor<f32>, tensor<f32>) -> tensor<f32>
// CHECK-NEXT:   "stablehlo.return"(%[[ADD]]) : (tensor<f32>) -> ()
// CHECK-NEXT: }) {dimensions = array<i64: 0, 2>} : (tensor<3x8x2xf32>, tensor<f32>) -> tensor<8xf32>
// CHECK-NEXT: %[[N:.*]] = "stablehlo.convert"(%[[S]]) : (tensor<8xf32>) -> tensor<8xbf16>
// CHECK-NEXT: return %[[N]]
func.func @sums(%g: tensor<3x8x2xbf16>) -> tensor<8xbf16> {
  %0 = skew.sweep domain([3, 8, 2], <batch = [1], row = [0, 2]>)
      ins(%g elem : tensor<3x8x2xbf16>) outs(batch sum into -1 : tensor<8xbf16>) {
  ^bb0(%x: f32, %index: i64):
    skew.yield %x : f32
  }
  return %0 : tensor<8xbf16>
}

// A summed value that lacks a summed axis counts once per element.
// CHECK-LABEL: func.func @sum_over_an_axis_that_is_not_there
// CHECK: %[[B:.*]] = "stablehlo.broadcast_in_dim"(%{{.*}}) {broadcast_dimensions = array<i64: 0>} : (tensor<8xf32>) -> tensor<8x4xf32>
// CHECK: "stablehlo.reduce"(%[[B]], %
// CHECK: {dimensions = array<i64: 0, 1>} : (tensor<8x4xf32>, tensor<f32>) -> tensor<f32>
func.func @sum_over_an_axis_that_is_not_there(%r: tensor<8xf32>) -> tensor<f32> {
  %0 = skew.sweep domain([8, 4], <row = [0], column = [1]>)
      ins(%r row : tensor<8xf32>) outs(scalar sum into -1 : tensor<f32>) {
  ^bb0(%x: f32, %index: i64):
    skew.yield %x : f32
  }
  return %0 : tensor<f32>
}

// Scalar sweeps stay fp64 until the one rounded write.
// CHECK-LABEL: func.func @bias_correction
// CHECK: %[[T:.*]] = "stablehlo.convert"(%{{.*}}) : (tensor<i32>) -> tensor<f64>
// CHECK: %[[P:.*]] = "stablehlo.power"(%{{.*}}, %[[T]]) : (tensor<f64>, tensor<f64>) -> tensor<f64>
// CHECK: %[[S:.*]] = "stablehlo.subtract"(%{{.*}}, %[[P]]) : (tensor<f64>, tensor<f64>) -> tensor<f64>
// CHECK: "stablehlo.convert"(%[[S]]) : (tensor<f64>) -> tensor<f32>
// LOC: "stablehlo.power"{{.*}} loc(#[[CORRECTION:.*]])
// LOC: "stablehlo.subtract"{{.*}} loc(#[[CORRECTION]])
// LOC: #[[CORRECTION]] = loc("bias correction of w")
func.func @bias_correction(%t: tensor<i32>) -> tensor<f32> {
  %0 = skew.sweep domain([], <>) ins(%t elem : tensor<i32>)
      outs(elem write into -1 : tensor<f32>) {
  ^bb0(%x: i32, %index: i64):
    %beta = arith.constant 0.999 : f64
    %one = arith.constant 1.0 : f64
    %y = arith.sitofp %x : i32 to f64
    %p = math.powf %beta, %y : f64
    %s = arith.subf %one, %p : f64
    skew.yield %s : f64
  } loc("bias correction of w")
  return %0 : tensor<f32>
}

// The index is row-major and 64 bits wide: 4 row + column.
// CHECK-LABEL: func.func @index
// CHECK-DAG: %[[COL:.*]] = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<8x4xi64>
// CHECK-DAG: %[[ROW:.*]] = "stablehlo.iota"() {iota_dimension = 0 : i64} : () -> tensor<8x4xi64>
// CHECK-DAG: %[[FOUR:.*]] = "stablehlo.constant"() {value = dense<4> : tensor<i64>} : () -> tensor<i64>
// CHECK: %[[FOURS:.*]] = "stablehlo.broadcast_in_dim"(%[[FOUR]]) {broadcast_dimensions = array<i64>} : (tensor<i64>) -> tensor<8x4xi64>
// CHECK: %[[START:.*]] = "stablehlo.multiply"(%[[ROW]], %[[FOURS]])
// CHECK: "stablehlo.add"(%[[START]], %[[COL]])
func.func @index() -> tensor<8x4xi64> {
  %0 = skew.sweep domain([8, 4], <column = [0, 1]>) ins()
      outs(elem write into -1 : tensor<8x4xi64>) {
  ^bb0(%index: i64):
    skew.yield %index : i64
  }
  return %0 : tensor<8x4xi64>
}

// Zero extension and unsigned orders go through unsigned types.
// CHECK-LABEL: func.func @unsigned
// CHECK-SAME: (%[[X:.*]]: tensor<8xi32>, %{{.*}}: tensor<8xui32>)
// CHECK-DAG: %[[Y:.*]] = "stablehlo.bitcast_convert"(%{{.*}}) : (tensor<8xui32>) -> tensor<8xi32>
// CHECK-DAG: %[[U:.*]] = "stablehlo.bitcast_convert"(%[[X]]) : (tensor<8xi32>) -> tensor<8xui32>
// CHECK: "stablehlo.convert"(%{{.*}}) : (tensor<8xui32>) -> tensor<8xi64>
// CHECK: "stablehlo.compare"(%{{.*}}, %{{.*}}) {compare_type = #stablehlo<comparison_type UNSIGNED>, comparison_direction = #stablehlo<comparison_direction LT>} : (tensor<8xui32>, tensor<8xui32>) -> tensor<8xi1>
// CHECK: "stablehlo.compare"(%[[X]], %[[Y]]) {compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction GE>}
// CHECK: "stablehlo.shift_right_logical"
func.func @unsigned(%a: tensor<8xi32>, %b: tensor<8xui32>)
    -> (tensor<8xi64>, tensor<8xi1>, tensor<8xi1>, tensor<8xi32>) {
  %0:4 = skew.sweep domain([8], <column = [0]>)
      ins(%a elem : tensor<8xi32>, %b elem : tensor<8xui32>)
      outs(elem write into -1 : tensor<8xi64>, elem write into -1 : tensor<8xi1>,
           elem write into -1 : tensor<8xi1>, elem write into -1 : tensor<8xi32>) {
  ^bb0(%x: i32, %y: i32, %index: i64):
    %w = arith.extui %x : i32 to i64
    %u = arith.cmpi ult, %x, %y : i32
    %s = arith.cmpi sge, %x, %y : i32
    %c = arith.constant 3 : i32
    %h = arith.shrui %x, %c : i32
    skew.yield %w, %u, %s, %h : i64, i1, i1, i32
  }
  return %0#0, %0#1, %0#2, %0#3
      : tensor<8xi64>, tensor<8xi1>, tensor<8xi1>, tensor<8xi32>
}

// NaN is less than nothing: unordered predicates negate the opposite ones.
// CHECK-LABEL: func.func @unordered
// CHECK: %[[GE:.*]] = "stablehlo.compare"(%{{.*}}, %{{.*}}) {compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GE>}
// CHECK: %[[ULT:.*]] = "stablehlo.not"(%[[GE]])
// CHECK: "stablehlo.select"(%[[ULT]], %
func.func @unordered(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8xf32> {
  %0 = skew.sweep domain([8], <column = [0]>)
      ins(%a elem : tensor<8xf32>, %b elem : tensor<8xf32>)
      outs(elem write into -1 : tensor<8xf32>) {
  ^bb0(%x: f32, %y: f32, %index: i64):
    %c = arith.cmpf ult, %x, %y : f32
    %s = arith.select %c, %x, %y : f32
    skew.yield %s : f32
  }
  return %0 : tensor<8xf32>
}

// The bits are added below the kept half; infinities and NaN go past it.
// CHECK-LABEL: func.func @stochastic
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>, %{{.*}}: tensor<8xi32>)
// CHECK: %[[I:.*]] = "stablehlo.bitcast_convert"(%[[X]]) : (tensor<8xf32>) -> tensor<8xi32>
// CHECK: %[[S:.*]] = "stablehlo.add"(%[[I]], %
// CHECK: "stablehlo.shift_right_logical"(%[[S]], %
// CHECK: %[[H:.*]] = "stablehlo.convert"(%{{.*}}) : (tensor<8xi32>) -> tensor<8xi16>
// CHECK: %[[F:.*]] = "stablehlo.bitcast_convert"(%[[H]]) : (tensor<8xi16>) -> tensor<8xbf16>
// CHECK: %[[C:.*]] = "stablehlo.convert"(%[[X]]) : (tensor<8xf32>) -> tensor<8xbf16>
// CHECK: "stablehlo.select"(%{{.*}}, %[[C]], %[[F]])
func.func @stochastic(%a: tensor<8xf32>, %b: tensor<8xi32>) -> tensor<8xbf16> {
  %0 = skew.sweep domain([8], <column = [0]>)
      ins(%a elem : tensor<8xf32>, %b elem : tensor<8xi32>)
      outs(elem write into -1 : tensor<8xbf16>) {
  ^bb0(%x: f32, %r: i32, %index: i64):
    %y = skew.round_stochastic %x, %r : f32 to bf16
    skew.yield %y : bf16
  }
  return %0 : tensor<8xbf16>
}

// The graph's own constants stay as they are, those of sweeps are lowered.
// CHECK-LABEL: func.func @constants
// CHECK-NEXT: %[[OWN:.*]] = arith.constant dense<[1, 2]> : tensor<2xi64>
// CHECK-NEXT: %[[TWO:.*]] = "stablehlo.constant"() {value = dense<2.000000e+00> : tensor<f32>} : () -> tensor<f32>
// CHECK: "stablehlo.broadcast_in_dim"(%[[TWO]])
// CHECK: return %[[OWN]], %
func.func @constants(%a: tensor<8xf32>) -> (tensor<2xi64>, tensor<8xf32>) {
  %0 = arith.constant dense<[1, 2]> : tensor<2xi64>
  %1 = arith.constant dense<2.0> : tensor<f32>
  %2 = skew.sweep domain([8], <column = [0]>)
      ins(%a elem : tensor<8xf32>, %1 scalar : tensor<f32>)
      outs(elem write into -1 : tensor<8xf32>) {
  ^bb0(%x: f32, %s: f32, %index: i64):
    %y = arith.mulf %x, %s : f32
    skew.yield %y : f32
  }
  return %0, %2 : tensor<2xi64>, tensor<8xf32>
}
