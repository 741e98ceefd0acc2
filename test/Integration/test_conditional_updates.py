#===- test_conditional_updates.py - updates in branches, in XLA ----------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""Gradient accumulation (C04), updates that are skipped: the rewritten step
against the original and against numpy, over several real steps. Gradients are
arguments, so that every value is the test's own."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
import reference as ref
import skewopt
import stepping

HYPER = ref.Hyper(0.9, 0.999, 1e-8, 0.0, 1e-2)
SHAPES = {"bias": (24,), "kernel": (16, 24)}
RNG = np.random.default_rng(7)
START = {k: RNG.standard_normal(s).astype(np.float32)
         for k, s in SHAPES.items()}


def adamw():
    return optax.adamw(1e-3, weight_decay=1e-2)


def apply(opt):
    def step(params, state, grads):
        updates, state = opt.update(grads, state, params)
        return optax.apply_updates(params, updates), state
    return step


class Graph:
    """A step (params, state, inputs) -> (params, state) and its start."""

    def __init__(self, step, params, state, inputs):
        params, inputs = jax.tree_util.tree_map(jnp.asarray, (params, inputs))
        self.text = skewopt.read_graph(
            jax.jit(step, donate_argnums=(0, 1), keep_unused=True).lower(
                params, state, inputs))
        self.start = [np.asarray(x)
                      for x in stepping.leaves((params, state, inputs))]
        self.fed_back = len(stepping.leaves((params, state)))
        self.params = len(stepping.leaves(params))

    def runner(self, result=None):
        if result is None:
            return stepping.Runner(self.text, self.start, self.fed_back)
        return stepping.Runner(result.text, self.start, self.fed_back,
                               result.layout)

    def step(self, runner, inputs):
        runner.step({self.fed_back + i: np.asarray(x) for i, x
                     in enumerate(stepping.leaves(inputs))})
        return [runner.argument(i) for i in range(self.params)]


def raised(graph, **options):
    result = skewopt.optimize(graph.text, **options)
    assert [(p.status, p.reason) for p in result.report.parameters] == [
        ("raised", None)] * graph.params
    # Donated as before: what is fed back has a place to go.
    assert all(e.aliases_result is not None for e in result.layout.arguments
               if e.shape and (e.old_index is None or
                               e.old_index < graph.fed_back))
    return result


def random_grads(step):
    rng = np.random.default_rng(100 + step)
    return {k: rng.standard_normal(s).astype(np.float32)
            for k, s in SHAPES.items()}


def keeps(graph, inputs):
    """policy=keep equals the original in weights and in all carried state."""
    result = raised(graph, policy="keep")
    original, kept = graph.runner(), graph.runner(result)
    for step, given in enumerate(inputs):
        for wanted, found in zip(graph.step(original, given),
                                 graph.step(kept, given), strict=True):
            np.testing.assert_allclose(found, wanted, rtol=2e-6, atol=1e-7,
                                       err_msg=str(step))
    for i, (found, wanted) in enumerate(zip(
            kept.arguments(), original.arguments(), strict=True)):
        if i < graph.fed_back:
            np.testing.assert_allclose(found, wanted, rtol=2e-6, atol=1e-7)
    return result, kept


def tier_of(parameter):
    tier = parameter.tier
    return ref.Tier(tier.m != "none", tier.v == "factored",
                    tuple(tier.batch_axes), tuple(tier.row_axes),
                    tuple(tier.column_axes), tier.numerics, tier.rms_clip)


def equals_numpy(graph, given, real_steps):
    """policy=paper equals the reference; real_steps[i] is the gradient (fp64)
    that step i applies, or None where it applies nothing."""
    result = raised(graph, policy="paper")
    runner = graph.runner(result)
    tiers = [tier_of(p) for p in result.report.parameters]
    params = [np.asarray(p, np.float64) for p in graph.start[:graph.params]]
    states = [ref.initial_state(p.shape, t) for p, t in zip(params, tiers)]
    count = 0
    for step, (inputs, grads) in enumerate(zip(given, real_steps,
                                               strict=True)):
        before = {k: v for k, (_, v) in runner.state().items()}
        found = graph.step(runner, inputs)
        after = {k: v for k, (_, v) in runner.state().items()}
        if grads is None:
            for key in before:
                np.testing.assert_array_equal(after[key], before[key])
        else:
            count += 1
            for i, grad in enumerate(stepping.leaves(grads)):
                params[i], states[i] = ref.skewadam(
                    params[i], states[i], np.asarray(grad, np.float64), 1e-3,
                    count, HYPER, tiers[i])
            assert any((after[k] != before[k]).any() for k in before)
        for i, value in enumerate(found):
            error = stepping.relative_error(value, params[i])
            assert error <= 1e-5, (step, i, error)
    return result


# C04.

def multi_steps(k, opt=None, **more):
    opt = optax.MultiSteps(opt or adamw(), k, **more)
    return Graph(apply(opt), START, opt.init(START), START)


def averages(grads, k):
    """What is applied at each step of gradient accumulation."""
    for step in range(len(grads)):
        if (step + 1) % k:
            yield None
            continue
        window = grads[step + 1 - k:step + 1]
        yield jax.tree_util.tree_map(
            lambda *g: np.mean(np.asarray(g, np.float64), axis=0), *window)


@pytest.mark.parametrize("k", [4, 1])
def test_accumulated_scalar(compiler, k):
    # The values of the public report, for k = 4.
    opt = optax.MultiSteps(optax.adamw(1e-3, weight_decay=0.0), k)
    zero = {"w": np.zeros((), np.float32)}
    graph = Graph(apply(opt), zero, opt.init(zero), zero)
    result = skewopt.optimize(graph.text, policy="keep")
    parameter, = result.report.parameters
    assert parameter.status == "raised", parameter.reason
    original, kept = graph.runner(), graph.runner(result)
    found = []
    for step, grad in enumerate([1, 2, 3, 4, 1, 1, 1, 1]):
        wanted, = graph.step(original, {"w": np.float32(grad)})
        value, = graph.step(kept, {"w": np.float32(grad)})
        np.testing.assert_allclose(value, wanted, rtol=1e-5)
        found.append(float(value))
        if k == 4 and step == 3:
            moment = next(v for (_, c), (_, v) in kept.state().items()
                          if c == "m")
            assert float(moment) == pytest.approx(0.25, rel=1e-6)
    if k == 4:
        np.testing.assert_allclose(
            found, [0] * 3 + [-0.00099999] * 4 + [-0.00189856], rtol=2e-5)


@pytest.mark.parametrize("k", [4, 1, 3])
def test_accumulation(compiler, k):
    graph, given = multi_steps(k), [random_grads(i) for i in range(2 * k + 3)]
    result, _ = keeps(graph, given)
    # The accumulator is listed with its size.
    function, = result.report.functions
    others = [o for o in function.other_state if o.kind == "accumulator"]
    assert sum(o.bytes for o in others) == 4 * (24 + 16 * 24)
    equals_numpy(graph, given, list(averages(given, k)))


def test_accumulation_with_skipped_micro_steps(compiler):
    graph = multi_steps(2, should_skip_update_fn=optax.skip_not_finite)
    given = [random_grads(i) for i in range(8)]
    for step in (1, 4):
        given[step]["kernel"][3, 5] = np.nan
    # A micro step that is skipped counts for nothing.
    counted, real = [], []
    for step, grads in enumerate(given):
        real.append(None)
        if step in (1, 4):
            continue
        counted.append(grads)
        if len(counted) == 2:
            real[-1] = list(averages(counted, 2))[-1]
            counted = []
    keeps(graph, given)
    equals_numpy(graph, given, real)


# Updates that are skipped as a whole.

def test_apply_if_finite(compiler):
    opt = optax.apply_if_finite(adamw(), 3)
    graph = Graph(apply(opt), START, opt.init(START), START)
    given = [random_grads(i) for i in range(7)]
    given[2]["bias"][0] = np.nan
    given[5]["kernel"][0, 0] = np.inf
    keeps(graph, given)
    equals_numpy(graph, given, [None if i in (2, 5) else g
                                for i, g in enumerate(given)])


def test_apply_if_finite_gives_up(compiler):
    # More errors in a row than allowed: the step is taken all the same.
    opt = optax.apply_if_finite(adamw(), 1)
    graph = Graph(apply(opt), START, opt.init(START), START)
    given = [random_grads(i) for i in range(3)]
    for step in (1, 2):
        given[step]["bias"][0] = np.nan
    result = raised(graph, policy="paper")
    runner = graph.runner(result)
    for step, grads in enumerate(given):
        bias, _ = graph.step(runner, grads)
        assert np.isnan(bias).any() == (step == 2)


def whole_update(inside):
    """lax.cond around a whole update; with the gradient's own computation in
    it, or before it."""
    opt = adamw()

    def step(params, state, inputs):
        def grads():
            return jax.tree_util.tree_map(
                lambda p, g: jnp.sort(g, -1) + 0 * p, params, inputs["grads"])

        early = None if inside else grads()

        def run(_):
            updates, new = opt.update(grads() if inside else early, state,
                                      params)
            return optax.apply_updates(params, updates), new

        return jax.lax.cond(inputs["run"], run, lambda _: (params, state),
                            None)

    return Graph(step, START, opt.init(START),
                 {"grads": START, "run": np.bool_(True)})


@pytest.mark.parametrize("inside", [False, True])
def test_whole_update_in_a_branch(compiler, inside):
    graph = whole_update(inside)
    runs = [True, False, True, True, False, True]
    given = [{"grads": random_grads(i), "run": np.bool_(run)}
             for i, run in enumerate(runs)]
    real = [{k: np.sort(v, -1) for k, v in g["grads"].items()}
            if g["run"] else None for g in given]
    keeps(graph, given)
    equals_numpy(graph, given, real)


def nested(in_function):
    """A branch in a branch, the inner one in a function of its own."""
    opt = adamw()

    def inner(params, state, grads, which):
        def run(_):
            updates, new = opt.update(grads, state, params)
            return optax.apply_updates(params, updates), new

        return jax.lax.switch(which, [lambda _: (params, state), run,
                                      lambda _: (params, state)], None)

    call = jax.jit(inner) if in_function else inner

    def step(params, state, inputs):
        return jax.lax.cond(
            inputs["run"],
            lambda _: call(params, state, inputs["grads"], inputs["which"]),
            lambda _: (params, state), None)

    return Graph(step, START, opt.init(START),
                 {"grads": START, "run": np.bool_(True),
                  "which": np.int32(1)})


@pytest.mark.parametrize("in_function", [False, True])
def test_nested_branches(compiler, in_function):
    graph = nested(in_function)
    # jax clamps the index: -3 is 0, 7 is the last branch.
    flags = [(True, 1), (False, 1), (True, 0), (True, -3), (True, 7),
             (True, 2), (True, 1), (False, 0)]
    given = [{"grads": random_grads(i), "run": np.bool_(run),
              "which": np.int32(which)} for i, (run, which)
             in enumerate(flags)]
    real = [g["grads"] if g["run"] and g["which"] == 1 else None
            for g in given]
    keeps(graph, given)
    equals_numpy(graph, given, real)


def test_branch_with_a_run_time_rate(compiler):
    # lr, decay and the step are computed in the branch.
    schedule = optax.cosine_decay_schedule(1e-3, 50)
    graph = multi_steps(2, optax.adamw(schedule, weight_decay=1e-2))
    keeps(graph, [random_grads(i) for i in range(7)])


def test_many_conditions(compiler):
    # One flag per tensor, all of which must hold.
    opt = adamw()
    shapes = {f"p{i}": np.ones((4, 4), np.float32) * i for i in range(9)}

    def step(params, state, grads):
        finite = jnp.bool_(True)
        for g in jax.tree_util.tree_leaves(grads):
            finite = finite & jnp.isfinite(g).all()
        updates, new = opt.update(grads, state, params)
        keep = lambda x, y: jax.tree_util.tree_map(
            lambda a, b: jnp.where(finite, a, b), x, y)
        return (keep(optax.apply_updates(params, updates), params),
                keep(new, state))

    graph = Graph(step, shapes, opt.init(shapes), shapes)
    rng = np.random.default_rng(0)
    given = [{k: rng.standard_normal((4, 4)).astype(np.float32)
              for k in shapes} for _ in range(4)]
    given[1]["p5"][0, 0] = np.nan
    keeps(graph, given)
    equals_numpy(graph, given, [None if i == 1 else g
                                for i, g in enumerate(given)])


# What is no skipped update.

def declined(step, inputs, opt=None):
    opt = opt or adamw()
    graph = Graph(step, START, opt.init(START), inputs)
    result = skewopt.optimize(graph.text, policy="keep")
    assert "raised" not in {p.status for p in result.report.parameters}
    # Nothing is changed.
    original, kept = graph.runner(), graph.runner(result)
    for run in (True, False, True):
        given = {"grads": random_grads(1), "run": np.bool_(run)}
        for wanted, found in zip(graph.step(original, given),
                                 graph.step(kept, given), strict=True):
            np.testing.assert_array_equal(found, wanted)


@pytest.mark.parametrize("other", ["tiny", "large", "moments", "decay"])
def test_other_branch_changes_something(compiler, other):
    opt = adamw()

    def change(params, state):
        if other == "tiny":  # below every tolerance of a probe
            return jax.tree_util.tree_map(lambda p: p + 1e-30, params), state
        if other == "large":  # not hit by any probe
            return jax.tree_util.tree_map(
                lambda p: jnp.minimum(p, 1e12), params), state
        if other == "decay":
            return jax.tree_util.tree_map(lambda p: p * 0.9, params), state
        return params, jax.tree_util.tree_map(
            lambda s: s * 0 if s.ndim else s, state)

    def step(params, state, inputs):
        def run(_):
            updates, new = opt.update(inputs["grads"], state, params)
            return optax.apply_updates(params, updates), new
        return jax.lax.cond(inputs["run"], run,
                            lambda _: change(params, state), None)

    declined(step, {"grads": START, "run": np.bool_(True)}, opt)
