//===- Number.cpp - tests of numbers as people write them -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Support/Number.h"
#include "gtest/gtest.h"
#include <cfloat>
#include <cmath>

using mlir::skew::formatNumber;

TEST(Number, IsTheShortestTextThatReadsBack) {
  EXPECT_EQ(formatNumber(0.05), "0.05");
  EXPECT_EQ(formatNumber(0.999), "0.999");
  EXPECT_EQ(formatNumber(1e-8), "1e-08");
  EXPECT_EQ(formatNumber(0.0), "0");
  EXPECT_EQ(formatNumber(-2.5), "-2.5");
  EXPECT_EQ(formatNumber(INFINITY), "inf");
  // 0.1 + 0.2 is not 0.3, and must not read as if it were.
  EXPECT_EQ(formatNumber(0.1 + 0.2), "0.30000000000000004");
  for (double x : {DBL_MIN, -DBL_MAX, DBL_TRUE_MIN, 1.0 / 3.0, 0x1.fffffep-3})
    EXPECT_EQ(std::strtod(formatNumber(x).c_str(), nullptr), x);
}

TEST(Number, LimitsDigits) {
  EXPECT_EQ(formatNumber(0x1p-9 / 0.05, 4), "0.03906");
  EXPECT_EQ(formatNumber(0.001 * 0.05, 4), "5e-05");
  EXPECT_EQ(formatNumber(-DBL_MAX, 40), "-1.7976931348623157e+308");
}
