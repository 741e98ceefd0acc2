# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every optimizer of optax and optax.contrib that a jitted step can hold."""

import jax
import jax.numpy as jnp
import optax
from corpus import graph, tiny
from optax import contrib

LR = 1e-3


def value(loss, grads, value_fn):
    return {"value": loss}


def value_grad(loss, grads, value_fn):
    return {"value": loss, "grad": grads, "value_fn": value_fn}


def objective(loss, grads, value_fn):
    return {"obj_fn": value_fn}


PLAIN = {
    "adabelief": optax.adabelief(LR),
    "adadelta": optax.adadelta(LR),
    "adafactor": optax.adafactor(LR, min_dim_size_to_factor=8),
    "adafactor_exact": optax.adafactor(LR, factored=False,
                                       multiply_by_parameter_scale=False),
    "adagrad": optax.adagrad(LR),
    "adam": optax.adam(LR),
    "adam_nesterov": optax.adam(LR, nesterov=True),
    "adamax": optax.adamax(LR),
    "adamaxw": optax.adamaxw(LR),
    "adamw": optax.adamw(LR),
    "adamw_b1_zero": optax.adamw(LR, b1=0.0),
    "adamw_betas": optax.adamw(3e-4, b1=0.8, b2=0.95, eps=1e-6,
                               weight_decay=0.1),
    "adamw_eps_root": optax.adamw(LR, eps_root=1e-6),
    "adamw_eps_zero": optax.adamw(LR, eps=0.0, eps_root=1e-8),
    "adamw_mu_bf16": optax.adamw(LR, mu_dtype=jnp.bfloat16),
    "adan": optax.adan(LR),
    "amsgrad": optax.amsgrad(LR),
    "fromage": optax.fromage(LR),
    "lamb": optax.lamb(LR),
    "lars": optax.lars(LR, weight_decay=1e-4, momentum=0.9),
    "lion": optax.lion(LR),
    "nadam": optax.nadam(LR),
    "nadamw": optax.nadamw(LR),
    "noisy_sgd": optax.noisy_sgd(LR),
    "novograd": optax.novograd(LR),
    "optimistic_adam": optax.optimistic_adam_v2(LR),
    "optimistic_gradient_descent": optax.optimistic_gradient_descent(LR),
    "radam": optax.radam(LR),
    "rmsprop": optax.rmsprop(LR),
    "rmsprop_centered_momentum": optax.rmsprop(LR, centered=True, momentum=0.9),
    "rmsprop_corrected": optax.rmsprop(LR, decay=0.999, bias_correction=True,
                                       eps_in_sqrt=False),
    "rprop": optax.rprop(LR),
    "sgd": optax.sgd(LR),
    "sgd_momentum": optax.sgd(LR, momentum=0.9),
    "sgd_nesterov": optax.sgd(LR, momentum=0.9, nesterov=True),
    "sign_sgd": optax.sign_sgd(LR),
    "signum": optax.signum(LR),
    "sm3": optax.sm3(LR),
    "yogi": optax.yogi(LR),
    "acprop": contrib.acprop(LR),
    "ademamix": contrib.ademamix(LR),
    "adopt": contrib.adopt(LR),
    "cocob": contrib.cocob(),
    "dadapt_adamw": contrib.dadapt_adamw(),
    "galore": contrib.galore(LR, rank=4),
    "madgrad": contrib.madgrad(LR),
    "mechanize": contrib.mechanize(optax.adamw(LR)),
    "muon": contrib.muon(LR),
    "prodigy": contrib.prodigy(),
    "schedule_free_adamw": contrib.schedule_free_adamw(LR),
    "schedule_free_sgd": contrib.schedule_free_sgd(LR),
    "simplified_ademamix": contrib.simplified_ademamix(LR),
    "dog": optax.chain(optax.scale_by_distance_over_gradients(),
                       optax.scale(-1.0)),
}

WITH_MORE = {
    "polyak_sgd": (optax.polyak_sgd(), value),
    "momo": (contrib.momo(), value),
    "momo_adam": (contrib.momo_adam(), value),
    "lbfgs": (optax.lbfgs(LR, memory_size=2, linesearch=None), value_grad),
    "sophia": (contrib.sophia(LR), objective),
}

for _name, _rule in PLAIN.items():
    graph("optax_" + _name)(lambda rule=_rule: tiny(rule))
for _name, (_rule, _extra) in WITH_MORE.items():
    graph("optax_" + _name)(
        lambda rule=_rule, extra=_extra: tiny(rule, extra=extra))


@graph("optax_dpsgd")
def dpsgd():
    """Gradients of single examples, clipped and summed with noise."""
    from corpus import Graph, TOKENS, tiny_loss, tiny_params
    rule = contrib.dpsgd(LR, l2_norm_clip=1.0, noise_multiplier=0.1, seed=0)
    params = tiny_params()

    def step(carry, tokens):
        params, state = carry
        grads = jax.vmap(jax.grad(tiny_loss), (None, 0))(
            params, tokens[:, None])
        updates, state = rule.update(grads, state, params)
        return (optax.apply_updates(params, updates), state), jnp.zeros(())

    return Graph(step, (params, rule.init(params)), TOKENS)
