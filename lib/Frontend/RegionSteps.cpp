//===- RegionSteps.cpp - updates inside loops and manual computations -----===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The body of a loop or of a manual computation is a step of its own: it is
// matched like a function, and what it carries is followed to the arguments and
// results outside. Only what gets there unchanged counts; state that is made on
// the way is not the caller's to keep in another form.
//
//===----------------------------------------------------------------------===//

#include "FunctionMatcher.h"
#include "skew/Dialect/Skew/Transforms/CarriedValues.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::skew;

/// The argument that is handed down to `operand` as it is, through calls only.
std::optional<unsigned> FunctionMatcher::findDirectArgument(Value operand,
                                                            ScopeId scope) {
  while (true) {
    auto argument = dyn_cast<BlockArgument>(operand);
    if (!argument || argument.getOwner() != graph.getBody(scope))
      return std::nullopt;
    if (scope == 0)
      return argument.getArgNumber();
    operand = graph.getCall(scope)->getOperand(argument.getArgNumber());
    scope = graph.getParent(scope);
  }
}

/// The result that `value` is returned as.
std::optional<unsigned> FunctionMatcher::findDirectResult(Value value,
                                                          ScopeId scope) {
  while (true) {
    Operation *terminator = &graph.getBody(scope)->back();
    auto use = llvm::find(terminator->getOperands(), value);
    if (use == terminator->operand_end())
      return std::nullopt;
    unsigned number = use - terminator->operand_begin();
    if (scope == 0)
      return number;
    value = graph.getCall(scope)->getResult(number);
    scope = graph.getParent(scope);
  }
}

/// The places outside of what `op` carries at the places `tensor`.
std::optional<CarriedTensor> FunctionMatcher::findOuter(Operation *op,
                                                        ScopeId scope,
                                                        CarriedTensor tensor) {
  auto argument = findDirectArgument(op->getOperand(tensor.argument), scope);
  auto result = findDirectResult(op->getResult(tensor.result), scope);
  if (!argument || !result || !mayCarry(*argument, *result))
    return std::nullopt;
  return CarriedTensor{*argument, *result};
}

std::string FunctionMatcher::describeLostPlace(Operation *op, ScopeId scope,
                                               CarriedTensor tensor,
                                               StringRef what) {
  std::string name = "'" + getDisplayName(op).str() + "'";
  Value operand = op->getOperand(tensor.argument);
  if (!findDirectArgument(operand, scope)) {
    NodeId node = graph.getNode(operand, scope);
    if (graph[graph.skipCasts(node)].kind == SliceKind::Argument &&
        operand.getDefiningOp())
      return (what + " passes through '" +
              getDisplayName(operand.getDefiningOp()) + "' on its way into " +
              name)
          .str();
    return (what + " does not enter " + name +
            " from outside: it is made in front of it")
        .str();
  }
  if (!findDirectResult(op->getResult(tensor.result), scope))
    return ("the new value of " + what + " does not leave as it comes out of " +
            name)
        .str();
  return (what + " comes out of " + name + " at another place").str();
}

void FunctionMatcher::matchRegion(Operation *op, ScopeId scope) {
  auto inner = std::make_unique<SliceGraph>(
      graph.getFunction(), graph.getSymbols(), &getCarryingBody(op));
  FunctionMatch found = FunctionMatcher(*inner, options, nesting + 1).run();

  for (RaisedUpdate &update : found.raised) {
    // Where nobody outside hands it in and gets it back, it is no parameter.
    std::optional<CarriedTensor> parameter =
        findOuter(op, scope, update.parameter);
    if (!parameter)
      continue;
    SmallVector<unsigned> operands = {update.parameter.argument};
    SmallVector<unsigned> outcomes = {update.parameter.result};
    SmallVector<CarriedTensor, 2> states;
    std::string reason;
    for (auto [number, state] : llvm::enumerate(update.states)) {
      operands.push_back(state.argument);
      outcomes.push_back(state.result);
      if (auto outer = findOuter(op, scope, state))
        states.push_back(*outer);
      else if (reason.empty())
        reason = describeLostPlace(
            op, scope, state,
            ("state tensor " + Twine(number) + " of its update").str());
    }
    ShardingAttr shards;
    if (reason.empty())
      reason = readShards(op, operands, outcomes, shards);
    if (shards && update.inner && update.inner->shards)
      reason = "two manual computations around the update cut its tensors";
    if (!reason.empty()) {
      match.declined.push_back({*parameter, reason});
      for (const CarriedTensor &state : states)
        match.otherStates.push_back({state, OtherStateKind::Moment});
      continue;
    }
    if (!update.inner)
      update.inner =
          InnerStep{inner.get(), update.parameter, update.states, {}, {}};
    if (shards)
      update.inner->shards = shards;
    update.parameter = *parameter;
    update.states = std::move(states);
    for (ScopeId call = scope; call != 0; call = graph.getParent(call))
      update.inner->calls.push_back(graph.getCall(call));
    match.raised.push_back(std::move(update));
  }
  for (const DeclinedParameter &declined : found.declined)
    if (auto outer = findOuter(op, scope, declined.parameter))
      match.declined.push_back({*outer, declined.reason});
  for (CarriedTensor tensor : found.frozen)
    if (auto outer = findOuter(op, scope, tensor))
      match.frozen.push_back(*outer);
  for (const OtherState &other : found.otherStates)
    if (auto outer = findOuter(op, scope, other.tensor))
      match.otherStates.push_back({*outer, other.kind});

  match.inner.push_back(std::move(inner));
  for (std::unique_ptr<SliceGraph> &deeper : found.inner)
    match.inner.push_back(std::move(deeper));
}

/// Looks into the loops and manual computations that results come out of.
void FunctionMatcher::matchRegions() {
  // Each body is matched by a recursion.
  constexpr unsigned kMaxNesting = 32;
  if (nesting >= kMaxNesting)
    return;
  llvm::SetVector<std::pair<Operation *, ScopeId>> regions;
  for (NodeId result : results) {
    if (!graph.isOpaque(result) || graph.getValues(result).empty())
      continue;
    ScopedValue where = graph.getValues(result).front();
    Operation *op = where.value.getDefiningOp();
    if (op && op->getBlock() == graph.getBody(where.scope) && isStepRegion(op))
      regions.insert({op, where.scope});
  }
  for (auto [op, scope] : regions)
    matchRegion(op, scope);
}
