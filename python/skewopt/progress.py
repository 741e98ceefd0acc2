#===- progress.py - progress bars on a terminal --------------------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""A progress bar on stderr, shown only when stderr is a terminal."""

from __future__ import annotations

import sys
import time


class Progress:
    """`with Progress("training", total) as bar: bar.update(done, note)`."""

    def __init__(self, label: str, total: int, stream=None):
        self._stream = stream or sys.stderr
        self._shown = self._stream.isatty()
        self._label, self._total = label, max(total, 1)
        self._start, self._last = time.monotonic(), 0.0

    def __enter__(self):
        self.update(0)
        return self

    def update(self, done: int, note: str = "") -> None:
        """Redraws at most ten times a second, and always at the end."""
        now = time.monotonic()
        if not self._shown or (done < self._total and now - self._last < 0.1):
            return
        self._last = now
        width = 28
        filled = width * done // self._total
        elapsed = now - self._start
        left = elapsed * (self._total - done) / done if done else 0.0
        bar = "#" * filled + "." * (width - filled)
        self._stream.write(f"\r{self._label} [{bar}] {done}/{self._total} "
                           f"{elapsed:.0f}s, {left:.0f}s left {note}\x1b[K")
        self._stream.flush()

    def __exit__(self, *_):
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
