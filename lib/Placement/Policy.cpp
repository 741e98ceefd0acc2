//===- Policy.cpp - named placement policies ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Placement/Policy.h"

using namespace mlir::skew;

std::optional<TierChoice>
mlir::skew::choosePaperTier(const GroupTraits &group) {
  struct Row {
    const char *tierClass;
    bool momentum, factored;
  };
  static constexpr Row table[] = {{"backbone", true, true},
                                  {"expert", false, true},
                                  {"router", false, false}};
  for (const Row &row : table) {
    if (group.tierClass != row.tierClass)
      continue;
    TierChoice choice;
    choice.momentum = row.momentum;
    choice.factored = row.factored && group.canFactor;
    choice.why = "policy paper: " + group.tierClass;
    choice.why += row.momentum ? " keeps momentum" : " keeps no momentum";
    if (choice.factored)
      choice.why += ", second moment factored";
    else if (row.factored)
      choice.why += ", second moment exact (factors would save nothing)";
    else
      choice.why += ", second moment exact";
    return choice;
  }
  return std::nullopt;
}
