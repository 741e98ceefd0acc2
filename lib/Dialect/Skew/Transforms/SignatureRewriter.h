//===- SignatureRewriter.h - change a step's arguments, results -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_LIB_DIALECT_SKEW_TRANSFORMS_SIGNATUREREWRITER_H
#define SKEW_LIB_DIALECT_SKEW_TRANSFORMS_SIGNATUREREWRITER_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include "skew/Dialect/Skew/IR/Skew.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::skew {

/// Replaces arguments and results of a function by others in the same places.
/// Requests are collected, `apply` carries them out at once: block arguments,
/// return operands, function type, argument and result attributes (donation,
/// sharding, names) and locations change together.
class SignatureRewriter {
public:
  explicit SignatureRewriter(FunctionOpInterface function);

  /// One tensor in the place of an old one.
  struct Replacement {
    StateComponent component;
    /// Axes of the old tensor that it has, for its sharding.
    SmallVector<int64_t> axes;
  };

  /// Makes the arguments that stand in for `argument` (none: it disappears).
  SmallVector<Value> replaceArgument(BlockArgument argument,
                                     ArrayRef<Replacement> replacements);
  /// Replaces result `index` by `values`, one per replacement.
  void replaceResult(unsigned index, ArrayRef<Value> values,
                     ArrayRef<Replacement> replacements);
  /// What `apply` tells of the new function.
  struct Layout {
    /// One `#skew.slot` per argument.
    SmallVector<Attribute> slots;
    /// Original place of each result.
    SmallVector<int64_t> oldResults;
  };
  /// Carries the requests out and erases `replaced`, the ops whose results were
  /// replaced; nothing else may use the arguments that go.
  Layout apply(ArrayRef<Operation *> replaced);

private:
  struct NewArguments {
    SmallVector<Replacement> replacements;
    SmallVector<Value> values;
  };
  struct NewResults {
    SmallVector<Replacement> replacements;
    SmallVector<Value> values;
  };
  /// Attributes of an old state tensor, as they are on its replacement.
  SmallVector<NamedAttribute> deriveAttributes(DictionaryAttr old,
                                               const Replacement &replacement);
  SmallVector<Attribute> makeSlots(ArrayRef<int64_t> oldOfArgument,
                                   ArrayRef<int64_t> oldOfResult);

  FunctionOpInterface function;
  Block &entry;
  unsigned oldArguments, oldResults;
  llvm::MapVector<unsigned, NewArguments> newArguments;
  llvm::MapVector<unsigned, NewResults> newResults;
};

} // namespace mlir::skew

#endif // SKEW_LIB_DIALECT_SKEW_TRANSFORMS_SIGNATUREREWRITER_H
