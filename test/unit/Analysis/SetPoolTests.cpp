//===- SetPoolTests.cpp - interned sets against std::set ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Analysis/SetPool.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <random>
#include <set>

using namespace mlir::skew;

namespace {

TEST(SetPool, EmptySet) {
  SetPool pool;
  EXPECT_EQ(pool.size(SetPool::kEmpty), 0u);
  EXPECT_FALSE(pool.contains(SetPool::kEmpty, 0));
  SetPool::Id three = pool.single(3);
  EXPECT_EQ(pool.unite(three, SetPool::kEmpty), three);
  EXPECT_EQ(pool.unite(SetPool::kEmpty, three), three);
  EXPECT_TRUE(pool.includes(three, SetPool::kEmpty));
  EXPECT_FALSE(pool.includes(SetPool::kEmpty, three));
  EXPECT_FALSE(pool.intersects(SetPool::kEmpty, three));
}

/// Every answer of the pool against std::set, over sets with near and far
/// elements; equal sets have equal ids.
TEST(SetPool, AgreesWithStdSet) {
  SetPool pool;
  std::mt19937 random(1);
  std::vector<std::set<unsigned>> model{{}};
  std::vector<SetPool::Id> ids{SetPool::kEmpty};
  for (unsigned i = 0; i < 400; ++i) {
    if (i % 4 == 0) {
      unsigned element = random() % (i % 8 == 0 ? 100 : 5000);
      model.push_back({element});
      ids.push_back(pool.single(element));
      continue;
    }
    size_t a = random() % model.size(), b = random() % model.size();
    std::set<unsigned> both = model[a];
    both.insert(model[b].begin(), model[b].end());
    model.push_back(both);
    ids.push_back(pool.unite(ids[a], ids[b]));
  }
  for (size_t a = 0; a < model.size(); ++a) {
    llvm::SmallVector<unsigned> elements = pool.elements(ids[a]);
    EXPECT_EQ(std::set<unsigned>(elements.begin(), elements.end()), model[a]);
    EXPECT_TRUE(std::is_sorted(elements.begin(), elements.end()));
    EXPECT_EQ(pool.size(ids[a]), model[a].size());
    for (unsigned element : {0u, 63u, 64u, 99u, 4999u, 100000u})
      EXPECT_EQ(pool.contains(ids[a], element), model[a].count(element) == 1);
    for (size_t b = 0; b < model.size(); ++b) {
      EXPECT_EQ(ids[a] == ids[b], model[a] == model[b]);
      bool includes = std::includes(model[a].begin(), model[a].end(),
                                    model[b].begin(), model[b].end());
      EXPECT_EQ(pool.includes(ids[a], ids[b]), includes);
      bool intersects =
          std::any_of(model[b].begin(), model[b].end(),
                      [&](unsigned x) { return model[a].count(x); });
      EXPECT_EQ(pool.intersects(ids[a], ids[b]), intersects);
    }
  }
}

} // namespace
