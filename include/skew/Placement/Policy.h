//===- Policy.h - named placement policies ----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// No MLIR here: placement works on classes and numbers.
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_PLACEMENT_POLICY_H
#define SKEW_PLACEMENT_POLICY_H

#include <optional>
#include <string>

namespace mlir::skew {

/// What a policy needs to know of a group.
struct GroupTraits {
  /// backbone, expert or router.
  std::string tierClass;
  /// Row and column axes exist and factors are smaller than an exact moment.
  bool canFactor = false;
};

/// The state a policy allots. Storage types are the caller's: a policy says
/// what is kept, not in how many bits.
struct TierChoice {
  bool momentum = true;
  bool factored = false;
  std::string why;
};

/// The table of "Where Should Optimizer State Live?" (2607.19058): backbone
/// keeps momentum and a factored second moment, experts a factored one alone,
/// routers an exact one alone. Where factors save nothing v stays exact.
/// nullopt for an unknown class.
std::optional<TierChoice> choosePaperTier(const GroupTraits &group);

} // namespace mlir::skew

#endif // SKEW_PLACEMENT_POLICY_H
