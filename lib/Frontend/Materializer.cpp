//===- Materializer.cpp - matched updates become ops ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Frontend/Materializer.h"
#include "skew/Frontend/Linalg.h"

using namespace mlir;
using namespace mlir::skew;

/// Empty for a scalar.
static ArrayRef<int64_t> getShape(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getShape() : ArrayRef<int64_t>();
}

/// True for a value of a block around the root.
bool Materializer::isOutside(Value value) const {
  Block *root = graph.getBody(0), *block = value.getParentBlock();
  return block != root &&
         block->getParent()->isProperAncestor(root->getParent());
}

/// A value can be used in the graph's root if every region on the way out of
/// its callee, and out of the callers, is a branch that all steps which are not
/// skipped take; or if the root captures it from outside.
Materializer::Place Materializer::getPlace(const RaisedUpdate &update,
                                           const ScopedValue &where) const {
  Block *block = Value(where.value).getParentBlock();
  ScopeId scope = where.scope;
  if (scope == 0 && isOutside(where.value))
    return Place::Body;
  Place place = scope == 0 ? Place::Body : Place::Callee;
  while (true) {
    if (block == graph.getBody(scope)) {
      if (scope == 0)
        return place;
      block = graph.getCall(scope)->getBlock();
      scope = graph.getParent(scope);
      continue;
    }
    Operation *branch = block->getParentOp();
    if (!isBranch(branch) || !canAddResults(branch))
      return Place::Unreachable;
    auto index = graph.findNode(branch->getOperand(0), scope);
    auto taken =
        index ? update.takenBranches.find(*index) : update.takenBranches.end();
    if (taken == update.takenBranches.end() ||
        &getBranchRegion(branch, taken->second) != block->getParent())
      return Place::Unreachable;
    place = Place::Branch;
    block = branch->getBlock();
  }
}

std::optional<ScopedValue>
Materializer::chooseBy(const RaisedUpdate &update, NodeId node,
                       ArrayRef<int64_t> shape,
                       llvm::function_ref<bool(Value, Value)> isBetter) const {
  std::optional<ScopedValue> best;
  int bestRank = -1;
  for (const ScopedValue &where : graph.getValues(node)) {
    Place place = getPlace(update, where);
    if (place == Place::Unreachable)
      continue;
    int rank = 2 * int(place) + (getShape(where.value) == shape);
    bool tied = rank == bestRank && place == Place::Body &&
                isBetter(where.value, best->value);
    if (rank > bestRank || tied) {
      best = where;
      bestRank = rank;
    }
  }
  return best;
}

/// True if `x` is there before `y`, both in one block or one around the other.
static bool comesBefore(Value x, Value y) {
  if (x.getParentBlock() != y.getParentBlock())
    return x.getParentRegion()->isProperAncestor(y.getParentRegion());
  Operation *opX = x.getDefiningOp(), *opY = y.getDefiningOp();
  if (!opX || !opY)
    return !opX && opY;
  return opX->isBeforeInBlock(opY);
}

std::optional<ScopedValue> Materializer::choose(const RaisedUpdate &update,
                                                NodeId node,
                                                ArrayRef<int64_t> shape) const {
  return chooseBy(update, node, shape, comesBefore);
}

std::optional<ScopedValue>
Materializer::chooseGradient(const RaisedUpdate &update) const {
  Block *body = graph.getBody(0);
  ArrayRef<int64_t> shape =
      getShape(body->getArgument(update.parameter.argument));
  Value end = body->back().getOperand(update.parameter.result);
  return chooseBy(update, update.match.gradient, shape, [&](Value x, Value y) {
    return comesBefore(x, end) && (comesBefore(y, x) || !comesBefore(y, end));
  });
}

std::optional<ScopedValue>
Materializer::chooseScalar(const RaisedUpdate &update, NodeId node) const {
  while (graph[node].kind == SliceKind::Broadcast)
    node = graph.getOperands(node)[0];
  return choose(update, node, {});
}

/// The integer that counts steps, if the exponent is a cast of one.
NodeId Materializer::findStep(const RaisedUpdate &update) const {
  NodeId node = update.match.step.scalar;
  while (graph[node].kind == SliceKind::Broadcast)
    node = graph.getOperands(node)[0];
  // Only through casts that keep a step's digits.
  NodeId integer = node;
  while (graph[integer].kind == SliceKind::Convert &&
         graph[integer].number == NumberKind::Float &&
         llvm::APFloat::semanticsPrecision(*graph[integer].format) >= 24)
    integer = graph.getOperands(integer)[0];
  if (graph[integer].number != NumberKind::Integer ||
      graph[integer].numElements != 1)
    return node;
  // Update ops read integers as signed.
  std::optional<ScopedValue> value = choose(update, integer, {});
  bool usable = value && !getElementTypeOrSelf(value->value.getType())
                              .isUnsignedInteger();
  return usable ? integer : node;
}

SmallVector<NodeId>
Materializer::getSkipNodes(const RaisedUpdate &update) const {
  if (!update.skip)
    return {};
  NodeId condition = update.skip->condition;
  if (condition != kNoNode) {
    // Inside a branch it says nothing where another one runs.
    auto where = chooseScalar(update, condition);
    if (where && getPlace(update, *where) != Place::Branch)
      return {condition};
  }
  SmallVector<NodeId> nodes;
  for (auto [node, count] : update.skip->tests)
    nodes.push_back(node);
  return nodes;
}

std::string
Materializer::whyNotMaterializable(const RaisedUpdate &update) const {
  const UpdateMatch &match = update.match;
  auto inside = [&](NodeId node, StringRef what) -> std::string {
    for (ScopedValue where : graph.getValues(node)) {
      Operation *parent = where.value.getParentBlock()->getParentOp();
      if (where.value.getType().isIntOrFloat() &&
          getNumPoints(where.value) != 1)
        return "the " + what.str() + " is only formed inside '" +
               getDisplayName(parent).str() + "'";
      if (where.value.getParentBlock() != graph.getBody(where.scope))
        return "the " + what.str() + " is inside a region of '" +
               getDisplayName(parent).str() +
               "' that not every step of the update takes";
    }
    return "the " + what.str() + " is called from inside a region";
  };
  if (match.gradient >= 0 && !choose(update, match.gradient, {}))
    return inside(match.gradient, "gradient");
  if (match.step.scalar >= 0 && !chooseScalar(update, findStep(update)))
    return inside(match.step.scalar, "step");
  for (NodeId node : getOperandNodes(match))
    if (!chooseScalar(update, node))
      return inside(node, "learning rate or another operand");
  SmallVector<NodeId> tests = getSkipNodes(update);
  if (update.skip && tests.empty())
    return "nothing says when the update is skipped";
  for (NodeId node : tests)
    if (!chooseScalar(update, node))
      return inside(node, "condition");
  return "";
}

SmallVector<ScopedValue>
Materializer::getOperandValues(const RaisedUpdate &update) const {
  SmallVector<ScopedValue> values;
  const UpdateMatch &match = update.match;
  if (match.gradient >= 0)
    values.push_back(*chooseGradient(update));
  if (match.step.scalar >= 0)
    values.push_back(*chooseScalar(update, findStep(update)));
  for (NodeId node : getOperandNodes(match))
    values.push_back(*chooseScalar(update, node));
  for (NodeId node : getSkipNodes(update))
    values.push_back(*chooseScalar(update, node));
  return values;
}

//===----------------------------------------------------------------------===//
// Inlining
//===----------------------------------------------------------------------===//

void Materializer::inlineScopes(ArrayRef<RaisedUpdate> updates) {
  // Callers have smaller ids than what they call.
  std::set<ScopeId> needed;
  for (const RaisedUpdate &update : updates)
    for (const ScopedValue &where : getOperandValues(update))
      for (ScopeId scope = where.scope; scope != 0;
           scope = graph.getParent(scope))
        needed.insert(scope);
  for (ScopeId scope : needed)
    inlineScope(scope);
}

void Materializer::inlineScope(ScopeId scope) {
  Operation *call = graph.getCall(scope);
  if (ScopeId parent = graph.getParent(scope); parent != 0)
    call = inlined[parent].lookup(call);
  IRMapping &mapping = inlined[scope];
  Block *body = graph.getBody(scope);
  mapping.map(body->getArguments(), call->getOperands());
  OpBuilder builder(call);
  for (Operation &op : body->without_terminator())
    builder.clone(op, mapping);
  for (auto [result, yielded] :
       llvm::zip_equal(call->getResults(), body->back().getOperands())) {
    Value value = mapping.lookup(yielded);
    replaced[result] = value;
    result.replaceAllUsesWith(value);
  }
  // The graph's nodes still name its results: they are asked for until all
  // updates are built.
  obsolete.push_back(call);
}

Value Materializer::resolve(const ScopedValue &where) const {
  Value value = where.value;
  if (where.scope != 0) {
    auto mapping = inlined.find(where.scope);
    value = mapping->second.lookup(value);
  }
  for (auto it = replaced.find(value); it != replaced.end();
       it = replaced.find(value))
    value = it->second;
  return value;
}

//===----------------------------------------------------------------------===//
// Branches
//===----------------------------------------------------------------------===//

void Materializer::exportFromBranches(ArrayRef<RaisedUpdate> updates) {
  Block *body = graph.getBody(0);
  // After inlining all of it is in the function. Innermost branches first: what
  // they give out is in the next one.
  std::map<unsigned, llvm::MapVector<Operation *, llvm::SetVector<Value>>,
           std::greater<unsigned>>
      byDepth;
  auto add = [&](Value value) {
    if (isOutside(value))
      return;
    unsigned depth = 0;
    for (Block *block = value.getParentBlock(); block != body;
         block = block->getParentOp()->getBlock())
      ++depth;
    if (depth != 0)
      byDepth[depth][value.getParentBlock()->getParentOp()].insert(value);
  };
  for (const RaisedUpdate &update : updates)
    for (const ScopedValue &where : getOperandValues(update))
      add(resolve(where));
  while (!byDepth.empty()) {
    auto branches = std::move(byDepth.begin()->second);
    byDepth.erase(byDepth.begin());
    for (auto &[branch, values] : branches) {
      unsigned before = branch->getNumResults();
      Operation *rebuilt = rebuildBranch(branch, llvm::BitVector(before, true),
                                         values.getArrayRef());
      for (unsigned i = 0; i < before; ++i)
        replaced[branch->getResult(i)] = rebuilt->getResult(i);
      for (auto [i, value] : llvm::enumerate(values)) {
        replaced[value] = rebuilt->getResult(before + i);
        add(rebuilt->getResult(before + i));
      }
      // Nodes still name its results.
      obsolete.push_back(branch);
    }
  }
}
