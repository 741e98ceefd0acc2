#===- meshes.py - graphs over several devices, and what runs them --------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""Exports steps that are cut over a mesh, and runs texts on virtual devices in
processes of their own (mesh_worker.py)."""

import dataclasses
import functools
import json
import os
import pathlib
import re
import socket
import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import AbstractMesh, NamedSharding, PartitionSpec
from skewopt import model

WORKER = pathlib.Path(__file__).with_name("mesh_worker.py")


@dataclasses.dataclass(frozen=True)
class Mesh:
    """A mesh and how it cuts tensors; None: one device, nothing cut."""

    sizes: tuple
    names: tuple
    # PartitionSpec by rank; a function of (name, shape).
    spec: object
    # Fixes the layout of results, so that jax pairs donors with results; else
    # it marks donors and leaves the pairing to XLA.
    fixes_results: bool
    # Shardings of XLA's older partitioner instead of Shardy's.
    is_hlo: bool = False
    # Constrains gradients, weights and state inside the step as well.
    constrains: bool = False

    @property
    def devices(self):
        return int(np.prod(self.sizes))


def _cut_by_eight(name, shape):
    """One axis: experts over devices, or their rows, or their columns; of
    other tensors the largest dimension that eight divides."""
    axis = None
    if len(shape) == 3:
        axis = {"w1": 0, "w2": 1, "w3": 2}[name[-4:-2]]
    else:
        fitting = [a for a, n in enumerate(shape) if n % 8 == 0]
        if fitting:
            axis = max(fitting, key=lambda a: shape[a])
    return PartitionSpec(*("x" if a == axis else None
                           for a in range(len(shape))))


def _cut_by_two_and_four(name, shape):
    """Two axes: both sides of matrices; experts and one side, or both."""
    if len(shape) == 3:
        return {"w1": PartitionSpec("x", "y", None),
                "w2": PartitionSpec("x", None, "y"),
                "w3": PartitionSpec(None, "x", "y")}[name[-4:-2]]
    if len(shape) == 2:
        return PartitionSpec("x", "y" if shape[1] % 4 == 0 else None)
    return PartitionSpec("y") if len(shape) == 1 else PartitionSpec()


MESHES = {
    "one": None,
    "x8": Mesh((8,), ("x",), _cut_by_eight, False),
    "x2y4": Mesh((2, 4), ("x", "y"), _cut_by_two_and_four, True),
    "hlo": Mesh((2, 4), ("x", "y"), _cut_by_two_and_four, True, is_hlo=True),
    "constrained": Mesh((2, 4), ("x", "y"), _cut_by_two_and_four, False,
                        constrains=True),
}


def _shardings(mesh, tree):
    abstract = AbstractMesh(mesh.sizes, mesh.names)
    return jax.tree_util.tree_map_with_path(
        lambda path, leaf: NamedSharding(abstract, mesh.spec(
            jax.tree_util.keystr(path), leaf.shape)), tree)


def _constrain(mesh, tree):
    return jax.tree_util.tree_map(jax.lax.with_sharding_constraint, tree,
                                  _shardings(mesh, tree))


def lower(config, mesh, inject):
    """The train step of `config`, cut over `mesh`. With `inject` the optimizer
    sees recorded gradients (stepping.lower_injected)."""
    constrain = lambda tree: tree
    if mesh and mesh.constrains:
        constrain = functools.partial(_constrain, mesh)

    def step(params, opt_state, tokens, *recorded):
        loss, grads = jax.value_and_grad(
            lambda p: model.loss_fn(config, p, tokens)[0])(params)
        if inject:
            grads = jax.tree_util.tree_map(
                lambda r, c: jnp.stack([r, c * jnp.zeros((), c.dtype)]).sum(0),
                recorded[0], grads)
        params, opt_state = model.apply_gradients(
            config, params, opt_state, constrain(grads))
        return constrain(params), constrain(opt_state), loss

    params = model.parameter_shapes(config)
    state = jax.eval_shape(lambda p: model.init_opt_state(config, p), params)
    tokens = jax.ShapeDtypeStruct((config.batch, config.sequence + 1),
                                  jnp.int32)
    arguments = (params, state, tokens) + ((params,) if inject else ())
    options = {}
    if mesh:
        abstract = AbstractMesh(mesh.sizes, mesh.names)
        cut = functools.partial(_shardings, mesh)
        data = NamedSharding(abstract, PartitionSpec(mesh.names))
        options["in_shardings"] = ((cut(params), cut(state), data) +
                                   ((cut(params),) if inject else ()))
        if mesh.fixes_results:
            options["out_shardings"] = (
                cut(params), cut(state),
                NamedSharding(abstract, PartitionSpec()))
    jitted = jax.jit(step, donate_argnums=(0, 1), **options)
    if not mesh:
        return jitted.lower(*arguments)
    used = jax.config.jax_use_shardy_partitioner
    jax.config.update("jax_use_shardy_partitioner", not mesh.is_hlo)
    try:
        return jitted.trace(*arguments).lower(lowering_platforms=("cpu",))
    finally:
        jax.config.update("jax_use_shardy_partitioner", used)


def result_shapes(text):
    """Shapes of @main's results in a generic text."""
    function = next(line for line in text.splitlines()
                    if 'sym_name = "main"' in line and "function_type" in line)
    types = re.search(r"function_type = \(.*?\) -> (\(.*?\)|\S+?)[,}]",
                      function)[1]
    return [tuple(int(n) for n in shape.split("x")[:-1])
            for shape in re.findall(r"tensor<([^>]*)>", types)]


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@dataclasses.dataclass
class Found:
    """What a run of the worker found."""

    values: dict      # "final<argument>", "r<step>_<result>"
    donated: list     # arguments that were deleted in the first step
    resharded: list   # feedback that changed its layout on the way
    hlo: str          # after XLA's passes
    memory: dict      # bytes per device
    argument_parts: list

    def collectives(self):
        """{kind: count} in the compiled module."""
        kinds = re.findall(r"= [^=\n]*?\b(all-gather|all-reduce|all-to-all|"
                           r"reduce-scatter|collective-permute)(?:-start)?\(",
                           self.hlo)
        return {kind: kinds.count(kind) for kind in set(kinds)}

    def aliased_arguments(self):
        """Arguments whose buffer a result takes over."""
        header = self.hlo.splitlines()[0]
        found = re.search(r"input_output_alias=\{(.*?)\}, entry", header)
        return sorted({int(i) for i in re.findall(r"\((\d+), \{\}",
                                                  found[1])}) if found else []


def run(folder, text, arguments, results, feedback, steps, devices,
        inputs=(), keep=(), processes=1, shardy=True):
    """Steps `text`. `results`: shapes; `inputs`: per step {argument: array};
    `feedback`: [argument, result] pairs; `keep`: results kept each step."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    given = {f"a{i}": np.asarray(a) for i, a in enumerate(arguments)}
    for step, fed in enumerate(inputs):
        given |= {f"s{step}_{i}": np.asarray(a) for i, a in fed.items()}
    (folder / "text.mlir").write_text(text)
    np.savez(folder / "inputs.npz", given=np.array(given, dtype=object))
    job = {"text": str(folder / "text.mlir"), "devices": devices,
           "inputs": str(folder / "inputs.npz"), "shardy": shardy,
           "outputs": str(folder / "outputs.npz"), "steps": steps,
           "arguments": len(arguments), "keep_each_step": list(keep),
           "result_shapes": [list(s) for s in results],
           "feedback": [list(pair) for pair in feedback]}
    (folder / "job.json").write_text(json.dumps(job))
    command = [sys.executable, str(WORKER), str(folder / "job.json")]
    commands = [command]
    if processes > 1:
        port = str(_free_port())
        commands = [[*command, str(i), port] for i in range(processes)]
    environment = {k: v for k, v in os.environ.items() if k != "XLA_FLAGS"}
    started = [subprocess.Popen(c, stdout=subprocess.PIPE, text=True,
                                stderr=subprocess.STDOUT, env=environment)
               for c in commands]
    try:
        said = [p.communicate(timeout=300)[0] for p in started]
    finally:
        for process in started:
            process.kill()
    for process, output in zip(started, said, strict=True):
        assert process.returncode == 0, output[-4000:]
    found = np.load(folder / "outputs.npz", allow_pickle=True)["found"].item()
    return Found(**found)
