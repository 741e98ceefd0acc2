//===- TextMutator.cpp - changes of bytes, JSON and pipelines -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TextMutator.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::skew::fuzz;
using llvm::StringRef;

static constexpr llvm::StringLiteral kTokens[] = {
    "-1",  "0",     "18446744073709551616", "1e999", "nan",   "\"",    "{",
    "}",   "<",     ">",  "(",  ")",  "%0", "@main", "tensor<", "x",  "?",
    "dense<",  "f32", "bf16", "i32", "\\22", "// -----", "loc(", "array<i64: ",
    "\xff\xfe", "#skew.tier<", "[", "]", ",", "->", "!", "null", "-0.0", "^bb0"};

void mlir::skew::fuzz::mutateBytes(std::string &text, Random &random) {
  for (unsigned n = 1 + random.below(4); n-- > 0;) {
    size_t at = random.below(text.size() + 1);
    size_t length = std::min<size_t>(1 + random.below(random.oneIn(4) ? 400 : 12),
                                     text.size() - at);
    switch (random.below(7)) {
    case 0:
      text.erase(at, length);
      break;
    case 1:
      text.insert(at, text.substr(at, length));
      break;
    case 2:
      text.insert(random.below(text.size() + 1), text.substr(at, length));
      break;
    case 3:
      text.insert(at, random.pick(kTokens).str());
      break;
    case 4:
      if (at < text.size())
        text[at] = char(random.next());
      break;
    case 5:
      if (at < text.size())
        text[at] ^= char(1 << random.below(8));
      break;
    default:
      if (random.oneIn(8))
        text.resize(at);
      else
        text.replace(at, length, random.pick(kTokens).str());
    }
  }
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static llvm::json::Value oddValue(Random &random, const llvm::json::Value &old) {
  switch (random.below(14)) {
  case 0:
    return nullptr;
  case 1:
    return true;
  case 2:
    return -1;
  case 3:
    return int64_t(random.next());
  case 4:
    return 1e300;
  case 5:
    return "";
  case 6:
    return "fuzz";
  case 7:
    return llvm::json::Array{};
  case 8:
    return llvm::json::Object{};
  case 9:
    return llvm::json::Array{old, old};
  case 10: {
    static constexpr llvm::StringLiteral words[] = {
        "none", "param", "f32",     "factored", "bf16", "keep", "tensor",
        "off",  "host",  "nearest", "stochastic", "published"};
    return random.pick(words);
  }
  case 11:
    return int64_t(random.below(5));
  case 12:
    return 0.5;
  default:
    return llvm::json::Array{0, 1, 2};
  }
}

/// Every value of a document, parents before children.
static void collect(llvm::json::Value &value,
                    std::vector<llvm::json::Value *> &all) {
  all.push_back(&value);
  if (auto *array = value.getAsArray())
    for (llvm::json::Value &element : *array)
      collect(element, all);
  if (auto *object = value.getAsObject()) {
    // The order of a hash map is no part of a document.
    std::vector<std::string> keys;
    for (auto &entry : *object)
      keys.push_back(entry.first.str());
    llvm::sort(keys);
    for (const std::string &key : keys)
      collect(*object->get(key), all);
  }
}

void mlir::skew::fuzz::mutateJson(std::string &text, Random &random) {
  llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(text);
  if (!parsed) {
    llvm::consumeError(parsed.takeError());
    return mutateBytes(text, random);
  }
  if (random.oneIn(6))
    return mutateBytes(text, random);
  for (unsigned n = 1 + random.below(3); n-- > 0;) {
    std::vector<llvm::json::Value *> all;
    collect(*parsed, all);
    llvm::json::Value &value = *random.pick(all);
    auto *object = value.getAsObject();
    auto *array = value.getAsArray();
    if (object && !object->empty() && !random.oneIn(4)) {
      std::vector<std::string> keys;
      for (auto &entry : *object)
        keys.push_back(entry.first.str());
      llvm::sort(keys);
      std::string key = random.pick(keys);
      llvm::json::Value old = *object->get(key);
      if (random.oneIn(2))
        object->erase(key);
      if (random.oneIn(2))
        (*object)[key + "_"] = std::move(old);
    } else if (array && !array->empty() && !random.oneIn(4)) {
      size_t place = random.below(array->size());
      llvm::json::Value old = (*array)[place];
      if (random.oneIn(2))
        array->erase(array->begin() + place);
      else
        array->push_back(std::move(old));
    } else {
      value = oddValue(random, llvm::json::Value(value));
    }
  }
  text.clear();
  llvm::raw_string_ostream(text) << *parsed;
}

//===----------------------------------------------------------------------===//
// Pipelines and rules
//===----------------------------------------------------------------------===//

std::string mlir::skew::fuzz::makePipeline(Random &random) {
  static constexpr llvm::StringLiteral passes[] = {
      "skew-pipeline",         "skew-raise-pipeline",
      "skew-place-pipeline",   "skew-rewrite-pipeline",
      "skew-lower-stablehlo-pipeline", "skew-raise",
      "skew-annotate-roles",   "skew-place-state",
      "skew-rewrite-updates",  "skew-detect-hazards",
      "skew-record-outputs",   "skew-write-outputs",
      "skew-decompose-updates", "convert-skew-to-stablehlo",
      "skew-strip",            "skew-print-traffic",
      "skew-check-options",    "skew-expand-rounding",
      "canonicalize",          "cse",
      "skew-nothing"};
  static constexpr llvm::StringLiteral options[] = {
      "policy", "numerics", "rounding", "seed",   "rms-clip", "budget",
      "plan",   "roles",    "target",   "strict", "validate", "chip",
      "profile", "input",   "report",   "layout", "unknown"};
  static constexpr llvm::StringLiteral values[] = {
      "paper", "keep", "auto", "published", "tiered", "stochastic", "nearest",
      "batch", "tensor", "off", "0", "-1", "1", "9223372036854775808", "10GB",
      "2GiB", "1e3", "none", "stablehlo", "nvvm", "true", "false", "maybe", "",
      "absent.json", "{", "}", "'a b'", "\"a b\"", "18446744073709551615GiB",
      "-0", "0x10", "640B", "639B", "999999999TiB", "1.5GiB", " "};
  auto makePass = [&]() {
    std::string text = random.pick(passes).str();
    if (random.oneIn(3))
      return text;
    text += "{";
    for (unsigned n = random.below(4); n-- > 0;)
      text += random.pick(options).str() + "=" + random.pick(values).str() + " ";
    return text + "}";
  };
  std::string text = "builtin.module(";
  for (unsigned n = random.below(4); n-- > 0;)
    text += makePass() + ",";
  text += makePass() + ")";
  if (random.oneIn(8))
    text = "builtin.module(func.func(" + makePass() + "))";
  if (random.oneIn(6))
    mutateBytes(text, random);
  // Nothing is written outside the working folder.
  llvm::erase(text, '/');
  return text;
}

std::string mlir::skew::fuzz::makeRules(Random &random) {
  static constexpr llvm::StringLiteral patterns[] = {
      ".*", "w[12]", "params\\['w", "(", "[", "*", "a{1,2}", "(a|b)*c", "\\", "^$",
      "arg[0-9]+", "(((((.)))))", "[[:alpha:]]", "a{65536}", "x{0}", "\\1", "(.)\\1",
      "[z-a]", "\xff", "a**", "a|*", "()", ".{200}", "((a*)*)*b"};
  static constexpr llvm::StringLiteral roles[] = {
      "expert", "router", "backbone", "embedding", "norm", "Expert", "", "experts"};
  llvm::json::Array rules;
  for (unsigned n = random.below(4); n-- > 0;) {
    llvm::json::Object rule;
    rule["match"] = llvm::json::fixUTF8(random.pick(patterns));
    if (!random.oneIn(4))
      rule["role"] = random.pick(roles);
    for (StringRef key : {"batch_axes", "row_axes", "column_axes"})
      if (random.oneIn(3)) {
        llvm::json::Array axes;
        for (unsigned k = random.below(3); k-- > 0;)
          axes.push_back(int64_t(random.below(5)) - 1);
        rule[key] = std::move(axes);
      }
    rules.push_back(std::move(rule));
  }
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::json::Value(llvm::json::Object{{"schema", "skew-rules/1"},
                                              {"rules", std::move(rules)}});
  if (random.oneIn(3))
    mutateJson(text, random);
  return text;
}
