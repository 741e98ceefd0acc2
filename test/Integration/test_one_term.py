#===- test_one_term.py - correct rules with one term changed --------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""Every raisable rule in several spellings; every term changed in many ways.
What is raised must compute, by the documented formula with the operands and
constants of the op, what the function computed. The evaluation is numpy's, from
the texts alone.

    python test/Integration/test_one_term.py [RULE]

prints what became of each: rule, spelling, term, change, raised or the reason."""

import collections
import functools
import sys

import numpy as np
import pytest

import graph_values
import one_term

skewopt = pytest.importorskip("skewopt")

POINTS = 24
# Functions in one module: some work is per module.
CHUNK = 300


@functools.cache
def cases(rule, everything=False):
    """(base, mutation or None, text) of each function, by its name. Of every
    spelling the plain fp32 scene and the bf16 training one, or all four."""
    found = {}
    for base in one_term.bases():
        if base.rule != rule or not everything and (
                (base.scene == "plain") != (base.dtype == "f32")):
            continue
        for mutation in [None] + one_term.mutations():
            name = f"f{len(found)}"
            text = one_term.make(base, mutation, len(found))
            if text is not None:
                found[name] = (base, mutation, text)
    return found


@functools.cache
def compiled(rule, everything=False):
    """The report's parameter `p` and both texts of each function."""
    texts = [text for _, _, text in cases(rule, everything).values()]
    rows, before, after = {}, {}, {}
    for at in range(0, len(texts), CHUNK):
        module = "module {\n" + "".join(texts[at:at + CHUNK]) + "}\n"
        result = skewopt.optimize(module, policy="keep", target="none")
        before.update(graph_values.parse(module))
        after.update(graph_values.parse(result.text))
        for function in result.report.functions:
            # A parameter that nothing moves is in no row.
            rows[function.name] = next(
                (p for p in function.parameters if p.argument == 0), None)
    return rows, before, after


def points(function, base):
    """Wild values for the arguments: p, states, t."""
    rng = np.random.RandomState(1)
    shape = (POINTS, one_term.SIZE)

    def wide(low, high):
        return rng.randn(*shape) * 10.0 ** rng.uniform(low, high, shape)

    p = wide(-2, 2)
    p[1] = 0.0
    states = [wide(-4, 3) for _ in range(len(function.arguments) - 2)]
    if base.rule == "adamw":
        states[1] = np.abs(wide(-8, 6))
    t = rng.choice((1, 2, 5, 60, 150, 1000, 99999), (POINTS, 1)).astype(float)
    t[0] = 123456  # one of the mutations waits for it
    return [p] + states + [t]


def worst_error(before, after, base):
    """Of all results, in units of what constants of that precision explain."""
    arguments = points(before, base)
    ulp = 2.0 ** (-7 if base.dtype == "bf16" else -23)
    worst = 0.0
    with np.errstate(all="ignore"):
        wanted = graph_values.evaluate(before, arguments)
        got = graph_values.evaluate(after, arguments)
        for place, (x, y) in enumerate(zip(wanted, got, strict=True)):
            x, y = np.broadcast_arrays(x, y)
            old = arguments[place]
            if place == 0:
                bound = 2e-4 * np.abs(x - old) + (4e-7 + 1e-4 * ulp) * np.abs(old)
            else:
                bound = 2e-6 * (np.abs(x) + np.abs(old))
            if not np.array_equal(np.isfinite(x), np.isfinite(y)):
                return np.inf
            error = np.abs(x - y) / (bound + 1e-30)
            worst = max(worst, float(np.max(np.where(np.isfinite(x), error, 0))))
    return worst


def is_raised(row):
    return row is not None and row.status == "raised"


FULL = pytest.mark.parametrize(
    "everything", (False, pytest.param(True, marks=pytest.mark.slow)))


@FULL
@pytest.mark.parametrize("rule", one_term.RULES)
def test_spellings_are_raised(compiler, rule, everything):
    rows, _, _ = compiled(rule, everything)
    for name, (base, mutation, _) in cases(rule, everything).items():
        if mutation is None:
            assert is_raised(rows[name]), (base, rows[name])
            assert rows[name].rule == rule


@FULL
@pytest.mark.parametrize("rule", one_term.RULES)
def test_raised_is_what_it_was(compiler, rule, everything):
    rows, before, after = compiled(rule, everything)
    raised = 0
    for name, (base, mutation, text) in cases(rule, everything).items():
        if not is_raised(rows[name]):
            continue
        raised += 1
        error = worst_error(before[name], after[name], base)
        assert error <= 1.0, (
            f"{base.name}: {mutation}: raised, but off by {error}:\n{text}")
    # Changed constants and steps are still the rule: there must be some.
    total = len(cases(rule, everything))
    assert total / 10 < raised < total / 2, (raised, total)


@pytest.mark.parametrize("rule", one_term.RULES)
def test_the_comparison_can_fail(compiler, rule):
    """Refused mutants against the raised spelling they come from: most differ
    at the same points, so a wrong raise would be seen. The rest are changes that
    only far or rare values show, such as a limit of 1e9."""
    rows, before, after = compiled(rule)
    origin, seen, different = {}, 0, 0
    for number, (name, (base, mutation, _)) in enumerate(cases(rule).items()):
        if mutation is None:
            origin[base] = name
        elif number % 3 == 0 and not is_raised(rows[name]):
            seen += 1
            different += worst_error(before[name], after[origin[base]], base) > 1
    assert seen > 50 and different > 0.5 * seen, (different, seen)


def main():
    for rule in sys.argv[1:] or one_term.RULES:
        rows, before, after = compiled(rule, True)
        counts = collections.Counter()
        for name, (base, mutation, _) in cases(rule, True).items():
            row = rows[name]
            if is_raised(row):
                error = worst_error(before[name], after[name], base)
                outcome = f"raised as {row.rule}, off by {error:.2g} of the bound"
                counts["raised" if error <= 1 else "WRONG"] += 1
            else:
                outcome = "refused: " + (row.reason or row.status if row
                                         else "no parameter")
                counts["refused"] += 1
            change = f"{mutation.term}: {mutation.name}" if mutation else "-"
            print(f"{base.name:28} {change:34} {outcome}")
        print(f"{rule}: {dict(counts)}")


if __name__ == "__main__":
    main()
