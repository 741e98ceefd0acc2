//===- Passes.td - passes on the skew dialect -------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_DIALECT_SKEW_TRANSFORMS_PASSES_TD
#define SKEW_DIALECT_SKEW_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

//===----------------------------------------------------------------------===//
// Place: what state each update gets
//===----------------------------------------------------------------------===//

def PlaceState : Pass<"skew-place-state", "::mlir::ModuleOp"> {
  let summary = "decide where each parameter's optimizer state lives";
  let description = [{
    Reads the functions' `skew.parameters` (raising, roles) and puts every
    update into a `skew.group` that carries the decision; updates refer to it by
    symbol. Nothing else changes.

    `policy=paper` allots the tiers of 2607.19058: backbone momentum and a
    factored second moment, experts a factored one alone, routers an exact one
    alone; moments that are kept stay in the graph's own type, exact second
    moments become f32, and where factors save nothing v is exact. `policy=keep`
    leaves every update as it is. `plan=FILE` reads the decisions from a plan
    instead ("skew-plan/1"): every AdamW parameter must be in it. Updates by
    other rules than AdamW stay as they are.

    Errors: an unknown option value, a plan that does not fit, a total above
    `budget` (with the shortfall). One remark per parameter
    (`skew-place-state`), with its bytes before and after.
  }];
  let options = [
    Option<"policy", "policy", "std::string", "\"\"",
      "paper, keep or auto; empty: auto when a budget is given, else paper">,
    Option<"numerics", "numerics", "std::string", "\"tiered\"",
      "tiered (AdamW's formula) or published (the paper's floors)">,
    Option<"rounding", "rounding", "std::string", "\"auto\"",
      "auto (stochastic for bf16 and f16 parameters), nearest or stochastic">,
    Option<"rmsClip", "rms-clip", "std::string", "\"batch\"",
      "scope of the update's RMS clip: batch, tensor or off">,
    Option<"seed", "seed", "int64_t", "0", "seed of the random bits">,
    Option<"budget", "budget", "std::string", "\"\"",
      "largest total state, a byte size such as 2GiB">,
    Option<"plan", "plan", "std::string", "\"\"", "plan file (JSON)">,
  ];
}

//===----------------------------------------------------------------------===//
// Rewrite: new state in the function's signature
//===----------------------------------------------------------------------===//

def RewriteUpdates : Pass<"skew-rewrite-updates", "::mlir::ModuleOp"> {
  let summary = "replace AdamW by SkewAdam where a group has a tier";
  let description = [{
    For each raised function: every `skew.adamw` whose group has a tier becomes
    a `skew.skewadam`; the arguments and results of its old moments are replaced,
    in place, by the new state. Types, donation (`tf.aliasing_output`), sharding
    (`sdy.sharding`, `mhlo.sharding`), result names (`jax.result_info`) and
    argument locations change together. A `skew.state_layout` op records where
    each argument came from.

    An update is left alone, with a remark, where its old moments have another
    reader (the new state could not serve it), where they are not both argument
    and result of the function, or where the function has callers.
  }];
}

def DetectHazards : Pass<"skew-detect-hazards", "::mlir::ModuleOp"> {
  let summary = "report low-precision and coverage hazards that the graph shows";
  let description = [{
    Writes findings into the function attribute `skew.lint` and emits a remark
    each (category `skew-detect-hazards`); changes nothing else. Thresholds are
    those of docs/numerics: half a bf16 step is 2^-9.

    | kind | when |
    |---|---|
    | `bf16-beta2` | the second moment is stored or averaged in bf16 and 1 - beta2 < 2^-9: it never decays |
    | `bf16-decay-lost` | bf16 parameter, lr * weight_decay < 2^-9: decay rounds away under nearest rounding |
    | `decay-lost` | the same of f16 (2^-12) and fp32 (2^-25) parameters |
    | `beta-rounding` | 16-bit arithmetic rounds a beta so that 1 - beta is off by more than 1 % |
    | `eps-underflow` | epsilon is zero in the type the update computes in |
    | `eps-floor` | numerics=published and 1/sqrt(N) < sqrt(eps): under a global-norm clip of 1 the floor exceeds nearly every v |
    | `gradient-cast` | a wider gradient is rounded to 16 bits before it is squared |
    | `low-precision-square` | the gradient is squared in 16 bits |
    | `step-counter-precision` | steps are counted in a float (up to 2^8 in bf16, 2^11 in f16, 2^24 in f32) or in less than 32 bits, or rounded to 16 bits on the way into the bias correction |
    | `zero-gradient` | the gradient is the constant zero: only decay changes the parameter |
    | `untouched-parameter` | a parameter that no optimizer updates |
    | `two-updates` | one step updates a parameter twice, in sequence or in a sum |
    | `global-norm-blocks-overlap` | the gradient is scaled by a norm over several parameters' gradients: no update can start before the backward pass has ended |

    What the graph did around an update (the types that a gradient went through,
    what a norm is of) is read by `skew-raise`, which records it as `facts` in
    `skew.parameters`.
  }];
}

//===----------------------------------------------------------------------===//
// Decompose: from updates to sweeps
//===----------------------------------------------------------------------===//

def DecomposeUpdates : Pass<"skew-decompose-updates"> {
  let summary = "replace update ops by their sweeps";
  let description = [{
    Every op with `UpdateOpInterface` becomes the chain of `skew.sweep` ops (and
    `arith.constant` tensors) that its `decompose` method emits. Afterwards no
    update op is left; locations are those of the updates. The pass never
    refuses: a verified update has a decomposition.

    With `share`, on a module, sweeps that occur several times become calls of
    private functions while updates are taken apart: thousands of parameters
    have a few shapes.

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
                           "::mlir::func::FuncDialect",
                           "::mlir::math::MathDialect"];
  let options = [Option<"share", "share", "bool", /*default=*/"false",
                        "write what equal parameters have in common once">];
}

def PrintTraffic : Pass<"skew-print-traffic"> {
  let summary = "memory traffic of sweeps as remarks";
  let description = [{
    One analysis remark `Traffic` per chain of sweeps that share tensors (the
    sweeps of one parameter): `elements`, `cold_bytes` and `warm_bytes` in all
    and per element. Cold: every sweep reads its inputs from memory and writes
    its outputs. Warm: tensors stay in cache between the sweeps of a chain, until
    it waits for another chain (a global norm over all gradients is such a
    barrier). Scalars are not counted. Changes nothing; assumes that updates are
    decomposed.
  }];
}

def Strip : Pass<"skew-strip", "::mlir::ModuleOp"> {
  let summary = "remove groups, state layouts and skew attributes";
  let description = [{
    Erases `skew.group` and `skew.state_layout` and removes every discardable
    attribute of the dialect (`skew.*`) from ops, arguments and results, so that
    a tool without the dialect reads the module. Runs last: it assumes that
    updates and sweeps are lowered, and is an error, which names the op, if one
    is left.

    Before:

    ```mlir
    skew.group @expert_0 role expert tier_class "expert"
    func.func @main(%p: tensor<8xf32> {skew.role = "expert"}) attributes {skew.lint = []}
    ```

    After:

    ```mlir
    func.func @main(%p: tensor<8xf32>)
    ```
  }];
}

#endif // SKEW_DIALECT_SKEW_TRANSFORMS_PASSES_TD
