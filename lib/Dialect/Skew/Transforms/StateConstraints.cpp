//===- StateConstraints.cpp - layout constraints on optimizer state -------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs constrain the layout of state between the function's border and the
// update. State that changes its shape cannot keep such an op, so what it says
// moves to the function's result, from where new state derives its own.
//
//===----------------------------------------------------------------------===//

#include "skew/Dialect/Skew/Transforms/Sharding.h"

using namespace mlir;
using namespace mlir::skew;

bool skew::isShardingConstraint(Operation *op) {
  if (op->getNumOperands() != 1 || op->getNumResults() != 1 ||
      op->getOperand(0).getType() != op->getResult(0).getType())
    return false;
  StringRef name = op->getName().getStringRef();
  auto target = dyn_cast_or_null<StringAttr>(op->getAttr("call_target_name"));
  return name == "sdy.sharding_constraint" ||
         (name == "stablehlo.custom_call" && target &&
          target.getValue() == "Sharding");
}

/// The function attribute that would say the same as a constraint; without a
/// value if `op` is none.
static NamedAttribute getConstraint(Operation *op) {
  MLIRContext *context = op->getContext();
  if (!isShardingConstraint(op))
    return {StringAttr::get(context, kShardyAttr), Attribute()};
  if (Attribute sharding = op->getAttr("sharding"))
    return {StringAttr::get(context, kShardyAttr), sharding};
  return {StringAttr::get(context, kHloShardingAttr),
          op->getAttr(kHloShardingAttr)};
}

void skew::moveStateConstraints(UpdateOpInterface update,
                                FunctionOpInterface function) {
  Block &entry = function.getFunctionBody().front();
  if (update->getBlock() != &entry)
    return;
  for (OpOperand &operand : update->getOpOperands()) {
    Operation *constraint = operand.get().getDefiningOp();
    if (!llvm::is_contained(update.getStateOperands(), operand.get()) ||
        !constraint || !getConstraint(constraint).getValue() ||
        !isa<BlockArgument>(constraint->getOperand(0)))
      continue;
    operand.set(constraint->getOperand(0));
    if (constraint->use_empty())
      constraint->erase();
  }
  for (Value next : update->getResults().drop_front()) {
    if (!next.hasOneUse())
      continue;
    Operation *constraint = *next.user_begin();
    NamedAttribute sharding = getConstraint(constraint);
    if (!sharding.getValue() || !constraint->getResult(0).hasOneUse())
      continue;
    OpOperand &use = *constraint->getResult(0).use_begin();
    if (use.getOwner() != entry.getTerminator())
      continue;
    unsigned result = use.getOperandNumber();
    if (!function.getResultAttr(result, kShardyAttr) &&
        !function.getResultAttr(result, kHloShardingAttr))
      function.setResultAttr(result, sharding.getName(), sharding.getValue());
    use.set(next);
    constraint->erase();
  }
}
