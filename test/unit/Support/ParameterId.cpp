//===- ParameterId.cpp - tests of the random-bit key
//------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Support/ParameterId.h"
#include "gtest/gtest.h"

using mlir::skew::getParameterId;

// Expected values are Python's:
//   int.from_bytes(hashlib.sha256(name.encode()).digest()[24:], "big")

TEST(ParameterId, IsTheLowHalfWordOfTheNamesSha256) {
  EXPECT_EQ(getParameterId("params['w']"), 0xe4d3a6ecf3aa2eeeu);
  EXPECT_EQ(getParameterId("gr\xc3\xb6\xc3\x9f"
                           "e"),
            0x42a6185fb9843384u);
  EXPECT_EQ(getParameterId(""), 0xa495991b7852b855u);
}

TEST(ParameterId, OfANamelessParameterIsItsArgumentNumbers) {
  EXPECT_EQ(getParameterId("arg0"), 0x6729d73a27fb57e9u);
  EXPECT_EQ(getParameterId("arg17"), 0x599a8f283be6b9e3u);
  EXPECT_EQ(getParameterId("arg17"), getParameterId("17"));
  // Names that only look like it.
  EXPECT_EQ(getParameterId("arg"), 0xbe0c6bbde14b23ffu);
  EXPECT_EQ(getParameterId("argx"), 0x4efc482f0100051fu);
}
