# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Written out by hand: published relatives of AdamW, and AdamW as people write
it without a library. One function per rule: from (p, m, v, g, t, extra state)
to the new ones, for one tensor."""

import jax
import jax.numpy as jnp
from corpus import TOKENS, Graph, graph, tiny_loss, tiny_params

B1, B2, EPS, LR, WD = 0.9, 0.999, 1e-8, 1e-3, 1e-2


def average(m, v, g):
    return B1 * m + (1 - B1) * g, B2 * v + (1 - B2) * g * g


def corrected(m, v, t):
    return m / (1 - B1 ** t), v / (1 - B2 ** t)


RULES = {}


def rule(make):
    RULES[make.__name__] = make
    return make


# --- AdamW itself, otherwise spelt --------------------------------------------

@rule
def plain(p, m, v, g, t):
    m, v = average(m, v, g)
    a, b = corrected(m, v, t)
    return p - LR * (a / (jnp.sqrt(b) + EPS) + WD * p), m, v


@rule
def decay_first(p, m, v, g, t):
    """torch's order: p (1 - lr wd), then the step."""
    m, v = average(m, v, g)
    a, b = corrected(m, v, t)
    return p * (1 - LR * WD) - LR * a / (jnp.sqrt(b) + EPS), m, v


@rule
def folded(p, m, v, g, t):
    """torch's denominator: sqrt(v)/sqrt(bc2) + eps, step size lr/bc1."""
    m, v = average(m, v, g)
    bottom = jnp.sqrt(v) / jnp.sqrt(1 - B2 ** t) + EPS
    return p * (1 - LR * WD) - (LR / (1 - B1 ** t)) * (m / bottom), m, v


@rule
def lerp(p, m, v, g, t):
    m = m + (g - m) * (1 - B1)
    v = v + (jnp.square(g) - v) * (1 - B2)
    a, b = corrected(m, v, t)
    return p - LR * (a / (jnp.sqrt(b) + EPS) + WD * p), m, v


@rule
def reciprocal_root(p, m, v, g, t):
    m, v = average(m, v, g)
    a, b = corrected(m, v, t)
    return p - LR * (a * jax.lax.rsqrt(b + 1e-12) + WD * p), m, v


# --- relatives ------------------------------------------------------------------

@rule
def cautious(p, m, v, g, t):
    m, v = average(m, v, g)
    a, b = corrected(m, v, t)
    u = a / (jnp.sqrt(b) + EPS)
    mask = (u * g > 0).astype(u.dtype)
    return p - LR * (u * mask / jnp.maximum(jnp.mean(mask), 1e-3) + WD * p), m, v


@rule
def cautious_unscaled(p, m, v, g, t):
    m, v = average(m, v, g)
    a, b = corrected(m, v, t)
    u = a / (jnp.sqrt(b) + EPS)
    return p - LR * (jnp.where(u * g > 0, u, 0.0) + WD * p), m, v


@rule
def cautious_decay(p, m, v, g, t):
    m, v = average(m, v, g)
    a, b = corrected(m, v, t)
    u = a / (jnp.sqrt(b) + EPS)
    return p - LR * (u + WD * jnp.where(u * p > 0, p, 0.0)), m, v


@rule
def stable_adamw(p, m, v, g, t):
    m, v = average(m, v, g)
    a, b = corrected(m, v, t)
    rms = jnp.sqrt(jnp.mean(g * g / jnp.maximum(b, EPS * EPS)))
    rate = LR / jnp.maximum(1.0, rms)
    return p - rate * (a / (jnp.sqrt(b) + EPS) + WD * p), m, v


@rule
def update_rms_clip(p, m, v, g, t):
    m, v = average(m, v, g)
    a, b = corrected(m, v, t)
    u = a / (jnp.sqrt(b) + EPS)
    u = u / jnp.maximum(1.0, jnp.sqrt(jnp.mean(u * u)))
    return p - LR * (u + WD * p), m, v


@rule
def atan2(p, m, v, g, t):
    m, v = average(m, v, g)
    a, b = corrected(m, v, t)
    return p - LR * (jnp.arctan2(a, jnp.sqrt(b)) + WD * p), m, v


@rule
def padam(p, m, v, g, t):
    m, v = average(m, v, g)
    a, b = corrected(m, v, t)
    return p - LR * (a / (b ** 0.125 + EPS) + WD * p), m, v


@rule
def adabound(p, m, v, g, t):
    m, v = average(m, v, g)
    low = 0.1 * (1 - 1 / (B2 * t + 1))
    high = 0.1 * (1 + 1 / (B2 * t))
    rate = jnp.clip(LR / (jnp.sqrt(v) + EPS), low, high)
    return p - rate * m / (1 - B1 ** t), m, v


@rule
def adamod_like_rate(p, m, v, g, t):
    """The step size falls with 1/sqrt(t): a schedule written in place."""
    m, v = average(m, v, g)
    a, b = corrected(m, v, t)
    rate = LR / jnp.sqrt(t)
    return p - rate * (a / (jnp.sqrt(b) + EPS) + WD * p), m, v


@rule
def quasi_hyperbolic(p, m, v, g, t):
    m, v = average(m, v, g)
    a, b = corrected(m, v, t)
    top = 0.3 * g + 0.7 * a
    return p - LR * (top / (jnp.sqrt(b) + EPS) + WD * p), m, v


@rule
def laprop(p, m, v, g, t):
    v = B2 * v + (1 - B2) * g * g
    m = B1 * m + (1 - B1) * g / (jnp.sqrt(v / (1 - B2 ** t)) + EPS)
    return p - LR * (m / (1 - B1 ** t) + WD * p), m, v


@rule
def epsilon_under_root(p, m, v, g, t):
    """eps^2 under the root and eps beside it: eps_root, still AdamW."""
    m, v = average(m, v, g)
    a, b = corrected(m, v, t)
    return p - LR * (a / (jnp.sqrt(b + 1e-10) + 1e-6) + WD * p), m, v


@rule
def epsilon_uncorrected(p, m, v, g, t):
    """Kingma and Ba's short form: lr sqrt(bc2)/bc1 m / (sqrt(v) + eps)."""
    m, v = average(m, v, g)
    rate = LR * jnp.sqrt(1 - B2 ** t) / (1 - B1 ** t)
    return p - rate * m / (jnp.sqrt(v) + EPS) - LR * WD * p, m, v


@rule
def epsilon_floor(p, m, v, g, t):
    m, v = average(m, v, g)
    a, b = corrected(m, v, t)
    return p - LR * (a / jnp.maximum(jnp.sqrt(b), EPS) + WD * p), m, v


@rule
def epsilon_in_square(p, m, v, g, t):
    """eps added to g^2 before it is averaged."""
    m = B1 * m + (1 - B1) * g
    v = B2 * v + (1 - B2) * (g * g + 1e-10)
    a, b = corrected(m, v, t)
    return p - LR * (a / (jnp.sqrt(b) + EPS) + WD * p), m, v


@rule
def uncorrected(p, m, v, g, t):
    """BERT's AdamWeightDecay: no bias correction."""
    m, v = average(m, v, g)
    return p - LR * (m / (jnp.sqrt(v) + 1e-6) + WD * p), m, v


@rule
def second_uncorrected(p, m, v, g, t):
    m, v = average(m, v, g)
    return p - LR * (m / (1 - B1 ** t) / (jnp.sqrt(v) + EPS) + WD * p), m, v


@rule
def decay_after_step(p, m, v, g, t):
    m, v = average(m, v, g)
    a, b = corrected(m, v, t)
    return (p - LR * a / (jnp.sqrt(b) + EPS)) * (1 - LR * WD), m, v


@rule
def decay_of_sign(p, m, v, g, t):
    """L1 decay."""
    m, v = average(m, v, g)
    a, b = corrected(m, v, t)
    return p - LR * (a / (jnp.sqrt(b) + EPS) + WD * jnp.sign(p)), m, v


@rule
def l2_in_first_only(p, m, v, g, t):
    m, v = B1 * m + (1 - B1) * (g + WD * p), B2 * v + (1 - B2) * g * g
    a, b = corrected(m, v, t)
    return p - LR * a / (jnp.sqrt(b) + EPS), m, v


@rule
def beta_of_step(p, m, v, g, t):
    """beta2 = 1 - t^-0.8, as Adafactor has it."""
    beta = 1 - t ** -0.8
    m = B1 * m + (1 - B1) * g
    v = beta * v + (1 - beta) * g * g
    return p - LR * (m / (1 - B1 ** t) / (jnp.sqrt(v) + EPS) + WD * p), m, v


@rule
def old_variance(p, m, v, g, t):
    """The step is divided by the variance before this gradient."""
    old = v
    m, v = average(m, v, g)
    a = m / (1 - B1 ** t)
    return p - LR * (a / (jnp.sqrt(old / (1 - B2 ** t)) + EPS) + WD * p), m, v


@rule
def signed_momentum(p, m, v, g, t):
    m, v = average(m, v, g)
    a, b = corrected(m, v, t)
    return p - LR * (jnp.sign(a) + WD * p), m, v


def make(function):
    params = tiny_params()
    zeros = jax.tree_util.tree_map(jnp.zeros_like, params)

    def step(carry, tokens):
        params, state = carry
        loss, grads = jax.value_and_grad(tiny_loss)(params, tokens)
        count = state["t"] + 1
        t = count.astype(jnp.float32)
        new = jax.tree_util.tree_map(
            lambda p, m, v, g: function(p, m, v, g, t), params, state["mu"],
            state["nu"], grads)
        part = lambda i: jax.tree_util.tree_map(
            lambda leaf: leaf[i], new, is_leaf=lambda x: isinstance(x, tuple))
        return (part(0), {"mu": part(1), "nu": part(2), "t": count}), loss

    return Graph(step, (params, {"mu": zeros, "nu": zeros,
                                 "t": jnp.zeros((), jnp.int32)}), TOKENS)


for _name, _function in RULES.items():
    graph("hand_" + _name)(lambda function=_function: make(function))


# --- with more state ------------------------------------------------------------

def with_extra(names, function):
    """`function` takes and returns one more tensor per name."""
    params = tiny_params()
    zeros = jax.tree_util.tree_map(jnp.zeros_like, params)

    def step(carry, tokens):
        params, state = carry
        loss, grads = jax.value_and_grad(tiny_loss)(params, tokens)
        count = state["t"] + 1
        t = count.astype(jnp.float32)
        more = [state[name] for name in names]
        new = jax.tree_util.tree_map(
            lambda p, m, v, g, *rest: function(p, m, v, g, t, *rest), params,
            state["mu"], state["nu"], grads, *more)
        part = lambda i: jax.tree_util.tree_map(
            lambda leaf: leaf[i], new, is_leaf=lambda x: isinstance(x, tuple))
        state = {"mu": part(1), "nu": part(2), "t": count}
        state.update({name: part(3 + i) for i, name in enumerate(names)})
        return (part(0), state), loss

    state = {"mu": zeros, "nu": zeros, "t": jnp.zeros((), jnp.int32)}
    state.update({name: zeros for name in names})
    return Graph(step, (params, state), TOKENS)


def torch_amsgrad(p, m, v, g, t, top):
    m, v = average(m, v, g)
    top = jnp.maximum(top, v)
    a, b = corrected(m, top, t)
    return p - LR * (a / (jnp.sqrt(b) + EPS) + WD * p), m, v, top


def mars(p, m, v, g, t, last):
    """The averages take g + c (g - last g): AdamW of that sum."""
    c = g + 0.025 * (B1 / (1 - B1)) * (g - last)
    m, v = average(m, v, c)
    a, b = corrected(m, v, t)
    return p - LR * (a / (jnp.sqrt(b) + EPS) + WD * p), m, v, g


def grokfast(p, m, v, g, t, slow):
    """The averages take g + 2 (mean of g): AdamW of that sum."""
    slow = 0.98 * slow + 0.02 * g
    c = g + 2.0 * slow
    m, v = average(m, v, c)
    a, b = corrected(m, v, t)
    return p - LR * (a / (jnp.sqrt(b) + EPS) + WD * p), m, v, slow


def decay_to_start(p, m, v, g, t, start):
    m, v = average(m, v, g)
    a, b = corrected(m, v, t)
    return p - LR * (a / (jnp.sqrt(b) + EPS) + WD * (p - start)), m, v, start


def kahan(p, m, v, g, t, lost):
    """Compensated summation of the parameter."""
    m, v = average(m, v, g)
    a, b = corrected(m, v, t)
    change = lost - LR * (a / (jnp.sqrt(b) + EPS) + WD * p)
    new = p + change
    return new, m, v, change - (new - p)


for _name, _names, _function in (
        ("amsgrad_torch", ["top"], torch_amsgrad), ("mars", ["last"], mars),
        ("grokfast", ["slow"], grokfast),
        ("decay_to_start", ["start"], decay_to_start),
        ("kahan", ["lost"], kahan)):
    graph("hand_" + _name)(
        lambda names=_names, function=_function: with_extra(names, function))


@graph("hand_running_products")
def running_products():
    """beta^t kept as state instead of a counter."""
    params = tiny_params()
    zeros = jax.tree_util.tree_map(jnp.zeros_like, params)

    def step(carry, tokens):
        params, state = carry
        loss, grads = jax.value_and_grad(tiny_loss)(params, tokens)
        power1, power2 = state["power1"] * B1, state["power2"] * B2

        def one(p, m, v, g):
            m, v = average(m, v, g)
            u = m / (1 - power1) / (jnp.sqrt(v / (1 - power2)) + EPS)
            return p - LR * (u + WD * p), m, v

        new = jax.tree_util.tree_map(one, params, state["mu"], state["nu"],
                                     grads)
        part = lambda i: jax.tree_util.tree_map(
            lambda leaf: leaf[i], new, is_leaf=lambda x: isinstance(x, tuple))
        return (part(0), {"mu": part(1), "nu": part(2), "power1": power1,
                          "power2": power2}), loss

    one = jnp.ones(())
    return Graph(step, (params, {"mu": zeros, "nu": zeros, "power1": one,
                                 "power2": one}), TOKENS)


@graph("hand_adam_mini")
def adam_mini():
    """One second moment per row."""
    params = tiny_params()
    zeros = jax.tree_util.tree_map(jnp.zeros_like, params)
    rows = jax.tree_util.tree_map(lambda x: jnp.zeros(x.shape[:-1] + (1,)),
                                  params)

    def step(carry, tokens):
        params, state = carry
        loss, grads = jax.value_and_grad(tiny_loss)(params, tokens)
        count = state["t"] + 1
        t = count.astype(jnp.float32)

        def one(p, m, v, g):
            m = B1 * m + (1 - B1) * g
            v = B2 * v + (1 - B2) * jnp.mean(g * g, -1, keepdims=True)
            a, b = corrected(m, v, t)
            return p - LR * (a / (jnp.sqrt(b) + EPS) + WD * p), m, v

        new = jax.tree_util.tree_map(one, params, state["mu"], state["nu"],
                                     grads)
        part = lambda i: jax.tree_util.tree_map(
            lambda leaf: leaf[i], new, is_leaf=lambda x: isinstance(x, tuple))
        return (part(0), {"mu": part(1), "nu": part(2), "t": count}), loss

    return Graph(step, (params, {"mu": zeros, "nu": rows,
                                 "t": jnp.zeros((), jnp.int32)}), TOKENS)
