# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""moe_steps.py: ways to choose experts and to bring tokens to them."""

import functools

import jax
import jax.numpy as jnp
from jax import lax

from moe_steps import ATTENTION, D, DENSE, E, F, FFN, H, HEAD, K, L, NORM
from moe_steps import P, ROUTER, T, V, W_IN, W_OUT
from moe_steps import attend, cross_entropy, experts, finish, layers_of, model
from moe_steps import one_hot_weights, rms_norm, top_k

C = 5  # capacity


@model(
    HEAD,
    {f"{k}{i}": w for i in (0, 1) for k, w in ATTENTION.items()},
    {f"norm_f{i}": NORM for i in (0, 1)},
    {f"router{i}": ROUTER for i in (0, 1)},
    {f"gate{i}": W_IN for i in (0, 1)},
    {f"up{i}": W_IN for i in (0, 1)},
    {f"down{i}": W_OUT for i in (0, 1)},
    clip=1.0,
)
def mixtral(p, x, t):
    """Two layers, softmax over the chosen logits, gated experts."""
    h = p["embed"][x]
    for i in "01":
        h = attend(h, {k: p[k + i] for k in ATTENTION})
        n = rms_norm(h, p["norm_f" + i])
        values, indices = lax.top_k(n @ p["router" + i], K)
        weights = one_hot_weights(jax.nn.softmax(values), indices)
        g = jax.nn.silu(jnp.einsum("td,edf->tef", n, p["gate" + i]))
        g = g * jnp.einsum("td,edf->tef", n, p["up" + i])
        y = jnp.einsum("tef,efd->ted", g, p["down" + i])
        h = h + jnp.einsum("ted,te->td", y, weights)
    return finish(p, h, t)


@model(
    HEAD,
    FFN,
    router=ROUTER,
    bias=P("router", "c", E, why="takes part in the choice only: no gradient"),
    gate=W_IN,
    shared_gate=P("backbone", "rc", D, F),
    shared_in=P("backbone", "rc", D, F),
    shared_out=P("backbone", "rc", F, D),
    q_down=P("backbone", "rc", D, 8),
    q_norm=P("norm", "c", 8),
    q_up=P("backbone", "rcc", 8, H, 6),
    kv_down=P("backbone", "rc", D, 10),
    kv_norm=P("norm", "c", 10),
    kv_up=P("backbone", "rcc", 10, H, 13),
    out=P("backbone", "rrc", H, 7, D),
    norm_f=NORM,
)
def deepseek_v3(p, x, t):
    """Sigmoid scores, a bias for the choice, groups of experts of which the
    best are kept, shared experts, latent attention."""
    h = p["embed"][x]
    q = jnp.einsum(
        "tr,rhk->thk", rms_norm(h @ p["q_down"], p["q_norm"]), p["q_up"]
    )
    kv = jnp.einsum(
        "tr,rhk->thk", rms_norm(h @ p["kv_down"], p["kv_norm"]), p["kv_up"]
    )
    a = jax.nn.softmax(jnp.einsum("thk,shk->hts", q, kv[..., :6]))
    o = jnp.einsum("hts,shk->thk", a, kv[..., 6:])
    h = h + jnp.einsum("thk,hkd->td", o, p["out"])
    n = rms_norm(h, p["norm_f"])
    scores = jax.nn.sigmoid(n @ p["router"])
    biased = scores + p["bias"]
    groups = biased.reshape(T, 2, E // 2)
    group_scores = lax.top_k(groups, 2)[0].sum(-1)
    _, kept = lax.top_k(group_scores, 1)
    mask = jax.nn.one_hot(kept, 2).sum(1)
    masked = jnp.where(mask[:, :, None] > 0, groups, -jnp.inf).reshape(T, E)
    _, indices = lax.top_k(masked, K)
    values = jnp.take_along_axis(scores, indices, 1)
    values = 2.5 * values / (values.sum(-1, keepdims=True) + 1e-20)
    weights = one_hot_weights(values, indices)
    g = jax.nn.silu(jnp.einsum("td,edf->tef", n, p["gate"]))
    g = g * jnp.einsum("td,edf->tef", n, p["w_in"])
    y = jnp.einsum("tef,efd,te->td", g, p["w_out"], weights)
    s = jax.nn.silu(n @ p["shared_gate"]) * (n @ p["shared_in"])
    return finish(p, h + y + s @ p["shared_out"], t)


@model(
    HEAD,
    ATTENTION,
    FFN,
    router=ROUTER,
    b_in=P("expert", "bc", E, F),
    b_out=P("expert", "bc", E, D),
    clip=1.0,
)
def switch(p, x, t):
    """Top-1 by argmax, slots of limited capacity, balance and z losses."""
    h = attend(p["embed"][x], p)
    logits = h @ p["router"]
    probs = jax.nn.softmax(logits)
    hot = jax.nn.one_hot(jnp.argmax(probs, -1), E)
    place = jnp.cumsum(hot, 0) * hot
    hot = hot * (place <= C)
    slot = jax.nn.one_hot((place.sum(-1) - 1).astype(jnp.int32), C)
    dispatch = hot[:, :, None] * slot[:, None, :]
    combine = dispatch * (probs * hot).sum(-1)[:, None, None]
    xe = jnp.einsum("td,tec->ecd", h, dispatch)
    a = jnp.einsum("ecd,edf->ecf", xe, p["w_in"]) + p["b_in"][:, None]
    y = jnp.einsum("ecf,efd->ecd", jax.nn.relu(a), p["w_out"])
    y = jnp.einsum("ecd,tec->td", y + p["b_out"][:, None], combine)
    balance = E * (hot.mean(0) * probs.mean(0)).sum()
    z = jnp.mean(jax.nn.logsumexp(logits, -1) ** 2)
    return finish(p, h + y, t) + 0.01 * balance + 1e-3 * z


@model(HEAD, FFN, router=ROUTER, noise=ROUTER)
def noisy_top_k(p, x, t):
    """A second product scales noise; losses from both (Shazeer)."""
    h = p["embed"][x]
    clean = h @ p["router"]
    std = jax.nn.softplus(h @ p["noise"]) + 0.01
    sample = jax.random.normal(jax.random.key(0), clean.shape)
    noisy = clean + sample * std
    values, indices = lax.top_k(noisy, K)
    weights = one_hot_weights(jax.nn.softmax(values), indices)
    importance = weights.sum(0)
    cv = importance.var() / (importance.mean() ** 2 + 1e-10)
    return finish(p, h + experts(p, h, weights), t) + 0.01 * cv


@model(HEAD, FFN, router=ROUTER, norm_f=NORM)
def expert_choice_scatter(p, x, t):
    """Experts choose tokens, which are gathered and scattered back."""
    h = p["embed"][x]
    n = rms_norm(h, p["norm_f"])
    scores = jax.nn.softmax(n @ p["router"], -1)
    values, indices = lax.top_k(scores.T, C)
    xe = jnp.take(n, indices.reshape(-1), axis=0).reshape(E, C, D)
    y = jax.nn.gelu(jnp.einsum("ecd,edf->ecf", xe, p["w_in"]))
    y = jnp.einsum("ecf,efd->ecd", y, p["w_out"]) * values[..., None]
    out = jnp.zeros_like(h).at[indices.reshape(-1)].add(y.reshape(E * C, D))
    return finish(p, h + out, t)


def grouped(p, n, values, indices):
    """Tokens sorted by expert, grouped products, weights, scattered back."""
    flat = indices.reshape(-1)
    order = jnp.argsort(flat, stable=True)
    token = order // K
    sizes = jnp.bincount(flat, length=E)
    xs = n[token]
    g = jax.nn.silu(lax.ragged_dot(xs, p["gate"], sizes))
    g = g * lax.ragged_dot(xs, p["w_in"], sizes)
    y = lax.ragged_dot(g, p["w_out"], sizes)
    y = y * values.reshape(-1)[order][:, None].astype(y.dtype)
    return jnp.zeros_like(n).at[token].add(y)


@model(
    HEAD,
    gate=P("expert", "bbrc", L, E, D, F),
    w_in=P("expert", "bbrc", L, E, D, F),
    w_out=P("expert", "bbrc", L, E, F, D),
    router=P("router", "brc", L, D, E),
    norm_f=P("norm", "bc", L, D),
    clip=1.0,
)
def ragged_scan(p, x, t):
    """Sorted tokens and ragged_dot, layers scanned and recomputed."""

    @jax.checkpoint
    def layer(h, q):
        n = rms_norm(h, q["norm_f"])
        values, indices = lax.top_k(jax.nn.softmax(n @ q["router"]), K)
        return h + grouped(q, n, values, indices), None

    stacked = layers_of(p, "embed", "norm", "head")
    return finish(p, lax.scan(layer, p["embed"][x], stacked)[0], t)


BF16 = functools.partial(P, dtype=jnp.bfloat16)


@model(
    embed=BF16("embedding", "rc", V, D),
    norm=NORM,
    head=BF16("backbone", "rc", D, V),
    gate=BF16("expert", "brc", E, D, F),
    w_in=BF16("expert", "brc", E, D, F),
    w_out=BF16("expert", "brc", E, F, D),
    router=ROUTER,
    bias=P("router", "c", E),
)
def ragged_bf16(p, x, t):
    """bf16 weights, the router in fp32 with a bias of its own."""
    h = p["embed"][x]
    n = rms_norm(h, p["norm"])
    logits = n.astype(jnp.float32) @ p["router"] + p["bias"]
    values, indices = lax.top_k(jax.nn.softmax(logits), K)
    values = values / values.sum(-1, keepdims=True)
    h = h + grouped(p, n, values, indices)
    return cross_entropy(h @ p["head"], t)


@model(HEAD, FFN, router=ROUTER)
def gather_scatter(p, x, t):
    """Megablocks' way without kernels: positions by sort, a padded buffer."""
    h = p["embed"][x]
    probs = jax.nn.softmax(h @ p["router"])
    values, indices = lax.top_k(probs, K)
    flat = indices.reshape(-1)
    order = jnp.argsort(flat, stable=True)
    ordered = flat[order]
    first = jnp.searchsorted(ordered, jnp.arange(E))
    slot = jnp.arange(T * K) - first[ordered]
    buffer = jnp.zeros((E, C, D)).at[ordered, slot].set(
        h[order // K], mode="drop"
    )
    y = jax.nn.relu(jnp.einsum("ecd,edf->ecf", buffer, p["w_in"]))
    y = jnp.einsum("ecf,efd->ecd", y, p["w_out"])
    back = y.at[ordered, slot].get(mode="fill", fill_value=0)
    back = back * values.reshape(-1)[order][:, None]
    return finish(p, jnp.zeros_like(h).at[order // K].add(back) + h, t)


@model(HEAD, FFN, router=ROUTER)
def sorted_payload(p, x, t):
    """One sort of several operands: expert, weight and token together."""
    h = p["embed"][x]
    probs = jax.nn.softmax(h @ p["router"])
    best = jnp.argmax(probs, -1).astype(jnp.int32)
    weight = jnp.max(probs, -1)
    best, weight, token = lax.sort(
        (best, weight, jnp.arange(T, dtype=jnp.int32)), num_keys=1
    )
    sizes = jnp.sum(best[:, None] == jnp.arange(E)[None], 0)
    y = jax.nn.relu(lax.ragged_dot(h[token], p["w_in"], sizes))
    y = lax.ragged_dot(y, p["w_out"], sizes) * weight[:, None]
    return finish(p, h + jnp.zeros_like(h).at[token].set(y), t)


NO_ROUTER = "no router: nothing in the graph decides"


@model(
    HEAD,
    w_in=P("expert", "brc", E, D, F, why=NO_ROUTER),
    w_out=P("expert", "brc", E, F, D, why=NO_ROUTER),
)
def hash_one_hot(p, x, t):
    """Tokens pick their expert by a hash of themselves."""
    h = p["embed"][x]
    weights = jax.nn.one_hot(x * 7 % E, E)
    return finish(p, h + experts(p, h, weights), t)


@model(
    HEAD,
    w_in=P("expert", "brc", E, D, F, why=NO_ROUTER),
    w_out=P("expert", "brc", E, F, D, why=NO_ROUTER),
)
def hash_gathered(p, x, t):
    """The same, gathering the expert's matrices."""
    h = p["embed"][x]
    index = x * 7 % E
    y = jax.nn.relu(jnp.einsum("td,tdf->tf", h, p["w_in"][index]))
    return finish(p, h + jnp.einsum("tf,tfd->td", y, p["w_out"][index]), t)


@model(
    HEAD,
    FFN,
    router=ROUTER,
    shared_in=P("backbone", "rc", D, F),
    shared_out=P("backbone", "rc", F, D),
    shared_gate=P("backbone", "rc", D, 1),
)
def qwen_shared(p, x, t):
    """A shared expert behind a sigmoid gate; weights not normalised."""
    h = p["embed"][x]
    s = jax.nn.silu(h @ p["shared_in"]) @ p["shared_out"]
    s = s * jax.nn.sigmoid(h @ p["shared_gate"])
    return finish(p, h + s + experts(p, h, top_k(h @ p["router"])), t)


@model(
    HEAD,
    FFN,
    router=ROUTER,
    dense_in=P("backbone", "rc", D, F),
    dense_out=P("backbone", "rc", F, D),
    shared_in=P("backbone", "rc", D, F),
    shared_out=P("backbone", "rc", F, D),
)
def llama4(p, x, t):
    """Sigmoid of the top-1 scales the input of the experts; every other layer
    is dense; a shared expert without gate."""
    h = p["embed"][x]
    h = h + jax.nn.silu(h @ p["dense_in"]) @ p["dense_out"]
    logits = h @ p["router"]
    values, indices = lax.top_k(logits, 1)
    hot = jax.nn.one_hot(indices[:, 0], E)
    scores = jax.nn.sigmoid(jnp.where(hot > 0, values, -jnp.inf))
    xe = h[None] * scores.T[:, :, None]
    y = jax.nn.silu(jnp.einsum("etd,edf->etf", xe, p["w_in"]))
    y = jnp.einsum("etf,efd->etd", y, p["w_out"]).sum(0)
    s = jax.nn.silu(h @ p["shared_in"]) @ p["shared_out"]
    return finish(p, h + y + s, t)


@model(HEAD, FFN, router=ROUTER)
def masked_softmax(p, x, t):
    """What is below the k-th logit becomes -inf before the softmax."""
    h = p["embed"][x]
    logits = h @ p["router"]
    kth = lax.top_k(logits, K)[0][:, -1:]
    weights = jax.nn.softmax(jnp.where(logits < kth, -jnp.inf, logits))
    return finish(p, h + experts(p, h, weights), t)


@model(HEAD, FFN, router=ROUTER)
def sinkhorn(p, x, t):
    """A balanced assignment by a loop of normalisations, then argmax."""
    h = p["embed"][x]
    logits = h @ p["router"]

    def normalise(_, cost):
        cost = cost / cost.sum(0, keepdims=True)
        return cost / cost.sum(1, keepdims=True)

    cost = lax.stop_gradient(jnp.exp(logits))
    choice = jnp.argmax(lax.fori_loop(0, 4, normalise, cost), -1)
    score = jnp.take_along_axis(jax.nn.sigmoid(logits), choice[:, None], 1)
    weights = jax.nn.one_hot(choice, E) * score
    return finish(p, h + experts(p, h, weights), t)


@model(HEAD, FFN, router=ROUTER)
def straight_through(p, x, t):
    """Hard one-hot forward, soft gradient."""
    h = p["embed"][x]
    soft = jax.nn.softmax(h @ p["router"])
    hard = jax.nn.one_hot(jnp.argmax(soft, -1), E)
    weights = soft + lax.stop_gradient(hard - soft)
    return finish(p, h + experts(p, h, weights), t)


SOFT = "every expert is used by every token: dense treatment is right"


@model(
    HEAD,
    w_in=P("backbone", "brc", E, D, F, why=SOFT),
    w_out=P("backbone", "brc", E, F, D, why=SOFT),
    phi=P("backbone", "rcc", D, E, C, why=SOFT),
)
def soft_slots(p, x, t):
    """Soft MoE: slots are mixtures of tokens; no top-k anywhere."""
    h = p["embed"][x]
    logits = jnp.einsum("td,dec->tec", h, p["phi"])
    xe = jnp.einsum("tec,td->ecd", jax.nn.softmax(logits, 0), h)
    y = jax.nn.gelu(jnp.einsum("ecd,edf->ecf", xe, p["w_in"]))
    y = jnp.einsum("ecf,efd->ecd", y, p["w_out"])
    combine = jax.nn.softmax(logits.reshape(T, -1)).reshape(logits.shape)
    return finish(p, h + jnp.einsum("tec,ecd->td", combine, y), t)


@model(
    HEAD,
    w_in=P("backbone", "brc", E, D, F, why=SOFT),
    w_out=P("backbone", "brc", E, F, D, why=SOFT),
    router=P("backbone", "rc", D, E, why=SOFT),
)
def relu_router(p, x, t):
    """ReMoE: a relu instead of a top-k."""
    h = p["embed"][x]
    return finish(p, h + experts(p, h, jax.nn.relu(h @ p["router"])), t)
