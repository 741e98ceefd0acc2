//===- SliceClass.cpp - slices that are equal up to their leaves ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SliceClass.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mlir::skew;

//===----------------------------------------------------------------------===//
// SliceKey
//===----------------------------------------------------------------------===//

SliceKey::SliceKey(const UpdateSlice &slice, const ScalarHints &hints,
                   OperationName rule)
    : slice(&slice) {
  const SliceGraph &graph = slice.graph;
  // Values of scalars that the slice is cut at come from what is below them.
  DenseSet<NodeId> seen;
  SmallVector<NodeId> work;
  for (NodeId id : slice.getOrder())
    if (slice.isCut(id) && graph[id].treeSize < SliceGraph::kManyNodes)
      llvm::append_range(work, graph.getOperands(id));
  while (!work.empty()) {
    NodeId id = work.pop_back_val();
    if (!seen.insert(id).second)
      continue;
    if (!slice.contains(id))
      below.push_back(id);
    llvm::append_range(work, graph.getOperands(id));
  }
  llvm::sort(below);

  words.reserve(8 + 6 * (slice.getOrder().size() + below.size()));
  words.push_back(reinterpret_cast<uintptr_t>(rule.getAsOpaquePointer()));
  words.push_back(slice.getOrder().size());
  words.push_back(below.size());
  words.push_back(slice.states.size());
  words.push_back(slice.elements.size());
  for (NodeId id : {slice.parameter, slice.newParameter})
    addPlace(id);
  for (NodeId id : slice.states)
    addPlace(id);
  for (NodeId id : slice.newStates)
    addPlace(id);
  for (NodeId id : slice.elements)
    addPlace(id);
  for (NodeId id : slice.getOrder())
    addNode(id, hints);
  for (NodeId id : below)
    addNode(id, hints);
}

void SliceKey::addNode(NodeId id, const ScalarHints &hints) {
  const SliceGraph &graph = slice->graph;
  const SliceNode &node = graph[id];
  ArrayRef<NodeId> operands = graph.getOperands(id);
  bool isPinned = slice->contains(id) && slice->isCut(id) &&
                  node.treeSize >= SliceGraph::kManyNodes;
  // Sizes matter as far as they tell scalars, and tensors of one size, apart.
  bool isScalar = node.numElements == 1;
  bool isOwnSize = node.numElements == graph[slice->parameter].numElements;
  words.push_back(
      uint64_t(node.kind) | uint64_t(node.number) << 8 |
      uint64_t(node.isConstant) << 12 | uint64_t(node.hasReductionBelow) << 13 |
      uint64_t(isScalar) << 14 | uint64_t(isOwnSize) << 15 |
      uint64_t(isPinned) << 16 | uint64_t(graph.isInBody(id)) << 17 |
      uint64_t(operands.size()) << 32);
  words.push_back(reinterpret_cast<uintptr_t>(node.format));
  if (!isScalar && !isOwnSize)
    words.push_back(node.numElements);
  if (isPinned) {
    words.push_back(id);
    return;
  }
  if (node.kind == SliceKind::Constant)
    words.push_back(llvm::bit_cast<uint64_t>(node.constant));
  if (graph.isLeaf(id) && isScalar) {
    ArrayRef<double> near = hints.getNear(id);
    words.push_back(uint64_t(hints.isStep(id)) | uint64_t(near.size()) << 1);
    for (double value : near)
      words.push_back(llvm::bit_cast<uint64_t>(value));
  }
  for (NodeId operand : operands)
    addPlace(operand);
}

uint64_t SliceKey::hash() const {
  // Without the top bit: the largest values are DenseMap's own.
  return uint64_t(llvm::hash_combine_range(words.begin(), words.end())) >> 1;
}

std::optional<unsigned> SliceKey::getPlace(NodeId id) const {
  if (slice->contains(id))
    return slice->getIndex(id);
  const NodeId *it = llvm::lower_bound(below, id);
  if (it == below.end() || *it != id)
    return std::nullopt;
  return slice->getOrder().size() + (it - below.begin());
}

NodeId SliceKey::getNode(unsigned place) const {
  ArrayRef<NodeId> order = slice->getOrder();
  return place < order.size() ? order[place] : below[place - order.size()];
}

//===----------------------------------------------------------------------===//
// SliceClasses
//===----------------------------------------------------------------------===//

/// Replaces every node that an answer names; false if `map` has none for one.
/// All members are taken apart, so that a new one does not compile unseen.
static bool mapNodes(UpdateMatch &answer, std::optional<SkipGuard> &guard,
                     llvm::MapVector<NodeId, unsigned> &takenBranches,
                     function_ref<std::optional<NodeId>(NodeId)> map) {
  bool isComplete = true;
  auto replace = [&](auto &id) {
    std::optional<NodeId> mapped = map(id);
    isComplete &= mapped.has_value();
    id = mapped.value_or(id);
  };
  auto replaceIndex = [&](int &id) {
    if (id >= 0)
      replace(id);
  };
  auto replaceScalar = [&](MatchedScalar &value) {
    auto &[constant, scalar, negated] = value;
    replaceIndex(scalar);
  };
  auto &[stage, reason, hyperparameters, learningRate, step, gradient,
         zeroGradient, gradientInStep, oldStateInStep, live] = answer;
  replaceScalar(learningRate);
  replaceScalar(step);
  replaceIndex(gradient);
  for (auto &[name, value] : hyperparameters)
    replaceScalar(value);
  if (guard) {
    auto &[condition, negated, tests, skips] = *guard;
    if (condition != kNoNode)
      replace(condition);
    for (auto &[node, count] : tests)
      replace(node);
  }
  llvm::MapVector<NodeId, unsigned> branches;
  for (auto [node, value] : takenBranches) {
    replace(node);
    branches.insert({node, value});
  }
  takenBranches = std::move(branches);
  return isComplete;
}

/// What a rule finds of an update, without the places that it is for.
static void copyFindings(const RaisedUpdate &from, RaisedUpdate &to) {
  const auto &[parameter, states, rule, match, skip, takenBranches, stateFormat,
               computeFormat, scaledByReduction, inner] = from;
  to.skip = skip;
  to.takenBranches = takenBranches;
  to.stateFormat = stateFormat;
  to.computeFormat = computeFormat;
  to.scaledByReduction = scaledByReduction;
}

std::optional<UpdateMatch> SliceClasses::find(const SliceKey &key,
                                              RaisedUpdate &update) {
  auto it = entries.find(key.hash());
  if (it == entries.end() || !(it->second->key == key))
    return std::nullopt;
  UpdateMatch match = it->second->match;
  copyFindings(it->second->update, update);
  mapNodes(match, update.skip, update.takenBranches,
           [&](NodeId place) { return key.getNode(place); });
  return match;
}

void SliceClasses::insert(SliceKey key, const UpdateMatch &match,
                          const RaisedUpdate &update) {
  auto entry = std::make_unique<Entry>(Entry{std::move(key), match, update});
  bool isComplete =
      mapNodes(entry->match, entry->update.skip, entry->update.takenBranches,
               [&](NodeId id) { return entry->key.getPlace(id); });
  uint64_t hash = entry->key.hash();
  entry->key.forgetSlice();
  if (isComplete)
    entries.try_emplace(hash, std::move(entry));
}
