//===- TestRoles.cpp - print roles without raising ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Pass/Pass.h"
#include "skew/Analysis/RoleAnalysis.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace {

/// Prints the roles of all arguments that look like parameters.
class TestRoles : public PassWrapper<TestRoles, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TestRoles)

  TestRoles() = default;
  TestRoles(const TestRoles &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "skew-test-roles"; }
  StringRef getDescription() const override {
    return "print roles and axes of arguments that look like parameters";
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<skew::SkewDialect>();
  }

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!function.isPublic() || function.isExternal())
        continue;
      SmallVector<unsigned> arguments =
          skew::RoleAnalysis::guessParameters(function);
      if (asListed.hasValue())
        arguments.assign(asListed.begin(), asListed.end());
      llvm::outs() << "roles of @" << function.getSymName() << '\n';
      skew::RoleAnalysis analysis(function, arguments);
      if (hideLoss && analysis.lossResult()) {
        std::pair<unsigned, unsigned> state{0, *analysis.lossResult()};
        skew::RoleAnalysis(function, arguments, state).print(llvm::outs());
        continue;
      }
      analysis.print(llvm::outs());
    }
    markAllAnalysesPreserved();
  }

  ListOption<unsigned> asListed{
      *this, "parameters",
      llvm::cl::desc("argument numbers, instead of those that look like it")};
  Option<bool> hideLoss{
      *this, "hide-loss",
      llvm::cl::desc("call the loss a part of the state, so that it is not "
                     "looked at")};
};

} // namespace

namespace mlir::skew::test {
void registerTestRoles() { PassRegistration<TestRoles>(); }
} // namespace mlir::skew::test
