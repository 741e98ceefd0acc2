//===- SetPool.cpp - interned sets of small integers ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Analysis/SetPool.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"

using namespace mlir::skew;
using llvm::ArrayRef;
using llvm::SmallVector;

SetPool::SetPool() { intern(0, {}); }

SetPool::Id SetPool::intern(uint32_t firstWord, ArrayRef<uint64_t> contents) {
  // Spread over the low bits, and away from DenseMap's two reserved keys.
  uint64_t hash = firstWord + 1;
  for (uint64_t word : contents)
    hash = (hash ^ word) * 0x9E3779B97F4A7C15ull + (hash >> 29);
  hash &= ~uint64_t(0) >> 2;
  SmallVector<Id, 1> &known = byHash[hash];
  for (Id id : known)
    if (entries[id].firstWord == firstWord && wordsOf(id) == contents)
      return id;
  Id id = entries.size();
  entries.push_back(
      {firstWord, static_cast<uint32_t>(contents.size()), words.size()});
  words.insert(words.end(), contents.begin(), contents.end());
  known.push_back(id);
  return id;
}

SetPool::Id SetPool::single(unsigned element) {
  return intern(element / 64, {uint64_t(1) << element % 64});
}

bool SetPool::contains(Id set, unsigned element) const {
  const Entry &entry = entries[set];
  uint32_t word = element / 64;
  return word >= entry.firstWord && word < entry.firstWord + entry.numWords &&
         (words[entry.offset + word - entry.firstWord] >> element % 64 & 1);
}

bool SetPool::includes(Id set, Id subset) const {
  if (set == subset || subset == kEmpty)
    return true;
  const Entry &outer = entries[set], &inner = entries[subset];
  if (inner.firstWord < outer.firstWord ||
      inner.firstWord + inner.numWords > outer.firstWord + outer.numWords)
    return false;
  const uint64_t *big =
      &words[outer.offset + (inner.firstWord - outer.firstWord)];
  const uint64_t *small = &words[inner.offset];
  for (uint32_t i = 0; i < inner.numWords; ++i)
    if (small[i] & ~big[i])
      return false;
  return true;
}

bool SetPool::intersects(Id a, Id b) const {
  const Entry &x = entries[a], &y = entries[b];
  uint32_t first = std::max(x.firstWord, y.firstWord);
  uint32_t end = std::min(x.firstWord + x.numWords, y.firstWord + y.numWords);
  for (uint32_t word = first; word < end; ++word)
    if (words[x.offset + word - x.firstWord] &
        words[y.offset + word - y.firstWord])
      return true;
  return false;
}

SetPool::Id SetPool::unite(Id a, Id b) {
  if (a == b || b == kEmpty)
    return a;
  if (a == kEmpty)
    return b;
  if (a > b)
    std::swap(a, b);
  auto [it, isNew] = unions.try_emplace({a, b}, kEmpty);
  if (!isNew)
    return it->second;
  Id result;
  if (includes(a, b)) {
    result = a;
  } else if (includes(b, a)) {
    result = b;
  } else {
    Entry x = entries[a], y = entries[b];
    uint32_t first = std::min(x.firstWord, y.firstWord);
    uint32_t end = std::max(x.firstWord + x.numWords, y.firstWord + y.numWords);
    SmallVector<uint64_t> joined(end - first, 0);
    for (const Entry &entry : {x, y})
      for (uint32_t i = 0; i < entry.numWords; ++i)
        joined[entry.firstWord - first + i] |= words[entry.offset + i];
    result = intern(first, joined);
  }
  unions[{a, b}] = result;
  return result;
}

unsigned SetPool::size(Id set) const {
  unsigned count = 0;
  for (uint64_t word : wordsOf(set))
    count += llvm::popcount(word);
  return count;
}

SmallVector<unsigned> SetPool::elements(Id set) const {
  SmallVector<unsigned> result;
  for (auto [place, word] : llvm::enumerate(wordsOf(set)))
    for (uint64_t rest = word; rest; rest &= rest - 1)
      result.push_back(64 * (entries[set].firstWord + place) +
                       llvm::countr_zero(rest));
  return result;
}
