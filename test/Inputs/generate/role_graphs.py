#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the small train steps that test/Analysis reads roles from.

usage: role_graphs.py [--out DIR] [--adamw] [NAME ...]

Each graph is one style of model, a few lines of jax: parameters are a flat
dictionary, and argument i of @main is the i-th name in sorted order (`embed`
is one in every model). The step returns the updated parameters and the loss. Without locations, so nothing
but structure is left. Needs jax only; run it again after changing a model, and
read the diff of the graphs together with the tests.
"""

import argparse
import os
import sys

import jax
import jax.numpy as jnp
from jax import lax

T, D, F, E, K, V, H = 6, 8, 16, 4, 2, 32, 2  # tokens, widths, experts, top-k
L = 3  # layers of a stack


class Model:
    """Parameter shapes and the loss of one style."""

    def __init__(self, loss, **shapes):
        self.loss = loss
        self.shapes = shapes


MODELS = {}


def model(**shapes):
    def register(function):
        name = function.__name__
        MODELS[name] = Model(function, embed=(V, D), **shapes)
        return function

    return register


def square(y, t):
    return jnp.mean((y - t[:, None]) ** 2)


def rms_norm(x, scale):
    return x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * scale


def top_k_weights(logits, k=K):
    """[t, E] routing weights, zero where an expert was not chosen."""
    values, indices = lax.top_k(jax.nn.softmax(logits), k)
    one_hot = jax.nn.one_hot(indices, logits.shape[-1])
    return jnp.einsum("tk,tke->te", values, one_hot), indices


EXPERTS = dict(router=(D, E), w_in=(E, D, F), w_out=(E, F, D), last=(D, D))


@model(**EXPERTS)
def dense_dispatch(p, x, t):
    """Every expert sees every token; the weights combine."""
    weights, _ = top_k_weights(x @ p["router"])
    h = jax.nn.silu(jnp.einsum("td,edf->tef", x, p["w_in"]))
    y = jnp.einsum("tef,efd->ted", h, p["w_out"])
    return square((x + jnp.einsum("ted,te->td", y, weights)) @ p["last"], t)


@model(b_in=(E, F), b_out=(E, D), **EXPERTS)
def capacity_dispatch(p, x, t):
    """Mesh-TensorFlow style: one-hot dispatch into slots of each expert."""
    capacity = 3
    probs = jax.nn.softmax(x @ p["router"])
    chosen = jax.nn.one_hot(jnp.argmax(probs, -1), E)
    slot = (jnp.cumsum(chosen, 0) * chosen - 1).sum(-1).astype(jnp.int32)
    dispatch = chosen[:, :, None] * jax.nn.one_hot(slot, capacity)[:, None, :]
    combine = dispatch * (probs * chosen).sum(-1)[:, None, None]
    xe = jnp.einsum("tec,td->ecd", dispatch, x)
    h = jax.nn.relu(
        jnp.einsum("ecd,edf->ecf", xe, p["w_in"]) + p["b_in"][:, None]
    )
    y = jnp.einsum("ecf,efd->ecd", h, p["w_out"]) + p["b_out"][:, None]
    aux = (chosen.mean(0) * probs.mean(0)).sum() * E
    out = x + jnp.einsum("ecd,tec->td", y, combine)
    return square(out @ p["last"], t) + 0.01 * aux


@model(**EXPERTS)
def gathered_weights(p, x, t):
    """Each token gathers the matrices of its expert."""
    probs = jax.nn.softmax(x @ p["router"])
    index = jnp.argmax(probs, -1)
    h = jax.nn.relu(jnp.einsum("td,tdf->tf", x, p["w_in"][index]))
    y = jnp.einsum("tf,tfd->td", h, p["w_out"][index])
    weight = jnp.take_along_axis(probs, index[:, None], 1)
    return square((x + y * weight) @ p["last"], t)


@model(
    router=(D, E),
    last=(D, D),
    **{f"w_in{e}": (D, F) for e in range(E)},
    **{f"w_out{e}": (F, D) for e in range(E)},
)
def separate_experts(p, x, t):
    weights, _ = top_k_weights(x @ p["router"])
    y = x
    for e in range(E):
        h = jax.nn.gelu(x @ p[f"w_in{e}"])
        y = y + (h @ p[f"w_out{e}"]) * weights[:, e, None]
    return square(y @ p["last"], t)


@model(up=(D, F), gate=(D, F), down=(F, D), router=(D, F))
def swiglu_gate(p, x, t):
    """A gate, and something called router, that choose nothing."""
    h = jax.nn.silu(x @ p["gate"]) * (x @ p["up"])
    h = h * jax.nn.softmax(x @ p["router"])
    return square(x + h @ p["down"], t)


@model(
    shared_in=(D, F),
    shared_out=(F, D),
    shared_gate=(D, 1),
    norm=(D,),
    **EXPERTS,
)
def shared_expert(p, x, t):
    """A dense expert beside the routed ones, with a sigmoid gate."""
    n = rms_norm(x, p["norm"])
    weights, _ = top_k_weights(n @ p["router"])
    h = jax.nn.silu(jnp.einsum("td,edf->tef", n, p["w_in"]))
    y = jnp.einsum("tef,efd,te->td", h, p["w_out"], weights)
    s = jax.nn.silu(n @ p["shared_in"]) @ p["shared_out"]
    s = s * jax.nn.sigmoid(n @ p["shared_gate"])
    return square((x + y + s) @ p["last"], t)


@model(
    position=(T, D),
    norm_scale=(D,),
    norm_bias=(D,),
    w=(D, D),
    b=(D,),
)
def tied_head(p, x, t):
    """Token and position embedding, layer norm with bias, tied head."""
    h = x + p["position"]
    h = h - h.mean(-1, keepdims=True)
    h = h * lax.rsqrt((h * h).mean(-1, keepdims=True) + 1e-5)
    h = h * p["norm_scale"] + p["norm_bias"]
    h = jnp.tanh(h @ p["w"] + p["b"])
    logits = h @ p["embed"].T
    return -jnp.take_along_axis(jax.nn.log_softmax(logits), t[:, None], 1).mean()


@model(
    norm=(L, D), w_in=(L, D, F), w_out=(L, F, D), b_in=(L, F), last=(D, D)
)
def scan_axis_0(p, x, t):
    """Layers stacked on axis 0 and scanned."""

    def layer(h, q):
        n = rms_norm(h, q["norm"])
        return h + jax.nn.gelu(n @ q["w_in"] + q["b_in"]) @ q["w_out"], None

    layers = {k: w for k, w in p.items() if k not in ("embed", "last")}
    return square(lax.scan(layer, x, layers)[0] @ p["last"], t)


@model(
    norm=(D, L),
    query=(D, L, H, D // H),
    out=(H, L, D // H, D),
    router=(D, L, E),
    w_in=(E, L, D, F),
    w_out=(E, L, F, D),
    last=(D, D),
)
def scan_axis_1(p, x, t):
    """MaxText's layout: layers stacked on axis 1, experts on axis 0."""

    def layer(i, h):
        q = {
            k: lax.dynamic_index_in_dim(w, i, 1, keepdims=False)
            for k, w in p.items()
            if k not in ("embed", "last")
        }
        n = rms_norm(h, q["norm"])
        a = jnp.einsum("td,dhk->thk", n, q["query"])
        h = h + jnp.einsum("thk,hkd->td", jnp.tanh(a), q["out"])
        weights, _ = top_k_weights(h @ q["router"])
        f = jax.nn.silu(jnp.einsum("td,edf->tef", h, q["w_in"]))
        return h + jnp.einsum("tef,efd,te->td", f, q["w_out"], weights)

    h, _ = lax.scan(lambda h, i: (layer(i, h), None), x, jnp.arange(L))
    return square(h @ p["last"], t)


@model(**EXPERTS)
def expert_choice(p, x, t):
    """Experts choose tokens: top-k over the token axis."""
    scores = jax.nn.softmax(x @ p["router"])
    values, indices = lax.top_k(scores.T, 2)  # [E, 2]
    xe = x[indices]
    h = jax.nn.relu(jnp.einsum("ecd,edf->ecf", xe, p["w_in"]))
    y = jnp.einsum("ecf,efd->ecd", h, p["w_out"]) * values[:, :, None]
    return square((x + jnp.zeros_like(x).at[indices].add(y)) @ p["last"], t)


@model(first=(D, F), second=(F, D), a=(D, 2), b=(2, F), scale=(D,))
def low_rank_update(p, x, t):
    """W + A.B before its use: the split of A and B cannot be seen."""
    w = p["first"] + p["a"] @ p["b"]
    return square(jnp.tanh(x * p["scale"] @ w) @ p["second"], t)


@model(**EXPERTS)
def hash_routing(p, x, t):
    """No router: tokens pick their expert by a hash. Known not to be seen."""
    index = (t * 7 + 1) % E
    one_hot = jax.nn.one_hot(index, E)
    h = jax.nn.relu(jnp.einsum("td,edf->tef", x, p["w_in"]))
    y = jnp.einsum("tef,efd,te->td", h, p["w_out"], one_hot)
    z = jax.nn.softmax(x @ p["router"]).sum(-1, keepdims=True)
    return square((x + y * z) @ p["last"], t)


@model(enc=(D, F), dec=(F, D), b=(F,))
def sparse_autoencoder(p, x, t):
    """Top-k over hidden units: no experts."""
    h = jax.nn.relu(x @ p["enc"] + p["b"])
    values, indices = lax.top_k(h, 3)
    sparse = jnp.zeros_like(h).at[jnp.arange(T)[:, None], indices].set(values)
    return square(sparse @ p["dec"], t)


@model(up=(D, F), gate=(D, F), down=(F, D))
def top_k_units(p, x, t):
    """A gated layer whose gate lets the strongest units pass: no experts."""
    gate = x @ p["gate"]
    mask = jnp.where(gate >= jnp.sort(gate, -1)[:, -4:-3], gate, 0.0)
    return square(x + ((x @ p["up"]) * mask) @ p["down"], t)


@model(keys=(F, D), values=(F, D), last=(D, D))
def memory_lookup(p, x, t):
    """Memory slots chosen by their keys: single vectors, no experts."""
    values, indices = lax.top_k(x @ p["keys"].T, K)
    read = jnp.einsum("tk,tkd->td", jax.nn.softmax(values), p["values"][indices])
    return square((x + read) @ p["last"], t)


def adamw(p, g, m, v, step):
    m = 0.9 * m + 0.1 * g
    v = 0.999 * v + 0.001 * g * g
    u = (m / (1 - 0.9**step)) / (jnp.sqrt(v / (1 - 0.999**step)) + 1e-8)
    return p - 1e-3 * (u + 0.01 * p), m, v


def lower(name, with_adamw=False):
    """The train step of model `name` as generic MLIR without locations."""
    m = MODELS[name]
    params = {
        k: jax.ShapeDtypeStruct(s, jnp.float32) for k, s in m.shapes.items()
    }
    data = jax.ShapeDtypeStruct((T,), jnp.int32)

    def model_loss(p, x, t):
        return m.loss(p, p["embed"][x], t)

    def sgd_step(p, x, t):
        loss, grads = jax.value_and_grad(model_loss)(p, x, t)
        return jax.tree.map(lambda w, g: w - 0.1 * g, p, grads), loss

    def adamw_step(p, mu, nu, step, x, t):
        loss, grads = jax.value_and_grad(model_loss)(p, x, t)
        new = {k: adamw(p[k], grads[k], mu[k], nu[k], step + 1) for k in p}
        pick = lambda i: {k: w[i] for k, w in new.items()}
        return pick(0), pick(1), pick(2), step + 1, loss

    if with_adamw:
        step = jax.ShapeDtypeStruct((), jnp.float32)
        lowered = jax.jit(adamw_step).lower(
            params, params, params, step, data, data
        )
    else:
        lowered = jax.jit(sgd_step).lower(params, data, data)
    return lowered.compiler_ir("stablehlo").operation.get_asm(
        print_generic_op_form=True, enable_debug_info=False
    )


def main():
    import role_graphs_routing  # noqa: F401  registers more models

    parser = argparse.ArgumentParser()
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("--out", default=os.path.join(here, "..", "roles"))
    parser.add_argument("--adamw", action="store_true")
    parser.add_argument("names", nargs="*")
    args = parser.parse_args()
    os.makedirs(args.out, exist_ok=True)
    for name in args.names or MODELS:
        with open(os.path.join(args.out, name + ".mlir"), "w") as file:
            file.write(lower(name, args.adamw))


if __name__ == "__main__":
    # The other file imports this one by name: let both be the same module.
    sys.modules["role_graphs"] = sys.modules["__main__"]
    main()
