//===- RoleDecision.cpp - structure, names and rules together -------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Analysis/RoleDecision.h"

using namespace mlir;
using namespace mlir::skew;

StringRef mlir::skew::getTierClass(Role role) {
  return role == Role::expert || role == Role::router ? stringifyRole(role)
                                                      : "backbone";
}

StringRef mlir::skew::stringify(RoleSource source) {
  switch (source) {
  case RoleSource::structure:
    return "structure";
  case RoleSource::name:
    return "name";
  case RoleSource::user:
    return "user";
  case RoleSource::byDefault:
    return "default";
  }
  llvm_unreachable("unknown source");
}

/// Two rules that match `name` and cannot both hold.
static llvm::Error disagreement(StringRef name, const RoleRule &one,
                                const RoleRule &two, const Twine &what) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                 ("rules '" + Twine(one.pattern) + "' and '" +
                                  two.pattern + "' disagree on parameter '" +
                                  name + "': " + what)
                                     .str());
}

/// The second of two rules that say the same.
static void noteRepetition(std::string &text, const RoleRule &one,
                           const RoleRule &two, StringRef what) {
  if (!text.empty())
    text += "; ";
  text += "rules '" + one.pattern + "' and '" + two.pattern +
          "' both match and give the same " + what.str();
}

/// Fills in what a rule leaves open, from the back: the last axis is the
/// column, the one before it the row, the others are batch.
static llvm::Error applyAxes(const RoleRule &rule, StringRef name,
                             unsigned rank, ParameterRole &role) {
  SmallVector<int64_t> named, open;
  for (const auto *list : {&rule.batch, &rule.row, &rule.column})
    if (*list)
      llvm::append_range(named, **list);
  for (int64_t axis = 0; axis < static_cast<int64_t>(rank); ++axis)
    if (!llvm::is_contained(named, axis))
      open.push_back(axis);
  // Named twice or out of range: the counts do not add up.
  bool fits = named.size() + open.size() == rank;
  role.batch = rule.batch.value_or(SmallVector<int64_t>());
  role.row = rule.row.value_or(SmallVector<int64_t>());
  role.column = rule.column.value_or(SmallVector<int64_t>());
  if (!rule.column && !open.empty())
    role.column.push_back(open.pop_back_val());
  if (!rule.row && !open.empty())
    role.row.push_back(open.pop_back_val());
  if (!rule.batch)
    role.batch.append(std::exchange(open, {}));
  if (!fits || !open.empty())
    return llvm::createStringError(
        llvm::inconvertibleErrorCode(),
        ("rule '" + Twine(rule.pattern) + "' must put each of the " +
         Twine(rank) + " axes of parameter '" + name + "' into one class")
            .str());
  role.axesFromStructure = false;
  role.axesNote = "set by a rule";
  return llvm::Error::success();
}

/// The remark of a name that says something else.
static std::string nameRemark(const ParameterRole &role, Role named) {
  std::string text = "structure says " + stringifyRole(role.role).str();
  if (!role.evidence.empty())
    text += ": " + role.evidence.front().text;
  text += "; the name says " + stringifyRole(named).str();
  return text;
}

static void decideByStructure(RoleDecision &decision,
                              std::optional<Role> named) {
  const ParameterRole &role = decision.role;
  decision.source = RoleSource::structure;
  decision.tierClass = getTierClass(role.role);
  bool isOther = named && *named != role.role;
  if (isOther)
    decision.remark = nameRemark(role, *named);
  if (role.confidence == Confidence::certain ||
      decision.tierClass == "backbone" || named == role.role)
    return;
  // A backbone read as expert loses its momentum, an expert read as backbone
  // costs bytes only.
  if (!isOther)
    decision.remark = "structure says " + stringifyRole(role.role).str() +
                      ", but not for certain";
  decision.remark += "; it keeps the backbone tier";
  decision.tierClass = "backbone";
}

static void decideByName(RoleDecision &decision, std::optional<Role> named) {
  decision.role.role = named.value_or(Role::backbone);
  decision.tierClass = getTierClass(decision.role.role);
  decision.source = named ? RoleSource::name : RoleSource::byDefault;
  decision.role.confidence = Confidence::guess;
  decision.remark =
      named ? "the structure says nothing; the name decides: " +
                  stringifyRole(*named).str()
            : "neither structure nor name says anything; taken for backbone";
}

llvm::Expected<RoleDecision>
mlir::skew::decideRole(const ParameterRole &role, StringRef name, unsigned rank,
                       const RoleRules &rules, std::vector<bool> &matched) {
  matched.resize(rules.rules().size(), false);
  const RoleRule *roleRule = nullptr, *axesRule = nullptr;
  std::string repetition;
  for (auto [number, rule] : llvm::enumerate(rules.rules())) {
    if (!rules.matches(number, name))
      continue;
    matched[number] = true;
    if (rule.role) {
      if (roleRule && roleRule->role != rule.role)
        return disagreement(name, *roleRule, rule,
                            stringifyRole(*roleRule->role) + " and " +
                                stringifyRole(*rule.role));
      if (roleRule)
        noteRepetition(repetition, *roleRule, rule, "role");
      roleRule = &rule;
    }
    if (rule.hasAxes()) {
      if (axesRule &&
          (axesRule->batch != rule.batch || axesRule->row != rule.row ||
           axesRule->column != rule.column))
        return disagreement(name, *axesRule, rule, "axes");
      if (axesRule)
        noteRepetition(repetition, *axesRule, rule, "axes");
      axesRule = &rule;
    }
  }

  RoleDecision decision;
  decision.role = role;
  decision.repetition = repetition;
  std::optional<Role> named = guessRoleFromName(name);
  if (role.confidence == Confidence::guess)
    decideByName(decision, named);
  else
    decideByStructure(decision, named);
  if (roleRule) {
    bool contradicts =
        role.confidence == Confidence::certain && *roleRule->role != role.role;
    decision.remark.clear();
    if (contradicts) {
      decision.isWarning = true;
      decision.remark = "rule '" + roleRule->pattern + "' makes it " +
                        stringifyRole(*roleRule->role).str() +
                        ", but structure says " +
                        stringifyRole(role.role).str();
      if (!role.evidence.empty())
        decision.remark += ": " + role.evidence.front().text;
    }
    decision.role.role = *roleRule->role;
    decision.role.confidence = Confidence::certain;
    decision.tierClass = getTierClass(*roleRule->role);
    decision.source = RoleSource::user;
  }
  if (axesRule)
    if (llvm::Error error = applyAxes(*axesRule, name, rank, decision.role))
      return error;
  return decision;
}
