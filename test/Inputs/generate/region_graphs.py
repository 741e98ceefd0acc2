#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes train steps whose updates are inside loops and manual computations.

usage: region_graphs.py [--out DIR] [NAME ...]

A two-layer network under optax.adamw, run for several steps in one call. The
arguments of @main are in all graphs b1, w1, w2, the step counter, their first
moments, their second moments, then the batch (without a counter where the loop
counts the steps); the results begin with their next values. Without locations. Needs jax and optax; eight virtual
devices are made here.
"""

import argparse
import lzma
import os

os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=8"

import jax
import jax.numpy as jnp
import optax
from jax import lax
from jax.sharding import AxisType, PartitionSpec as P

RATE, BETA1, BETA2, DECAY = 1e-2, 0.9, 0.95, 0.1
ADAMW = optax.adamw(RATE, b1=BETA1, b2=BETA2, weight_decay=DECAY)
MESH = jax.make_mesh((8,), ("d",), axis_types=(AxisType.Auto,))
STEPS, EPOCHS, BATCH = 5, 3, 32

PARAMS = {"w1": jnp.zeros((8, 16)), "b1": jnp.zeros(16),
          "w2": jnp.zeros((16, 4))}
STATE = ADAMW.init(PARAMS)
X, Y = jnp.zeros((BATCH, 8)), jnp.zeros((BATCH, 4))
XS, YS = (jnp.zeros((STEPS, *a.shape)) for a in (X, Y))
XSS, YSS = (jnp.zeros((EPOCHS, *a.shape)) for a in (XS, YS))


def loss(p, x, y):
    return jnp.mean((jnp.tanh(x @ p["w1"] + p["b1"]) @ p["w2"] - y) ** 2)


def apply(p, s, grads):
    updates, s = ADAMW.update(grads, s, p)
    return optax.apply_updates(p, updates), s


def step(p, s, x, y, mean=lambda a: a):
    value, grads = jax.value_and_grad(loss)(p, x, y)
    p, s = apply(p, s, jax.tree.map(mean, grads))
    return p, s, mean(value)


def scan(one, p, s, xs, ys):
    def body(carry, xy):
        p, s, value = one(*carry, *xy)
        return (p, s), value
    (p, s), values = lax.scan(body, (p, s), (xs, ys))
    return p, s, values


def on_devices(function, lead):
    batch = P(*[None] * lead, "d")
    return jax.shard_map(function, mesh=MESH, in_specs=(P(), P(), batch, batch),
                         out_specs=(P(), P(), P()))


def device_step(p, s, x, y):
    return step(p, s, x, y, lambda a: lax.pmean(a, "d"))


def steps(p, s, xs, ys):
    return scan(step, p, s, xs, ys)


def fixed_steps(p, s, x, y):
    return lax.fori_loop(0, STEPS, lambda _, c: step(*c, x, y)[:2], (p, s))


def counted_steps(p, m, v, x, y):
    """The loop's own counter is the step."""
    def body(i, carry):
        p, m, v = carry
        t = (i + 1).astype(jnp.float32)
        g = jax.grad(loss)(p, x, y)
        m = jax.tree.map(lambda m, g: BETA1 * m + (1 - BETA1) * g, m, g)
        v = jax.tree.map(lambda v, g: BETA2 * v + (1 - BETA2) * g * g, v, g)
        p = jax.tree.map(
            lambda p, m, v: p - RATE * (
                m / (1 - BETA1 ** t) / (jnp.sqrt(v / (1 - BETA2 ** t)) + 1e-8)
                + DECAY * p), p, m, v)
        return p, m, v
    return lax.fori_loop(0, STEPS, body, (p, m, v))


def epochs(p, s, xss, yss):
    return scan(steps, p, s, xss, yss)


def called(p, s, xs, ys):
    p, s, values = jax.jit(steps)(p, s, xs, ys)
    return p, s, values.mean()


def until(limit):
    """A loop whose condition reads what `limit` takes of the carry."""
    def run(p, s, x, y):
        return lax.while_loop(
            lambda c: (c[1][0].count < STEPS) & (limit(*c) < 1e3),
            lambda c: step(*c, x, y)[:2], (p, s))
    return run


def made_inside(p, xs, ys):
    """State that the caller never sees."""
    p, _, values = steps(p, ADAMW.init(p), xs, ys)
    return p, values


def swapped(p, s, xs, ys):
    """Moments that trade places between two parameters of one shape."""
    (p1, p2), (s1, s2) = p, s
    def body(carry, xy):
        p1, p2, s1, s2 = carry
        p1, n1, _ = step(p1, s1, *xy)
        p2, n2, value = step(p2, s2, *xy)
        return (p1, p2, n2, n1), value
    (p1, p2, s1, s2), values = lax.scan(body, (p1, p2, s1, s2), (xs, ys))
    return (p1, p2), (s1, s2), values


def sharded_step(p, s, x, y):
    """Every device has a part of parameters and state."""
    def whole(p):
        return {k: lax.all_gather(v, "d", tiled=True) for k, v in p.items()}
    value, grads = jax.value_and_grad(lambda p: loss(whole(p), x, y))(p)
    p, s = apply(p, s, jax.tree.map(lambda g: g / 8, grads))
    return p, s, lax.pmean(value, "d")


def sharded():
    split = lambda tree: jax.tree.map(lambda a: P("d") if a.ndim else P(), tree)
    return jax.shard_map(
        sharded_step, mesh=MESH, in_specs=(split(PARAMS), split(STATE), P("d"),
                                           P("d")),
        out_specs=(split(PARAMS), split(STATE), P()))


def replicas(tree):
    return jax.tree.map(lambda a: jnp.stack([a] * 8), tree)


def lower(function, *arguments, donate=(0, 1)):
    return jax.jit(function, donate_argnums=donate).lower(*arguments)


TWO = ((PARAMS, PARAMS), (STATE, STATE))
GRAPHS = {
    "scan": lambda: lower(steps, PARAMS, STATE, XS, YS),
    "fori": lambda: lower(fixed_steps, PARAMS, STATE, X, Y),
    "fori_counter": lambda: lower(counted_steps, PARAMS, STATE[0].mu,
                                  STATE[0].nu, X, Y, donate=(0, 1, 2)),
    "scan_nested": lambda: lower(epochs, PARAMS, STATE, XSS, YSS),
    "scan_called": lambda: lower(called, PARAMS, STATE, XS, YS),
    "while_reads_parameter": lambda: lower(
        until(lambda p, s: jnp.sum(p["w1"] ** 2)), PARAMS, STATE, X, Y),
    "while_reads_moment": lambda: lower(
        until(lambda p, s: jnp.sum(s[0].nu["w1"])), PARAMS, STATE, X, Y),
    "scan_state_inside": lambda: lower(made_inside, PARAMS, XS, YS, donate=()),
    "scan_swapped": lambda: lower(swapped, *TWO, XS, YS),
    "manual": lambda: lower(on_devices(device_step, 0), PARAMS, STATE, X, Y),
    "manual_scan": lambda: lower(
        on_devices(lambda *a: scan(device_step, *a), 1), PARAMS, STATE, XS, YS),
    "scan_manual": lambda: lower(
        lambda *a: scan(on_devices(device_step, 0), *a), PARAMS, STATE, XS, YS),
    "manual_sharded": lambda: lower(sharded(), PARAMS, STATE, X, Y),
    "pmap": lambda: jax.pmap(device_step, axis_name="d").lower(
        replicas(PARAMS), replicas(STATE), X.reshape(8, 4, 8),
        Y.reshape(8, 4, 4)),
}


def text(lowered):
    return lowered.compiler_ir("stablehlo").operation.get_asm(
        print_generic_op_form=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", default=".")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    for name in options.names or GRAPHS:
        path = os.path.join(options.out, name + ".mlir.xz")
        with lzma.open(path, "wt", preset=9) as file:
            file.write(text(GRAPHS[name]()))


if __name__ == "__main__":
    main()
