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

TEST_F(Sharding, HloListsOfDevices) {
  EXPECT_EQ(hlo("{devices=[2,2]0,1,2,3}", {0}),
            "{devices=[2,2]<=[4] last_tile_dim_replicate}");
  // Tile (i, j) is device 2 j + i.
  EXPECT_EQ(hlo("{devices=[2,2]<=[2,2]T(1,0)}", {0}),
            "{devices=[2,2]0,2,1,3 last_tile_dim_replicate}");
  EXPECT_EQ(hlo("{devices=[2,2]<=[2,2]T(1,0)}", {1}),
            "{devices=[2,2]<=[4] last_tile_dim_replicate}");
  EXPECT_EQ(hlo("{devices=[2,1,3]<=[3,2]T(1,0) last_tile_dim_replicate}", {0}),
            "{devices=[2,3]0,2,4,1,3,5 last_tile_dim_replicate}");
  EXPECT_EQ(hlo("{devices=[2,2]3,1,2,0}", {1}),
            "{devices=[2,2]3,2,1,0 last_tile_dim_replicate}");
}

TEST_F(Sharding, HloOfOtherFormsIsRefused) {
  for (StringRef other :
       {"{devices=[2,1,2]<=[4] last_tile_dims={manual}}", "{devices=[2,2]}",
        "{devices=[2,2]0,1,2}", "{devices=[2,2]<=[2,2]T(0,0)}",
        "{devices=[2,2]<=[2,2]T(1)}", "{devices=[2,2]<=[8]}",
        "{devices=[2,2]<=[]}", "{devices=[2,x]<=[4]}", "{devices=[2,2]<=[4]",
        "{devices=[2,2]<=[4]{}}", "{devices=[0,2]<=[0]}",
        "{devices=[4294967296,4294967296]<=[1]}",
        "{{replicated}, {replicated}}", ""})
    EXPECT_EQ(hlo(other, {0}), "none") << other.str();
  EXPECT_EQ(hlo("{devices=[4]<=[4]}", {0, 1}), "none");
}

TEST_F(Sharding, ShardyWithASumToMakeIsRefused) {
  EXPECT_EQ(shardy(R"(#sdy.sharding<@mesh, [{"x"}, {}], unreduced={"y"}>)",
                   {0}),
            "none");
}

TEST_F(Sharding, ListsAreCutAndJoined) {
  StringRef text =
      R"(#sdy.sharding_per_value<[<@mesh, [{"x", "y"}, {}]>, <@mesh, []>, <mesh<["a]b"=2]>, [{"a]b"}]>]>)";
  Attribute list = parseAttribute(text, &context);
  auto parts = skew::splitShardings(list);
  ASSERT_TRUE(parts);
  ASSERT_EQ(parts->size(), 3u);
  EXPECT_EQ(print((*parts)[0]), R"(#sdy.sharding<@mesh, [{"x", "y"}, {}]>)");
  EXPECT_EQ(print((*parts)[1]), "#sdy.sharding<@mesh, []>");
  EXPECT_EQ(skew::joinShardings(&context, *parts), list);
  (*parts)[0] = skew::restrictSharding((*parts)[0], {1});
  EXPECT_EQ(
      print(skew::joinShardings(&context, ArrayRef(*parts).take_front(2))),
      "#sdy.sharding_per_value<[<@mesh, [{}]>, <@mesh, []>]>");
  EXPECT_EQ(print(skew::joinShardings(&context, {})),
            "#sdy.sharding_per_value<[]>");
  for (StringRef other : {"#sdy.sharding<@mesh, [{}]>", "unit",
                          "#sdy.sharding_per_value<[<@mesh>]>"})
    EXPECT_FALSE(skew::splitShardings(parseAttribute(other, &context)))
        << other.str();
}

TEST_F(Sharding, ManualRegions) {
  context.loadDialect<skew::SkewDialect>();
  auto read = [&](StringRef sharding, StringRef mesh,
                  ArrayRef<StringRef> manual, ArrayRef<int64_t> whole,
                  ArrayRef<int64_t> part) {
    std::string reason;
    Attribute found = skew::readManualSharding(
        parseAttribute(sharding, &context), parseAttribute(mesh, &context),
        manual, whole, part, reason);
    EXPECT_EQ(static_cast<bool>(found), reason.empty());
    return found ? print(found) : reason;
  };
  StringRef mesh = R"(#sdy.mesh<["x"=2, "y"=4]>)";
  EXPECT_EQ(read(R"(#sdy.sharding<@mesh, [{"y", "x"}, {}]>)", mesh,
                 {"x", "y"}, {16, 3}, {2, 3}),
            R"(#skew.sharding<mesh = ["x" = 2, "y" = 4], )"
            R"(dims = [["y", "x"], []]>)");
  EXPECT_EQ(read(R"(#sdy.sharding<@mesh, [{?}, {"x", ?}p1]>)", mesh,
                 {"y", "x"}, {16, 4}, {16, 2}),
            R"(#skew.sharding<mesh = ["x" = 2, "y" = 4], dims = [[], ["x"]]>)");
  EXPECT_EQ(read("#sdy.sharding<@mesh, []>", mesh, {"x", "y"}, {}, {}),
            R"(#skew.sharding<mesh = ["x" = 2, "y" = 4], dims = []>)");
  // An axis of one device is cut by nobody.
  EXPECT_EQ(read(R"(#sdy.sharding<@mesh, [{"x"}]>)",
                 R"(#sdy.mesh<["x"=8, "y"=1]>)", {"x"}, {16}, {2}),
            R"(#skew.sharding<mesh = ["x" = 8, "y" = 1], dims = [["x"]]>)");
  EXPECT_EQ(read(R"(#sdy.sharding<mesh<["a"=2]>, [{"a"}]>)", "unit", {"a"},
                 {4}, {2}),
            R"(#skew.sharding<mesh = ["a" = 2], dims = [["a"]]>)");
  EXPECT_EQ(read(R"(#sdy.sharding<@mesh, [{"x"}]>)",
                 R"(#sdy.mesh<["x"=2], device_ids=[0, 1]>)", {"x"}, {4}, {2}),
            R"(#skew.sharding<mesh = ["x" = 2], dims = [["x"]]>)");

  EXPECT_EQ(read(R"(#sdy.sharding<@mesh, [{"x"}]>)", mesh, {"x"}, {4}, {2}),
            "axis \"y\" of the mesh is not manual: the region sees tensors "
            "that the partitioner still cuts");
  EXPECT_EQ(read(R"(#sdy.sharding<@mesh, [{"x"}]>)",
                 R"(#sdy.mesh<["x"=2], device_ids=[1, 0]>)", {"x"}, {4}, {2}),
            "the mesh numbers its devices in an order of its own");
  EXPECT_EQ(read("#sdy.sharding<@mesh, [{}]>",
                 "#sdy.mesh<[], device_ids=[3]>", {}, {4}, {4}),
            "the mesh has no axes: all is on one device");
  EXPECT_EQ(read(R"(#sdy.sharding<@mesh, [{"y":(1)2}]>)", mesh, {"x", "y"},
                 {4}, {2}),
            R"(the sharding #sdy.sharding<@mesh, [{"y":(1)2}]> splits an axis )"
            "of the mesh");
  EXPECT_EQ(read(R"(#sdy.sharding<@mesh, [{"x"}]>)", mesh, {"x", "y"}, {5},
                 {3}),
            "the parts of a tensor are not of equal size");
  EXPECT_EQ(read(R"(#sdy.sharding<@mesh, [{"x"}]>)", mesh, {"x", "y"}, {4, 4},
                 {2, 4}),
            R"(the sharding #sdy.sharding<@mesh, [{"x"}]> is of a form that )"
            "is not understood");
  EXPECT_EQ(read(R"(#sdy.sharding<@mesh, [{"x"}, {"x"}]>)", mesh, {"x", "y"},
                 {4, 4}, {2, 2}),
            R"(the sharding #sdy.sharding<@mesh, [{"x"}, {"x"}]> does not fit )"
            "its mesh");
  EXPECT_EQ(read(R"(#sdy.sharding<@mesh, [{"z"}]>)", mesh, {"x", "y"}, {4},
                 {2}),
            R"(the sharding #sdy.sharding<@mesh, [{"z"}]> does not fit its )"
            "mesh");
  EXPECT_EQ(read(R"(#sdy.sharding<@mesh, [{}], unreduced={"x"}>)", mesh,
                 {"x", "y"}, {4}, {4}),
            R"(the sharding #sdy.sharding<@mesh, [{}], unreduced={"x"}> leaves )"
            "a sum to be made");
  EXPECT_EQ(read(R"(#sdy.sharding<@mesh, [{"x"}]>)", "unit", {"x"}, {4}, {2}),
            "the mesh @mesh is unknown");
}
