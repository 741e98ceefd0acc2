#===- xla.py - running StableHLO text in XLA -----------------------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""Compiles StableHLO text through jaxlib's client and runs it on arrays.

The text is handed to XLA as it is: what `skewopt.optimize` printed is what
runs. Arguments marked `tf.aliasing_output` are donated, as under
`jax.jit(donate_argnums=...)`: the arrays passed for them are consumed.
"""

from __future__ import annotations

import jax
import numpy as np

from .errors import Error
from .layout import Layout


class Executable:
    """A compiled function: a list of arrays in, a list of `jax.Array` out, in
    the order of the text's arguments and results."""

    def __init__(self, loaded, device):
        self._loaded, self._device = loaded, device

    def __call__(self, arguments: list) -> list:
        """Runs once. Donated arguments are deleted afterwards."""
        # Without this, jax narrows 64-bit arrays that the graph declares so.
        with jax.enable_x64(True):
            placed = [a if isinstance(a, jax.Array)
                      else jax.device_put(a, self._device) for a in arguments]
        results = self._loaded.execute_sharded(placed)
        arrays = results.disassemble_into_single_device_arrays()
        return [shards[0] for shards in arrays]


def compile(text: str, device=None) -> Executable:
    """Compiles the function @main of a StableHLO module given as text for one
    device (default: jax's first). Raises skewopt.Error when XLA refuses it."""
    from jaxlib import xla_client

    device = device or jax.devices()[0]
    try:
        loaded = device.client.compile_and_load(
            text, [device], xla_client.CompileOptions())
    except jax.errors.JaxRuntimeError as error:
        lines = str(error).strip().splitlines()
        raise Error(f"XLA does not take the module: {lines[0]}",
                    tuple(lines)) from None
    return Executable(loaded, device)


def device_bytes(arrays: list) -> int:
    """Bytes the live buffers of `arrays` hold on their device."""
    return sum(array.on_device_size_in_bytes() for array in arrays)


def init_state(layout: Layout, params: list) -> list:
    """The rewritten function's arguments before its first step, except what
    is neither a parameter nor state.

    `params`: the parameters' arrays in argument order. Returns one entry per
    argument: the parameter's array, a fresh state array filled with the
    layout's `init`, or None for "other" arguments (batch, step counters),
    which the caller fills in.
    """
    wanted = [e for e in layout.arguments if e.kind == "parameter"]
    if len(params) != len(wanted):
        raise Error(f"the layout has {len(wanted)} parameters, got "
                    f"{len(params)} arrays")
    remaining = iter(params)
    made = []
    for entry in layout.arguments:
        if entry.kind == "parameter":
            made.append(next(remaining))
        elif entry.kind == "state":
            made.append(np.full(entry.shape, entry.init, entry.numpy_dtype))
        else:
            made.append(None)
    return made


def initial_arguments(layout: Layout, original: list) -> list:
    """All arguments of the rewritten function from those of the original one:
    state is filled with its `init`, everything else is taken over from the
    argument it came from."""
    made = []
    for entry in layout.arguments:
        if entry.kind == "state":
            made.append(np.full(entry.shape, entry.init, entry.numpy_dtype))
        elif entry.old_index is None or entry.old_index >= len(original):
            raise Error(f"argument {entry.index} of the rewritten function has "
                        f"no counterpart in the original one")
        else:
            made.append(original[entry.old_index])
    return made
