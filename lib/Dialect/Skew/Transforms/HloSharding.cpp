//===- HloSharding.cpp - sharding strings of HLO --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `{devices=[2,1,4]<=[8] last_tile_dim_replicate}`: the tensor is cut into a
// grid of tiles, one device each, row-major; with the last word the grid has
// one more dimension, whose devices hold copies. The devices are listed, or are
// 0, 1, ... as an array of the shape after `<=`, transposed if `T(...)` follows.
//
//===----------------------------------------------------------------------===//

#include "HloSharding.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace {
/// An array of device numbers.
struct DeviceGrid {
  SmallVector<int64_t> shape;
  SmallVector<int64_t> devices;

  /// The same devices with dimension `order[i]` at place i.
  DeviceGrid transposed(ArrayRef<int64_t> order) const;
};
} // namespace

/// More devices than this are not written out.
static constexpr int64_t maxDevices = 1 << 16;

DeviceGrid DeviceGrid::transposed(ArrayRef<int64_t> order) const {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (int64_t i = int64_t(shape.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * shape[i + 1];
  DeviceGrid result;
  for (int64_t dim : order)
    result.shape.push_back(shape[dim]);
  SmallVector<int64_t> place(order.size(), 0);
  for (size_t n = 0; n < devices.size(); ++n) {
    int64_t from = 0;
    for (auto [i, dim] : llvm::enumerate(order))
      from += place[i] * strides[dim];
    result.devices.push_back(devices[from]);
    for (size_t i = order.size(); i-- > 0;) {
      if (++place[i] < result.shape[i])
        break;
      place[i] = 0;
    }
  }
  return result;
}

/// Reads `1,2,3`.
static bool readList(StringRef text, SmallVectorImpl<int64_t> &numbers) {
  for (StringRef part : llvm::split(text, ','))
    if (part.trim().getAsInteger(10, numbers.emplace_back()))
      return false;
  return true;
}

/// Reads the list that `text` starts with up to `close`, and drops both.
static bool consumeList(StringRef &text, char close,
                        SmallVectorImpl<int64_t> &numbers) {
  size_t end = text.find(close);
  if (end == StringRef::npos || !readList(text.take_front(end), numbers))
    return false;
  text = text.drop_front(end + 1);
  return true;
}

static int64_t product(ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape) {
    if (extent < 1 || extent > maxDevices)
      return -1;
    if ((count *= extent) > maxDevices)
      return -1;
  }
  return count;
}

/// Reads what follows `{devices=`, up to the brace; `copies` if the last
/// dimension holds copies.
static bool readGrid(StringRef text, DeviceGrid &grid, bool &copies) {
  copies = text.consume_back("last_tile_dim_replicate");
  text = text.trim();
  if (!text.consume_front("[") || !consumeList(text, ']', grid.shape))
    return false;
  int64_t count = product(grid.shape);
  if (count < 0)
    return false;
  if (!text.consume_front("<="))
    return readList(text, grid.devices) &&
           int64_t(grid.devices.size()) == count;
  DeviceGrid iota;
  if (!text.consume_front("[") || !consumeList(text, ']', iota.shape) ||
      product(iota.shape) != count)
    return false;
  iota.devices = llvm::to_vector(llvm::seq<int64_t>(0, count));
  if (text.consume_front("T(")) {
    SmallVector<int64_t> order;
    if (!consumeList(text, ')', order) || order.size() != iota.shape.size())
      return false;
    SmallVector<int64_t> sorted = order;
    llvm::sort(sorted);
    for (auto [i, dim] : llvm::enumerate(sorted))
      if (dim != int64_t(i))
        return false;
    iota = iota.transposed(order);
  }
  grid.devices = iota.devices;
  return text.empty();
}

/// Writes the devices of `grid`, short where they count up.
static void writeDevices(const DeviceGrid &grid, ArrayRef<int64_t> order,
                         const DeviceGrid &source, llvm::raw_ostream &stream) {
  int64_t count = grid.devices.size();
  auto countsUp = [&](ArrayRef<int64_t> devices) {
    return llvm::equal(devices, llvm::seq<int64_t>(0, count));
  };
  if (countsUp(grid.devices)) {
    stream << "<=[" << count << "]";
  } else if (countsUp(source.devices)) {
    stream << "<=[";
    llvm::interleave(source.shape, stream, ",");
    stream << "]T(";
    llvm::interleave(order, stream, ",");
    stream << ")";
  } else {
    llvm::interleave(grid.devices, stream, ",");
  }
}

StringAttr skew::restrictHloSharding(StringAttr sharding,
                                     ArrayRef<int64_t> kept) {
  StringRef text = sharding.getValue().trim();
  if (text == "{replicated}" || text == "{manual}" ||
      text.starts_with("{maximal"))
    return sharding;
  DeviceGrid grid;
  bool copies;
  if (!text.consume_front("{devices=") || !text.consume_back("}") ||
      !readGrid(text, grid, copies))
    return {};
  int64_t rank = grid.shape.size() - copies;
  SmallVector<int64_t> order, newShape;
  int64_t replicas = copies ? grid.shape.back() : 1;
  for (int64_t axis : kept) {
    if (axis >= rank)
      return {};
    order.push_back(axis);
    newShape.push_back(grid.shape[axis]);
  }
  for (int64_t axis = 0; axis < rank; ++axis)
    if (!llvm::is_contained(kept, axis)) {
      order.push_back(axis);
      replicas *= grid.shape[axis];
    }
  if (copies)
    order.push_back(rank);
  if (llvm::all_of(newShape, [](int64_t tiles) { return tiles == 1; }))
    return StringAttr::get(sharding.getContext(), "{replicated}");
  std::string result = "{devices=[";
  llvm::raw_string_ostream stream(result);
  llvm::interleave(newShape, stream, ",");
  if (replicas > 1)
    stream << "," << replicas;
  stream << "]";
  writeDevices(grid.transposed(order), order, grid, stream);
  if (replicas > 1)
    stream << " last_tile_dim_replicate";
  stream << "}";
  return StringAttr::get(sharding.getContext(), result);
}
