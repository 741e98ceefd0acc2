# -*- Python -*-
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The lit suite. Run it on a build folder: lit build/test.

Environment:
  SKEW_VERIFY_ROUNDTRIP=1  every skew-opt call also sends its input and its
                           output through text and bytecode and compares
  SKEW_OPT_ARGS="..."      further arguments for every skew-opt call
Parameters (lit --param NAME=VALUE):
  quick=1                  leaves out the tests that require the feature `slow`

Features: slow, python (an interpreter with our module), jax, xz, asan, ptxas,
cuda, roundtrip.
Substitutions: %graphs (test/Inputs/graphs), %inputs (test/Inputs), %python,
%mlir_tblgen, %mlir_include, %skew_src, %skew_build, %cxx.
"""

import os
import shutil
import subprocess

import lit.formats
from lit.llvm import llvm_config
from lit.llvm.subst import FindTool, ToolSubst

config.name = "skew"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".td", ".test"]
config.excludes = ["Inputs", "lib", "python"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.skew_build_root, "test")

bin_dir = os.path.join(config.skew_build_root, "bin")
lib_dir = os.path.join(config.skew_build_root, "lib")
python_packages = os.path.join(config.skew_build_root, "python_packages")

llvm_config.with_system_environment(["HOME", "TMP", "TEMP", "ASAN_OPTIONS"])
llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
llvm_config.with_environment("PATH", bin_dir, append_path=True)
llvm_config.with_environment("PYTHONPATH", python_packages, append_path=True)
# Tests read plain text and one locale.
llvm_config.with_environment("LC_ALL", "C.UTF-8")

if config.sanitizers:
    config.available_features.add("asan")
    llvm_config.with_environment(
        "ASAN_OPTIONS", config.asan_options, append_path=True
    )

if lit_config.params.get("quick", "0") in ("", "0"):
    config.available_features.add("slow")


def runs(*command):
    """Whether `command` exits with 0 in the environment of the tests."""
    try:
        return (
            subprocess.run(
                command,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env=config.environment,
                check=False,
            ).returncode
            == 0
        )
    except OSError:
        return False


python = config.python_executable
if python and runs(python, "-c", "import skewopt._skewopt"):
    config.available_features.add("python")
if python and runs(
    python,
    "-c",
    "import importlib.util as u, sys; sys.exit(not u.find_spec('jax'))",
):
    config.available_features.add("jax")
for tool in ("xz", "ptxas"):
    if shutil.which(tool, path=config.environment["PATH"]):
        config.available_features.add(tool)
if os.path.exists("/dev/nvidiactl"):
    config.available_features.add("cuda")

skew_opt_args = os.environ.get("SKEW_OPT_ARGS", "").split()
if os.environ.get("SKEW_VERIFY_ROUNDTRIP", "0") == "1":
    config.environment["SKEW_VERIFY_ROUNDTRIP"] = "1"
    config.available_features.add("roundtrip")

inputs = os.path.join(config.test_source_root, "Inputs")
config.substitutions += [
    ("%graphs", os.path.join(inputs, "graphs")),
    ("%inputs", inputs),
    ("%python", '"%s"' % python),
    ("%mlir_tblgen", os.path.join(config.llvm_tools_dir, "mlir-tblgen")),
    ("%mlir_include", config.mlir_include_dir),
    ("%mlir_cmake_dir", config.mlir_cmake_dir),
    ("%skew_src", config.skew_source_root),
    ("%skew_build", config.skew_build_root),
    ("%skew_lib", lib_dir),
    ("%cxx", config.host_cxx),
]

llvm_config.add_tool_substitutions(
    [
        ToolSubst("skew-opt", FindTool("skew-opt"), extra_args=skew_opt_args),
        ToolSubst(
            "skew-test-opt", FindTool("skew-test-opt"), extra_args=skew_opt_args
        ),
        ToolSubst("skew-interpret", unresolved="fatal"),
        ToolSubst("skew-reduce", unresolved="ignore"),
        ToolSubst("mlir-opt", unresolved="ignore"),
        ToolSubst("mlir-translate", unresolved="ignore"),
        ToolSubst("FileCheck", unresolved="fatal"),
        ToolSubst("not", unresolved="fatal"),
        ToolSubst("count", unresolved="ignore"),
    ],
    [bin_dir, config.llvm_tools_dir],
)
