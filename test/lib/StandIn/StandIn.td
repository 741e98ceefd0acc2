//===- StandIn.td - registered stablehlo, chlo, sdy -------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dialects with the names, the attribute names and the attribute syntax of
// StableHLO, CHLO and Shardy, for tests of a tool that has the real ones: ops
// are registered, and what they say is in their properties. Types are not
// checked. An op that is not listed is an error, as it is in the real ones.
//
//===----------------------------------------------------------------------===//

include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/BuiltinAttributes.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class StandInDialect<string dialect> : Dialect {
  let name = dialect;
  let cppNamespace = "::standin::" # dialect;
  let extraClassDeclaration = [{
    ::mlir::Attribute parseAttribute(::mlir::DialectAsmParser &parser,
                                     ::mlir::Type type) const override;
    void printAttribute(::mlir::Attribute attr,
                        ::mlir::DialectAsmPrinter &printer) const override;
  }];
}
def StableHLO : StandInDialect<"stablehlo">;
def CHLO : StandInDialect<"chlo">;
def Sdy : StandInDialect<"sdy">;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

class StandInEnum<string name, list<I32EnumAttrCase> cases>
    : I32EnumAttr<name, "", cases> {
  let cppNamespace = "::standin::stablehlo";
  let genSpecializedAttr = 0;
}
def Direction : StandInEnum<"Direction", [
  I32EnumAttrCase<"EQ", 0>,
  I32EnumAttrCase<"NE", 1>,
  I32EnumAttrCase<"GE", 2>,
  I32EnumAttrCase<"GT", 3>,
  I32EnumAttrCase<"LE", 4>,
  I32EnumAttrCase<"LT", 5>]>;
def Comparison : StandInEnum<"Comparison", [
  I32EnumAttrCase<"NOTYPE", 0>,
  I32EnumAttrCase<"FLOAT", 1>,
  I32EnumAttrCase<"TOTALORDER", 2>,
  I32EnumAttrCase<"SIGNED", 3>,
  I32EnumAttrCase<"UNSIGNED", 4>]>;
def Precision : StandInEnum<"Precision", [
  I32EnumAttrCase<"DEFAULT", 0>,
  I32EnumAttrCase<"HIGH", 1>,
  I32EnumAttrCase<"HIGHEST", 2>]>;
def DirectionAttr : EnumAttr<StableHLO, Direction, "comparison_direction">;
def ComparisonAttr : EnumAttr<StableHLO, Comparison, "comparison_type">;
def PrecisionAttr : EnumAttr<StableHLO, Precision, "precision">;

class DimensionsAttr<string name, string attrMnemonic, dag fields>
    : AttrDef<StableHLO, name> {
  let mnemonic = attrMnemonic;
  let parameters = fields;
  let hasCustomAssemblyFormat = 1;
}
def Dims : ArrayRefParameter<"int64_t">;
def DotDimensionsAttr : DimensionsAttr<"DotDimensions", "dot", (ins
  Dims:$lhsBatch, Dims:$rhsBatch, Dims:$lhsContracting, Dims:$rhsContracting)>;
def GatherDimensionsAttr : DimensionsAttr<"GatherDimensions", "gather", (ins
  Dims:$offset, Dims:$collapsed, Dims:$operandBatching, Dims:$indexBatching,
  Dims:$startIndexMap, "int64_t":$indexVector)>;
def ScatterDimensionsAttr : DimensionsAttr<"ScatterDimensions", "scatter", (ins
  Dims:$updateWindow, Dims:$insertedWindow, Dims:$inputBatching,
  Dims:$indexBatching, Dims:$operandDims, "int64_t":$indexVector)>;

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

class StandInOp<Dialect dialect, string mnemonic, dag attributes = (ins),
                list<Trait> traits = []>
    : Op<dialect, mnemonic, traits> {
  let arguments = !con((ins Variadic<AnyType>:$inputs), attributes);
  let results = (outs Variadic<AnyType>:$outputs);
  let regions = (region VariadicRegion<AnyRegion>:$bodies);
}

defvar ints = DenseI64ArrayAttr;
class Opt<Attr attr> : OptionalAttr<attr>;
defvar accuracy = (ins Opt<AnyAttr>:$result_accuracy);
defvar window = (ins Opt<ints>:$window_dimensions, Opt<ints>:$window_strides,
  Opt<ints>:$base_dilations, Opt<ints>:$window_dilations, Opt<AnyAttr>:$padding);
defvar groups = (ins AnyAttr:$replica_groups, Opt<AnyAttr>:$channel_handle,
  UnitAttr:$use_global_device_ids);

foreach n = ["abs", "add", "and", "atan2", "bitcast_convert", "ceil", "clamp",
             "complex", "convert", "count_leading_zeros", "divide",
             "dynamic_reshape", "dynamic_update_slice", "floor", "imag",
             "is_finite", "maximum", "minimum", "multiply", "negate", "not",
             "or", "popcnt", "power", "real", "remainder", "reshape",
             "round_nearest_afz", "round_nearest_even", "select", "shift_left",
             "shift_right_arithmetic", "shift_right_logical", "sign",
             "subtract", "xor", "optimization_barrier", "partition_id",
             "replica_id"] in
  def StableHLO_#n#_like : StandInOp<StableHLO, n, (ins), [Pure]>;
foreach n = ["cbrt", "cosine", "exponential", "exponential_minus_one", "log",
             "log_plus_one", "logistic", "rsqrt", "sine", "sqrt", "tan",
             "tanh"] in
  def StableHLO_#n#_like : StandInOp<StableHLO, n, accuracy, [Pure]>;
foreach n = ["case", "if", "while"] in
  def StableHLO_#n#_like : StandInOp<StableHLO, n>;
foreach n = ["return"] in
  def StableHLO_#n#_like : StandInOp<StableHLO, n, (ins), [Pure, Terminator]>;

def StableHLO_Constant : Op<StableHLO, "constant", [Pure, ConstantLike]> {
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyType:$output);
  let hasFolder = 1;
}
def StableHLO_Broadcast : StandInOp<StableHLO, "broadcast_in_dim",
  (ins ints:$broadcast_dimensions), [Pure]>;
def StableHLO_Transpose : StandInOp<StableHLO, "transpose",
  (ins ints:$permutation), [Pure]>;
def StableHLO_Dot : StandInOp<StableHLO, "dot_general",
  (ins DotDimensionsAttr:$dot_dimension_numbers, Opt<ArrayAttr>:$precision_config,
       Opt<AnyAttr>:$algorithm), [Pure]>;
def StableHLO_RaggedDot : StandInOp<StableHLO, "ragged_dot",
  (ins AnyAttr:$ragged_dot_dimension_numbers, Opt<ArrayAttr>:$precision_config),
  [Pure]>;
def StableHLO_Convolution : StandInOp<StableHLO, "convolution",
  (ins Opt<ints>:$window_strides, Opt<AnyAttr>:$padding, Opt<ints>:$lhs_dilation,
       Opt<ints>:$rhs_dilation, Opt<AnyAttr>:$window_reversal,
       AnyAttr:$dimension_numbers, I64Attr:$feature_group_count,
       I64Attr:$batch_group_count, Opt<ArrayAttr>:$precision_config), [Pure]>;
def StableHLO_Gather : StandInOp<StableHLO, "gather",
  (ins GatherDimensionsAttr:$dimension_numbers, ints:$slice_sizes,
       Opt<BoolAttr>:$indices_are_sorted), [Pure]>;
def StableHLO_Scatter : StandInOp<StableHLO, "scatter",
  (ins ScatterDimensionsAttr:$scatter_dimension_numbers,
       Opt<BoolAttr>:$indices_are_sorted, Opt<BoolAttr>:$unique_indices)>;
def StableHLO_Reduce : StandInOp<StableHLO, "reduce", (ins ints:$dimensions)>;
def StableHLO_Reverse : StandInOp<StableHLO, "reverse", (ins ints:$dimensions)>;
def StableHLO_ReduceWindow : StandInOp<StableHLO, "reduce_window", window>;
def StableHLO_SelectScatter : StandInOp<StableHLO, "select_and_scatter", window>;
def StableHLO_Compare : StandInOp<StableHLO, "compare",
  (ins DirectionAttr:$comparison_direction, Opt<ComparisonAttr>:$compare_type),
  [Pure]>;
def StableHLO_Iota : StandInOp<StableHLO, "iota", (ins I64Attr:$iota_dimension),
  [Pure]>;
def StableHLO_Concatenate : StandInOp<StableHLO, "concatenate",
  (ins I64Attr:$dimension), [Pure]>;
def StableHLO_Slice : StandInOp<StableHLO, "slice",
  (ins ints:$start_indices, ints:$limit_indices, ints:$strides), [Pure]>;
def StableHLO_DynamicSlice : StandInOp<StableHLO, "dynamic_slice",
  (ins ints:$slice_sizes), [Pure]>;
def StableHLO_Pad : StandInOp<StableHLO, "pad",
  (ins ints:$edge_padding_low, ints:$edge_padding_high, ints:$interior_padding),
  [Pure]>;
def StableHLO_Sort : StandInOp<StableHLO, "sort",
  (ins Opt<I64Attr>:$dimension, Opt<BoolAttr>:$is_stable)>;
def StableHLO_ReducePrecision : StandInOp<StableHLO, "reduce_precision",
  (ins I32Attr:$exponent_bits, I32Attr:$mantissa_bits), [Pure]>;
def StableHLO_CustomCall : StandInOp<StableHLO, "custom_call",
  (ins StrAttr:$call_target_name, Opt<BoolAttr>:$has_side_effect,
       Opt<AnyAttr>:$backend_config, Opt<I32Attr>:$api_version,
       Opt<ArrayAttr>:$called_computations, Opt<ArrayAttr>:$operand_layouts,
       Opt<ArrayAttr>:$result_layouts, Opt<ArrayAttr>:$output_operand_aliases)>;
def StableHLO_Composite : StandInOp<StableHLO, "composite",
  (ins StrAttr:$name, Opt<DictionaryAttr>:$composite_attributes,
       FlatSymbolRefAttr:$decomposition, Opt<I32Attr>:$version)>;
def StableHLO_RngBits : StandInOp<StableHLO, "rng_bit_generator",
  (ins AnyAttr:$rng_algorithm), [Pure]>;
def StableHLO_AllReduce : StandInOp<StableHLO, "all_reduce", groups>;
def StableHLO_AllGather : StandInOp<StableHLO, "all_gather",
  !con(groups, (ins I64Attr:$all_gather_dim))>;
def StableHLO_ReduceScatter : StandInOp<StableHLO, "reduce_scatter",
  !con(groups, (ins I64Attr:$scatter_dimension))>;

foreach n = ["acos", "acosh", "asin", "asinh", "atan", "atanh", "conj", "cosh",
             "digamma", "erf", "erf_inv", "erfc", "is_inf", "is_neg_inf",
             "is_pos_inf", "lgamma", "next_after", "sinh", "square", "tan"] in
  def CHLO_#n#_like : StandInOp<CHLO, n, (ins), [Pure]>;
def CHLO_TopK : StandInOp<CHLO, "top_k", (ins I64Attr:$k), [Pure]>;

def Sdy_Mesh : StandInOp<Sdy, "mesh",
  (ins SymbolNameAttr:$sym_name, AnyAttr:$mesh), [Symbol]>;
def Sdy_Constraint : StandInOp<Sdy, "sharding_constraint",
  (ins AnyAttr:$sharding), [Pure]>;
def Sdy_Reshard : StandInOp<Sdy, "reshard", (ins AnyAttr:$sharding), [Pure]>;
def Sdy_Manual : StandInOp<Sdy, "manual_computation",
  (ins AnyAttr:$in_shardings, AnyAttr:$out_shardings, AnyAttr:$manual_axes),
  [IsolatedFromAbove]>;
def Sdy_Return : StandInOp<Sdy, "return", (ins), [Pure, Terminator]>;
