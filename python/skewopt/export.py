#===- export.py - training graphs by shapes only -------------------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""Exports train steps of `skewopt.model` without allocating a weight.

    text = export.text(export.preset("moe-6.78b-stacked"))

takes seconds: only shapes are traced. The presets are the paper's 6.78 B
model with stacked or separate experts, and the same program with width 64.
"""

from __future__ import annotations

import dataclasses

import jax
import jax.numpy as jnp

from . import model
from .graph import read_graph
from .model import MoEConfig

_PAPER = MoEConfig(vocab=50257, d_model=4096, heads=32, kv_heads=8, d_ff=4096,
                   experts=128, d_expert=4096, context=256, batch=8,
                   sequence=128)
_TINY = MoEConfig(vocab=256, d_model=64, heads=8, kv_heads=2, d_ff=128,
                  experts=4, d_expert=128, context=32, batch=2, sequence=16)

PRESETS = {
    "moe-6.78b-stacked": _PAPER,
    "moe-6.78b-separate": dataclasses.replace(_PAPER, stacked=False),
    "moe-tiny-stacked": _TINY,
    "moe-tiny-separate": dataclasses.replace(_TINY, stacked=False),
    "moe-tiny-fp32": dataclasses.replace(_TINY, weight_dtype="float32"),
}


def preset(name: str) -> MoEConfig:
    """The configuration called `name`; ValueError lists the known names."""
    if name not in PRESETS:
        raise ValueError(f"preset must be one of {', '.join(PRESETS)}, "
                         f"got '{name}'")
    return PRESETS[name]


@dataclasses.dataclass(frozen=True)
class Parameter:
    """One trainable tensor: path without the leading `params`, shape in
    elements, numpy name of the stored dtype."""

    name: str
    shape: tuple[int, ...]
    dtype: str


def parameters(config: MoEConfig) -> list[Parameter]:
    """The parameters in the order of the step's arguments."""
    leaves, _ = jax.tree_util.tree_flatten_with_path(
        model.parameter_shapes(config))
    return [Parameter(jax.tree_util.keystr(path), leaf.shape,
                      jnp.dtype(leaf.dtype).name) for path, leaf in leaves]


def _state_shapes(config: MoEConfig, params):
    return jax.eval_shape(lambda p: model.init_opt_state(config, p), params)


def lower(config: MoEConfig) -> jax.stages.Lowered:
    """The train step, lowered for shapes; parameters and state donated."""
    params = model.parameter_shapes(config)
    state = _state_shapes(config, params)
    tokens = jax.ShapeDtypeStruct((config.batch, config.sequence + 1),
                                  jnp.int32)
    step = jax.jit(model.train_step(config), donate_argnums=(0, 1))
    return step.lower(params, state, tokens)


def lower_update(config: MoEConfig, gradient_dtype=None) -> jax.stages.Lowered:
    """The optimizer alone with the gradients as last arguments, in
    `gradient_dtype` or else the weights' own dtype."""
    params = model.parameter_shapes(config)
    state = _state_shapes(config, params)
    grads = jax.tree_util.tree_map(
        lambda p: jax.ShapeDtypeStruct(p.shape, gradient_dtype or p.dtype),
        params)
    step = jax.jit(model.update_step(config), donate_argnums=(0, 1))
    return step.lower(params, state, grads)


def text(config: MoEConfig) -> str:
    """Generic MLIR text of the train step, names kept as locations."""
    return read_graph(lower(config))
