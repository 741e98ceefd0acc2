//===- Sharding.cpp - tests of shardings that lose dimensions
//---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Dialect/Skew/Transforms/Sharding.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace {
class Sharding : public testing::Test {
protected:
  Sharding() { context.allowUnregisteredDialects(); }

  /// The derived attribute as text; "none" if there is none.
  std::string print(Attribute attr) {
    if (!attr)
      return "none";
    if (auto string = dyn_cast<StringAttr>(attr))
      return string.getValue().str();
    std::string text;
    llvm::raw_string_ostream(text) << attr;
    return text;
  }
  std::string hlo(StringRef text, ArrayRef<int64_t> kept) {
    return print(skew::restrictSharding(StringAttr::get(&context, text), kept));
  }
  std::string shardy(StringRef text, ArrayRef<int64_t> kept) {
    Attribute attr = parseAttribute(text, &context);
    EXPECT_TRUE(attr) << text.str();
    return print(skew::restrictSharding(attr, kept));
  }
  MLIRContext context;
};
} // namespace

TEST_F(Sharding, ShardyLosesDimensions) {
  StringRef three = R"(#sdy.sharding<@mesh, [{"x"}, {}, {"y", "z"}]>)";
  EXPECT_EQ(shardy(three, {0, 1, 2}), three);
  EXPECT_EQ(shardy(three, {0, 1}), R"(#sdy.sharding<@mesh, [{"x"}, {}]>)");
  EXPECT_EQ(shardy(three, {0, 2}),
            R"(#sdy.sharding<@mesh, [{"x"}, {"y", "z"}]>)");
  EXPECT_EQ(shardy(three, {}), "#sdy.sharding<@mesh, []>");
}

TEST_F(Sharding, ShardyKeepsWhatIsAroundTheDimensions) {
  EXPECT_EQ(
      shardy(R"(#sdy.sharding<@mesh, [{"x", ?}p1, {?}], replicated={"w"}>)",
             {0}),
      R"(#sdy.sharding<@mesh, [{"x", ?}p1], replicated={"w"}>)");
  // Split axes, and a name that holds a bracket.
  EXPECT_EQ(shardy(R"(#sdy.sharding<@mesh, [{"x":(1)2}, {"a]b"}]>)", {1}),
            R"(#sdy.sharding<@mesh, [{"a]b"}]>)");
  // The mesh may be written out.
  EXPECT_EQ(
      shardy(R"(#sdy.sharding<mesh<["x"=2, "y"=4]>, [{"x"}, {"y"}]>)", {1}),
      R"(#sdy.sharding<mesh<["x"=2, "y"=4]>, [{"y"}]>)");
}

TEST_F(Sharding, ShardyOfFewerDimensionsIsRefused) {
  EXPECT_EQ(shardy(R"(#sdy.sharding<@mesh, [{"x"}]>)", {0, 1}), "none");
  EXPECT_EQ(shardy("#sdy.sharding<@mesh>", {0}), "none");
  EXPECT_EQ(shardy("unit", {0}), "none");
}

TEST_F(Sharding, HloWithoutTiles) {
  for (StringRef same : {"{replicated}", "{manual}", "{maximal device=3}"})
    EXPECT_EQ(hlo(same, {0}), same);
}

TEST_F(Sharding, HloTilesThatGoBecomeReplication) {
  // Device d = 4 i + j holds tile (i, j): rows i keep 4 replicas that follow
  // each other.
  EXPECT_EQ(hlo("{devices=[2,4]<=[8]}", {0}),
            "{devices=[2,4]<=[8] last_tile_dim_replicate}");
  // Columns j keep 2 replicas with stride 4: the transposed order.
  EXPECT_EQ(hlo("{devices=[2,4]<=[8]}", {1}),
            "{devices=[4,2]<=[2,4]T(1,0) last_tile_dim_replicate}");
  EXPECT_EQ(hlo("{devices=[2,4]<=[8]}", {0, 1}), "{devices=[2,4]<=[8]}");
}

TEST_F(Sharding, HloTilesOfOneAreNothing) {
  EXPECT_EQ(hlo("{devices=[2,1,4]<=[8]}", {0, 2}), "{devices=[2,4]<=[8]}");
  EXPECT_EQ(hlo("{devices=[1,8]<=[8]}", {0}), "{replicated}");
  EXPECT_EQ(hlo("{devices=[1,8]<=[8]}", {}), "{replicated}");
}

TEST_F(Sharding, HloReplicationStaysLast) {
  EXPECT_EQ(hlo("{devices=[2,1,4]<=[8] last_tile_dim_replicate}", {0}),
            "{devices=[2,4]<=[8] last_tile_dim_replicate}");
  EXPECT_EQ(hlo("{devices=[2,2,2]<=[8] last_tile_dim_replicate}", {1}),
            "{devices=[2,4]<=[2,2,2]T(1,0,2) last_tile_dim_replicate}");
}

TEST_F(Sharding, HloOfOtherFormsIsRefused) {
  for (StringRef other :
       {"{devices=[2,2]0,1,2,3}", "{devices=[2,2]<=[2,2]T(1,0)}",
        "{devices=[2,1,2]<=[4] last_tile_dims={manual}}", "{devices=[2,2]}",
        "{devices=[2,2]<=[]}", "{devices=[2,x]<=[4]}", "{devices=[2,2]<=[4]",
        "{{replicated}, {replicated}}", ""})
    EXPECT_EQ(hlo(other, {0}), "none") << other.str();
  EXPECT_EQ(hlo("{devices=[4]<=[4]}", {0, 1}), "none");
}
