#===- test_sweeps_hazards.py - zero, idle and bad gradients --------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""What must stay exact or finite whatever the gradient is."""

import dataclasses

import numpy as np
import pytest
from sweeping import DTYPES, Case, Compiled, opt, quick_if

NO_DECAY = (("weight_decay", 0.0),)
EXPERTS = dict(shape=(4, 12, 10), batch=(0,), row=(1,), column=(2,))
RULES = [
    Case(**EXPERTS), Case(**EXPERTS, numerics="published"),
    Case(**EXPERTS, clip="tensor"), Case(**EXPERTS, clip="off"),
    Case(**EXPERTS, m="f32"), Case(**EXPERTS, m="f32", v="f32"),
    Case(**EXPERTS, m="f32", numerics="published", v="f32"),
    Case(**EXPERTS, v="f32"),
    Case(**EXPERTS, rule="adamw", m="f32", v="f32"),
    Case(**EXPERTS, rule="lion", m="f32"),
    Case(**EXPERTS, rule="sgd", m="f32"), Case(**EXPERTS, rule="sgd"),
]
STORED = [dataclasses.replace(case, dtype=dtype, rounding=rounding)
          for case in RULES
          for dtype, rounding in (("f32", "nearest"), ("bf16", "stochastic"))]
QUICK = quick_if(STORED, lambda case: case.dtype == "bf16")


def bits(array):
    return np.asarray(array).view(f"u{np.asarray(array).dtype.itemsize}")


def start(case):
    """Arguments of a first step: no state yet."""
    arguments = case.arguments(t=1)
    for i in range(2, 2 + len(case.states())):
        arguments[i] = np.zeros_like(arguments[i])
    return arguments


def both(case, arguments):
    exact = case.interpret(arguments)
    return [[np.asarray(e).astype(a.dtype)
             for e, a in zip(exact, case.results(arguments))],
            Compiled(case.text(arguments))(arguments)]


@pytest.mark.parametrize("case", QUICK, ids=str)
def test_zero_gradient_is_a_zero_update(case):
    case = dataclasses.replace(case, hyper=NO_DECAY)
    arguments = start(case)
    arguments[1] = np.zeros_like(arguments[1])
    for results in both(case, arguments):
        np.testing.assert_array_equal(bits(results[0]), bits(arguments[0]))
        for state in results[1:]:
            assert not np.asarray(state, np.float64).any()


@pytest.mark.parametrize("case", quick_if(
    [c for c in STORED if c.dtype == "bf16"],
    lambda case: case.rule == "skewadam" and case.m == "none"), ids=str)
def test_an_idle_expert_and_an_empty_row_stay_finite(case):
    arguments = start(case)
    g = np.array(arguments[1])
    g[2] = 0
    g[1, 3] = 0
    arguments[1] = g
    run = Compiled(case.text(arguments))
    for t in range(1, 4):
        arguments[2 + len(case.states())] = np.int32(t)
        results = run(arguments)
        for result in results:
            assert np.isfinite(np.asarray(result, np.float64)).all()
        arguments[0] = results[0]
        arguments[2:2 + len(results) - 1] = results[1:]
    # The idle expert has only decayed, by lr wd = 3e-3 a step and one ulp.
    before = np.asarray(case.arguments()[0][2], np.float64)
    after = np.asarray(arguments[0][2], np.float64)
    assert (np.abs(after - before) <= np.abs(before) * (3 * 3e-3 + 3 * 2**-7)
            + 1e-6).all()


@pytest.mark.parametrize("case", QUICK, ids=str)
@pytest.mark.parametrize("bad", [
    np.nan, pytest.param(np.inf, marks=pytest.mark.slow)])
def test_a_skipped_step_leaves_every_bit(case, bad):
    case = dataclasses.replace(case, skip=True)
    arguments = case.arguments(skip=True)
    g = np.array(arguments[1])
    g[1, 2, 3] = bad
    arguments[1] = g
    for results in both(case, arguments):
        for got, old in zip(results, case.results(arguments)):
            np.testing.assert_array_equal(bits(got), bits(old))


def test_without_skip_the_same_gradient_does_spread():
    # What the guard is for: one NaN reaches its whole matrix.
    case = Case(**EXPERTS)
    arguments = case.arguments()
    arguments[1][1, 2, 3] = np.nan
    got = Compiled(case.text(arguments))(arguments)[0]
    assert np.isnan(got[1]).all() and np.isfinite(got[[0, 2, 3]]).all()


def test_one_spike_does_not_scale_other_experts():
    case = Case(**EXPERTS)
    calm = case.arguments()
    wild = case.arguments()
    wild[1] = np.array(wild[1])
    wild[1][0] *= 1e4
    run = Compiled(case.text(calm))
    a, b = run(calm)[0], run(wild)[0]
    np.testing.assert_array_equal(a[1:], b[1:])
    assert (a[0] != b[0]).any()


def test_hundreds_of_parameters_stay_small_in_text():
    # Equal sweeps are written once, and each parameter calls them.
    case = Case(rule="sgd", dtype="bf16", rounding="stochastic", shape=(4,),
                row=(), column=(0,))
    lines = case.text().splitlines()
    (line,) = [row for row in lines if "skew.sgd" in row]
    count = 12
    body = [line.replace("%r0", f"%r{i}").replace(
        "parameter_id = 0", f"parameter_id = {i + 7}") for i in range(count)]
    names = ", ".join(f"%r{i}" for i in range(count))
    types = ", ".join(["tensor<4xbf16>"] * count)
    head = lines[0].split(" -> ")[0]
    text = "\n".join([f"{head} -> ({types}) {{", *body,
                      f"return {names} : {types}", "}"])
    compiled = Compiled(text)
    # main, the key's sweep, the update's sweep.
    assert compiled.stablehlo.count('"func.func"') == 3
    assert compiled.stablehlo.count('"func.call"') == 2 * count
    assert len(compiled.stablehlo.splitlines()) < 110 * count
    arguments = [np.ones(4, DTYPES["bf16"]),
                 np.full(4, 1e-3, DTYPES["bf16"]), np.int32(1), np.float32(1)]
    results = compiled(arguments)
    assert len({r.tobytes() for r in results}) > 1  # ids tell them apart


def test_lowered_text_holds_nothing_of_ours():
    text = opt(Case(m="f32").text(), "--skew-decompose-updates",
               "--convert-skew-to-stablehlo", "--skew-strip")
    assert "skew." not in text and "arith." not in text
