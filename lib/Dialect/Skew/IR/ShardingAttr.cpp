//===- ShardingAttr.cpp - parts of tensors on a mesh of devices -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/DialectImplementation.h"
#include "skew/Dialect/Skew/IR/Skew.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::skew;

/// Groups of devices are written out, so their number is bounded.
static constexpr int64_t maxDevices = 1 << 20;

/// Parses `<mesh = ["x" = 2, "y" = 4], dims = [["x"], []]>`.
Attribute ShardingAttr::parse(AsmParser &parser, Type) {
  SmallVector<StringAttr> names;
  SmallVector<int64_t> sizes;
  SmallVector<DenseI64ArrayAttr> dims;
  SMLoc loc = parser.getCurrentLocation();
  auto parseMeshAxis = [&]() -> ParseResult {
    std::string name;
    if (parser.parseString(&name) || parser.parseEqual() ||
        parser.parseInteger(sizes.emplace_back()))
      return failure();
    names.push_back(StringAttr::get(parser.getContext(), name));
    return success();
  };
  auto parseDim = [&]() -> ParseResult {
    SmallVector<int64_t> axes;
    if (parser.parseCommaSeparatedList(
            AsmParser::Delimiter::Square, [&]() -> ParseResult {
              std::string name;
              SMLoc nameLoc = parser.getCurrentLocation();
              if (parser.parseString(&name))
                return failure();
              auto *found = llvm::find_if(
                  names, [&](StringAttr axis) { return axis == name; });
              if (found == names.end())
                return parser.emitError(nameLoc, "the mesh has no axis \"")
                       << name << "\"";
              axes.push_back(found - names.begin());
              return success();
            }))
      return failure();
    dims.push_back(DenseI64ArrayAttr::get(parser.getContext(), axes));
    return success();
  };
  if (parser.parseLess() || parser.parseKeyword("mesh") ||
      parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                     parseMeshAxis) ||
      parser.parseComma() || parser.parseKeyword("dims") ||
      parser.parseEqual() ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, parseDim) ||
      parser.parseGreater())
    return {};
  return ShardingAttr::getChecked(
      [&] { return parser.emitError(loc); }, parser.getContext(),
      ArrayRef<StringAttr>(names), ArrayRef<int64_t>(sizes),
      ArrayRef<DenseI64ArrayAttr>(dims));
}

void ShardingAttr::print(AsmPrinter &printer) const {
  auto quoted = [&](int64_t axis) {
    printer << '"';
    llvm::printEscapedString(getAxisNames()[axis], printer.getStream());
    printer << '"';
  };
  printer << "<mesh = [";
  llvm::interleaveComma(llvm::seq<int64_t>(0, getAxisNames().size()), printer,
                        [&](int64_t axis) {
                          quoted(axis);
                          printer << " = " << getAxisSizes()[axis];
                        });
  printer << "], dims = [";
  llvm::interleaveComma(getDims(), printer, [&](DenseI64ArrayAttr dim) {
    printer << "[";
    llvm::interleaveComma(dim.asArrayRef(), printer, quoted);
    printer << "]";
  });
  printer << "]>";
}

LogicalResult
ShardingAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                     ArrayRef<StringAttr> names, ArrayRef<int64_t> sizes,
                     ArrayRef<DenseI64ArrayAttr> dims) {
  if (names.size() != sizes.size())
    return emitError() << "every axis of the mesh needs a name and a size";
  int64_t devices = 1;
  for (auto [i, name, size] : llvm::enumerate(names, sizes)) {
    if (llvm::is_contained(names.take_front(i), name))
      return emitError() << "the mesh has two axes \"" << name.getValue()
                         << "\"";
    if (size < 1)
      return emitError() << "axis \"" << name.getValue()
                         << "\" must have a positive size, got " << size;
    if (size > maxDevices || (devices *= size) > maxDevices)
      return emitError() << "a mesh of more than " << maxDevices
                         << " devices is not supported";
  }
  SmallVector<bool> used(names.size(), false);
  for (DenseI64ArrayAttr dim : dims)
    for (int64_t axis : dim.asArrayRef()) {
      if (axis < 0 || axis >= int64_t(names.size()))
        return emitError() << "the mesh has no axis " << axis;
      if (used[axis])
        return emitError() << "axis \"" << names[axis].getValue()
                           << "\" cuts two dimensions, or one twice";
      used[axis] = true;
    }
  return success();
}

int64_t ShardingAttr::getNumDevices() const {
  int64_t devices = 1;
  for (int64_t size : getAxisSizes())
    devices *= size;
  return devices;
}

SmallVector<int64_t> ShardingAttr::axesOver(ArrayRef<int64_t> dims) const {
  SmallVector<int64_t> axes;
  for (int64_t dim : dims)
    llvm::append_range(axes, getDims()[dim].asArrayRef());
  return axes;
}

int64_t ShardingAttr::getNumParts(int64_t dim) const {
  int64_t parts = 1;
  for (int64_t axis : getDims()[dim].asArrayRef())
    parts *= getAxisSizes()[axis];
  return parts;
}

SmallVector<int64_t>
ShardingAttr::wholeShapeOf(ArrayRef<int64_t> shape) const {
  SmallVector<int64_t> whole;
  for (auto [dim, extent] : llvm::enumerate(shape))
    whole.push_back(extent * getNumParts(dim));
  return whole;
}

ShardingAttr ShardingAttr::restrictedTo(ArrayRef<int64_t> dims) const {
  SmallVector<DenseI64ArrayAttr> kept;
  for (int64_t dim : dims)
    kept.push_back(getDims()[dim]);
  return get(getContext(), getAxisNames(), getAxisSizes(),
             ArrayRef<DenseI64ArrayAttr>(kept));
}

bool ShardingAttr::isReplicated() const {
  return llvm::all_of(llvm::seq<int64_t>(0, getDims().size()),
                      [&](int64_t dim) { return getNumParts(dim) == 1; });
}

int64_t ShardingAttr::getStride(int64_t axis) const {
  int64_t stride = 1;
  for (int64_t size : getAxisSizes().drop_front(axis + 1))
    stride *= size;
  return stride;
}

SmallVector<SmallVector<int64_t>>
ShardingAttr::getGroups(ArrayRef<int64_t> axes) const {
  int64_t devices = getNumDevices();
  SmallVector<SmallVector<int64_t>> groups;
  // The first device of a group has coordinate 0 on every axis of `axes`.
  SmallVector<int64_t> groupOfFirst(devices, -1);
  for (int64_t device = 0; device < devices; ++device) {
    int64_t first = device;
    for (int64_t axis : axes) {
      int64_t stride = getStride(axis);
      first -= device / stride % getAxisSizes()[axis] * stride;
    }
    if (first == device) {
      groupOfFirst[device] = groups.size();
      groups.emplace_back();
    }
    groups[groupOfFirst[first]].push_back(device);
  }
  return groups;
}

LogicalResult
skew::verifySharding(llvm::function_ref<InFlightDiagnostic()> emitError,
                     ShardingAttr shards, ArrayRef<int64_t> shape) {
  if (shards.getDims().size() != shape.size())
    return emitError() << "shards must have one list of axes for each of the "
                       << shape.size() << " dimensions, got "
                       << shards.getDims().size();
  int64_t elements = 1;
  for (auto [dim, extent] : llvm::enumerate(shape))
    if (llvm::MulOverflow(elements, extent, elements) ||
        llvm::MulOverflow(elements, shards.getNumParts(dim), elements))
      return emitError() << "the whole tensor has more elements than an index "
                            "of 64 bits can count";
  return success();
}
