//===- SkewAttributes.cpp - attributes of the skew dialect ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/DialectImplementation.h"
#include "skew/Dialect/Skew/IR/Skew.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::skew;

#include "skew/Dialect/Skew/IR/SkewEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "skew/Dialect/Skew/IR/SkewAttributes.cpp.inc"

void SkewDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "skew/Dialect/Skew/IR/SkewAttributes.cpp.inc"
      >();
}

//===----------------------------------------------------------------------===//
// AxesAttr
//===----------------------------------------------------------------------===//

/// Parses `<batch = [0], row = [1], column = [2]>`; an absent list is empty.
Attribute AxesAttr::parse(AsmParser &parser, Type) {
  SmallVector<int64_t> lists[3];
  bool seen[3] = {false, false, false};
  SMLoc loc = parser.getCurrentLocation();
  auto parseList = [&]() -> ParseResult {
    StringRef key;
    SMLoc keyLoc = parser.getCurrentLocation();
    if (parser.parseKeyword(&key))
      return failure();
    unsigned which = llvm::StringSwitch<unsigned>(key)
                         .Case("batch", 0)
                         .Case("row", 1)
                         .Case("column", 2)
                         .Default(3);
    if (which == 3)
      return parser.emitError(keyLoc, "expected batch, row or column, got ")
             << key;
    if (seen[which])
      return parser.emitError(keyLoc, "duplicate axis class ") << key;
    seen[which] = true;
    return failure(parser.parseEqual() ||
                   parser.parseCommaSeparatedList(
                       AsmParser::Delimiter::Square, [&]() {
                         return parser.parseInteger(
                             lists[which].emplace_back());
                       }));
  };
  if (parser.parseLess())
    return {};
  if (failed(parser.parseOptionalGreater()))
    if (parser.parseCommaSeparatedList(parseList) || parser.parseGreater())
      return {};
  return parser.getChecked<AxesAttr>(loc, parser.getContext(), lists[0],
                                     lists[1], lists[2]);
}

void AxesAttr::print(AsmPrinter &printer) const {
  printer << "<";
  bool first = true;
  auto list = [&](StringRef name, ArrayRef<int64_t> axes) {
    if (axes.empty())
      return;
    printer << (first ? "" : ", ") << name << " = [";
    llvm::interleaveComma(axes, printer);
    printer << "]";
    first = false;
  };
  list("batch", getBatch());
  list("row", getRow());
  list("column", getColumn());
  printer << ">";
}

LogicalResult
AxesAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                 ArrayRef<int64_t> batch, ArrayRef<int64_t> row,
                 ArrayRef<int64_t> column) {
  SmallVector<int64_t> all;
  for (ArrayRef<int64_t> list : {batch, row, column}) {
    if (!llvm::is_sorted(list))
      return emitError() << "axes of one class must ascend";
    all.append(list.begin(), list.end());
  }
  llvm::sort(all);
  for (auto [i, axis] : llvm::enumerate(all))
    if (axis != static_cast<int64_t>(i))
      return emitError() << "batch, row and column must partition the axes 0 "
                            "to "
                         << int64_t(all.size()) - 1;
  return success();
}

SmallVector<int64_t> AxesAttr::axesOf(Projection projection) const {
  SmallVector<int64_t> axes;
  if (projection != Projection::scalar)
    axes.append(getBatch().begin(), getBatch().end());
  if (projection == Projection::elem || projection == Projection::row)
    axes.append(getRow().begin(), getRow().end());
  if (projection == Projection::elem || projection == Projection::col)
    axes.append(getColumn().begin(), getColumn().end());
  llvm::sort(axes);
  return axes;
}

SmallVector<int64_t> AxesAttr::shapeOf(Projection projection,
                                       ArrayRef<int64_t> shape) const {
  SmallVector<int64_t> result;
  for (int64_t axis : axesOf(projection))
    result.push_back(shape[axis]);
  return result;
}

AxesAttr AxesAttr::restrictedTo(Projection projection) const {
  SmallVector<int64_t> lists[3];
  for (auto [i, axis] : llvm::enumerate(axesOf(projection))) {
    unsigned which = llvm::is_contained(getBatch(), axis) ? 0
                     : llvm::is_contained(getRow(), axis) ? 1
                                                          : 2;
    lists[which].push_back(i);
  }
  return get(getContext(), lists[0], lists[1], lists[2]);
}

AxesAttr AxesAttr::getElementwise(MLIRContext *context, unsigned rank) {
  return get(context, {}, {}, llvm::to_vector(llvm::seq<int64_t>(0, rank)));
}

bool AxesAttr::canFactor(ArrayRef<int64_t> shape) const {
  if (getRow().empty() || getColumn().empty())
    return false;
  // In double: sizes may be absurd, and a product of them wraps.
  auto product = [&](ArrayRef<int64_t> axes) {
    double size = 1.0;
    for (int64_t axis : axes)
      size *= ShapedType::isDynamic(shape[axis]) ? 0.0 : double(shape[axis]);
    return size;
  };
  double rows = product(getRow()), columns = product(getColumn());
  return rows * columns > rows + columns;
}

//===----------------------------------------------------------------------===//
// TierAttr
//===----------------------------------------------------------------------===//

LogicalResult
TierAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                 StateStorage m, StateStorage v, Place) {
  if (m == StateStorage::factored)
    return emitError() << "the first moment can be none or a float type, not "
                          "factored";
  if (v == StateStorage::none)
    return emitError() << "the second moment must be kept: a float type or "
                          "factored";
  return success();
}
