//===- SkewEnums.td - enumerations of the skew dialect ----*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Codes are stored in bytecode: append only, never renumber.
//===----------------------------------------------------------------------===//

#ifndef SKEW_DIALECT_SKEW_IR_SKEWENUMS_TD
#define SKEW_DIALECT_SKEW_IR_SKEWENUMS_TD

include "mlir/IR/EnumAttr.td"
include "skew/Dialect/Skew/IR/SkewDialect.td"

class Skew_I32Enum<string name, string summary, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, summary, cases> {
  let genSpecializedAttr = 0;
  let cppNamespace = "::mlir::skew";
}

def Skew_Role : Skew_I32Enum<"Role", "what a parameter does in the model", [
  I32EnumAttrCase<"backbone", 0>, I32EnumAttrCase<"expert", 1>,
  I32EnumAttrCase<"router", 2>, I32EnumAttrCase<"embedding", 3>,
  I32EnumAttrCase<"norm", 4>]>;
def Skew_RoleAttr : EnumAttr<Skew_Dialect, Skew_Role, "role"> {
  let assemblyFormat = "`<` $value `>`";
}

def Skew_StateStorage : Skew_I32Enum<"StateStorage",
    "how one moment is represented in memory", [
  I32EnumAttrCase<"none", 0>, I32EnumAttrCase<"f32", 1>,
  I32EnumAttrCase<"bf16", 2>, I32EnumAttrCase<"f16", 3>,
  I32EnumAttrCase<"f64", 4>, I32EnumAttrCase<"factored", 5>]>;

def Skew_Place : Skew_I32Enum<"Place", "the memory that holds the state", [
  I32EnumAttrCase<"device", 0>, I32EnumAttrCase<"host", 1>]>;

def Skew_Numerics : Skew_I32Enum<"Numerics",
    "form of the SkewAdam denominator", [
  I32EnumAttrCase<"tiered", 0>, I32EnumAttrCase<"published", 1>]>;
def Skew_NumericsAttr : EnumAttr<Skew_Dialect, Skew_Numerics, "numerics"> {
  let assemblyFormat = "`<` $value `>`";
}

def Skew_Rounding : Skew_I32Enum<"Rounding", "rounding of the parameter write", [
  I32EnumAttrCase<"nearest", 0>, I32EnumAttrCase<"stochastic", 1>]>;
def Skew_RoundingAttr : EnumAttr<Skew_Dialect, Skew_Rounding, "rounding"> {
  let assemblyFormat = "`<` $value `>`";
}

def Skew_RmsClip : Skew_I32Enum<"RmsClip",
    "scope of the clip of the update's root mean square at 1", [
  I32EnumAttrCase<"off", 0>, I32EnumAttrCase<"batch", 1>,
  I32EnumAttrCase<"tensor", 2>]>;
def Skew_RmsClipAttr : EnumAttr<Skew_Dialect, Skew_RmsClip, "rms_clip"> {
  let assemblyFormat = "`<` $value `>`";
}

def Skew_Projection : Skew_I32Enum<"Projection",
    "the axes of a sweep's domain that an operand has", [
  I32EnumAttrCase<"elem", 0>, I32EnumAttrCase<"row", 1>,
  I32EnumAttrCase<"col", 2>, I32EnumAttrCase<"batch", 3>,
  I32EnumAttrCase<"scalar", 4>]>;
def Skew_ProjectionAttr : EnumAttr<Skew_Dialect, Skew_Projection, "projection"> {
  let assemblyFormat = "`<` $value `>`";
}
def Skew_ProjectionArrayAttr
    : TypedArrayAttrBase<Skew_ProjectionAttr, "array of projections">;

def Skew_Combiner : Skew_I32Enum<"Combiner",
    "how values that fall on one output element are joined", [
  I32EnumAttrCase<"write", 0>, I32EnumAttrCase<"sum", 1>]>;
def Skew_CombinerAttr : EnumAttr<Skew_Dialect, Skew_Combiner, "combiner"> {
  let assemblyFormat = "`<` $value `>`";
}
def Skew_CombinerArrayAttr
    : TypedArrayAttrBase<Skew_CombinerAttr, "array of combiners">;

#endif // SKEW_DIALECT_SKEW_IR_SKEWENUMS_TD
