//===- SliceClass.h - slices that are equal up to their leaves --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph has thousands of parameters and a handful of ways to update them.
// Slices of one class are the same expression over other leaves, so what is
// shown for one holds for all: probing, structure and confirmation are done
// once per class.
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_LIB_FRONTEND_SLICECLASS_H
#define SKEW_LIB_FRONTEND_SLICECLASS_H

#include "skew/Frontend/UpdateMatcher.h"

namespace mlir::skew {

/// Everything that an answer about a slice can depend on. Nodes are numbered by
/// their place in the slice; two slices with equal keys differ in nothing but
/// which leaves they have. Scalars with a long chain below them (a norm over
/// all tensors) are not looked into: they must be the very same node.
class SliceKey {
public:
  SliceKey(const UpdateSlice &slice, const ScalarHints &hints,
           OperationName rule);

  bool operator==(const SliceKey &other) const { return words == other.words; }
  uint64_t hash() const;

  /// Place of a node of the slice in the numbering; none if it has none.
  std::optional<unsigned> getPlace(NodeId id) const;
  /// The node at a place.
  NodeId getNode(unsigned place) const;

  /// Drops what only serves to translate.
  void forgetSlice() { slice = nullptr; }

private:
  void addNode(NodeId id, const ScalarHints &hints);
  void addPlace(NodeId id) { words.push_back(*getPlace(id)); }

  const UpdateSlice *slice;
  std::vector<uint64_t> words;
  /// Nodes below scalars that the slice is cut at.
  SmallVector<NodeId, 0> below;
};

/// Answers by class.
class SliceClasses {
public:
  /// The answer for a slice of the same class, in terms of this one. On success
  /// `update` is filled as well.
  std::optional<UpdateMatch> find(const SliceKey &key, RaisedUpdate &update);
  /// Keeps an answer, unless it names a node outside of the slice.
  void insert(SliceKey key, const UpdateMatch &match,
              const RaisedUpdate &update);

private:
  struct Entry {
    SliceKey key;
    UpdateMatch match;
    RaisedUpdate update;
  };
  /// Entry with the hash, if any; colliding ones are not kept.
  DenseMap<uint64_t, std::unique_ptr<Entry>> entries;
};

} // namespace mlir::skew

#endif // SKEW_LIB_FRONTEND_SLICECLASS_H
