//===- ParameterNames.h - what the source calls an argument -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_FRONTEND_PARAMETERNAMES_H
#define SKEW_FRONTEND_PARAMETERNAMES_H

#include "mlir/Interfaces/FunctionInterfaces.h"
#include <string>

namespace mlir::skew {

/// Name of an argument that a result carries on. Never an input to a decision.
struct CarriedName {
  /// The argument's location name as written; else `root` and the path of the
  /// result's jax.result_info without its `result` and tuple index; else argN.
  std::string name;
  /// Argument and result are both named and their paths differ: the two.
  std::string conflict;
};

/// `root` stands for what a result name does not tell: the name of the argument
/// that the path is in ("params" for parameters).
CarriedName getCarriedName(FunctionOpInterface function, unsigned argument,
                           unsigned result, StringRef root);

/// What follows the leading identifier in the name of an argument or a result;
/// empty if there is no name. Equal for an argument and its next value.
StringRef getArgumentPath(FunctionOpInterface function, unsigned argument);
StringRef getResultPath(FunctionOpInterface function, unsigned result);

} // namespace mlir::skew

#endif // SKEW_FRONTEND_PARAMETERNAMES_H
