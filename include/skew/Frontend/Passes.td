//===- Passes.td - passes that read graphs ----------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_FRONTEND_PASSES_TD
#define SKEW_FRONTEND_PASSES_TD

include "mlir/Pass/PassBase.td"

def Raise : Pass<"skew-raise", "::mlir::ModuleOp"> {
  let summary = "find optimizer updates and turn them into update ops";
  let description = [{
    In every public function with a body: pairs arguments with results by data
    flow, cuts out the scalar meaning of each update, probes it in double
    precision and solves for a rule's constants; structural checks, a second set
    of points and the rule's own decomposition must agree. Each match becomes
    one update op (`skew.adamw`, `skew.lion`, `skew.sgd`) before its first use;
    the elementwise ops that it replaces are erased, everything else stays as it
    was. Calls are inlined only where an operand of an update lives in the
    callee.

    Input: generic or registered `stablehlo`, `chlo`, `sdy`, `func`. Names are
    never read for a decision, nor is `tf.aliasing_output`, which pairs buffers
    by type.

    The function gets two attributes. `skew.parameters` has one dictionary per
    trainable parameter: `name`, `argument`, `result`, `status` (`raised`,
    `declined`, `frozen`), `reason` (declined), and if raised `rule`,
    `hyperparameters` (f64, or the string "operand"), `applied` (constants that
    the graph's own arithmetic uses instead), `gradient` (`plain`,
    `scaled_by_reduction`, `zero`), `states` (`component`, `argument`, `result`,
    `dtype`, `shape`). `skew.other_state` lists what else is carried from
    argument to result: `name`, `kind`, `argument`, `result`, `bytes`.

    Names are the argument's location name as written, else `params` and the
    path in the result's `jax.result_info` (without `result` and its place in
    the tuple), else `argN`.

    Remarks (`skew-raise`): one passed per raised, one missed with the reason per
    declined parameter, an analysis remark where argument and result names
    disagree. With `strict` a declined parameter is an error.
  }];
  let options = [
    Option<"strict", "strict", "bool", "false",
           "a parameter whose update is not raised is an error">
  ];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
    "::mlir::math::MathDialect", "::mlir::skew::SkewDialect"
  ];
}

#endif // SKEW_FRONTEND_PASSES_TD
