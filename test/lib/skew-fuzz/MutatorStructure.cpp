//===- MutatorStructure.cpp - changes of regions and functions ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Mutator.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::skew::fuzz;

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

bool Mutator::dropOp() {
  Operation *op = pickOp();
  if (op->hasTrait<OpTrait::IsTerminator>() || isa<func::FuncOp>(op) ||
      op->getParentOp() == module.getOperation())
    return false;
  for (Value result : op->getResults()) {
    if (result.use_empty())
      continue;
    Value other;
    for (Value operand : op->getOperands())
      if (operand.getType() == result.getType() && (!other || random.oneIn(2)))
        other = operand;
    if (!other)
      other = pickValue(op, result.getType());
    if (!other)
      return false;
    result.replaceAllUsesWith(other);
  }
  op->erase();
  return true;
}

bool Mutator::duplicateOp() {
  Operation *op = pickOp();
  if (op->hasTrait<OpTrait::IsTerminator>() || isa<func::FuncOp>(op) ||
      op->getNumResults() == 0)
    return false;
  OpBuilder builder(op);
  builder.setInsertionPointAfter(op);
  Operation *copy = builder.clone(*op);
  for (auto [from, to] : llvm::zip_equal(op->getResults(), copy->getResults()))
    from.replaceUsesWithIf(to, [&](OpOperand &use) {
      return use.getOwner() != copy && random.oneIn(2);
    });
  return true;
}

/// As far up or down as uses allow.
bool Mutator::moveOp() {
  Operation *op = pickOp();
  if (op->hasTrait<OpTrait::IsTerminator>() || isa<func::FuncOp>(op) ||
      !op->getBlock() || op->getParentOp() == module.getOperation())
    return false;
  bool up = random.oneIn(2);
  Operation *target = op;
  for (unsigned n = random.below(30) + 1; n-- > 0;) {
    Operation *next = up ? target->getPrevNode() : target->getNextNode();
    if (!next || next->hasTrait<OpTrait::IsTerminator>() ||
        &next->getBlock()->back() == next)
      break;
    bool linked = false;
    (up ? op : next)->walk([&](Operation *user) {
      for (Value operand : user->getOperands())
        linked |= operand.getDefiningOp() == (up ? next : op);
    });
    if (linked)
      break;
    target = next;
  }
  if (target == op)
    return false;
  up ? op->moveBefore(target) : op->moveAfter(target);
  return true;
}

//===----------------------------------------------------------------------===//
// Regions
//===----------------------------------------------------------------------===//

/// `op` as one branch of a case or if; the others give another value.
bool Mutator::wrapInCase() {
  Operation *op = pickTensorOp();
  if (!op)
    return false;
  Type type = op->getResult(0).getType();
  OpBuilder builder(op);
  bool isIf = random.oneIn(3);
  auto scalar = RankedTensorType::get(
      {}, isIf ? Type(builder.getI1Type()) : Type(builder.getI32Type()));
  Value index = random.oneIn(3) ? Value() : pickValue(op, scalar);
  if (!index)
    index = createSplat(builder, scalar, double(random.below(3)));
  unsigned branches = isIf ? 2 : 1 + random.below(3);
  Value other = pickValue(op, type);
  Operation *choice = create(builder, isIf ? "stablehlo.if" : "stablehlo.case",
                             index, type, {}, branches);
  unsigned chosen = random.below(branches);
  for (unsigned i = 0; i < branches; ++i) {
    Block *block = new Block;
    choice->getRegion(i).push_back(block);
    builder.setInsertionPointToEnd(block);
    Value yielded = other;
    if (i == chosen || !other || random.oneIn(3))
      yielded = builder.clone(*op)->getResult(0);
    create(builder, "stablehlo.return", yielded, {});
  }
  op->getResult(0).replaceAllUsesWith(choice->getResult(0));
  op->erase();
  return true;
}

/// `op` run a number of times on its own result.
bool Mutator::wrapInWhile() {
  Operation *op = pickTensorOp();
  if (!op || op->getNumOperands() == 0 ||
      op->getOperand(0).getType() != op->getResult(0).getType())
    return false;
  Type type = op->getResult(0).getType();
  OpBuilder builder(op);
  auto counter = RankedTensorType::get({}, builder.getI32Type());
  Value start = createSplat(builder, counter, 0.0);
  Value end = createSplat(builder, counter, double(random.below(4)));
  Operation *loop = create(builder, "stablehlo.while", {start, op->getOperand(0)},
                           {counter, type}, {}, 2);
  auto addBlock = [&](unsigned region) {
    Block *block = new Block;
    loop->getRegion(region).push_back(block);
    block->addArguments({counter, type}, {module.getLoc(), module.getLoc()});
    builder.setInsertionPointToEnd(block);
    return block;
  };
  Block *condition = addBlock(0);
  Value goesOn =
      create(builder, "stablehlo.compare", {condition->getArgument(0), end},
             counter.clone(builder.getI1Type()),
             builder.getNamedAttr("comparison_direction",
                                  builder.getStringAttr("LT")))
          ->getResult(0);
  create(builder, "stablehlo.return", goesOn, {});
  Block *body = addBlock(1);
  Operation *inner = builder.clone(*op);
  inner->setOperand(0, body->getArgument(1));
  Value one = createSplat(builder, counter, 1.0);
  Value next = create(builder, "stablehlo.add", {body->getArgument(0), one},
                      counter)
                   ->getResult(0);
  create(builder, "stablehlo.return", {next, inner->getResult(0)}, {});
  op->getResult(0).replaceAllUsesWith(loop->getResult(1));
  op->erase();
  return true;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// One op, or a chain of up to five, behind a call.
bool Mutator::outline() {
  Operation *op = pickTensorOp();
  if (!op || op->getNumRegions() != 0)
    return false;
  SmallVector<Operation *> chain = {op};
  for (unsigned n = random.below(5); n-- > 0;) {
    Operation *first = chain.back();
    Operation *above = nullptr;
    for (Value operand : first->getOperands())
      if (Operation *def = operand.getDefiningOp();
          def && def->getBlock() == op->getBlock() && def->hasOneUse() &&
          def->getNumRegions() == 0 && def->getNumResults() == 1)
        above = def;
    if (!above)
      break;
    chain.push_back(above);
  }
  std::reverse(chain.begin(), chain.end());
  SetVector<Value> inputs;
  for (Operation *member : chain)
    for (Value operand : member->getOperands())
      if (!llvm::is_contained(chain, operand.getDefiningOp()))
        inputs.insert(operand);
  unsigned number = 0;
  std::string name;
  do
    name = "fuzz_" + std::to_string(number++);
  while (module.lookupSymbol(name));
  OpBuilder builder(module.getContext());
  builder.setInsertionPointToEnd(module.getBody());
  SmallVector<Type> types(ValueRange(inputs.getArrayRef()).getTypes());
  auto function = func::FuncOp::create(
      builder, module.getLoc(), name,
      builder.getFunctionType(types, op->getResultTypes()));
  function.setPrivate();
  Block *body = function.addEntryBlock();
  builder.setInsertionPointToEnd(body);
  IRMapping mapping;
  mapping.map(ValueRange(inputs.getArrayRef()), body->getArguments());
  for (Operation *member : chain)
    builder.clone(*member, mapping);
  func::ReturnOp::create(builder, module.getLoc(),
                         mapping.lookup(op->getResult(0)));
  builder.setInsertionPoint(op);
  auto call = func::CallOp::create(builder, module.getLoc(), function,
                                   inputs.getArrayRef());
  op->getResult(0).replaceAllUsesWith(call.getResult(0));
  for (Operation *member : llvm::reverse(chain))
    member->erase();
  return true;
}

bool Mutator::inlineCall() {
  SmallVector<func::CallOp> calls;
  for (Operation *op : ops)
    if (auto call = dyn_cast<func::CallOp>(op))
      calls.push_back(call);
  if (calls.empty())
    return false;
  func::CallOp call = random.pick(calls);
  auto callee = module.lookupSymbol<func::FuncOp>(call.getCallee());
  if (!callee || !callee.getBody().hasOneBlock() ||
      callee->isAncestor(call) ||
      callee.getNumArguments() != call.getNumOperands() ||
      callee.getBody().front().getTerminator()->getNumOperands() !=
          call.getNumResults())
    return false;
  OpBuilder builder(call);
  IRMapping mapping;
  mapping.map(callee.getArguments(), call.getOperands());
  for (Operation &op : callee.getBody().front().without_terminator())
    builder.clone(op, mapping);
  for (auto [result, value] : llvm::zip_equal(
           call.getResults(),
           callee.getBody().front().getTerminator()->getOperands()))
    result.replaceAllUsesWith(mapping.lookupOrDefault(value));
  call.erase();
  return true;
}

/// A call of the function it stands in, or of any that fits.
bool Mutator::callItself() {
  func::FuncOp function = pickFunction();
  if (!function || function.isExternal() || function.getBody().empty())
    return false;
  Operation *before = &function.getBody().front().front();
  if (function.getResultTypes().empty() ||
      !function.getBody().hasOneBlock())
    return false;
  OpBuilder builder(before);
  if (function.getBody().front().getArgumentTypes() !=
      TypeRange(function.getArgumentTypes()))
    return false;
  auto call = func::CallOp::create(builder, module.getLoc(), function,
                                   function.getBody().front().getArguments());
  Operation *last = &function.getBody().front().back();
  unsigned place = random.below(last->getNumOperands());
  if (last->getNumOperands() == 0 || place >= call.getNumResults() ||
      last->getOperand(place).getType() != call.getResult(place).getType())
    return true;
  last->setOperand(place, call.getResult(place));
  return true;
}

bool Mutator::splitBlock() {
  Operation *op = pickOp();
  if (!isa_and_nonnull<func::FuncOp>(op->getParentOp()))
    return false;
  Block *block = op->getBlock();
  Block *rest = block->splitBlock(op);
  OpBuilder builder = OpBuilder::atBlockEnd(block);
  cf::BranchOp::create(builder, module.getLoc(), rest);
  return true;
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

bool Mutator::addArgument() {
  func::FuncOp function = pickFunction();
  if (!function || function.isExternal())
    return false;
  Type type = function.getNumArguments()
                  ? random.pick(SmallVector<Type>(function.getArgumentTypes()))
                  : RankedTensorType::get({}, Builder(module).getF32Type());
  unsigned place = random.below(function.getNumArguments() + 1);
  return succeeded(
      function.insertArgument(
      place, type, DictionaryAttr::get(module.getContext()), module.getLoc()));
}

bool Mutator::dropArgument() {
  func::FuncOp function = pickFunction();
  if (!function || function.isExternal() || function.getNumArguments() == 0)
    return false;
  unsigned place = random.below(function.getNumArguments());
  BlockArgument argument = function.getArgument(place);
  if (!argument.use_empty()) {
    Value other;
    for (BlockArgument candidate : function.getArguments())
      if (candidate != argument && candidate.getType() == argument.getType() &&
          (!other || random.oneIn(2)))
        other = candidate;
    if (!other)
      return false;
    argument.replaceAllUsesWith(other);
  }
  return succeeded(function.eraseArgument(place));
}

bool Mutator::dropReturn() {
  func::FuncOp function = pickFunction();
  if (!function || function.isExternal() || function.getNumResults() == 0 ||
      !function.getBody().hasOneBlock())
    return false;
  Operation *last = &function.getBody().front().back();
  unsigned place = random.below(function.getNumResults());
  if (place >= last->getNumOperands())
    return false;
  last->eraseOperand(place);
  return succeeded(function.eraseResult(place));
}

/// One type wherever the function has it.
bool Mutator::changeArgumentType() {
  func::FuncOp function = pickFunction();
  if (!function || function.isExternal() || function.getNumArguments() == 0)
    return false;
  Type from = random.pick(SmallVector<Type>(function.getArgumentTypes()));
  Type to = makeOddType(from);
  bool everywhere = !random.oneIn(4);
  if (everywhere) {
    auto tensor = dyn_cast<RankedTensorType>(to);
    function->walk([&](Operation *op) {
      for (Value result : op->getResults())
        if (result.getType() == from)
          result.setType(to);
      auto dense = dyn_cast_or_null<DenseElementsAttr>(op->getAttr("value"));
      if (dense && dense.getType() == from && tensor && tensor.hasStaticShape() &&
          dense.isSplat() && dense.getElementType() == tensor.getElementType())
        op->setAttr("value", dense.resizeSplat(tensor));
    });
  }
  SmallVector<Type> inputs(function.getArgumentTypes());
  SmallVector<Type> results(function.getResultTypes());
  for (auto [place, type] : llvm::enumerate(inputs))
    if (type == from && (everywhere || random.oneIn(2))) {
      type = to;
      function.getArgument(place).setType(to);
    }
  if (everywhere)
    for (Type &type : results)
      if (type == from)
        type = to;
  function.setType(FunctionType::get(module.getContext(), inputs, results));
  return true;
}

bool Mutator::changeFunctionAttribute() {
  func::FuncOp function = pickFunction();
  if (!function)
    return false;
  Builder builder(module.getContext());
  static constexpr StringLiteral names[] = {
      "tf.aliasing_output", "jax.buffer_donor", "mhlo.sharding", "sdy.sharding",
      "jax.result_info",    "skew.parameters",  "skew.role",     "fuzz",
      "skew.other_state",   "skew.lint"};
  StringRef name = random.pick(names);
  Attribute value = makeOddAttribute(
      random.oneIn(2) ? Attribute(builder.getStringAttr("result[0]['w']"))
                      : Attribute(builder.getI32IntegerAttr(1)));
  switch (random.below(3)) {
  case 0:
    if (function.getNumArguments() == 0)
      return false;
    function.setArgAttr(random.below(function.getNumArguments()), name, value);
    return true;
  case 1:
    if (function.getNumResults() == 0)
      return false;
    function.setResultAttr(random.below(function.getNumResults()), name, value);
    return true;
  default:
    function->setAttr(name, value);
    return true;
  }
}

bool Mutator::changeVisibility() {
  func::FuncOp function = pickFunction();
  if (!function)
    return false;
  function.isPrivate() ? function.setPublic() : function.setPrivate();
  return true;
}

bool Mutator::duplicateFunction() {
  func::FuncOp function = pickFunction();
  if (!function || ops.size() > 2000)
    return false;
  OpBuilder builder(function);
  auto copy = cast<func::FuncOp>(builder.clone(*function));
  if (!random.oneIn(8))
    copy.setName((function.getName() + "_copy").str());
  return true;
}

bool Mutator::dropBody() {
  func::FuncOp function = pickFunction();
  if (!function || function.isExternal())
    return false;
  function.getBody().dropAllReferences();
  function.getBody().getBlocks().clear();
  function.setPrivate();
  return true;
}
