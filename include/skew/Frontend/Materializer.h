//===- Materializer.h - matched updates become ops --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_FRONTEND_MATERIALIZER_H
#define SKEW_FRONTEND_MATERIALIZER_H

#include "mlir/IR/IRMapping.h"
#include "skew/Frontend/GraphAdaptor.h"
#include "skew/Frontend/UpdateBuilder.h"
#include "skew/Frontend/UpdateMatcher.h"

namespace mlir::skew {

/// Turns matched updates into ops of their rules. Calls are inlined only where
/// an operand of an update lives in the callee, and branches get results only
/// for operands that live in them; what no update replaces stays as it is, and
/// elementwise ops and results of branches that only served a replaced update
/// go.
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
  /// The value to use for a node: outside of branches if there is one, in the
  /// function's own body if possible, then of `shape`, of several the first.
  std::optional<ScopedValue> choose(const RaisedUpdate &update, NodeId node,
                                    ArrayRef<int64_t> shape) const;
  /// As the update itself sees the gradient: of several values the last before
  /// the new parameter, so that sharding constraints on the way stay in use.
  std::optional<ScopedValue> chooseGradient(const RaisedUpdate &update) const;
  std::optional<ScopedValue> chooseScalar(const RaisedUpdate &update,
                                          NodeId node) const;
  std::optional<ScopedValue>
  chooseBy(const RaisedUpdate &update, NodeId node, ArrayRef<int64_t> shape,
           llvm::function_ref<bool(Value, Value)> isBetter) const;
  bool isOutside(Value value) const;
  enum class Place { Unreachable, Branch, Callee, Body };
  Place getPlace(const RaisedUpdate &update, const ScopedValue &where) const;
  NodeId findStep(const RaisedUpdate &update) const;
  /// Nodes of the skip condition: one that says it all, or all its tests.
  SmallVector<NodeId> getSkipNodes(const RaisedUpdate &update) const;
  SmallVector<ScopedValue> getOperandValues(const RaisedUpdate &update) const;
  void inlineScopes(ArrayRef<RaisedUpdate> updates);
  void inlineScope(ScopeId scope);
  /// Makes operands inside branches results of these.
  void exportFromBranches(ArrayRef<RaisedUpdate> updates);
  Value resolve(const ScopedValue &where) const;
  Operation *build(const RaisedUpdate &update, StringRef name);
  Value resolveScalar(GraphBuilder &builder, Location loc,
                      const RaisedUpdate &update, NodeId node);
  Value buildSkip(GraphBuilder &builder, Location loc,
                  const RaisedUpdate &update);
  void replaceResults(Operation *op, const RaisedUpdate &update);
  void findSameResults();
  void eraseDead();
  void pruneBranch(Operation *branch, SetVector<Operation *> &work);
  bool isErasable(Operation *op);

  const SliceGraph &graph;
  SymbolTableCollection &symbols;
  std::map<ScopeId, IRMapping> inlined;
  DenseMap<Value, Value> replaced;
  /// Calls whose bodies stand beside them now, and branches that were rebuilt;
  /// erased last.
  SmallVector<Operation *> obsolete;
  SmallVector<Value> oldResults;
  /// Result -> further results that are the same value.
  DenseMap<unsigned, SmallVector<unsigned>> sameResults;
  /// The dialect that new ops have to be in.
  bool isLinalg = false;
};

} // namespace mlir::skew

#endif // SKEW_FRONTEND_MATERIALIZER_H
