//===- Evaluator.h - what a graph computes, in fp64 -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates functions before and after raising. It shares no code with the
// frontend or the reference interpreter: a mistake there would be invisible
// otherwise. Update ops follow the formulas of the dialect's documentation.
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_TEST_LIB_SKEW_FUZZ_EVALUATOR_H
#define SKEW_TEST_LIB_SKEW_FUZZ_EVALUATOR_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <map>
#include <optional>
#include <vector>

namespace mlir::skew::fuzz {

/// `value` truncated and saturated, as XLA does; 0 for a NaN.
int64_t toInteger(double value);

/// Elements of a tensor, row-major: all of them up to `kMaxElements`, else
/// `kSampled` that stand for all. Integers are kept apart from floats.
struct Elements {
  bool isInteger = false;
  std::vector<double> f;
  std::vector<int64_t> i;

  size_t size() const { return isInteger ? i.size() : f.size(); }
  double asDouble(size_t at) const {
    at = size() == 1 ? 0 : at;
    return isInteger ? double(i[at]) : f[at];
  }
  int64_t asInteger(size_t at) const;
};

inline constexpr int64_t kMaxElements = 64;
inline constexpr size_t kSampled = 8;

/// How many elements stand for a value of `type`; 1 for what is no tensor.
size_t countElements(Type type);
bool isIntegerType(Type type);
/// `value` as the integer type keeps it.
int64_t wrapInteger(int64_t value, Type type);

/// The elementwise op `name` (without its dialect) on `operands`, as `type`;
/// nothing if it is not known or operands do not fit.
std::optional<Elements> computeElementwise(StringRef name, StringRef direction,
                                           ArrayRef<const Elements *> operands,
                                           Type operandType, Type type);

/// The results of an update op by its documented formula; nothing for ops that
/// are none. `lowestStep` becomes the least step that was seen.
std::optional<std::vector<Elements>>
computeUpdate(Operation *op, ArrayRef<const Elements *> operands,
              double &lowestStep);

/// Hashes of attributes, which last as long as the context.
using AttributeHashes = DenseMap<Attribute, uint64_t>;

class Evaluator {
public:
  Evaluator(ModuleOp module, AttributeHashes &attributeHashes)
      : module(module), symbols(module), attributeHashes(attributeHashes) {}

  /// Results of `function`; nothing if control flow is not structured or the
  /// work exceeds a bound.
  std::optional<std::vector<Elements>> run(FunctionOpInterface function,
                                           ArrayRef<Elements> arguments);
  /// The least step any update was given.
  double getLowestStep() const { return lowestStep; }

private:
  using Values = std::vector<Elements>;
  bool runBlock(Block &block, ArrayRef<Elements> arguments, Values &results);
  bool runOp(Operation *op, Values &results);
  bool runWhile(Operation *op, Values &results);
  bool runManual(Operation *op, Values &results);
  std::optional<Elements> runConstant(Operation *op);
  std::optional<Elements> runLayout(Operation *op, StringRef name);
  std::optional<Elements> runGeneric(Operation *op, unsigned result);
  /// A smooth function of all operands and captured values that depends on the
  /// op's name, attributes and regions: stands for what is not elementwise.
  Elements runOpaque(Operation *op, unsigned result);
  Elements makeOpaque(uint64_t key, ArrayRef<const Elements *> operands,
                      Type type, bool positive);
  uint64_t hashOp(Operation *op);
  uint64_t hashAttributes(Operation *op);
  const Elements *get(Value value);
  bool step() { return ++work < 200000; }

  ModuleOp module;
  SymbolTable symbols;
  DenseMap<Value, Elements> values;
  AttributeHashes &attributeHashes;
  unsigned depth = 0, work = 0;
  double lowestStep = 1e300;
};

} // namespace mlir::skew::fuzz

#endif // SKEW_TEST_LIB_SKEW_FUZZ_EVALUATOR_H
