//===- AnnotateRoles.cpp - write roles into skew.parameters ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Remarks.h"
#include "skew/Analysis/Passes.h"
#include "skew/Analysis/RoleDecision.h"
#include "skew/Dialect/Skew/IR/ParameterTable.h"

namespace mlir::skew {
#define GEN_PASS_DEF_ANNOTATEROLES
#include "skew/Analysis/Passes.h.inc"
} // namespace mlir::skew

using namespace mlir;
using namespace mlir::skew;

namespace {

class AnnotateRoles : public skew::impl::AnnotateRolesBase<AnnotateRoles> {
public:
  using AnnotateRolesBase::AnnotateRolesBase;

  void runOnOperation() override;

private:
  LogicalResult annotate(func::FuncOp function, const RoleRules &rules,
                         std::vector<bool> &matched);
  Attribute extend(DictionaryAttr entry, const RoleDecision &decision);
  void report(func::FuncOp function, const ParameterEntry &entry,
              const RoleDecision &decision);

  remark::RemarkOpts opts(StringRef name, func::FuncOp function) {
    return remark::RemarkOpts::name(name)
        .category("skew-annotate-roles")
        .function(function.getSymName());
  }
};

} // namespace

/// Checks what this pass needs of the entries of `function`.
static LogicalResult verifyEntries(func::FuncOp function,
                                   ArrayRef<ParameterEntry> entries) {
  int64_t numArguments = function.getNumArguments();
  for (auto [number, entry] : llvm::enumerate(entries))
    if (entry.getName().empty() || entry.getArgument() < 0 ||
        entry.getArgument() >= numArguments)
      return function.emitError()
             << SkewDialect::kParametersAttr << " entry " << number
             << " must have a 'name' and the number of an 'argument'";
  return success();
}

static std::string join(ArrayRef<Evidence> evidence) {
  std::string text;
  for (const Evidence &e : evidence)
    text += (text.empty() ? "" : "; ") + e.text;
  return text;
}

Attribute AnnotateRoles::extend(DictionaryAttr entry,
                                const RoleDecision &decision) {
  Builder b(&getContext());
  NamedAttrList list(entry);
  const ParameterRole &role = decision.role;
  list.set("role", RoleAttr::get(&getContext(), role.role));
  list.set("tier_class", b.getStringAttr(decision.tierClass));
  list.set("role_source", b.getStringAttr(stringify(decision.source)));
  list.set("confidence", b.getStringAttr(stringify(role.confidence)));
  list.set("axes",
           AxesAttr::get(&getContext(), role.batch, role.row, role.column));
  list.set("evidence", b.getStringAttr(join(role.evidence)));
  return list.getDictionary(&getContext());
}

void AnnotateRoles::report(func::FuncOp function, const ParameterEntry &entry,
                           const RoleDecision &decision) {
  Location loc = function.getArgument(entry.getArgument()).getLoc();
  const ParameterRole &role = decision.role;
  auto listText = [](ArrayRef<int64_t> axes) {
    std::string text;
    llvm::raw_string_ostream os(text);
    llvm::interleave(axes, os, ",");
    return text;
  };
  remark::analysis(loc, opts("ParameterRole", function))
      << remark::metric("parameter", entry.getName().str())
      << remark::metric("role", stringifyRole(role.role).str())
      << remark::metric("tier_class", decision.tierClass.str())
      << remark::metric("role_source", stringify(decision.source).str())
      << remark::metric("confidence", stringify(role.confidence).str())
      << remark::metric("batch_axes", listText(role.batch))
      << remark::metric("row_axes", listText(role.row))
      << remark::metric("column_axes", listText(role.column))
      << remark::metric("axes_from",
                        role.axesFromStructure  ? std::string("structure")
                        : role.axesNote.empty() ? std::string("position")
                                                : role.axesNote)
      << remark::reason("{0}", join(role.evidence));
  if (!decision.repetition.empty())
    remark::analysis(loc, opts("RepeatedRule", function))
        << remark::metric("parameter", entry.getName().str())
        << remark::reason("{0}", decision.repetition);
  if (decision.remark.empty())
    return;
  StringRef name = decision.isWarning ? "RuleAgainstStructure"
                   : decision.source == RoleSource::structure ? "RoleInDoubt"
                                                              : "RoleUnknown";
  remark::missed(loc, opts(name, function))
      << remark::metric("parameter", entry.getName().str())
      << remark::reason("{0}", decision.remark);
}

LogicalResult AnnotateRoles::annotate(func::FuncOp function,
                                      const RoleRules &rules,
                                      std::vector<bool> &matched) {
  auto array = function->getAttrOfType<ArrayAttr>(SkewDialect::kParametersAttr);
  if (!array || function.isExternal())
    return success();
  if (!llvm::all_of(array, llvm::IsaPred<DictionaryAttr>))
    return function.emitError()
           << SkewDialect::kParametersAttr << " must be a list of dictionaries";
  SmallVector<ParameterEntry> entries = getParameterEntries(function);
  if (failed(verifyEntries(function, entries)))
    return failure();
  SmallVector<unsigned> arguments;
  SmallVector<std::pair<unsigned, unsigned>> state;
  auto addState = [&](int64_t argument, int64_t result) {
    if (argument >= 0 && result >= 0)
      state.push_back(
          {static_cast<unsigned>(argument), static_cast<unsigned>(result)});
  };
  for (const ParameterEntry &entry : entries) {
    arguments.push_back(entry.getArgument());
    addState(entry.getArgument(), entry.getResult());
    for (const OriginalState &moment : entry.getStates())
      addState(moment.argument, moment.result);
  }
  if (auto others =
          function->getAttrOfType<ArrayAttr>(SkewDialect::kOtherStateAttr))
    for (Attribute attr : others)
      if (auto dictionary = dyn_cast<DictionaryAttr>(attr)) {
        ParameterEntry other(dictionary);
        addState(other.getArgument(), other.getResult());
      }

  RoleAnalysis analysis(function, arguments, state);
  remark::analysis(function.getLoc(), opts("ForwardPass", function))
      << remark::reason("{0}", analysis.sliceText().str());
  SmallVector<Attribute> extended;
  for (auto [entry, dictionary] :
       llvm::zip(entries, array.getAsRange<DictionaryAttr>())) {
    BlockArgument argument = function.getArgument(entry.getArgument());
    auto type = dyn_cast<RankedTensorType>(argument.getType());
    llvm::Expected<RoleDecision> decision =
        decideRole(analysis.roleOf(argument.getArgNumber()), entry.getName(),
                   type ? type.getRank() : 0, rules, matched);
    if (!decision)
      return emitError(argument.getLoc())
             << llvm::toString(decision.takeError());
    report(function, entry, *decision);
    extended.push_back(extend(dictionary, *decision));
  }
  function->setAttr(SkewDialect::kParametersAttr,
                    ArrayAttr::get(&getContext(), extended));
  return success();
}

void AnnotateRoles::runOnOperation() {
  ModuleOp module = getOperation();
  RoleRules rules;
  if (!roles.empty()) {
    llvm::Expected<RoleRules> loaded = RoleRules::load(roles);
    if (!loaded) {
      emitError(module.getLoc()) << llvm::toString(loaded.takeError());
      return signalPassFailure();
    }
    rules = std::move(*loaded);
  }
  std::vector<bool> matched(rules.rules().size(), false);
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isPublic() && failed(annotate(function, rules, matched)))
      return signalPassFailure();
  for (auto [rule, isMatched] : llvm::zip(rules.rules(), matched)) {
    if (isMatched)
      continue;
    // Most likely a slip of the pen, which nobody reads remarks for.
    emitWarning(module.getLoc())
        << "no parameter matches rule '" << rule.pattern << "'";
    remark::missed(module.getLoc(), remark::RemarkOpts::name("UnmatchedRule")
                                        .category("skew-annotate-roles"))
        << remark::metric("rule", rule.pattern)
        << remark::reason("no parameter matches rule '{0}'", rule.pattern);
  }
  // Attributes are all that changed.
  markAllAnalysesPreserved();
}
