#===- plot.py - reports and curves as pictures ---------------------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""Plots: state bytes per tier from a report, loss curves from the demo."""

from __future__ import annotations

import os

import numpy as np

from . import report as report_module
from . import schema
from .errors import Error
from .files import replacing
from .report import Report, format_bytes

CURVES_NAME, CURVES_VERSION = "skew-curves", 1
_COLOURS = ("#4c72b0", "#dd8452")


def _figure(width: float, panels: int):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot
    return pyplot.subplots(1, panels, figsize=(width, 4.4),
                           layout="constrained")


def _smooth(values: list[float], window: int = 25) -> np.ndarray:
    """Running mean over the last `window` steps."""
    total = np.cumsum(np.insert(np.asarray(values, float), 0, 0.0))
    ends = np.arange(1, len(values) + 1)
    starts = np.maximum(ends - window, 0)
    return (total[ends] - total[starts]) / (ends - starts)


def draw_tiers(axes, report: Report, title: str) -> None:
    """Bars per tier class, before and after, logarithmic, with the totals."""
    rows = report.by_tier()
    names = [row.tier_class for row in rows] + ["total"]
    before = [row.state_before_bytes for row in rows]
    after = [row.state_after_bytes for row in rows]
    before.append(report.state_before_bytes)
    after.append(report.state_after_bytes)
    places = np.arange(len(names))
    for shift, values, label, colour in ((-0.2, before, "before", _COLOURS[0]),
                                         (0.2, after, "after", _COLOURS[1])):
        bars = axes.bar(places + shift, np.maximum(values, 1), 0.38,
                        label=label, color=colour)
        axes.bar_label(bars, [format_bytes(v) for v in values], fontsize=7,
                       padding=2)
    axes.set_yscale("log")
    axes.set_ylim(max(min(before + after), 1) / 4, max(before + after) * 8)
    axes.set_xticks(places, names)
    axes.set_ylabel("optimizer state, bytes")
    axes.set_title(title, fontsize=10)
    axes.legend(frameon=False, loc="upper right", ncols=2)


def draw_curves(axes, curves: list[dict], title: str) -> None:
    """Validation loss of every run, over its smoothed training loss."""
    programs = list(dict.fromkeys(curve["program"] for curve in curves))
    for curve in curves:
        colour = _COLOURS[programs.index(curve["program"]) % len(_COLOURS)]
        train = _smooth(curve["train"])
        axes.plot(np.arange(1, len(train) + 1), train, color=colour,
                  alpha=0.25, linewidth=0.8)
        axes.plot(curve["validation_steps"], curve["validation"], color=colour,
                  marker=".", linewidth=1.2,
                  label=f"{curve['program']}, seed {curve['seed']}: "
                        f"{curve['validation'][-1]:.4f}")
    axes.set_xlabel("step")
    axes.set_ylabel("nats per byte")
    low = min(min(curve["validation"]) for curve in curves)
    high = max(curve["validation"][0] for curve in curves)
    axes.set_ylim(low - 0.15 * (high - low), high + 0.15 * (high - low))
    axes.set_title(title, fontsize=10)
    axes.legend(frameon=False, fontsize=8)


def _save(figure, output) -> None:
    from matplotlib import pyplot
    try:
        with replacing(output) as temporary:
            figure.savefig(temporary, dpi=130)
    except ValueError as error:  # unknown file ending
        raise Error(f"cannot write '{output}': {error}") from None
    finally:
        pyplot.close(figure)


def plot_demo(report: Report, curves: list[dict], output) -> None:
    """The demo's picture: curves on the left, the 6.78 B table on the right."""
    figure, (left, right) = _figure(11.5, 2)
    draw_curves(left, curves, "validation loss (thin: training loss)")
    draw_tiers(right, report, "optimizer state of the 6.78 B step")
    _save(figure, output)


def plot_file(path, output) -> None:
    """Plots a report or the demo's curves, told apart by their schema."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not UTF-8 text"
        raise Error(f"{path}: {reason}") from None
    document = schema.load(text, os.fspath(path))
    name = document.get("schema", "") if isinstance(document, dict) else ""
    if str(name).startswith(CURVES_NAME + "/"):
        schema.check_version(document, CURVES_NAME, CURVES_VERSION)
        figure, axes = _figure(7.0, 1)
        draw_curves(axes, document["curves"],
                    "validation loss (thin: training loss)")
    else:
        report = report_module.parse(text, os.fspath(path))
        figure, axes = _figure(7.0, 1)
        draw_tiers(axes, report, report.input or "optimizer state")
    _save(figure, output)
