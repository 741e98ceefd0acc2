//===- Assert.h - Checks of our own invariants ------------------*- C++ -*-===//
//
// Part of the skew-opt project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `assert` never fires in this tree: every build defines NDEBUG, because LLVM's
// headers change layout with it and the packaged LLVM has it. SKEW_ASSERT has a
// switch of its own, the CMake option SKEW_ENABLE_ASSERTIONS (presets dev and
// asan). It is for what cannot happen, never for what a user wrote.
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_SUPPORT_ASSERT_H
#define SKEW_SUPPORT_ASSERT_H

#include <cstdio>
#include <cstdlib>

namespace mlir::skew::detail {
/// Prints where and what, then aborts.
[[noreturn]] inline void assertionFailed(const char *condition,
                                         const char *message, const char *file,
                                         int line) {
  std::fprintf(stderr, "%s:%d: assertion failed: %s: %s\n", file, line,
               condition, message);
  std::abort();
}
} // namespace mlir::skew::detail

#ifdef SKEW_ENABLE_ASSERTIONS
#define SKEW_ASSERT(condition, message)                                        \
  ((condition) ? static_cast<void>(0)                                          \
               : ::mlir::skew::detail::assertionFailed(#condition, message,    \
                                                       __FILE__, __LINE__))
#else
// Not evaluated, but what it names counts as used.
#define SKEW_ASSERT(condition, message)                                        \
  static_cast<void>(sizeof(static_cast<bool>(condition)))
#endif

#endif // SKEW_SUPPORT_ASSERT_H
