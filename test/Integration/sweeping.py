#===- sweeping.py - one update, by every way it can run ------------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""Writes modules of one update op and runs them: in the fp64 interpreter
(skew-interpret), and in XLA through the StableHLO lowering (skew-opt).

Tools come from $SKEW_BUILD_DIR/bin, by default build/bin of the source tree.
"""

import dataclasses
import os
import pathlib
import subprocess
import tempfile

import jax
import ml_dtypes
import numpy as np
import pytest
import reference as ref
from skewopt import xla

BUILD = pathlib.Path(os.environ.get("SKEW_BUILD_DIR") or
                     pathlib.Path(__file__).parents[2] / "build")
DTYPES = {"f64": np.dtype(np.float64), "f32": np.dtype(np.float32),
          "f16": np.dtype(np.float16), "bf16": np.dtype(ml_dtypes.bfloat16),
          "i64": np.dtype(np.int64), "i32": np.dtype(np.int32),
          "i1": np.dtype(np.bool_)}
NAMES = {dtype: name for name, dtype in DTYPES.items()}
LOWER = ("--skew-decompose-updates", "--canonicalize", "--cse",
         "--convert-skew-to-stablehlo", "--skew-strip",
         "--mlir-print-op-generic")


def tool(name):
    path = BUILD / "bin" / name
    if not path.exists():
        pytest.skip(f"{name} is not built (set SKEW_BUILD_DIR)")
    return str(path)


def opt(text, *passes):
    """`text` after skew-opt with `passes`."""
    run = subprocess.run(
        [tool("skew-opt"), "--allow-unregistered-dialect", *passes, "-"],
        input=text, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout


def tensor(array):
    """MLIR's type of an array."""
    array = np.asarray(array)
    return "tensor<%s>" % "x".join([*map(str, array.shape), NAMES[array.dtype]])


def interpret(text, arguments, results, round_storage=False):
    """Results of @main in fp64, in the shapes of the arrays `results`."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for i, array in enumerate(arguments):
            array = np.asarray(array)
            wide = np.int64 if array.dtype.kind in "ib" else np.float64
            with np.errstate(invalid="ignore"):  # signalling NaN
                array.astype(wide).tofile(folder / f"arg{i}.bin")
        (folder / "in.mlir").write_text(text)
        command = [tool("skew-interpret"), str(folder / "in.mlir"),
                   f"--inputs={folder}", f"--outputs={folder}"]
        if round_storage:
            command.append("--round-storage")
        run = subprocess.run(command, capture_output=True, text=True,
                             check=False)
        assert run.returncode == 0, run.stderr
        read = []
        for i, like in enumerate(results):
            like = np.asarray(like)
            wide = np.int64 if like.dtype.kind in "ib" else np.float64
            read.append(np.fromfile(folder / f"result{i}.bin",
                                    wide).reshape(like.shape))
        return read


class Compiled:
    """@main of `text` in XLA, after the StableHLO lowering."""

    def __init__(self, text):
        self.stablehlo = opt(text, *LOWER)
        # Without x64, device_put would narrow f64 and i64 arguments.
        with jax.enable_x64(True):
            self._run = xla.compile(self.stablehlo)

    def __call__(self, arguments):
        with jax.enable_x64(True):
            return [np.asarray(r)
                    for r in self._run([np.asarray(a) for a in arguments])]


@dataclasses.dataclass(frozen=True)
class Case:
    """One update op. Axes as in reference.Tier."""

    rule: str = "skewadam"
    shape: tuple = (24, 17)
    dtype: str = "f32"
    gradient_dtype: str = None
    batch: tuple = ()
    row: tuple = (0,)
    column: tuple = (1,)
    m: str = "none"
    v: str = "factored"
    numerics: str = "tiered"
    clip: str = "batch"
    rounding: str = "nearest"
    hyper: tuple = ()
    runtime: tuple = ()
    scale: bool = False
    skip: bool = False
    seed: int = 0
    id: int = 0
    compute: str = None

    def __str__(self):
        shown = [f"{f.name}={getattr(self, f.name)}".replace(" ", "")
                 for f in dataclasses.fields(self)
                 if getattr(self, f.name) != f.default]
        return " ".join(shown) or "default"

    @property
    def hyperparameters(self):
        values = {"adamw": dict(beta1=0.9, beta2=0.999, eps=1e-8, eps_root=0.0,
                                weight_decay=0.1),
                  "lion": dict(beta1=0.9, beta2=0.99, weight_decay=0.1),
                  "sgd": dict(momentum=0.9, dampening=0.0, nesterov=0.0,
                              weight_decay=0.1)}
        values["skewadam"] = values["adamw"]
        values = dict(values[self.rule], **dict(self.hyper))
        if self.rule == "sgd" and self.m == "none":
            return {"weight_decay": values["weight_decay"]}
        return values

    def extents(self, axes):
        return tuple(n for a, n in enumerate(self.shape) if a in axes)

    def states(self):
        """(component, shape, dtype) of each state tensor, in order."""
        if self.rule == "adamw":
            return [("m", self.shape, self.m), ("v", self.shape, self.v)]
        listed = [] if self.m == "none" else [("m", self.shape, self.m)]
        if self.rule != "skewadam":
            return listed
        if self.v != "factored":
            return listed + [("v", self.shape, self.v)]
        return listed + [
            ("v_row", self.extents(self.batch + self.row), "f32"),
            ("v_col", self.extents(self.batch + self.column), "f32")]

    def arguments(self, seed=0, t=7, lr=3e-2, scale=0.5, skip=False):
        """Random arguments, in the order of @main. Gradients differ in size by
        row and batch, so that some matrices are clipped and some are not;
        second moments lie on both sides of the published rule's floor."""
        rng = np.random.default_rng(seed)
        wild = np.exp(rng.normal(size=[1 if a in self.column else n for a, n in
                                       enumerate(self.shape)]))
        wild *= np.exp2(3 * rng.normal(size=[n if a in self.batch else 1 for
                                             a, n in enumerate(self.shape)]))
        made = [rng.normal(size=self.shape).astype(DTYPES[self.dtype]),
                (1e-3 * rng.normal(size=self.shape) * wild)
                .astype(DTYPES[self.gradient_dtype or self.dtype])]
        for name, shape, dtype in self.states():
            values = (1e-3 * rng.normal(size=shape) if name == "m" else
                      10 ** rng.uniform(-10, -6, shape))
            made.append(values.astype(DTYPES[dtype]))
        made += [np.int32(t), np.float32(lr)]
        made += [np.float32(self.hyperparameters[name])
                 for name in self.runtime]
        if self.scale:
            made.append(np.float32(scale))
        if self.skip:
            made.append(np.bool_(skip))
        return made

    def text(self, arguments=None):
        """A module with @main, which returns parameter and state."""
        arguments = arguments or self.arguments()
        types = [tensor(a) for a in arguments]
        count = 2 + len(self.states())
        names = [f"%a{i}" for i in range(len(arguments))]
        some = lambda low, high: (f"{', '.join(names[low:high])} : "
                                  f"{', '.join(types[low:high])}")
        at = count + 2
        op = [f"skew.{self.rule} parameter({some(0, 1)}) "
              f"gradient({some(1, 2)})"]
        if self.states():
            op.append(f"state({some(2, count)})")
        op.append(f"step({some(count, count + 1)}) "
                  f"learning_rate({some(count + 1, at)})")
        if self.runtime:
            listed = ", ".join(f'"{name}"' for name in self.runtime)
            op.append(f"runtime [{listed}]({some(at, at + len(self.runtime))})")
            at += len(self.runtime)
        if self.scale:
            op.append(f"gradient_scale({some(at, at + 1)})")
            at += 1
        if self.skip:
            op.append(f"skip({some(at, at + 1)})")
        constants = [f"{name} = {value:.17e} : f64" for name, value in
                     self.hyperparameters.items() if name not in self.runtime]
        op.append("{%s}" % ", ".join(constants))
        attributes = [f"rounding = #skew.rounding<{self.rounding}>",
                      f"seed = {self.seed} : i64",
                      f"parameter_id = {self.id} : i64"]
        if self.compute:
            attributes.append(f"compute_type = {self.compute}")
        if self.rule == "skewadam":
            axes = ", ".join(f"{name} = {list(value)}" for name, value in (
                ("batch", self.batch), ("row", self.row),
                ("column", self.column)) if value)
            attributes += [
                f"axes = #skew.axes<{axes}>",
                f"tier = #skew.tier<m = {self.m}, v = {self.v}>",
                f"numerics = #skew.numerics<{self.numerics}>",
                f"rms_clip = #skew.rms_clip<{self.clip}>"]
        op.append("{%s}" % ", ".join(attributes))
        results = [0, *range(2, count)]
        made = ", ".join(f"%r{i}" for i in range(len(results)))
        out = ", ".join(types[i] for i in results)
        heads = ", ".join(f"{n}: {t}" for n, t in zip(names, types))
        return (f"func.func @main({heads}) -> ({out}) {{\n"
                f"  {made} = {' '.join(op)}\n  return {made} : {out}\n}}\n")

    def results(self, arguments):
        """The arguments whose next values @main returns."""
        return [arguments[0], *arguments[2:2 + len(self.states())]]

    def interpret(self, arguments, round_storage=False):
        return interpret(self.text(arguments), arguments,
                         self.results(arguments), round_storage)

    def numpy(self, arguments):
        """The same by the formulas of numerics.md in numpy."""
        values = [np.asarray(a, np.float64) for a in arguments]
        p, g = values[:2]
        count = 2 + len(self.states())
        state = {name: values[2 + i]
                 for i, (name, _, _) in enumerate(self.states())}
        t, lr = values[count:count + 2]
        at = count + 2
        hyper = dict(self.hyperparameters)
        for name in self.runtime:
            hyper[name] = float(values[at])
            at += 1
        if self.scale:
            g = g * values[at]
            at += 1
        if self.skip and arguments[at]:
            return self.results(values)
        if self.rule == "lion":
            return list(ref.lion(p, state["m"], g, lr, hyper))
        if self.rule == "sgd":
            new = ref.sgd(p, state.get("m"), g, lr, hyper)
            return list(new) if state else [new[0]]
        constants = ref.Hyper(**hyper)
        if self.rule == "adamw":
            return list(ref.adamw(p, state["m"], state["v"], g, lr, t,
                                  constants))
        tier = ref.Tier(self.m != "none", self.v == "factored", self.batch,
                        self.row, self.column, self.numerics, self.clip)
        full = dict(state)
        if tier.factored:
            full["r"] = np.expand_dims(full.pop("v_row"), self.column)
            full["c"] = np.expand_dims(full.pop("v_col"), self.row)
        p, new = ref.skewadam(p, full, g, lr, t, constants, tier)
        if tier.factored:
            new["v_row"] = new.pop("r").squeeze(self.column)
            new["v_col"] = new.pop("c").squeeze(self.row)
        return [p, *(new[name] for name, _, _ in self.states())]


def quick_if(cases, is_quick):
    """pytest parameters; those that `is_quick` does not pick are slow."""
    return [pytest.param(case, marks=[] if is_quick(case) else
                         [pytest.mark.slow]) for case in cases]


def error(got, want):
    """Largest difference over the largest magnitude wanted."""
    want = np.asarray(want, np.float64)
    scale = np.abs(want).max() or 1.0
    return float(np.abs(np.asarray(got, np.float64) - want).max() / scale)


def share_of_differing(got, want):
    """Share of elements of `got` that are not `want` rounded to its type; none
    may be further away than one step."""
    got = np.asarray(got)
    rounded = np.asarray(want, np.float64).astype(np.float32).astype(got.dtype)
    bits = np.dtype(f"i{got.dtype.itemsize}")
    # Ordered as the numbers are, so that neighbours differ by one.
    order = lambda a: np.where(a.view(bits) < 0,
                               np.iinfo(bits).min - a.view(bits).astype(int),
                               a.view(bits).astype(int))
    steps = np.abs(order(got) - order(rounded))
    assert steps.max() <= 1, f"an element is {steps.max()} steps away"
    return float((steps != 0).mean())
