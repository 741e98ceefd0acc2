#===- report.py - the report, typed --------------------------------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""The report (schema "skew-report/1") as dataclasses. All sizes are bytes."""

from __future__ import annotations

import dataclasses
import typing

from . import schema

NAME, VERSION = "skew-report", 1
TIER_CLASSES = ("backbone", "expert", "router")


@dataclasses.dataclass(frozen=True)
class Component:
    """One state tensor of a parameter."""

    component: str
    dtype: str
    shape: list[int]
    bytes: int


@dataclasses.dataclass(frozen=True)
class Tier:
    """Where and how a parameter's state is kept after the rewrite."""

    m: str = "none"
    v: str = "none"
    numerics: typing.Optional[str] = None
    rounding: typing.Optional[str] = None
    rms_clip: typing.Optional[str] = None
    place: typing.Optional[str] = None
    batch_axes: list[int] = dataclasses.field(default_factory=list)
    row_axes: list[int] = dataclasses.field(default_factory=list)
    column_axes: list[int] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True)
class Parameter:
    name: str
    shape: list[int]
    dtype: str
    elements: int
    status: str
    state_before_bytes: int
    state_after_bytes: int
    argument: typing.Optional[int] = None
    result: typing.Optional[int] = None
    reason: typing.Optional[str] = None
    rule: typing.Optional[str] = None
    hyperparameters: typing.Optional[dict[str, typing.Any]] = None
    gradient: typing.Optional[str] = None
    role: typing.Optional[str] = None
    tier_class: typing.Optional[str] = None
    role_source: typing.Optional[str] = None
    confidence: typing.Optional[str] = None
    tier: typing.Optional[Tier] = None
    why: typing.Optional[str] = None
    state_before: list[Component] = dataclasses.field(default_factory=list)
    state_after: list[Component] = dataclasses.field(default_factory=list)
    risk: typing.Optional[float] = None


@dataclasses.dataclass(frozen=True)
class OtherState:
    name: str
    kind: str
    bytes: int


@dataclasses.dataclass(frozen=True)
class Totals:
    parameters: int
    elements: int
    raised: int
    declined: int
    frozen: int
    state_before_bytes: int
    state_after_bytes: int


@dataclasses.dataclass(frozen=True)
class Lint:
    kind: str
    message: str
    parameter: typing.Optional[str] = None


@dataclasses.dataclass(frozen=True)
class Function:
    name: str
    parameters: list[Parameter]
    totals: Totals
    other_state: list[OtherState] = dataclasses.field(default_factory=list)
    lint: list[Lint] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True)
class TierSum:
    """One line of the table per tier."""

    tier_class: str
    parameters: int
    elements: int
    state_before_bytes: int
    state_after_bytes: int


@dataclasses.dataclass(frozen=True)
class Report:
    functions: list[Function]
    tool: typing.Optional[str] = None
    input: typing.Optional[str] = None
    policy: typing.Optional[str] = None
    json: str = ""
    """The document this was read from."""

    @property
    def parameters(self) -> list[Parameter]:
        return [p for f in self.functions for p in f.parameters]

    @property
    def lint(self) -> list[Lint]:
        return [item for f in self.functions for item in f.lint]

    def _total(self, key: str) -> int:
        return sum(getattr(f.totals, key) for f in self.functions)

    @property
    def state_before_bytes(self) -> int:
        return self._total("state_before_bytes")

    @property
    def state_after_bytes(self) -> int:
        return self._total("state_after_bytes")

    def by_tier(self) -> list[TierSum]:
        """Sums per tier class in the table's order; parameters without one
        (declined before roles, frozen) come last as "other"."""
        sums: dict[str, list[int]] = {}
        for parameter in self.parameters:
            tier = parameter.tier_class or "other"
            row = sums.setdefault(tier, [0, 0, 0, 0])
            row[0] += 1
            row[1] += parameter.elements
            row[2] += parameter.state_before_bytes
            row[3] += parameter.state_after_bytes
        order = [t for t in TIER_CLASSES if t in sums]
        order += sorted(t for t in sums if t not in TIER_CLASSES)
        return [TierSum(tier, *sums[tier]) for tier in order]


def parse(text: str, label: str = "report") -> Report:
    """JSON text -> Report. Raises skewopt.Error for text that is not a report
    or one of a newer schema."""
    document = schema.load(text, label)
    schema.check_version(document, NAME, VERSION)
    return dataclasses.replace(
        schema.read(Report, dict(document, json=text), label), json=text)


def format_bytes(count: int) -> str:
    """Binary units, two decimals: 54273081344 -> '50.55 GiB'."""
    value, unit = float(count), "B"
    for larger in ("KiB", "MiB", "GiB", "TiB"):
        if value < 1024:
            break
        value, unit = value / 1024, larger
    return f"{count} B" if unit == "B" else f"{value:.2f} {unit}"


def _columns(rows: list[tuple[str, ...]], left: int) -> list[str]:
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join(cell.ljust(width) if i < left else cell.rjust(width)
                      for i, (cell, width) in enumerate(zip(row, widths)))
            .rstrip() for row in rows]


def tier_table(report: Report) -> str:
    """The table per tier with its totals, as text."""
    rows = [("tier", "tensors", "parameters", "share", "state before",
             "state after")]
    elements = sum(row.elements for row in report.by_tier()) or 1
    for row in report.by_tier():
        rows.append((row.tier_class, f"{row.parameters}", f"{row.elements:,}",
                     f"{100 * row.elements / elements:.3f} %",
                     format_bytes(row.state_before_bytes),
                     format_bytes(row.state_after_bytes)))
    rows.append(("total", f"{len(report.parameters)}",
                 f"{sum(p.elements for p in report.parameters):,}", "",
                 format_bytes(report.state_before_bytes),
                 format_bytes(report.state_after_bytes)))
    return "\n".join(_columns(rows, 1))


def parameter_table(report: Report) -> str:
    """One line per parameter: name, type, role, status, tier, bytes."""
    rows = [("parameter", "type", "role", "rule", "m", "v", "before", "after")]
    for p in report.parameters:
        tier = p.tier or Tier()
        shape = "x".join(map(str, p.shape))
        rows.append((p.name, f"{shape}x{p.dtype}" if shape else p.dtype,
                     p.role or "-",
                     p.rule or p.status if p.status == "raised" else p.status,
                     tier.m, tier.v, format_bytes(p.state_before_bytes),
                     format_bytes(p.state_after_bytes)))
    lines = _columns(rows, 6)
    for p in report.parameters:
        if p.status == "declined":
            lines.append(f"declined {p.name}: {p.reason}")
    lines += [f"lint {item.kind}: {item.message}" for item in report.lint]
    return "\n".join(lines)
