//===- MaterializeUpdate.cpp - the op of an update and what it replaces ---===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Frontend/Linalg.h"
#include "skew/Frontend/Materializer.h"
#include "skew/Support/ParameterId.h"

using namespace mlir;
using namespace mlir::skew;

/// Empty for a scalar.
static ArrayRef<int64_t> getShape(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type ? type.getShape() : ArrayRef<int64_t>();
}

/// Just after the last of `values` in `block`.
static void setInsertionPointAfterAll(GraphBuilder &builder, Block *block,
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

Value Materializer::resolveScalar(GraphBuilder &builder, Location loc,
                                  const RaisedUpdate &update, NodeId node) {
  return builder.buildScalarTensor(loc, resolve(*chooseScalar(update, node)));
}

/// The skip condition from its tests, the last one varying fastest.
Value Materializer::buildSkip(GraphBuilder &builder, Location loc,
                              const RaisedUpdate &update) {
  SmallVector<NodeId> nodes = getSkipNodes(update);
  const SkipGuard &guard = *update.skip;
  if (nodes.size() == 1 && nodes[0] == guard.condition) {
    Value value = resolveScalar(builder, loc, update, nodes[0]);
    return guard.negated ? builder.buildNot(loc, value) : value;
  }
  // A condition as it is known so far: a value, or one of the constants.
  struct Condition {
    std::optional<bool> constant;
    Value value;
    bool operator==(const Condition &other) const {
      return constant == other.constant && value == other.value;
    }
  };
  auto choose = [&](Value test, Condition yes, Condition no) -> Condition {
    if (yes == no)
      return yes;
    auto is = [](Condition x, bool value) { return x.constant == value; };
    if (is(yes, true))
      return {std::nullopt,
              is(no, false) ? test : builder.buildOr(loc, test, no.value)};
    if (is(yes, false) && is(no, true))
      return {std::nullopt, builder.buildNot(loc, test)};
    if (is(no, false))
      return {std::nullopt, builder.buildAnd(loc, test, yes.value)};
    Value negated = builder.buildNot(loc, test);
    if (is(no, true))
      return {std::nullopt, builder.buildOr(loc, negated, yes.value)};
    Value other = builder.buildAnd(loc, negated, no.value);
    if (is(yes, false))
      return {std::nullopt, other};
    return {
        std::nullopt,
        builder.buildOr(loc, builder.buildAnd(loc, test, yes.value), other)};
  };
  SmallVector<Condition> level;
  for (bool skips : guard.skips)
    level.push_back({skips, Value()});
  for (auto [node, count] : llvm::reverse(guard.tests)) {
    Value value = resolveScalar(builder, loc, update, node);
    bool isBoolean = graph[node].number == NumberKind::Boolean;
    SmallVector<Value> equals(count - 1);
    SmallVector<Condition> next;
    for (size_t first = 0; first < level.size(); first += count) {
      // Out of range is the last one.
      Condition condition = level[first + count - 1];
      for (unsigned i = count - 1; i-- > 0;) {
        if (isBoolean) {
          condition = choose(value, level[first + 1], level[first]);
          continue;
        }
        if (level[first + i] == condition)
          continue;
        if (!equals[i])
          equals[i] = builder.buildEquals(loc, value, i);
        condition = choose(equals[i], level[first + i], condition);
      }
      next.push_back(condition);
    }
    level = std::move(next);
  }
  return level.front().value;
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
    Value value = resolveScalar(builder, loc, update, matched.scalar);
    return matched.negated ? builder.buildNegate(loc, value) : value;
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
    operands.step = resolveScalar(builder, loc, update, findStep(update));
  operands.learningRate = scalar(match.learningRate);
  for (const auto &[hyperparameter, value] : match.hyperparameters)
    if (!value.constant) {
      operands.runtime.push_back(scalar(value));
      operands.runtimeNames.push_back(hyperparameter);
    }
  if (update.skip)
    operands.skip = buildSkip(builder, loc, update);
  SmallVector<NamedAttribute> attributes = {
      builder.getNamedAttr("parameter_name", builder.getStringAttr(name)),
      builder.getNamedAttr("parameter_id", builder.getI64IntegerAttr(
                                               int64_t(getParameterId(name)))),
      builder.getNamedAttr(
          "compute_type",
          TypeAttr::get(getFloatType(context, *update.computeFormat)))};
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
    // Wherever the value is returned.
    SetVector<Value> olds;
    olds.insert(skipConstraints(body->back().getOperand(place)));
    for (unsigned other : sameResults.lookup(place))
      olds.insert(skipConstraints(body->back().getOperand(other)));
    for (Value old : olds) {
      oldResults.push_back(old);
      old.replaceUsesWithIf(result, [&](OpOperand &use) {
        Operation *user = body->findAncestorOpInBlock(*use.getOwner());
        return user && op->isBeforeInBlock(user);
      });
    }
  }
}

/// Results that are the same node and type as an earlier one.
void Materializer::findSameResults() {
  DenseMap<std::pair<NodeId, Type>, unsigned> first;
  Block *body = graph.getBody(0);
  for (auto [number, value] : llvm::enumerate(body->back().getOperands())) {
    std::optional<NodeId> node = graph.findNode(value, 0);
    if (!node)
      continue;
    auto [it, isNew] = first.try_emplace({*node, value.getType()}, number);
    if (isNew)
      continue;
    SmallVector<unsigned> group = sameResults.lookup(it->second);
    group.push_back(it->second);
    for (unsigned known : group)
      sameResults[known].push_back(number);
    sameResults[number] = group;
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

/// Drops the results of a branch that nothing uses; if that leaves none and
/// nothing else is in it, the branch.
void Materializer::pruneBranch(Operation *branch,
                               SetVector<Operation *> &work) {
  llvm::BitVector kept(branch->getNumResults());
  for (OpResult result : branch->getResults())
    kept[result.getResultNumber()] = !result.use_empty();
  if (kept.all() || !canAddResults(branch))
    return;
  if (kept.none()) {
    bool isEmpty = true;
    branch->walk([&](Operation *inner) {
      bool isEnd = inner->getBlock() && inner == &inner->getBlock()->back();
      isEmpty &=
          inner == branch || isEnd || isBranch(inner) || isErasable(inner);
    });
    if (!isEmpty)
      return;
    branch->walk([&](Operation *inner) { work.remove(inner); });
    for (Value operand : branch->getOperands())
      if (Operation *above = operand.getDefiningOp())
        work.insert(above);
    branch->erase();
    return;
  }
  for (Region &region : branch->getRegions())
    for (auto [number, value] :
         llvm::enumerate(region.front().back().getOperands()))
      if (Operation *above = value.getDefiningOp(); above && !kept[number])
        work.insert(above);
  rebuildBranch(branch, kept, {});
  branch->erase();
}

void Materializer::eraseDead() {
  SetVector<Operation *> work, branches;
  for (Value value : oldResults)
    if (Operation *op = value.getDefiningOp())
      work.insert(op);
  while (!work.empty() || !branches.empty()) {
    // Branches once all that uses them is gone: each result costs a rebuild.
    if (work.empty()) {
      pruneBranch(branches.pop_back_val(), work);
      continue;
    }
    Operation *op = work.pop_back_val();
    // What the root captures is another graph's to erase.
    if (!graph.getBody(0)->findAncestorOpInBlock(*op))
      continue;
    if (isBranch(op)) {
      branches.insert(op);
      continue;
    }
    if (!op->use_empty() || !isErasable(op))
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
  findSameResults();
  inlineScopes(updates);
  exportFromBranches(updates);
  SmallVector<Operation *> ops;
  for (auto [update, name] : llvm::zip_equal(updates, names))
    ops.push_back(build(update, name));
  for (Operation *call : llvm::reverse(obsolete))
    call->erase();
  obsolete.clear();
  for (auto [op, update] : llvm::zip_equal(ops, updates))
    replaceResults(op, update);
  eraseDead();
  return ops;
}
