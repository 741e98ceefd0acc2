#===- test_rounding.py - stochastic rounding in XLA ----------------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""Case C21. With a zero gradient and weight decay 1 one step makes the fp32
value p (1 - lr) and rounds it once, so any value can be put to the test by
choosing p and the learning rate, which is an argument."""

import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
import skewopt
import stepping

SIZE = 2 ** 20


def lower(shapes):
    """(params, state, grads, lr) -> (params, state); bf16 weights."""
    fp32 = lambda tree: {k: v.astype(jnp.float32) for k, v in tree.items()}

    def step(p, state, g, lr):
        opt = optax.adamw(lr, weight_decay=1.0)
        updates, state = opt.update(fp32(g), state, fp32(p))
        return {k: (p[k].astype(jnp.float32) + updates[k]).astype(p[k].dtype)
                for k in p}, state

    params = {k: jax.ShapeDtypeStruct(s, jnp.bfloat16)
              for k, s in shapes.items()}
    state = jax.eval_shape(lambda p: optax.adamw(0.1).init(fp32(p)), params)
    lr = jax.ShapeDtypeStruct((), jnp.float32)
    return jax.jit(step, donate_argnums=(0, 1)).lower(params, state, params, lr)


class Rounder:
    """Rounds p (1 + more) once per call; every call is the next step."""

    def __init__(self, shapes, seed=0):
        self.result = skewopt.optimize(lower(shapes), policy="paper",
                                       seed=seed)
        self.shapes, count = shapes, len(shapes)
        zeros = [np.zeros(s, jnp.bfloat16) for s in shapes.values()]
        state = ([np.zeros((), np.int32)]
                 + [np.zeros(s, np.float32) for s in shapes.values()] * 2)
        self.fed_back = count + len(state)
        self.lr = self.fed_back + count
        start = zeros + state + zeros + [np.zeros((), np.float32)]
        self.runner = stepping.Runner(self.result.text, start, self.fed_back,
                                      self.result.layout)

    def __call__(self, p, more):
        for i, shape in enumerate(self.shapes.values()):
            self.runner.set_argument(i, np.full(shape, p, jnp.bfloat16))
        self.runner.step({self.lr: np.float32(-more)})
        return [self.runner.argument(i) for i in range(len(self.shapes))]


@pytest.fixture(scope="module")
def rounder(compiler):
    return Rounder({"w": (SIZE,)})


@pytest.mark.parametrize("p, lr, low, high, share", [
    (1.0, 2.0 ** -10, 1.0, 1 + 2.0 ** -7, 0.125),
    (-1.0, 2.0 ** -10, -1.0, -1 - 2.0 ** -7, 0.125),
    (1.0, 0.9, 1.8984375, 1.90625, 0.2)])
def test_unbiased_between_the_two_neighbours(rounder, p, lr, low, high, share):
    found, = rounder(p, lr)
    found = found.astype(np.float64)
    assert set(np.unique(found)) == {low, high}
    # Away from zero; 2^20 samples have a standard error of 0.0004 at most.
    assert (found == high).mean() == pytest.approx(share, abs=0.0015)
    exact = float(np.float32(p) + np.float32(lr) * np.float32(p))
    assert abs(found.mean() - exact) < 2e-5


@pytest.mark.parametrize("p, lr", [
    (1.0, 0.0), (1.0, 1.0), (float(jnp.finfo(jnp.bfloat16).max), 0),
    (1.5, -1.0), (3.0, 0.5)])
def test_representable_values_stay(rounder, p, lr):
    found, = rounder(p, lr)
    exact = np.float32(p) + np.float32(lr) * np.float32(p)
    assert (found.astype(np.float32) == exact).all()


def test_minus_zero_keeps_its_sign(rounder):
    # lr > 0: -0 - lr (0 + -0) is -0 - 0.
    found, = rounder(-0.0, -0.5)
    found = found.astype(np.float32)
    assert (found == 0).all() and np.signbit(found).all()


def test_infinities_and_nan_stay_what_they_are(rounder):
    for p in (np.inf, -np.inf):
        found, = rounder(p, 0.5)
        assert (found.astype(np.float32) == p).all()
    found, = rounder(np.nan, 0.5)
    assert np.isnan(found.astype(np.float32)).all()


def test_no_correlation_between_equal_tensors(compiler):
    rounder = Rounder({"a": (512, 2048), "b": (512, 2048)})
    a, b = (x.astype(np.float64).ravel() for x in rounder(1.0, 2.0 ** -8))
    assert abs(np.corrcoef(a, b)[0, 1]) < 0.005
    next_a, _ = (x.astype(np.float64).ravel() for x in rounder(1.0, 2.0 ** -8))
    assert abs(np.corrcoef(a, next_a)[0, 1]) < 0.005
    for lag in (1, 8, 2048):
        assert abs(np.corrcoef(a[:-lag], a[lag:])[0, 1]) < 0.005


def test_mean_over_4096_steps_is_unbiased(compiler):
    # Bits depend on seed, step and element alike; steps need no new compile.
    rounder, steps, size = Rounder({"w": (64,)}), 4096, 64
    total = np.zeros(size)
    for _ in range(steps):
        found, = rounder(1.0, 2.0 ** -8)
        total += found.astype(np.float64)
    share = (total / steps - 1.0) / 2.0 ** -7
    error = np.sqrt(0.5 * 0.5 / steps)
    assert abs(share.mean() - 0.5) < 4 * error / np.sqrt(size)
    assert np.abs(share - 0.5).max() < 5 * error


def test_seeds_differ_and_repeat(compiler):
    shapes = {"w": (4096,)}
    first, = Rounder(shapes, seed=1)(1.0, 2.0 ** -8)
    again, = Rounder(shapes, seed=1)(1.0, 2.0 ** -8)
    other, = Rounder(shapes, seed=2)(1.0, 2.0 ** -8)
    np.testing.assert_array_equal(first, again)
    assert 0.4 < (first != other).mean() < 0.6


def test_resume_is_bit_identical(compiler):
    def advance(rounder, steps):
        for _ in range(steps):
            found, = rounder(1.0, 2.0 ** -8)
        return found

    shapes = {"w": (4096,)}
    straight = Rounder(shapes)
    advance(straight, 6)
    resumed = Rounder(shapes)
    advance(resumed, 5)
    saved = [np.array(a) for a in resumed.runner.arguments()]
    fresh = Rounder(shapes)
    fresh.runner.load(saved)
    np.testing.assert_array_equal(advance(fresh, 1),
                                  straight.runner.argument(0))


@pytest.mark.slow
def test_another_process_draws_the_same_bits(compiler):
    script = ("import sys; sys.path.insert(0, sys.argv[1]);"
              "import test_rounding as t, hashlib;"
              "x, = t.Rounder({'w': (4096,)}, seed=7)(1.0, 2.0 ** -8);"
              "print(hashlib.sha256(x.tobytes()).hexdigest())")
    run = [sys.executable, "-c", script, __file__.rpartition("/")[0]]
    found = {subprocess.run(run, capture_output=True, text=True,
                            check=True).stdout for _ in range(2)}
    assert len(found) == 1 and len(found.pop().strip()) == 64
