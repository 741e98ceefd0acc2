//===- Materializer.cpp - matched updates become ops ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Frontend/Materializer.h"
#include "skew/Frontend/Linalg.h"
#include "skew/Support/ParameterId.h"

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

/// A value can be used in the graph's root if it is at the top level of its
/// callee, and every call on the way is at the top level of its caller; or if
/// the root captures it from outside.
bool Materializer::isReachable(const ScopedValue &where) const {
  Block *block = Value(where.value).getParentBlock();
  ScopeId scope = where.scope;
  if (scope == 0 && isOutside(where.value))
    return true;
  while (true) {
    if (block != graph.getBody(scope))
      return false;
    if (scope == 0)
      return true;
    block = graph.getCall(scope)->getBlock();
    scope = graph.getParent(scope);
  }
}

std::optional<ScopedValue>
Materializer::chooseBy(NodeId node, ArrayRef<int64_t> shape,
                       llvm::function_ref<bool(Value, Value)> isBetter) const {
  std::optional<ScopedValue> best;
  int bestRank = -1;
  for (const ScopedValue &where : graph.getValues(node)) {
    if (!isReachable(where))
      continue;
    int rank = (where.scope == 0 ? 2 : 0) + (getShape(where.value) == shape);
    bool tied = rank == bestRank && rank >= 2 && best->scope == 0 &&
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

std::optional<ScopedValue> Materializer::choose(NodeId node,
                                                ArrayRef<int64_t> shape) const {
  return chooseBy(node, shape, comesBefore);
}

std::optional<ScopedValue>
Materializer::chooseGradient(const RaisedUpdate &update) const {
  Block *body = graph.getBody(0);
  ArrayRef<int64_t> shape =
      getShape(body->getArgument(update.parameter.argument));
  Value end = body->back().getOperand(update.parameter.result);
  return chooseBy(update.match.gradient, shape, [&](Value x, Value y) {
    return comesBefore(x, end) && (comesBefore(y, x) || !comesBefore(y, end));
  });
}

std::optional<ScopedValue> Materializer::chooseScalar(NodeId node) const {
  while (graph[node].kind == SliceKind::Broadcast)
    node = graph.getOperands(node)[0];
  return choose(node, {});
}

/// The integer that counts steps, if the exponent is a cast of one.
NodeId Materializer::findStep(const RaisedUpdate &update) const {
  NodeId node = update.match.step.scalar;
  while (graph[node].kind == SliceKind::Broadcast)
    node = graph.getOperands(node)[0];
  NodeId integer = node;
  while (graph[integer].kind == SliceKind::Convert &&
         graph[integer].number != NumberKind::Integer)
    integer = graph.getOperands(integer)[0];
  bool usable = graph[integer].number == NumberKind::Integer &&
                graph[integer].numElements == 1 && choose(integer, {});
  return usable ? integer : node;
}

std::string
Materializer::whyNotMaterializable(const RaisedUpdate &update) const {
  const UpdateMatch &match = update.match;
  auto inside = [&](NodeId node, StringRef what) -> std::string {
    for (ScopedValue where : graph.getValues(node)) {
      Operation *parent = where.value.getParentBlock()->getParentOp();
      if (where.value.getType().isIntOrFloat() && getNumPoints(where.value) != 1)
        return "the " + what.str() + " is only formed inside '" +
               getDisplayName(parent).str() + "'";
      if (where.value.getParentBlock() != graph.getBody(where.scope))
        return "the " + what.str() + " is inside a branch of '" +
               getDisplayName(parent).str() + "'";
    }
    return "the " + what.str() + " is called from inside a region";
  };
  if (match.gradient >= 0 && !choose(match.gradient, {}))
    return inside(match.gradient, "gradient");
  if (match.step.scalar >= 0 && !chooseScalar(findStep(update)))
    return inside(match.step.scalar, "step");
  for (NodeId node : getOperandNodes(match))
    if (!chooseScalar(node))
      return inside(node, "learning rate or another operand");
  if (update.skip && !chooseScalar(update.skip->condition))
    return inside(update.skip->condition, "condition");
  return "";
}

SmallVector<ScopedValue>
Materializer::getOperandValues(const RaisedUpdate &update) const {
  SmallVector<ScopedValue> values;
  const UpdateMatch &match = update.match;
  if (match.gradient >= 0)
    values.push_back(*chooseGradient(update));
  if (match.step.scalar >= 0)
    values.push_back(*chooseScalar(findStep(update)));
  for (NodeId node : getOperandNodes(match))
    values.push_back(*chooseScalar(node));
  if (update.skip)
    values.push_back(*chooseScalar(update.skip->condition));
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
  inlinedCalls.push_back(call);
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
// Building
//===----------------------------------------------------------------------===//

/// Just after the last of `values` in `block`.
static void setInsertionPointAfterAll(OpBuilder &builder, Block *block,
                                      ArrayRef<Value> values) {
  Operation *last = nullptr;
  for (Value value : values) {
    Operation *op = value.getDefiningOp();
    if (op && op->getBlock() == block && (!last || last->isBeforeInBlock(op)))
      last = op;
  }
  if (last)
    builder.setInsertionPointAfter(last);
  else
    builder.setInsertionPointToStart(block);
}

Operation *Materializer::build(const RaisedUpdate &update, StringRef name) {
  MLIRContext *context = graph.getFunction()->getContext();
  Block *body = graph.getBody(0);
  const UpdateMatch &match = update.match;
  BlockArgument parameter = body->getArgument(update.parameter.argument);
  ArrayRef<int64_t> shape = getShape(parameter);
  Location loc = body->back().getOperand(update.parameter.result).getLoc();

  SmallVector<Value> existing;
  for (const ScopedValue &where : getOperandValues(update))
    existing.push_back(resolve(where));
  GraphBuilder builder(context, isLinalg);
  setInsertionPointAfterAll(builder, body, existing);

  auto f32 = RankedTensorType::get({}, builder.getF32Type());
  auto scalar = [&](const MatchedScalar &matched) {
    if (matched.constant)
      return builder.buildSplat(loc, f32, *matched.constant);
    Value value = builder.buildScalarTensor(
        loc, resolve(*chooseScalar(matched.scalar)));
    return matched.negated ? builder.buildNegate(loc, value) : value;
  };
  auto shapeless = [&](NodeId node) {
    return builder.buildScalarTensor(loc, resolve(*chooseScalar(node)));
  };

  UpdateOperands operands;
  operands.parameter = parameter;
  for (const CarriedTensor &state : update.states)
    operands.state.push_back(body->getArgument(state.argument));
  if (match.zeroGradient || match.gradient < 0) {
    operands.gradient = builder.buildSplat(
        loc, RankedTensorType::get(shape, builder.getF32Type()), 0.0);
  } else {
    Value gradient = resolve(*chooseGradient(update));
    operands.gradient = getShape(gradient) == shape
                            ? gradient
                            : builder.buildReshape(loc, gradient, shape);
  }
  if (match.step.scalar >= 0)
    operands.step = shapeless(findStep(update));
  operands.learningRate = scalar(match.learningRate);
  for (const auto &[hyperparameter, value] : match.hyperparameters)
    if (!value.constant) {
      operands.runtime.push_back(scalar(value));
      operands.runtimeNames.push_back(hyperparameter);
    }
  if (update.skip) {
    Value condition = shapeless(update.skip->condition);
    operands.skip =
        update.skip->negated ? builder.buildNot(loc, condition) : condition;
  }
  SmallVector<NamedAttribute> attributes = {
      builder.getNamedAttr("parameter_name", builder.getStringAttr(name)),
      builder.getNamedAttr("parameter_id", builder.getI64IntegerAttr(
                                               int64_t(getParameterId(name)))),
      builder.getNamedAttr("compute_type", TypeAttr::get(getFloatType(
                                               context, *update.computeFormat)))};
  if (update.inner && update.inner->shards)
    attributes.push_back(builder.getNamedAttr("shards", update.inner->shards));
  return buildUpdate(builder, loc, update.rule, operands,
                     getConstantHyperparameters(context, match), attributes);
}

/// The value below sharding constraints and barriers, which stay on the new
/// result.
static Value skipConstraints(Value value) {
  while (auto result = dyn_cast<OpResult>(value)) {
    SliceForm form = classifyForSlice(result);
    if (form.form != SliceForm::Pass || !form.passed.getDefiningOp() ||
        form.passed.getType() != value.getType() ||
        form.passed.getParentBlock() != value.getParentBlock())
      break;
    value = form.passed;
  }
  return value;
}

void Materializer::replaceResults(Operation *op, const RaisedUpdate &update) {
  Block *body = graph.getBody(0);
  SmallVector<unsigned> places = {update.parameter.result};
  for (const CarriedTensor &state : update.states)
    places.push_back(state.result);
  for (auto [place, result] : llvm::zip_equal(places, op->getResults())) {
    Value old = skipConstraints(body->back().getOperand(place));
    oldResults.push_back(old);
    old.replaceUsesWithIf(result, [&](OpOperand &use) {
      Operation *user = body->findAncestorOpInBlock(*use.getOwner());
      return user && op->isBeforeInBlock(user);
    });
  }
}

bool Materializer::isErasable(Operation *op) {
  if (StringAttr name = getCallee(op)) {
    auto callee = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
        graph.getFunction(), name);
    return callee && !callee.isExternal() &&
           callee.getFunctionBody().hasOneBlock() &&
           llvm::all_of(
               callee.getFunctionBody().front().without_terminator(),
               [](Operation &inner) { return isErasableElementwise(&inner); });
  }
  return isErasableElementwise(op);
}

void Materializer::eraseDead() {
  SetVector<Operation *> work;
  for (Value value : oldResults)
    if (Operation *op = value.getDefiningOp())
      work.insert(op);
  while (!work.empty()) {
    Operation *op = work.pop_back_val();
    // What the root captures is another graph's to erase.
    if (!op->use_empty() || !isErasable(op) ||
        !graph.getBody(0)->findAncestorOpInBlock(*op))
      continue;
    for (Value operand : op->getOperands())
      if (Operation *above = operand.getDefiningOp())
        work.insert(above);
    op->erase();
  }
}

SmallVector<Operation *>
Materializer::materialize(ArrayRef<RaisedUpdate> updates,
                          ArrayRef<std::string> names) {
  isLinalg = isLinalgGraph(graph.getFunction());
  inlineScopes(updates);
  SmallVector<Operation *> ops;
  for (auto [update, name] : llvm::zip_equal(updates, names))
    ops.push_back(build(update, name));
  for (Operation *call : llvm::reverse(inlinedCalls))
    call->erase();
  inlinedCalls.clear();
  for (auto [op, update] : llvm::zip_equal(ops, updates))
    replaceResults(op, update);
  eraseDead();
  return ops;
}
