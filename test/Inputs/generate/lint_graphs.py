#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes test/Inputs/lint/lint.mlir.xz: for every kind of hazard a small step that
has it and one, `..._near`, that nearly does. One function each.

usage: lint_graphs.py [OUT]
"""

import lzma
import os
import re
import sys

import jax
import jax.numpy as jnp

BF16, F16, F32 = jnp.bfloat16, jnp.float16, jnp.float32
P, Q, X = (4, 8), (8, 5), (3, 4)
GRAPHS = {}


def spec(shape, dtype=F32):
    return jax.ShapeDtypeStruct(shape, dtype)


def graph(*specs):
    def register(function):
        GRAPHS[function.__name__] = (function, specs)
        return function

    return register


def loss(p, x):
    return jnp.mean((x @ p.astype(F32)) ** 2)


def gradient(p, x):
    return jax.grad(loss)(p, x)


def adamw(p, g, m, v, t, lr=1e-3, b1=0.9, b2=0.999, eps=1e-8, wd=0.01, sq=None):
    """Every constant is of the type that it meets; the corrections are fp32, as
    optax has them."""
    m = b1 * m + (1 - b1) * g
    v = b2 * v + (1 - b2) * (g * g if sq is None else sq)
    c1, c2 = ((1 - b**t).astype(m.dtype) for b in (b1, b2))
    u = (m / c1) / (jnp.sqrt(v / c2) + eps)
    return p - lr * (u + wd * p), m, v


def plain(dtype, counter=jnp.int32, **constants):
    """A step of one parameter, all of it in `dtype`, with its specs."""

    def step(p, m, v, t, x):
        t = t + jnp.asarray(1, t.dtype)
        g = gradient(p, x).astype(dtype)
        return *adamw(p, g, m, v, t.astype(F32), **constants), t

    parameter = spec(P, dtype)
    return step, (parameter, parameter, parameter, spec((), counter), spec(X))


def add_plain(name, *args, **constants):
    GRAPHS[name] = plain(*args, **constants)


MOMENTS = (spec(P), spec(P), spec((), jnp.int32), spec(X))


def mixed(dtype, **constants):
    """16-bit weights, everything else in fp32."""

    def step(p, m, v, t, x):
        t = t + 1
        new, m, v = adamw(
            p.astype(F32), gradient(p, x).astype(F32), m, v, t.astype(F32),
            **constants,
        )
        return new.astype(dtype), m, v, t

    return step, (spec(P, dtype), *MOMENTS)


def stored(b2):
    """The second moment in bf16, fp32 arithmetic."""

    def step(p, m, v, t, x):
        t = t + 1
        p, m, v = adamw(
            p, gradient(p, x), m, v.astype(F32), t.astype(F32), b2=b2
        )
        return p, m, v.astype(BF16), t

    return step, (spec(P), spec(P), spec(P, BF16), *MOMENTS[2:])


GRAPHS["bf16_beta2"] = stored(0.999)
GRAPHS["bf16_beta2_near"] = stored(0.99)
GRAPHS["bf16_decay_lost"] = mixed(BF16)
GRAPHS["bf16_decay_lost_near"] = mixed(BF16, lr=0.02, wd=0.1)
GRAPHS["f16_decay_lost"] = mixed(F16, lr=0.002, wd=0.1)
GRAPHS["f16_decay_lost_near"] = mixed(F16, lr=0.003, wd=0.1)
add_plain("f32_decay_lost", F32, lr=1e-6)
add_plain("f32_decay_lost_near", F32, lr=1e-5)
add_plain("eps_underflow", F16, wd=0.0, b2=0.99, eps=1e-8)
add_plain("eps_underflow_near", F16, wd=0.0, b2=0.99, eps=1e-7)
add_plain("beta_rounding", BF16, wd=0.0, b2=0.96875, b1=0.9)
add_plain("beta_rounding_near", BF16, wd=0.0, b2=0.96875, b1=0.875)
for counter in (BF16, F16, F32, jnp.int8, jnp.int16, jnp.uint8):
    add_plain(f"step_in_{jnp.dtype(counter).name}", F32, counter)
add_plain("step_in_int32_near", F32, jnp.int32)


@graph(spec(P), *MOMENTS)
def step_cast(p, m, v, t, x):
    t = t + 1
    g = gradient(p, x)
    return *adamw(p, g, m, v, t.astype(BF16).astype(F32)), t


@graph(spec(P), spec(P), *MOMENTS)
def untouched(p, frozen, m, v, t, x):
    t = t + 1
    g = gradient(p, x @ jnp.tanh(frozen @ frozen.T))
    return *adamw(p, g, m, v, t.astype(F32)), frozen, t


def clipped(ps, ms, vs, t, x, scale):
    gs = jax.grad(lambda ps: jnp.mean((jnp.tanh(x @ ps[0]) @ ps[1]) ** 2))(ps)
    t = t + 1
    new = [
        adamw(p, g, m, v, t.astype(F32))
        for p, g, m, v in zip(ps, scale(gs), ms, vs)
    ]
    return *zip(*new), t


PAIR = [spec(P), spec(Q)]


@graph(PAIR, PAIR, PAIR, spec((), jnp.int32), spec(X))
def global_norm(ps, ms, vs, t, x):
    def scale(gs):
        norm = jnp.sqrt(sum(jnp.sum(g * g) for g in gs))
        return [jnp.where(norm < 1.0, g, g / norm) for g in gs]

    return clipped(ps, ms, vs, t, x, scale)


@graph(PAIR, PAIR, PAIR, spec((), jnp.int32), spec(X))
def global_norm_flat(ps, ms, vs, t, x):
    """The norm of one long vector."""

    def scale(gs):
        flat = jnp.concatenate([g.reshape(-1) for g in gs])
        norm = jnp.linalg.norm(flat)
        return [g / jnp.maximum(1.0, norm) for g in gs]

    return clipped(ps, ms, vs, t, x, scale)


@graph(PAIR, PAIR, PAIR, spec((), jnp.int32), spec(X))
def global_norm_near(ps, ms, vs, t, x):
    """A norm per tensor; a scale of sums over data."""

    def scale(gs):
        count = jnp.sum(jnp.abs(x)) + jnp.sum(x * x)
        return [
            g / jnp.maximum(1.0, jnp.sqrt(jnp.sum(g * g))) / count for g in gs
        ]

    return clipped(ps, ms, vs, t, x, scale)


@graph(spec(P), *MOMENTS)
def gradient_cast(p, m, v, t, x):
    t = t + 1
    g = gradient(p, x).astype(BF16).astype(F32)
    return *adamw(p, g, m, v, t.astype(F32)), t


@graph(spec(P), *MOMENTS)
def gradient_cast_near(p, m, v, t, x):
    """The backward pass itself is in bf16."""
    t = t + 1
    g = jax.grad(lambda q: jnp.mean((x.astype(BF16) @ q).astype(F32) ** 2))(
        p.astype(BF16)
    )
    return *adamw(p, g.astype(F32), m, v, t.astype(F32)), t


@graph(spec(P), *MOMENTS)
def low_precision_square(p, m, v, t, x):
    t = t + 1
    g = gradient(p, x).astype(F16)
    sq = (g * g).astype(F32)
    return *adamw(p, g.astype(F32), m, v, t.astype(F32), sq=sq), t


@graph(spec(P), spec(P), spec(P), *MOMENTS)
def two_updates(p, m2, v2, m, v, t, x):
    t = t + 1
    g, f = gradient(p, x), t.astype(F32)
    p, m, v = adamw(p, g, m, v, f)
    p, m2, v2 = adamw(p, g, m2, v2, f)
    return p, m2, v2, m, v, t


@graph(spec(P), spec(P), *MOMENTS)
def two_updates_near(p, slow, m, v, t, x):
    """One update with two averages (AdEMAMix)."""
    t = t + 1
    g = gradient(p, x)
    slow = 0.99 * slow + 0.01 * g
    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * g * g
    u = (m + 2.0 * slow) / (jnp.sqrt(v) + 1e-8)
    return p - 1e-3 * u, slow, m, v, t


@graph(spec(P), *MOMENTS)
def zero_gradient(p, m, v, t, x):
    t = t + 1
    return *adamw(p, jnp.zeros_like(p), m, v, t.astype(F32)), t, jnp.sum(x @ p)


@graph(spec(P), *MOMENTS, spec(()))
def zero_gradient_near(p, m, v, t, x, scale):
    """Zero only where the caller says so."""
    t = t + 1
    return *adamw(p, scale * gradient(p, x), m, v, t.astype(F32)), t


def lower(name):
    function, specs = GRAPHS[name]
    text = jax.jit(function).lower(*specs).compiler_ir("stablehlo")
    text = text.operation.get_asm(
        print_generic_op_form=True, enable_debug_info=False
    )
    text = re.sub(r'jax.result_info = "[^"]*"', "", text)
    text = re.sub(r'sym_name = "main"', f'sym_name = "{name}"', text)
    helpers = set(re.findall(r"callee = @(\w+)", text))
    for helper in helpers:
        text = re.sub(rf'@{helper}\b', f"@{name}.{helper}", text)
        text = text.replace(f'sym_name = "{helper}"',
                            f'sym_name = "{name}.{helper}"')
    # The functions of the module.
    return re.search(r"\(\{\n(.*)\n\}\)", text, re.S)[1]


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    out = sys.argv[1] if len(sys.argv) > 1 else os.path.join(here, "..", "lint")
    os.makedirs(out, exist_ok=True)
    functions = "\n".join(lower(name) for name in GRAPHS)
    with lzma.open(os.path.join(out, "lint.mlir.xz"), "wt", preset=9) as file:
        file.write(f'"builtin.module"() ({{\n{functions}\n}}) : () -> ()\n')


if __name__ == "__main__":
    main()
