//===- StableHLOBranch.cpp - case and if ----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/BuiltinTypes.h"
#include "skew/Dialect/Skew/Transforms/Sharding.h"
#include "skew/Frontend/GraphAdaptor.h"

using namespace mlir;
using namespace mlir::skew;

bool mlir::skew::isBranch(Operation *op) {
  StringRef name = op->getName().getStringRef();
  return name == "stablehlo.case" || name == "stablehlo.if";
}

Region &mlir::skew::getBranchRegion(Operation *branch, unsigned index) {
  // The true region of an `if` comes first.
  return branch->getRegion(branch->getName().getStringRef() == "stablehlo.if"
                               ? branch->getNumRegions() - 1 - index
                               : index);
}

Value mlir::skew::getBranchYield(Operation *branch, unsigned index,
                                 unsigned number) {
  Region &body = getBranchRegion(branch, index);
  if (!body.hasOneBlock() || body.front().empty())
    return Value();
  Operation *terminator = &body.front().back();
  return number < terminator->getNumOperands() ? terminator->getOperand(number)
                                               : Value();
}

bool mlir::skew::canAddResults(Operation *branch) {
  return !branch->getAttr(kShardyAttr) && !branch->getAttr(kHloShardingAttr);
}

Operation *mlir::skew::rebuildBranch(Operation *branch,
                                     const llvm::BitVector &kept,
                                     ArrayRef<Value> added) {
  OperationState state(branch->getLoc(), branch->getName());
  state.addOperands(branch->getOperands());
  state.addAttributes(branch->getDiscardableAttrDictionary().getValue());
  state.propertiesAttr = branch->getPropertiesAsAttribute();
  for (OpResult result : branch->getResults())
    if (kept.test(result.getResultNumber()))
      state.addTypes(result.getType());
  for (Value value : added)
    state.addTypes(value.getType());
  for (unsigned i = 0; i < branch->getNumRegions(); ++i)
    state.addRegion();
  GraphBuilder builder(branch->getContext(), /*isLinalg=*/false);
  builder.setInsertionPoint(branch);
  Operation *rebuilt = builder.create(state);
  for (auto [from, to] :
       llvm::zip_equal(branch->getRegions(), rebuilt->getRegions())) {
    to.takeBody(from);
    Operation *terminator = &to.front().back();
    SmallVector<Value> yielded;
    for (auto [number, value] : llvm::enumerate(terminator->getOperands()))
      if (kept.test(number))
        yielded.push_back(value);
    builder.setInsertionPoint(terminator);
    llvm::SmallDenseMap<Type, Value> zeros;
    for (Value value : added) {
      if (to.isAncestor(value.getParentRegion())) {
        yielded.push_back(value);
        continue;
      }
      Value &zero = zeros[value.getType()];
      if (!zero)
        zero = builder.buildZero(branch->getLoc(),
                                 cast<RankedTensorType>(value.getType()));
      yielded.push_back(zero);
    }
    terminator->setOperands(yielded);
  }
  unsigned next = 0;
  for (OpResult result : branch->getResults())
    if (kept.test(result.getResultNumber()))
      result.replaceAllUsesWith(rebuilt->getResult(next++));
  return rebuilt;
}
