#===- test_reference.py - the numpy rules against hand-worked numbers ----===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""Scalar checks of reference.py, worked out by hand or against optax."""

import jax.numpy as jnp
import numpy as np
import optax
import pytest
import reference as ref


def test_adamw_known_trajectory():
    # From 0, lr 1e-3, gradients 1, 0.1, 0.1: p after step 3 is -0.00237394.
    p = m = v = np.zeros(())
    for t, g in enumerate((1.0, 0.1, 0.1), 1):
        p, m, v = ref.adamw(p, m, v, np.asarray(g), 1e-3, t, ref.Hyper())
    assert float(p) == pytest.approx(-0.00237394, abs=2e-8)  # stated from fp32


def test_adamw_decay_is_decoupled():
    p, _, _ = ref.adamw(np.ones(()), 0.0, 0.0, np.zeros(()), 1e-3, 1,
                        ref.Hyper(weight_decay=1e-2))
    assert float(p) == pytest.approx(0.99999, abs=1e-12)


def test_adamw_equals_optax():
    rng = np.random.default_rng(0)
    h = ref.Hyper(beta2=0.99, eps=1e-6, eps_root=1e-9, weight_decay=0.1)
    opt = optax.adamw(1e-2, b2=0.99, eps=1e-6, eps_root=1e-9, weight_decay=0.1)
    p = rng.standard_normal(50)
    theirs, state = jnp.asarray(p, jnp.float32), None
    state, m, v = opt.init(theirs), np.zeros(50), np.zeros(50)
    for t in range(1, 8):
        g = rng.standard_normal(50).astype(np.float32)
        p, m, v = ref.adamw(p, m, v, g.astype(np.float64), 1e-2, t, h)
        updates, state = opt.update(jnp.asarray(g), state, theirs)
        theirs = optax.apply_updates(theirs, updates)
    np.testing.assert_allclose(np.asarray(theirs), p, rtol=0, atol=2e-6)


def test_keeping_everything_without_clip_is_adamw():
    rng = np.random.default_rng(1)
    h = ref.Hyper(weight_decay=0.05)
    tier = ref.Tier(momentum=True, factored=False, clip="off")
    p = q = rng.standard_normal((4, 6))
    m = v = np.zeros((4, 6))
    state = ref.initial_state((4, 6), tier)
    for t in range(1, 6):
        g = rng.standard_normal((4, 6))
        p, m, v = ref.adamw(p, m, v, g, 1e-2, t, h)
        q, state = ref.skewadam(q, state, g, 1e-2, t, h, tier)
    np.testing.assert_array_equal(p, q)


def test_factors_by_hand():
    # g^2 = [[1, 4], [9, 16]]: row means 2.5, 12.5, column means 5, 10, all 7.5.
    # After step 1, V/(1-b2) = r c / 7.5: [[5/3, 10/3], [25/3, 50/3]].
    tier = ref.Tier(False, True, (), (0,), (1,), clip="off")
    g = np.array([[1.0, 2.0], [3.0, 4.0]])
    p, state = ref.skewadam(np.zeros((2, 2)), ref.initial_state((2, 2), tier),
                            g, 1.0, 1, ref.Hyper(eps=0.0), tier)
    np.testing.assert_allclose(state["r"].ravel(), [2.5e-3, 12.5e-3])
    np.testing.assert_allclose(state["c"].ravel(), [5e-3, 10e-3])
    np.testing.assert_allclose(
        p, -g / np.sqrt([[5 / 3, 10 / 3], [25 / 3, 50 / 3]]), rtol=1e-12)


@pytest.mark.parametrize("clip, quiet, loud", [
    ("batch", 1.0, 1.0), ("tensor", 1 / 1.5 ** 0.5, 2 ** 0.5 / 1.5 ** 0.5),
    ("off", 1.0, 2 ** 0.5)])
def test_clip_scope(clip, quiet, loud):
    # Matrix 0 sees g = 1 twice: u = 1. Matrix 1 sees nothing, then g = 1: its
    # v is half of the bias correction, so u = sqrt 2. RMS over both: sqrt 1.5.
    # (b2 close to 1 makes that exact.)
    tier = ref.Tier(False, True, (0,), (1,), (2,), clip=clip)
    h = ref.Hyper(beta2=1 - 1e-9, eps=0.0)
    first = np.stack([np.ones((3, 3)), np.full((3, 3), 1e-9)])
    p, state = np.zeros_like(first), ref.initial_state(first.shape, tier)
    _, state = ref.skewadam(p, state, first, 1.0, 1, h, tier)
    p, _ = ref.skewadam(p, state, np.ones_like(first), 1.0, 2, h, tier)
    np.testing.assert_allclose(p[0], -quiet, rtol=1e-6)
    np.testing.assert_allclose(p[1], -loud, rtol=1e-6)


def test_published_floor_is_slow_where_adamw_is_not():
    # Constant g = 1e-6 at large t: AdamW moves about lr, the floor lr/100.
    tier = ref.Tier(False, False, numerics="published", clip="batch")
    g, h = np.full((4,), 1e-6), ref.Hyper()
    state = ref.initial_state((4,), tier)
    for t in range(1, 2001):
        p, state = ref.skewadam(np.zeros(4), state, g, 1.0, t, h, tier)
    assert 0.005 < -p[0] < 0.011


@pytest.mark.parametrize("numerics", ["tiered", "published"])
def test_idle_expert_is_untouched(numerics):
    tier = ref.Tier(False, True, (0,), (1,), (2,), numerics)
    g = np.zeros((2, 3, 4))
    g[1] = 1.0
    p0 = np.ones_like(g)
    p, state = ref.skewadam(p0, ref.initial_state(g.shape, tier), g, 1e-2, 1,
                            ref.Hyper(), tier)
    assert np.isfinite(p).all() and (p[0] == 1.0).all() and (p[1] < 1.0).all()


def test_schedule_and_clip_equal_optax():
    schedule = optax.warmup_cosine_decay_schedule(0.0, 3e-4, 3, 10, 1e-5)
    for count in range(14):
        assert ref.warmup_cosine(count, 3e-4, 3, 10, 1e-5) == pytest.approx(
            float(schedule(count)), rel=1e-5, abs=1e-11)
    a, b = ref.clip_by_global_norm([np.array(3.0), np.array(4.0)], 1.0)
    assert float(a) == pytest.approx(0.6) and float(b) == pytest.approx(0.8)
