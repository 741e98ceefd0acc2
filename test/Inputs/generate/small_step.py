#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes test/Inputs/steps/small.mlir: the smallest step with all there is.

usage: small_step.py > small.mlir

AdamW on experts (bf16), a router and a bias with a name full of odd characters;
a scale that nothing updates, a shift that AMSGrad does. Only arguments have
locations: their names.
"""

import re

import jax
import jax.numpy as jnp
import optax

AdamW = optax.adamw(1e-3, weight_decay=1e-2)
AMSGrad = optax.amsgrad(1e-3)
ODD = 'größe "b"[0]\\'
TRAINED = {
    "experts": jnp.ones((4, 8, 16), jnp.bfloat16),
    "router": jnp.ones((8, 4)),
    ODD: jnp.ones(16),
}
OTHER = {"shift": jnp.ones(8)}
FROZEN = {"scale": jnp.ones(8)}


def fp32(tree):
    return jax.tree_util.tree_map(lambda x: x.astype(jnp.float32), tree)


def loss(params, x):
    x = x * params["scale"] + params["shift"]
    chance = jax.nn.softmax(x @ params["router"])
    top, which = jax.lax.top_k(chance, 2)
    weights = jnp.einsum("tk,tke->te", top, jax.nn.one_hot(which, 4))
    each = jnp.einsum("td,edf->tef", x, fp32(params["experts"]))
    out = jnp.einsum("tef,te->tf", each, weights) + params[ODD]
    return jnp.mean(out**2)


def update(rule, names, params, state, grads):
    old = {name: params[name] for name in names}
    update, state = rule.update(
        fp32({name: grads[name] for name in names}), state, fp32(old)
    )
    return {
        k: (fp32(old[k]) + update[k]).astype(old[k].dtype) for k in old
    }, state


def step(params, state, x):
    value, grads = jax.value_and_grad(loss)(params, x)
    new, adamw = update(AdamW, TRAINED, params, state["adamw"], grads)
    more, amsgrad = update(AMSGrad, OTHER, params, state["amsgrad"], grads)
    new = {**new, **more, **{name: params[name] for name in FROZEN}}
    return new, {"adamw": adamw, "amsgrad": amsgrad}, value


state = {"adamw": AdamW.init(fp32(TRAINED)), "amsgrad": AMSGrad.init(OTHER)}
lowered = jax.jit(step, donate_argnums=(0, 1)).lower(
    {**TRAINED, **OTHER, **FROZEN}, state, jnp.ones((6, 8))
)
text = lowered.compiler_ir("stablehlo").operation.get_asm(
    print_generic_op_form=True, enable_debug_info=True
)
names = dict(re.findall(r'^(#loc\d+) = loc\(("(?:\\.|[^"\\])*")\)$', text, re.M))
lines = []
for line in text.splitlines():
    if line.startswith("#loc"):
        continue
    if "^bb0(" in line and "func" not in line and len(line) > 200:
        line = re.sub(r"loc\((#loc\d+)\)", lambda m: f"loc({names[m[1]]})", line)
    else:
        line = re.sub(r' loc\((?:#loc\d*|unknown|"[^"]*"(\(#loc\d*\))?)\)', "", line)
    lines.append(line)
print("\n".join(lines))
