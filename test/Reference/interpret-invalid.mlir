// RUN: not skew-interpret %s --function=missing 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not skew-interpret %s --function=call 2>&1 | FileCheck %s --check-prefix=CALL
// RUN: not skew-interpret %s --function=erf 2>&1 | FileCheck %s --check-prefix=ERF
// RUN: not skew-interpret %s --function=type 2>&1 | FileCheck %s --check-prefix=TYPE
// RUN: not skew-interpret %s --function=shards 2>&1 | FileCheck %s --check-prefix=SHARDS
// RUN: not skew-interpret %s --function=argument --inputs=%t.none 2>&1 | FileCheck %s --check-prefix=FILE

// MISSING: error: there is no function 'missing'

// CALL: error: the reference interpreter does not know op 'func.call'
func.func @call() {
  call @call() : () -> ()
  return
}

// ERF: error: the reference interpreter does not know op 'math.erf' in a sweep
func.func @erf() -> tensor<f32> {
  %a = arith.constant dense<1.0> : tensor<f32>
  %b = skew.sweep domain([], <>) ins(%a elem : tensor<f32>)
      outs(elem write into -1 : tensor<f32>) {
  ^bb0(%x: f32, %index: i64):
    %y = math.erf %x : f32
    skew.yield %y : f32
  }
  return %b : tensor<f32>
}

// TYPE: error: the reference interpreter does not compute in 'f8E4M3FN'
func.func @type() -> tensor<f8E4M3FN> {
  %a = arith.constant dense<1.0> : tensor<f32>
  %b = skew.sweep domain([], <>) ins(%a elem : tensor<f32>)
      outs(elem write into -1 : tensor<f8E4M3FN>) {
  ^bb0(%x: f32, %index: i64):
    skew.yield %x : f32
  }
  return %b : tensor<f8E4M3FN>
}

// FILE: error: cannot read {{.*}}arg0.bin
func.func @argument(%a: tensor<f32>) -> tensor<f32> {
  return %a : tensor<f32>
}

// SHARDS: error: the reference interpreter runs one device: a sweep over a part of a tensor needs all parts
func.func @shards() -> tensor<f32> {
  %a = arith.constant dense<1.0> : tensor<4xf32>
  %b = skew.sweep domain([4], <column = [0]>) ins(%a elem : tensor<4xf32>)
      outs(scalar sum into -1 : tensor<f32>)
      shards <mesh = ["x" = 2], dims = [["x"]]> {
  ^bb0(%x: f32, %index: i64):
    skew.yield %x : f32
  }
  return %b : tensor<f32>
}
