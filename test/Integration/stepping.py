#===- stepping.py - graphs to step through, and what steps them ----------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""Runs an original step and its rewritten forms on the same inputs."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from skewopt import model, xla


# Compiling takes seconds, and tests share graphs.
compile_text = functools.lru_cache(maxsize=8)(xla.compile)


class Runner:
    """A compiled step with its arguments. Inputs are addressed by the index
    the argument had in the original function."""

    def __init__(self, text, originals, fed_back, layout=None):
        self._run = compile_text(text)
        if layout is None or not layout.arguments:
            self._arguments = list(originals)
            self._feedback = {i: i for i in range(fed_back)}
            self._place = {i: i for i in range(len(originals))}
        else:
            self._arguments = xla.initial_arguments(layout, list(originals))
            self._feedback = {e.index: e.aliases_result
                              for e in layout.arguments
                              if e.aliases_result is not None}
            self._place = {e.old_index: e.index for e in layout.arguments
                           if e.kind != "state"}
        self.layout = layout
        # Kept on the host: donation would delete what others still need.
        self._arguments = [np.array(a) for a in self._arguments]

    def step(self, inputs=None):
        """Feeds `inputs` (original index -> array), returns the results that
        are not fed back."""
        for index, value in (inputs or {}).items():
            self._arguments[self._place[index]] = value
        results = self._run(self._arguments)
        for argument, result in self._feedback.items():
            self._arguments[argument] = results[result]
        used = set(self._feedback.values())
        return [r for i, r in enumerate(results) if i not in used]

    def argument(self, original_index):
        """Current value of an argument that is not state, as numpy."""
        return np.asarray(self._arguments[self._place[original_index]])

    def set_argument(self, original_index, value):
        self._arguments[self._place[original_index]] = np.array(value)

    def arguments(self):
        """All arguments as they are now, as a checkpoint would hold them."""
        return [np.asarray(a) for a in self._arguments]

    def load(self, arguments):
        self._arguments = [np.array(a) for a in arguments]

    def state(self):
        """{(parameter name, component): (entry, value)}, as numpy."""
        return {(e.parameter, e.component):
                (e, np.asarray(self._arguments[e.index]))
                for e in self.layout.state()}


def leaves(tree):
    return jax.tree_util.tree_leaves(tree)


def names(config, prefix="params"):
    """Full names of the parameters in argument order."""
    found, _ = jax.tree_util.tree_flatten_with_path(
        model.parameter_shapes(config))
    return [prefix + jax.tree_util.keystr(path) for path, _ in found]


def lower_injected(config):
    """The real train step, except that its optimizer sees recorded gradients:
    (params, opt_state, tokens, recorded). The computed ones enter with factor
    zero through a reduction, which keeps the model's structure in the graph
    and is not elementwise, so that it stays one gradient per parameter."""

    def step(params, opt_state, tokens, recorded):
        grad = jax.value_and_grad(
            lambda p: model.loss_fn(config, p, tokens)[0])
        loss, computed = grad(params)
        grads = jax.tree_util.tree_map(
            lambda r, c: jnp.stack([r, c * jnp.zeros((), c.dtype)]).sum(0),
            recorded, computed)
        params, opt_state = model.apply_gradients(config, params, opt_state,
                                                  grads)
        return params, opt_state, loss

    params = model.parameter_shapes(config)
    state = jax.eval_shape(lambda p: model.init_opt_state(config, p), params)
    tokens = jax.ShapeDtypeStruct((config.batch, config.sequence + 1),
                                  jnp.int32)
    return jax.jit(step, donate_argnums=(0, 1)).lower(params, state, tokens,
                                                      params)


def batches(config, steps, seed=0):
    rng = np.random.default_rng(seed)
    return [rng.integers(0, config.vocab, (config.batch, config.sequence + 1),
                         dtype=np.int32) for _ in range(steps)]


def record_gradients(config, steps, seed=0):
    """Trains the original and returns each step's gradients (lists of
    leaves)."""
    params = model.init_params(config, seed)
    state = model.init_opt_state(config, params)

    def step(params, state, tokens):
        grads = jax.grad(lambda p: model.loss_fn(config, p, tokens)[0])(params)
        return (*model.apply_gradients(config, params, state, grads), grads)

    run, recorded = jax.jit(step), []
    for tokens in batches(config, steps, seed):
        params, state, grads = run(params, state, tokens)
        recorded.append([np.asarray(g) for g in leaves(grads)])
    return recorded


def relative_error(found, wanted):
    """Largest difference over the largest magnitude."""
    found, wanted = (np.asarray(x, np.float64) for x in (found, wanted))
    scale = np.abs(wanted).max()
    error = np.abs(found - wanted).max()
    return 0.0 if error == 0 else float(error / scale) if scale else np.inf


def bf16_steps(found, wanted, before):
    """Differences after one step, per element, in bf16 steps: those of the
    largest of both values and the one before. (A weight that the update nearly
    cancels keeps the fp32 error of its former size.)"""
    found, wanted, before = (np.asarray(x).astype(np.float64)
                             for x in (found, wanted, before))
    largest = np.maximum(np.abs(before),
                         np.maximum(np.abs(found), np.abs(wanted)))
    _, exponent = np.frexp(np.maximum(largest, 2.0 ** -126))
    return np.abs(found - wanted) / np.exp2(exponent - 8.0)
