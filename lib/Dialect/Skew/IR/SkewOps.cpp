//===- SkewOps.cpp - groups and state layout ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "skew/Dialect/Skew/IR/Skew.h"

using namespace mlir;
using namespace mlir::skew;

#define GET_OP_CLASSES
#include "skew/Dialect/Skew/IR/SkewOps.cpp.inc"

LogicalResult GroupOp::verify() {
  StringRef tierClass = getTierClass();
  if (tierClass != "backbone" && tierClass != "expert" && tierClass != "router")
    return emitOpError("tier_class must be backbone, expert or router, got '")
           << tierClass << "'";
  if (getTier() && !getAxes())
    return emitOpError("tier needs axes: the split is part of the decision");
  return success();
}

LogicalResult
StateLayoutOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  auto function = symbolTable.lookupNearestSymbolFrom<FunctionOpInterface>(
      *this, getFunctionAttr());
  if (!function)
    return emitOpError("function '") << getFunction() << "' does not exist";
  ArrayRef<Type> arguments = function.getArgumentTypes();
  ArrayRef<Type> results = function.getResultTypes();
  if (getSlots().size() != arguments.size())
    return emitOpError("must have one slot per argument: function '")
           << getFunction() << "' has " << arguments.size() << ", got "
           << getSlots().size();
  if (getOldResults().size() != results.size())
    return emitOpError("must have one original place per result: function '")
           << getFunction() << "' has " << results.size() << ", got "
           << getOldResults().size();
  llvm::SmallDenseSet<int64_t> taken;
  for (auto [i, attr] : llvm::enumerate(getSlots())) {
    auto slot = cast<SlotAttr>(attr);
    if (slot.getIndex() != int64_t(i))
      return emitOpError("slot ") << i << " has index " << slot.getIndex();
    StringRef kind = slot.getKind().getValue();
    if (kind != "parameter" && kind != "state" && kind != "other")
      return emitOpError("slot ")
             << i << ": kind must be parameter, state or other, got '" << kind
             << "'";
    if (slot.getType() != arguments[i])
      return emitOpError("slot ") << i << " has type " << slot.getType()
                                  << " but the argument is " << arguments[i];
    int64_t result = slot.getResult();
    if (result < 0)
      continue;
    if (result >= int64_t(results.size()))
      return emitOpError("slot ")
             << i << ": result " << result << " does not exist";
    if (results[result] != slot.getType())
      return emitOpError("slot ") << i << " has type " << slot.getType()
                                  << " but its next value, result " << result
                                  << ", is " << results[result];
    if (!taken.insert(result).second)
      return emitOpError("result ") << result << " belongs to two slots";
  }
  return success();
}
