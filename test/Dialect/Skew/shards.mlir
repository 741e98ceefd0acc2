// Updates and sweeps of parts: syntax, decomposition and what canonicalisation
// leaves of them.
// RUN: skew-opt %s | skew-opt | FileCheck %s
// RUN: skew-opt %s --mlir-print-op-generic | skew-opt | FileCheck %s
// RUN: skew-opt %s --emit-bytecode | skew-opt | FileCheck %s
// RUN: skew-opt %s --emit-bytecode --emit-bytecode-version=5 | skew-opt | FileCheck %s
// RUN: skew-opt %s --skew-decompose-updates --canonicalize | FileCheck %s --check-prefix=SWEEPS
// Written by version 2 of the dialect: make a new file for a new version, and
// never change this one.
// RUN: skew-opt %S/Inputs/shards-version-2.mlirbc | FileCheck %s

// CHECK-LABEL: func.func @both_axes(
// CHECK: shards = #skew.sharding<mesh = ["x" = 2, "y" = 4], dims = {{\[\[}}"x"], ["y"]]>

// Counts are those of the whole 8x24 tensor, sums of rows carry the axes that
// cut columns, and scalars none.
// SWEEPS-LABEL: func.func @both_axes(
// SWEEPS-DAG: %[[ROWS:.*]] = arith.constant dense<8.000000e+00> : tensor<f64>
// SWEEPS-DAG: %[[COLUMNS:.*]] = arith.constant dense<2.400000e+01> : tensor<f64>
// SWEEPS: skew.sweep domain([], <>) {{.*}} outs(elem write into -1 : tensor<f32>) {
// SWEEPS: %[[SUMS:.*]]:2 = skew.sweep domain([4, 6], <row = [0], column = [1]>) ins(%{{.*}} elem : tensor<4x6xbf16>) outs(row sum into -1 : tensor<4xf32>, col sum into -1 : tensor<6xf32>) shards <mesh = ["x" = 2, "y" = 4], dims = {{\[\[}}"x"], ["y"]]> {
// SWEEPS: skew.sweep domain([4], <row = [0]>) ins(%{{.*}} elem : tensor<4xf32>, %[[SUMS]]#0 elem : tensor<4xf32>, %[[COLUMNS]] scalar : tensor<f64>, %[[ROWS]] scalar : tensor<f64>) outs(elem write into 0 : tensor<4xf32>, batch sum into -1 : tensor<f32>) shards <mesh = ["x" = 2, "y" = 4], dims = {{\[\[}}"x"]]> {
// SWEEPS: skew.sweep domain([6], <column = [0]>) {{.*}} shards <mesh = ["x" = 2, "y" = 4], dims = {{\[\[}}"y"]]> {
// SWEEPS: skew.sweep domain([4, 6], {{.*}} outs(batch sum into -1 : tensor<f32>) shards
// SWEEPS: skew.sweep domain([4, 6], {{.*}} outs(elem write into {{[0-9]+}} : tensor<4x6xbf16>) shards
func.func @both_axes(%p: tensor<4x6xbf16>, %g: tensor<4x6xbf16>,
                     %r: tensor<4xf32>, %c: tensor<6xf32>, %t: tensor<i32>,
                     %lr: tensor<f32>)
    -> (tensor<4x6xbf16>, tensor<4xf32>, tensor<6xf32>) {
  %p1, %r1, %c1 = skew.skewadam parameter(%p : tensor<4x6xbf16>)
      gradient(%g : tensor<4x6xbf16>) state(%r, %c : tensor<4xf32>, tensor<6xf32>)
      step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.05}
      {axes = #skew.axes<row = [0], column = [1]>,
       tier = #skew.tier<m = none, v = factored>,
       rounding = #skew.rounding<stochastic>,
       shards = #skew.sharding<mesh = ["x" = 2, "y" = 4], dims = [["x"], ["y"]]>}
  return %p1, %r1, %c1 : tensor<4x6xbf16>, tensor<4xf32>, tensor<6xf32>
}

// A part of one row is no matrix; the whole is, and that is what counts.
// CHECK-LABEL: func.func @one_row(
// CHECK: shards = #skew.sharding<mesh = ["x" = 8], dims = {{\[\[}}"x"], []]>
func.func @one_row(%p: tensor<1x6xf32>, %r: tensor<1xf32>, %c: tensor<6xf32>,
                   %t: tensor<i32>, %lr: tensor<f32>) -> tensor<1x6xf32> {
  %p1, %r1, %c1 = skew.skewadam parameter(%p : tensor<1x6xf32>)
      gradient(%p : tensor<1x6xf32>) state(%r, %c : tensor<1xf32>, tensor<6xf32>)
      step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.05}
      {axes = #skew.axes<row = [0], column = [1]>,
       tier = #skew.tier<m = none, v = factored>,
       shards = #skew.sharding<mesh = ["x" = 8], dims = [["x"], []]>}
  return %p1 : tensor<1x6xf32>
}

// CHECK-LABEL: func.func @other_rules(
// CHECK: skew.adamw {{.*}} {shards = #skew.sharding<mesh = ["x" = 8], dims = {{\[\[}}"x"], []]>}
// CHECK: skew.lion {{.*}} {shards = #skew.sharding<mesh = ["x" = 8], dims = {{\[\[}}"x"], []]>}
// CHECK: skew.sgd {{.*}} {shards = #skew.sharding<mesh = ["x" = 8], dims = {{\[\[}}"x"], []]>}

// An elementwise update of parts needs to say so only for its element index;
// one of copies is like any other.
// SWEEPS-LABEL: func.func @other_rules(
// SWEEPS-COUNT-3: shards <mesh = ["x" = 8], dims = {{\[\[}}"x"], []]>
// SWEEPS-NOT: shards
func.func @other_rules(%p: tensor<2x4xf32>, %t: tensor<i32>, %lr: tensor<f32>)
    -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) {
  %p1, %m1, %v1 = skew.adamw parameter(%p : tensor<2x4xf32>)
      gradient(%p : tensor<2x4xf32>) state(%p, %p : tensor<2x4xf32>, tensor<2x4xf32>)
      step(%t : tensor<i32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.999, eps = 1.0e-8, eps_root = 0.0, weight_decay = 0.01}
      {shards = #skew.sharding<mesh = ["x" = 8], dims = [["x"], []]>}
  %p2, %m2 = skew.lion parameter(%p : tensor<2x4xf32>) gradient(%p : tensor<2x4xf32>)
      state(%p : tensor<2x4xf32>) learning_rate(%lr : tensor<f32>)
      {beta1 = 0.9, beta2 = 0.99, weight_decay = 0.1}
      {shards = #skew.sharding<mesh = ["x" = 8], dims = [["x"], []]>}
  %p3 = skew.sgd parameter(%p : tensor<2x4xf32>) gradient(%p : tensor<2x4xf32>)
      learning_rate(%lr : tensor<f32>) {weight_decay = 0.0}
      {shards = #skew.sharding<mesh = ["x" = 8], dims = [["x"], []]>}
  %p4 = skew.sgd parameter(%p : tensor<2x4xf32>) gradient(%p : tensor<2x4xf32>)
      learning_rate(%lr : tensor<f32>) {weight_decay = 0.5}
      {shards = #skew.sharding<mesh = ["x" = 8], dims = [[], []]>}
  return %p1, %p2, %p3, %p4
      : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
}

// CHECK-LABEL: func.func @sweep(
// CHECK: outs(scalar sum into -1 : tensor<f32>) shards <mesh = ["a\22b" = 3, "y" = 1], dims = {{\[\[}}"a\22b", "y"]]> attributes {note = "kept"} {

// An input that is not read goes, the rest stays.
// SWEEPS-LABEL: func.func @sweep(
// SWEEPS: ins(%arg0 elem : tensor<4xf32>) outs(scalar sum into -1 : tensor<f32>) shards <mesh = ["a\22b" = 3, "y" = 1], dims = {{\[\[}}"a\22b", "y"]]> attributes {note = "kept"} {
func.func @sweep(%g: tensor<4xf32>, %s: tensor<f32>) -> tensor<f32> {
  %r = skew.sweep domain([4], <column = [0]>)
      ins(%g elem : tensor<4xf32>, %s scalar : tensor<f32>)
      outs(scalar sum into -1 : tensor<f32>)
      shards <mesh = ["a\22b" = 3, "y" = 1], dims = [["a\22b", "y"]]>
      attributes {note = "kept"} {
  ^bb0(%x: f32, %y: f32, %index: i64):
    skew.yield %x : f32
  }
  return %r : tensor<f32>
}
