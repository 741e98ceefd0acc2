//===- RegionRewriter.cpp - change what region ops carry ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RegionRewriter.h"
#include "skew/Dialect/Skew/Transforms/Sharding.h"
#include <map>

using namespace mlir;
using namespace mlir::skew;

SmallVector<Value>
RegionRewriter::replaceOperand(CarriedPlace place, ArrayRef<Value> values,
                               ArrayRef<Replacement> replacements) {
  Tensors &made = ops[place.op].operands[place.number];
  Block &body = getCarryingBody(place.op);
  Location old = body.getArgument(place.number).getLoc();
  llvm::append_range(made.replacements, replacements);
  llvm::append_range(made.values, values);
  for (const Replacement &replacement : replacements)
    made.arguments.push_back(
        body.addArgument(replacement.getType(),
                         deriveLocation(old, replacement.component)));
  return made.arguments;
}

void RegionRewriter::replaceResult(CarriedPlace place,
                                   ArrayRef<Replacement> replacements) {
  llvm::append_range(ops[place.op].results[place.number].replacements,
                     replacements);
}

/// Brings the shardings in attribute `name` to the new places.
template <typename TensorMap>
static void updateShardings(Operation *op, StringRef name,
                            const TensorMap &replaced) {
  Attribute old = op->getAttr(name);
  auto elements = old ? splitShardings(old) : std::nullopt;
  if (!elements)
    return;
  SmallVector<Attribute> updated;
  for (auto [number, element] : llvm::enumerate(*elements)) {
    auto found = replaced.find(number);
    if (found == replaced.end()) {
      updated.push_back(element);
      continue;
    }
    for (const Replacement &replacement : found->second.replacements)
      updated.push_back(restrictSharding(element, replacement.axes));
  }
  op->setAttr(name, joinShardings(op->getContext(), updated));
}

void RegionRewriter::rebuildOne(
    Operation *op, Request &request,
    llvm::function_ref<void(CarriedPlace, ArrayRef<Value>)> handOn) {
  Operation *terminator = &getCarryingBody(op).back();
  SmallVector<Value> operands, returned;
  for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
    auto found = request.operands.find(number);
    if (found == request.operands.end())
      operands.push_back(operand);
    else
      llvm::append_range(operands, found->second.values);
  }
  SmallVector<Type> types;
  SmallVector<unsigned> firstOf;
  for (auto [number, result] : llvm::enumerate(op->getResults())) {
    firstOf.push_back(types.size());
    auto found = request.results.find(number);
    if (found == request.results.end()) {
      returned.push_back(terminator->getOperand(number));
      types.push_back(result.getType());
      continue;
    }
    llvm::append_range(returned, found->second.values);
    for (const Replacement &replacement : found->second.replacements)
      types.push_back(replacement.getType());
  }
  firstOf.push_back(types.size());
  terminator->setOperands(returned);

  OperationState state(op->getLoc(), op->getName());
  state.addOperands(operands);
  state.addTypes(types);
  state.attributes = op->getDiscardableAttrDictionary();
  state.propertiesAttr = op->getPropertiesAsAttribute();
  for (unsigned i = 0; i < op->getNumRegions(); ++i)
    state.addRegion();
  OpBuilder builder(op);
  Operation *rebuilt = builder.create(state);
  for (auto [to, from] :
       llvm::zip_equal(rebuilt->getRegions(), op->getRegions()))
    to.takeBody(from);
  updateShardings(rebuilt, kInShardingsAttr, request.operands);
  updateShardings(rebuilt, kOutShardingsAttr, request.results);
  request.rebuilt = rebuilt;

  for (auto [number, result] : llvm::enumerate(op->getResults())) {
    if (!request.results.contains(number)) {
      result.replaceAllUsesWith(rebuilt->getResult(firstOf[number]));
      continue;
    }
    SmallVector<Value> values;
    for (unsigned i = firstOf[number]; i < firstOf[number + 1]; ++i)
      values.push_back(rebuilt->getResult(i));
    handOn({op, unsigned(number)}, values);
  }
}

void RegionRewriter::rebuild(
    llvm::function_ref<void(CarriedPlace, ArrayRef<Value>)> handOn) {
  // Innermost first; of one depth in the order they were met.
  std::map<unsigned, SmallVector<Operation *>, std::greater<>> byDepth;
  for (auto &entry : ops) {
    unsigned depth = 0;
    for (Operation *op = entry.first; op; op = op->getParentOp())
      ++depth;
    byDepth[depth].push_back(entry.first);
  }
  for (auto &entry : byDepth)
    for (Operation *op : entry.second)
      rebuildOne(op, ops[op], handOn);
}

void RegionRewriter::finish() {
  // All of them first: an old op uses old arguments of the ops around it.
  SmallVector<unsigned> numOperands;
  for (auto &entry : ops) {
    numOperands.push_back(entry.first->getNumOperands());
    entry.first->erase();
  }
  for (auto [entry, oldOperands] : llvm::zip_equal(ops, numOperands)) {
    Request &request = entry.second;
    Operation *op = request.rebuilt;
    for (Region &region : op->getRegions()) {
      Block &block = region.front();
      bool isBody = &block == &getCarryingBody(op);
      // The body has the new arguments at its end already.
      SmallVector<Value> order;
      for (unsigned number = 0; number < oldOperands; ++number) {
        auto found = request.operands.find(number);
        if (found == request.operands.end()) {
          order.push_back(block.getArgument(number));
          continue;
        }
        if (isBody) {
          llvm::append_range(order, found->second.arguments);
          continue;
        }
        Location loc = block.getArgument(number).getLoc();
        for (const Replacement &replacement : found->second.replacements)
          order.push_back(
              block.addArgument(replacement.getType(),
                                deriveLocation(loc, replacement.component)));
      }
      unsigned before = block.getNumArguments();
      for (Value value : order)
        value.replaceAllUsesWith(
            block.addArgument(value.getType(), value.getLoc()));
      block.eraseArguments(0, before);
    }
  }
}
