//===- StableHLODims.cpp - dimensions of StableHLO operations -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Frontend/StableHLODims.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::skew;

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

static FlowKind kindOfStableHLO(StringRef name) {
  return llvm::StringSwitch<FlowKind>(name)
      .Case("constant", FlowKind::constant)
      .Cases({"iota", "dynamic_iota"}, FlowKind::iota)
      .Cases({"add", "subtract"}, FlowKind::add)
      .Case("multiply", FlowKind::multiply)
      .Case("divide", FlowKind::divide)
      .Case("compare", FlowKind::compare)
      .Case("select", FlowKind::select)
      .Cases({"rsqrt", "sqrt", "power"}, FlowKind::root)
      .Cases({"tanh", "logistic", "exponential"}, FlowKind::squash)
      .Cases({"abs", "and", "atan2", "bitcast_convert", "cbrt", "ceil", "clamp",
              "complex", "convert", "cosine"},
             FlowKind::elementwise)
      .Cases({"exponential_minus_one", "floor", "imag", "is_finite", "log",
              "log_plus_one", "maximum", "minimum", "negate", "not"},
             FlowKind::elementwise)
      .Cases({"or", "real", "reduce_precision", "remainder", "shift_left",
              "shift_right_arithmetic", "shift_right_logical", "sign", "sine"},
             FlowKind::elementwise)
      .Cases({"round_nearest_afz", "round_nearest_even", "tan", "xor",
              "uniform_quantize", "uniform_dequantize", "popcnt",
              "count_leading_zeros"},
             FlowKind::elementwise)
      .Case("slice", FlowKind::slice)
      .Case("dynamic_slice", FlowKind::dynamicSlice)
      .Case("dynamic_update_slice", FlowKind::updateSlice)
      .Cases({"concatenate", "pad", "reverse", "all_reduce", "all_gather",
              "reduce_scatter", "collective_permute", "all_to_all",
              "collective_broadcast", "cross-replica-sum"},
             FlowKind::sameDims)
      .Case("custom_call", FlowKind::customCall)
      .Cases({"reduce_window", "select_and_scatter"}, FlowKind::window)
      .Cases({"broadcast_in_dim", "dynamic_broadcast_in_dim"},
             FlowKind::broadcast)
      .Case("transpose", FlowKind::transpose)
      .Cases({"reshape", "dynamic_reshape"}, FlowKind::reshape)
      .Case("reduce", FlowKind::reduce)
      .Cases({"dot_general", "dot"}, FlowKind::dot)
      .Case("convolution", FlowKind::convolution)
      .Cases({"gather", "dynamic_gather"}, FlowKind::gather)
      .Case("scatter", FlowKind::scatter)
      .Case("sort", FlowKind::sort)
      .Case("composite", FlowKind::call)
      .Case("while", FlowKind::loop)
      .Cases({"case", "if"}, FlowKind::branches)
      .Case("optimization_barrier", FlowKind::barrier)
      .Case("return", FlowKind::terminator)
      .Default(FlowKind::opaque);
}

static FlowKind kindOfChlo(StringRef name) {
  return llvm::StringSwitch<FlowKind>(name)
      .Case("top_k", FlowKind::topK)
      .Case("ragged_dot", FlowKind::raggedDot)
      .Case("constant", FlowKind::constant)
      .Cases({"erf", "erfc", "sinh", "cosh"}, FlowKind::squash)
      .Cases({"square", "erf_inv", "lgamma", "digamma", "tan", "asin", "acos"},
             FlowKind::elementwise)
      .Cases({"atan", "asinh", "acosh", "atanh", "is_inf", "is_neg_inf",
              "is_pos_inf", "bessel_i1e", "conj"},
             FlowKind::elementwise)
      .Cases({"next_after", "polygamma", "zeta"}, FlowKind::elementwise)
      .Default(FlowKind::opaque);
}

static FlowKind kindOfShardy(StringRef name) {
  return llvm::StringSwitch<FlowKind>(name)
      .Cases({"sharding_constraint", "reshard", "propagation_barrier"},
             FlowKind::pass)
      .Cases({"all_gather", "all_slice", "all_to_all", "collective_permute"},
             FlowKind::pass)
      .Case("manual_computation", FlowKind::region)
      .Case("return", FlowKind::terminator)
      .Default(FlowKind::opaque);
}

static FlowKind kindOfName(StringRef fullName) {
  auto [dialect, name] = fullName.split('.');
  if (dialect == "stablehlo")
    return kindOfStableHLO(name);
  if (dialect == "chlo")
    return kindOfChlo(name);
  if (dialect == "sdy")
    return kindOfShardy(name);
  return FlowKind::opaque;
}

static FlowKind kindOfCustomCall(StringRef target) {
  return llvm::StringSwitch<FlowKind>(target)
      .Cases({"Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape",
              "annotate_device_placement", "LayoutConstraint"},
             FlowKind::pass)
      .Cases({"TopK", "mhlo.topk", "chlo.top_k", "ApproxTopK", "PartialReduce",
              "ArgMax", "stablehlo.top_k"},
             FlowKind::topK)
      .Default(FlowKind::customCall);
}

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

static ArrayRef<int64_t> shapeOf(Type type) {
  if (auto ranked = dyn_cast<RankedTensorType>(type))
    return ranked.getShape();
  return {};
}

/// Reads attribute `name`: an array of 64-bit integers, or the dense elements
/// that older producers write.
static bool readInts(Operation *op, StringRef name, OpDims::Dims &out) {
  out.clear();
  Attribute attr = op->getAttr(name);
  if (auto array = dyn_cast_or_null<DenseI64ArrayAttr>(attr)) {
    llvm::append_range(out, array.asArrayRef());
    return true;
  }
  auto elements = dyn_cast_or_null<DenseIntElementsAttr>(attr);
  if (!elements || !elements.getElementType().isInteger(64))
    return false;
  llvm::append_range(out, elements.getValues<int64_t>());
  return true;
}

/// The text of a dialect attribute, for the reader below.
static std::string textOf(Operation *op, StringRef name) {
  std::string text;
  if (Attribute attr = op->getAttr(name)) {
    llvm::raw_string_ostream os(text);
    attr.print(os, /*elideType=*/true);
  }
  return text;
}

/// What follows `key =` in `text`, trimmed on the left; nothing without it.
static std::optional<StringRef> valueOf(StringRef text, StringRef key) {
  for (size_t at = text.find(key); at != StringRef::npos;
       at = text.find(key, at + 1)) {
    // "batching_dims" must not be found inside "operand_batching_dims".
    if (at > 0 && (llvm::isAlnum(text[at - 1]) || text[at - 1] == '_'))
      continue;
    StringRef rest = text.drop_front(at + key.size()).ltrim();
    if (rest.consume_front("="))
      return rest.ltrim();
  }
  return std::nullopt;
}

/// The list `key = [1, 2]`; an absent key is an empty list, as the dialect
/// prints it.
static bool readList(StringRef text, StringRef key, OpDims::Dims &out) {
  out.clear();
  std::optional<StringRef> value = valueOf(text, key);
  if (!value)
    return true;
  if (!value->consume_front("["))
    return false;
  StringRef rest = *value;
  for (;;) {
    rest = rest.ltrim();
    if (rest.consume_front("]"))
      return true;
    int64_t number;
    if (rest.consumeInteger(10, number))
      return false;
    out.push_back(number);
    rest = rest.ltrim();
    rest.consume_front(",");
  }
}

static bool readNumber(StringRef text, StringRef key, int64_t &out) {
  std::optional<StringRef> value = valueOf(text, key);
  out = 0;
  return !value || !value->consumeInteger(10, out);
}

/// True if `dims` are different dimensions of a value of `rank` dimensions.
static bool areDims(ArrayRef<int64_t> dims, size_t rank) {
  uint64_t seen = 0;
  for (int64_t dim : dims) {
    if (dim < 0 || static_cast<size_t>(dim) >= rank || (seen >> dim & 1))
      return false;
    seen |= uint64_t(1) << dim;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Readers, one per family; false: the operation is not what its name says
//===----------------------------------------------------------------------===//

static bool readProduct(Operation *op, OpDims &out) {
  if (op->getNumOperands() < 2 || op->getNumResults() != 1)
    return false;
  size_t lhsRank = shapeOf(op->getOperand(0).getType()).size();
  size_t rhsRank = shapeOf(op->getOperand(1).getType()).size();
  std::string text = textOf(op, out.kind == FlowKind::raggedDot
                                    ? "ragged_dot_dimension_numbers"
                                    : "dot_dimension_numbers");
  if (text.empty() && op->getName().stripDialect() == "dot" && lhsRank >= 1 &&
      rhsRank >= 1) {
    out.lhsContract.push_back(lhsRank - 1);
    out.rhsContract.push_back(0);
    return true;
  }
  if (text.empty() ||
      !readList(text, "lhs_batching_dimensions", out.lhsBatch) ||
      !readList(text, "rhs_batching_dimensions", out.rhsBatch) ||
      !readList(text, "lhs_contracting_dimensions", out.lhsContract) ||
      !readList(text, "rhs_contracting_dimensions", out.rhsContract) ||
      !readList(text, "rhs_group_dimensions", out.rhsGroup))
    return false;
  if (out.kind == FlowKind::dot && out.lhsContract.empty())
    out.kind = FlowKind::outer;
  OpDims::Dims lhs(out.lhsBatch), rhs(out.rhsBatch);
  llvm::append_range(lhs, out.lhsContract);
  llvm::append_range(rhs, out.rhsContract);
  llvm::append_range(rhs, out.rhsGroup);
  return areDims(lhs, lhsRank) && areDims(rhs, rhsRank) &&
         out.lhsBatch.size() == out.rhsBatch.size() &&
         out.lhsContract.size() == out.rhsContract.size();
}

/// The kernel's feature dimensions: `...x[0, 1, i, o]->...` or, in the raw
/// form, `kernel_output_feature_dimension = 3`.
static bool readConvolution(Operation *op, OpDims &out) {
  if (op->getNumOperands() < 2)
    return false;
  std::string text = textOf(op, "dimension_numbers");
  if (valueOf(text, "kernel_output_feature_dimension")) {
    if (!readNumber(text, "kernel_output_feature_dimension",
                    out.kernelOutput) ||
        !readNumber(text, "kernel_input_feature_dimension", out.kernelInput))
      return false;
  } else {
    StringRef kernel(text);
    size_t at = kernel.find("]x[");
    if (at == StringRef::npos)
      return false;
    SmallVector<StringRef> names;
    kernel.drop_front(at + 3).split(']').first.split(names, ',');
    for (StringRef &name : names)
      name = name.trim();
    out.kernelOutput = llvm::find(names, "o") - names.begin();
    out.kernelInput = llvm::find(names, "i") - names.begin();
  }
  return areDims({out.kernelInput, out.kernelOutput},
                 shapeOf(op->getOperand(1).getType()).size());
}

static bool readGather(Operation *op, OpDims &out) {
  if (op->getNumOperands() < 2 || op->getNumResults() != 1)
    return false;
  size_t operandRank = shapeOf(op->getOperand(0).getType()).size();
  size_t indexRank = shapeOf(op->getOperand(1).getType()).size();
  size_t resultRank = shapeOf(op->getResult(0).getType()).size();
  std::string text = textOf(op, "dimension_numbers");
  if (text.empty() || !readList(text, "offset_dims", out.window) ||
      !readList(text, "collapsed_slice_dims", out.collapsed) ||
      !readList(text, "operand_batching_dims", out.operandBatch) ||
      !readList(text, "start_indices_batching_dims", out.indexBatch) ||
      !readNumber(text, "index_vector_dim", out.indexVectorDim))
    return false;
  OpDims::Dims gone(out.collapsed);
  llvm::append_range(gone, out.operandBatch);
  return areDims(gone, operandRank) && areDims(out.window, resultRank) &&
         areDims(out.indexBatch, indexRank) &&
         out.operandBatch.size() == out.indexBatch.size() &&
         out.window.size() + gone.size() == operandRank;
}

static bool readScatter(Operation *op, OpDims &out) {
  if (op->getNumOperands() < 3 || op->getNumOperands() % 2 == 0)
    return false;
  size_t inputs = op->getNumOperands() / 2;
  size_t operandRank = shapeOf(op->getOperand(0).getType()).size();
  size_t indexRank = shapeOf(op->getOperand(inputs).getType()).size();
  size_t updateRank = shapeOf(op->getOperand(inputs + 1).getType()).size();
  std::string text = textOf(op, "scatter_dimension_numbers");
  if (text.empty() || !readList(text, "update_window_dims", out.window) ||
      !readList(text, "inserted_window_dims", out.collapsed) ||
      !readList(text, "input_batching_dims", out.operandBatch) ||
      !readList(text, "scatter_indices_batching_dims", out.indexBatch) ||
      !readNumber(text, "index_vector_dim", out.indexVectorDim))
    return false;
  OpDims::Dims gone(out.collapsed);
  llvm::append_range(gone, out.operandBatch);
  return areDims(gone, operandRank) && areDims(out.window, updateRank) &&
         areDims(out.indexBatch, indexRank) &&
         out.operandBatch.size() == out.indexBatch.size() &&
         out.window.size() + gone.size() == operandRank;
}

static bool readReduce(Operation *op, OpDims &out) {
  if (op->getNumOperands() < 2 || !readInts(op, "dimensions", out.dims) ||
      !areDims(out.dims, shapeOf(op->getOperand(0).getType()).size()))
    return false;
  if (op->getNumResults() > 1)
    out.kind = FlowKind::argReduce;
  if (op->getNumRegions() == 1 && !op->getRegion(0).empty() &&
      !op->getRegion(0).front().empty())
    out.sums = op->getRegion(0).front().front().getName().getStringRef() ==
               "stablehlo.add";
  size_t rank = shapeOf(op->getOperand(0).getType()).size();
  return shapeOf(op->getResult(0).getType()).size() + out.dims.size() == rank;
}

static bool readBroadcast(Operation *op, OpDims &out) {
  return op->getNumOperands() >= 1 &&
         readInts(op, "broadcast_dimensions", out.dims) &&
         out.dims.size() == shapeOf(op->getOperand(0).getType()).size() &&
         areDims(out.dims, shapeOf(op->getResult(0).getType()).size());
}

static bool readTranspose(Operation *op, OpDims &out) {
  if (op->getNumOperands() != 1 || !readInts(op, "permutation", out.dims))
    return false;
  size_t rank = shapeOf(op->getOperand(0).getType()).size();
  return out.dims.size() == rank && areDims(out.dims, rank) &&
         shapeOf(op->getResult(0).getType()).size() == rank;
}

static bool readCompare(Operation *op, OpDims &out) {
  out.equality = StringRef(textOf(op, "comparison_direction")).contains("EQ");
  return op->getNumOperands() == 2;
}

static bool readIota(Operation *op, OpDims &out) {
  auto dim = dyn_cast_or_null<IntegerAttr>(op->getAttr("iota_dimension"));
  if (!dim)
    return false;
  out.dims.push_back(dim.getInt());
  return areDims(out.dims, shapeOf(op->getResult(0).getType()).size());
}

static bool readSort(Operation *op, OpDims &out) {
  // Absent: the last dimension.
  auto dim = dyn_cast_or_null<IntegerAttr>(op->getAttr("dimension"));
  if (op->getNumOperands() < 1)
    return false;
  int64_t rank = shapeOf(op->getOperand(0).getType()).size();
  int64_t number = dim ? dim.getInt() : -1;
  out.dims.push_back(number < 0 ? number + rank : number);
  return areDims(out.dims, rank);
}

static bool readSymbol(Operation *op, StringRef name, OpDims &out) {
  Attribute attr = op->getAttr(name);
  if (auto symbol = dyn_cast_or_null<FlatSymbolRefAttr>(attr))
    out.symbol = symbol.getValue();
  else if (auto string = dyn_cast_or_null<StringAttr>(attr))
    out.symbol = string.getValue();
  return !out.symbol.empty();
}

static bool read(Operation *op, OpDims &out) {
  switch (out.kind) {
  case FlowKind::dot:
  case FlowKind::raggedDot:
    return readProduct(op, out);
  case FlowKind::convolution:
    return readConvolution(op, out);
  case FlowKind::gather:
    return readGather(op, out);
  case FlowKind::scatter:
    return readScatter(op, out);
  case FlowKind::reduce:
    return readReduce(op, out);
  case FlowKind::broadcast:
    return readBroadcast(op, out);
  case FlowKind::transpose:
    return readTranspose(op, out);
  case FlowKind::compare:
    return readCompare(op, out);
  case FlowKind::iota:
    return readIota(op, out);
  case FlowKind::call:
    return readSymbol(op, "decomposition", out);
  case FlowKind::customCall:
    if (readSymbol(op, "call_target_name", out))
      out.kind = kindOfCustomCall(out.symbol);
    return op->getNumOperands() >= 1;
  case FlowKind::sort:
    return readSort(op, out);
  case FlowKind::topK:
  case FlowKind::reshape:
  case FlowKind::pass:
  case FlowKind::slice:
  case FlowKind::dynamicSlice:
  case FlowKind::updateSlice:
  case FlowKind::sameDims:
  case FlowKind::window:
    return op->getNumOperands() >= 1;
  case FlowKind::select:
    return op->getNumOperands() == 3;
  case FlowKind::add:
  case FlowKind::multiply:
  case FlowKind::divide:
    return op->getNumOperands() == 2;
  default:
    return true;
  }
}

OpDims mlir::skew::readOpDims(Operation *op) {
  OpDims out;
  out.kind = kindOfName(op->getName().getStringRef());
  bool isControl =
      out.kind >= FlowKind::call && out.kind <= FlowKind::terminator;
  if (out.kind == FlowKind::opaque || (!isControl && op->getNumResults() == 0))
    return OpDims();
  if (!read(op, out))
    return OpDims();
  return out;
}
