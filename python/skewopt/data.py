#===- data.py - text that is on any machine ------------------------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""Byte-level text: the .py files of the running Python's standard library.

Files are split between training and validation by a hash of their path, so
that no file is in both and the split does not depend on the machine.
"""

from __future__ import annotations

import dataclasses
import hashlib
import os
import sysconfig

import numpy as np

_SKIPPED = {"site-packages", "dist-packages", "__pycache__"}
_VALIDATION_SHARE = 20


@dataclasses.dataclass(frozen=True)
class Corpus:
    """uint8 arrays of the concatenated files, and how many files each has."""

    train: np.ndarray
    validation: np.ndarray
    train_files: int
    validation_files: int


def load_corpus(root: str | None = None) -> Corpus:
    """Reads every .py file under `root` (default: the standard library).
    Raises FileNotFoundError if that leaves either part empty."""
    root = root or sysconfig.get_paths()["stdlib"]
    parts: tuple[list[bytes], list[bytes]] = ([], [])
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in _SKIPPED)
        for name in sorted(files):
            if not name.endswith(".py"):
                continue
            path = os.path.join(folder, name)
            relative = os.path.relpath(path, root).replace(os.sep, "/")
            digest = hashlib.sha256(relative.encode()).digest()
            with open(path, "rb") as file:
                parts[digest[0] % _VALIDATION_SHARE == 0].append(file.read())
    train, validation = parts
    if not train or not validation:
        raise FileNotFoundError(f"no .py files to train on under {root}")
    join = lambda files: np.frombuffer(b"\n".join(files), np.uint8)
    return Corpus(join(train), join(validation), len(train), len(validation))


class Batches:
    """Random windows of `data`; the same seed gives the same sequence."""

    def __init__(self, data: np.ndarray, batch: int, sequence: int, seed: int):
        if len(data) < sequence + 2:
            raise ValueError("text must be longer than one sequence")
        self._data, self._batch, self._sequence = data, batch, sequence
        self._rng = np.random.default_rng(seed)

    def next(self) -> np.ndarray:
        """int32 [batch, sequence + 1]: inputs and targets overlap."""
        starts = self._rng.integers(0, len(self._data) - self._sequence - 1,
                                    self._batch)
        window = np.arange(self._sequence + 1)
        return self._data[starts[:, None] + window].astype(np.int32)
