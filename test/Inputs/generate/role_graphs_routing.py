# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""More routing styles for role_graphs.py."""

import jax
import jax.numpy as jnp
from jax import lax

from role_graphs import D, E, EXPERTS, F, K, L, T
from role_graphs import model, rms_norm, square, top_k_weights


def combine(p, x, weights, t):
    """Dense dispatch of `x` with routing weights [t, E], and the loss."""
    h = jax.nn.silu(jnp.einsum("td,edf->tef", x, p["w_in"]))
    y = jnp.einsum("tef,efd,te->td", h, p["w_out"], weights)
    return square((x + y) @ p["last"], t)


@model(bias=(E,), **EXPERTS)
def selection_bias(p, x, t):
    """DeepSeek's style: a bias takes part in the choice only."""
    scores = jax.nn.sigmoid(x @ p["router"])
    _, indices = lax.top_k(scores + p["bias"], K)
    values = jnp.take_along_axis(scores, indices, 1)
    values = values / values.sum(-1, keepdims=True)
    one_hot = jax.nn.one_hot(indices, E)
    return combine(p, x, jnp.einsum("tk,tke->te", values, one_hot), t)


@model(first=(D, D), bias=(D,), norm=(D,), **EXPERTS)
def mlp_router(p, x, t):
    """A router of two layers with a private norm."""
    h = jax.nn.gelu(rms_norm(x, p["norm"]) @ p["first"] + p["bias"])
    return combine(p, x, top_k_weights(h @ p["router"])[0], t)


@model(**EXPERTS)
def threshold_routing(p, x, t):
    """No indices: what is not below the k-th largest is chosen."""
    probs = jax.nn.softmax(x @ p["router"])
    kth = jnp.sort(probs, -1)[:, -K][:, None]
    return combine(p, x, jnp.where(probs >= kth, probs, 0.0), t)


@model(**EXPERTS)
def expert_loop(p, x, t):
    """A loop over experts: their axis is sliced like a stack of layers."""
    weights, _ = top_k_weights(x @ p["router"])

    def body(acc, e):
        w_in, w_out, weight = e
        return acc + (jax.nn.relu(x @ w_in) @ w_out) * weight[:, None], None

    each = (p["w_in"], p["w_out"], weights.T)
    y, _ = lax.scan(body, jnp.zeros_like(x), each)
    return square((x + y) @ p["last"], t)


@model(**EXPERTS)
def ragged_experts(p, x, t):
    """Tokens sorted by expert, grouped products lowered to masked dense ones."""
    values, indices = lax.top_k(jax.nn.softmax(x @ p["router"]), K)
    flat = indices.reshape(-1)
    order = jnp.argsort(flat)
    token = order // K
    sizes = jnp.bincount(flat, length=E).astype(jnp.int32)
    h = jax.nn.silu(lax.ragged_dot(x[token], p["w_in"], sizes))
    y = lax.ragged_dot(h, p["w_out"], sizes)
    y = y * values.reshape(-1)[order][:, None]
    out = x + jnp.zeros_like(x).at[token].add(y)
    return square(out @ p["last"], t)


@model(**EXPERTS)
def input_weights(p, x, t):
    """The weight is applied before the experts, nothing behind them."""
    weights, _ = top_k_weights(x @ p["router"])
    xe = jnp.einsum("te,td->etd", weights, x)
    h = jax.nn.relu(jnp.einsum("etd,edf->etf", xe, p["w_in"]))
    y = jnp.einsum("etf,efd->td", h, p["w_out"])
    return square((x + y) @ p["last"], t)


@model(
    down=(D, 4),
    up=(4, D),
    router=(D, E),
    w_in=(E, 4, F),
    w_out=(E, F, 4),
    last=(D, D),
)
def latent_experts(p, x, t):
    """Experts share a projection before the dispatch and one behind."""
    weights, _ = top_k_weights(x @ p["router"])
    h = jax.nn.silu(jnp.einsum("td,edf->tef", x @ p["down"], p["w_in"]))
    y = jnp.einsum("tef,efd,te->td", h, p["w_out"], weights)
    return square((x + y @ p["up"]) @ p["last"], t)


@model(
    norm=(L, D),
    dense=(L, D, D),
    router=(L, D, E),
    w_in=(L, E, D, F),
    w_out=(L, E, F, D),
    last=(D, D),
)
def remat_scan(p, x, t):
    """Layers with experts, stacked, scanned and recomputed."""

    @jax.checkpoint
    def layer(h, q):
        n = rms_norm(h, q["norm"])
        n = n + jnp.tanh(n @ q["dense"])
        weights, _ = top_k_weights(n @ q["router"])
        a = jax.nn.silu(jnp.einsum("td,edf->tef", n, q["w_in"]))
        return h + jnp.einsum("tef,efd,te->td", a, q["w_out"], weights)

    layers = {k: w for k, w in p.items() if k not in ("embed", "last")}
    h, _ = lax.scan(lambda h, q: (layer(h, q), None), x, layers)
    return square(h @ p["last"], t)


@model(router=(D, 1), w_in=(D, F), w_out=(F, D), last=(D, D))
def mixture_of_depths(p, x, t):
    """A router of one column chooses tokens; its block is ordinary."""
    values, indices = lax.top_k((x @ p["router"])[:, 0], 3)
    y = jax.nn.relu(x[indices] @ p["w_in"]) @ p["w_out"]
    y = y * jax.nn.sigmoid(values)[:, None]
    return square(x.at[indices].add(y) @ p["last"], t)


@model(**EXPERTS)
def soft_experts(p, x, t):
    """Soft MoE: every expert works for every token; nothing is chosen."""
    logits = x @ p["router"]
    xe = jnp.einsum("te,td->ed", jax.nn.softmax(logits, 0), x)
    h = jax.nn.relu(jnp.einsum("ed,edf->ef", xe, p["w_in"]))
    y = jnp.einsum("ef,efd->ed", h, p["w_out"])
    return square((x + jax.nn.softmax(logits, 1) @ y) @ p["last"], t)


@model(index_q=(D, 4), index_k=(D, 4), q=(D, D), k=(D, D), v=(D, D), last=(D, D))
def sparse_attention(p, x, t):
    """An indexer chooses keys by a product of two activations: no router."""
    scores = (x @ p["index_q"]) @ (x @ p["index_k"]).T
    _, indices = lax.top_k(scores, 3)
    mask = jax.nn.one_hot(indices, T).sum(1)
    a = jnp.where(mask > 0, (x @ p["q"]) @ (x @ p["k"]).T, -1e9)
    return square((x + jax.nn.softmax(a) @ (x @ p["v"])) @ p["last"], t)
