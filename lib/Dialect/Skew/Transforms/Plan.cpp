//===- Plan.cpp - placement plans as JSON ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Dialect/Skew/Transforms/Plan.h"
#include "skew/Dialect/Skew/Transforms/CarriedValues.h"
#include "skew/Support/Json.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::skew;

static constexpr llvm::StringLiteral schemaPrefix = "skew-plan/";
static constexpr int64_t schemaVersion = 1;

template <typename... Args>
static llvm::Error planError(StringRef path, const char *format,
                             Args &&...args) {
  return llvm::createStringError(
      llvm::inconvertibleErrorCode(), "%s",
      llvm::formatv("plan '{0}': {1}", path,
                    llvm::formatv(format, std::forward<Args>(args)...).str())
          .str()
          .c_str());
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// Reads one TIER object; the first error wins.
class TierReader {
public:
  TierReader(StringRef path, StringRef name, const llvm::json::Object &object,
             MLIRContext *context)
      : path(path), name(name), object(object), context(context) {}

  llvm::Expected<Decision> read() {
    Decision decision;
    StateStorage m = keyword("m", symbolizeStateStorage, StateStorage::none);
    StateStorage v = keyword("v", symbolizeStateStorage, StateStorage::f32);
    Place place = keyword("place", symbolizePlace, Place::device);
    decision.numerics =
        keyword("numerics", symbolizeNumerics, Numerics::tiered);
    decision.rounding =
        keyword("rounding", symbolizeRounding, Rounding::nearest);
    decision.rmsClip = keyword("rms_clip", symbolizeRmsClip, RmsClip::batch);
    SmallVector<int64_t> batch = axes("batch_axes"), row = axes("row_axes"),
                         column = axes("column_axes");
    if (!failure.empty())
      return planError(path, "parameter {0}: {1}", name, failure);
    if (place != Place::device)
      return planError(path,
                       "parameter {0}: place host cannot be lowered, use "
                       "device",
                       name);
    // The attributes say what is wrong with them; a plan has no location, so
    // their text is passed on in the plan's own error.
    auto emitError = [&]() {
      return mlir::emitError(UnknownLoc::get(context));
    };
    ScopedDiagnosticHandler capture(context, [&](Diagnostic &diagnostic) {
      fail(diagnostic.str());
      return success();
    });
    decision.tier = TierAttr::getChecked(emitError, context, m, v, place);
    decision.axes =
        AxesAttr::getChecked(emitError, context, ArrayRef<int64_t>(batch),
                             ArrayRef<int64_t>(row), ArrayRef<int64_t>(column));
    if (!failure.empty())
      return planError(path, "parameter {0}: {1}", name, failure);
    return decision;
  }

private:
  template <typename Enum>
  Enum keyword(StringRef key, std::optional<Enum> (*symbolize)(StringRef),
               Enum fallback) {
    const llvm::json::Value *value = object.get(key);
    if (!value) {
      if (key == "m" || key == "v")
        fail(llvm::formatv("needs key '{0}'", key));
      return fallback;
    }
    std::optional<StringRef> text = value->getAsString();
    std::optional<Enum> parsed = text ? symbolize(*text) : std::nullopt;
    if (!parsed)
      fail(llvm::formatv("unknown value {0} of key '{1}'", *value, key));
    return parsed.value_or(fallback);
  }

  SmallVector<int64_t> axes(StringRef key) {
    SmallVector<int64_t> result;
    const llvm::json::Array *array = object.getArray(key);
    if (!array) {
      fail(llvm::formatv("needs an array '{0}'", key));
      return result;
    }
    for (const llvm::json::Value &value : *array) {
      std::optional<int64_t> axis = value.getAsInteger();
      if (!axis)
        fail(llvm::formatv("'{0}' must hold integers, got {1}", key, value));
      result.push_back(axis.value_or(-1));
    }
    return result;
  }

  void fail(std::string why) {
    if (failure.empty())
      failure = std::move(why);
  }

  StringRef path, name;
  const llvm::json::Object &object;
  MLIRContext *context;
  std::string failure;
};
} // namespace

/// A key that is not known may be a later version's, or misspelt.
static void warnOfUnknownKeys(const llvm::json::Object &object,
                              ArrayRef<StringRef> known, StringRef path,
                              const llvm::Twine &where, MLIRContext *context) {
  SmallVector<StringRef> unknown;
  for (const auto &entry : object)
    if (!llvm::is_contained(known, StringRef(entry.first)))
      unknown.push_back(entry.first);
  llvm::sort(unknown);
  for (StringRef key : unknown)
    emitWarning(UnknownLoc::get(context))
        << "plan '" << path << "'" << where << ": key '" << key
        << "' is not known and is ignored";
}

llvm::Expected<FunctionPlan> skew::readPlan(StringRef path, StringRef function,
                                            MLIRContext *context) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return planError(path, "{0}", buffer.getError().message());
  llvm::Expected<llvm::json::Value> json =
      parseJson((*buffer)->getBuffer());
  if (!json)
    return planError(path, "{0}", llvm::toString(json.takeError()));
  const llvm::json::Object *root = json->getAsObject();
  std::optional<StringRef> schema =
      root ? root->getString("schema") : std::nullopt;
  StringRef version = schema.value_or("");
  int64_t number;
  if (!version.consume_front(schemaPrefix) ||
      version.getAsInteger(10, number) || number < 1)
    return planError(path, "must have \"schema\": \"{0}{1}\"", schemaPrefix,
                     schemaVersion);
  if (number > schemaVersion)
    return planError(path,
                     "has schema {0}, newer than {1}{2}: use a newer skew-opt",
                     *schema, schemaPrefix, schemaVersion);
  warnOfUnknownKeys(*root, {"schema", "policy", "functions", "tool", "input"},
                    path, "", context);
  const llvm::json::Array *functions = root->getArray("functions");
  if (!functions)
    return planError(path, "needs an array 'functions'");

  FunctionPlan plan;
  bool isListed = false;
  for (const llvm::json::Value &value : *functions) {
    const llvm::json::Object *object = value.getAsObject();
    if (!object || object->getString("name") != function)
      continue;
    if (isListed)
      return planError(path, "function '{0}' is listed twice", function);
    isListed = true;
    warnOfUnknownKeys(*object, {"name", "parameters"}, path, "", context);
    const llvm::json::Array *parameters = object->getArray("parameters");
    if (!parameters)
      return planError(path, "function '{0}' needs an array 'parameters'",
                       function);
    for (const llvm::json::Value &parameter : *parameters) {
      const llvm::json::Object *entry = parameter.getAsObject();
      std::optional<StringRef> name =
          entry ? entry->getString("name") : std::nullopt;
      if (!name)
        return planError(path, "every parameter needs a string 'name'");
      warnOfUnknownKeys(*entry, {"name", "argument", "tier", "seed", "why"},
                        path, ", parameter " + *name, context);
      Decision decision;
      if (entry->getString("tier") != StringRef("keep")) {
        const llvm::json::Object *tier = entry->getObject("tier");
        if (!tier)
          return planError(path,
                           "parameter {0}: 'tier' must be \"keep\" or an "
                           "object",
                           *name);
        warnOfUnknownKeys(*tier,
                          {"m", "v", "numerics", "rounding", "rms_clip",
                           "place", "batch_axes", "row_axes", "column_axes"},
                          path, ", parameter " + *name, context);
        llvm::Expected<Decision> read =
            TierReader(path, *name, *tier, context).read();
        if (!read)
          return read.takeError();
        decision = *read;
      }
      if (const llvm::json::Value *seed = entry->get("seed")) {
        std::optional<int64_t> number = seed->getAsInteger();
        if (!number)
          return planError(path,
                           "parameter {0}: 'seed' must be an integer, "
                           "got {1}",
                           *name, *seed);
        decision.seed = *number;
      }
      decision.why = entry->getString("why").value_or("plan").str();
      if (!plan.insert({name->str(), decision}).second)
        return planError(path, "parameter {0} is listed twice", *name);
    }
  }
  if (!isListed)
    return planError(path, "has no function '{0}'", function);
  return plan;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

llvm::json::Object skew::tierToJSON(const Decision &decision) {
  auto axes = [](ArrayRef<int64_t> list) {
    llvm::json::Array array;
    for (int64_t axis : list)
      array.push_back(axis);
    return array;
  };
  return llvm::json::Object{{"m", stringifyStateStorage(decision.tier.getM())},
                            {"v", stringifyStateStorage(decision.tier.getV())},
                            {"numerics", stringifyNumerics(decision.numerics)},
                            {"rounding", stringifyRounding(decision.rounding)},
                            {"rms_clip", stringifyRmsClip(decision.rmsClip)},
                            {"place", stringifyPlace(decision.tier.getPlace())},
                            {"batch_axes", axes(decision.axes.getBatch())},
                            {"row_axes", axes(decision.axes.getRow())},
                            {"column_axes", axes(decision.axes.getColumn())}};
}

StringRef skew::getParameterName(UpdateOpInterface update) {
  auto name = update->getAttrOfType<StringAttr>("parameter_name");
  return name ? name.getValue() : "";
}

Decision skew::getDecision(UpdateOpInterface update) {
  Decision decision;
  GroupOp group;
  if (auto symbol = update->getAttrOfType<FlatSymbolRefAttr>("group"))
    // Groups are the module's. A search outwards would stop at an unregistered
    // op around the update, which might be a symbol table.
    if (auto module = update->getParentOfType<ModuleOp>())
      group = dyn_cast_or_null<GroupOp>(
          SymbolTable::lookupSymbolIn(module, symbol));
  if (group) {
    decision.why = group.getWhy().value_or("").str();
    if (group.getTier()) {
      decision.tier = *group.getTier();
      decision.axes = *group.getAxes();
      decision.numerics = group.getNumerics();
      decision.rounding = group.getRounding();
      decision.rmsClip = group.getRmsClip();
      decision.seed = group.getSeed();
    }
  }
  if (auto tiered = dyn_cast<SkewAdamOp>(update.getOperation())) {
    decision.tier = tiered.getTier();
    decision.axes = tiered.getAxes();
    decision.numerics = tiered.getNumerics();
    decision.rounding = tiered.getRounding();
    decision.rmsClip = tiered.getRmsClip();
    decision.seed = tiered.getSeed();
  }
  return decision;
}

std::string skew::writePlan(ModuleOp module, StringRef policy) {
  llvm::json::Array functions;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    llvm::json::Array parameters;
    function.walk([&](UpdateOpInterface update) {
      Decision decision = getDecision(update);
      llvm::json::Object entry{{"name", getParameterName(update)},
                               {"why", decision.why},
                               {"seed", decision.seed}};
      if (auto path = traceToArgument(update.getUpdatedParameter()))
        entry["argument"] = int64_t(path->number);
      if (decision.tier)
        entry["tier"] = tierToJSON(decision);
      else
        entry["tier"] = "keep";
      parameters.push_back(std::move(entry));
    });
    if (!parameters.empty())
      functions.push_back(llvm::json::Object{
          {"name", function.getName()}, {"parameters", std::move(parameters)}});
  }
  llvm::json::Object root{
      {"schema", (schemaPrefix + llvm::Twine(schemaVersion)).str()},
      {"policy", policy},
      {"functions", std::move(functions)}};
  return llvm::formatv("{0:2}\n", llvm::json::Value(std::move(root)));
}
