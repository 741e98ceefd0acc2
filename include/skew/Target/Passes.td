//===- Passes.td - passes that write what is not IR -------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_TARGET_PASSES_TD
#define SKEW_TARGET_PASSES_TD

include "mlir/Pass/PassBase.td"

def CheckOptions : Pass<"skew-check-options", "::mlir::ModuleOp"> {
  let summary = "refuse pipeline options that this version cannot serve";
  let description = [{
    Stands first in a pipeline, so that a request for a target, profile or check
    that does not exist costs no run. Changes nothing.
  }];
  let options = [
    Option<"target", "target", "std::string", "\"stablehlo\"",
      "stablehlo or none">,
    Option<"chip", "chip", "std::string", "\"\"", "GPU chip">,
    Option<"profile", "profile", "std::string", "\"\"", "gradient profile">,
    Option<"validate", "validate", "bool", "false", "validate the result">,
  ];
}

def RecordOutputs : Pass<"skew-record-outputs", "::mlir::ModuleOp"> {
  let summary = "put report, layout and plan into module attributes";
  let description = [{
    Must run between placement (or the rewrite) and lowering, where the updates
    are still ops. Writes the discardable string attributes `skew.report`
    ("skew-report/1"), `skew.layout` ("skew-layout/1") and `skew.plan`
    ("skew-plan/1"), so that files are written only once everything else has
    succeeded (`skew-write-outputs`).

    Errors: the state in the rewritten signature is not the state the report
    accounts for, or exceeds `budget` because updates could not be rewritten.
  }];
  let options = [
    Option<"input", "input", "std::string", "\"\"", "name of the input">,
    Option<"policy", "policy", "std::string", "\"paper\"",
      "policy that the report and the plan name">,
    Option<"budget", "budget", "std::string", "\"\"",
      "largest total state, a byte size such as 2GiB">,
  ];
}

def WriteOutputs : Pass<"skew-write-outputs", "::mlir::ModuleOp"> {
  let summary = "write the recorded report, layout and plan to files";
  let description = [{
    Takes the attributes of `skew-record-outputs` off the module and writes them;
    a path of `-` means standard error, for the report as a table. Files appear
    whole or not at all.
  }];
  let options = [
    Option<"report", "report", "std::string", "\"\"", "path of the report">,
    Option<"layout", "layout", "std::string", "\"\"", "path of the layout">,
    Option<"plan", "plan", "std::string", "\"\"", "path of the plan">,
  ];
}

#endif // SKEW_TARGET_PASSES_TD
