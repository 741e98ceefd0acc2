# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ensembles, replicas, shards, and loops over steps and layers."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
from corpus import TOKENS, Graph, graph, tiny_loss, tiny_params
from jax.sharding import Mesh, NamedSharding
from jax.sharding import PartitionSpec as P

RULE = optax.adamw(1e-3, weight_decay=1e-2)
BATCHES = jax.ShapeDtypeStruct((4, 4, 6), jnp.int32)


def one(params, state, tokens):
    loss, grads = jax.value_and_grad(tiny_loss)(params, tokens)
    updates, state = RULE.update(grads, state, params)
    return optax.apply_updates(params, updates), state, loss


def lanes(tree, count):
    return jax.tree_util.tree_map(
        lambda x: jnp.broadcast_to(x, (count,) + jnp.shape(x)), tree)


@graph("vmap_ensemble")
def ensemble():
    """Every lane counts its own steps."""
    params = tiny_params()

    def step(carry, tokens):
        params, state = carry
        params, state, loss = jax.vmap(one)(params, state, tokens)
        return (params, state), loss

    return Graph(step, lanes((params, RULE.init(params)), 4), BATCHES)


@graph("vmap_ensemble_shared_counter")
def ensemble_shared():
    """The model is mapped, the optimizer sees one stacked tree."""
    params = lanes(tiny_params(), 4)

    def step(carry, tokens):
        params, state = carry
        loss, grads = jax.vmap(jax.value_and_grad(tiny_loss))(params, tokens)
        updates, state = RULE.update(grads, state, params)
        return (optax.apply_updates(params, updates), state), loss

    return Graph(step, (params, RULE.init(params)), BATCHES)


@graph("vmap_learning_rates")
def ensemble_rates():
    """A sweep: one learning rate per lane, one counter."""
    params = lanes(tiny_params(), 4)
    rule = optax.scale_by_adam()

    def step(carry, tokens, rates):
        params, state = carry
        loss, grads = jax.vmap(jax.value_and_grad(tiny_loss))(params, tokens)
        updates, state = rule.update(grads, state, params)
        params = jax.vmap(lambda p, u, rate: jax.tree_util.tree_map(
            lambda a, b: a - rate * b, p, u))(params, updates, rates)
        return (params, state), loss

    return Graph(step, (params, rule.init(params)), BATCHES,
                 jax.ShapeDtypeStruct((4,), jnp.float32))


@graph("pmap_replicated")
def replicated():
    """pmap: everything has a leading axis of devices."""
    params = tiny_params()

    def step(carry, tokens):
        params, state = carry
        loss, grads = jax.value_and_grad(tiny_loss)(params, tokens)
        grads = jax.lax.pmean(grads, "i")
        updates, state = RULE.update(grads, state, params)
        return (optax.apply_updates(params, updates), state), loss

    return Graph(step, lanes((params, RULE.init(params)), 4), BATCHES,
                 jit=lambda step: jax.pmap(step, "i", donate_argnums=0))


def mesh():
    return Mesh(np.array(jax.devices()[:4]), ("data",))


@graph("shard_map_data")
def shard_map_data():
    params = tiny_params()

    def inner(params, state, tokens):
        loss, grads = jax.value_and_grad(tiny_loss)(params, tokens)
        grads = jax.lax.pmean(grads, "data")
        updates, state = RULE.update(grads, state, params)
        return (optax.apply_updates(params, updates), state,
                jax.lax.pmean(loss, "data"))

    mapped = jax.shard_map(inner, mesh=mesh(),
                           in_specs=(P(), P(), P("data")), out_specs=P(),
                           check_vma=False)

    def step(carry, tokens):
        params, state, loss = mapped(*carry, tokens)
        return (params, state), loss

    return Graph(step, (params, RULE.init(params)), TOKENS)


@graph("jit_sharded")
def jit_sharded():
    """Parameters and moments sharded over rows where they divide."""
    params = tiny_params()

    def sharding(x):
        shape = jnp.shape(x)
        rows = bool(shape) and shape[0] % 4 == 0
        return NamedSharding(mesh(), P("data") if rows else P())

    def step(carry, tokens):
        params, state, loss = one(*carry, tokens)
        return (params, state), loss

    carry = (params, RULE.init(params))
    places = jax.tree_util.tree_map(sharding, carry)
    return Graph(step, carry, TOKENS, jit=lambda step: jax.jit(
        step, donate_argnums=0,
        in_shardings=(places, NamedSharding(mesh(), P("data"))),
        out_shardings=(places, NamedSharding(mesh(), P()))))


@graph("scan_steps")
def scan_steps():
    params = tiny_params()

    def step(carry, batches):
        def body(carry, tokens):
            params, state, loss = one(*carry, tokens)
            return (params, state), loss

        return jax.lax.scan(body, carry, batches)

    return Graph(step, (params, RULE.init(params)), BATCHES)


@graph("fori_steps")
def fori_steps():
    params = tiny_params()

    def step(carry, batches):
        def body(i, carry):
            params, state, _ = one(*carry, batches[i])
            return params, state

        return jax.lax.fori_loop(0, 4, body, carry), jnp.zeros(())

    return Graph(step, (params, RULE.init(params)), BATCHES)


def layers_params():
    return {"k": jnp.full((6, 8, 8), 0.1), "ln": jnp.ones((6, 8)),
            "b": jnp.zeros((6, 8))}


def layers_loss(params, x):
    def layer(x, one):
        y = x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6)
        return x + jnp.tanh(y * one["ln"] @ one["k"] + one["b"]), None

    x, _ = jax.lax.scan(layer, x, params)
    return jnp.mean(x * x)


@graph("scan_layers")
def scan_layers():
    """Six layers stacked on axis 0."""
    params = layers_params()

    def step(carry, x):
        params, state = carry
        loss, grads = jax.value_and_grad(layers_loss)(params, x)
        updates, state = RULE.update(grads, state, params)
        return (optax.apply_updates(params, updates), state), loss

    return Graph(step, (params, RULE.init(params)),
                 jax.ShapeDtypeStruct((4, 8), jnp.float32))


@graph("flatten_one_vector")
def flatten_one_vector():
    """optax.flatten: the moments are one vector of all parameters."""
    params = {"w": jnp.full((8, 8), 0.1), "b": jnp.zeros(8)}
    rule = optax.flatten(RULE)

    def step(carry, x):
        params, state = carry
        loss, grads = jax.value_and_grad(lambda p: jnp.mean(
            jnp.tanh(x @ p["w"] + p["b"]) ** 2))(params)
        updates, state = rule.update(grads, state, params)
        return (optax.apply_updates(params, updates), state), loss

    return Graph(step, (params, rule.init(params)),
                 jax.ShapeDtypeStruct((4, 8), jnp.float32))
