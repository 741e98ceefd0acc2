#===- demo.py - the main job ---------------------------------------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""`skewopt demo`: the paper's 6.78 B step rewritten, and a small one trained.

First the full-size train step goes through the compiler (shapes only) and its
state is tabled per tier. Then a model of the same architecture with 0.6 M
parameters learns Python source text byte by byte, once with the optax AdamW
step as jax lowered it and once with the rewritten one: same weights, same
batches, one run after the other, several seeds. By default its weights are
fp32, so that the two differ in the state alone; with bf16 weights the
rewritten step also rounds stochastically where AdamW's rounds to nearest.
"""

from __future__ import annotations

import dataclasses
import json
import os
import statistics
import time

import jax
import jax.numpy as jnp

from . import export, files, model, plot, report, train, xla
from .api import Result, optimize
from .data import load_corpus
from .errors import Error
from .graph import read_graph
from .model import MoEConfig
from .train import Curve, Program

FULL_SIZE = "moe-6.78b-stacked"
VALIDATION_BATCHES = 24


def small_config(steps: int, weights: str) -> MoEConfig:
    """0.6 M parameters, three quarters of them in 16 experts, top 2. The
    optimizer's constants are those of a short run: beta2 0.99, 10 % warm-up,
    cosine to a tenth. The rate is the best of 1e-3, 2e-3, 3e-3 for AdamW (two
    seeds: 2.502, 2.451, 2.449 nats); the rewritten step takes it over."""
    return MoEConfig(
        vocab=256, d_model=96, heads=4, kv_heads=2, d_ff=192, experts=16,
        d_expert=96, context=64, batch=8, sequence=64, weight_dtype=weights,
        compute_dtype="float32", peak_lr=3e-3, end_lr=3e-4,
        warmup=max(steps // 10, 2), steps=steps, beta2=0.99, weight_decay=0.1)


def original_program(config: MoEConfig, text: str) -> Program:
    """The step as jax lowered it: results replace the arguments in order."""
    params = model.parameter_shapes(config)
    state = jax.eval_shape(lambda p: model.init_opt_state(config, p), params)
    leaves = jax.tree_util.tree_leaves((params, state))
    count = len(jax.tree_util.tree_leaves(params))
    moments = [i for i in range(count, len(leaves))
               if jnp.issubdtype(leaves[i].dtype, jnp.floating)]
    return Program("AdamW", xla.compile(text), lambda arguments: arguments,
                   list(range(len(leaves))), list(range(count)), moments)


def rewritten_program(result: Result) -> Program:
    """The rewritten step; the layout says where everything went."""
    layout = result.layout
    *fed_back, batch = layout.arguments
    missing = [e.index for e in fed_back if e.aliases_result is None]
    if missing or batch.kind != "other":
        raise Error(f"the rewritten step does not feed back its arguments "
                    f"{missing}")
    return Program("SkewAdam", xla.compile(result.text),
                   lambda arguments: xla.initial_arguments(layout, arguments),
                   [e.aliases_result for e in fed_back],
                   [e.index for e in fed_back if e.kind == "parameter"],
                   [e.index for e in layout.state()])


def _check_bytes(curves: list[Curve], expected: int) -> None:
    for curve in curves:
        if curve.state_bytes != expected:
            raise Error(f"{curve.program} holds {curve.state_bytes} bytes of "
                        f"state in live buffers, the report says {expected}")


@dataclasses.dataclass(frozen=True)
class Verdict:
    """Final validation losses, in nats per byte."""

    adamw: float
    skewadam: float
    difference: float
    spread: float | None
    """Largest minus smallest AdamW loss over the seeds; None with one seed."""
    sentence: str


def judge(adamw: list[Curve], skewadam: list[Curve]) -> Verdict:
    """Is the rewritten step no worse than AdamW beyond AdamW's own spread?"""
    ours = statistics.fmean(c.final for c in skewadam)
    theirs = statistics.fmean(c.final for c in adamw)
    difference = ours - theirs
    pairs = ", ".join(f"{b.final - a.final:+.4f}"
                      for a, b in zip(adamw, skewadam))
    if len(adamw) < 2:
        return Verdict(theirs, ours, difference, None,
                       f"difference {difference:+.4f}; one seed says nothing "
                       f"about the spread")
    finals = [c.final for c in adamw]
    spread = max(finals) - min(finals)
    if abs(difference) <= spread:
        verdict = "inside"
    else:
        verdict = "outside, better" if difference < 0 else "outside, WORSE"
    return Verdict(theirs, ours, difference, spread,
                   f"difference of the means {difference:+.4f} (by seed "
                   f"{pairs}); AdamW's spread over {len(adamw)} seeds "
                   f"{spread:.4f}: {verdict}")


def _full_size(folder: str, say) -> report.Report:
    started = time.monotonic()
    text = export.text(export.preset(FULL_SIZE))
    exported = time.monotonic()
    result = optimize(text, policy="paper", strict=True)
    finished = time.monotonic()
    say(f"{FULL_SIZE}: exported in {exported - started:.1f} s, rewritten in "
        f"{finished - exported:.1f} s, policy paper")
    say(report.tier_table(result.report) + "\n")
    files.write_text(os.path.join(folder, f"{FULL_SIZE}.mlir"), text)
    files.write_text(os.path.join(folder, f"{FULL_SIZE}.skew.mlir"),
                     result.text)
    files.write_text(os.path.join(folder, "report.json"), result.report.json)
    files.write_text(os.path.join(folder, "layout.json"), result.layout.json)
    files.write_text(os.path.join(folder, "plan.json"),
                     json.dumps(result.plan, indent=1))
    return result.report


def run(folder: str, *, steps: int = 400, seeds: int = 3,
        weights: str = "float32", say=print) -> dict:
    """Runs all of it, writes the outputs into `folder`, returns the summary.
    Raises skewopt.Error if live buffers and report disagree."""
    started = time.monotonic()
    files.make_folder(folder)
    full_report = _full_size(folder, say)

    config = small_config(steps, weights)
    text = read_graph(export.lower(config))
    result = optimize(text, policy="paper", strict=True)
    small_report = result.report
    files.write_text(os.path.join(folder, "small-report.json"),
                     small_report.json)
    elements = sum(p.elements for p in small_report.parameters)
    corpus = load_corpus()
    say(f"small model: {elements:,} parameters, {weights} weights, "
        f"{config.batch} x {config.sequence} bytes a step, {steps} steps, "
        f"{seeds} seeds; text: {corpus.train_files} files "
        f"({report.format_bytes(len(corpus.train))}) to train on, "
        f"{corpus.validation_files} to validate")
    say(report.tier_table(small_report) + "\n")

    programs = (original_program(config, text), rewritten_program(result))
    validate = train.Validator(config, corpus, VALIDATION_BATCHES)
    expected = (small_report.state_before_bytes,
                small_report.state_after_bytes)
    curves: list[list[Curve]] = [[], []]
    for seed in range(seeds):
        for i, program in enumerate(programs):
            curve = train.train(program, config, corpus, validate,
                                steps=steps, seed=seed,
                                every=max(steps // 8, 1))
            curves[i].append(curve)
            _check_bytes([curve], expected[i])
            say(f"{program.name:8} seed {seed}: validation "
                f"{curve.final:.4f} nats/byte, state {curve.state_bytes:,} B "
                f"live, {curve.seconds:.1f} s")

    verdict = judge(*curves)
    say(f"\n{verdict.sentence}")
    say("(runs this short show whether tiered state trains as well, not more)")
    say(f"live state bytes equal the report: {expected[0]:,} before, "
        f"{expected[1]:,} after")
    documents = [dataclasses.asdict(c) for group in curves for c in group]
    summary = {
        "schema": f"{plot.CURVES_NAME}/{plot.CURVES_VERSION}",
        "parameters": elements, "weights": weights, "steps": steps,
        "seeds": seeds, "unit": "nats per byte",
        "state_bytes": {"before": expected[0], "after": expected[1]},
        "verdict": dataclasses.asdict(verdict),
        "seconds": time.monotonic() - started, "curves": documents}
    files.write_text(os.path.join(folder, "curves.json"),
                     json.dumps(summary, indent=1))
    plot.plot_demo(full_report, documents, os.path.join(folder, "plot.png"))
    say(f"{time.monotonic() - started:.0f} s in all; report.json, curves.json, "
        f"plot.png and the graphs are in {folder}")
    return {**{k: v for k, v in summary.items() if k != "curves"},
            "full_size_state_bytes": {
                "before": full_report.state_before_bytes,
                "after": full_report.state_after_bytes}}
