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

/// Twice the regions that the parser's stack of 8 MB is good for by a margin.
static constexpr unsigned kMaxBracketDepth = 2000;

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
    if (line.consume_front(dialect)) {
      StringRef rest = line.drop_while(
          [](char c) { return llvm::isAlnum(c) || c == '_' || c == '.'; });
      // An entry of an attribute dictionary may begin a line as well.
      rest = rest.ltrim();
      return !line.empty() && llvm::isAlpha(line.front()) &&
             !rest.starts_with("=") && !rest.starts_with(",") &&
             !rest.starts_with("}");
    }
  return false;
}

/// Brackets that are open at once at most, outside of strings and comments. The
/// parser and all that walks regions recurse once for each.
static unsigned getBracketDepth(StringRef text) {
  unsigned depth = 0, deepest = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
    case '"':
      for (++i; i < text.size() && text[i] != '"' && text[i] != '\n'; ++i)
        i += text[i] == '\\';
      break;
    case '/':
      if (text.substr(i).starts_with("//"))
        i = std::min(text.find('\n', i), text.size());
      break;
    case '(':
    case '{':
    case '[':
      deepest = std::max(deepest, ++depth);
      break;
    case ')':
    case '}':
    case ']':
      depth -= depth != 0;
      break;
    }
  }
  return deepest;
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
  if (getBracketDepth(contents) > kMaxBracketDepth)
    return llvm::formatv("{0}: brackets must not be nested more than {1} deep",
                         fileName, kMaxBracketDepth);
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
