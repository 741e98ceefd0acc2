//===- ParameterNames.cpp - what the source calls an argument -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Frontend/ParameterNames.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Location.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::skew;

/// Name of the outermost NameLoc; empty if there is none.
static StringRef findName(Location loc) {
  if (auto name = dyn_cast<NameLoc>(loc))
    return name.getName().getValue();
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (auto name = dyn_cast<NameLoc>(part))
        return name.getName().getValue();
  return "";
}

/// What follows the leading identifier: `params['a'][0]` -> `['a'][0]`.
static StringRef dropRoot(StringRef name) {
  return name.drop_while([](char c) { return llvm::isAlnum(c) || c == '_'; });
}

/// `result[0]['a']` -> `['a']`: without the name of the whole result and the
/// place in the tuple that the function returns.
static StringRef dropResultRoot(StringRef name) {
  name = dropRoot(name);
  StringRef rest = name;
  if (rest.consume_front("[")) {
    StringRef digits = rest.take_while(llvm::isDigit);
    rest = rest.drop_front(digits.size());
    if (!digits.empty() && rest.consume_front("]"))
      return rest;
  }
  return name;
}

CarriedName mlir::skew::getCarriedName(FunctionOpInterface function,
                                       unsigned argument, unsigned result,
                                       StringRef root) {
  CarriedName carried;
  StringRef argumentName =
      findName(function.getFunctionBody().getArgument(argument).getLoc());
  auto info =
      function.getResultAttrOfType<StringAttr>(result, "jax.result_info");
  StringRef resultName = info ? info.getValue() : StringRef();
  StringRef resultPath = dropResultRoot(resultName);
  if (!argumentName.empty()) {
    carried.name = argumentName.str();
    StringRef path = dropRoot(argumentName);
    if (!resultPath.empty() && !path.empty() && !path.ends_with(resultPath) &&
        !resultPath.ends_with(path))
      carried.conflict = "the argument is called " + argumentName.str() +
                         ", its result " + resultName.str();
  } else if (!resultPath.empty()) {
    carried.name = (root + resultPath).str();
  } else {
    carried.name = "arg" + std::to_string(argument);
  }
  return carried;
}

StringRef mlir::skew::getArgumentPath(FunctionOpInterface function,
                                      unsigned argument) {
  return dropRoot(
      findName(function.getFunctionBody().getArgument(argument).getLoc()));
}

StringRef mlir::skew::getResultPath(FunctionOpInterface function,
                                    unsigned result) {
  auto info =
      function.getResultAttrOfType<StringAttr>(result, "jax.result_info");
  return info ? dropResultRoot(info.getValue()) : StringRef();
}
