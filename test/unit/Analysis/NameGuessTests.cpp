//===- NameGuessTests.cpp - what names say --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "skew/Analysis/RoleDecision.h"
#include "gtest/gtest.h"

using namespace mlir::skew;

namespace {

void expectSays(llvm::StringRef name, std::optional<Role> role) {
  EXPECT_EQ(guessRoleFromName(name), role) << name.str();
}

TEST(NameGuess, SpeakingTokens) {
  expectSays("params['layers'][1]['ff']['router']", Role::router);
  expectSays("params['layers'][1]['ff']['experts'][123]['w2']", Role::expert);
  expectSays("model.embed_tokens.weight", Role::embedding);
  expectSays("transformer.wte.embedding", Role::embedding);
  expectSays("transformer.h.0.ln_1.scale", Role::norm);
  expectSays("params['bert']['embeddings']['LayerNorm']['scale']", Role::norm);
  expectSays("params['layers'][0]['norm2']['bias']", Role::norm);
}

TEST(NameGuess, GateDecidesOnlyBesideExperts) {
  expectSays("layers.0.block_sparse_moe.gate.kernel", Role::router);
  expectSays("layers.0.mlp.gate.kernel", std::nullopt);
  expectSays("layers.0.mlp.gate_proj.weight", std::nullopt);
  expectSays("layers.0.moe.experts.3.gate_proj.weight", Role::expert);
  expectSays("layers.0.moe.experts.3.gate.weight", Role::expert);
}

TEST(NameGuess, InnermostPartSpeaks) {
  expectSays("layers.0.router_norm.scale", Role::norm);
  expectSays("experts.0.layer_norm.weight", Role::norm);
  expectSays("embedding_router.w", Role::router);
}

TEST(NameGuess, SharedExpertsAreDense) {
  expectSays("layers.0.mlp.shared_experts.up_proj", Role::backbone);
  expectSays("layers.0.mlp.shared_expert_gate.weight", Role::backbone);
}

TEST(NameGuess, SilentNames) {
  expectSays("", std::nullopt);
  expectSays("arg12", std::nullopt);
  expectSays("params['head']['kernel']", std::nullopt);
  // Parts of words do not speak.
  expectSays("normal_init.w", std::nullopt);
  expectSays("expertise.w", std::nullopt);
}

} // namespace
