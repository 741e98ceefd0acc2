//===- SkewOps.td - groups and the state layout -----------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_DIALECT_SKEW_IR_SKEWOPS_TD
#define SKEW_DIALECT_SKEW_IR_SKEWOPS_TD

include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/SymbolInterfaces.td"
include "skew/Dialect/Skew/IR/SkewAttributes.td"

def Skew_GroupOp : Op<Skew_Dialect, "group",
    [Symbol, HasParent<"::mlir::ModuleOp">]> {
  let summary = "parameters that share a role and a decision";
  let description = [{
    Updates refer to a group by symbol. What placement decided is here and
    nowhere else: `tier`, the split of the axes, the numerics, the rounding of
    the parameter write and its seed, the scope of the RMS clip; `why` is the
    reason. Without `tier` the group's updates stay as they are. Editing these
    attributes overrides the policy: the rewrite reads only this op.

    ```mlir
    skew.group @expert_0 role <expert> tier_class "expert"
        tier <m = none, v = factored> axes <batch = [0], row = [1], column = [2]>
        {rounding = #skew.rounding<stochastic>, why = "policy paper: expert"}
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    Skew_RoleAttr:$role,
    StrAttr:$tier_class,
    OptionalAttr<Skew_TierAttr>:$tier,
    OptionalAttr<Skew_AxesAttr>:$axes,
    DefaultValuedAttr<Skew_NumericsAttr, "Numerics::tiered">:$numerics,
    DefaultValuedAttr<Skew_RoundingAttr, "Rounding::nearest">:$rounding,
    DefaultValuedAttr<I64Attr, "0">:$seed,
    DefaultValuedAttr<Skew_RmsClipAttr, "RmsClip::batch">:$rms_clip,
    OptionalAttr<StrAttr>:$why);
  let assemblyFormat = [{
    $sym_name `role` $role `tier_class` $tier_class (`tier` $tier^)?
    (`axes` $axes^)? attr-dict
  }];
  let hasVerifier = 1;
}

def Skew_StateLayoutOp : Op<Skew_Dialect, "state_layout",
    [HasParent<"::mlir::ModuleOp">,
     DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "where each argument of a rewritten function came from";
  let description = [{
    One `#skew.slot` per argument of `function`, in order, and for each result
    the result of the original function that it is, or stems from. Checked
    against the function's type; written as JSON ("skew-layout/1") for
    checkpoint tools.
  }];
  let arguments = (ins FlatSymbolRefAttr:$function,
    TypedArrayAttrBase<Skew_SlotAttr, "array of slots">:$slots,
    DenseI64ArrayAttr:$old_results);
  let assemblyFormat = "$function $slots `results` $old_results attr-dict";
}

#endif // SKEW_DIALECT_SKEW_IR_SKEWOPS_TD
