//===- AnnotateRoles.cpp - write roles into skew.parameters ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Remarks.h"
#include "skew/Analysis/Passes.h"
#include "skew/Analysis/RoleDecision.h"

namespace mlir::skew {
#define GEN_PASS_DEF_ANNOTATEROLES
#include "skew/Analysis/Passes.h.inc"
} // namespace mlir::skew

using namespace mlir;
using namespace mlir::skew;

namespace {

/// An entry of skew.parameters.
struct Entry {
  DictionaryAttr dict;
  StringRef name;
  unsigned argument;
};

class AnnotateRoles : public skew::impl::AnnotateRolesBase<AnnotateRoles> {
public:
  using AnnotateRolesBase::AnnotateRolesBase;

  void runOnOperation() override;

private:
  LogicalResult annotate(func::FuncOp function, const RoleRules &rules,
                         std::vector<bool> &matched);
  Attribute extend(const Entry &entry, const RoleDecision &decision);
  void report(func::FuncOp function, const Entry &entry,
              const RoleDecision &decision);

  remark::RemarkOpts opts(StringRef name, func::FuncOp function) {
    return remark::RemarkOpts::name(name)
        .category("skew-annotate-roles")
        .function(function.getSymName());
  }
};

} // namespace

static LogicalResult readEntries(func::FuncOp function, ArrayAttr array,
                                 SmallVectorImpl<Entry> &entries) {
  for (auto [number, attr] : llvm::enumerate(array)) {
    auto dict = dyn_cast<DictionaryAttr>(attr);
    auto name = dict ? dict.getAs<StringAttr>("name") : StringAttr();
    auto argument = dict ? dict.getAs<IntegerAttr>("argument") : IntegerAttr();
    if (!name || !argument || argument.getInt() < 0 ||
        argument.getInt() >= static_cast<int64_t>(function.getNumArguments()))
      return function.emitError()
             << SkewDialect::kParametersAttr << " entry " << number
             << " must have a 'name' and the number of an 'argument'";
    entries.push_back(
        {dict, name.getValue(), static_cast<unsigned>(argument.getInt())});
  }
  return success();
}

static std::string join(ArrayRef<Evidence> evidence) {
  std::string text;
  for (const Evidence &e : evidence)
    text += (text.empty() ? "" : "; ") + e.text;
  return text;
}

Attribute AnnotateRoles::extend(const Entry &entry,
                                const RoleDecision &decision) {
  Builder b(&getContext());
  NamedAttrList list(entry.dict);
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

void AnnotateRoles::report(func::FuncOp function, const Entry &entry,
                           const RoleDecision &decision) {
  Location loc = function.getArgument(entry.argument).getLoc();
  const ParameterRole &role = decision.role;
  auto listText = [](ArrayRef<int64_t> axes) {
    std::string text;
    llvm::raw_string_ostream os(text);
    llvm::interleave(axes, os, ",");
    return text;
  };
  remark::analysis(loc, opts("ParameterRole", function))
      << remark::metric("parameter", entry.name.str())
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
  if (decision.remark.empty())
    return;
  StringRef name = decision.isWarning ? "RuleAgainstStructure"
                   : decision.source == RoleSource::structure ? "RoleInDoubt"
                                                              : "RoleUnknown";
  remark::missed(loc, opts(name, function))
      << remark::metric("parameter", entry.name.str())
      << remark::reason("{0}", decision.remark);
}

LogicalResult AnnotateRoles::annotate(func::FuncOp function,
                                      const RoleRules &rules,
                                      std::vector<bool> &matched) {
  auto array = function->getAttrOfType<ArrayAttr>(SkewDialect::kParametersAttr);
  if (!array || function.isExternal())
    return success();
  SmallVector<Entry> entries;
  if (failed(readEntries(function, array, entries)))
    return failure();
  SmallVector<unsigned> arguments;
  SmallVector<std::pair<unsigned, unsigned>> state;
  auto addState = [&](DictionaryAttr dict, unsigned argument) {
    if (auto result = dict.getAs<IntegerAttr>("result"))
      if (result.getInt() >= 0)
        state.push_back({argument, static_cast<unsigned>(result.getInt())});
  };
  for (const Entry &entry : entries) {
    arguments.push_back(entry.argument);
    addState(entry.dict, entry.argument);
  }
  if (auto others =
          function->getAttrOfType<ArrayAttr>(SkewDialect::kOtherStateAttr))
    for (Attribute attr : others)
      if (auto dict = dyn_cast<DictionaryAttr>(attr))
        if (auto argument = dict.getAs<IntegerAttr>("argument"))
          addState(dict, argument.getInt());

  RoleAnalysis analysis(function, arguments, state);
  remark::analysis(function.getLoc(), opts("ForwardPass", function))
      << remark::reason("{0}", analysis.sliceText().str());
  SmallVector<Attribute> extended;
  for (const Entry &entry : entries) {
    unsigned rank = 0;
    if (auto type = dyn_cast<RankedTensorType>(
            function.getArgument(entry.argument).getType()))
      rank = type.getRank();
    llvm::Expected<RoleDecision> decision = decideRole(
        analysis.roleOf(entry.argument), entry.name, rank, rules, matched);
    if (!decision)
      return emitError(function.getArgument(entry.argument).getLoc())
             << llvm::toString(decision.takeError());
    report(function, entry, *decision);
    extended.push_back(extend(entry, *decision));
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
  for (auto [rule, isMatched] : llvm::zip(rules.rules(), matched))
    if (!isMatched)
      remark::missed(module.getLoc(), remark::RemarkOpts::name("UnmatchedRule")
                                          .category("skew-annotate-roles"))
          << remark::metric("rule", rule.pattern)
          << remark::reason("no parameter matches rule '{0}'", rule.pattern);
}
