//===- StandIn.cpp - registered stablehlo, chlo, sdy ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/TypeSwitch.h"
#include <variant>

#include "Enums.h.inc"
#include "chloDialect.h.inc"
#include "sdyDialect.h.inc"
#include "stablehloDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "Attributes.h.inc"
#define GET_OP_CLASSES
#include "Ops.h.inc"

#include "Enums.cpp.inc"
#include "chloDialect.cpp.inc"
#include "sdyDialect.cpp.inc"
#include "stablehloDialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "Attributes.cpp.inc"
#define GET_OP_CLASSES
#include "Ops.cpp.inc"

using namespace mlir;

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

namespace {
using Dims = SmallVector<int64_t>;

/// A field of an attribute of dimension numbers: a list, or the number of one
/// dimension. Empty lists and zeros are not printed.
struct Field {
  StringRef name;
  Dims *list = nullptr;
  int64_t *number = nullptr;
};
} // namespace

/// `<name = [0, 1], name = 2>`, in any order.
static LogicalResult parseFields(AsmParser &parser, ArrayRef<Field> fields) {
  auto parseField = [&]() -> ParseResult {
    StringRef name;
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword(&name) || parser.parseEqual())
      return failure();
    for (const Field &field : fields) {
      if (field.name != name)
        continue;
      if (field.number)
        return parser.parseInteger(*field.number);
      return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&] {
        return parser.parseInteger(field.list->emplace_back());
      });
    }
    return parser.emitError(loc, "unknown field ") << name;
  };
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::LessGreater,
                                        parseField);
}

static void printFields(
    AsmPrinter &printer,
    ArrayRef<std::pair<StringRef, std::variant<ArrayRef<int64_t>, int64_t>>>
        fields) {
  StringRef separator = "";
  printer << "<";
  for (auto &[name, value] : fields) {
    if (auto *list = std::get_if<ArrayRef<int64_t>>(&value)) {
      if (list->empty())
        continue;
      printer << separator << name << " = [";
      llvm::interleaveComma(*list, printer);
      printer << "]";
    } else {
      if (std::get<int64_t>(value) == 0)
        continue;
      printer << separator << name << " = " << std::get<int64_t>(value);
    }
    separator = ", ";
  }
  printer << ">";
}

namespace standin::stablehlo {

Attribute DotDimensionsAttr::parse(AsmParser &parser, Type) {
  Dims a, b, c, d;
  if (failed(parseFields(parser, {{"lhs_batching_dimensions", &a},
                                  {"rhs_batching_dimensions", &b},
                                  {"lhs_contracting_dimensions", &c},
                                  {"rhs_contracting_dimensions", &d}})))
    return {};
  return get(parser.getContext(), a, b, c, d);
}

void DotDimensionsAttr::print(AsmPrinter &printer) const {
  printFields(printer, {{"lhs_batching_dimensions", getLhsBatch()},
                        {"rhs_batching_dimensions", getRhsBatch()},
                        {"lhs_contracting_dimensions", getLhsContracting()},
                        {"rhs_contracting_dimensions", getRhsContracting()}});
}

Attribute GatherDimensionsAttr::parse(AsmParser &parser, Type) {
  Dims a, b, c, d, e;
  int64_t last = 0;
  if (failed(parseFields(parser, {{"offset_dims", &a},
                                  {"collapsed_slice_dims", &b},
                                  {"operand_batching_dims", &c},
                                  {"start_indices_batching_dims", &d},
                                  {"start_index_map", &e},
                                  {"index_vector_dim", nullptr, &last}})))
    return {};
  return get(parser.getContext(), a, b, c, d, e, last);
}

void GatherDimensionsAttr::print(AsmPrinter &printer) const {
  printFields(printer, {{"offset_dims", getOffset()},
                        {"collapsed_slice_dims", getCollapsed()},
                        {"operand_batching_dims", getOperandBatching()},
                        {"start_indices_batching_dims", getIndexBatching()},
                        {"start_index_map", getStartIndexMap()},
                        {"index_vector_dim", getIndexVector()}});
}

Attribute ScatterDimensionsAttr::parse(AsmParser &parser, Type) {
  Dims a, b, c, d, e;
  int64_t last = 0;
  if (failed(parseFields(parser, {{"update_window_dims", &a},
                                  {"inserted_window_dims", &b},
                                  {"input_batching_dims", &c},
                                  {"scatter_indices_batching_dims", &d},
                                  {"scatter_dims_to_operand_dims", &e},
                                  {"index_vector_dim", nullptr, &last}})))
    return {};
  return get(parser.getContext(), a, b, c, d, e, last);
}

void ScatterDimensionsAttr::print(AsmPrinter &printer) const {
  printFields(printer, {{"update_window_dims", getUpdateWindow()},
                        {"inserted_window_dims", getInsertedWindow()},
                        {"input_batching_dims", getInputBatching()},
                        {"scatter_indices_batching_dims", getIndexBatching()},
                        {"scatter_dims_to_operand_dims", getOperandDims()},
                        {"index_vector_dim", getIndexVector()}});
}

OpFoldResult Constant::fold(FoldAdaptor) { return getValue(); }

} // namespace standin::stablehlo

/// The text of an attribute that tests only hand through.
static Attribute parseOpaque(DialectAsmParser &parser, StringRef dialect) {
  return OpaqueAttr::get(StringAttr::get(parser.getContext(), dialect),
                         parser.getFullSymbolSpec(),
                         NoneType::get(parser.getContext()));
}

//===----------------------------------------------------------------------===//
// Dialects
//===----------------------------------------------------------------------===//

namespace standin::stablehlo {

void StableHLO::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "Attributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "stablehloOpList.cpp.inc"
      >();
}

Attribute StableHLO::parseAttribute(DialectAsmParser &parser, Type type) const {
  StringRef spec = parser.getFullSymbolSpec();
  StringRef name = spec.take_until([](char c) { return c == ' ' || c == '<'; });
  if (!llvm::StringSwitch<bool>(name)
           .Cases({"comparison_direction", "comparison_type", "precision",
                   "dot", "gather", "scatter"},
                  true)
           .Default(false))
    return parseOpaque(parser, "stablehlo");
  StringRef mnemonic;
  Attribute attr;
  generatedAttributeParser(parser, &mnemonic, type, attr);
  return attr;
}

void StableHLO::printAttribute(Attribute attr,
                               DialectAsmPrinter &printer) const {
  (void)generatedAttributePrinter(attr, printer);
}

} // namespace standin::stablehlo

namespace standin::chlo {

void CHLO::initialize() {
  addOperations<
#define GET_OP_LIST
#include "chloOpList.cpp.inc"
      >();
}

Attribute CHLO::parseAttribute(DialectAsmParser &parser, Type) const {
  return parseOpaque(parser, "chlo");
}

void CHLO::printAttribute(Attribute, DialectAsmPrinter &) const {}

} // namespace standin::chlo

namespace standin::sdy {

void Sdy::initialize() {
  addOperations<
#define GET_OP_LIST
#include "sdyOpList.cpp.inc"
      >();
}

Attribute Sdy::parseAttribute(DialectAsmParser &parser, Type) const {
  return parseOpaque(parser, "sdy");
}

void Sdy::printAttribute(Attribute, DialectAsmPrinter &) const {}

} // namespace standin::sdy

extern "C" LLVM_ATTRIBUTE_WEAK DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "SkewStandIn", "0",
          [](DialectRegistry *registry) {
            registry->insert<standin::stablehlo::StableHLO, standin::chlo::CHLO,
                             standin::sdy::Sdy>();
          }};
}
