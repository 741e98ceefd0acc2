#===- conftest.py - what the integration tests share ---------------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""Fixtures. Everything runs on the CPU, whatever the machine has."""

import os
import shutil
import subprocess
import sys

os.environ["JAX_PLATFORMS"] = "cpu"

import pytest  # noqa: E402


def _llvm_tool(name):
    """A tool of LLVM 22, or None."""
    for config in ("llvm-config-22", "/usr/lib/llvm-22/bin/llvm-config"):
        if shutil.which(config):
            folder = subprocess.run([config, "--bindir"], check=True,
                                    capture_output=True,
                                    text=True).stdout.strip()
            return shutil.which(name, path=folder)
    return None


@pytest.fixture(scope="session")
def parses_in_mlir_22():
    """Callable: does stock mlir-opt 22 take this generic text?"""
    tool = _llvm_tool("mlir-opt")
    if tool is None:
        pytest.skip("no mlir-opt of LLVM 22 found")

    def parses(text):
        run = subprocess.run(
            [tool, "--allow-unregistered-dialect", "-o", os.devnull],
            input=text, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr
        return True

    return parses


@pytest.fixture(scope="session")
def compiler():
    """Skips where the compiled module was not built."""
    return pytest.importorskip(
        "skewopt._skewopt", reason="the module _skewopt is not built")


@pytest.fixture(scope="session")
def skewopt_command():
    """Callable: runs `skewopt ARGUMENTS`, returns the finished process."""

    def run(*arguments, **more):
        return subprocess.run(
            [sys.executable, "-m", "skewopt", *map(str, arguments)],
            capture_output=True, text=True, check=False, **more)

    return run
