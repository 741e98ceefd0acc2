#===- test_export.py - the exporter and the model ------------------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""The exported architecture has the paper's sizes, and the same code trains."""

import dataclasses
import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from skewopt import export, model

ELEMENTS_6_78B = 6_784_135_168


def elements(parameters):
    return sum(math.prod(p.shape) for p in parameters)


@pytest.mark.parametrize("name, tensors, count", [
    ("moe-6.78b-stacked", 27, ELEMENTS_6_78B),
    ("moe-6.78b-separate", 27 - 3 + 3 * 128, ELEMENTS_6_78B),
    ("moe-tiny-stacked", 27, 162_688),
    ("moe-tiny-separate", 27 - 3 + 3 * 4, 162_688),
])
def test_sizes(name, tensors, count):
    parameters = export.parameters(export.preset(name))
    assert len(parameters) == tensors
    assert elements(parameters) == count


def test_adamw_state_of_the_paper():
    # fp32 m and v: 50.55 GiB.
    config = export.preset("moe-6.78b-stacked")
    shapes = model.parameter_shapes(config)
    state = jax.eval_shape(lambda p: model.init_opt_state(config, p), shapes)
    moments = [leaf for leaf in jax.tree_util.tree_leaves(state)
               if leaf.dtype == jnp.float32]
    assert sum(4 * math.prod(m.shape) for m in moments) == 54_273_081_344


def test_names_shapes_and_types():
    found = {p.name: (p.shape, p.dtype) for p in
             export.parameters(export.preset("moe-6.78b-stacked"))}
    assert found["['tok_emb']"] == ((50257, 4096), "bfloat16")
    assert found["['pos_emb']"] == ((256, 4096), "bfloat16")
    assert found["['layers'][0]['attn']['k_proj']"] == ((4096, 1024),
                                                       "bfloat16")
    assert found["['layers'][0]['ff']['w3']"] == ((4096, 4096), "bfloat16")
    assert found["['layers'][1]['ff']['experts']['w1']"] == (
        (128, 4096, 4096), "bfloat16")
    assert found["['layers'][1]['ff']['router']"] == ((4096, 128), "float32")
    assert found["['layers'][1]['norm2']['bias']"] == ((4096,), "float32")


def test_text_of_the_full_size(parses_in_mlir_22):
    text = export.text(export.preset("moe-6.78b-stacked"))
    assert "tensor<128x4096x4096xbf16>" in text
    assert "loc(\"params['layers'][1]['ff']['experts']['w1']\")" in text
    assert len(text) < 2_000_000, "weights must not be in the text"
    assert parses_in_mlir_22(text)


def test_unknown_preset():
    with pytest.raises(ValueError, match="moe-tiny-stacked"):
        export.preset("moe-huge")


@pytest.mark.parametrize("change, message", [
    ({"heads": 7}, "multiple of heads"), ({"sequence": 99}, "sequence"),
    ({"top_k": 5}, "top_k")])
def test_impossible_sizes(change, message):
    with pytest.raises(ValueError, match=message):
        dataclasses.replace(export.preset("moe-tiny-stacked"), **change)


def tokens(config, seed):
    rng = np.random.default_rng(seed)
    return jnp.asarray(rng.integers(0, config.vocab,
                                    (config.batch, config.sequence + 1)),
                       jnp.int32)


@pytest.mark.parametrize("dtype", [
    "bfloat16", pytest.param("float32", marks=pytest.mark.slow)])
def test_it_trains(dtype):
    config = dataclasses.replace(export.preset("moe-tiny-stacked"),
                                 weight_dtype=dtype, warmup=2, peak_lr=1e-2)
    params = model.init_params(config, 0)
    state = model.init_opt_state(config, params)
    step = jax.jit(model.train_step(config))
    batch, losses = tokens(config, 1), []
    for _ in range(15):
        params, state, loss = step(params, state, batch)
        losses.append(float(loss))
    assert losses[0] == pytest.approx(math.log(config.vocab), abs=0.7)
    assert losses[-1] < losses[0] - 1.0, "one batch is learnt by heart"
    assert params["layers"][1]["ff"]["experts"]["w1"].dtype == dtype
    assert params["layers"][1]["ff"]["router"].dtype == jnp.float32


def test_stacked_and_separate_experts_are_the_same_model():
    config = dataclasses.replace(export.preset("moe-tiny-fp32"))
    apart = dataclasses.replace(config, stacked=False)
    params = model.init_params(config, 3)
    layers = list(params["layers"])
    experts = layers[1]["ff"]["experts"]
    layers[1] = {**layers[1], "ff": {**layers[1]["ff"], "experts": [
        {k: v[i] for k, v in experts.items()} for i in range(config.experts)]}}
    batch = tokens(config, 2)
    loss = jax.jit(model.loss_fn, static_argnums=0)
    one = loss(config, params, batch)[0]
    other = loss(apart, {**params, "layers": layers}, batch)[0]
    assert float(one) == pytest.approx(float(other), rel=1e-6)


def test_every_expert_and_the_router_get_a_gradient():
    config = export.preset("moe-tiny-fp32")
    batch = tokens(config, 4)
    grad = jax.jit(jax.grad(lambda p: model.loss_fn(config, p, batch)[0]))
    grads = grad(model.init_params(config, 0))
    ff = grads["layers"][1]["ff"]
    assert (jnp.abs(ff["experts"]["w3"]).max(axis=(1, 2)) > 0).all()
    assert float(jnp.abs(ff["router"]).max()) > 0
