//===- Report.h - reports and layouts as JSON and text ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_TARGET_REPORT_H
#define SKEW_TARGET_REPORT_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/JSON.h"

namespace mlir::skew {

/// What a report says of the run rather than of the module.
struct ReportContext {
  std::string input, policy;
};

/// The report of a module between placement and lowering, schema
/// "skew-report/1": every trainable parameter once, with the state that the
/// function had and has, in bytes. Places are those of the original function.
/// Fails, with a diagnostic, if the state that the updates keep is not the state
/// in the rewritten signature.
FailureOr<llvm::json::Value> makeReport(ModuleOp module,
                                        const ReportContext &context);

/// The state layouts of the module's functions, schema "skew-layout/1".
llvm::json::Value makeLayout(ModuleOp module);

/// A report as a table for people.
std::string formatReport(const llvm::json::Value &report);

} // namespace mlir::skew

#endif // SKEW_TARGET_REPORT_H
