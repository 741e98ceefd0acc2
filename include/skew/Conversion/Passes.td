//===- Passes.td - conversions out of the skew dialect ----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_CONVERSION_PASSES_TD
#define SKEW_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertSkewToStableHLO
    : Pass<"convert-skew-to-stablehlo", "::mlir::ModuleOp"> {
  let summary = "sweeps to StableHLO";
  let description = [{
    Every `skew.sweep` becomes elementwise StableHLO ops and `reduce`s, every
    tensor `arith.constant` a `stablehlo.constant`. A value of a sweep's body
    becomes a tensor over just the axes it depends on, and broadcasts stand as
    late as possible. Sums run in the type of the yielded value and are then
    rounded to the output's. Sweeps that occur several times (parameters of one
    shape) and long scalar ones (the key of the random bits) move into private
    functions, so that the text stays small with thousands of parameters; of
    those with the same operands (bias corrections) one is left.

    Ops are written in generic form with the names and attributes of StableHLO.
    No StableHLO dialect is needed: the context must then allow unregistered
    dialects. Where one is loaded, its attributes are made through its parser.

    Assumes that updates are decomposed (`skew-decompose-updates`). Afterwards
    no op of the dialect is left except `skew.group` and `skew.state_layout`,
    which hold no computation (`skew-strip`); anything else is an error that
    names the op, as is a body op without a StableHLO form. Locations are kept.

    Before:

    ```mlir
    %s = skew.sweep domain([8, 4], <row = [0], column = [1]>)
        ins(%g elem : tensor<8x4xbf16>) outs(row sum into -1 : tensor<8xf32>) {
    ^bb0(%x: f32, %index: i64):
      %q = arith.mulf %x, %x : f32
      skew.yield %q : f32
    }
    ```

    After:

    ```mlir
    %0 = "stablehlo.convert"(%g) : (tensor<8x4xbf16>) -> tensor<8x4xf32>
    %1 = "stablehlo.multiply"(%0, %0) : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
    %zero = "stablehlo.constant"() {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
    %s = "stablehlo.reduce"(%1, %zero) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %2 = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%2) : (tensor<f32>) -> ()
    }) {dimensions = array<i64: 1>} : (tensor<8x4xf32>, tensor<f32>) -> tensor<8xf32>
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::func::FuncDialect",
                           "::mlir::math::MathDialect"];
}

#endif // SKEW_CONVERSION_PASSES_TD
