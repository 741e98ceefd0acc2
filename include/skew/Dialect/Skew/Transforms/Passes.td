//===- Passes.td - passes on the skew dialect -------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_DIALECT_SKEW_TRANSFORMS_PASSES_TD
#define SKEW_DIALECT_SKEW_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def DecomposeUpdates : Pass<"skew-decompose-updates"> {
  let summary = "replace update ops by their sweeps";
  let description = [{
    Every op with `UpdateOpInterface` becomes the chain of `skew.sweep` ops (and
    `arith.constant` tensors) that its `decompose` method emits. Afterwards no
    update op is left; locations are those of the updates. The pass never
    refuses: a verified update has a decomposition.

    Before:

    ```mlir
    %p1 = skew.sgd parameter(%p : tensor<8xf32>) gradient(%g : tensor<8xf32>)
        learning_rate(%lr : tensor<f32>) {weight_decay = 0.0}
    ```

    After:

    ```mlir
    %p1 = skew.sweep domain([8], <column = [0]>)
        ins(%g elem : tensor<8xf32>, %p elem : tensor<8xf32>,
            %lr scalar : tensor<f32>)
        outs(elem write into 1 : tensor<8xf32>) {
    ^bb0(%a: f32, %b: f32, %c: f32, %index: i64):
      %s = arith.mulf %c, %a : f32
      %d = arith.subf %b, %s : f32
      skew.yield %d : f32
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::math::MathDialect"];
}

#endif // SKEW_DIALECT_SKEW_TRANSFORMS_PASSES_TD
