//===- SliceGraph.cpp - scalar meaning of a function ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Frontend/SliceGraph.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mlir::skew;

/// Calls nested deeper than this are leaves; also ends recursion.
static constexpr unsigned kMaxCallDepth = 64;
/// Call paths that are followed; functions that call each other twice over
/// have exponentially many.
constexpr unsigned kMaxScopes = 20000;

static NumberKind getNumberKind(Type type) {
  if (isa<FloatType>(type))
    return NumberKind::Float;
  if (auto integer = dyn_cast<IntegerType>(type)) {
    if (integer.getWidth() == 1)
      return NumberKind::Boolean;
    return integer.getWidth() <= 64 ? NumberKind::Integer : NumberKind::Other;
  }
  return NumberKind::Other;
}

SliceGraph::SliceGraph(FunctionOpInterface function,
                       SymbolTableCollection &symbols)
    : function(function), symbols(symbols) {
  Block *body = &function.getFunctionBody().front();
  scopes.push_back({nullptr, 0, body, 0});
  internSet({});
  // Arguments first, so that their ids are the same whatever is asked.
  for (BlockArgument argument : body->getArguments())
    getNode(argument, 0);
}

uint32_t SliceGraph::internSet(ArrayRef<unsigned> set) {
  auto [it, isNew] = setIds.try_emplace(SmallVector<unsigned, 4>(set),
                                        uint32_t(argumentSets.size()));
  if (isNew)
    argumentSets.emplace_back(set);
  return it->second;
}

NodeId SliceGraph::addNode(SliceNode node, ArrayRef<NodeId> nodeOperands) {
  node.firstOperand = operands.size();
  node.numOperands = nodeOperands.size();
  operands.insert(operands.end(), nodeOperands.begin(), nodeOperands.end());
  nodes.push_back(node);
  values.emplace_back();
  return nodes.size() - 1;
}

/// Number kind, element count and float format of a value's type.
static void describeType(Value value, SliceNode &node) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  bool known = type && type.hasStaticShape();
  Type element = type ? type.getElementType() : value.getType();
  node.number = known ? getNumberKind(element) : NumberKind::Other;
  // A size that is not known equals no other and is no scalar.
  node.numElements = known ? type.getNumElements() : -1;
  node.format = nullptr;
  if (auto floatType = dyn_cast<FloatType>(element))
    node.format = &floatType.getFloatSemantics();
}

NodeId SliceGraph::makeLeaf(SliceKind kind, Value value, double number) {
  SliceNode node{};
  node.kind = kind;
  describeType(value, node);
  node.constant = number;
  node.isConstant = false;
  node.hasReductionBelow = kind == SliceKind::Opaque && node.numElements == 1;
  node.reached = 0;
  if (kind == SliceKind::Argument && node.number == NumberKind::Float)
    node.reached = internSet({unsigned(number)});
  return addNode(node, {});
}

NodeId SliceGraph::intern(SliceKind kind, Value value,
                          ArrayRef<NodeId> nodeOperands, double constant) {
  SliceNode node{};
  node.kind = kind;
  describeType(value, node);
  node.constant = constant;
  SmallVector<NodeId> ordered(nodeOperands);
  bool commutes = kind == SliceKind::Add || kind == SliceKind::Multiply ||
                  kind == SliceKind::Maximum || kind == SliceKind::Minimum ||
                  kind == SliceKind::And || kind == SliceKind::Or ||
                  kind == SliceKind::Xor || kind == SliceKind::Equal ||
                  kind == SliceKind::NotEqual;
  if (commutes)
    llvm::sort(ordered);
  Type element = cast<RankedTensorType>(value.getType()).getElementType();
  std::vector<uint64_t> key = {
      uint64_t(kind), uint64_t(node.numElements),
      uint64_t(reinterpret_cast<uintptr_t>(element.getAsOpaquePointer())),
      llvm::bit_cast<uint64_t>(constant)};
  key.insert(key.end(), ordered.begin(), ordered.end());
  auto [it, isNew] = unique.try_emplace(std::move(key), NodeId(nodes.size()));
  if (!isNew)
    return it->second;

  node.isConstant = true;
  SmallVector<unsigned, 4> reached;
  for (NodeId operand : ordered) {
    const SliceNode &below = nodes[operand];
    node.isConstant &= below.isConstant;
    node.hasReductionBelow |= below.hasReductionBelow;
    if (below.numElements == node.numElements)
      llvm::append_range(reached, argumentSets[below.reached]);
  }
  if (node.numElements != 1)
    node.hasReductionBelow = false;
  llvm::sort(reached);
  reached.erase(llvm::unique(reached), reached.end());
  node.reached = internSet(reached);
  return addNode(node, ordered);
}

std::optional<ScopeId> SliceGraph::enterCall(Operation *call, ScopeId scope) {
  auto [it, isNew] = entered.try_emplace({call, scope}, ScopeId(0));
  if (!isNew)
    return it->second == 0 ? std::nullopt : std::optional(it->second);
  if (scopes[scope].depth >= kMaxCallDepth || scopes.size() >= kMaxScopes)
    return std::nullopt;
  auto callee = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
      function, getCallee(call));
  if (!callee || callee.isExternal() || !callee.getFunctionBody().hasOneBlock())
    return std::nullopt;
  Block *body = &callee.getFunctionBody().front();
  if (body->getArgumentTypes() != call->getOperandTypes() ||
      body->back().getNumOperands() != call->getNumResults())
    return std::nullopt;
  scopes.push_back({call, scope, body, scopes[scope].depth + 1});
  entered[{call, scope}] = scopes.size() - 1;
  return ScopeId(scopes.size() - 1);
}

NodeId SliceGraph::tryBuild(Value value, ScopeId scope,
                            SmallVectorImpl<ScopedValue> &work) {
  auto need = [&](Value operand, ScopeId where) {
    auto it = known.find({operand.getAsOpaquePointer(), where});
    if (it != known.end())
      return it->second;
    work.push_back({operand, where});
    return kNoNode;
  };
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    if (argument.getOwner() != scopes[scope].body)
      return makeLeaf(SliceKind::Opaque, value, 0.0);
    if (scope == 0)
      return makeLeaf(SliceKind::Argument, value, argument.getArgNumber());
    return need(scopes[scope].call->getOperand(argument.getArgNumber()),
                scopes[scope].parent);
  }

  auto result = cast<OpResult>(value);
  Operation *op = result.getOwner();
  SliceForm form = classifyForSlice(result);
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (type && getNumberKind(type.getElementType()) == NumberKind::Other)
    form.form = SliceForm::Leaf;
  switch (form.form) {
  case SliceForm::Leaf:
    break;
  case SliceForm::Constant:
    return intern(SliceKind::Constant, value, {}, form.constant);
  case SliceForm::Pass:
    return need(form.passed, scope);
  case SliceForm::Call: {
    std::optional<ScopeId> inside = enterCall(op, scope);
    if (!inside)
      break;
    return need(
        scopes[*inside].body->back().getOperand(result.getResultNumber()),
        *inside);
  }
  case SliceForm::Branch: {
    SmallVector<Value> sources = {op->getOperand(0)};
    for (unsigned i = 0; i < op->getNumRegions(); ++i)
      sources.push_back(getBranchYield(op, i, result.getResultNumber()));
    auto index = dyn_cast<RankedTensorType>(sources[0].getType());
    if (llvm::is_contained(sources, Value()) || !index ||
        !index.hasStaticShape() || index.getNumElements() != 1)
      break;
    SmallVector<NodeId> nodeOperands;
    for (Value source : sources)
      nodeOperands.push_back(need(source, scope));
    if (llvm::is_contained(nodeOperands, kNoNode))
      return kNoNode;
    return intern(SliceKind::Switch, value, nodeOperands, 0.0);
  }
  case SliceForm::Elementwise: {
    SmallVector<NodeId> nodeOperands;
    for (Value operand : op->getOperands())
      nodeOperands.push_back(need(operand, scope));
    if (llvm::is_contained(nodeOperands, kNoNode))
      return kNoNode;
    bool known = llvm::all_of(nodeOperands, [&](NodeId id) {
      return nodes[id].number != NumberKind::Other;
    });
    if (!known)
      break;
    if (form.kind == SliceKind::Convert &&
        op->getOperand(0).getType() == value.getType())
      return nodeOperands[0];
    return intern(form.kind, value, nodeOperands, 0.0);
  }
  }
  return makeLeaf(SliceKind::Opaque, value, 0.0);
}

NodeId SliceGraph::getNode(Value root, ScopeId rootScope) {
  SmallVector<ScopedValue> work = {{root, rootScope}};
  while (!work.empty()) {
    ScopedValue top = work.back();
    Key key = {top.value.getAsOpaquePointer(), top.scope};
    if (known.contains(key)) {
      work.pop_back();
      continue;
    }
    size_t before = work.size();
    NodeId id = tryBuild(top.value, top.scope, work);
    if (id == kNoNode)
      continue;
    work.truncate(before - 1);
    known[key] = id;
    values[id].push_back(top);
  }
  return known[{root.getAsOpaquePointer(), rootScope}];
}

NodeId SliceGraph::skipCasts(NodeId id) const {
  while (nodes[id].kind == SliceKind::Convert)
    id = operands[nodes[id].firstOperand];
  return id;
}

Operation *SliceGraph::getOpaqueOp(NodeId id) const {
  return values[id].empty() ? nullptr
                            : values[id].front().value.getDefiningOp();
}

SmallVector<NodeId>
mlir::skew::collectSlice(const SliceGraph &graph, ArrayRef<NodeId> roots,
                         llvm::function_ref<bool(NodeId)> stop) {
  DenseSet<NodeId> seen;
  SmallVector<NodeId> order, work(roots);
  while (!work.empty()) {
    NodeId id = work.pop_back_val();
    if (!seen.insert(id).second)
      continue;
    order.push_back(id);
    if (!stop(id))
      llvm::append_range(work, graph.getOperands(id));
  }
  llvm::sort(order);
  return order;
}
