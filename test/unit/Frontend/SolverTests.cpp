//===- SolverTests.cpp - solvers against the rules' own sweeps ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random constants go into a rule's decomposition, which the reference
// interpreter runs in double precision; the solver must find the same constants
// again. No graph and no frontend takes part.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "skew/Frontend/UpdateBuilder.h"
#include "skew/Reference/Interpreter.h"
#include "gtest/gtest.h"
#include <cmath>
#include <map>
#include <random>

using namespace mlir;
using namespace mlir::skew;

namespace {

constexpr int kLearningRate = 1, kStep = 2, kGradient = 3, kFirstBeta = 10;

using Constants = std::map<std::string, double>;

/// Answers with what the rule itself computes.
class RuleProbe : public UpdateProbe {
public:
  RuleProbe(MLIRContext &context, StringRef rule, unsigned numStates,
            const Constants &constants, unsigned seed)
      : rule(rule, &context), numStates(numStates), constants(constants),
        random(seed) {
    std::uniform_real_distribution<double> rate(0.05, 0.95);
    std::uniform_int_distribution<int> step(1, 2000);
    for (unsigned s = 0; s < getNumScenarios(); ++s) {
      // The second half repeats the first: there are no reductions here.
      bool repeats = s >= getNumScenarios() / 2;
      unsigned from = s - getNumScenarios() / 2;
      rates.push_back(repeats ? rates[from] : rate(random));
      steps.push_back(repeats ? steps[from] : step(random));
    }
    std::normal_distribution<double> normal;
    for (unsigned i = 0; i < getNumSamples(); ++i)
      samples.push_back(i == 0 ? 0.0 : normal(random));
    addScalar(kLearningRate, rates, false);
    addScalar(kStep, steps, false);
    int id = kFirstBeta;
    for (const auto &[name, value] : constants) {
      if (!StringRef(name).starts_with("beta"))
        continue;
      bases.push_back(SmallVector<double>(getNumScenarios(), value));
      addScalar(id++, bases.back(), true);
    }
    // Pointers into `bases` are taken only now that it no longer grows.
    for (size_t i = 0; i < bases.size(); ++i) {
      scalars[2 + i].values = bases[i];
      powers.push_back({scalars[2 + i], scalars[1]});
    }
  }

  unsigned getNumStates() const override { return numStates; }
  unsigned getNumScenarios() const override { return 44; }
  unsigned getNumSamples() const override { return 24; }
  ArrayRef<ProbeScalar> getScalars() override { return scalars; }
  ArrayRef<ProbePower> getPowers() override { return powers; }
  const llvm::fltSemantics &getCoarsestFormat() override {
    return APFloat::IEEEdouble();
  }
  std::string whyNotGradient(int) override { return ""; }

  double sampleOf(const ProbePoint &point) const {
    return point.sample < 0 ? 0.0 : samples[point.sample];
  }

  ProbeValues evaluate(ArrayRef<ProbePoint> points) override {
    MLIRContext *context = rule.getContext();
    OpBuilder builder(context);
    Location loc = builder.getUnknownLoc();
    OwningOpRef<ModuleOp> module = ModuleOp::create(loc);
    builder.setInsertionPointToStart(module->getBody());
    int64_t count = points.size();
    Type tensor = RankedTensorType::get({count}, builder.getF64Type());
    Type scalar = RankedTensorType::get({}, builder.getF64Type());
    SmallVector<Type> inputs(2 + numStates, tensor);
    inputs.append(2, scalar);
    auto function = func::FuncOp::create(
        builder, loc, "rule",
        builder.getFunctionType(inputs,
                                SmallVector<Type>(1 + numStates, tensor)));
    Block *body = function.addEntryBlock();
    builder.setInsertionPointToStart(body);
    UpdateOperands operands;
    operands.parameter = body->getArgument(0);
    operands.gradient = body->getArgument(1);
    for (unsigned k = 0; k < numStates; ++k)
      operands.state.push_back(body->getArgument(2 + k));
    operands.step = body->getArgument(2 + numStates);
    operands.learningRate = body->getArgument(3 + numStates);
    SmallVector<NamedAttribute> entries;
    for (const auto &[name, value] : constants)
      entries.push_back(
          builder.getNamedAttr(name, builder.getF64FloatAttr(value)));
    Operation *update = buildUpdate(builder, loc, rule, operands,
                                    builder.getDictionaryAttr(entries));
    func::ReturnOp::create(builder, loc, update->getResults());
    FailureOr<Interpreter> interpreter = Interpreter::create(function);
    EXPECT_TRUE(succeeded(interpreter));

    ProbeValues values;
    values.parameter = ProbeGrid(getNumScenarios(), count);
    values.state.assign(numStates, ProbeGrid(getNumScenarios(), count));
    if (failed(interpreter))
      return values;
    std::vector<std::vector<double>> columns(2 + numStates);
    for (const ProbePoint &point : points) {
      columns[0].push_back(point.parameter);
      columns[1].push_back(sampleOf(point));
      for (unsigned k = 0; k < numStates; ++k)
        columns[2 + k].push_back(point.state[k]);
    }
    for (unsigned s = 0; s < getNumScenarios(); ++s) {
      SmallVector<ReferenceTensor> arguments;
      for (const std::vector<double> &column : columns)
        arguments.push_back(ReferenceTensor::floats({count}, column));
      arguments.push_back(ReferenceTensor::floats({}, {steps[s]}));
      arguments.push_back(ReferenceTensor::floats({}, {rates[s]}));
      auto outputs = interpreter->run(arguments);
      EXPECT_TRUE(succeeded(outputs));
      if (failed(outputs))
        return values;
      for (int64_t c = 0; c < count; ++c) {
        values.parameter.at(s, c) = (*outputs)[0].f[c];
        for (unsigned k = 0; k < numStates; ++k)
          values.state[k].at(s, c) = (*outputs)[1 + k].f[c];
      }
    }
    return values;
  }

  SmallVector<GradientCandidate>
  getGradientCandidates(const ProbeGrid &contribution) override {
    GradientCandidate candidate;
    candidate.id = kGradient;
    for (unsigned s = 0; s < getNumScenarios(); ++s)
      candidate.ratio.push_back(contribution.at(s, 1) / samples[1]);
    return {candidate};
  }

private:
  void addScalar(int id, ArrayRef<double> values, bool isConstant) {
    ProbeScalar scalar;
    scalar.id = id;
    scalar.values = values;
    scalar.isConstant = isConstant;
    scalar.isArgument = !isConstant;
    scalar.format = &APFloat::IEEEdouble();
    scalars.push_back(scalar);
  }

  OperationName rule;
  unsigned numStates;
  Constants constants;
  std::mt19937 random;
  SmallVector<double> rates, steps, samples;
  std::vector<SmallVector<double>> bases;
  SmallVector<ProbeScalar> scalars;
  SmallVector<ProbePower> powers;
};

class SolverTest : public ::testing::Test {
protected:
  SolverTest() {
    context.loadDialect<arith::ArithDialect, func::FuncDialect,
                        math::MathDialect, SkewDialect>();
  }

  /// A number of at most three digits, so that its shortest decimal is itself.
  double draw(double low, double high) {
    std::uniform_real_distribution<double> uniform(low, high);
    return std::stod(std::to_string(uniform(random)).substr(0, 5));
  }

  void check(StringRef rule, unsigned numStates, const Constants &constants,
             unsigned seed) {
    RuleProbe probe(context, rule, numStates, constants, seed);
    OperationName name(rule, &context);
    UpdateMatch match =
        name.getInterface<UpdateOpInterface>()->matchUpdate(probe);
    ASSERT_TRUE(match.matched()) << rule.str() << ": " << match.reason;
    EXPECT_EQ(match.gradient, kGradient);
    EXPECT_EQ(match.learningRate.scalar, kLearningRate);
    EXPECT_FALSE(match.learningRate.negated);
    EXPECT_EQ(match.hyperparameters.size(), constants.size());
    for (const auto &[key, scalar] : match.hyperparameters) {
      ASSERT_TRUE(scalar.constant.has_value()) << key;
      auto wanted = constants.find(key);
      ASSERT_NE(wanted, constants.end()) << key;
      EXPECT_EQ(*scalar.constant, wanted->second) << key;
    }
  }

  MLIRContext context;
  std::mt19937 random{17};
};

} // namespace

TEST_F(SolverTest, AdamWFindsItsOwnConstants) {
  for (unsigned trial = 0; trial < 12; ++trial) {
    Constants constants = {
        {"beta1", draw(0.5, 0.99)},
        {"beta2", draw(0.9, 0.999)},
        {"eps", trial % 3 == 0 ? 0.0 : std::pow(10.0, -double(trial))},
        {"eps_root", trial % 4 == 1 ? draw(0.001, 0.1) : 0.0},
        {"weight_decay", trial % 2 ? draw(0.001, 0.3) : 0.0}};
    // Without any epsilon the step of v = 0 is infinite: not a rule in use.
    if (constants["eps"] == 0.0 && constants["eps_root"] == 0.0)
      constants["eps"] = 1e-8;
    check("skew.adamw", 2, constants, trial);
  }
}

TEST_F(SolverTest, LionFindsItsOwnConstants) {
  for (unsigned trial = 0; trial < 8; ++trial)
    check("skew.lion", 1,
          {{"beta1", draw(0.5, 0.99)},
           {"beta2", draw(0.5, 0.99)},
           {"weight_decay", trial % 2 ? draw(0.001, 0.3) : 0.0}},
          trial);
}

TEST_F(SolverTest, SGDFindsItsOwnConstants) {
  for (unsigned trial = 0; trial < 8; ++trial)
    check("skew.sgd", 1,
          {{"momentum", draw(0.5, 0.99)},
           {"dampening", trial % 4 == 3 ? draw(0.1, 0.9) : 0.0},
           {"nesterov", trial % 2 ? 1.0 : 0.0},
           {"weight_decay", trial % 3 ? draw(0.001, 0.3) : 0.0}},
          trial);
}

TEST_F(SolverTest, SGDWithoutState) {
  check("skew.sgd", 0, {{"weight_decay", 0.0}}, 1);
  check("skew.sgd", 0, {{"weight_decay", 0.01}}, 2);
}

TEST_F(SolverTest, RulesRefuseEachOther) {
  Constants sgd = {{"momentum", 0.9},
                   {"dampening", 0.0},
                   {"nesterov", 0.0},
                   {"weight_decay", 0.0}};
  RuleProbe probe(context, "skew.sgd", 1, sgd, 3);
  EXPECT_FALSE(LionOp::matchUpdate(probe).matched());
  Constants lion = {{"beta1", 0.9}, {"beta2", 0.99}, {"weight_decay", 0.0}};
  RuleProbe other(context, "skew.lion", 1, lion, 3);
  EXPECT_FALSE(SGDOp::matchUpdate(other).matched());
}
