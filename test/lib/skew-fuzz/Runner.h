//===- Runner.h - sends one mutant through the compiler ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_TEST_LIB_SKEW_FUZZ_RUNNER_H
#define SKEW_TEST_LIB_SKEW_FUZZ_RUNNER_H

#include "Evaluator.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Pass/PassManager.h"
#include <map>
#include <memory>
#include <set>

namespace mlir::skew::fuzz {

enum class Verdict {
  /// Does not parse or verify.
  Invalid,
  /// A pass refused it.
  Refused,
  /// Went through, nothing raised.
  Unraised,
  /// Raised, and equal to what it was.
  Equal,
  /// Raised, but could not be evaluated.
  NotEvaluated,
  /// Raised, and something else than it was: a defect.
  Unequal,
};
StringRef stringify(Verdict verdict);
inline constexpr unsigned kNumVerdicts = 6;

struct Outcome {
  Verdict verdict = Verdict::Invalid;
  /// For `Unequal`: which value differs.
  std::string detail;
  /// Diagnostics, reasons of declined parameters, rules of raised ones.
  std::vector<std::string> messages;
};

class Runner {
public:
  /// Where to tell that MLIR's own readers are at work, for who finds the
  /// process dead.
  bool *reading = nullptr;
  explicit Runner(MLIRContext &context);

  /// Everything on a module in memory. `whole` leaves out some of the work on
  /// large ones, by `seed`.
  Outcome runModule(ModuleOp mutant, uint64_t seed, bool whole);
  /// Text or bytecode.
  Outcome runText(StringRef contents, uint64_t seed, bool whole);
  /// One pipeline on a copy of `module`.
  Outcome runPipeline(StringRef pipeline, ModuleOp module);

private:
  LogicalResult run(StringRef pipeline, ModuleOp module);
  /// What the raised module tells about how exactly it can be compared.
  struct Facts {
    /// A unit in the last place of the coarsest type that updates have.
    double ulp = 0.0;
    std::set<int64_t> secondMoments;
    /// Points at which an update would have counted a step below 1.
    std::set<std::pair<std::string, unsigned>> unusable;
  };
  void collectFacts(ModuleOp raised);
  /// Fills in verdict and detail.
  void compare(ModuleOp original, ModuleOp raised, uint64_t seed,
               StringRef stage, unsigned points, Outcome &outcome);
  void noteParameters(ModuleOp raised, Outcome &outcome);

  MLIRContext &context;
  std::map<std::string, std::unique_ptr<PassManager>> managers;
  std::vector<std::string> diagnostics;
  Facts facts;
  AttributeHashes attributeHashes;
};

} // namespace mlir::skew::fuzz

#endif // SKEW_TEST_LIB_SKEW_FUZZ_RUNNER_H
