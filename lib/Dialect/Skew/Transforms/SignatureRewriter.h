//===- SignatureRewriter.h - change a step's arguments, results -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_LIB_DIALECT_SKEW_TRANSFORMS_SIGNATUREREWRITER_H
#define SKEW_LIB_DIALECT_SKEW_TRANSFORMS_SIGNATUREREWRITER_H

#include "RegionRewriter.h"

namespace mlir::skew {

/// Replaces arguments and results of a function by others in the same places.
/// Requests are collected, `apply` carries them out at once: block arguments,
/// return operands, function type, argument and result attributes (donation,
/// sharding, names), locations and the region ops that carry them change
/// together.
class SignatureRewriter {
public:
  explicit SignatureRewriter(FunctionOpInterface function);

  /// The tensors that stand in for a state tensor of a given shape: in a manual
  /// computation it is smaller than outside.
  using MakeReplacements =
      llvm::function_ref<SmallVector<Replacement>(ArrayRef<int64_t>)>;

  /// Replaces a state tensor that comes from an argument along `from` and whose
  /// next value becomes a result along `to` (none: it disappears). The values
  /// that stand in for the old one where it is updated.
  SmallVector<Value> replaceState(const CarriedPath &from,
                                  const CarriedPath &to, MakeReplacements make);
  /// The next values of such a state, where it is updated.
  void setNextValues(const CarriedPath &to, ArrayRef<Value> values);
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
    /// Of the function, which hands its next value out.
    unsigned result = 0;
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
  RegionRewriter regions;
  /// Where results of region ops go: a place of an op around them, or a result
  /// of the function (no op).
  llvm::DenseMap<std::pair<Operation *, unsigned>, CarriedPlace> destinations;
};

} // namespace mlir::skew

#endif // SKEW_LIB_DIALECT_SKEW_TRANSFORMS_SIGNATUREREWRITER_H
