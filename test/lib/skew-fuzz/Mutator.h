//===- Mutator.h - small changes of a module --------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_TEST_LIB_SKEW_FUZZ_MUTATOR_H
#define SKEW_TEST_LIB_SKEW_FUZZ_MUTATOR_H

#include "Random.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include <string>
#include <vector>

namespace mlir::skew::fuzz {

/// Applies mutations to one module. The result need not verify; operands are
/// nearly always values that dominate.
class Mutator {
public:
  Mutator(ModuleOp module, uint64_t seed);

  /// Applies one mutation of a random kind; its name, or empty if none could be
  /// applied.
  StringRef mutate();

private:
  using Kind = bool (Mutator::*)();
  struct Entry {
    StringLiteral name;
    Kind apply;
    unsigned weight;
  };
  static ArrayRef<Entry> getKinds();

  // Values (Mutator.cpp).
  bool swapOperands();
  bool replaceOperand();
  bool changeConstant();
  bool changeConstantKind();
  bool renameOp();
  bool changeAttribute();
  bool changeResultType();
  bool insertUnary();
  bool insertBinary();
  bool insertSelect();
  bool swapReturns();
  bool replaceReturn();

  // Structure (MutatorStructure.cpp).
  bool dropOp();
  bool duplicateOp();
  bool moveOp();
  bool wrapInCase();
  bool wrapInWhile();
  bool outline();
  bool inlineCall();
  bool callItself();
  bool splitBlock();
  bool addArgument();
  bool dropArgument();
  bool dropReturn();
  bool changeArgumentType();
  bool changeFunctionAttribute();
  bool changeVisibility();
  bool duplicateFunction();
  bool dropBody();

  void collect();
  Operation *pickOp();
  /// An op with one tensor result that is no terminator.
  Operation *pickTensorOp();
  func::FuncOp pickFunction();
  /// A value of `type` (any type if null) that can be used at `op`.
  Value pickValue(Operation *op, Type type);
  Operation *create(OpBuilder &builder, StringRef name, ValueRange operands,
                    TypeRange types, ArrayRef<NamedAttribute> attributes = {},
                    unsigned regions = 0);
  Value createSplat(OpBuilder &builder, Type type, double value);
  Attribute makeOddAttribute(Attribute old);
  Type makeOddType(Type old);
  double oddNumber();
  void removeAttribute(Operation *op, StringRef name);

  ModuleOp module;
  Random random;
  std::vector<Operation *> ops;
};

} // namespace mlir::skew::fuzz

#endif // SKEW_TEST_LIB_SKEW_FUZZ_MUTATOR_H
