#===- layout.py - where the rewritten function keeps its state -----------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""The state layout (schema "skew-layout/1") as dataclasses: one entry per
argument and result of the rewritten function."""

from __future__ import annotations

import dataclasses
import typing

from . import schema
from .errors import Error

NAME, VERSION = "skew-layout", 1
_NUMPY = {"f64": "float64", "f32": "float32", "f16": "float16",
          "bf16": "bfloat16", "i64": "int64", "i32": "int32", "i16": "int16",
          "i8": "int8", "ui64": "uint64", "ui32": "uint32", "i1": "bool"}

_COUNTERS = ("step", "seed")


@dataclasses.dataclass(frozen=True)
class Entry:
    """One argument or result; the fields after `aliases_result` only for
    state."""

    index: int
    kind: str
    old_index: typing.Optional[int] = None
    aliases_result: typing.Optional[int] = None
    parameter: typing.Optional[str] = None
    parameter_id: typing.Optional[typing.Any] = None
    component: typing.Optional[str] = None
    shape: list[int] = dataclasses.field(default_factory=list)
    dtype: typing.Optional[str] = None
    init: float = 0.0
    batch_axes: list[int] = dataclasses.field(default_factory=list)
    row_axes: list[int] = dataclasses.field(default_factory=list)
    column_axes: list[int] = dataclasses.field(default_factory=list)

    @property
    def numpy_dtype(self):
        import jax.numpy as jnp  # knows bfloat16
        if self.dtype not in _NUMPY:
            raise Error(f"argument {self.index} has the unknown type "
                        f"'{self.dtype}'")
        return jnp.dtype(_NUMPY[self.dtype])


@dataclasses.dataclass(frozen=True)
class Layout:
    """One function's layout."""

    arguments: list[Entry]
    results: list[Entry] = dataclasses.field(default_factory=list)
    name: str = "main"
    json: str = ""

    def state(self) -> list[Entry]:
        """The arguments that the report counts as state: moments and factors,
        not the step counter."""
        return [e for e in self.arguments if e.kind == "state"
                and e.component not in _COUNTERS]


@dataclasses.dataclass(frozen=True)
class _Document:
    functions: list[Layout]


def parse(text: str, label: str = "layout") -> Layout:
    """JSON text -> the layout of its first function. Without arguments if no
    function was rewritten."""
    document = schema.load(text, label)
    schema.check_version(document, NAME, VERSION)
    functions = schema.read(_Document, document, label).functions
    first = functions[0] if functions else Layout([])
    return dataclasses.replace(first, json=text)
