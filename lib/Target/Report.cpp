//===- Report.cpp - reports and layouts as JSON ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Target/Report.h"
#include "skew/Dialect/Skew/IR/ParameterTable.h"
#include "skew/Dialect/Skew/Transforms/CarriedValues.h"
#include "skew/Dialect/Skew/Transforms/Plan.h"
#include "skew/Support/Version.h"

using namespace mlir;
using namespace mlir::skew;
namespace json = llvm::json;

static json::Array toArray(ArrayRef<int64_t> list) {
  json::Array array;
  for (int64_t element : list)
    array.push_back(element);
  return array;
}

static json::Object stateToJSON(StringRef component, StringRef dtype,
                                ArrayRef<int64_t> shape, int64_t bytes) {
  // A json::Value only refers to a StringRef; the caller's may be a temporary.
  return json::Object{{"component", component.str()},
                      {"dtype", dtype.str()},
                      {"shape", toArray(shape)},
                      {"bytes", bytes}};
}

static json::Value attrToJSON(Attribute attr) {
  if (auto number = dyn_cast<FloatAttr>(attr))
    return number.getValueAsDouble();
  if (auto number = dyn_cast<IntegerAttr>(attr))
    return number.getInt();
  if (auto text = dyn_cast<StringAttr>(attr))
    return text.getValue();
  return nullptr;
}

namespace {

/// Builds the report of one function.
class FunctionReport {
public:
  explicit FunctionReport(FunctionOpInterface function, StateLayoutOp layout)
      : function(function), layout(layout) {
    function.walk([&](UpdateOpInterface update) {
      updates[getParameterName(update)] = update;
    });
  }

  FailureOr<json::Object> make();

private:
  json::Object parameterToJSON(const ParameterEntry &entry);
  /// TIER of an update that keeps its own state.
  json::Object keptTier(UpdateOpInterface update, AxesAttr axes);
  /// Type of the parameter; null if the record names no tensor argument.
  RankedTensorType typeOf(const ParameterEntry &entry);
  LogicalResult checkAgainstSignature();
  json::Array otherState();
  json::Array lint();

  FunctionOpInterface function;
  StateLayoutOp layout;
  llvm::StringMap<UpdateOpInterface> updates;
  /// By original place, where there is a layout.
  llvm::DenseMap<int64_t, RankedTensorType> parameterTypes;
  int64_t elements = 0, raised = 0, declined = 0, frozen = 0;
  int64_t bytesBefore = 0, bytesAfter = 0;
};

} // namespace

RankedTensorType FunctionReport::typeOf(const ParameterEntry &entry) {
  if (!layout) {
    ArrayRef<Type> types = function.getArgumentTypes();
    int64_t argument = entry.getArgument();
    if (argument < 0 || argument >= int64_t(types.size()))
      return {};
    return dyn_cast<RankedTensorType>(types[argument]);
  }
  // Built once: a search for each parameter would be quadratic.
  if (parameterTypes.empty())
    for (auto slot : layout.getSlots().getAsRange<SlotAttr>())
      if (slot.getKind() == "parameter")
        parameterTypes.try_emplace(slot.getOldIndex(),
                                   dyn_cast<RankedTensorType>(slot.getType()));
  return parameterTypes.lookup(entry.getArgument());
}

json::Object FunctionReport::keptTier(UpdateOpInterface update, AxesAttr axes) {
  Decision kept;
  MLIRContext *context = function.getContext();
  StateStorage m = StateStorage::none, v = StateStorage::none;
  for (const StateComponent &component : update.getStateLayout())
    (component.name == "m" ? m : v) =
        getStorageOf(component.elementType).value_or(StateStorage::none);
  kept.axes = axes;
  kept.rmsClip = RmsClip::off;
  // A TierAttr always has a second moment; rules without one still report.
  kept.tier =
      TierAttr::get(context, m, v == StateStorage::none ? StateStorage::f32 : v,
                    Place::device);
  json::Object tier = tierToJSON(kept);
  tier["v"] = stringifyStateStorage(v);
  return tier;
}

json::Object FunctionReport::parameterToJSON(const ParameterEntry &entry) {
  RankedTensorType type = typeOf(entry);
  json::Object object{
      {"name", entry.getName()},
      {"argument", entry.getArgument()},
      {"status", entry.getStatus()},
      {"role", stringifyRole(entry.getRole().value_or(Role::backbone))},
      {"tier_class", entry.getTierClass()},
      {"role_source", entry.getRoleSource()},
      {"confidence", entry.getConfidence()},
      {"evidence", entry.getEvidence()},
      {"risk", 0.0}};
  object["result"] = entry.getResult() >= 0 ? json::Value(entry.getResult())
                                            : json::Value(nullptr);
  object["reason"] = entry.getReason().empty() ? json::Value(nullptr)
                                               : json::Value(entry.getReason());
  object["rule"] = entry.getRule().empty() ? json::Value(nullptr)
                                           : json::Value(entry.getRule());
  object["gradient"] = entry.getGradient().empty()
                           ? json::Value(nullptr)
                           : json::Value(entry.getGradient());
  if (type) {
    object["shape"] = toArray(type.getShape());
    object["dtype"] = getDtypeName(type.getElementType());
    int64_t count = getNumElements(type.getShape());
    object["elements"] = count;
    elements += count;
  }
  json::Object hyperparameters;
  if (DictionaryAttr all = entry.getHyperparameters())
    for (NamedAttribute attr : all)
      hyperparameters[attr.getName().getValue()] = attrToJSON(attr.getValue());
  object["hyperparameters"] = std::move(hyperparameters);

  json::Array before, after;
  int64_t sumBefore = 0, sumAfter = 0;
  for (const OriginalState &state : entry.getStates()) {
    before.push_back(
        stateToJSON(state.component, state.dtype, state.shape, state.bytes));
    sumBefore += state.bytes;
  }
  auto found = updates.find(entry.getName());
  if (entry.isRaised() && found != updates.end()) {
    UpdateOpInterface update = found->second;
    for (const StateComponent &component : getWholeState(update)) {
      after.push_back(stateToJSON(component.name,
                                  getDtypeName(component.elementType),
                                  component.shape, component.getSizeInBytes()));
      sumAfter += component.getSizeInBytes();
    }
    Decision decision = getDecision(update);
    AxesAttr axes = entry.getAxes() ? entry.getAxes()
                    : type
                        ? getDefaultAxes(function.getContext(), type.getRank())
                        : AxesAttr::get(function.getContext(), {}, {}, {});
    object["tier"] = isa<SkewAdamOp>(update.getOperation())
                         ? tierToJSON(decision)
                         : keptTier(update, axes);
    object["why"] = decision.why;
  } else {
    after = before;
    sumAfter = sumBefore;
    object["tier"] = nullptr;
    object["why"] = entry.getReason();
  }
  object["state_before"] = std::move(before);
  object["state_before_bytes"] = sumBefore;
  object["state_after"] = std::move(after);
  object["state_after_bytes"] = sumAfter;
  bytesBefore += sumBefore;
  bytesAfter += sumAfter;
  StringRef status = entry.getStatus();
  ++(status == "raised" ? raised : status == "frozen" ? frozen : declined);
  return object;
}

json::Array FunctionReport::otherState() {
  json::Array array;
  auto others =
      function->getAttrOfType<ArrayAttr>(SkewDialect::kOtherStateAttr);
  if (!others)
    return array;
  for (Attribute entry : others) {
    auto other = dyn_cast<DictionaryAttr>(entry);
    if (!other)
      continue;
    json::Object object;
    for (NamedAttribute attr : other)
      object[attr.getName().getValue()] = attrToJSON(attr.getValue());
    array.push_back(std::move(object));
  }
  return array;
}

json::Array FunctionReport::lint() {
  json::Array array;
  auto findings = function->getAttrOfType<ArrayAttr>(SkewDialect::kLintAttr);
  if (!findings)
    return array;
  for (Attribute entry : findings) {
    auto finding = dyn_cast<DictionaryAttr>(entry);
    if (!finding)
      continue;
    json::Object object;
    for (NamedAttribute attr : finding)
      object[attr.getName().getValue()] = attrToJSON(attr.getValue());
    array.push_back(std::move(object));
  }
  return array;
}

/// The bytes reported are the bytes of the new signature, or nothing is.
LogicalResult FunctionReport::checkAgainstSignature() {
  if (!layout)
    return success();
  int64_t signatureBytes = 0;
  for (Attribute attr : layout.getSlots()) {
    auto slot = cast<SlotAttr>(attr);
    if (slot.getKind() == "state" && slot.getComponent() != "step")
      signatureBytes += getSizeInBytes(slot.getType());
  }
  if (signatureBytes == bytesAfter)
    return success();
  return function.emitError()
         << "state in the rewritten signature is " << signatureBytes
         << " bytes, but the parameters account for " << bytesAfter
         << ": this is a defect of skew-opt, please report it";
}

FailureOr<json::Object> FunctionReport::make() {
  json::Array parameters;
  for (const ParameterEntry &entry : getParameterEntries(function)) {
    // The record is an attribute that anyone may have edited.
    RankedTensorType type = typeOf(entry);
    if (!type || !type.hasStaticShape()) {
      InFlightDiagnostic error = function.emitError();
      error << "parameter " << entry.getName()
            << " of skew.parameters must be a tensor argument of static shape, "
               "got number "
            << entry.getArgument();
      if (type)
        error << " of type " << type;
      return failure();
    }
    parameters.push_back(parameterToJSON(entry));
  }
  if (failed(checkAgainstSignature()))
    return failure();
  json::Object totals{{"parameters", int64_t(parameters.size())},
                      {"elements", elements},
                      {"raised", raised},
                      {"declined", declined},
                      {"frozen", frozen},
                      {"state_before_bytes", bytesBefore},
                      {"state_after_bytes", bytesAfter}};
  return json::Object{{"name", function.getName()},
                      {"parameters", std::move(parameters)},
                      {"other_state", otherState()},
                      {"totals", std::move(totals)},
                      {"lint", lint()}};
}

static StateLayoutOp findLayout(ModuleOp module, FunctionOpInterface function) {
  for (auto layout : module.getOps<StateLayoutOp>())
    if (layout.getFunction() == function.getName())
      return layout;
  return {};
}

FailureOr<json::Value> skew::makeReport(ModuleOp module,
                                        const ReportContext &context) {
  json::Array functions;
  for (auto function : module.getOps<FunctionOpInterface>()) {
    if (!function->hasAttr(SkewDialect::kParametersAttr))
      continue;
    FailureOr<json::Object> report =
        FunctionReport(function, findLayout(module, function)).make();
    if (failed(report))
      return failure();
    functions.push_back(std::move(*report));
  }
  return json::Value(json::Object{{"schema", "skew-report/1"},
                                  {"tool", "skew-opt " SKEW_VERSION_STRING},
                                  {"input", context.input},
                                  {"policy", context.policy},
                                  {"functions", std::move(functions)}});
}

json::Value skew::makeLayout(ModuleOp module) {
  json::Array functions;
  auto place = [](int64_t index) {
    return index < 0 ? json::Value(nullptr) : json::Value(index);
  };
  for (auto layout : module.getOps<StateLayoutOp>()) {
    json::Array entries;
    for (Attribute attr : layout.getSlots()) {
      auto slot = cast<SlotAttr>(attr);
      // An argument that is no state can be anything: a token, a plain scalar.
      auto type = dyn_cast<RankedTensorType>(slot.getType());
      json::Object entry{{"index", slot.getIndex()},
                         {"kind", slot.getKind().getValue()},
                         {"old_index", place(slot.getOldIndex())},
                         {"aliases_result", place(slot.getResult())},
                         {"old_result", place(slot.getOldResult())},
                         {"shape", type ? toArray(type.getShape())
                                        : json::Array()},
                         {"dtype", getDtypeName(
                                       getElementTypeOrSelf(slot.getType()))}};
      if (!slot.getParameter().empty()) {
        entry["parameter"] = slot.getParameter().getValue();
        entry["parameter_id"] = slot.getParameterId();
      }
      if (slot.getKind() == "state") {
        entry["component"] = slot.getComponent().getValue();
        entry["init"] = slot.getInit().getValueAsDouble();
      }
      if (AxesAttr axes = slot.getAxes()) {
        entry["batch_axes"] = toArray(axes.getBatch());
        entry["row_axes"] = toArray(axes.getRow());
        entry["column_axes"] = toArray(axes.getColumn());
      }
      entries.push_back(std::move(entry));
    }
    llvm::DenseMap<int64_t, SlotAttr> slotOfResult;
    for (auto slot : layout.getSlots().getAsRange<SlotAttr>())
      slotOfResult[slot.getResult()] = slot;
    json::Array results;
    for (auto [i, old] : llvm::enumerate(layout.getOldResults())) {
      json::Object result{{"index", int64_t(i)},
                          {"kind", "other"},
                          {"old_index", place(old)},
                          {"argument", nullptr}};
      if (SlotAttr slot = slotOfResult.lookup(int64_t(i))) {
        result["kind"] = slot.getKind().getValue();
        result["argument"] = slot.getIndex();
      }
      results.push_back(std::move(result));
    }
    functions.push_back(json::Object{{"name", layout.getFunction()},
                                     {"arguments", std::move(entries)},
                                     {"results", std::move(results)}});
  }
  return json::Object{{"schema", "skew-layout/1"},
                      {"functions", std::move(functions)}};
}
