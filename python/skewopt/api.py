#===- api.py - optimize() ------------------------------------------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""`optimize`: a graph in, the same step with tiered optimizer state out."""

from __future__ import annotations

import dataclasses
import json
import os
import tempfile

from . import layout as layout_module
from . import report as report_module
from .errors import Error
from .graph import read_graph
from .layout import Layout
from .report import Report


@dataclasses.dataclass(frozen=True)
class Result:
    """What `optimize` returns.

    `text`: the rewritten module, generic StableHLO text (with target "none"
    the planned module in the skew dialect). `plan`: the decisions, readable
    again by `optimize(plan=...)`. `remarks`: the compiler's remarks, one string
    each.
    """

    text: str
    report: Report
    layout: Layout
    plan: dict
    remarks: list[str] = dataclasses.field(default_factory=list)


def _byte_size(budget) -> str:
    if budget is None:
        return ""
    if isinstance(budget, bool) or not isinstance(budget, (int, str)):
        raise Error(f"budget must be bytes or a string such as '2GiB', got "
                    f"{type(budget).__name__}")
    return f"{budget}B" if isinstance(budget, int) else budget


class _Files:
    """Paths for inputs that the compiler reads from files."""

    def __init__(self, folder: str):
        self._folder = folder

    def path(self, value, name: str) -> str:
        if value is None:
            return ""
        if isinstance(value, (str, os.PathLike)):
            path = os.fspath(value)
            if not os.path.isfile(path):
                raise Error(f"{name} file '{path}' does not exist")
            return path
        path = os.path.join(self._folder, f"{name}.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(value, file)
        return path


def _input_name(x) -> str:
    if isinstance(x, os.PathLike) or (isinstance(x, str) and "\n" not in x):
        return os.path.basename(os.fspath(x))
    return "<input>"


def optimize(x, *, policy=None, numerics="tiered", rounding="auto", seed=0,
             rms_clip="batch", budget=None, profile=None, roles=None,
             target="stablehlo", chip=None, strict=False, plan=None,
             validate=False) -> Result:
    """Rewrites the AdamW updates found in graph `x` to tiered state.

    `x`: anything `read_graph` takes. `policy`: "paper", "auto" or "keep"; by
    default "auto" when a budget or profile is given, else "paper".
    `numerics`: "tiered" (the graph's epsilon keeps its meaning) or
    "published". `rounding`: "auto" (stochastic for bf16 and f16 weights),
    "nearest" or "stochastic", with compile-time `seed`. `rms_clip`: "batch",
    "tensor" or "off". `budget`: state bytes, a number or text such as "2GiB".
    `profile`, `roles`, `plan`: a path, or the JSON document as Python objects.
    `strict`: a declined parameter is an error.

    Raises skewopt.Error; its `diagnostics` are the compiler's messages.
    """
    from . import _skewopt

    if isinstance(seed, bool) or not isinstance(seed, int) or not (
            0 <= seed < 2 ** 64):
        raise Error(f"seed must be an integer from 0 to 2^64-1, got {seed!r}")
    text = read_graph(x)
    with tempfile.TemporaryDirectory(prefix="skewopt-") as folder:
        files = _Files(folder)
        try:
            made = _skewopt.optimize(
                text, policy=policy or "", numerics=numerics,
                rounding=rounding, rms_clip=rms_clip,
                budget=_byte_size(budget),
                profile=files.path(profile, "profile"),
                plan=files.path(plan, "plan"),
                roles=files.path(roles, "roles"), target=target,
                chip=chip or "", input_name=_input_name(x), seed=seed,
                strict=strict, validate=validate)
        except _skewopt.CompileError as error:
            lines = [line for line in str(error).splitlines() if line.strip()]
            raise Error("\n".join(lines) or "the compiler failed",
                        tuple(lines)) from None
    return Result(made.module, report_module.parse(made.report),
                  layout_module.parse(made.layout),
                  json.loads(made.plan) if made.plan else {},
                  list(made.remarks))
