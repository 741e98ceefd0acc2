//===- Runner.cpp - sends one mutant through the compiler -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Runner.h"
#include "Random.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassRegistry.h"
#include "skew/Dialect/Skew/IR/Skew.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::skew;
using namespace mlir::skew::fuzz;

static constexpr unsigned kPoints = 4;

StringRef mlir::skew::fuzz::stringify(Verdict verdict) {
  switch (verdict) {
  case Verdict::Invalid:
    return "invalid";
  case Verdict::Refused:
    return "refused";
  case Verdict::Unraised:
    return "unraised";
  case Verdict::Equal:
    return "equal";
  case Verdict::NotEvaluated:
    return "not-evaluated";
  case Verdict::Unequal:
    return "unequal";
  }
  return "";
}

Runner::Runner(MLIRContext &context) : context(context) {}

LogicalResult Runner::run(StringRef pipeline, ModuleOp module) {
  std::unique_ptr<PassManager> &manager = managers[pipeline.str()];
  if (!manager) {
    manager = std::make_unique<PassManager>(
        &context, ModuleOp::getOperationName(), PassManager::Nesting::Explicit);
    std::string errors;
    llvm::raw_string_ostream os(errors);
    FailureOr<OpPassManager> parsed = parsePassPipeline(pipeline, os);
    if (failed(parsed) || parsed->getOpAnchorName() != "builtin.module") {
      manager.reset();
      managers.erase(pipeline.str());
      diagnostics.push_back("pipeline: " + errors);
      return failure();
    }
    static_cast<OpPassManager &>(*manager) = std::move(*parsed);
    manager->enableVerifier();
  }
  return manager->run(module);
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

namespace {

/// What the arguments of one evaluation are drawn from.
struct PointRandom {
  Random random;
  bool wholeScalars;
  explicit PointRandom(uint64_t seed)
      : random(seed), wholeScalars(random.oneIn(2)) {}

  double wide() {
    if (random.oneIn(10))
      return 0.0;
    double size = std::pow(10.0, 7.0 * random.unit() - 4.0);
    return random.oneIn(2) ? size : -size;
  }

  Elements draw(Type type, bool nonNegative) {
    Elements elements;
    size_t count = countElements(type);
    elements.isInteger = isIntegerType(type);
    static constexpr int64_t steps[] = {0, 1, 2, 5, 59, 999, 12344, 99999};
    for (size_t at = 0; at < count; ++at) {
      if (elements.isInteger) {
        int64_t value = count == 1 ? random.pick(steps)
                                   : int64_t(random.below(9));
        if (getElementTypeOrSelf(type).isInteger(1))
          value = int64_t(random.below(2));
        elements.i.push_back(wrapInteger(value, type));
      } else if (count == 1) {
        elements.f.push_back(wholeScalars ? double(1 + random.below(100))
                                          : 0.05 + 0.9 * random.unit());
      } else {
        double value = wide();
        elements.f.push_back(nonNegative ? std::fabs(value) : value);
      }
    }
    return elements;
  }
};

/// How far a result may be off: constants of the graph's precision.
struct Tolerance {
  /// The argument that the result is the next value of.
  int64_t argument = -1;
  bool isParameter = false;
};

} // namespace

static double getUlp(Type type) {
  auto element = dyn_cast_or_null<FloatType>(getElementTypeOrSelf(type));
  if (!element)
    return 0.0;
  return std::ldexp(1.0, 1 - int(APFloat::semanticsPrecision(
                             element.getFloatSemantics())));
}

void Runner::collectFacts(ModuleOp raised) {
  facts = Facts();
  facts.ulp = std::ldexp(1.0, -23);
  raised->walk([&](UpdateOpInterface update) {
    for (Type type : update->getOperandTypes())
      if (cast<RankedTensorType>(type).getRank() != 0)
        facts.ulp = std::max(facts.ulp, getUlp(type));
    if (auto adamw = dyn_cast<AdamWOp>(*update))
      if (auto argument = dyn_cast<BlockArgument>(adamw.getState()[1]))
        facts.secondMoments.insert(argument.getArgNumber());
  });
}

void Runner::compare(ModuleOp original, ModuleOp raised, uint64_t seed,
                     StringRef stage, unsigned points, Outcome &outcome) {
  for (auto function : original.getOps<FunctionOpInterface>()) {
    if (function.isExternal() || function.isPrivate())
      continue;
    Operation *symbol = raised.lookupSymbol(function.getName());
    auto other = dyn_cast_or_null<FunctionOpInterface>(symbol);
    if (!other || other.getArgumentTypes() != function.getArgumentTypes()) {
      outcome.verdict = Verdict::Unequal;
      outcome.detail = "signature of " + function.getName().str();
      return;
    }
    SmallVector<Tolerance> tolerances(function.getNumResults());
    auto place = [&](DictionaryAttr entry, bool isParameter) {
      auto argument = entry.getAs<IntegerAttr>("argument");
      auto result = entry.getAs<IntegerAttr>("result");
      if (argument && result && result.getInt() < int64_t(tolerances.size()))
        tolerances[result.getInt()] = {argument.getInt(), isParameter};
    };
    if (auto parameters =
            other->getAttrOfType<ArrayAttr>(SkewDialect::kParametersAttr))
      for (Attribute attr : parameters)
        if (auto entry = dyn_cast<DictionaryAttr>(attr)) {
          place(entry, true);
          if (auto states = entry.getAs<ArrayAttr>("states"))
            for (Attribute state : states)
              if (auto dictionary = dyn_cast<DictionaryAttr>(state))
                place(dictionary, false);
        }

    for (unsigned point = 0; point < points; ++point) {
      PointRandom random(mix(seed, point));
      std::vector<Elements> arguments;
      for (auto [number, type] : llvm::enumerate(function.getArgumentTypes()))
        arguments.push_back(random.draw(type, facts.secondMoments.count(number)));
      Evaluator before(original, attributeHashes),
          after(raised, attributeHashes);
      auto wanted = before.run(function, arguments);
      if (!wanted) {
        if (outcome.verdict != Verdict::Equal)
          outcome.verdict = Verdict::NotEvaluated;
        break;
      }
      auto got = after.run(other, arguments);
      if (!got || got->size() != wanted->size()) {
        outcome.verdict = Verdict::Unequal;
        outcome.detail = (stage + ": cannot be evaluated any more").str();
        return;
      }
      // Updates count steps from 1.
      auto key = std::pair(function.getName().str(), point);
      if (after.getLowestStep() < 1.0)
        facts.unusable.insert(key);
      if (facts.unusable.count(key))
        continue;
      for (unsigned result = 0; result < wanted->size(); ++result) {
        const Elements &x = (*wanted)[result], &y = (*got)[result];
        const Tolerance &tolerance = tolerances[result];
        for (size_t at = 0; at < std::min(x.size(), y.size()); ++at) {
          double a = x.asDouble(at), b = y.asDouble(at), bound;
          if (tolerance.argument < 0 ||
              tolerance.argument >= int64_t(arguments.size()) ||
              arguments[tolerance.argument].size() != x.size()) {
            bound = 1e-3 * std::fabs(a) + 1e-3;
          } else {
            const Elements &from = arguments[tolerance.argument];
            double old = from.asDouble(at);
            bound = tolerance.isParameter
                        ? std::max(2e-4, 4.0 * facts.ulp) * std::fabs(a - old) +
                              (4e-7 + facts.ulp * 1e-2) * std::fabs(old)
                        : std::max(2e-6, 4.0 * facts.ulp) *
                              (std::fabs(a) + std::fabs(old));
          }
          bool same = std::isfinite(a) == std::isfinite(b) &&
                      (!std::isfinite(a) || std::fabs(a - b) <= bound + 1e-30);
          if (same)
            continue;
          outcome.verdict = Verdict::Unequal;
          outcome.detail =
              llvm::formatv("{0}: @{1} result {2}[{3}] is {4:e9}, was {5:e9} "
                            "(bound {6:e3}, point {7})",
                            stage, function.getName(), result, at, b, a, bound,
                            point)
                  .str();
          return;
        }
      }
    }
  }
  if (outcome.verdict != Verdict::NotEvaluated)
    outcome.verdict = Verdict::Equal;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

void Runner::noteParameters(ModuleOp raised, Outcome &outcome) {
  for (auto function : raised.getOps<FunctionOpInterface>())
    if (auto parameters =
            function->getAttrOfType<ArrayAttr>(SkewDialect::kParametersAttr))
      for (Attribute attr : parameters) {
        auto entry = dyn_cast<DictionaryAttr>(attr);
        if (!entry)
          continue;
        if (auto reason = entry.getAs<StringAttr>("reason"))
          outcome.messages.push_back("declined: " + reason.getValue().str());
        if (auto rule = entry.getAs<StringAttr>("rule"))
          outcome.messages.push_back("raised: " + rule.getValue().str());
      }
}

Outcome Runner::runModule(ModuleOp mutant, uint64_t seed, bool whole) {
  Outcome outcome;
  diagnostics.clear();
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      diagnostics.push_back(diagnostic.str());
    return success();
  });
  auto finish = [&](Verdict verdict) {
    outcome.verdict = verdict;
    for (std::string &text : diagnostics)
      outcome.messages.push_back("error: " + text);
    return outcome;
  };
  if (failed(verify(mutant)))
    return finish(Verdict::Invalid);

  Random random(mix(seed, 0x52554E));
  OwningOpRef<ModuleOp> raised(cast<ModuleOp>(mutant->clone()));
  if (failed(run("builtin.module(skew-raise,skew-annotate-roles)", *raised)))
    return finish(Verdict::Refused);
  noteParameters(*raised, outcome);
  bool anyRaised = false;
  raised->walk([&](UpdateOpInterface) { anyRaised = true; });
  outcome.verdict = Verdict::Unraised;
  bool was = false;
  mutant->walk([&](UpdateOpInterface) { was = true; });
  collectFacts(*raised);
  if (anyRaised)
    compare(mutant, *raised, seed, "raise", whole ? 3 : kPoints, outcome);
  if (outcome.verdict == Verdict::Unequal)
    return finish(Verdict::Unequal);

  Verdict verdict = outcome.verdict;
  bool lowers = (anyRaised || was) && (!whole || random.oneIn(4));
  if (lowers) {
    OwningOpRef<ModuleOp> lowered(cast<ModuleOp>((*raised)->clone()));
    if (failed(run("builtin.module(skew-place-state{policy=keep},skew-rewrite-"
                   "updates,skew-decompose-updates,convert-skew-to-stablehlo)",
                   *lowered)))
      return finish(Verdict::Refused);
    if (!was && verdict == Verdict::Equal)
      compare(mutant, *lowered, seed, "lowered", 2, outcome);
    if (outcome.verdict == Verdict::Unequal)
      return finish(Verdict::Unequal);
  }
  if (random.oneIn(4)) {
    static constexpr StringLiteral options[] = {
        "", " numerics=published", " rounding=stochastic seed=-1",
        " rounding=nearest rms-clip=off", " rms-clip=tensor", " budget=1000"};
    std::string pipeline =
        ("builtin.module(skew-place-state{policy=paper" + random.pick(options) +
         "},skew-rewrite-updates,skew-detect-hazards,skew-record-outputs," +
         (random.oneIn(2) ? "canonicalize,cse," : "") +
         "skew-decompose-updates,convert-skew-to-stablehlo,skew-strip)")
            .str();
    OwningOpRef<ModuleOp> placed(cast<ModuleOp>((*raised)->clone()));
    if (succeeded(run(pipeline, *placed)) && failed(verify(*placed)))
      return finish(Verdict::Unequal);
  }
  // Text and bytecode of what was raised, now and then.
  if (random.oneIn(whole ? 40 : 16)) {
    std::string text;
    llvm::raw_string_ostream os(text);
    if (random.oneIn(2))
      (*raised)->print(os, OpPrintingFlags().printGenericOpForm(
                               random.oneIn(2)));
    else if (failed(writeBytecodeToFile(*raised, os)))
      return finish(verdict);
    OwningOpRef<ModuleOp> again =
        parseSourceString<ModuleOp>(text, ParserConfig(&context));
    if (!again)
      outcome.messages.push_back("does not read back");
  }
  return finish(verdict);
}

Outcome Runner::runText(StringRef contents, uint64_t seed, bool whole) {
  Outcome outcome;
  OwningOpRef<ModuleOp> module;
  {
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        outcome.messages.push_back("error: " + diagnostic.str());
      return success();
    });
    if (reading)
      *reading = true;
    module = parseSourceString<ModuleOp>(contents, ParserConfig(&context));
    if (reading)
      *reading = false;
  }
  if (!module)
    return outcome;
  return runModule(*module, seed, whole);
}

Outcome Runner::runPipeline(StringRef pipeline, ModuleOp module) {
  Outcome outcome;
  diagnostics.clear();
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
      diagnostics.push_back(diagnostic.str());
    return success();
  });
  OwningOpRef<ModuleOp> copy(cast<ModuleOp>(module->clone()));
  outcome.verdict = succeeded(run(pipeline, *copy)) ? Verdict::Unraised
                                                    : Verdict::Refused;
  if (managers.size() > 64)
    managers.clear();
  for (std::string &text : diagnostics)
    outcome.messages.push_back("error: " + text);
  return outcome;
}
