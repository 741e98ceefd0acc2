//===- SliceGraph.cpp - scalar meaning of a function ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Frontend/SliceGraph.h"
#include "mlir/IR/BuiltinTypes.h"
#include "skew/Frontend/Linalg.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace mlir::skew;

/// Calls nested deeper than this are leaves; also ends recursion.
static constexpr unsigned kMaxCallDepth = 64;
/// Call paths that are followed, beside a few for each call of the function:
/// functions that call each other twice over have exponentially many.
static constexpr unsigned kMaxScopes = 20000;
static constexpr unsigned kScopesPerCall = 4;

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
                       SymbolTableCollection &symbols, Block *root)
    : function(function), symbols(symbols) {
  Block *body = root ? root : &function.getFunctionBody().front();
  scopes.push_back({nullptr, 0, body, 0});
  maxScopes = kMaxScopes + kScopesPerCall *
                               llvm::count_if(*body, [](Operation &op) {
                                 return bool(getCallee(&op));
                               });
  internSet({});
  argumentSets.emplace_back(); // kTooManyReached
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
  sameHash.push_back(kNoNode);
  return nodes.size() - 1;
}

/// Elements of a value: of a scalar in a linalg body, one per point. -1 if not
/// known; that equals no other size and is no scalar.
static int64_t getNumElements(Value value) {
  if (auto type = dyn_cast<RankedTensorType>(value.getType()))
    return type.hasStaticShape() ? type.getNumElements() : -1;
  return value.getType().isIntOrFloat() ? getNumPoints(value) : -1;
}

/// Number kind, element count and float format.
static void describe(Type element, int64_t numElements, SliceNode &node) {
  node.numElements = numElements;
  node.number = numElements >= 0 ? getNumberKind(element) : NumberKind::Other;
  node.element = element;
  node.format = nullptr;
  if (auto floatType = dyn_cast<FloatType>(element))
    node.format = &floatType.getFloatSemantics();
}

NodeId SliceGraph::makeLeaf(SliceKind kind, Value value, double number) {
  SliceNode node{};
  node.kind = kind;
  describe(getElementTypeOrSelf(value.getType()), getNumElements(value), node);
  node.constant = number;
  node.isConstant = false;
  node.hasReductionBelow = kind == SliceKind::Opaque && node.numElements == 1;
  node.treeSize = node.numTerms = 1;
  node.reached = 0;
  if (kind == SliceKind::Argument && node.number == NumberKind::Float)
    node.reached = internSet({unsigned(number)});
  return addNode(node, {});
}

NodeId SliceGraph::intern(SliceKind kind, Type element, int64_t numElements,
                          ArrayRef<NodeId> nodeOperands, double constant) {
  SliceNode node{};
  node.kind = kind;
  describe(element, numElements, node);
  node.constant = constant;
  SmallVector<NodeId> ordered(nodeOperands);
  bool commutes = kind == SliceKind::Add || kind == SliceKind::Multiply ||
                  kind == SliceKind::Maximum || kind == SliceKind::Minimum ||
                  kind == SliceKind::And || kind == SliceKind::Or ||
                  kind == SliceKind::Xor || kind == SliceKind::Equal ||
                  kind == SliceKind::NotEqual;
  if (commutes)
    llvm::sort(ordered);
  uint64_t hash = llvm::hash_combine(
      kind, node.numElements, node.element.getAsOpaquePointer(),
      llvm::bit_cast<uint64_t>(constant),
      llvm::hash_combine_range(ordered.begin(), ordered.end()));
  hash >>= 1; // the largest values are the map's own
  auto [it, isNew] = unique.try_emplace(hash, NodeId(nodes.size()));
  for (NodeId id = isNew ? kNoNode : it->second; id != kNoNode;
       id = sameHash[id]) {
    const SliceNode &known = nodes[id];
    if (known.kind == kind && known.numElements == node.numElements &&
        known.element == node.element &&
        llvm::bit_cast<uint64_t>(known.constant) ==
            llvm::bit_cast<uint64_t>(constant) &&
        getOperands(id) == ArrayRef<NodeId>(ordered))
      return id;
  }
  NodeId previous = isNew ? kNoNode : it->second;
  it->second = nodes.size();

  node.isConstant = true;
  unsigned treeSize = 1, numTerms = 0;
  for (NodeId operand : ordered) {
    const SliceNode &below = nodes[operand];
    node.isConstant &= below.isConstant;
    node.hasReductionBelow |= below.hasReductionBelow;
    treeSize += below.treeSize;
    numTerms += below.numTerms;
  }
  node.treeSize = std::min(treeSize, kManyNodes);
  node.numTerms = kind == SliceKind::Add ? std::min(numTerms, kManyNodes) : 1;
  if (node.numElements != 1)
    node.hasReductionBelow = false;
  node.reached = uniteReached(node, ordered);
  NodeId id = addNode(node, ordered);
  sameHash[id] = previous;
  return id;
}

uint32_t SliceGraph::uniteReached(const SliceNode &node,
                                  ArrayRef<NodeId> nodeOperands) {
  // Most nodes see what one of their operands sees.
  uint32_t only = 0;
  bool isOnly = true;
  for (NodeId operand : nodeOperands) {
    uint32_t below = nodes[operand].reached;
    if (nodes[operand].numElements != node.numElements || below == 0)
      continue;
    if (below == kTooManyReached)
      return kTooManyReached;
    isOnly &= only == 0 || only == below;
    only = below;
  }
  if (isOnly)
    return only;
  SmallVector<unsigned, 4> reached;
  for (NodeId operand : nodeOperands)
    if (nodes[operand].numElements == node.numElements)
      llvm::append_range(reached, argumentSets[nodes[operand].reached]);
  llvm::sort(reached);
  reached.erase(llvm::unique(reached), reached.end());
  return reached.size() > kMaxReached ? kTooManyReached : internSet(reached);
}

bool SliceGraph::isInBody(NodeId id) const {
  return llvm::any_of(values[id], [&](ScopedValue where) {
    return where.scope == 0 && where.value.getParentBlock() == scopes[0].body;
  });
}

const DenseSet<NodeId> &
SliceGraph::getScalarDependents(NodeId root) const {
  if (scalarUsers.size() != nodes.size()) {
    scalarDependents.clear();
    NodeId first = scalarUsers.size();
    scalarUsers.resize(nodes.size());
    for (NodeId id = first; id < nodes.size(); ++id)
      if (nodes[id].numElements == 1)
        for (NodeId operand : getOperands(id))
          scalarUsers[operand].push_back(id);
  }
  auto [it, isNew] = scalarDependents.try_emplace(root);
  if (!isNew)
    return it->second;
  SmallVector<NodeId> work = {root};
  while (!work.empty()) {
    NodeId id = work.pop_back_val();
    if (it->second.insert(id).second)
      llvm::append_range(work, scalarUsers[id]);
  }
  return it->second;
}

/// One element as `numElements` equal ones.
NodeId SliceGraph::widen(NodeId id, int64_t numElements, Type element) {
  if (nodes[id].numElements != 1 || numElements == 1)
    return id;
  return intern(SliceKind::Broadcast, element, numElements, id, 0.0);
}

std::optional<ScopeId> SliceGraph::enterCall(Operation *call, ScopeId scope) {
  auto [it, isNew] = entered.try_emplace({call, scope}, ScopeId(0));
  if (!isNew)
    return it->second == 0 ? std::nullopt : std::optional(it->second);
  if (scopes[scope].depth >= kMaxCallDepth || scopes.size() >= maxScopes)
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

/// Operands of a scalar op in a linalg body: single numbers become as wide as
/// the others. False if sizes do not fit.
bool SliceGraph::alignBodyOperands(Operation *op,
                                   MutableArrayRef<NodeId> nodeOperands) {
  int64_t widest = 1;
  for (NodeId operand : nodeOperands)
    widest = std::max(widest, nodes[operand].numElements);
  if (widest == 1)
    return true;
  for (auto [operand, value] :
       llvm::zip_equal(nodeOperands, op->getOperands())) {
    int64_t size = nodes[operand].numElements;
    if (size == widest)
      continue;
    if (size != 1 || widest != getNumPoints(op->getResult(0)))
      return false;
    operand = widen(operand, widest, value.getType());
  }
  return true;
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
    if (argument.getOwner() != scopes[scope].body) {
      bool inOrder;
      Value source = getBodySource(argument, inOrder);
      return inOrder ? need(source, scope)
                     : makeLeaf(SliceKind::Opaque, value, 0.0);
    }
    if (scope == 0)
      return makeLeaf(SliceKind::Argument, value, argument.getArgNumber());
    return need(scopes[scope].call->getOperand(argument.getArgNumber()),
                scopes[scope].parent);
  }

  auto result = cast<OpResult>(value);
  Operation *op = result.getOwner();
  SliceForm form = classifyForSlice(result);
  Type element = getElementTypeOrSelf(value.getType());
  int64_t numElements = getNumElements(value);
  if (numElements < 0 || getNumberKind(element) == NumberKind::Other)
    form.form = SliceForm::Leaf;
  bool isScalar = value.getType().isIntOrFloat();
  switch (form.form) {
  case SliceForm::Leaf:
    break;
  case SliceForm::Constant:
    return intern(SliceKind::Constant, element, isScalar ? 1 : numElements, {},
                  form.constant);
  case SliceForm::Pass: {
    NodeId passed = need(form.passed, scope);
    if (passed == kNoNode || nodes[passed].numElements == numElements)
      return passed;
    if (nodes[passed].numElements == 1)
      return isScalar ? passed : widen(passed, numElements, element);
    break;
  }
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
    return intern(SliceKind::Switch, element, numElements, nodeOperands, 0.0);
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
    // A scalar of a linalg body has as many elements as what it is made of.
    if (isScalar) {
      if (!alignBodyOperands(op, nodeOperands))
        break;
      numElements = nodes[nodeOperands[0]].numElements;
    }
    return intern(form.kind, element, numElements, nodeOperands, 0.0);
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
