#===- files.py - writing outputs whole or not at all ---------------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""Outputs appear under their name only when they are complete."""

from __future__ import annotations

import contextlib
import os
import sys

from .errors import Error


@contextlib.contextmanager
def replacing(path):
    """`with replacing(path) as temporary:` write `temporary`; it takes the
    name `path` if the block succeeds and is removed if it does not."""
    path = os.fspath(path)
    # The ending stays last: writers such as matplotlib go by it.
    folder, name = os.path.split(path)
    temporary = os.path.join(folder, f".{os.getpid()}.{name}")
    try:
        yield temporary
        os.replace(temporary, path)
    except OSError as error:
        raise Error(f"cannot write '{path}': {error.strerror}") from None
    finally:
        with contextlib.suppress(OSError):
            os.unlink(temporary)


def write_text(path, text: str) -> None:
    """Writes `text` to `path`; "-" is stdout."""
    if path == "-":
        sys.stdout.write(text)
        return
    with replacing(path) as temporary:
        with open(temporary, "w", encoding="utf-8") as file:
            file.write(text)


def make_folder(path) -> None:
    """Creates the folder `path` and those above it."""
    try:
        os.makedirs(path, exist_ok=True)
    except OSError as error:
        raise Error(f"cannot make folder '{path}': {error.strerror}") from None
