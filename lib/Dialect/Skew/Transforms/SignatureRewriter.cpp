//===- SignatureRewriter.cpp - change a step's arguments and results ------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SignatureRewriter.h"
#include "mlir/IR/Remarks.h"
#include "skew/Dialect/Skew/IR/ParameterTable.h"
#include "skew/Dialect/Skew/Transforms/Sharding.h"
#include "skew/Support/ParameterId.h"

using namespace mlir;
using namespace mlir::skew;

static constexpr llvm::StringLiteral aliasAttr = "tf.aliasing_output";
static constexpr llvm::StringLiteral resultInfoAttr = "jax.result_info";
static constexpr llvm::StringLiteral shardingAttrs[] = {kShardyAttr,
                                                        kHloShardingAttr};

SignatureRewriter::SignatureRewriter(FunctionOpInterface function)
    : function(function), entry(function.getFunctionBody().front()),
      oldArguments(function.getNumArguments()),
      oldResults(function.getNumResults()) {}

/// The name of a replacement: the old one followed by `.component`, unless the
/// moment keeps its whole shape and so its name.
static std::string deriveName(StringRef old, const StateComponent &component) {
  if (component.name == "m" || component.name == "v")
    return old.str();
  return (old + "." + component.name).str();
}

Location skew::deriveLocation(Location old, const StateComponent &component) {
  if (auto named = dyn_cast<NameLoc>(old))
    return NameLoc::get(
        StringAttr::get(old.getContext(),
                        deriveName(named.getName().getValue(), component)),
        named.getChildLoc());
  return old;
}

SmallVector<Value> SignatureRewriter::replaceState(const CarriedPath &from,
                                                   const CarriedPath &to,
                                                   MakeReplacements make) {
  auto shapeOf = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getShape();
  };
  BlockArgument argument = entry.getArgument(from.number);
  NewArguments &made = newArguments[from.number];
  made.replacements = make(shapeOf(argument));
  made.result = to.number;
  for (const Replacement &replacement : made.replacements)
    made.values.push_back(
        entry.addArgument(replacement.getType(),
                          deriveLocation(argument.getLoc(),
                                         replacement.component)));
  SmallVector<Value> values = made.values;
  for (CarriedPlace place : llvm::reverse(from.places))
    values = regions.replaceOperand(
        place, values,
        make(shapeOf(getCarryingBody(place.op).getArgument(place.number))));

  for (auto [i, place] : llvm::enumerate(to.places)) {
    regions.replaceResult(place,
                          make(shapeOf(place.op->getResult(place.number))));
    destinations[{place.op, place.number}] =
        i + 1 < to.places.size() ? to.places[i + 1]
                                 : CarriedPlace{nullptr, to.number};
  }
  newResults[to.number].replacements = made.replacements;
  return values;
}

void SignatureRewriter::setNextValues(const CarriedPath &to,
                                      ArrayRef<Value> values) {
  if (to.places.empty())
    newResults[to.number].values.assign(values.begin(), values.end());
  else
    regions.setReturned(to.places.front(), values);
}

SmallVector<NamedAttribute>
SignatureRewriter::deriveAttributes(DictionaryAttr old,
                                    const Replacement &replacement) {
  SmallVector<NamedAttribute> result;
  if (!old)
    return result;
  Builder builder(old.getContext());
  for (NamedAttribute attr : old) {
    StringRef name = attr.getName().getValue();
    if (name == aliasAttr)
      continue;
    Attribute value = attr.getValue();
    if (name == resultInfoAttr) {
      if (auto text = dyn_cast<StringAttr>(value))
        value = builder.getStringAttr(
            deriveName(text.getValue(), replacement.component));
    } else if (llvm::is_contained(shardingAttrs, name)) {
      Attribute derived = restrictSharding(value, replacement.axes);
      if (!derived) {
        remark::missed(function.getLoc(), remark::RemarkOpts::name("Sharding")
                                              .category("skew-rewrite-updates")
                                              .function(function.getName()))
            << remark::add("sharding {0} of the old state is of a form that "
                           "cannot be restricted; the new state has none",
                           llvm::formatv("{0}", value).str());
        continue;
      }
      value = derived;
    }
    result.push_back(builder.getNamedAttr(name, value));
  }
  return result;
}

SignatureRewriter::Layout
SignatureRewriter::apply(ArrayRef<Operation *> replaced) {
  MLIRContext *context = function.getContext();
  Builder builder(context);

  regions.rebuild([&](CarriedPlace place, ArrayRef<Value> values) {
    CarriedPlace to = destinations.lookup({place.op, place.number});
    if (to.op)
      regions.setReturned(to, values);
    else
      newResults[to.number].values.assign(values.begin(), values.end());
  });

  // Results first: arguments refer to their places.
  Operation *terminator = entry.getTerminator();
  SmallVector<Value> returned;
  SmallVector<DictionaryAttr> resultAttrs;
  SmallVector<int64_t> oldOfResult, newOfOldResult(oldResults, -1);
  llvm::DenseMap<unsigned, unsigned> firstPlaceOf;
  for (unsigned i = 0; i < oldResults; ++i) {
    DictionaryAttr attrs = function.getResultAttrDict(i);
    auto replaced = newResults.find(i);
    if (replaced == newResults.end()) {
      newOfOldResult[i] = returned.size();
      returned.push_back(terminator->getOperand(i));
      resultAttrs.push_back(attrs ? attrs : DictionaryAttr::get(context));
      oldOfResult.push_back(i);
      continue;
    }
    NewResults &made = replaced->second;
    firstPlaceOf[i] = returned.size();
    for (auto [value, replacement] :
         llvm::zip_equal(made.values, made.replacements)) {
      returned.push_back(value);
      resultAttrs.push_back(
          DictionaryAttr::get(context, deriveAttributes(attrs, replacement)));
      oldOfResult.push_back(i);
    }
  }
  terminator->setOperands(returned);
  for (Operation *op : replaced)
    op->erase();
  regions.finish();

  // Arguments. New state is donated to its own next value if the old state was
  // donated at all. Front ends pair equal types in order, so a parameter may be
  // donated to a moment's result that is gone: then its own result takes it,
  // unless that has a donor.
  SmallVector<Type> argumentTypes;
  SmallVector<DictionaryAttr> argumentAttrs;
  SmallVector<int64_t> oldOfArgument;
  SmallVector<Value> order;
  llvm::SmallDenseSet<int64_t> donated;
  SmallVector<unsigned> bereft;
  auto aliasOf = [&](DictionaryAttr attrs) -> IntegerAttr {
    return attrs ? attrs.getAs<IntegerAttr>(aliasAttr) : IntegerAttr();
  };
  for (auto &[index, made] : newArguments)
    if (aliasOf(function.getArgAttrDict(index)))
      for (unsigned k = 0; k < made.values.size(); ++k)
        donated.insert(firstPlaceOf.lookup(made.result) + k);
  for (unsigned i = 0; i < oldArguments; ++i) {
    DictionaryAttr attrs = function.getArgAttrDict(i);
    IntegerAttr alias = aliasOf(attrs);
    auto replaced = newArguments.find(i);
    if (replaced == newArguments.end()) {
      NamedAttrList list(attrs ? attrs : DictionaryAttr::get(context));
      if (alias) {
        int64_t old = alias.getInt();
        int64_t place =
            old >= 0 && old < int64_t(oldResults) ? newOfOldResult[old] : -1;
        if (place >= 0 && donated.insert(place).second)
          list.set(aliasAttr, IntegerAttr::get(alias.getType(), place));
        else
          bereft.push_back(argumentAttrs.size());
      }
      argumentAttrs.push_back(list.getDictionary(context));
      oldOfArgument.push_back(i);
      order.push_back(entry.getArgument(i));
      continue;
    }
    NewArguments &made = replaced->second;
    for (auto [k, value, replacement] :
         llvm::enumerate(made.values, made.replacements)) {
      NamedAttrList list(deriveAttributes(attrs, replacement));
      if (alias)
        list.set(aliasAttr,
                 IntegerAttr::get(alias.getType(),
                                  firstPlaceOf.lookup(made.result) + k));
      argumentAttrs.push_back(list.getDictionary(context));
      oldOfArgument.push_back(i);
      order.push_back(value);
    }
  }

  llvm::DenseMap<int64_t, int64_t> ownResult;
  for (const ParameterEntry &parameter : getParameterEntries(function))
    if (parameter.getResult() >= 0 &&
        parameter.getResult() < int64_t(oldResults))
      ownResult.try_emplace(parameter.getArgument(),
                            newOfOldResult[parameter.getResult()]);
  for (unsigned argument : bereft) {
    NamedAttrList list(argumentAttrs[argument]);
    auto alias = cast<IntegerAttr>(list.erase(aliasAttr));
    auto own = ownResult.find(oldOfArgument[argument]);
    int64_t place = own == ownResult.end() ? -1 : own->second;
    if (place >= 0 && returned[place].getType() == order[argument].getType() &&
        donated.insert(place).second)
      list.set(aliasAttr, IntegerAttr::get(alias.getType(), place));
    argumentAttrs[argument] = list.getDictionary(context);
  }

  // Bring the block's arguments into that order.
  unsigned before = entry.getNumArguments();
  for (Value value : order) {
    BlockArgument moved = entry.addArgument(value.getType(), value.getLoc());
    value.replaceAllUsesWith(moved);
    argumentTypes.push_back(value.getType());
  }
  entry.eraseArguments(0, before);

  SmallVector<Type> resultTypes =
      llvm::to_vector(terminator->getOperandTypes());
  function.setType(FunctionType::get(context, argumentTypes, resultTypes));
  function.setAllArgAttrs(argumentAttrs);
  function.setAllResultAttrs(resultAttrs);
  return {makeSlots(oldOfArgument, oldOfResult), oldOfResult};
}

SmallVector<Attribute>
SignatureRewriter::makeSlots(ArrayRef<int64_t> oldOfArgument,
                             ArrayRef<int64_t> oldOfResult) {
  MLIRContext *context = function.getContext();
  Builder builder(context);
  auto place = [](Value value) -> int64_t {
    std::optional<CarriedPath> path = traceToResult(value);
    return path ? int64_t(path->number) : -1;
  };

  struct Known {
    StringRef kind = "other", parameter, component;
    uint64_t id = 0;
    int64_t result = -1;
    double init = 0.0;
    AxesAttr axes;
  };
  SmallVector<Known> known(entry.getNumArguments());
  auto numberOf = [](Value value) -> int64_t {
    std::optional<CarriedPath> path = traceToArgument(value);
    return path ? int64_t(path->number) : -1;
  };

  // What the record of the original function says, by the original places.
  llvm::DenseMap<int64_t, int64_t> newOfOldArgument, newOfOldResult;
  for (auto [i, old] : llvm::enumerate(oldOfArgument))
    newOfOldArgument.try_emplace(old, i);
  for (auto [i, old] : llvm::enumerate(oldOfResult))
    newOfOldResult.try_emplace(old, i);
  auto newResult = [&](int64_t old) -> int64_t {
    auto found = newOfOldResult.find(old);
    return found == newOfOldResult.end() ? -1 : found->second;
  };
  for (const ParameterEntry &entryOf : getParameterEntries(function)) {
    auto found = newOfOldArgument.find(entryOf.getArgument());
    if (found == newOfOldArgument.end())
      continue;
    Known &slot = known[found->second];
    slot.kind = "parameter";
    slot.parameter = entryOf.getName();
    slot.id = getParameterId(entryOf.getName());
    slot.result = newResult(entryOf.getResult());
    slot.axes = entryOf.getAxes();
    if (entryOf.isRaised())
      continue;
    for (const OriginalState &state : entryOf.getStates()) {
      auto stateFound = newOfOldArgument.find(state.argument);
      if (stateFound == newOfOldArgument.end())
        continue;
      known[stateFound->second] = {
          "state",          entryOf.getName(),       state.component,
          slot.id,          newResult(state.result), 0.0,
          entryOf.getAxes()};
    }
  }
  if (auto others =
          function->getAttrOfType<ArrayAttr>(SkewDialect::kOtherStateAttr))
    for (Attribute attr : others) {
      auto other = dyn_cast<DictionaryAttr>(attr);
      if (!other)
        continue;
      auto argument = other.getAs<IntegerAttr>("argument");
      auto result = other.getAs<IntegerAttr>("result");
      auto kind = other.getAs<StringAttr>("kind");
      if (!argument || !kind)
        continue;
      auto found = newOfOldArgument.find(argument.getInt());
      if (found == newOfOldArgument.end())
        continue;
      Known &slot = known[found->second];
      slot.result = result ? newResult(result.getInt()) : -1;
      if (kind.getValue() == "step") {
        slot.kind = "state";
        slot.component = "step";
      }
    }

  // What the updates say of their own state, which may be new.
  function.walk([&](UpdateOpInterface update) {
    int64_t parameter = numberOf(update.getUpdatedParameter());
    if (parameter < 0)
      return;
    const Known owner = known[parameter];
    SmallVector<StateComponent> layout = update.getStateLayout();
    AxesAttr axes = owner.axes;
    if (auto tiered = dyn_cast<SkewAdamOp>(update.getOperation()))
      axes = tiered.getAxes();
    known[parameter].axes = axes;
    for (auto [i, component] : llvm::enumerate(layout)) {
      int64_t number = numberOf(update.getStateOperands()[i]);
      if (number >= 0)
        known[number] = {"state",
                         owner.parameter,
                         component.name,
                         owner.id,
                         place(update->getResult(i + 1)),
                         component.init,
                         axes};
    }
  });

  SmallVector<Attribute> slots;
  for (auto [i, slot] : llvm::enumerate(known)) {
    int64_t oldResult = slot.result >= 0 ? oldOfResult[slot.result] : -1;
    slots.push_back(SlotAttr::get(
        context, i, builder.getStringAttr(slot.kind), oldOfArgument[i],
        slot.result, oldResult, builder.getStringAttr(slot.parameter), slot.id,
        builder.getStringAttr(slot.component), entry.getArgument(i).getType(),
        builder.getF64FloatAttr(slot.init), slot.axes));
  }
  return slots;
}
