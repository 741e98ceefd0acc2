//===- CarriedValues.cpp - state that region ops hand on ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Dialect/Skew/Transforms/CarriedValues.h"

using namespace mlir;
using namespace mlir::skew;

bool skew::canCarry(Operation *op) {
  if (op->getNumRegions() == 0)
    return false;
  for (Region &region : op->getRegions())
    if (!region.hasOneBlock() || region.front().empty() ||
        region.getNumArguments() != op->getNumOperands())
      return false;
  return getCarryingBody(op).back().getNumOperands() == op->getNumResults();
}

/// The op that carries the arguments of `block`; null if none does.
static Operation *getCarrier(Block *block) {
  Operation *op = block->getParentOp();
  return op && op->hasAttr(kCarriesAttr) && canCarry(op) ? op : nullptr;
}

std::optional<CarriedPath> skew::traceToArgument(Value value) {
  CarriedPath path;
  while (auto argument = dyn_cast<BlockArgument>(value)) {
    Block *block = argument.getOwner();
    if (isa_and_nonnull<FunctionOpInterface>(block->getParentOp()) &&
        block->isEntryBlock()) {
      path.number = argument.getArgNumber();
      return path;
    }
    Operation *op = getCarrier(block);
    if (!op || block != &getCarryingBody(op))
      return std::nullopt;
    path.places.push_back({op, argument.getArgNumber()});
    value = op->getOperand(argument.getArgNumber());
  }
  return std::nullopt;
}

std::optional<CarriedPath> skew::traceToResult(Value value) {
  CarriedPath path;
  while (true) {
    Block *block = value.getParentBlock();
    Operation *terminator = &block->back();
    auto use = llvm::find(terminator->getOperands(), value);
    if (use == terminator->operand_end())
      return std::nullopt;
    unsigned number = use - terminator->operand_begin();
    if (isa_and_nonnull<FunctionOpInterface>(block->getParentOp())) {
      path.number = number;
      return path;
    }
    Operation *op = getCarrier(block);
    if (!op || block != &getCarryingBody(op))
      return std::nullopt;
    path.places.push_back({op, number});
    value = op->getResult(number);
  }
}

SmallVector<StateComponent> skew::getWholeState(UpdateOpInterface update) {
  SmallVector<int64_t> whole = update.getWholeShape();
  if (auto tiered = dyn_cast<SkewAdamOp>(update.getOperation()))
    return getTieredState(tiered.getTier(), tiered.getAxes(), whole);
  // State of the other rules has the parameter's shape.
  SmallVector<StateComponent> layout = update.getStateLayout();
  for (StateComponent &component : layout)
    component.shape = whole;
  return layout;
}
