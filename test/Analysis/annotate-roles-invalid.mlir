// RUN: split-file %s %t
// RUN: skew-test-opt --skew-annotate-roles --split-input-file --verify-diagnostics %t/entries.mlir
// RUN: not skew-test-opt --skew-annotate-roles=roles=%t/none.json %t/graph.mlir 2>&1 | FileCheck %s --check-prefix=MISSING
// RUN: not skew-test-opt --skew-annotate-roles=roles=%t/broken.json %t/graph.mlir 2>&1 | FileCheck %s --check-prefix=BROKEN
// RUN: not skew-test-opt --skew-annotate-roles=roles=%t/noschema.json %t/graph.mlir 2>&1 | FileCheck %s --check-prefix=NOSCHEMA
// RUN: not skew-test-opt --skew-annotate-roles=roles=%t/newer.json %t/graph.mlir 2>&1 | FileCheck %s --check-prefix=NEWER
// RUN: not skew-test-opt --skew-annotate-roles=roles=%t/norules.json %t/graph.mlir 2>&1 | FileCheck %s --check-prefix=NORULES
// RUN: not skew-test-opt --skew-annotate-roles=roles=%t/list.json %t/graph.mlir 2>&1 | FileCheck %s --check-prefix=LIST
// RUN: not skew-test-opt --skew-annotate-roles=roles=%t/nomatch.json %t/graph.mlir 2>&1 | FileCheck %s --check-prefix=NOMATCH
// RUN: not skew-test-opt --skew-annotate-roles=roles=%t/regex.json %t/graph.mlir 2>&1 | FileCheck %s --check-prefix=REGEX
// RUN: not skew-test-opt --skew-annotate-roles=roles=%t/role.json %t/graph.mlir 2>&1 | FileCheck %s --check-prefix=ROLE
// RUN: not skew-test-opt --skew-annotate-roles=roles=%t/empty.json %t/graph.mlir 2>&1 | FileCheck %s --check-prefix=EMPTY
// RUN: not skew-test-opt --skew-annotate-roles=roles=%t/axis.json %t/graph.mlir 2>&1 | FileCheck %s --check-prefix=AXIS
// RUN: not skew-test-opt --skew-annotate-roles=roles=%t/twice.json %t/graph.mlir 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not skew-test-opt --skew-annotate-roles=roles=%t/differ.json %t/graph.mlir 2>&1 | FileCheck %s --check-prefix=DIFFER
// RUN: not skew-test-opt --skew-annotate-roles=roles=%t/axesdiffer.json %t/graph.mlir 2>&1 | FileCheck %s --check-prefix=AXESDIFFER

// MISSING: error: {{.*}}none.json: cannot read the rules: No such file or directory
// BROKEN: error: {{.*}}broken.json:3:3: expected , or ] after array element
// NOSCHEMA: error: {{.*}}noschema.json: must be an object with "schema": "skew-rules/1"
// NEWER: error: {{.*}}newer.json: schema must be 'skew-rules/1', got 'skew-rules/2'
// NORULES: error: {{.*}}norules.json: must have a list 'rules'
// LIST: error: {{.*}}list.json: rule 0 must be an object
// NOMATCH: error: {{.*}}nomatch.json: rule 0 must have a string 'match'
// REGEX: error: {{.*}}regex.json: rule 1: bad regular expression 'w[': brackets ([ ]) not balanced
// ROLE: error: {{.*}}role.json: rule 0: 'role' must be backbone, expert, router, embedding or norm, got 'gate'
// EMPTY: error: {{.*}}empty.json: rule 0 must have a 'role' or axes
// AXIS: error: {{.*}}axis.json: rule 0: 'row_axes' must be a list of different axis numbers
// TWICE: error: rule 'w' must put each of the 2 axes of parameter 'w' into one class
// DIFFER: error: rules 'w' and '^w$' disagree on parameter 'w': expert and router
// AXESDIFFER: error: rules 'w' and '^w$' disagree on parameter 'w': axes

//--- broken.json
{"schema": "skew-rules/1", "rules": [
  {"match": "w", "role": "expert"}
  {"match": "v", "role": "expert"}
]}
//--- noschema.json
[]
//--- newer.json
{"schema": "skew-rules/2", "rules": []}
//--- norules.json
{"schema": "skew-rules/1"}
//--- list.json
{"schema": "skew-rules/1", "rules": ["w"]}
//--- nomatch.json
{"schema": "skew-rules/1", "rules": [{"role": "expert"}]}
//--- regex.json
{"schema": "skew-rules/1", "rules": [{"match": "w", "role": "expert"}, {"match": "w[", "role": "expert"}]}
//--- role.json
{"schema": "skew-rules/1", "rules": [{"match": "w", "role": "gate"}]}
//--- empty.json
{"schema": "skew-rules/1", "rules": [{"match": "w"}]}
//--- axis.json
{"schema": "skew-rules/1", "rules": [{"match": "w", "row_axes": [0, 0]}]}
//--- twice.json
{"schema": "skew-rules/1", "rules": [{"match": "w", "row_axes": [0], "column_axes": [0]}]}
//--- differ.json
{"schema": "skew-rules/1", "rules": [{"match": "w", "role": "expert"}, {"match": "^w$", "role": "router"}]}
//--- axesdiffer.json
{"schema": "skew-rules/1", "rules": [{"match": "w", "batch_axes": [0]}, {"match": "^w$", "row_axes": [0]}]}

//--- graph.mlir
func.func @main(%w: tensor<4x4xf32>) -> tensor<4x4xf32>
    attributes {skew.parameters = [{name = "w", argument = 0 : i64, result = 0 : i64}]} {
  return %w : tensor<4x4xf32>
}

//--- entries.mlir
// expected-error @below {{skew.parameters entry 0 must have a 'name' and the number of an 'argument'}}
func.func @main(%w: tensor<4xf32>) attributes {skew.parameters = [{argument = 0 : i64}]} {
  return
}

// -----

// expected-error @below {{skew.parameters entry 1 must have a 'name' and the number of an 'argument'}}
func.func @main(%w: tensor<4xf32>)
    attributes {skew.parameters = [{name = "w", argument = 0 : i64}, {name = "v", argument = 1 : i64}]} {
  return
}

// -----

// expected-error @below {{skew.parameters must be a list of dictionaries}}
func.func @main(%w: tensor<4xf32>) attributes {skew.parameters = ["w"]} {
  return
}
