//===- RoleRules.cpp - the user's rules -----------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Analysis/RoleDecision.h"
#include "skew/Support/Json.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::skew;

template <typename... Ts>
static llvm::Error fail(StringRef fileName, const char *format, Ts &&...args) {
  return llvm::createStringError(
      llvm::inconvertibleErrorCode(),
      (fileName + ": " + llvm::formatv(format, std::forward<Ts>(args)...).str())
          .str());
}

/// Reads the list of axes `key` of rule `number`, if it is there.
static llvm::Error readAxes(const llvm::json::Object &object, StringRef key,
                            unsigned number, StringRef fileName,
                            std::optional<SmallVector<int64_t>> &out) {
  const llvm::json::Value *value = object.get(key);
  if (!value)
    return llvm::Error::success();
  const llvm::json::Array *array = value->getAsArray();
  out.emplace();
  for (size_t i = 0; array && i < array->size(); ++i) {
    std::optional<int64_t> axis = (*array)[i].getAsInteger();
    if (!axis || *axis < 0 || llvm::is_contained(*out, *axis)) {
      array = nullptr;
      break;
    }
    out->push_back(*axis);
  }
  if (!array)
    return fail(fileName,
                "rule {0}: '{1}' must be a list of different axis numbers",
                number, key);
  llvm::sort(*out);
  return llvm::Error::success();
}

static llvm::Expected<RoleRule> readRule(const llvm::json::Value &value,
                                         unsigned number, StringRef fileName) {
  const llvm::json::Object *object = value.getAsObject();
  if (!object)
    return fail(fileName, "rule {0} must be an object", number);
  RoleRule rule;
  std::optional<StringRef> pattern = object->getString("match");
  if (!pattern)
    return fail(fileName, "rule {0} must have a string 'match'", number);
  rule.pattern = pattern->str();
  std::string why;
  if (!llvm::Regex(*pattern).isValid(why))
    return fail(fileName, "rule {0}: bad regular expression '{1}': {2}", number,
                *pattern, why);
  if (const llvm::json::Value *role = object->get("role")) {
    std::optional<StringRef> text = role->getAsString();
    if (text)
      rule.role = symbolizeRole(*text);
    if (!rule.role)
      return fail(fileName,
                  "rule {0}: 'role' must be backbone, expert, router, "
                  "embedding or norm{1}",
                  number, text ? ", got '" + text->str() + "'" : "");
  }
  for (auto [key, axes] : {std::make_pair("batch_axes", &rule.batch),
                           {"row_axes", &rule.row},
                           {"column_axes", &rule.column}})
    if (llvm::Error error = readAxes(*object, key, number, fileName, *axes))
      return error;
  if (!rule.role && !rule.hasAxes())
    return fail(fileName, "rule {0} must have a 'role' or axes", number);
  return rule;
}

llvm::Expected<RoleRules> RoleRules::parse(StringRef text, StringRef fileName) {
  llvm::Expected<llvm::json::Value> json = parseJson(text);
  if (!json) {
    // "[3:5, byte=40]: Expected ..." becomes "file:3:5: expected ...".
    std::string why = llvm::toString(json.takeError());
    auto [place, message] = StringRef(why).split("]: ");
    std::string lower = message.str();
    if (!lower.empty())
      lower[0] = llvm::toLower(lower[0]);
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        (fileName + ":" + place.ltrim('[').split(',').first + ": " + lower)
            .str());
  }
  const llvm::json::Object *object = json->getAsObject();
  std::optional<StringRef> schema =
      object ? object->getString("schema") : std::nullopt;
  if (!schema)
    return fail(fileName, "must be an object with \"schema\": "
                          "\"skew-rules/1\"");
  if (*schema != "skew-rules/1")
    return fail(fileName, "schema must be 'skew-rules/1', got '{0}'", *schema);
  const llvm::json::Array *array = object->getArray("rules");
  if (!array)
    return fail(fileName, "must have a list 'rules'");
  RoleRules rules;
  for (size_t number = 0; number < array->size(); ++number) {
    llvm::Expected<RoleRule> rule =
        readRule((*array)[number], number, fileName);
    if (!rule)
      return rule.takeError();
    rules.list.push_back(std::move(*rule));
  }
  return rules;
}

llvm::Expected<RoleRules> RoleRules::load(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return fail(path, "cannot read the rules: {0}",
                buffer.getError().message());
  return parse((*buffer)->getBuffer(), path);
}

bool RoleRules::matches(unsigned rule, StringRef name) const {
  return llvm::Regex(list[rule].pattern).match(name);
}
