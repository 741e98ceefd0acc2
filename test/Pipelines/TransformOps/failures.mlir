// RUN: skew-opt %s --split-input-file --verify-diagnostics --transform-interpreter -o /dev/null
// RUN: skew-opt %s --split-input-file --verify-diagnostics --transform-interpreter --mlir-disable-threading -o /dev/null

module attributes {transform.with_named_sequence} {
  // expected-note @below {{target}}
  func.func @f() {
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expects modules, got 'func.func'}}
    %0 = transform.skew.raise %f : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// The same, silenced.
module attributes {transform.with_named_sequence} {
  func.func @f() {
    return
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    transform.sequence %root : !transform.any_op failures(suppress) {
    ^bb0(%scope: !transform.any_op):
      %f = transform.structured.match ops{["func.func"]} in %scope : (!transform.any_op) -> !transform.any_op
      %0 = transform.skew.lower %f : (!transform.any_op) -> !transform.any_op
      transform.yield
    }
    transform.yield
  }
}

// -----

// A script that would change itself: nothing silences that.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    transform.sequence %root : !transform.any_op failures(suppress) {
    ^bb0(%scope: !transform.any_op):
      // expected-error @below {{cannot be applied to a module that contains the transform}}
      %0 = transform.skew.raise %scope : (!transform.any_op) -> !transform.any_op
      transform.yield
    }
    transform.yield
  }
}

// -----

// Errors of a stage.
module attributes {transform.with_named_sequence} {
  module attributes {test.payload} {
    // expected-note @below {{the step is not}}
    func.func @main(%p: tensor<4xf32>, %m: tensor<4xf32>, %g: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
      %m1 = "stablehlo.maximum"(%m, %g) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %p1 = "stablehlo.subtract"(%p, %m1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      return %p1, %m1 : tensor<4xf32>, tensor<4xf32>
    }
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %payload = transform.structured.match attributes {test.payload} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{1 parameters are not raised}}
    %0 = transform.skew.raise %payload {strict = true} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  module attributes {test.payload} {
  }
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %payload = transform.structured.match attributes {test.payload} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{policy auto needs gradient facts}}
    %0 = transform.skew.place %payload {policy = "auto"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// Options that cannot be right are errors of the script.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    // expected-error @below {{'transform.skew.place' op attribute policy must be one of paper, keep, auto, got 'papers'}}
    %0 = transform.skew.place %root {policy = "papers"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    // expected-error @below {{'transform.skew.place' op attribute rms_clip must be one of batch, tensor, off, got 'on'}}
    %0 = transform.skew.place %root {rms_clip = "on"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    // expected-error @below {{'transform.skew.place' op attribute budget: }}
    %0 = transform.skew.place %root {budget = "2 heaps"} : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
