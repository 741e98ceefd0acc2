//===- Materializer.h - matched updates become ops --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_FRONTEND_MATERIALIZER_H
#define SKEW_FRONTEND_MATERIALIZER_H

#include "mlir/IR/IRMapping.h"
#include "skew/Frontend/UpdateBuilder.h"
#include "skew/Frontend/UpdateMatcher.h"

namespace mlir::skew {

/// Turns matched updates into ops of their rules. Calls are inlined only where
/// an operand of an update lives in the callee; what no update replaces stays
/// as it is, and elementwise ops that only served a replaced update go.
class Materializer {
public:
  Materializer(const SliceGraph &graph, SymbolTableCollection &symbols)
      : graph(graph), symbols(symbols) {}

  /// Why the operands of `update` cannot be made available in the function's
  /// own body; empty if they can. Changes nothing.
  std::string whyNotMaterializable(const RaisedUpdate &update) const;

  /// Creates the ops, one per update in order; `names` are the parameters'.
  SmallVector<Operation *> materialize(ArrayRef<RaisedUpdate> updates,
                                       ArrayRef<std::string> names);

private:
  /// The value to use for a node: in the function's own body if there is one,
  /// of `shape` if possible, of several the first.
  std::optional<ScopedValue> choose(NodeId node, ArrayRef<int64_t> shape) const;
  /// As the update itself sees the gradient: of several values the last before
  /// the new parameter, so that sharding constraints on the way stay in use.
  std::optional<ScopedValue> chooseGradient(const RaisedUpdate &update) const;
  std::optional<ScopedValue> chooseScalar(NodeId node) const;
  std::optional<ScopedValue>
  chooseBy(NodeId node, ArrayRef<int64_t> shape,
           llvm::function_ref<bool(Value, Value)> isBetter) const;
  bool isOutside(Value value) const;
  bool isReachable(const ScopedValue &where) const;
  NodeId findStep(const RaisedUpdate &update) const;
  SmallVector<ScopedValue> getOperandValues(const RaisedUpdate &update) const;
  void inlineScopes(ArrayRef<RaisedUpdate> updates);
  void inlineScope(ScopeId scope);
  Value resolve(const ScopedValue &where) const;
  Operation *build(const RaisedUpdate &update, StringRef name);
  void replaceResults(Operation *op, const RaisedUpdate &update);
  void eraseDead();
  bool isErasable(Operation *op);

  const SliceGraph &graph;
  SymbolTableCollection &symbols;
  std::map<ScopeId, IRMapping> inlined;
  DenseMap<Value, Value> replaced;
  /// Calls whose bodies stand beside them now; erased last.
  SmallVector<Operation *> inlinedCalls;
  SmallVector<Value> oldResults;
  /// The dialect that new ops have to be in.
  bool isLinalg = false;
};

} // namespace mlir::skew

#endif // SKEW_FRONTEND_MATERIALIZER_H
