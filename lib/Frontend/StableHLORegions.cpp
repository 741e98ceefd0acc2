//===- StableHLORegions.cpp - regions that are steps ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Frontend/StableHLORegions.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "skew/Dialect/Skew/Transforms/CarriedValues.h"
#include "skew/Dialect/Skew/Transforms/Sharding.h"

using namespace mlir;
using namespace mlir::skew;

bool skew::isLoop(Operation *op) {
  return op->getName().getStringRef() == "stablehlo.while";
}

bool skew::isStepRegion(Operation *op) {
  if (!canCarry(op))
    return false;
  if (isLoop(op))
    return op->getNumRegions() == 2 &&
           op->getOperandTypes() == op->getResultTypes() &&
           llvm::all_of(op->getRegions(),
                        [&](Region &region) {
                          return region.front().getArgumentTypes() ==
                                 op->getOperandTypes();
                        }) &&
           getCarryingBody(op).back().getOperandTypes() ==
               op->getResultTypes();
  return op->getName().getStringRef() == "sdy.manual_computation" &&
         op->getNumRegions() == 1;
}

/// The mesh that `sharding` names; null if it names none.
static Attribute findMesh(Operation *op, Attribute sharding) {
  std::string text;
  llvm::raw_string_ostream(text) << sharding;
  StringRef name = StringRef(text).split("<@").second;
  name = name.take_until([](char c) { return c == ',' || c == '>'; });
  auto module = op->getParentOfType<ModuleOp>();
  if (!module || name.empty())
    return {};
  for (Operation &candidate : *module.getBody()) {
    auto symbol = candidate.getAttrOfType<StringAttr>("sym_name");
    if (symbol && symbol.getValue() == name.trim('"'))
      return candidate.getAttr("mesh");
  }
  return {};
}

/// The names in `#sdy<manual_axes{"x", "y"}>`.
static SmallVector<StringRef> readAxisNames(StringRef text) {
  SmallVector<StringRef> quoted, names;
  text.split(quoted, '"');
  for (unsigned i = 1; i < quoted.size(); i += 2)
    names.push_back(quoted[i]);
  return names;
}

std::string skew::readShards(Operation *op, ArrayRef<unsigned> operands,
                             ArrayRef<unsigned> results, ShardingAttr &shards) {
  shards = {};
  if (isLoop(op))
    return "";
  std::string name = "'" + op->getName().getStringRef().str() + "'";
  auto read = [&](StringRef attribute, size_t count) {
    Attribute shardings = op->getAttr(attribute);
    auto elements = shardings ? splitShardings(shardings) : std::nullopt;
    return elements && elements->size() == count ? elements : std::nullopt;
  };
  auto in = read(kInShardingsAttr, op->getNumOperands());
  auto out = read(kOutShardingsAttr, op->getNumResults());
  if (!in || !out)
    return "the shardings of " + name + " cannot be read";

  std::string manual;
  llvm::raw_string_ostream(manual) << op->getAttr("manual_axes");
  SmallVector<StringRef> manualAxes = readAxisNames(manual);
  Block &body = getCarryingBody(op);
  std::optional<ShardingAttr> common;
  std::string reason;
  auto add = [&](Attribute sharding, Type whole, Type part) {
    auto wholeType = dyn_cast<RankedTensorType>(whole);
    auto partType = dyn_cast<RankedTensorType>(part);
    if (!reason.empty())
      return;
    if (!wholeType || !partType) {
      reason = "a tensor of the update is of unknown size";
      return;
    }
    ShardingAttr one;
    std::string text;
    llvm::raw_string_ostream(text) << sharding;
    if (wholeType == partType) {
      // All of it on every device, unless its values are partial sums.
      if (StringRef(text).contains("unreduced"))
        reason = "a tensor of the update is a partial sum on every device";
    } else {
      one = readManualSharding(sharding, findMesh(op, sharding), manualAxes,
                               wholeType.getShape(), partType.getShape(),
                               reason);
      if (!one && reason.empty())
        reason = "the sharding " + text + " cannot be read";
    }
    if (reason.empty() && common && *common != one)
      reason = "parameter and state are cut differently in " + name;
    common = one;
  };
  for (unsigned number : operands)
    add((*in)[number], op->getOperand(number).getType(),
        body.getArgument(number).getType());
  for (unsigned number : results)
    add((*out)[number], op->getResult(number).getType(),
        body.back().getOperand(number).getType());
  if (reason.empty() && common)
    shards = *common;
  return reason;
}
