//===- Sharding.cpp - sharding of state that lost dimensions --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shardings are read as text: their dialects need not be registered.
//
//===----------------------------------------------------------------------===//

#include "skew/Dialect/Skew/Transforms/Sharding.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

/// Position of the bracket that closes the one at `open`; npos if none does.
static size_t findClosing(StringRef text, size_t open) {
  unsigned depth = 0;
  bool quoted = false;
  for (size_t i = open; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"')
      quoted = !quoted;
    if (quoted)
      continue;
    if (c == '[' || c == '{')
      ++depth;
    if ((c == ']' || c == '}') && --depth == 0)
      return i;
  }
  return StringRef::npos;
}

/// Splits at commas outside brackets and quotes.
static SmallVector<StringRef> splitTopLevel(StringRef text) {
  SmallVector<StringRef> parts;
  unsigned depth = 0;
  bool quoted = false;
  size_t start = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"')
      quoted = !quoted;
    if (quoted)
      continue;
    if (c == '[' || c == '{')
      ++depth;
    if (c == ']' || c == '}')
      --depth;
    if (c == ',' && depth == 0) {
      parts.push_back(text.slice(start, i).trim());
      start = i + 1;
    }
  }
  StringRef last = text.drop_front(start).trim();
  if (!last.empty())
    parts.push_back(last);
  return parts;
}

/// `#sdy.sharding<@mesh, [{"a"}, {}], replicated={...}>`.
static Attribute restrictShardy(Attribute sharding, ArrayRef<int64_t> kept) {
  std::string text;
  llvm::raw_string_ostream(text) << sharding;
  StringRef view = text;
  // A mesh may be inline (`mesh<["a"=2]>`): the dimensions are the last
  // bracketed list that follows it.
  size_t open = view.find(", [");
  if (open == StringRef::npos)
    return {};
  open += 2;
  size_t close = findClosing(view, open);
  if (close == StringRef::npos)
    return {};
  SmallVector<StringRef> dims = splitTopLevel(view.slice(open + 1, close));
  SmallVector<StringRef> left;
  for (int64_t axis : kept) {
    if (axis >= int64_t(dims.size()))
      return {};
    left.push_back(dims[axis]);
  }
  std::string result = (view.take_front(open) + "[" + llvm::join(left, ", ") +
                        "]" + view.drop_front(close + 1))
                           .str();
  return parseAttribute(result, sharding.getContext());
}

/// `{devices=[2,1,4]<=[8] last_tile_dim_replicate}` and simpler forms.
static Attribute restrictHlo(StringAttr sharding, ArrayRef<int64_t> kept) {
  StringRef text = sharding.getValue().trim();
  if (text == "{replicated}" || text == "{manual}" ||
      text.starts_with("{maximal"))
    return sharding;
  StringRef rest = text;
  if (!rest.consume_front("{devices=[") || !rest.consume_back("}"))
    return {};
  auto [tileText, assignment] = rest.split("]<=[");
  SmallVector<int64_t> tiles;
  for (StringRef part : llvm::split(tileText, ','))
    if (part.trim().getAsInteger(10, tiles.emplace_back()))
      return {};
  StringRef devices = assignment.take_until([](char c) { return c == ']'; });
  StringRef tail = assignment.drop_front(devices.size()).drop_front().trim();
  bool replicatesLast = tail == "last_tile_dim_replicate";
  // A transposed or explicit device list is left to the partitioner.
  if ((!tail.empty() && !replicatesLast) || devices.empty() ||
      devices.contains(','))
    return {};
  unsigned rank = tiles.size() - replicatesLast;
  SmallVector<int64_t> order, lost, newTiles;
  int64_t replicas = replicatesLast ? tiles.back() : 1;
  for (int64_t axis : kept) {
    if (axis >= int64_t(rank))
      return {};
    order.push_back(axis);
    newTiles.push_back(tiles[axis]);
  }
  for (unsigned axis = 0; axis < rank; ++axis)
    if (!llvm::is_contained(kept, axis)) {
      lost.push_back(axis);
      replicas *= tiles[axis];
    }
  order.append(lost);
  if (replicatesLast)
    order.push_back(rank);
  if (llvm::all_of(newTiles, [](int64_t tile) { return tile == 1; }))
    return StringAttr::get(sharding.getContext(), "{replicated}");
  std::string result = "{devices=[";
  llvm::raw_string_ostream stream(result);
  llvm::interleave(newTiles, stream, ",");
  if (replicas > 1)
    stream << "," << replicas;
  stream << "]<=[";
  // A dimension that is not split may stand anywhere in the order.
  SmallVector<int64_t> split = llvm::filter_to_vector(
      order, [&](int64_t axis) { return tiles[axis] != 1; });
  if (llvm::is_sorted(split)) {
    stream << devices << "]";
  } else {
    llvm::interleave(tiles, stream, ",");
    stream << "]T(";
    llvm::interleave(order, stream, ",");
    stream << ")";
  }
  if (replicas > 1)
    stream << " last_tile_dim_replicate";
  stream << "}";
  return StringAttr::get(sharding.getContext(), result);
}

Attribute skew::restrictSharding(Attribute sharding, ArrayRef<int64_t> kept) {
  if (auto text = dyn_cast<StringAttr>(sharding))
    return restrictHlo(text, kept);
  return restrictShardy(sharding, kept);
}
