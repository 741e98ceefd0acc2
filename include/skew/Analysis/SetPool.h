//===- SetPool.h - interned sets of small integers --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_ANALYSIS_SETPOOL_H
#define SKEW_ANALYSIS_SETPOOL_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <vector>

namespace mlir::skew {

/// Immutable sets of small integers, each kept once: equal sets have equal
/// ids, and a union that was formed before costs one look-up. Values of a
/// graph share few distinct sets, so a set per value costs four bytes.
class SetPool {
public:
  using Id = uint32_t;
  static constexpr Id kEmpty = 0;

  SetPool();

  Id single(unsigned element);
  Id unite(Id a, Id b);
  bool contains(Id set, unsigned element) const;
  bool includes(Id set, Id subset) const;
  bool intersects(Id a, Id b) const;
  unsigned size(Id set) const;
  /// Ascending.
  llvm::SmallVector<unsigned> elements(Id set) const;

private:
  /// Bits [64 * firstWord, 64 * (firstWord + numWords)); the first and the last
  /// word are not zero.
  struct Entry {
    uint32_t firstWord, numWords;
    size_t offset;
  };
  Id intern(uint32_t firstWord, llvm::ArrayRef<uint64_t> words);
  llvm::ArrayRef<uint64_t> wordsOf(Id set) const {
    return llvm::ArrayRef(words).slice(entries[set].offset,
                                       entries[set].numWords);
  }

  std::vector<Entry> entries;
  std::vector<uint64_t> words;
  /// Hash of the contents -> the sets that have it.
  llvm::DenseMap<uint64_t, llvm::SmallVector<Id, 1>> byHash;
  llvm::DenseMap<std::pair<Id, Id>, Id> unions;
};

} // namespace mlir::skew

#endif // SKEW_ANALYSIS_SETPOOL_H
