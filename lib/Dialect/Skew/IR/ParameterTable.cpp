//===- ParameterTable.cpp - the record of a function's parameters ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Dialect/Skew/IR/ParameterTable.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::skew;

StringRef ParameterEntry::text(StringRef key) const {
  if (auto attr = dictionary.getAs<StringAttr>(key))
    return attr.getValue();
  return "";
}

int64_t ParameterEntry::number(StringRef key) const {
  if (auto attr = dictionary.getAs<IntegerAttr>(key))
    return attr.getInt();
  return -1;
}

std::optional<Role> ParameterEntry::getRole() const {
  if (auto attr = dictionary.getAs<RoleAttr>("role"))
    return attr.getValue();
  return std::nullopt;
}

StringRef ParameterEntry::getTierClass() const {
  StringRef tierClass = text("tier_class");
  return tierClass.empty() ? "backbone" : tierClass;
}

StringRef ParameterEntry::getRoleSource() const {
  StringRef source = text("role_source");
  return source.empty() ? "default" : source;
}

StringRef ParameterEntry::getConfidence() const {
  StringRef confidence = text("confidence");
  return confidence.empty() ? "guess" : confidence;
}

/// Bits of an element whose type is spelt `dtype` (f32, bf16, ui8, ...).
static int64_t bitsOf(StringRef dtype) {
  StringRef digits = dtype.drop_while([](char c) { return !llvm::isDigit(c); })
                         .take_while([](char c) { return llvm::isDigit(c); });
  int64_t bits = 0;
  return digits.getAsInteger(10, bits) ? 0 : bits;
}

SmallVector<OriginalState> ParameterEntry::getStates() const {
  SmallVector<OriginalState> states;
  auto array = dictionary.getAs<ArrayAttr>("states");
  if (!array)
    return states;
  for (Attribute attr : array) {
    // What no pass of ours wrote says nothing.
    auto entry = dyn_cast<DictionaryAttr>(attr);
    if (!entry)
      continue;
    OriginalState state;
    if (auto component = entry.getAs<StringAttr>("component"))
      state.component = component.getValue();
    if (auto argument = entry.getAs<IntegerAttr>("argument"))
      state.argument = argument.getInt();
    if (auto result = entry.getAs<IntegerAttr>("result"))
      state.result = result.getInt();
    if (auto dtype = entry.getAs<StringAttr>("dtype"))
      state.dtype = dtype.getValue();
    if (auto shape = entry.getAs<DenseI64ArrayAttr>("shape"))
      llvm::append_range(state.shape, shape.asArrayRef());
    state.bytes = getNumElements(state.shape) *
                  llvm::divideCeil(bitsOf(state.dtype), 8);
    states.push_back(std::move(state));
  }
  return states;
}

SmallVector<ParameterEntry>
skew::getParameterEntries(FunctionOpInterface function) {
  SmallVector<ParameterEntry> entries;
  if (auto array =
          function->getAttrOfType<ArrayAttr>(SkewDialect::kParametersAttr))
    for (Attribute attr : array)
      if (auto dictionary = dyn_cast<DictionaryAttr>(attr))
        entries.emplace_back(dictionary);
  return entries;
}

AxesAttr skew::getDefaultAxes(MLIRContext *context, unsigned rank) {
  SmallVector<int64_t> batch, row, column;
  for (unsigned axis = 0; axis < rank; ++axis)
    (axis + 1 == rank ? column : axis + 2 == rank ? row : batch)
        .push_back(axis);
  return AxesAttr::get(context, batch, row, column);
}

int64_t skew::getSizeInBytes(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  Type element = tensor.getElementType();
  if (!element.isIntOrFloat())
    return 0;
  return getNumElements(tensor.getShape()) *
         llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

std::string skew::getDtypeName(Type elementType) {
  std::string name;
  llvm::raw_string_ostream(name) << elementType;
  return name;
}
