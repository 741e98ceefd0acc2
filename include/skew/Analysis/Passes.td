//===- Passes.td - analysis passes ------------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef SKEW_ANALYSIS_PASSES_TD
#define SKEW_ANALYSIS_PASSES_TD

include "mlir/Pass/PassBase.td"

def AnnotateRoles : Pass<"skew-annotate-roles", "::mlir::ModuleOp"> {
  let summary = "write each parameter's role and axes into skew.parameters";
  let description = [{
    For every public function with the attribute `skew.parameters` (one
    dictionary per trainable parameter, written by raising), finds out what each
    parameter does and how its axes fall, and adds to its dictionary:

    | key | value |
    |---|---|
    | `role` | `#skew.role<backbone\|expert\|router\|embedding\|norm>` |
    | `tier_class` | `backbone`, `expert` or `router`: the tier it may have |
    | `role_source` | `structure`, `name`, `user` or `default` |
    | `confidence` | `certain`, `likely` or `guess` |
    | `axes` | `#skew.axes<batch = [..], row = [..], column = [..]>` |
    | `evidence` | why, in words |

    Assumes: entries have `name`, `argument` and `result`. Nothing else in the
    IR changes.

    Structure decides. A name is only compared: where it says something else a
    missed remark tells, and the structure stands. Only an expert or router that
    is *certain* loses its momentum; one that is *likely* keeps the backbone
    tier unless its name or a rule says the same. Where the structure is silent
    (no forward pass in the graph, a parameter that the loss does not read) the
    name decides. Rules (`roles=FILE`, schema `skew-rules/1`) win over both:

    ```json
    {"schema": "skew-rules/1", "rules": [
      {"match": "hash_moe.*w[12]", "role": "expert", "batch_axes": [0]}
    ] }
    ```

    `match` is a POSIX extended regular expression, searched for in the
    parameter's full name. Axes that a rule leaves open are filled from the
    back: column, row, then batch. A rule that goes against certain structure is
    reported, and so are two rules that say the same of one parameter; a rule
    that matches nothing is a warning.

    Errors: a file of rules that cannot be read, two rules that disagree on a
    parameter (both are named), axes that do not fit, an entry without `name` or
    `argument`.
  }];
  let options = [
    Option<"roles", "roles", "std::string", "\"\"",
           "file of rules that override roles and axes (skew-rules/1)">
  ];
  let dependentDialects = ["::mlir::skew::SkewDialect"];
}

#endif // SKEW_ANALYSIS_PASSES_TD
