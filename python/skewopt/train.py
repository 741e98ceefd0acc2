#===- train.py - training one compiled step ------------------------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""Trains a compiled train step and records its loss curve.

A step is a function of flat arrays whose last argument is the batch and whose
last result is the loss; every other argument is fed back from the result that
replaces it.
"""

from __future__ import annotations

import dataclasses
import time
import typing

import jax
import jax.numpy as jnp
import numpy as np

from . import model
from .data import Batches, Corpus
from .model import MoEConfig
from .progress import Progress
from .xla import Executable, device_bytes

VALIDATION_SEED = 20240607


@dataclasses.dataclass
class Program:
    """A compiled step and how its arguments are made and fed back."""

    name: str
    run: Executable
    start: typing.Callable[[list], list]
    """Original arguments (parameters, AdamW state, batch) -> arguments."""
    feedback: list[int]
    """For each argument but the batch, the result that replaces it."""
    parameters: list[int]
    """The arguments that are parameters, in the tree's order."""
    state: list[int]
    """The arguments that are optimizer state (counters excepted)."""


@dataclasses.dataclass
class Curve:
    """One run. Losses in nats per byte, time in seconds."""

    program: str
    seed: int
    train: list[float] = dataclasses.field(default_factory=list)
    validation_steps: list[int] = dataclasses.field(default_factory=list)
    validation: list[float] = dataclasses.field(default_factory=list)
    state_bytes: int = 0
    seconds: float = 0.0

    @property
    def final(self) -> float:
        return self.validation[-1]


class Validator:
    """Mean cross entropy over fixed batches of the validation text."""

    def __init__(self, config: MoEConfig, corpus: Corpus, batches: int):
        source = Batches(corpus.validation, config.batch, config.sequence,
                         VALIDATION_SEED)
        self._batches = jnp.asarray(np.stack([source.next()
                                              for _ in range(batches)]))
        shapes = model.parameter_shapes(config)
        self._tree = jax.tree_util.tree_structure(shapes)

        def mean_loss(leaves, batches):
            params = jax.tree_util.tree_unflatten(self._tree, leaves)
            losses = jax.lax.map(
                lambda tokens: model.loss_fn(config, params, tokens)[1],
                batches)
            return losses.mean()

        self._mean_loss = jax.jit(mean_loss)

    def __call__(self, leaves: list) -> float:
        return float(self._mean_loss(leaves, self._batches))


def train(program: Program, config: MoEConfig, corpus: Corpus,
          validate: Validator, *, steps: int, seed: int,
          every: int) -> Curve:
    """Trains from `seed`'s weights on `seed`'s batches for `steps` steps,
    with a validation every `every` steps and at the end."""
    params = model.init_params(config, seed)
    state = model.init_opt_state(config, params)
    source = Batches(corpus.train, config.batch, config.sequence, seed)
    tokens = source.next()
    arguments = program.start(jax.tree_util.tree_leaves((params, state))
                              + [tokens])[:-1]
    curve = Curve(program.name, seed)
    started = time.monotonic()
    label = f"{program.name} seed {seed}"
    with Progress(label, steps) as bar:
        for step in range(1, steps + 1):
            results = program.run(arguments + [tokens])
            arguments = [results[i] for i in program.feedback]
            tokens = source.next()
            curve.train.append(float(results[-1]))
            if step % every == 0 or step == steps:
                loss = validate([arguments[i] for i in program.parameters])
                curve.validation_steps.append(step)
                curve.validation.append(loss)
            note = (f"train {curve.train[-1]:.3f}" + (
                f" validation {curve.final:.4f}" if curve.validation else ""))
            bar.update(step, note)
    curve.state_bytes = device_bytes([arguments[i] for i in program.state])
    curve.seconds = time.monotonic() - started
    return curve
