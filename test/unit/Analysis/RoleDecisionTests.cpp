//===- RoleDecisionTests.cpp - structure, names and rules together --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Analysis/RoleDecision.h"
#include "gtest/gtest.h"

using namespace mlir::skew;

namespace {

/// A [4, 8, 16] parameter of `role`.
ParameterRole found(Role role, Confidence confidence) {
  ParameterRole result;
  result.role = role;
  result.confidence = confidence;
  result.batch = {0};
  result.row = {1};
  result.column = {2};
  result.axesFromStructure = true;
  result.used = true;
  return result;
}

RoleRules rulesOf(llvm::StringRef rules) {
  llvm::Expected<RoleRules> parsed = RoleRules::parse(
      ("{\"schema\": \"skew-rules/1\", \"rules\": [" + rules + "]}").str(),
      "rules.json");
  EXPECT_TRUE(static_cast<bool>(parsed));
  return std::move(*parsed);
}

RoleDecision decide(Role role, Confidence confidence, llvm::StringRef name,
                    llvm::StringRef rules = "") {
  std::vector<bool> matched;
  llvm::Expected<RoleDecision> decision =
      decideRole(found(role, confidence), name, 3, rulesOf(rules), matched);
  EXPECT_TRUE(static_cast<bool>(decision));
  return std::move(*decision);
}

TEST(RoleDecision, CertainStructureStandsAgainstTheName) {
  RoleDecision d = decide(Role::expert, Confidence::certain, "router.w");
  EXPECT_EQ(d.role.role, Role::expert);
  EXPECT_EQ(d.tierClass, "expert");
  EXPECT_EQ(d.source, RoleSource::structure);
  EXPECT_EQ(d.remark, "structure says expert; the name says router");
  EXPECT_FALSE(d.isWarning);
}

TEST(RoleDecision, SilentNameIsNoDisagreement) {
  RoleDecision d = decide(Role::router, Confidence::certain, "w");
  EXPECT_EQ(d.tierClass, "router");
  EXPECT_EQ(d.remark, "");
}

TEST(RoleDecision, LikelyExpertKeepsTheBackboneTier) {
  RoleDecision silent = decide(Role::expert, Confidence::likely, "w");
  EXPECT_EQ(silent.role.role, Role::expert);
  EXPECT_EQ(silent.tierClass, "backbone");
  EXPECT_EQ(silent.remark, "structure says expert, but not for certain; it "
                           "keeps the backbone tier");
  RoleDecision other = decide(Role::expert, Confidence::likely, "embed.w");
  EXPECT_EQ(other.tierClass, "backbone");
  EXPECT_EQ(other.remark, "structure says expert; the name says embedding; it "
                          "keeps the backbone tier");
}

TEST(RoleDecision, LikelyRouterKeepsTheBackboneTier) {
  RoleDecision silent = decide(Role::router, Confidence::likely, "w");
  EXPECT_EQ(silent.role.role, Role::router);
  EXPECT_EQ(silent.tierClass, "backbone");
  EXPECT_EQ(silent.remark, "structure says router, but not for certain; it "
                           "keeps the backbone tier");
  EXPECT_EQ(decide(Role::router, Confidence::likely, "router.w").tierClass,
            "router");
  EXPECT_EQ(decide(Role::router, Confidence::likely, "w",
                   R"({"match": "w", "role": "router"})")
                .tierClass,
            "router");
}

TEST(RoleDecision, RulesThatAgreeAreReported) {
  RoleDecision d = decide(Role::expert, Confidence::certain, "w",
                          R"({"match": "w", "role": "expert"},
                             {"match": "^w$", "role": "expert"})");
  EXPECT_EQ(d.repetition,
            "rules 'w' and '^w$' both match and give the same role");
  EXPECT_EQ(decide(Role::expert, Confidence::certain, "w",
                   R"({"match": "w", "role": "expert"})")
                .repetition,
            "");
}

TEST(RoleDecision, NameConfirmsLikelyExpert) {
  RoleDecision d = decide(Role::expert, Confidence::likely, "experts.w1");
  EXPECT_EQ(d.tierClass, "expert");
  EXPECT_EQ(d.remark, "");
}

TEST(RoleDecision, LikelyBackboneDoesNotFollowTheName) {
  RoleDecision d = decide(Role::backbone, Confidence::likely, "experts.w1");
  EXPECT_EQ(d.role.role, Role::backbone);
  EXPECT_EQ(d.tierClass, "backbone");
}

TEST(RoleDecision, NameDecidesWhereStructureIsSilent) {
  RoleDecision d = decide(Role::backbone, Confidence::guess, "experts.w1");
  EXPECT_EQ(d.role.role, Role::expert);
  EXPECT_EQ(d.tierClass, "expert");
  EXPECT_EQ(d.source, RoleSource::name);
  EXPECT_EQ(d.role.confidence, Confidence::guess);
  RoleDecision none = decide(Role::backbone, Confidence::guess, "w");
  EXPECT_EQ(none.source, RoleSource::byDefault);
  EXPECT_EQ(none.tierClass, "backbone");
}

TEST(RoleDecision, RuleWins) {
  RoleDecision d = decide(Role::backbone, Confidence::likely, "w",
                          R"({"match": "^w$", "role": "expert"})");
  EXPECT_EQ(d.role.role, Role::expert);
  EXPECT_EQ(d.tierClass, "expert");
  EXPECT_EQ(d.source, RoleSource::user);
  EXPECT_EQ(d.remark, "");
  RoleDecision against = decide(Role::backbone, Confidence::certain, "w",
                                R"({"match": "^w$", "role": "expert"})");
  EXPECT_EQ(against.tierClass, "expert");
  EXPECT_TRUE(against.isWarning);
  EXPECT_EQ(against.remark, "rule '^w$' makes it expert, but structure says "
                            "backbone");
}

TEST(RoleDecision, AxesOfARuleAreFilledFromTheBack) {
  using Axes = llvm::SmallVector<int64_t>;
  RoleDecision d = decide(Role::expert, Confidence::certain, "w",
                          R"({"match": "w", "batch_axes": [2]})");
  EXPECT_EQ(d.role.batch, Axes{2});
  EXPECT_EQ(d.role.row, Axes{0});
  EXPECT_EQ(d.role.column, Axes{1});
  EXPECT_EQ(d.source, RoleSource::structure);
  d = decide(Role::expert, Confidence::certain, "w",
             R"({"match": "w", "row_axes": [], "column_axes": [2]})");
  EXPECT_EQ(d.role.batch, (Axes{0, 1}));
  EXPECT_EQ(d.role.row, Axes{});
  EXPECT_EQ(d.role.column, Axes{2});
}

TEST(RoleDecision, AgreeingRulesAreNoConflict) {
  RoleDecision d = decide(Role::backbone, Confidence::likely, "w",
                          R"({"match": "w", "role": "expert"},
                             {"match": "^w", "role": "expert"})");
  EXPECT_EQ(d.source, RoleSource::user);
}

TEST(RoleDecision, MatchedRulesAreMarked) {
  std::vector<bool> matched;
  RoleRules rules = rulesOf(R"({"match": "w", "role": "expert"},
                               {"match": "v", "role": "expert"})");
  llvm::cantFail(decideRole(found(Role::expert, Confidence::certain), "w", 3,
                            rules, matched));
  EXPECT_EQ(matched, (std::vector<bool>{true, false}));
}

} // namespace
