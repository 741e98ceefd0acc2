#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes complete train steps of mixtures of experts, one per way of writing them,
with the roles and axes that each parameter is expected to get.

usage: moe_steps.py [--out DIR] [NAME ...]

Each is forward, backward, clip and optax.adamw over a flat dictionary of
parameters, without locations: no names are left. Argument i of @main is the i-th
parameter in sorted order. The answers are the declarations beside each model
(`P`); nothing here asks our analysis. Needs jax and optax.
"""

import argparse
import json
import lzma
import os
import re
import sys

os.environ.setdefault("XLA_FLAGS", "--xla_force_host_platform_device_count=8")

import jax
import jax.numpy as jnp
import optax
from jax import lax

# Tokens, widths, experts, choices, vocabulary, heads, layers: all different
# where that is possible, so that no two axes are taken for each other by size.
T, D, F, E, K, V, H, L = 12, 16, 24, 4, 2, 40, 2, 3
DH = D // H


class P:
    """A parameter: its role, one letter per axis (batch, row, column; `.` where
    more than one answer is right), its shape, and why the call is arguable."""

    def __init__(self, role, axes, *shape, why=None, dtype=jnp.float32):
        assert len(axes) == len(shape) and set(axes) <= set("brc.")
        self.role, self.axes, self.shape = role, axes, shape
        self.why, self.dtype = why, dtype


EMBED = P("embedding", "rc", V, D)
NORM = P("norm", "c", D)
ROUTER = P("router", "rc", D, E)
DENSE = P("backbone", "rc", D, D)
W_IN, W_OUT = P("expert", "brc", E, D, F), P("expert", "brc", E, F, D)
FFN = dict(w_in=W_IN, w_out=W_OUT)
HEAD = dict(embed=EMBED, norm=NORM, head=P("backbone", "rc", D, V))
ATTENTION = dict(
    q=P("backbone", "rcc", D, H, DH),
    k=P("backbone", "rcc", D, H, DH),
    v=P("backbone", "rcc", D, H, DH),
    o=P("backbone", "rrc", H, DH, D),
    norm_a=NORM,
)


class Model:
    def __init__(self, loss, parameters, clip):
        self.loss, self.parameters, self.clip = loss, parameters, clip


MODELS = {}


def model(*groups, clip=None, **parameters):
    """Registers a loss(p, tokens, targets) with its parameters."""

    def register(function):
        declared = {k: v for group in groups for k, v in group.items()}
        MODELS[function.__name__] = Model(
            function, {**declared, **parameters}, clip
        )
        return function

    return register


def rms_norm(x, scale):
    f = x.astype(jnp.float32)
    f = f * lax.rsqrt(jnp.mean(f * f, -1, keepdims=True) + 1e-6)
    return (f * scale).astype(x.dtype)


def layer_norm(x, scale, bias):
    x = x - x.mean(-1, keepdims=True)
    return x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-5) * scale + bias


def attend(x, p):
    n = rms_norm(x, p["norm_a"])
    q, k, v = (jnp.einsum("td,dhk->thk", n, p[i]) for i in "qkv")
    a = jnp.einsum("thk,shk->hts", q, k) / DH**0.5
    a = jnp.where(jnp.tril(jnp.ones((len(x), len(x)), bool)), a, -1e9)
    o = jnp.einsum("hts,shk->thk", jax.nn.softmax(a), v)
    return x + jnp.einsum("thk,hkd->td", o, p["o"])


def cross_entropy(logits, t):
    chance = jax.nn.log_softmax(logits.astype(jnp.float32))
    return -jnp.take_along_axis(chance, t[..., None], -1).mean()


def finish(p, x, t):
    return cross_entropy(rms_norm(x, p["norm"]) @ p["head"], t)


def one_hot_weights(values, indices):
    hot = jax.nn.one_hot(indices, E, dtype=values.dtype)
    return jnp.einsum("tk,tke->te", values, hot)


def experts(p, x, weights, act=jax.nn.silu):
    """Every expert sees every token."""
    h = act(jnp.einsum("td,edf->tef", x, p["w_in"]))
    return jnp.einsum("tef,efd,te->td", h, p["w_out"], weights)


def top_k(logits):
    return one_hot_weights(*lax.top_k(jax.nn.softmax(logits), K))


def layers_of(p, *outside):
    return {k: w for k, w in p.items() if k not in outside}


def lower(name):
    """The train step of model `name`, generic, without locations."""
    m = MODELS[name]
    struct = jax.ShapeDtypeStruct
    params = {k: struct(q.shape, q.dtype) for k, q in m.parameters.items()}
    tokens = struct((T,), jnp.int32)
    rule = optax.adamw(1e-3, weight_decay=0.01)
    if m.clip:
        rule = optax.chain(optax.clip_by_global_norm(m.clip), rule)

    def train_step(params, state, tokens, targets):
        loss, grads = jax.value_and_grad(m.loss)(params, tokens, targets)
        updates, state = rule.update(grads, state, params)
        return optax.apply_updates(params, updates), state, loss

    state = jax.eval_shape(rule.init, params)
    lowered = jax.jit(train_step, donate_argnums=(0, 1)).lower(
        params, state, tokens, tokens
    )
    text = lowered.compiler_ir("stablehlo").operation.get_asm(
        print_generic_op_form=True, enable_debug_info=False
    )
    return re.sub(r', jax.result_info = "[^"]*"|jax.result_info = "[^"]*"', "", text)


def answers(name):
    entries = []
    for argument, key in enumerate(sorted(MODELS[name].parameters)):
        q = MODELS[name].parameters[key]
        entry = dict(
            arg=argument, name=key, shape=q.shape, role=q.role, axes=q.axes
        )
        entries.append(dict(entry, arguable=q.why) if q.why else entry)
    return {"params": entries}


def main():
    import moe_steps_dispatch  # noqa: F401  registers more models
    import moe_steps_shapes  # noqa: F401

    parser = argparse.ArgumentParser()
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("--out", default=os.path.join(here, "..", "moe"))
    parser.add_argument("--answers-only", action="store_true")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    for name in args.names or MODELS:
        path = os.path.join(args.out, name)
        with open(path + ".json", "w") as file:
            lines = ",\n".join(json.dumps(e) for e in answers(name)["params"])
            file.write(f'{{"params": [\n{lines}\n]}}\n')
        if not args.answers_only:
            with lzma.open(path + ".mlir.xz", "wt", preset=9) as file:
                file.write(lower(name))


if __name__ == "__main__":
    # The other files import this one by name: let all be the same module.
    sys.modules["moe_steps"] = sys.modules["__main__"]
    main()
