//===- SliceGraph.h - scalar meaning of a function --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The elementwise part of a function as a graph of scalar expressions: calls
// are followed, branches become choices, what only moves elements without
// changing their linear order disappears, everything unknown is a leaf. Equal
// expressions are one node. Never changes IR.
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_FRONTEND_SLICEGRAPH_H
#define SKEW_FRONTEND_SLICEGRAPH_H

#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "skew/Frontend/GraphAdaptor.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/DenseMap.h"
#include <deque>
#include <map>

namespace mlir::skew {

using NodeId = uint32_t;
constexpr NodeId kNoNode = ~NodeId(0);

/// Element type of a node, as far as arithmetic needs it.
enum class NumberKind : uint8_t { Float, Integer, Boolean, Other };

struct SliceNode {
  SliceKind kind;
  NumberKind number;
  /// Every leaf below is a constant.
  bool isConstant;
  /// A scalar with a scalar that is not elementwise (a norm, a loss) below.
  bool hasReductionBelow;
  uint32_t firstOperand;
  uint32_t numOperands;
  int64_t numElements;
  /// Constant value; argument number of an argument.
  double constant;
  /// Interned set of arguments, see SliceGraph::getReachedArguments.
  uint32_t reached;
  /// Nodes of the tree below, itself included, up to SliceGraph::kManyNodes.
  uint16_t treeSize;
  /// Terms of the sum that the node is, up to the same limit.
  uint16_t numTerms;
  Type element;
  /// Of a float.
  const llvm::fltSemantics *format;
};

/// Where a value lives: the function itself (0) or the body of a callee, one
/// scope per call path.
using ScopeId = uint32_t;
struct ScopedValue {
  Value value;
  ScopeId scope;
};

class SliceGraph {
public:
  /// A graph of `function`, or of `root`, the body of a region in it: then the
  /// arguments are that block's. Nodes are made on demand.
  SliceGraph(FunctionOpInterface function, SymbolTableCollection &symbols,
             Block *root = nullptr);

  /// Node of a value of the root or of what it captures.
  NodeId getNode(Value value) { return getNode(value, 0); }
  NodeId getNode(Value value, ScopeId scope);

  /// The node of a value if there is one already.
  std::optional<NodeId> findNode(Value value, ScopeId scope) const {
    auto it = known.find({value.getAsOpaquePointer(), scope});
    return it == known.end() ? std::nullopt : std::optional(it->second);
  }

  const SliceNode &operator[](NodeId id) const { return nodes[id]; }
  ArrayRef<NodeId> getOperands(NodeId id) const {
    const SliceNode &node = nodes[id];
    return ArrayRef(operands).slice(node.firstOperand, node.numOperands);
  }
  size_t size() const { return nodes.size(); }

  /// Values that are this node, in the order they were met.
  ArrayRef<ScopedValue> getValues(NodeId id) const { return values[id]; }

  /// Function arguments that the node depends on through elementwise ops on
  /// tensors of its own number of elements, ascending. Empty if they are too
  /// many.
  ArrayRef<unsigned> getReachedArguments(NodeId id) const {
    return argumentSets[nodes[id].reached];
  }

  /// True if the node depends on more than kMaxReached arguments of its size. A
  /// sum over all tensors of a model would make their sets quadratic.
  bool reachesTooMany(NodeId id) const {
    return nodes[id].reached == kTooManyReached;
  }
  static constexpr unsigned kMaxReached = 64;

  /// Where SliceNode::treeSize and numTerms stop counting.
  static constexpr unsigned kManyNodes = 64;

  /// Scalar nodes that depend on `id`, itself included, through scalars alone.
  const DenseSet<NodeId> &getScalarDependents(NodeId id) const;

  /// True if one of the node's values is defined in the function's own body.
  bool isInBody(NodeId id) const;

  /// The node without casts.
  NodeId skipCasts(NodeId id) const;

  /// A leaf other than an argument or a constant.
  bool isOpaque(NodeId id) const { return nodes[id].kind == SliceKind::Opaque; }
  bool isLeaf(NodeId id) const { return nodes[id].kind <= SliceKind::Opaque; }

  /// The call that opens a scope and the scope it is in.
  Operation *getCall(ScopeId scope) const { return scopes[scope].call; }
  ScopeId getParent(ScopeId scope) const { return scopes[scope].parent; }
  /// Body of the function that a scope is an instance of.
  Block *getBody(ScopeId scope) const { return scopes[scope].body; }

  /// Operation that an opaque node stands for; null for block arguments of
  /// regions that are not followed.
  Operation *getOpaqueOp(NodeId id) const;

  FunctionOpInterface getFunction() const { return function; }
  SymbolTableCollection &getSymbols() const { return symbols; }
  /// The body of the function is the root, not a region in it.
  bool isOfFunction() const {
    return getBody(0)->getParentOp() == getFunction().getOperation();
  }

private:
  struct Scope {
    Operation *call;
    ScopeId parent;
    Block *body;
    unsigned depth;
  };
  using Key = std::pair<void *, ScopeId>;

  /// Appends what `value` needs first to `work`; its node once all is there.
  NodeId tryBuild(Value value, ScopeId scope,
                  SmallVectorImpl<ScopedValue> &work);
  NodeId makeLeaf(SliceKind kind, Value value, double number);
  NodeId intern(SliceKind kind, Type element, int64_t numElements,
                ArrayRef<NodeId> operands, double constant);
  NodeId widen(NodeId id, int64_t numElements, Type element);
  bool alignBodyOperands(Operation *op, MutableArrayRef<NodeId> operands);
  NodeId addNode(SliceNode node, ArrayRef<NodeId> operands);
  uint32_t internSet(ArrayRef<unsigned> set);
  uint32_t uniteReached(const SliceNode &node, ArrayRef<NodeId> operands);
  std::optional<ScopeId> enterCall(Operation *call, ScopeId scope);

  FunctionOpInterface function;
  SymbolTableCollection &symbols;
  std::vector<SliceNode> nodes;
  std::vector<NodeId> operands;
  std::vector<SmallVector<ScopedValue, 1>> values;
  std::vector<Scope> scopes;
  DenseMap<Key, NodeId> known;
  DenseMap<Key, ScopeId> entered;
  /// Hash of an expression -> the last node with it; `sameHash` has the others.
  DenseMap<uint64_t, NodeId> unique;
  std::vector<NodeId> sameHash;
  static constexpr uint32_t kTooManyReached = 1;
  /// Never moves its elements: nodes refer to them by ArrayRef.
  std::deque<SmallVector<unsigned, 4>> argumentSets;
  std::map<SmallVector<unsigned, 4>, uint32_t> setIds;
  unsigned maxScopes;
  /// Users of scalars by scalars, for the nodes that were there when asked.
  mutable std::vector<SmallVector<NodeId, 2>> scalarUsers;
  mutable std::map<NodeId, DenseSet<NodeId>> scalarDependents;
};

/// Nodes reachable from `roots`, ascending (operands before users). Does not
/// look below nodes for which `stop` holds, but includes them.
SmallVector<NodeId> collectSlice(const SliceGraph &graph,
                                 ArrayRef<NodeId> roots,
                                 llvm::function_ref<bool(NodeId)> stop);

} // namespace mlir::skew

#endif // SKEW_FRONTEND_SLICEGRAPH_H
