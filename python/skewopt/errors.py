#===- errors.py - the package's exception --------------------------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""`skewopt.Error`: the one exception for bad input, with the diagnostics."""

from __future__ import annotations


class Error(Exception):
    """Something about the input is wrong; the message says what to do.

    `diagnostics` holds the compiler's messages, one string each, in the order
    they were emitted (empty when the error was found before it ran).
    """

    def __init__(self, message: str, diagnostics: tuple[str, ...] = ()):
        super().__init__(message)
        self.diagnostics = tuple(diagnostics)
