# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""AdamW inside optax's wrappers: what changes the gradient, the state, the rate
or which parameters are updated."""

import jax
import jax.numpy as jnp
import optax
from corpus import TOKENS, Graph, graph, tiny, tiny_loss, tiny_params
from optax import contrib

LR = 1e-3
ADAMW = optax.adamw(LR, weight_decay=1e-2)
COSINE = optax.warmup_cosine_decay_schedule(0.0, LR, 10, 1000)


def matrices(params):
    return jax.tree_util.tree_map(lambda x: x.ndim > 1, params)


def labels(params):
    return {"embed": "frozen", "norm": "sgd", "up": "first", "down": "second"}


def is_last(step, **more):
    return step % 4 == 0


def spread(tree):
    return optax.global_norm(tree)


WRAPPED = {
    # The gradient is changed first.
    "clip_global_norm": optax.chain(optax.clip_by_global_norm(1.0), ADAMW),
    "clip_value": optax.chain(optax.clip(0.5), ADAMW),
    "clip_block_rms": optax.chain(optax.clip_by_block_rms(1.0), ADAMW),
    "agc": optax.chain(optax.adaptive_grad_clip(0.01), ADAMW),
    "zero_nans": optax.chain(optax.zero_nans(), ADAMW),
    "centralize": optax.chain(optax.centralize(), ADAMW),
    "add_noise": optax.chain(optax.add_noise(0.1, 0.5, 0), ADAMW),
    "normalize": optax.chain(contrib.normalize(), ADAMW),
    "gradient_ema": optax.chain(optax.ema(0.9), ADAMW),
    # The learning rate.
    "cosine": optax.adamw(COSINE),
    "linear_decay": optax.adamw(optax.linear_schedule(LR, 0.0, 1000)),
    "piecewise": optax.adam(optax.piecewise_constant_schedule(
        LR, {100: 0.1, 200: 0.1})),
    "scale_by_schedule": optax.chain(
        optax.scale_by_adam(b2=0.98), optax.add_decayed_weights(0.1, matrices),
        optax.scale_by_schedule(COSINE), optax.scale(-1.0)),
    "plateau": optax.chain(ADAMW, contrib.reduce_on_plateau()),
    # Values that come in at run time.
    "inject": optax.inject_hyperparams(optax.adamw)(learning_rate=LR),
    "inject_schedule": optax.inject_hyperparams(optax.adamw)(
        learning_rate=COSINE, weight_decay=optax.linear_schedule(0.1, 0.0, 99)),
    "inject_static": optax.inject_hyperparams(
        optax.adamw, static_args=("b1", "b2", "eps", "eps_root"))(
            learning_rate=COSINE),
    # Which parameters.
    "mask": optax.adamw(LR, weight_decay=0.1, mask=matrices),
    "two_groups_frozen_sgd": optax.partition(
        {"first": ADAMW, "second": optax.adamw(1e-4, b2=0.95),
         "sgd": optax.sgd(0.1), "frozen": optax.set_to_zero()}, labels),
    "freeze": optax.chain(
        ADAMW, optax.freeze({"embed": True, "norm": False,
                             "up": {"w": False, "b": True},
                             "down": {"w": False, "b": False}})),
    "selective": optax.selective_transform(
        ADAMW, freeze_mask={"embed": True, "norm": False,
                            "up": {"w": False, "b": True},
                            "down": {"w": False, "b": False}}),
    "masked_rest_plain": optax.masked(ADAMW, matrices),
    # When, and with which state beside it.
    "multisteps_4": optax.MultiSteps(ADAMW, 4).gradient_transformation(),
    "multisteps_1": optax.MultiSteps(ADAMW, 1).gradient_transformation(),
    "multisteps_sum": optax.MultiSteps(
        ADAMW, 4, use_grad_mean=False).gradient_transformation(),
    "apply_if_finite": optax.apply_if_finite(ADAMW, 5),
    "conditionally_transform": optax.conditionally_transform(ADAMW, is_last),
    "conditionally_mask": optax.conditionally_mask(ADAMW, is_last),
    "apply_every": optax.chain(ADAMW, optax.apply_every(4)),
    "flatten": optax.flatten(ADAMW),
    "snapshot": optax.chain(optax.snapshot("norm", spread), ADAMW),
    "monitor": optax.chain(
        optax.monitor({"norm": optax.measure_with_ema(spread, 0.9)}), ADAMW),
    # The step is changed afterwards.
    "update_ema": optax.chain(
        optax.scale_by_adam(), optax.ema(0.9), optax.scale(-LR)),
    "update_trace": optax.chain(
        optax.scale_by_adam(), optax.trace(0.9), optax.scale(-LR)),
    "update_clip": optax.chain(
        optax.scale_by_adam(), optax.clip(0.5), optax.scale(-LR)),
    "update_clip_global_norm": optax.chain(
        optax.scale_by_adam(), optax.clip_by_global_norm(1.0),
        optax.scale(-LR)),
    "update_norm": optax.chain(
        optax.scale_by_adam(), optax.normalize_by_update_norm(),
        optax.scale(-LR)),
    "update_nonnegative": optax.chain(ADAMW, optax.keep_params_nonnegative()),
    "decay_after_rate": optax.chain(
        optax.scale_by_adam(), optax.scale_by_schedule(COSINE),
        optax.scale(-1.0), optax.add_decayed_weights(-1e-5)),
    "l2": optax.chain(optax.add_decayed_weights(1e-2), optax.adam(LR)),
    "l2_schedule": optax.chain(
        optax.add_decayed_weights(optax.linear_schedule(1e-2, 0.0, 99)),
        optax.adam(LR)),
    "sam": contrib.sam(ADAMW, optax.chain(contrib.normalize(),
                                          optax.sgd(0.05))),
}

for _name, _rule in WRAPPED.items():
    _extra = None
    if _name == "plateau":
        _extra = lambda loss, grads, value_fn: {"value": loss}
    graph("wrap_" + _name)(
        lambda rule=_rule, extra=_extra: tiny(rule, extra=extra))


@graph("wrap_lookahead")
def lookahead():
    rule = optax.lookahead(ADAMW, 5, 0.5)
    params = optax.LookaheadParams.init_synced(tiny_params())

    def step(carry, tokens):
        params, state = carry
        loss, grads = jax.value_and_grad(tiny_loss)(params.fast, tokens)
        updates, state = rule.update(grads, state, params)
        return (optax.apply_updates(params, updates), state), loss

    return Graph(step, (params, rule.init(params)), TOKENS,
                 params=lambda carry: carry[0].fast)


@graph("wrap_parameter_ema")
def parameter_ema():
    params = tiny_params()

    def step(carry, tokens):
        params, state, mean = carry
        loss, grads = jax.value_and_grad(tiny_loss)(params, tokens)
        updates, state = ADAMW.update(grads, state, params)
        params = optax.apply_updates(params, updates)
        mean = optax.incremental_update(params, mean, 0.001)
        return (params, state, mean), loss

    return Graph(step, (params, ADAMW.init(params), params), TOKENS)


@graph("wrap_bf16")
def bf16():
    return tiny(ADAMW, jnp.bfloat16)


@graph("wrap_masters")
def masters():
    """fp32 masters; the model sees bf16 copies, and keeps them."""
    params = tiny_params()
    copy = lambda tree: jax.tree_util.tree_map(
        lambda x: x.astype(jnp.bfloat16), tree)

    def step(carry, tokens):
        params, low, state = carry
        loss, grads = jax.value_and_grad(tiny_loss)(low, tokens)
        grads = jax.tree_util.tree_map(lambda x: x.astype(jnp.float32), grads)
        updates, state = ADAMW.update(grads, state, params)
        params = optax.apply_updates(params, updates)
        return (params, copy(params), state), loss

    return Graph(step, (params, copy(params), ADAMW.init(params)), TOKENS)


@graph("wrap_gradient_arguments")
def gradient_arguments():
    """The optimizer's step alone."""
    params = tiny_params()

    def step(carry, grads):
        params, state = carry
        updates, state = ADAMW.update(grads, state, params)
        return (optax.apply_updates(params, updates), state), jnp.zeros(())

    return Graph(step, (params, ADAMW.init(params)), params)


@graph("wrap_accumulation_scan")
def accumulation_scan():
    """Gradients summed over micro-batches by a loop, then one step."""
    params = tiny_params()

    def step(carry, tokens):
        params, state = carry

        def add(total, part):
            grads = jax.grad(tiny_loss)(params, part)
            return jax.tree_util.tree_map(jnp.add, total, grads), None

        zero = jax.tree_util.tree_map(jnp.zeros_like, params)
        grads, _ = jax.lax.scan(add, zero, tokens)
        grads = jax.tree_util.tree_map(lambda g: g / tokens.shape[0], grads)
        updates, state = ADAMW.update(grads, state, params)
        return (optax.apply_updates(params, updates), state), jnp.zeros(())

    return Graph(step, (params, ADAMW.init(params)),
                 jax.ShapeDtypeStruct((3, 4, 6), jnp.int32))


@graph("wrap_loss_scale")
def loss_scale():
    """A constant loss scale; a step with a non-finite gradient is undone."""
    params = tiny_params()

    def step(carry, tokens):
        params, state = carry
        grads = jax.grad(lambda p, t: 1024.0 * tiny_loss(p, t))(params, tokens)
        grads = jax.tree_util.tree_map(lambda g: g / 1024.0, grads)
        finite = jnp.all(jnp.stack(
            [jnp.all(jnp.isfinite(g)) for g in jax.tree_util.tree_leaves(grads)]))
        updates, new = ADAMW.update(grads, state, params)
        applied = optax.apply_updates(params, updates)
        keep = lambda x, y: jax.tree_util.tree_map(
            lambda a, b: jnp.where(finite, a, b), x, y)
        return (keep(applied, params), keep(new, state)), finite

    return Graph(step, (params, ADAMW.init(params)), TOKENS)
