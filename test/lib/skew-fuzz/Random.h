//===- Random.h - random numbers that every platform agrees on --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_TEST_LIB_SKEW_FUZZ_RANDOM_H
#define SKEW_TEST_LIB_SKEW_FUZZ_RANDOM_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <cmath>
#include <cstdint>

namespace mlir::skew::fuzz {

inline uint64_t mix(uint64_t x) {
  x += 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

inline uint64_t mix(uint64_t x, uint64_t y) { return mix(x ^ mix(y)); }

/// A hash that does not change from run to run.
inline uint64_t hashText(llvm::StringRef text) {
  uint64_t hash = 0xCBF29CE484222325ull;
  for (unsigned char c : text)
    hash = (hash ^ c) * 0x100000001B3ull;
  return mix(hash);
}

/// [0, 1) from a hash.
inline double toUnit(uint64_t hash) {
  return double(hash >> 11) * (1.0 / 9007199254740992.0);
}

class Random {
public:
  explicit Random(uint64_t seed) : state(mix(seed)) {}

  uint64_t next() { return mix(state++); }
  /// [0, bound); 0 for bound 0.
  uint64_t below(uint64_t bound) { return bound ? next() % bound : 0; }
  bool oneIn(uint64_t n) { return below(n) == 0; }
  double unit() { return toUnit(next()); }

  template <typename Range> auto &&pick(Range &&range) {
    return range[below(std::size(range))];
  }

private:
  uint64_t state;
};

} // namespace mlir::skew::fuzz

#endif // SKEW_TEST_LIB_SKEW_FUZZ_RANDOM_H
