//===- SkewModule.cpp - the Python module _skewopt ------------------------===//
//
// Part of the skew-opt project, under the Apache License v2.0 with LLVM
// Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The thin layer between Python and skew::optimize: strings in, strings out.
// Nothing of MLIR crosses it, so that jaxlib's own MLIR in the same process is
// of no concern. Types, defaults and errors for users live in the package.
//
//===----------------------------------------------------------------------===//

#include "skew/Pipelines/Optimize.h"
#include "skew/Support/Version.h"

#include "llvm/Support/Error.h"

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace py = pybind11;
using namespace mlir;

namespace {

/// Carries the compiler's diagnostics out of the region without the GIL.
struct Outcome {
  bool failed = false;
  std::string diagnostics;
  skew::OptimizeResult result;
};

Outcome runOptimize(const std::string &graph,
                    const skew::OptimizeOptions &options) {
  Outcome outcome;
  llvm::Expected<skew::OptimizeResult> result = skew::optimize(graph, options);
  if (result) {
    outcome.result = std::move(*result);
  } else {
    outcome.failed = true;
    outcome.diagnostics = llvm::toString(result.takeError());
  }
  return outcome;
}

} // namespace

PYBIND11_MODULE(_skewopt, m) {
  m.doc() = "skew-opt's compiler; use the package skewopt.";
  m.attr("version") = SKEW_VERSION_STRING;

  // Raised with the diagnostics as its one argument; skewopt.optimize turns it
  // into skewopt.Error.
  static py::exception<std::runtime_error> compileError(m, "CompileError");

  py::class_<skew::OptimizeResult>(m, "OptimizeResult")
      .def_readonly("module", &skew::OptimizeResult::module)
      .def_readonly("report", &skew::OptimizeResult::report)
      .def_readonly("layout", &skew::OptimizeResult::layout)
      .def_readonly("plan", &skew::OptimizeResult::plan)
      .def_readonly("remarks", &skew::OptimizeResult::remarks);

  m.def(
      "optimize",
      [](const std::string &graph, const std::string &policy,
         const std::string &numerics, const std::string &rounding,
         const std::string &rmsClip, const std::string &budget,
         const std::string &profile, const std::string &plan,
         const std::string &roles, const std::string &target,
         const std::string &chip, const std::string &inputName, uint64_t seed,
         bool strict, bool validate) {
        skew::OptimizeOptions options;
        options.policy = policy;
        options.numerics = numerics;
        options.rounding = rounding;
        options.rmsClip = rmsClip;
        options.budget = budget;
        options.profile = profile;
        options.plan = plan;
        options.roles = roles;
        options.target = target;
        options.chip = chip;
        options.inputName = inputName;
        options.seed = seed;
        options.strict = strict;
        options.validate = validate;
        Outcome outcome;
        {
          py::gil_scoped_release unlocked;
          outcome = runOptimize(graph, options);
        }
        if (outcome.failed) {
          py::set_error(compileError, outcome.diagnostics.c_str());
          throw py::error_already_set();
        }
        return std::move(outcome.result);
      },
      py::arg("graph"), py::kw_only(), py::arg("policy") = "",
      py::arg("numerics") = "tiered", py::arg("rounding") = "auto",
      py::arg("rms_clip") = "batch", py::arg("budget") = "",
      py::arg("profile") = "", py::arg("plan") = "", py::arg("roles") = "",
      py::arg("target") = "stablehlo", py::arg("chip") = "",
      py::arg("input_name") = "", py::arg("seed") = 0,
      py::arg("strict") = false, py::arg("validate") = false,
      "Runs the pipeline on generic MLIR text.");
}
