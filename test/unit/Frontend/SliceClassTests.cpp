//===- SliceClassTests.cpp - one answer for many parameters ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Slices of one class are probed once. A parameter that differs from its
// neighbours in the least thing must get the answer that it gets alone.
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Parser/Parser.h"
#include "skew/Dialect/Skew/IR/Skew.h"
#include "skew/Frontend/UpdateMatcher.h"
#include "gtest/gtest.h"
#include <map>

using namespace mlir;
using namespace mlir::skew;

namespace {

/// What one parameter's update is made of: names of values, or constants.
struct Spec {
  std::string size = "8", type = "f32";
  std::string beta1 = "0.9", rest1 = "0.1", beta2 = "0.95", rest2 = "0.05";
  std::string eps = "1.0e-8", decay = "0.1", term = "0.0";
  std::string rate = "%lr", counter = "%t";
  /// Suffix of the gradients in m and v; empty: the parameter's own.
  std::string gradientM, gradientV;
  /// The scalar that gradients are divided by.
  std::string norm = "%norm";
  /// The arguments that the moments are: own ones if empty.
  std::string oldM, oldV;
  /// m' passes through this type.
  std::string throughM;
  /// step - p instead of p - step.
  bool isReversed = false;
};

class Writer {
public:
  explicit Writer(std::vector<Spec> specs) : specs(std::move(specs)) {}

  std::string write() {
    std::string arguments, results, resultTypes;
    for (size_t i = 0; i < specs.size(); ++i)
      for (const char *what : {"p", "m", "v"}) {
        std::string type = tensor(
            specs[i], *what == 'p' ? specs[i].type : std::string("f32"));
        arguments += "%" + name(what, i) + ": " + type + ", ";
        results += "%new" + name(what, i) + ", ";
        resultTypes += type + ", ";
      }
    arguments += "%t: tensor<i32>, %t2: tensor<i32>, %lr: tensor<f32>, "
                 "%lr2: tensor<f32>";
    for (size_t i = 0; i < specs.size(); ++i) {
      std::string n = std::to_string(i);
      text += "  %raw" + n + " = \"model.gradient\"(%" + name("p", i) +
              ") : (" + tensor(specs[i], specs[i].type) + ") -> " +
              tensor(specs[i]) + "\n";
      text += "  %sq" + n + " = \"model.norm\"(%raw" + n + ") : (" +
              tensor(specs[i]) + ") -> tensor<f32>\n";
    }
    // Longer than what a class looks into.
    text += "  %one = " + constant("1.0", "tensor<f32>");
    std::string sum = "%sq0";
    for (unsigned i = 0; i < 40; ++i) {
      std::string next = "%sum" + std::to_string(i);
      std::string term = "%sq" + std::to_string(i % specs.size());
      text += "  " + next + " = " + binary("add", sum, term, "tensor<f32>");
      sum = next;
    }
    text += "  %norm = " + binary("maximum", sum, "%one", "tensor<f32>");
    text += "  %two = " + constant("2.0", "tensor<f32>");
    text += "  %norm2 = " + binary("maximum", sum, "%two", "tensor<f32>");
    for (const char *t : {"t", "t2"}) {
      std::string n = t;
      text += "  %inc" + n + " = " + constant("1", "tensor<i32>");
      text += "  %next" + n + " = " +
              binary("add", "%" + n, "%inc" + n, "tensor<i32>");
      text += "  %float" + n + " = \"stablehlo.convert\"(%next" + n +
              ") : (tensor<i32>) -> tensor<f32>\n";
    }
    for (size_t i = 0; i < specs.size(); ++i)
      writeGradient(i);
    for (size_t i = 0; i < specs.size(); ++i)
      writeUpdate(i);
    results += "%nextt, %nextt2";
    resultTypes += "tensor<i32>, tensor<i32>";
    return "func.func @main(" + arguments + ") -> (" + resultTypes + ") {\n" +
           text + "  return " + results + " : " + resultTypes + "\n}\n";
  }

private:
  static std::string tensor(const Spec &spec, StringRef element = "f32") {
    return ("tensor<" + spec.size + "x" + element + ">").str();
  }
  static std::string name(StringRef what, size_t i) {
    return (what + std::to_string(i)).str();
  }
  static std::string constant(StringRef value, StringRef type) {
    return ("\"stablehlo.constant\"() <{value = dense<" + value + "> : " +
            type + "}> : () -> " + type + "\n")
        .str();
  }
  static std::string binary(StringRef op, StringRef x, StringRef y,
                            StringRef type) {
    return ("\"stablehlo." + op + "\"(" + x + ", " + y + ") : (" + type +
            ", " + type + ") -> " + type + "\n")
        .str();
  }

  std::string fresh() { return "%x" + std::to_string(next++); }
  std::string emit(const std::string &op) {
    std::string result = fresh();
    text += "  " + result + " = " + op;
    return result;
  }
  std::string op(StringRef name, StringRef x, StringRef y, StringRef type) {
    return emit(binary(name, x, y, type));
  }
  std::string wide(StringRef scalar, const Spec &spec) {
    return emit(("\"stablehlo.broadcast_in_dim\"(" + scalar +
                 ") <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> " +
                 tensor(spec) + "\n")
                    .str());
  }
  std::string number(StringRef value, const Spec &spec) {
    return emit(constant(value, tensor(spec)));
  }
  std::string cast(StringRef x, const Spec &spec, StringRef from,
                   StringRef to) {
    return emit(("\"stablehlo.convert\"(" + x + ") : (" + tensor(spec, from) +
                 ") -> " + tensor(spec, to) + "\n")
                    .str());
  }

  void writeGradient(size_t i) {
    const Spec &spec = specs[i];
    std::string n = std::to_string(i);
    gradients.push_back(op("divide", "%raw" + n, wide(spec.norm, spec),
                           tensor(spec)));
  }

  std::string correction(StringRef beta, const Spec &spec) {
    std::string base = emit(constant(beta, "tensor<f32>"));
    std::string exponent = "%float" + spec.counter.substr(1);
    std::string power = op("power", base, exponent, "tensor<f32>");
    return wide(op("subtract", "%one", power, "tensor<f32>"), spec);
  }

  void writeUpdate(size_t i) {
    const Spec &spec = specs[i];
    std::string type = tensor(spec), own = std::to_string(i);
    auto gradient = [&](const std::string &of) {
      return gradients[std::stoi(of.empty() ? own : of)];
    };
    std::string g = gradient(spec.gradientM), h = gradient(spec.gradientV);
    std::string m = spec.oldM.empty() ? "%" + name("m", i) : spec.oldM;
    std::string v = spec.oldV.empty() ? "%" + name("v", i) : spec.oldV;
    std::string newM =
        op("add", op("multiply", number(spec.beta1, spec), m, type),
           op("multiply", number(spec.rest1, spec), g, type), type);
    if (!spec.throughM.empty())
      newM = cast(cast(newM, spec, "f32", spec.throughM), spec, spec.throughM,
                  "f32");
    std::string newV = op(
        "add", op("multiply", number(spec.beta2, spec), v, type),
        op("multiply", number(spec.rest2, spec), op("multiply", h, h, type),
           type),
        type);
    std::string top = op("divide", newM, correction(spec.beta1, spec), type);
    std::string bottom =
        op("divide", newV, correction(spec.beta2, spec), type);
    bottom = emit("\"stablehlo.sqrt\"(" + bottom + ") : (" + type + ") -> " +
                  type + "\n");
    bottom = op("add", bottom, number(spec.eps, spec), type);
    std::string p = "%" + name("p", i);
    if (spec.type != "f32")
      p = cast(p, spec, spec.type, "f32");
    std::string step =
        op("add", op("divide", top, bottom, type),
           op("multiply", number(spec.decay, spec), p, type), type);
    step = op("multiply", wide(spec.rate, spec), step, type);
    std::string newP = spec.isReversed ? op("subtract", step, p, type)
                                       : op("subtract", p, step, type);
    if (spec.term != "0.0")
      newP = op("add", newP, op("multiply", number(spec.term, spec), g, type),
                type);
    if (spec.type != "f32")
      newP = cast(newP, spec, "f32", spec.type);
    // Names of their own, so that the return is simple.
    for (auto [what, value, element] :
         {std::tuple("p", newP, spec.type), std::tuple("m", newM, std::string("f32")),
          std::tuple("v", newV, std::string("f32"))})
      text += "  %new" + name(what, i) + " = \"stablehlo.reshape\"(" + value +
              ") : (" + tensor(spec, element) + ") -> " +
              tensor(spec, element) + "\n";
  }

  std::vector<Spec> specs;
  std::vector<std::string> gradients;
  std::string text;
  unsigned next = 0;
};

std::string print(const MatchedScalar &scalar) {
  return scalar.constant ? std::to_string(*scalar.constant)
                         : (scalar.negated ? "-" : "") +
                               std::to_string(scalar.scalar);
}

class SliceClassTest : public ::testing::Test {
protected:
  SliceClassTest() {
    context.allowUnregisteredDialects();
    context.loadDialect<arith::ArithDialect, func::FuncDialect,
                        math::MathDialect, SkewDialect>();
  }

  /// By parameter (of three arguments each), all that is found about it.
  std::map<unsigned, std::string> match(ModuleOp module, bool shareClasses) {
    SymbolTableCollection symbols;
    auto function = mlir::cast<FunctionOpInterface>(module.getBody()->front());
    SliceGraph graph(function, symbols);
    MatchOptions options;
    options.shareClasses = shareClasses;
    FunctionMatch found = matchFunction(graph, options);
    std::map<unsigned, std::string> result;
    for (const RaisedUpdate &update : found.raised) {
      std::string &text = result[update.parameter.argument / 3];
      text = update.rule.getStringRef().str();
      for (const CarriedTensor &state : update.states)
        text += " state " + std::to_string(state.argument) + "->" +
                std::to_string(state.result);
      for (const auto &[name, value] : update.match.hyperparameters)
        text += " " + name + "=" + print(value);
      text += " rate=" + print(update.match.learningRate) +
              " step=" + print(update.match.step) +
              " gradient=" + std::to_string(update.match.gradient) +
              (update.scaledByReduction ? " scaled" : "");
    }
    for (const DeclinedParameter &declined : found.declined)
      result[declined.parameter.argument / 3] = "declined: " + declined.reason;
    return result;
  }

  /// The answers with classes, checked to be those without.
  std::map<unsigned, std::string> check(std::vector<Spec> specs) {
    std::string text = Writer(std::move(specs)).write();
    OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(text, &context);
    EXPECT_TRUE(module) << text;
    if (!module)
      return {};
    std::map<unsigned, std::string> shared = match(*module, true);
    EXPECT_EQ(shared, match(*module, false));
    return shared;
  }

  /// Answers for a usual parameter on each side of `odd`.
  std::map<unsigned, std::string> checkBetween(const Spec &odd) {
    return check({Spec(), Spec(), odd, Spec()});
  }

  static void expectRaised(const std::map<unsigned, std::string> &answers,
                           unsigned parameter) {
    auto it = answers.find(parameter);
    ASSERT_NE(it, answers.end());
    EXPECT_EQ(it->second.rfind("skew.adamw", 0), 0u) << it->second;
  }
  static void expectDeclined(const std::map<unsigned, std::string> &answers,
                             unsigned parameter, StringRef reason) {
    auto it = answers.find(parameter);
    ASSERT_NE(it, answers.end());
    EXPECT_TRUE(StringRef(it->second).starts_with("declined: ") &&
                StringRef(it->second).contains(reason))
        << it->second;
  }
  static void
  expectOthersRaised(const std::map<unsigned, std::string> &answers) {
    for (unsigned parameter : {0u, 1u, 3u})
      expectRaised(answers, parameter);
  }

  MLIRContext context;
};

/// The value behind ` key=` in an answer.
std::string find(const std::string &answer, StringRef key) {
  StringRef rest = StringRef(answer).split((" " + key + "=").str()).second;
  return rest.split(' ').first.str();
}

} // namespace

TEST_F(SliceClassTest, EqualSlicesShareTheAnswer) {
  Spec other;
  other.size = "3x5";
  auto answers = check({Spec(), other, Spec(), other});
  for (unsigned parameter = 0; parameter < 4; ++parameter)
    expectRaised(answers, parameter);
  EXPECT_NE(find(answers[0], "gradient"), find(answers[2], "gradient"));
  EXPECT_EQ(find(answers[0], "rate"), find(answers[2], "rate"));
}

TEST_F(SliceClassTest, AnotherLearningRate) {
  Spec odd;
  odd.rate = "%lr2";
  auto answers = checkBetween(odd);
  expectOthersRaised(answers);
  expectRaised(answers, 2);
  EXPECT_EQ(find(answers[0], "rate"), find(answers[3], "rate"));
  EXPECT_NE(find(answers[0], "rate"), find(answers[2], "rate"));
}

TEST_F(SliceClassTest, AnotherCounter) {
  Spec odd;
  odd.counter = "%t2";
  auto answers = checkBetween(odd);
  expectOthersRaised(answers);
  expectRaised(answers, 2);
  EXPECT_NE(find(answers[0], "step"), find(answers[2], "step"));
}

TEST_F(SliceClassTest, AnotherConstant) {
  Spec odd;
  odd.beta2 = "0.951";
  odd.rest2 = "0.049";
  auto answers = checkBetween(odd);
  expectOthersRaised(answers);
  expectRaised(answers, 2);
  EXPECT_EQ(find(answers[2], "beta2"), "0.951000");
  EXPECT_EQ(find(answers[3], "beta2"), "0.950000");
}

TEST_F(SliceClassTest, ConstantsAlone) {
  Spec first, second;
  first.eps = "2.0e-3";
  second.eps = "3.0e-3";
  auto answers = check({Spec(), first, second, Spec()});
  EXPECT_EQ(find(answers[1], "eps"), "0.002000");
  EXPECT_EQ(find(answers[2], "eps"), "0.003000");
}

TEST_F(SliceClassTest, AConstantThatDoesNotFit) {
  Spec odd;
  odd.rest1 = "0.1001";
  auto answers = checkBetween(odd);
  expectOthersRaised(answers);
  expectDeclined(answers, 2, "");
}

TEST_F(SliceClassTest, ATermBelowEveryTolerance) {
  Spec odd;
  odd.term = "1.0e-14";
  auto answers = checkBetween(odd);
  expectOthersRaised(answers);
  expectDeclined(answers, 2, "enters the step");
}

TEST_F(SliceClassTest, AnotherFormat) {
  Spec odd;
  odd.throughM = "bf16";
  auto answers = checkBetween(odd);
  expectOthersRaised(answers);
  expectDeclined(answers, 2, "rounded to bf16");
}

TEST_F(SliceClassTest, FormatsAlone) {
  // Equal but for the format that both are refused for.
  Spec bf16, f16;
  bf16.throughM = "bf16";
  f16.throughM = "f16";
  auto answers = check({Spec(), bf16, bf16, f16});
  expectDeclined(answers, 2, "rounded to bf16");
  expectDeclined(answers, 3, "rounded to f16");
}

TEST_F(SliceClassTest, SwappedOperands) {
  Spec odd;
  odd.isReversed = true;
  auto answers = checkBetween(odd);
  expectOthersRaised(answers);
  expectDeclined(answers, 2, "");
}

TEST_F(SliceClassTest, AnotherTypeOfParameter) {
  Spec odd;
  odd.type = "bf16";
  auto answers = checkBetween(odd);
  expectOthersRaised(answers);
  expectRaised(answers, 2);
}

TEST_F(SliceClassTest, TheGradientOfANeighbourInOneMoment) {
  // The same leaves as a whole, but not in the same places.
  Spec odd;
  odd.gradientV = "1";
  auto answers = checkBetween(odd);
  expectOthersRaised(answers);
  expectDeclined(answers, 2, "");
}

TEST_F(SliceClassTest, TheGradientOfANeighbourInBoth) {
  Spec odd;
  odd.gradientM = odd.gradientV = "1";
  auto answers = checkBetween(odd);
  expectOthersRaised(answers);
  expectRaised(answers, 2);
  EXPECT_EQ(find(answers[2], "gradient"), find(answers[1], "gradient"));
}

TEST_F(SliceClassTest, SwappedMoments) {
  Spec odd;
  odd.oldM = "%v2";
  odd.oldV = "%m2";
  auto answers = checkBetween(odd);
  expectOthersRaised(answers);
  // The results come in the order m, v: each reads the other's argument.
  EXPECT_TRUE(StringRef(answers[2]).contains("state 8->7 state 7->8"))
      << answers[2];
}

TEST_F(SliceClassTest, TheMomentOfANeighbour) {
  Spec odd;
  odd.oldV = "%v1";
  auto answers = checkBetween(odd);
  expectRaised(answers, 0);
  expectRaised(answers, 3);
  EXPECT_FALSE(StringRef(answers[2]).starts_with("skew.adamw")) << answers[2];
}

TEST_F(SliceClassTest, AnotherNorm) {
  Spec odd;
  odd.norm = "%norm2";
  auto answers = checkBetween(odd);
  expectOthersRaised(answers);
  expectRaised(answers, 2);
}

TEST_F(SliceClassTest, TheNormOfItsOwnGradient) {
  // Small enough to be looked into: one class for all.
  std::vector<Spec> specs(4);
  for (unsigned i = 0; i < 4; ++i)
    specs[i].norm = "%sq" + std::to_string(i);
  auto answers = check(specs);
  for (unsigned parameter = 0; parameter < 4; ++parameter)
    expectRaised(answers, parameter);
  // Its neighbour's norm scales as well as its own, in one moment or both.
  specs[2].norm = "%sq1";
  answers = check(specs);
  for (unsigned parameter = 0; parameter < 4; ++parameter)
    expectRaised(answers, parameter);
}

TEST_F(SliceClassTest, ParametersOfOneElement) {
  Spec scalar, odd;
  scalar.size = odd.size = "1";
  odd.beta2 = "0.951";
  odd.rest2 = "0.049";
  check({scalar, Spec(), odd, scalar});
}

TEST_F(SliceClassTest, RefusalsNameTheirOwnLeaves) {
  Spec odd;
  odd.gradientV = "0";
  auto answers = check({Spec(), odd, odd, Spec()});
  expectRaised(answers, 0);
  expectDeclined(answers, 1, "");
  EXPECT_EQ(answers[1], answers[2]);
}
