//===- TextMutator.h - changes of bytes, JSON and pipelines -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_TEST_LIB_SKEW_FUZZ_TEXTMUTATOR_H
#define SKEW_TEST_LIB_SKEW_FUZZ_TEXTMUTATOR_H

#include "Random.h"
#include <string>

namespace mlir::skew::fuzz {

/// Changes bytes, and copies, drops and exchanges stretches of `text`.
void mutateBytes(std::string &text, Random &random);

/// Changes one value, key or element of a JSON document; what does not parse
/// has its bytes changed.
void mutateJson(std::string &text, Random &random);

/// A pass pipeline: known passes and options with odd values, nested and broken
/// in places.
std::string makePipeline(Random &random);

/// Role rules ("skew-rules/1") with odd regular expressions.
std::string makeRules(Random &random);

} // namespace mlir::skew::fuzz

#endif // SKEW_TEST_LIB_SKEW_FUZZ_TEXTMUTATOR_H
