//===- SkewTransformOps.td - the stages as transforms -----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_PIPELINES_TRANSFORMOPS_SKEWTRANSFORMOPS_TD
#define SKEW_PIPELINES_TRANSFORMOPS_SKEWTRANSFORMOPS_TD

include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

/// One stage of the pipeline, on each module that the handle points to.
class Skew_StageTransformOp<string mnemonic, dag options = (ins)>
    : Op<Transform_Dialect, "skew." # mnemonic,
        [FunctionalStyleTransformOpTrait, MemoryEffectsOpInterface,
         TransformOpInterface, TransformEachOpTrait]> {
  let arguments = !con((ins TransformHandleTypeInterface:$target), options);
  let results = (outs TransformHandleTypeInterface:$transformed);
  let assemblyFormat = [{
    $target attr-dict `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(
        ::mlir::transform::TransformRewriter &rewriter,
        ::mlir::Operation *target,
        ::mlir::transform::ApplyToEachResultList &results,
        ::mlir::transform::TransformState &state);
  }];
}

defvar stageDoc = [{

    #### Return modes

    Consumes the handle and returns one to the same modules. A stage that fails
    leaves its module as it was; that, and a target that is no module, are
    silenceable failures with the stage's own errors. A target that contains
    this transform is a definite one.
}];

def SkewRaiseOp : Skew_StageTransformOp<"raise", (ins
    DefaultValuedAttr<BoolAttr, "false">:$strict,
    DefaultValuedAttr<StrAttr, "\"\"">:$roles)> {
  let summary = "find optimizer updates and the roles of parameters";
  let description = !strconcat([{
    `skew-raise` and `skew-annotate-roles`. With `strict` a parameter whose
    update is not raised is a failure. `roles` is the path of a file of rules.

    ```mlir
    %raised = transform.skew.raise %module {strict = true}
        : (!transform.any_op) -> !transform.any_op
    ```
  }], stageDoc);
}

def SkewPlaceOp : Skew_StageTransformOp<"place", (ins
    DefaultValuedAttr<StrAttr, "\"\"">:$policy,
    DefaultValuedAttr<StrAttr, "\"tiered\"">:$numerics,
    DefaultValuedAttr<StrAttr, "\"auto\"">:$rounding,
    DefaultValuedAttr<StrAttr, "\"batch\"">:$rms_clip,
    DefaultValuedAttr<I64Attr, "0">:$seed,
    DefaultValuedAttr<StrAttr, "\"\"">:$budget,
    DefaultValuedAttr<StrAttr, "\"\"">:$plan)> {
  let summary = "decide where each parameter's optimizer state lives";
  let description = !strconcat([{
    `skew-place-state`, with its options. Expects a raised module; a budget that
    does not suffice is a failure, so that a script can try another policy.

    ```mlir
    %placed = transform.skew.place %raised {policy = "paper", budget = "2GiB"}
        : (!transform.any_op) -> !transform.any_op
    ```
  }], stageDoc);
  let hasVerifier = 1;
}

def SkewRewriteOp : Skew_StageTransformOp<"rewrite"> {
  let summary = "give functions the state that was decided";
  let description = !strconcat([{
    `skew-rewrite-updates` and `skew-detect-hazards`.

    ```mlir
    %rewritten = transform.skew.rewrite %placed
        : (!transform.any_op) -> !transform.any_op
    ```
  }], stageDoc);
}

def SkewLowerOp : Skew_StageTransformOp<"lower"> {
  let summary = "lower update ops and sweeps to StableHLO";
  let description = !strconcat([{
    `skew-decompose-updates`, `convert-skew-to-stablehlo` and `skew-strip`:
    nothing of the dialect is left.

    ```mlir
    %lowered = transform.skew.lower %rewritten
        : (!transform.any_op) -> !transform.any_op
    ```
  }], stageDoc);
}

#endif // SKEW_PIPELINES_TRANSFORMOPS_SKEWTRANSFORMOPS_TD
