# -*- Python -*-
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The GoogleTest executables of build/test/unit/bin, one lit test each TEST."""

import os

import lit.formats

config.name = "skew-unit"
config.suffixes = []
config.test_exec_root = os.path.join(config.skew_build_root, "test", "unit")
config.test_source_root = config.test_exec_root
config.test_format = lit.formats.GoogleTest("bin", "Tests")
for variable in ("HOME", "TMP", "TEMP", "ASAN_OPTIONS"):
    if variable in os.environ:
        config.environment[variable] = os.environ[variable]
if config.sanitizers:
    config.environment["ASAN_OPTIONS"] = ":".join(
        filter(None, [config.environment.get("ASAN_OPTIONS"), config.asan_options])
    )
