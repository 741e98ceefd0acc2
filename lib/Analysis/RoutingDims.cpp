//===- RoutingDims.cpp - which dimensions are experts ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RoutingStep.h"

using namespace mlir;
using namespace mlir::skew;

/// The dimensions of its first operand that a choice runs along.
static uint64_t choiceDims(const OpDims &dims, unsigned rank) {
  uint64_t bits = 0;
  switch (dims.kind) {
  case FlowKind::topK:
    return rank ? uint64_t(1) << (rank - 1) : 0;
  case FlowKind::sort:
  case FlowKind::argReduce:
    for (int64_t dim : dims.dims)
      bits |= uint64_t(1) << dim;
    return bits;
  default:
    return 0;
  }
}

/// The result dimensions that some dimension in `bits` of the operand maps to.
uint64_t RoutingAnalysis::mapBits(RecordId id, unsigned operand,
                                  uint64_t bits) const {
  uint64_t result = 0;
  if (std::optional<DimMap> map = flat.mapDims(id, operand))
    for (auto [dim, from] : llvm::enumerate(*map))
      if (from & bits)
        result |= uint64_t(1) << dim;
  return result;
}

uint64_t RoutingAnalysis::varyingBits(ValueId value) const {
  if (!parameters.dependsOnParameters(value) ||
      tags[value].kind == TagKind::chosen)
    return 0;
  if (tags[value].kind != TagKind::view)
    return varying[value];
  uint64_t bits = 0;
  for (auto [dim, size] : llvm::enumerate(flat.shape(value)))
    if (size != 1)
      bits |= uint64_t(1) << dim;
  return bits;
}

int64_t RoutingAnalysis::numColumns(SetPool::Id products) const {
  if (auto it = choiceSizes.find(products); it != choiceSizes.end())
    return it->second;
  int64_t most = 0;
  for (unsigned product : productSets.elements(products))
    most = std::max(most, columns.lookup(product));
  return most;
}

/// Records among how many columns `step` chooses. Not all that the product has
/// if there is a choice per head or per group of experts.
void RoutingAnalysis::countChoice(const Step &step) {
  if (!isChoice(step.kind) || step.rest.empty())
    return;
  ValueId value = flat.operand(step.id, step.rest.front());
  uint64_t dims =
      choiceDims(flat.dims(step.id), flat.rank(value)) &
      (produced[value].value_or(0) | expertAxes[value]);
  if (llvm::popcount(dims) != 1)
    return;
  int64_t size = flat.shape(value)[llvm::countr_zero(dims)];
  if (ShapedType::isDynamic(size))
    return;
  int64_t &most = choiceSizes[step.out.products];
  most = std::max(most, size);
}

void RoutingAnalysis::setDims(const Step &step) {
  ValueId first = flat.result(step.id);
  unsigned rank = flat.rank(first);
  bool moves = step.kind == FlowKind::gather ||
               step.kind == FlowKind::scatter || step.kind == FlowKind::sort;

  // Where activations vary.
  uint64_t varies = 0;
  for (unsigned number : step.dependents) {
    ValueId value = flat.operand(step.id, number);
    if (tags[value].kind == TagKind::chosen && !moves)
      continue;
    if (moves || !flat.mapDims(step.id, number)) {
      varies = allBits(rank);
      break;
    }
    varies |= mapBits(step.id, number, varyingBits(value));
  }

  // Which dimensions the weight produced.
  if (step.out.isRouting() && !produced[first])
    for (unsigned number : step.rest)
      if (std::optional<uint64_t> bits =
              produced[flat.operand(step.id, number)]) {
        // What a choice leaves of the columns it ran along is a rank.
        if (step.out.kind == TagKind::chosen && isChoice(step.kind))
          *bits &= ~choiceDims(flat.dims(step.id),
                               flat.rank(flat.operand(step.id, number)));
        if (flat.mapDims(step.id, number))
          produced[first] = mapBits(step.id, number, *bits);
        break;
      }

  uint64_t experts = expertDimsOf(step);
  for (ValueId result : flat.results(step.id)) {
    varying[result] =
        flat.rank(result) == rank ? varies : allBits(flat.rank(result));
    expertAxes[result] = flat.rank(result) == rank ? experts : 0;
    if (result != first && flat.rank(result) == rank)
      produced[result] = produced[first];
  }
}

/// The expert axis starts as the columns of a router's product. It is lost in
/// the top-k (which counts choices) and comes back with a one-hot.
uint64_t RoutingAnalysis::expertDimsOf(const Step &step) const {
  ArrayRef<int64_t> shape = flat.shape(flat.result(step.id));
  bool isChosen = step.out.kind == TagKind::chosen;
  uint64_t bits = 0, starting = 0;
  for (unsigned number : step.rest) {
    ValueId value = flat.operand(step.id, number);
    bool starts = isChosen && tags[value].kind == TagKind::routing;
    uint64_t own = starts ? produced[value].value_or(0) : expertAxes[value];
    // Chosen among the columns: they are the experts, other axes of the product
    // (heads, groups) are not. Chosen along another axis (experts choose
    // tokens), the columns stay.
    if (isChosen && isChoice(step.kind) &&
        (choiceDims(flat.dims(step.id), flat.rank(value)) & own))
      continue;
    (starts ? starting : bits) |= mapBits(step.id, number, own);
  }
  // Scores that meet a choice made from them.
  if (!bits)
    bits = starting;
  if (!isChosen || shape.empty())
    return bits;
  int64_t numExperts = numColumns(step.out.products);
  uint64_t ofExpertSize = 0, units = 0;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    if (size == numExperts && numExperts > 1)
      ofExpertSize |= uint64_t(1) << dim;
    if (size == 1)
      units |= uint64_t(1) << dim;
  }
  switch (step.kind) {
  case FlowKind::compare:
    // A one-hot compares with constants that count the experts.
    for (unsigned number : {0u, 1u}) {
      ValueId value = flat.operand(step.id, number);
      if (bits || parameters.dependsOnParameters(value))
        continue;
      uint64_t counted = ofExpertSize & nonBroadcastDims(value);
      if (counted)
        bits = counted & -counted;
    }
    return bits;
  case FlowKind::scatter:
    return bits | ofExpertSize;
  case FlowKind::slice:
  case FlowKind::dynamicSlice:
    return bits & ~units;
  default:
    return bits;
  }
}

uint64_t RoutingAnalysis::nonBroadcastDims(ValueId value) const {
  uint64_t all = allBits(flat.rank(value));
  // Long chains of elementwise constants do not occur; the bound keeps the
  // whole analysis linear.
  for (unsigned steps = 0; steps < 8; ++steps) {
    RecordId id = flat.definer(value);
    if (id == FlatGraph::kNone || flat.record(id).numResults == 0)
      return all;
    const OpDims &dims = flat.dims(id);
    if (dims.kind == FlowKind::iota)
      return uint64_t(1) << dims.dims.front();
    if (dims.kind == FlowKind::broadcast) {
      uint64_t bits = 0;
      for (auto [from, to] : llvm::enumerate(dims.dims))
        if (flat.shape(flat.operand(id, 0))[from] == flat.shape(value)[to] &&
            flat.shape(value)[to] != 1)
          bits |= uint64_t(1) << to;
      return bits;
    }
    if ((!isElementwise(dims.kind) && dims.kind != FlowKind::pass) ||
        flat.record(id).numOperands != 1 ||
        flat.rank(flat.operand(id, 0)) != flat.rank(value))
      return all;
    value = flat.operand(id, 0);
  }
  return all;
}

//===----------------------------------------------------------------------===//
// Gates
//===----------------------------------------------------------------------===//

bool RoutingAnalysis::isGate(ValueId value, SetPool::Id products) const {
  if (!parameters.dependsOnParameters(value))
    return isOneHot(flat, value);
  return tags[value].kind == TagKind::routing &&
         !productSets.intersects(tags[value].products, products);
}

uint64_t RoutingAnalysis::gatingDims(RecordId record, unsigned number) const {
  if (flat.kind(record) == FlowKind::multiply)
    return nonBroadcastDims(flat.operand(record, number));
  if (flat.kind(record) == FlowKind::outer)
    return mapBits(record, number,
                   nonBroadcastDims(flat.operand(record, number)));
  return 0;
}

void RoutingAnalysis::setGates(const Step &step) {
  ValueId result = flat.result(step.id);
  uint64_t bits = 0, ones = 0;
  for (unsigned number : step.rest) {
    ValueId value = flat.operand(step.id, number);
    bits |= mapBits(step.id, number, gated[value]);
    ones |= mapBits(step.id, number, picked[value]);
  }
  bool multiplies =
      step.kind == FlowKind::multiply || step.kind == FlowKind::outer;
  for (unsigned number = 0; multiplies && number < 2; ++number) {
    ValueId gate = flat.operand(step.id, number);
    ValueId other = flat.operand(step.id, 1 - number);
    if (!parameters.dependsOnParameters(other) ||
        !isGate(gate, tags[other].products))
      continue;
    uint64_t dims = gatingDims(step.id, number), live = 0;
    for (auto [dim, size] : llvm::enumerate(flat.shape(result)))
      if (size != 1)
        live |= uint64_t(1) << dim;
    if (!(live & ~dims))
      continue;
    bits |= dims & live;
    if (!parameters.dependsOnParameters(gate))
      ones |= dims & live;
  }
  for (ValueId value : flat.results(step.id))
    if (flat.rank(value) == flat.rank(result)) {
      gated[value] = bits;
      picked[value] = ones;
    }
}
