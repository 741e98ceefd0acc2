//===- Policy.cpp - tests of placement policies
//-----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Placement/Policy.h"
#include "gtest/gtest.h"

using namespace mlir::skew;

static void expectPaper(const char *tierClass, bool canFactor, bool momentum,
                        bool factored, const char *why) {
  std::optional<TierChoice> choice = choosePaperTier({tierClass, canFactor});
  ASSERT_TRUE(choice.has_value()) << tierClass;
  EXPECT_EQ(choice->momentum, momentum) << tierClass;
  EXPECT_EQ(choice->factored, factored) << tierClass;
  EXPECT_EQ(choice->why, why);
}

TEST(Policy, PaperByClass) {
  expectPaper("backbone", true, true, true,
              "policy paper: backbone keeps momentum, second moment factored");
  expectPaper("expert", true, false, true,
              "policy paper: expert keeps no momentum, second moment factored");
  // A router is exact although it could be factored.
  expectPaper("router", true, false, false,
              "policy paper: router keeps no momentum, second moment exact");
}

TEST(Policy, PaperWhereFactorsSaveNothing) {
  expectPaper("backbone", false, true, false,
              "policy paper: backbone keeps momentum, second moment exact "
              "(factors would save nothing)");
  expectPaper("expert", false, false, false,
              "policy paper: expert keeps no momentum, second moment exact "
              "(factors would save nothing)");
  expectPaper("router", false, false, false,
              "policy paper: router keeps no momentum, second moment exact");
}

TEST(Policy, PaperKnowsThreeClasses) {
  for (const char *other : {"", "Backbone", "norm", "experts"})
    EXPECT_FALSE(choosePaperTier({other, true}).has_value()) << other;
}
