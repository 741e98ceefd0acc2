//===- RoundTrip.h - modules through bytecode and text ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_TOOLS_SKEW_OPT_ROUNDTRIP_H
#define SKEW_TOOLS_SKEW_OPT_ROUNDTRIP_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace mlir {
class DialectRegistry;
}

namespace mlir::skew {

/// Sends every module of `contents` (separated by `splitMarker` unless that is
/// empty) through bytecode and through text in the ops' own syntax, and
/// compares in generic form. Locations are left out, unlike in
/// --verify-roundtrip: LLVM 22's bytecode loses the end of a range such as
/// "f":2:8 to :10. Text that does not parse passes: what reads it reports it.
/// Returns what differs; empty if nothing does.
std::string findRoundTripLoss(llvm::StringRef contents,
                              llvm::StringRef splitMarker,
                              const DialectRegistry &registry);

} // namespace mlir::skew

#endif // SKEW_TOOLS_SKEW_OPT_ROUNDTRIP_H
