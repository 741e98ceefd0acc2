//===- InputForm.cpp - inputs that skew-opt cannot read -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "InputForm.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using llvm::StringRef;

static constexpr llvm::StringLiteral advice =
    "convert it with `skewopt optimize` (which reads every form), or print it "
    "in generic form from Python: "
    "module.operation.get_asm(print_generic_op_form=True)";

/// True if a line of text holds an op of StableHLO in its own syntax.
static bool isPrettyStableHLO(StringRef line) {
  line = line.ltrim();
  // Results, if any, come first: `%0 = `, `%0:2 = `.
  if (line.starts_with("%")) {
    size_t equals = line.find(" = ");
    if (equals == StringRef::npos)
      return false;
    line = line.drop_front(equals + 3);
  }
  for (StringRef dialect : {"stablehlo.", "chlo.", "sdy.", "mhlo.", "vhlo."})
    if (line.consume_front(dialect))
      return !line.empty() && llvm::isAlpha(line.front());
  return false;
}

std::string skew::explainUnreadableInput(StringRef fileName,
                                         StringRef contents) {
  if (contents.starts_with("ML\xefR")) {
    // Version number, then the producer as a C string.
    StringRef head = contents.take_front(256);
    if (head.contains("StableHLO_v"))
      return llvm::formatv("{0}: portable StableHLO bytecode cannot be read "
                           "without the StableHLO library: {1}",
                           fileName, advice);
    return "";
  }
  unsigned number = 0;
  while (!contents.empty()) {
    auto [line, rest] = contents.split('\n');
    ++number;
    if (isPrettyStableHLO(line))
      return llvm::formatv("{0}:{1}: StableHLO must be in generic form "
                           "(quoted op names): {2}",
                           fileName, number, advice);
    contents = rest;
  }
  return "";
}
