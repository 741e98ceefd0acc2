#===- test_regions.py - updates inside loops and manual computations -----===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""The graphs of region_graphs.py in XLA, before and after: several steps per
call, several calls, state fed back. Under policy keep the original's numbers;
under policy paper those of the reference in fp64, with gradients of its own.
"""

import lzma
import pathlib

import meshes
import numpy as np
import pytest
import reference as ref
import skewopt

REGIONS = pathlib.Path(__file__).parents[1] / "Inputs" / "regions"
HYPER = ref.Hyper(0.9, 0.95, 1e-8, 0.0, 0.1)
RATE, CALLS, BATCH, STEPS, EPOCHS = 1e-2, 2, 32, 5, 3
SHAPES = {"b1": (16,), "w1": (8, 16), "w2": (16, 4)}  # as in the arguments
KEEP_TOLERANCE, PAPER_TOLERANCE = 2e-6, 2e-5
# Name -> devices, leading axes of the batch, times that each batch is used.
CASES = {
    "scan": (1, (STEPS,), 1),
    "fori": (1, (), STEPS),
    "fori_counter": (1, (), STEPS),
    "scan_nested": (1, (EPOCHS, STEPS), 1),
    "scan_called": (1, (STEPS,), 1),
    "while_reads_parameter": (1, (), STEPS),
    "manual": (8, (), 1),
    "manual_scan": (8, (STEPS,), 1),
    "scan_manual": (8, (STEPS,), 1),
    "manual_sharded": (8, (), 1),
    "pmap": (8, (), 1),
}
SLOW = {name for name, case in CASES.items() if case[0] > 1}


def graph(name):
    return lzma.open(REGIONS / f"{name}.mlir.xz", "rt").read()


def gradients(p, x, y):
    """Of mean((tanh(x w1 + b1) w2 - y)^2)."""
    h = np.tanh(x @ p["w1"] + p["b1"])
    out = 2 * (h @ p["w2"] - y) / y.size
    hidden = (out @ p["w2"].T) * (1 - h * h)
    return {"b1": hidden.sum(0), "w1": x.T @ hidden, "w2": h.T @ out}


class Problem:
    def __init__(self, name):
        self.name = name
        self.devices, self.lead, self.uses = CASES[name]
        self.counts = name != "fori_counter"
        self.replicas = 8 if name == "pmap" else 0
        rng = np.random.default_rng(7)
        self.params = {k: (0.3 * rng.standard_normal(s)).astype(np.float32)
                       for k, s in SHAPES.items()}
        self.x = rng.standard_normal((*self.lead, BATCH, 8)).astype(np.float32)
        self.y = rng.standard_normal((*self.lead, BATCH, 4)).astype(np.float32)

    def arguments(self):
        zeros = [np.zeros_like(p) for p in self.params.values()]
        counter = [np.zeros((), np.int32)] if self.counts else []
        carried = [*self.params.values(), *counter, *zeros, *zeros]
        x, y = self.x, self.y
        if self.replicas:
            carried = [np.stack([a] * 8) for a in carried]
            x, y = (a.reshape(8, -1, a.shape[-1]) for a in (x, y))
        return carried, [x, y]

    def batches(self):
        """What one call steps through."""
        xs = self.x.astype(np.float64).reshape(-1, BATCH, 8)
        ys = self.y.astype(np.float64).reshape(-1, BATCH, 4)
        return [pair for pair in zip(xs, ys) for _ in range(self.uses)]

    def whole(self, value):
        return np.stack([value] * 8) if self.replicas else value

    def reference(self, tiers):
        """Parameters after all calls, each kept as `tiers` has it."""
        p = {k: v.astype(np.float64) for k, v in self.params.items()}
        state = {k: ref.initial_state(self.whole(v).shape, tiers[k])
                 for k, v in p.items()}
        step = 0
        # The loop over a condition stops at its limit for good.
        calls = 1 if self.name.startswith("while") else CALLS
        for call in range(calls):
            if not self.counts:
                step = 0
            for x, y in self.batches():
                step += 1
                for k, g in gradients(p, x, y).items():
                    new, state[k] = ref.skewadam(
                        self.whole(p[k]), state[k], self.whole(g), RATE, step,
                        HYPER, tiers[k])
                    p[k] = new[0] if self.replicas else new
        return p


def run(folder, text, problem, arguments, feedback):
    found = meshes.run(folder, text, arguments, meshes.result_shapes(text),
                       feedback, CALLS, problem.devices)
    return found.values


def tier(parameter):
    t = parameter.tier
    return ref.Tier(t.m != "none", t.v == "factored", tuple(t.batch_axes),
                    tuple(t.row_axes), tuple(t.column_axes), t.numerics,
                    t.rms_clip)


def check(found, places, wanted, tolerance):
    for name, value in wanted.items():
        got = np.asarray(found[f"final{places[name]}"], np.float64)
        scale = np.abs(value).max()
        assert np.abs(got - value).max() <= tolerance * scale, name


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow if n in SLOW else [])
             for n in CASES])
def test_rewritten_in_its_region(compiler, tmp_path, name):
    problem = Problem(name)
    text = graph(name)
    carried, batch = problem.arguments()
    original = run(tmp_path / "original", text, problem, carried + batch,
                   [(i, i) for i in range(len(carried))])
    at_start = {k: problem.whole(v) for k, v in problem.params.items()}
    for index, k in enumerate(SHAPES):
        # The steps do move the parameters: equality says something.
        moved = np.abs(original[f"final{index}"] - at_start[k]).max()
        assert moved > 0.5 * RATE

    for policy in ("keep", "paper"):
        result = skewopt.optimize(text, policy=policy)
        by_name = dict(zip(SHAPES, result.report.parameters))
        assert {p.status for p in by_name.values()} == {"raised"}
        entries = result.layout.arguments
        start = [np.full(e.shape, e.init, e.numpy_dtype) if e.kind == "state"
                 and e.component != "step" else (carried + batch)[e.old_index]
                 for e in entries]
        feedback = [(e.index, e.aliases_result) for e in entries
                    if e.aliases_result is not None]
        places = {k: next(e.index for e in entries
                          if e.kind == "parameter" and e.old_index == i)
                  for i, k in enumerate(SHAPES)}
        found = run(tmp_path / policy, result.text, problem, start, feedback)
        if policy == "keep":
            wanted = {k: original[f"final{i}"].astype(np.float64)
                      for i, k in enumerate(SHAPES)}
            check(found, places, wanted, KEEP_TOLERANCE)
        else:
            tiers = {k: tier(p) for k, p in by_name.items()}
            # Two matrices, and both are factored.
            assert tiers["w1"].factored and tiers["w2"].factored
            wanted = {k: problem.whole(v)
                      for k, v in problem.reference(tiers).items()}
            check(found, places, wanted, PAPER_TOLERANCE)
            # Nothing of the old second moment is left, inside or outside.
            old = sum(np.asarray(a).nbytes for a in carried)
            new = sum(np.asarray(s).nbytes for s, e in zip(start, entries)
                      if e.kind != "other")
            assert new < old
