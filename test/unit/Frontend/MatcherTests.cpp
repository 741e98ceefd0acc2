//===- MatcherTests.cpp - seeds, donation, mutants ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Parser/Parser.h"
#include "skew/Dialect/Skew/IR/Skew.h"
#include "skew/Frontend/UpdateMatcher.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace mlir;
using namespace mlir::skew;

namespace {

/// AdamW with a clipped gradient and a warm-up schedule.
constexpr const char *kStep = R"(
func.func @main(%p: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>, %t: tensor<i32>)
    -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>) {
  %g0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>
  %n = "model.norm"(%g0) : (tensor<8xf32>) -> tensor<f32>
  %one = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
  %c = "stablehlo.maximum"(%n, %one) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %cb = "stablehlo.broadcast_in_dim"(%c) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
  %g = "stablehlo.divide"(%g0, %cb) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %b1 = "stablehlo.constant"() <{value = dense<0.9> : tensor<8xf32>}> : () -> tensor<8xf32>
  %w1 = "stablehlo.constant"() <{value = dense<0.1> : tensor<8xf32>}> : () -> tensor<8xf32>
  %b2 = "stablehlo.constant"() <{value = dense<0.95> : tensor<8xf32>}> : () -> tensor<8xf32>
  %w2 = "stablehlo.constant"() <{value = dense<0.05> : tensor<8xf32>}> : () -> tensor<8xf32>
  %m0 = "stablehlo.multiply"(%b1, %m) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %mg = "stablehlo.multiply"(%w1, %g) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %m1 = "stablehlo.add"(%m0, %mg) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %q = "stablehlo.multiply"(%g, %g) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %v0 = "stablehlo.multiply"(%b2, %v) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %vg = "stablehlo.multiply"(%w2, %q) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %v1 = "stablehlo.add"(%v0, %vg) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %i = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
  %t1 = "stablehlo.add"(%t, %i) : (tensor<i32>, tensor<i32>) -> tensor<i32>
  %tf = "stablehlo.convert"(%t1) : (tensor<i32>) -> tensor<f32>
  %d1 = "stablehlo.constant"() <{value = dense<0.9> : tensor<f32>}> : () -> tensor<f32>
  %d2 = "stablehlo.constant"() <{value = dense<0.95> : tensor<f32>}> : () -> tensor<f32>
  %p1 = "stablehlo.power"(%d1, %tf) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %p2 = "stablehlo.power"(%d2, %tf) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %c1 = "stablehlo.subtract"(%one, %p1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %c2 = "stablehlo.subtract"(%one, %p2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %c1b = "stablehlo.broadcast_in_dim"(%c1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
  %c2b = "stablehlo.broadcast_in_dim"(%c2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
  %mh = "stablehlo.divide"(%m1, %c1b) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %vh = "stablehlo.divide"(%v1, %c2b) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %s = "stablehlo.sqrt"(%vh) : (tensor<8xf32>) -> tensor<8xf32>
  %e = "stablehlo.constant"() <{value = dense<1.0e-8> : tensor<8xf32>}> : () -> tensor<8xf32>
  %den = "stablehlo.add"(%s, %e) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %u = "stablehlo.divide"(%mh, %den) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %wd = "stablehlo.constant"() <{value = dense<0.1> : tensor<8xf32>}> : () -> tensor<8xf32>
  %dp = "stablehlo.multiply"(%wd, %p) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %ud = "stablehlo.add"(%u, %dp) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %r0 = "stablehlo.constant"() <{value = dense<1.0e-5> : tensor<f32>}> : () -> tensor<f32>
  %r1 = "stablehlo.constant"() <{value = dense<1.0e-3> : tensor<f32>}> : () -> tensor<f32>
  %warm = "stablehlo.multiply"(%r0, %tf) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %lr = "stablehlo.minimum"(%warm, %r1) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %lrb = "stablehlo.broadcast_in_dim"(%lr) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<8xf32>
  %step = "stablehlo.multiply"(%lrb, %ud) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %np = "stablehlo.subtract"(%p, %step) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %np, %m1, %v1, %t1 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<i32>
})";

class MatcherTest : public ::testing::Test {
protected:
  MatcherTest() {
    context.allowUnregisteredDialects();
    context.loadDialect<arith::ArithDialect, func::FuncDialect,
                        math::MathDialect, SkewDialect>();
    module = parseSourceString<ModuleOp>(kStep, &context);
  }

  FunctionMatch match(uint64_t seed = 0) {
    SymbolTableCollection symbols;
    auto function = cast<FunctionOpInterface>(module->getBody()->front());
    SliceGraph graph(function, symbols);
    MatchOptions options;
    options.seed = seed;
    return matchFunction(graph, options);
  }

  static std::optional<double> find(const UpdateMatch &match, StringRef name) {
    for (const auto &[key, scalar] : match.hyperparameters)
      if (key == name)
        return scalar.constant;
    return std::nullopt;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

} // namespace

TEST_F(MatcherTest, TheAnswerDoesNotDependOnTheSeed) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    FunctionMatch found = match(seed * 7919);
    ASSERT_EQ(found.raised.size(), 1u) << "seed " << seed;
    const RaisedUpdate &update = found.raised[0];
    EXPECT_EQ(update.rule.getStringRef(), "skew.adamw");
    EXPECT_EQ(update.states[0].argument, 1u);
    EXPECT_EQ(update.states[1].argument, 2u);
    EXPECT_TRUE(update.scaledByReduction);
    EXPECT_EQ(find(update.match, "beta1"), 0.9);
    EXPECT_EQ(find(update.match, "beta2"), 0.95);
    EXPECT_EQ(find(update.match, "eps"), 1e-8);
    EXPECT_EQ(find(update.match, "weight_decay"), 0.1);
    EXPECT_FALSE(update.match.learningRate.constant.has_value());
  }
}

/// One constant of the graph changes at a time. What is still raised must be so
/// with the constant that was written, or the constant belongs to clip,
/// schedule or both halves of nothing.
TEST_F(MatcherTest, ChangedConstantsAreSeenOrRefused) {
  auto function = cast<func::FuncOp>(module->getBody()->front());
  SmallVector<Operation *> constants;
  function.walk([&](Operation *op) {
    if (op->getName().getStringRef() == "stablehlo.constant")
      constants.push_back(op);
  });
  ASSERT_EQ(constants.size(), 12u);
  unsigned raised = 0, refused = 0;
  for (Operation *op : constants) {
    auto old = cast<DenseElementsAttr>(op->getAttr("value"));
    if (!isa<FloatType>(old.getElementType()))
      continue;
    double value = old.getSplatValue<APFloat>().convertToFloat();
    for (double factor : {0.5, 0.99, 1.01}) {
      float changed = float(value * factor);
      op->setAttr("value", DenseElementsAttr::get(old.getType(), changed));
      FunctionMatch found = match();
      op->setAttr("value", old);
      if (found.raised.empty()) {
        ++refused;
        ASSERT_EQ(found.declined.size(), 1u);
        EXPECT_FALSE(found.declined[0].reason.empty());
        continue;
      }
      ++raised;
      const UpdateMatch &update = found.raised[0].match;
      // A constant of averages or corrections cannot change alone.
      EXPECT_EQ(find(update, "beta1"), 0.9);
      EXPECT_EQ(find(update, "beta2"), 0.95);
      double eps = *find(update, "eps"), decay = *find(update, "weight_decay");
      if (value > 0.0 && value < 1e-6) {
        EXPECT_NEAR(eps, value * factor, 1e-6 * eps);
      } else {
        EXPECT_EQ(eps, 1e-8);
      }
      if (std::abs(decay - 0.1) > 1e-6) {
        EXPECT_NEAR(decay, 0.1 * factor, 1e-6);
        EXPECT_NEAR(value, 0.1, 1e-6);
      }
    }
  }
  // epsilon, decay, two of the schedule: raised each time. Weights, averages,
  // powers: refused each time. 1 serves clip and both corrections: refused.
  EXPECT_EQ(raised, 12u);
  EXPECT_EQ(refused, 21u);
}
