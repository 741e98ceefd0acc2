//===- Raise.cpp - optimizer updates become update ops --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HazardFacts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "skew/Dialect/Skew/Transforms/CarriedValues.h"
#include "skew/Frontend/Materializer.h"
#include "skew/Frontend/ParameterNames.h"
#include "skew/Frontend/Passes.h"
#include "skew/Reference/Interpreter.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Format.h"

namespace mlir::skew {
#define GEN_PASS_DEF_RAISE
#include "skew/Frontend/Passes.h.inc"
} // namespace mlir::skew

using namespace mlir;
using namespace mlir::skew;

static constexpr llvm::StringLiteral kCategory = "skew-raise";

namespace {

/// Writes what was found as attributes and remarks.
class Reporter {
public:
  Reporter(FunctionOpInterface function)
      : function(function), builder(function->getContext()) {}

  /// Name of a parameter; remarks on a disagreement.
  std::string nameParameter(CarriedTensor tensor);

  void addRaised(const RaisedUpdate &update, Operation *op, StringRef name,
                 DictionaryAttr facts);
  void addDeclined(const DeclinedParameter &declined, DictionaryAttr facts);
  void addFrozen(CarriedTensor tensor);
  void addOther(const OtherState &other);
  void write();

private:
  using Entry = SmallVector<NamedAttribute>;
  llvm::StringSet<> names;
  Entry start(CarriedTensor tensor, StringRef name, StringRef status);
  void addString(Entry &entry, StringRef key, StringRef value) {
    entry.push_back(builder.getNamedAttr(key, builder.getStringAttr(value)));
  }
  void addNumber(Entry &entry, StringRef key, int64_t value) {
    entry.push_back(
        builder.getNamedAttr(key, builder.getI64IntegerAttr(value)));
  }
  void finish(CarriedTensor tensor, const Entry &entry) {
    parameters[tensor.argument] = builder.getDictionaryAttr(entry);
  }
  BlockArgument getArgument(CarriedTensor tensor) {
    return function.getFunctionBody().getArgument(tensor.argument);
  }
  remark::RemarkOpts options(StringRef name) {
    return remark::RemarkOpts::name(name).category(kCategory).function(
        function.getName());
  }

  FunctionOpInterface function;
  Builder builder;
  std::map<unsigned, Attribute> parameters;
  SmallVector<Attribute> others;
};

struct RaisePass : public mlir::skew::impl::RaiseBase<RaisePass> {
  using RaiseBase::RaiseBase;
  void runOnOperation() override;
  LogicalResult raise(FunctionOpInterface function,
                      SymbolTableCollection &symbols);
};

} // namespace

static std::string printType(Type type) {
  std::string text;
  llvm::raw_string_ostream(text) << type;
  return text;
}

std::string Reporter::nameParameter(CarriedTensor tensor) {
  CarriedName name =
      getCarriedName(function, tensor.argument, tensor.result, "params");
  if (!name.conflict.empty())
    remark::analysis(getArgument(tensor).getLoc(), options("names-disagree"))
        << remark::add("{0}", name.conflict);
  // Plans, random bits and reports go by the name: it must be the only one.
  if (!names.insert(name.name).second) {
    std::string unique = name.name + "#arg" + std::to_string(tensor.argument);
    remark::analysis(getArgument(tensor).getLoc(), options("names-disagree"))
        << remark::add("{0} is the name of several arguments: this one is {1}",
                       name.name, unique);
    names.insert(unique);
    return unique;
  }
  return name.name;
}

Reporter::Entry Reporter::start(CarriedTensor tensor, StringRef name,
                                StringRef status) {
  Entry entry;
  addString(entry, "name", name);
  addNumber(entry, "argument", tensor.argument);
  addNumber(entry, "result", tensor.result);
  addString(entry, "status", status);
  return entry;
}

void Reporter::addRaised(const RaisedUpdate &update, Operation *op,
                         StringRef name, DictionaryAttr facts) {
  const UpdateMatch &match = update.match;
  Entry entry = start(update.parameter, name, "raised");
  StringRef rule = update.rule.stripDialect();
  addString(entry, "rule", rule);

  Entry hyperparameters, applied;
  auto addScalar = [&](StringRef key, const MatchedScalar &scalar) {
    Attribute value = scalar.constant
                          ? Attribute(builder.getF64FloatAttr(*scalar.constant))
                          : Attribute(builder.getStringAttr("operand"));
    StringRef plain = key;
    bool isStored = plain.consume_back("_stored");
    (isStored ? applied : hyperparameters)
        .push_back(builder.getNamedAttr(plain, value));
  };
  for (const auto &[key, scalar] : match.hyperparameters)
    addScalar(key, scalar);
  addScalar("learning_rate", match.learningRate);
  // 16-bit arithmetic multiplies with what a constant rounds to.
  FloatType compute = getFloatType(builder.getContext(), *update.stateFormat);
  for (const auto &hyperparameter : match.hyperparameters) {
    StringRef key = hyperparameter.first;
    const std::optional<double> &constant = hyperparameter.second.constant;
    bool isStored = llvm::any_of(
        applied, [&](NamedAttribute attr) { return attr.getName() == key; });
    if (compute.getWidth() > 16 || !constant || isStored ||
        key.ends_with("_stored"))
      continue;
    double rounded = roundToNearest(*constant, compute);
    if (rounded != *constant)
      applied.push_back(
          builder.getNamedAttr(key, builder.getF64FloatAttr(rounded)));
  }
  entry.push_back(builder.getNamedAttr(
      "hyperparameters", builder.getDictionaryAttr(hyperparameters)));
  if (!applied.empty())
    entry.push_back(
        builder.getNamedAttr("applied", builder.getDictionaryAttr(applied)));
  StringRef gradient = match.zeroGradient         ? "zero"
                       : update.scaledByReduction ? "scaled_by_reduction"
                                                  : "plain";
  addString(entry, "gradient", gradient);
  if (facts)
    entry.push_back(builder.getNamedAttr("facts", facts));

  SmallVector<StateComponent> layout =
      cast<UpdateOpInterface>(op).getStateLayout();
  SmallVector<Attribute> states;
  for (auto [component, state] : llvm::zip_equal(layout, update.states)) {
    CarriedName stateName =
        getCarriedName(function, state.argument, state.result, "state");
    if (!stateName.conflict.empty())
      remark::analysis(getArgument(state).getLoc(), options("names-disagree"))
          << remark::add("{0}", stateName.conflict);
    auto type = cast<RankedTensorType>(getArgument(state).getType());
    Entry item;
    addString(item, "component", component.name);
    addNumber(item, "argument", state.argument);
    addNumber(item, "result", state.result);
    addString(item, "dtype", printType(type.getElementType()));
    item.push_back(builder.getNamedAttr(
        "shape", builder.getDenseI64ArrayAttr(type.getShape())));
    states.push_back(builder.getDictionaryAttr(item));
  }
  entry.push_back(builder.getNamedAttr("states", builder.getArrayAttr(states)));
  finish(update.parameter, entry);

  std::string values;
  llvm::raw_string_ostream os(values);
  llvm::interleaveComma(hyperparameters, os, [&](NamedAttribute attr) {
    os << attr.getName().getValue() << " ";
    if (auto number = dyn_cast<FloatAttr>(attr.getValue()))
      os << llvm::format("%g", number.getValueAsDouble());
    else
      os << "operand";
  });
  remark::passed(getArgument(update.parameter).getLoc(), options("raised"))
      << remark::add("{0}: {1} with {2}, gradient {3}", name.str(), rule.str(),
                     values, gradient.str());
}

void Reporter::addDeclined(const DeclinedParameter &declined,
                           DictionaryAttr facts) {
  std::string name = nameParameter(declined.parameter);
  Entry entry = start(declined.parameter, name, "declined");
  addString(entry, "reason", declined.reason);
  if (facts)
    entry.push_back(builder.getNamedAttr("facts", facts));
  finish(declined.parameter, entry);
  remark::missed(getArgument(declined.parameter).getLoc(), options("declined"))
      << remark::add("{0} is not raised", name)
      << remark::reason("{0}", declined.reason);
}

void Reporter::addFrozen(CarriedTensor tensor) {
  std::string name = nameParameter(tensor);
  finish(tensor, start(tensor, name, "frozen"));
  remark::analysis(getArgument(tensor).getLoc(), options("frozen"))
      << remark::add("{0} is frozen: its result is the argument", name);
}

void Reporter::addOther(const OtherState &other) {
  CarriedName name = getCarriedName(function, other.tensor.argument,
                                    other.tensor.result, "state");
  Entry entry;
  addString(entry, "name", name.name);
  addString(entry, "kind", stringify(other.kind));
  addNumber(entry, "argument", other.tensor.argument);
  addNumber(entry, "result", other.tensor.result);
  int64_t bytes = 0;
  if (auto type =
          dyn_cast<RankedTensorType>(getArgument(other.tensor).getType());
      type && type.hasStaticShape() && type.getElementType().isIntOrFloat())
    bytes = type.getNumElements() * ((type.getElementTypeBitWidth() + 7) / 8);
  addNumber(entry, "bytes", bytes);
  others.push_back(builder.getDictionaryAttr(entry));
}

void Reporter::write() {
  if (parameters.empty())
    return;
  SmallVector<Attribute> list;
  for (const auto &[argument, entry] : parameters)
    list.push_back(entry);
  function->setAttr(SkewDialect::kParametersAttr, builder.getArrayAttr(list));
  function->setAttr(SkewDialect::kOtherStateAttr, builder.getArrayAttr(others));
}

/// The update as the graph that its nodes are of has it.
static RaisedUpdate getLocal(const RaisedUpdate &update) {
  RaisedUpdate local = update;
  if (update.inner) {
    local.parameter = update.inner->parameter;
    local.states = update.inner->states;
  }
  return local;
}

/// Declines what cannot be built where it is; `mayInline`: calls around it can
/// still go.
static void declineUnbuildable(SliceGraph &graph,
                               SymbolTableCollection &symbols,
                               FunctionMatch &match, bool mayInline) {
  llvm::erase_if(match.raised, [&](const RaisedUpdate &update) {
    SliceGraph &own = update.inner ? *update.inner->graph : graph;
    std::string why =
        Materializer(own, symbols).whyNotMaterializable(getLocal(update));
    if (why.empty() && !mayInline && update.inner &&
        !update.inner->calls.empty())
      why = "the calls around its loop are nested too deep";
    if (why.empty())
      return false;
    match.declined.push_back({update.parameter, why});
    for (const CarriedTensor &state : update.states)
      match.otherStates.push_back({state, OtherStateKind::Moment});
    return true;
  });
}

/// Puts a copy of the callee's body in the place of `call`.
static void inlineCall(Operation *call, FunctionOpInterface from,
                       SymbolTableCollection &symbols) {
  auto callee = symbols.lookupNearestSymbolFrom<FunctionOpInterface>(
      from, getCallee(call));
  Block &body = callee.getFunctionBody().front();
  IRMapping mapping;
  mapping.map(body.getArguments(), call->getOperands());
  OpBuilder builder(call);
  for (Operation &op : body.without_terminator())
    builder.clone(op, mapping);
  for (auto [result, returned] :
       llvm::zip_equal(call->getResults(), body.back().getOperands()))
    result.replaceAllUsesWith(mapping.lookup(returned));
  call->erase();
}

/// The part of `match` that is of the graph `own`, with the places it has there;
/// `graph` is the function's.
static FunctionMatch getLocalMatch(SliceGraph &own, SliceGraph &graph,
                                   const FunctionMatch &match) {
  FunctionMatch local;
  for (const RaisedUpdate &update : match.raised)
    if ((update.inner ? update.inner->graph : &graph) == &own)
      local.raised.push_back(getLocal(update));
  if (&own == &graph)
    local.otherStates = match.otherStates;
  return local;
}

/// What the graphs do around the updates, in their order.
static SmallVector<DictionaryAttr> collectFacts(SliceGraph &graph,
                                                const FunctionMatch &match) {
  std::map<SliceGraph *, std::unique_ptr<HazardFacts>> hazards;
  SmallVector<DictionaryAttr> facts;
  for (const RaisedUpdate &update : match.raised) {
    SliceGraph *own = update.inner ? update.inner->graph : &graph;
    std::unique_ptr<HazardFacts> &its = hazards[own];
    if (!its)
      its = std::make_unique<HazardFacts>(*own,
                                          getLocalMatch(*own, graph, match));
    facts.push_back(its->get(getLocal(update)));
  }
  return facts;
}

/// Builds the updates, those in regions first: the graphs outside name no value
/// inside. Marks the regions. The ops are in the order of the updates.
static SmallVector<Operation *> build(SliceGraph &graph,
                                      SymbolTableCollection &symbols,
                                      const FunctionMatch &match,
                                      ArrayRef<std::string> names) {
  SmallVector<Operation *> ops(match.raised.size());
  SmallVector<SliceGraph *> graphs = {&graph};
  for (const std::unique_ptr<SliceGraph> &inner : match.inner)
    graphs.push_back(inner.get());
  for (SliceGraph *own : llvm::reverse(graphs)) {
    std::vector<RaisedUpdate> updates;
    SmallVector<std::string> itsNames;
    SmallVector<unsigned> numbers;
    for (auto [number, update] : llvm::enumerate(match.raised))
      if ((update.inner ? update.inner->graph : &graph) == own) {
        updates.push_back(getLocal(update));
        itsNames.push_back(names[number]);
        numbers.push_back(number);
      }
    if (updates.empty())
      continue;
    Materializer materializer(*own, symbols);
    SmallVector<Operation *> made =
        materializer.materialize(updates, itsNames);
    for (auto [number, op] : llvm::zip_equal(numbers, made))
      ops[number] = op;
    for (Operation *op = own->getBody(0)->getParentOp();
         !isa<FunctionOpInterface>(op); op = op->getParentOp())
      op->setAttr(kCarriesAttr, UnitAttr::get(op->getContext()));
  }
  return ops;
}

LogicalResult RaisePass::raise(FunctionOpInterface function,
                               SymbolTableCollection &symbols) {
  std::optional<SliceGraph> graph;
  FunctionMatch match;
  // Matching changes nothing. Where it finds a step in a function that is
  // called, the calls are inlined and what is there now is matched again.
  for (unsigned round = 0;; ++round) {
    graph.emplace(function, symbols);
    match = matchFunction(*graph, MatchOptions());
    constexpr unsigned kMaxRounds = 32;
    declineUnbuildable(*graph, symbols, match, round < kMaxRounds);
    llvm::SetVector<Operation *> calls;
    for (const RaisedUpdate &update : match.raised)
      if (update.inner)
        calls.insert_range(update.inner->calls);
    if (calls.empty())
      break;
    for (Operation *call : calls)
      inlineCall(call, function, symbols);
  }

  Reporter reporter(function);
  SmallVector<std::string> names;
  for (const RaisedUpdate &update : match.raised)
    names.push_back(reporter.nameParameter(update.parameter));
  SmallVector<DictionaryAttr> facts = collectFacts(*graph, match);
  SmallVector<DictionaryAttr> declinedFacts;
  HazardFacts hazards(*graph, getLocalMatch(*graph, *graph, match));
  for (const DeclinedParameter &declined : match.declined)
    declinedFacts.push_back(hazards.get(declined));
  SmallVector<Operation *> ops = build(*graph, symbols, match, names);
  for (auto [update, op, name, around] :
       llvm::zip_equal(match.raised, ops, names, facts))
    reporter.addRaised(update, op, name, around);
  for (auto [declined, around] :
       llvm::zip_equal(match.declined, declinedFacts))
    reporter.addDeclined(declined, around);
  for (CarriedTensor tensor : match.frozen)
    reporter.addFrozen(tensor);
  for (const OtherState &other : match.otherStates)
    reporter.addOther(other);
  reporter.write();

  if (strict && !match.declined.empty()) {
    const DeclinedParameter &first = match.declined.front();
    InFlightDiagnostic diag = function.emitError()
                              << match.declined.size()
                              << " parameters are not raised";
    diag.attachNote(function.getFunctionBody()
                        .getArgument(first.parameter.argument)
                        .getLoc())
        << first.reason;
    return diag;
  }
  return success();
}

void RaisePass::runOnOperation() {
  SymbolTableCollection symbols;
  SmallVector<FunctionOpInterface> functions;
  for (FunctionOpInterface function :
       getOperation().getOps<FunctionOpInterface>())
    if (!function.isExternal() && function.isPublic() &&
        function.getFunctionBody().hasOneBlock())
      functions.push_back(function);
  bool failedAny = false;
  for (FunctionOpInterface function : functions)
    failedAny |= failed(raise(function, symbols));
  if (failedAny)
    signalPassFailure();
}
