//===- ParameterTable.h - the record of a function's parameters -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Raising writes one dictionary per trainable parameter into the function
// attribute `skew.parameters`; analyses add keys. This is the one reader.
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_DIALECT_SKEW_IR_PARAMETERTABLE_H
#define SKEW_DIALECT_SKEW_IR_PARAMETERTABLE_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "skew/Dialect/Skew/IR/Skew.h"

namespace mlir::skew {

/// A state tensor that a parameter had in the original graph.
struct OriginalState {
  StringRef component;
  int64_t argument = -1, result = -1;
  StringRef dtype;
  SmallVector<int64_t> shape;
  int64_t bytes = 0;
};

/// One entry of `skew.parameters`. Places are those of the original function.
class ParameterEntry {
public:
  explicit ParameterEntry(DictionaryAttr dictionary) : dictionary(dictionary) {}

  StringRef getName() const { return text("name"); }
  int64_t getArgument() const { return number("argument"); }
  int64_t getResult() const { return number("result"); }
  /// raised, declined or frozen.
  StringRef getStatus() const { return text("status"); }
  bool isRaised() const { return getStatus() == "raised"; }
  /// Why it is not raised; empty if it is.
  StringRef getReason() const { return text("reason"); }
  StringRef getRule() const { return text("rule"); }
  StringRef getGradient() const { return text("gradient"); }
  DictionaryAttr getHyperparameters() const {
    return dictionary.getAs<DictionaryAttr>("hyperparameters");
  }
  std::optional<Role> getRole() const;
  /// backbone, expert or router; backbone when no analysis has spoken.
  StringRef getTierClass() const;
  StringRef getRoleSource() const;
  StringRef getConfidence() const;
  StringRef getEvidence() const { return text("evidence"); }
  /// The split found by the analysis; null if it has not run.
  AxesAttr getAxes() const { return dictionary.getAs<AxesAttr>("axes"); }
  SmallVector<OriginalState> getStates() const;

private:
  StringRef text(StringRef key) const;
  int64_t number(StringRef key) const;
  DictionaryAttr dictionary;
};

/// The entries of `function`, in order; empty if it was never raised.
SmallVector<ParameterEntry> getParameterEntries(FunctionOpInterface function);

/// The split used where the structure is silent: the last two axes are the
/// matrix (row, column), all before are batch; a vector is one column.
AxesAttr getDefaultAxes(MLIRContext *context, unsigned rank);

/// Bytes of a statically shaped tensor type.
int64_t getSizeInBytes(Type type);

/// dtype names of reports and layouts: bf16, f32, i32, ui32, i1, ...
std::string getDtypeName(Type elementType);

} // namespace mlir::skew

#endif // SKEW_DIALECT_SKEW_IR_PARAMETERTABLE_H
