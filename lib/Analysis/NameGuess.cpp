//===- NameGuess.cpp - the role that a name speaks of ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Analysis/RoleDecision.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::skew;

namespace {
/// One part of a path, such as `block_sparse_moe` or `LayerNorm_0`.
struct Segment {
  std::string text;
  SmallVector<std::string, 4> tokens;
};
} // namespace

/// Splits a path at everything but letters, digits and underscores, and its
/// parts at underscores, case changes and before trailing digits; lower case.
static SmallVector<Segment> segmentsOf(StringRef name) {
  SmallVector<Segment> segments;
  bool isNewSegment = true, isNewToken = true;
  char last = 0;
  for (char c : name) {
    if (!llvm::isAlnum(c)) {
      isNewToken = true;
      isNewSegment = isNewSegment || c != '_';
      if (c == '_' && !isNewSegment)
        segments.back().text += '_';
      last = c;
      continue;
    }
    bool isCaseChange = llvm::isLower(last) && llvm::isUpper(c);
    bool isNumberStart = llvm::isAlpha(last) && llvm::isDigit(c);
    if (isNewSegment)
      segments.emplace_back();
    if (isNewSegment || isNewToken || isCaseChange || isNumberStart)
      segments.back().tokens.emplace_back();
    segments.back().text += llvm::toLower(c);
    segments.back().tokens.back() += llvm::toLower(c);
    isNewSegment = isNewToken = false;
    last = c;
  }
  return segments;
}

static bool speaksOfExperts(StringRef token) {
  return token == "expert" || token == "experts";
}

static bool speaksOfMixture(StringRef token) {
  return speaksOfExperts(token) || token == "moe" || token == "sparse" ||
         token == "mixture";
}

static std::optional<Role> roleOfToken(StringRef token) {
  return llvm::StringSwitch<std::optional<Role>>(token)
      .Cases({"norm", "layernorm", "rmsnorm", "batchnorm", "groupnorm", "ln",
              "rms"},
             Role::norm)
      .Cases({"router", "gating"}, Role::router)
      .Cases({"expert", "experts"}, Role::expert)
      .Cases(
          {"embed", "embedding", "embeddings", "embedder", "emb", "wte", "wpe"},
          Role::embedding)
      .Cases({"attn", "attention"}, Role::backbone)
      .Default(std::nullopt);
}

std::optional<Role> mlir::skew::guessRoleFromName(StringRef name) {
  SmallVector<Segment> segments = segmentsOf(name);
  for (size_t place = segments.size(); place-- > 0;) {
    const Segment &segment = segments[place];
    // Experts that all tokens use are dense.
    if (llvm::is_contained(segment.tokens, "shared") &&
        llvm::any_of(segment.tokens, speaksOfExperts))
      return Role::backbone;
    // A gate decides among experts only beside them; gate_proj never does.
    bool isGate = segment.text == "gate" || segment.text == "wg";
    if (isGate && llvm::any_of(ArrayRef(segments).take_front(place),
                               [](const Segment &outer) {
                                 return llvm::any_of(outer.tokens,
                                                     speaksOfMixture);
                               })) {
      bool isInsideExpert = llvm::any_of(
          ArrayRef(segments).take_front(place), [](const Segment &outer) {
            return llvm::any_of(outer.tokens, speaksOfExperts);
          });
      return isInsideExpert ? Role::expert : Role::router;
    }
    // The last token of a part is its noun: a router_norm is a norm.
    for (const std::string &token : llvm::reverse(segment.tokens))
      if (std::optional<Role> role = roleOfToken(token))
        return role;
  }
  return std::nullopt;
}
