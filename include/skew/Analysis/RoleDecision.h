//===- RoleDecision.h - structure, names and rules together -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Structure decides; a name is only compared with it, and decides where the
// structure is silent; a user's rule wins over both.
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_ANALYSIS_ROLEDECISION_H
#define SKEW_ANALYSIS_ROLEDECISION_H

#include "skew/Analysis/RoleAnalysis.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/Regex.h"

namespace mlir::skew {

/// The role that the tokens of a parameter's path speak of (`router`, a `gate`
/// beside experts, `experts`, `embed`, `norm`, `ln_1`, ...); nothing if they
/// say nothing. The innermost part of the path that speaks is taken.
std::optional<Role> guessRoleFromName(llvm::StringRef name);

/// `backbone`, `expert` or `router`: embeddings and norms count as backbone.
llvm::StringRef getTierClass(Role role);

enum class RoleSource : uint8_t { structure, name, user, byDefault };
/// structure, name, user, default.
llvm::StringRef stringify(RoleSource source);

/// One user rule: parameters whose name matches get the role and, if the rule
/// names any, the axes.
struct RoleRule {
  std::string pattern;
  std::optional<Role> role;
  std::optional<SmallVector<int64_t>> batch, row, column;

  bool hasAxes() const { return batch || row || column; }
};

/// The rules of one file, schema "skew-rules/1":
///   {"schema": "skew-rules/1", "rules": [
///     {"match": "regex", "role": "expert", "batch_axes": [0]}, ...]}
/// `match` is a POSIX extended regular expression that is searched for in the
/// parameter's full name (`argN` when nameless).
class RoleRules {
public:
  /// Reads `text`; errors name `fileName` and, for broken JSON, the line.
  static llvm::Expected<RoleRules> parse(llvm::StringRef text,
                                         llvm::StringRef fileName);
  static llvm::Expected<RoleRules> load(llvm::StringRef path);

  ArrayRef<RoleRule> rules() const { return list; }
  bool matches(unsigned rule, llvm::StringRef name) const;

private:
  std::vector<RoleRule> list;
};

/// What holds for one parameter in the end.
struct RoleDecision {
  ParameterRole role;
  RoleSource source = RoleSource::byDefault;
  /// The tier class; `backbone` for an expert or router that is not certain
  /// enough to lose its momentum.
  llvm::StringRef tierClass = "backbone";
  /// Non-empty where structure, name and rule disagree or leave a doubt.
  std::string remark;
  /// The remark deserves a warning: a rule goes against certain structure.
  bool isWarning = false;
  /// Non-empty where several rules say the same of the parameter.
  std::string repetition;
};

/// Joins the structural `role` with what `name` says and with the rules that
/// match it. An error says which rules disagree or which rule's axes do not fit
/// a parameter of `rank` axes. Sets the bit of every rule that matched.
llvm::Expected<RoleDecision> decideRole(const ParameterRole &role,
                                        llvm::StringRef name, unsigned rank,
                                        const RoleRules &rules,
                                        std::vector<bool> &matched);

} // namespace mlir::skew

#endif // SKEW_ANALYSIS_ROLEDECISION_H
