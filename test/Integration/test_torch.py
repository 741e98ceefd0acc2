#===- test_torch.py - a step that torch exported -------------------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""torch's forward, backward and AdamW in one function, before and after.

The committed graph came through torch-mlir: lerp for the first moment, the
learning rate and the sign inside the denominator, one step tensor for each of
23 parameters. No torch is needed here.
"""

import json
import lzma
from pathlib import Path

import numpy as np
import pytest
import reference as ref
import skewopt
import stepping

GRAPHS = Path(__file__).resolve().parent.parent / "Inputs" / "graphs"
COUNT = 23
# The graph rounds its constants to f32; its answers are those of 0.9 to 2e-8.
HYPER = ref.Hyper(0.9, 0.999, 1e-8, 0.0, 0.01)
RATE = 1e-3


@pytest.fixture(scope="module")
def step():
    """(text, arguments): parameters, m, v, steps, tokens, targets."""
    with lzma.open(GRAPHS / "torch-moe-adamw-step.mlir.xz", "rt") as file:
        text = file.read()
    # XLA runs `main`.
    text = text.replace('sym_name = "train_step"', 'sym_name = "main"')
    answers = json.loads(
        (GRAPHS / "torch-moe-adamw-step.json").read_text())
    rng = np.random.default_rng(3)
    shapes = [p["shape"] for p in answers["params"]]
    arguments = [0.05 * rng.standard_normal(s).astype(np.float32)
                 + np.float32(len(s) == 1) for s in shapes]
    arguments += [np.zeros(s, np.float32) for s in shapes * 2]
    arguments += [np.zeros((), np.float32)] * COUNT
    tokens = rng.integers(0, 256, (2, 2, 16))
    return text, arguments + [tokens[0], tokens[1]]


def rewritten(step, **options):
    result = skewopt.optimize(step[0], **options)
    assert [p.status for p in result.report.parameters] == ["raised"] * COUNT
    return result, stepping.Runner(result.text, step[1], 4 * COUNT,
                                   result.layout)


def test_keep_is_the_original(step):
    original = stepping.Runner(step[0], step[1], 4 * COUNT)
    _, kept = rewritten(step, policy="keep")
    for _ in range(5):
        wanted, found = original.step(), kept.step()
        np.testing.assert_allclose(found[0], wanted[0], rtol=1e-6)
        for i in range(4 * COUNT):
            if i < COUNT:
                value = kept.argument(i)
            else:
                name, part = f"arg{i % COUNT}", "mv"[i // COUNT - 1 & 1]
                value = (kept.state()[name, part][1] if i < 3 * COUNT
                         else kept.arguments()[i])
            error = stepping.relative_error(
                value.ravel(), original.argument(i).ravel())
            assert error <= 2e-6, (i, error)


def test_paper_is_tiered_skewadam(step):
    """The gradient is read off the original: from zero state m' = 0.1 g."""
    result, tiered = rewritten(step, policy="paper")
    parameters = result.report.parameters
    assert (sum(p.state_before_bytes for p in parameters),
            sum(p.state_after_bytes for p in parameters)) == (
        1_514_496, 383_744)
    tiers = {p.name: ref.Tier(
        p.tier.m != "none", p.tier.v == "factored", tuple(p.tier.batch_axes),
        tuple(p.tier.row_axes), tuple(p.tier.column_axes), p.tier.numerics,
        p.tier.rms_clip) for p in result.report.parameters}
    states = {name: ref.initial_state(step[1][i].shape, tiers[name])
              for i, name in enumerate(tiers)}
    original = stepping.Runner(step[0], step[1], 4 * COUNT)
    for count in range(1, 6):
        for i in range(COUNT):
            original.set_argument(i, tiered.argument(i))
            for moment in (i + COUNT, i + 2 * COUNT):
                original.set_argument(moment, step[1][moment])
        before = [tiered.argument(i).astype(np.float64) for i in range(COUNT)]
        original.step()
        tiered.step()
        for i, name in enumerate(tiers):
            gradient = original.argument(i + COUNT).astype(np.float64) / 0.1
            wanted, states[name] = ref.skewadam(
                before[i], states[name], gradient, RATE, count, HYPER,
                tiers[name])
            moved = np.abs(wanted - before[i]).max()
            error = np.abs(tiered.argument(i) - wanted).max()
            assert error <= 1e-3 * moved + 1e-7, (count, name, error, moved)
            for key, part in (("m", "m"), ("v", "v"), ("r", "v_row"),
                              ("c", "v_col")):
                if key in states[name]:
                    found = tiered.state()[name, part][1]
                    error = stepping.relative_error(
                        found.ravel(), states[name][key].ravel())
                    assert error <= 1e-5, (count, name, part, error)
