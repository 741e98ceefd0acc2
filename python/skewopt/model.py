#===- model.py - a mixture-of-experts language model with AdamW ----------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""The SkewAdam paper's architecture as a JAX function, at any size.

One dense SwiGLU block, then mixture-of-experts blocks with a top-k softmax
router ("Where Should Optimizer State Live?", arXiv 2607.19058): grouped-query
attention, learned positions, LayerNorm with bias, tied embedding. All experts
are evaluated for every token and weighted by the gate, so the graph is the
same at 0.16 M and at 6.78 B parameters. The train step is written the way a
user would write it: `jax.value_and_grad`, an `optax` chain, both states
donated. Nothing in it knows about skew-opt.

Weights are stored in `weight_dtype` (matrices) or fp32 (norms, router);
AdamW's moments are fp32 throughout.
"""

from __future__ import annotations

import dataclasses

import jax
import jax.numpy as jnp
import numpy as np
import optax


@dataclasses.dataclass(frozen=True)
class MoEConfig:
    """Sizes (in elements), dtypes and optimizer constants of one model."""

    vocab: int
    d_model: int
    heads: int
    kv_heads: int
    d_ff: int
    experts: int
    d_expert: int
    context: int
    batch: int
    sequence: int
    top_k: int = 2
    dense_blocks: int = 1
    moe_blocks: int = 1
    stacked: bool = True
    """One [experts, in, out] tensor per expert weight, or one matrix each."""
    weight_dtype: str = "bfloat16"
    compute_dtype: str | None = None
    """Type of activations and products; None means `weight_dtype`."""
    balance: float = 0.05
    z_loss: float = 1e-4
    peak_lr: float = 3e-4
    end_lr: float = 0.0
    warmup: int = 300
    steps: int = 10000
    beta1: float = 0.9
    beta2: float = 0.999
    eps: float = 1e-8
    weight_decay: float = 0.05
    clip: float | None = 1.0

    def __post_init__(self):
        if self.d_model % self.heads or self.heads % self.kv_heads:
            raise ValueError("d_model must be a multiple of heads, and heads "
                             "of kv_heads")
        if self.sequence > self.context:
            raise ValueError("sequence must not exceed context")
        if not 0 < self.top_k <= self.experts:
            raise ValueError("top_k must be between 1 and experts")

    @property
    def head_dim(self) -> int:
        return self.d_model // self.heads


def parameter_shapes(config: MoEConfig) -> dict:
    """The parameter tree as `jax.ShapeDtypeStruct`s; allocates nothing."""
    c = config
    weight = jnp.dtype(c.weight_dtype)

    def matrix(*shape):
        return jax.ShapeDtypeStruct(shape, weight)

    def norm():
        vector = jax.ShapeDtypeStruct((c.d_model,), jnp.float32)
        return {"scale": vector, "bias": vector}

    def swiglu(width, *lead):
        return {"w1": matrix(*lead, c.d_model, width),
                "w2": matrix(*lead, c.d_model, width),
                "w3": matrix(*lead, width, c.d_model)}

    def experts():
        if c.stacked:
            return swiglu(c.d_expert, c.experts)
        return [swiglu(c.d_expert) for _ in range(c.experts)]

    def block(ff):
        kv = c.kv_heads * c.head_dim
        return {"attn": {"q_proj": matrix(c.d_model, c.d_model),
                         "k_proj": matrix(c.d_model, kv),
                         "v_proj": matrix(c.d_model, kv),
                         "out_proj": matrix(c.d_model, c.d_model)},
                "norm1": norm(), "norm2": norm(), "ff": ff}

    router = jax.ShapeDtypeStruct((c.d_model, c.experts), jnp.float32)
    blocks = [block(swiglu(c.d_ff)) for _ in range(c.dense_blocks)]
    blocks += [block({"router": router, "experts": experts()})
               for _ in range(c.moe_blocks)]
    return {"tok_emb": matrix(c.vocab, c.d_model),
            "pos_emb": matrix(c.context, c.d_model),
            "layers": blocks, "norm_f": norm()}


def init_params(config: MoEConfig, seed: int) -> dict:
    """Random weights: normal, 0.02 for embeddings and router, 1/sqrt(fan-in)
    for the other matrices, scaled by 1/sqrt(2 blocks) where a block writes to
    the residual stream; norms start as the identity."""
    rng = np.random.default_rng(seed)
    blocks = config.dense_blocks + config.moe_blocks

    def init(path, leaf):
        name = jax.tree_util.keystr(path)
        if name.endswith("['scale']"):
            return jnp.ones(leaf.shape, leaf.dtype)
        if name.endswith("['bias']"):
            return jnp.zeros(leaf.shape, leaf.dtype)
        if "emb" in name or "router" in name:
            std = 0.02
        else:
            std = leaf.shape[-2] ** -0.5
        if name.endswith(("['w3']", "['out_proj']")):
            std /= (2 * blocks) ** 0.5
        value = rng.standard_normal(leaf.shape, np.float32) * np.float32(std)
        return jnp.asarray(value, leaf.dtype)

    return jax.tree_util.tree_map_with_path(init, parameter_shapes(config))


def _layer_norm(x, norm):
    """fp32 inside; returns x's dtype."""
    f = x.astype(jnp.float32)
    mean = f.mean(-1, keepdims=True)
    var = jnp.square(f - mean).mean(-1, keepdims=True)
    y = (f - mean) * jax.lax.rsqrt(var + 1e-5)
    return (y * norm["scale"] + norm["bias"]).astype(x.dtype)


def _attention(config, attn, x):
    """x: [batch, sequence, d_model]; causal, softmax in fp32."""
    b, s, _ = x.shape
    hd = config.head_dim
    q = (x @ attn["q_proj"]).reshape(b, s, config.heads, hd)
    k = (x @ attn["k_proj"]).reshape(b, s, config.kv_heads, hd)
    v = (x @ attn["v_proj"]).reshape(b, s, config.kv_heads, hd)
    repeat = config.heads // config.kv_heads
    k, v = jnp.repeat(k, repeat, axis=2), jnp.repeat(v, repeat, axis=2)
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k).astype(jnp.float32)
    scores = scores / np.float32(hd ** 0.5)
    causal = jnp.tril(jnp.ones((s, s), bool))
    weights = jax.nn.softmax(jnp.where(causal, scores, -1e9), axis=-1)
    mixed = jnp.einsum("bhqk,bkhd->bqhd", weights.astype(x.dtype), v)
    return mixed.reshape(b, s, config.d_model) @ attn["out_proj"]


def _swiglu(weights, x):
    return (jax.nn.silu(x @ weights["w1"]) * (x @ weights["w2"])) @ weights["w3"]


def _moe(config, ff, x):
    """x: [batch, sequence, d_model] -> (the same shape, auxiliary loss)."""
    tokens = x.reshape(-1, config.d_model)
    logits = tokens.astype(jnp.float32) @ ff["router"]
    z = jnp.mean(jax.nn.logsumexp(logits, axis=-1) ** 2)
    probs = jax.nn.softmax(logits, axis=-1)
    top, index = jax.lax.top_k(probs, config.top_k)
    top = top / jnp.maximum(top.sum(-1, keepdims=True), 1e-9)
    chosen = jax.nn.one_hot(index, config.experts)
    gate = (chosen * top[..., None]).sum(1).astype(x.dtype)
    share = chosen.sum((0, 1)) / chosen.sum()
    aux = config.balance * config.experts * jnp.sum(probs.mean(0) * share)
    aux = aux + config.z_loss * z
    experts = ff["experts"]
    if config.stacked:
        h = jax.nn.silu(jnp.einsum("nd,edf->enf", tokens, experts["w1"]))
        h = h * jnp.einsum("nd,edf->enf", tokens, experts["w2"])
        y = jnp.einsum("enf,efd->end", h, experts["w3"])
        out = jnp.einsum("end,ne->nd", y, gate)
    else:
        out = sum(_swiglu(expert, tokens) * gate[:, i, None]
                  for i, expert in enumerate(experts))
    return out.reshape(x.shape), aux


def loss_fn(config: MoEConfig, params, tokens):
    """tokens: int32 [batch, sequence + 1]. Returns (loss, cross entropy), both
    fp32 scalars in nats per token; the loss includes the router's auxiliary
    terms."""
    compute = jnp.dtype(config.compute_dtype or config.weight_dtype)
    kept = {"router", "scale", "bias"}

    def cast(path, leaf):
        return leaf if path[-1].key in kept else leaf.astype(compute)

    params = jax.tree_util.tree_map_with_path(cast, params)
    inputs, targets = tokens[:, :-1], tokens[:, 1:]
    x = params["tok_emb"][inputs] + params["pos_emb"][:inputs.shape[1]]
    aux = jnp.float32(0)
    for layer in params["layers"]:
        x = x + _attention(config, layer["attn"],
                           _layer_norm(x, layer["norm1"]))
        h = _layer_norm(x, layer["norm2"])
        if "router" in layer["ff"]:
            y, extra = _moe(config, layer["ff"], h)
            aux = aux + extra
        else:
            y = _swiglu(layer["ff"], h)
        x = x + y
    logits = _layer_norm(x, params["norm_f"]) @ params["tok_emb"].T
    logits = logits.astype(jnp.float32)
    picked = jnp.take_along_axis(logits, targets[..., None], axis=-1)[..., 0]
    cross_entropy = jnp.mean(jax.nn.logsumexp(logits, axis=-1) - picked)
    return cross_entropy + aux, cross_entropy


def decay_mask(params):
    """True where weight decay applies: everywhere but the router."""
    return jax.tree_util.tree_map_with_path(
        lambda path, _: "router" not in jax.tree_util.keystr(path), params)


def optimizer(config: MoEConfig) -> optax.GradientTransformation:
    """Global-norm clip, then AdamW with a warm-up cosine schedule."""
    schedule = optax.warmup_cosine_decay_schedule(
        0.0, config.peak_lr, config.warmup, config.steps, config.end_lr)
    adamw = optax.adamw(schedule, b1=config.beta1, b2=config.beta2,
                        eps=config.eps, weight_decay=config.weight_decay,
                        mask=decay_mask)
    if config.clip is None:
        return adamw
    return optax.chain(optax.clip_by_global_norm(config.clip), adamw)


def _fp32(tree):
    return jax.tree_util.tree_map(lambda x: x.astype(jnp.float32), tree)


def init_opt_state(config: MoEConfig, params):
    """AdamW's state, fp32 moments whatever the weights' dtype."""
    return optimizer(config).init(_fp32(params))


def apply_gradients(config: MoEConfig, params, opt_state, grads):
    """One optimizer step in fp32 with one rounded write per weight."""
    updates, opt_state = optimizer(config).update(_fp32(grads), opt_state,
                                                  _fp32(params))
    params = jax.tree_util.tree_map(
        lambda p, u: (p.astype(jnp.float32) + u).astype(p.dtype),
        params, updates)
    return params, opt_state


def train_step(config: MoEConfig):
    """(params, opt_state, tokens) -> (params, opt_state, loss)."""

    def step(params, opt_state, tokens):
        grad = jax.value_and_grad(lambda p: loss_fn(config, p, tokens),
                                  has_aux=True)
        (_, cross_entropy), grads = grad(params)
        params, opt_state = apply_gradients(config, params, opt_state, grads)
        return params, opt_state, cross_entropy

    return step


def update_step(config: MoEConfig):
    """The optimizer alone: (params, opt_state, grads) -> (params, opt_state).
    The gradients are arguments, so that recorded ones can be fed."""

    def step(params, opt_state, grads):
        return apply_gradients(config, params, opt_state, grads)

    return step
