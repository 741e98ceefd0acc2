# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How flax (linen and nnx), haiku and equinox keep parameters and state."""

import equinox as eqx
import haiku as hk
import jax
import jax.numpy as jnp
import optax
from corpus import Graph, graph
from flax import linen as nn
from flax import nnx
from flax.training import dynamic_scale, train_state

X = jnp.zeros((4, 12))
Y = jax.ShapeDtypeStruct((4,), jnp.int32)
TOKENS = jax.ShapeDtypeStruct((2, 8), jnp.int32)
KEY = jax.random.PRNGKey(0)
RULE = optax.adamw(1e-3, weight_decay=0.1)
CLIPPED = optax.chain(
    optax.clip_by_global_norm(1.0),
    optax.adamw(optax.warmup_cosine_decay_schedule(0., 1e-3, 10, 100), b2=0.95))


def cross_entropy(logits, labels):
    return jnp.mean(
        optax.softmax_cross_entropy_with_integer_labels(logits, labels))


# --- linen ------------------------------------------------------------------------

class Classifier(nn.Module):
    @nn.compact
    def __call__(self, x, train=True):
        x = nn.Dense(16)(x)
        x = nn.BatchNorm(use_running_average=not train)(x)
        x = nn.Dropout(0.1, deterministic=not train)(nn.relu(x))
        return nn.Dense(5)(nn.LayerNorm()(x))


class BatchState(train_state.TrainState):
    batch_stats: dict


@graph("flax_train_state_batch_norm")
def train_state_batch_norm():
    model = Classifier()
    variables = model.init({"params": KEY, "dropout": KEY}, X)
    state = BatchState.create(apply_fn=model.apply, params=variables["params"],
                              batch_stats=variables["batch_stats"], tx=RULE)

    def step(state, x, y, key):
        def loss(params):
            out, new = model.apply(
                {"params": params, "batch_stats": state.batch_stats}, x,
                mutable=["batch_stats"], rngs={"dropout": key})
            return cross_entropy(out, y), new

        (value, new), grads = jax.value_and_grad(loss, has_aux=True)(
            state.params)
        return state.apply_gradients(
            grads=grads, batch_stats=new["batch_stats"]), value

    return Graph(step, state, X, Y, KEY, params=lambda state: state.params)


class Block(nn.Module):
    @nn.compact
    def __call__(self, x):
        y = nn.MultiHeadDotProductAttention(2)(nn.LayerNorm()(x))
        x = x + y
        y = nn.Dense(32)(nn.LayerNorm()(x))
        return x + nn.Dense(16)(nn.gelu(y))


class Decoder(nn.Module):
    scan: bool = False
    dtype: object = jnp.float32

    @nn.compact
    def __call__(self, tokens):
        embed = nn.Embed(32, 16, param_dtype=self.dtype)
        x = embed(tokens)
        if self.scan:
            class Layer(nn.Module):
                @nn.compact
                def __call__(self, x, _):
                    return Block()(x), None
            x, _ = nn.scan(Layer, variable_axes={"params": 0},
                           split_rngs={"params": True}, length=3)()(x, None)
        else:
            x = Block()(x)
        return embed.attend(nn.LayerNorm()(x))


def decoder(optimizer, **more):
    model = Decoder(**more)
    params = jax.eval_shape(model.init, KEY, jnp.zeros((2, 8), jnp.int32))
    state = jax.eval_shape(lambda params: train_state.TrainState.create(
        apply_fn=model.apply, params=params["params"], tx=optimizer), params)

    def step(state, tokens):
        def loss(params):
            return cross_entropy(model.apply({"params": params}, tokens)[:, :-1],
                                 tokens[:, 1:])

        value, grads = jax.value_and_grad(loss)(state.params)
        return state.apply_gradients(grads=grads), value

    return Graph(step, state, TOKENS, params=lambda state: state.params)


graph("flax_decoder")(lambda: decoder(CLIPPED))
graph("flax_decoder_scan_layers")(lambda: decoder(CLIPPED, scan=True))
graph("flax_decoder_lion")(lambda: decoder(optax.lion(1e-4, weight_decay=0.1)))
graph("flax_decoder_adafactor")(lambda: decoder(
    optax.adafactor(1e-3, min_dim_size_to_factor=16)))


@graph("flax_dynamic_scale")
def scaled():
    """Loss scaling that skips steps with a non-finite gradient."""
    model = Decoder()
    params = model.init(KEY, jnp.zeros((2, 8), jnp.int32))["params"]
    state = train_state.TrainState.create(apply_fn=model.apply, params=params,
                                          tx=RULE)

    def step(carry, tokens):
        state, scale = carry

        def loss(params):
            return cross_entropy(model.apply({"params": params}, tokens)[:, :-1],
                                 tokens[:, 1:])

        scale, finite, value, grads = scale.value_and_grad(loss)(state.params)
        new = state.apply_gradients(grads=grads)
        choose = lambda x, y: jax.tree_util.tree_map(
            lambda a, b: jnp.where(finite, a, b), x, y)
        new = new.replace(params=choose(new.params, state.params),
                          opt_state=choose(new.opt_state, state.opt_state))
        return (new, scale), value

    return Graph(step, (state, dynamic_scale.DynamicScale()), TOKENS,
                 params=lambda carry: carry[0].params)


# --- nnx ----------------------------------------------------------------------------

class NnxModel(nnx.Module):
    def __init__(self, rngs):
        self.embed = nnx.Embed(32, 16, rngs=rngs)
        self.norm = nnx.RMSNorm(16, rngs=rngs)
        self.attention = nnx.MultiHeadAttention(2, 16, decode=False, rngs=rngs)
        self.up = nnx.Linear(16, 24, rngs=rngs)
        self.down = nnx.Linear(24, 16, use_bias=False, rngs=rngs)

    def __call__(self, tokens):
        x = self.embed(tokens)
        x = x + self.attention(self.norm(x))
        x = x + self.down(nnx.silu(self.up(x)))
        return self.embed.attend(x)


def nnx_model(rule):
    model = NnxModel(nnx.Rngs(0))
    optimizer = nnx.Optimizer(model, rule, wrt=nnx.Param)
    definition, state = nnx.split((model, optimizer))

    def step(state, tokens):
        model, optimizer = nnx.merge(definition, state)

        def loss(model):
            return cross_entropy(model(tokens)[:, :-1], tokens[:, 1:])

        value, grads = nnx.value_and_grad(loss)(model)
        optimizer.update(model, grads)
        return nnx.state((model, optimizer)), value

    return Graph(step, state, TOKENS,
                 params=lambda state: state[0].filter(nnx.Param))


graph("nnx_optimizer")(lambda: nnx_model(RULE))
graph("nnx_optimizer_radam")(lambda: nnx_model(optax.radam(1e-3)))


# --- haiku --------------------------------------------------------------------------

def haiku_net(tokens):
    x = hk.Embed(32, 16)(tokens)
    y = hk.LayerNorm(-1, True, True)(x)
    y = hk.MultiHeadAttention(2, 8, model_size=16,
                              w_init=hk.initializers.TruncatedNormal(0.1))(
                                  y, y, y)
    x = x + y
    x = x + hk.Linear(16)(jax.nn.relu(hk.Linear(32)(x)))
    return hk.Linear(32)(x)


def haiku_stack(tokens):
    x = hk.Embed(32, 16)(tokens)

    def layer(x):
        y = hk.LayerNorm(-1, True, True)(x)
        return x + hk.Linear(16)(jax.nn.relu(hk.Linear(32)(y)))

    x = hk.experimental.layer_stack(3)(layer)(x)
    return hk.Linear(32)(x)


def haiku(net, rule):
    model = hk.transform(net)
    params = model.init(KEY, jnp.zeros((2, 8), jnp.int32))

    def step(carry, tokens):
        params, state = carry
        value, grads = jax.value_and_grad(lambda p: cross_entropy(
            model.apply(p, None, tokens)[:, :-1], tokens[:, 1:]))(params)
        updates, state = rule.update(grads, state, params)
        return (optax.apply_updates(params, updates), state), value

    return Graph(step, (params, rule.init(params)), TOKENS)


graph("haiku_transformer")(lambda: haiku(haiku_net, RULE))
graph("haiku_layer_stack")(lambda: haiku(haiku_stack, CLIPPED))
graph("haiku_yogi")(lambda: haiku(haiku_net, optax.yogi(1e-3)))


@graph("haiku_batch_norm")
def haiku_batch_norm():
    def net(x):
        x = hk.BatchNorm(True, True, 0.9)(hk.Linear(16)(x), is_training=True)
        return hk.Linear(5)(jax.nn.relu(x))

    model = hk.transform_with_state(net)
    params, moving = model.init(KEY, X)

    def step(carry, x, y):
        params, moving, state = carry

        def loss(params):
            out, new = model.apply(params, moving, None, x)
            return cross_entropy(out, y), new

        (value, moving), grads = jax.value_and_grad(loss, has_aux=True)(params)
        updates, state = RULE.update(grads, state, params)
        return (optax.apply_updates(params, updates), moving, state), value

    return Graph(step, (params, moving, RULE.init(params)), X, Y)


# --- equinox ------------------------------------------------------------------------

class EqxModel(eqx.Module):
    embed: eqx.nn.Embedding
    attention: eqx.nn.MultiheadAttention
    norm: eqx.nn.LayerNorm
    mlp: eqx.nn.MLP

    def __init__(self, key):
        self.embed = eqx.nn.Embedding(32, 16, key=key)
        self.attention = eqx.nn.MultiheadAttention(2, 16, key=key)
        self.norm = eqx.nn.LayerNorm(16)
        self.mlp = eqx.nn.MLP(16, 32, 24, 1, key=key)

    def __call__(self, tokens):
        x = jax.vmap(self.embed)(tokens)
        y = jax.vmap(self.norm)(x)
        x = x + self.attention(y, y, y)
        return jax.vmap(self.mlp)(x)


def equinox(rule):
    model = EqxModel(KEY)
    arrays, static = eqx.partition(model, eqx.is_inexact_array)

    def step(carry, tokens):
        arrays, state = carry

        def loss(arrays):
            out = jax.vmap(eqx.combine(arrays, static))(tokens)
            return cross_entropy(out[:, :-1], tokens[:, 1:])

        value, grads = jax.value_and_grad(loss)(arrays)
        updates, state = rule.update(grads, state, arrays)
        return (eqx.apply_updates(arrays, updates), state), value

    return Graph(step, (arrays, rule.init(arrays)), TOKENS)


graph("equinox_transformer")(lambda: equinox(RULE))
graph("equinox_cosine_clip")(lambda: equinox(CLIPPED))
graph("equinox_adabelief")(lambda: equinox(optax.adabelief(1e-3)))
