#===- test_sharded_step.py - rewritten steps over several devices --------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""The tiny MoE step over 8 virtual devices, one and two mesh axes, against the
same step on one device.

The partitioner inserts what the statistics of cut tensors need; the rewrite has
to keep the attributes and give new state its own. Numbers of an fp32 twin are
compared after 10 steps of its own gradients. Random bits are compared exactly:
a bf16 twin whose gradients are zero has no sum in its update, only the decayed
weight and its stochastic rounding. Every test runs the whole text through XLA in
processes of its own.
"""

import dataclasses
import functools

import jax
import meshes
import numpy as np
import pytest
import skewopt
import stepping
from skewopt import export, model

pytestmark = pytest.mark.slow

STEPS, TOLERANCE = 10, 1e-5
TINY = dataclasses.replace(export.preset("moe-tiny-stacked"), experts=8,
                           batch=8, warmup=2, peak_lr=3e-3, steps=200)
FP32 = dataclasses.replace(TINY, weight_dtype="float32")
CUT = ["x8", "x2y4"]


@dataclasses.dataclass
class Step:
    """A step to run: its text and how arguments and results belong together."""

    text: str
    start: list
    results: list
    feedback: list
    inputs: list
    names: dict  # argument -> what it is
    loss: int

    def run(self, folder, devices, **options):
        return meshes.run(folder, self.text, self.start, self.results,
                          self.feedback, len(self.inputs), devices,
                          self.inputs, keep=[self.loss], **options)


@functools.lru_cache(maxsize=None)
def original(config, mesh, inject=False):
    """The step as jax lowers it, with its arguments at the start."""
    lowered = meshes.lower(config, meshes.MESHES[mesh], inject)
    params = model.init_params(config, 0)
    state = model.init_opt_state(config, params)
    fed_back = stepping.leaves((params, state))
    tokens = stepping.batches(config, STEPS)
    count = len(fed_back)
    start = fed_back + [tokens[0]]
    if inject:
        start += [np.zeros_like(p) for p in stepping.leaves(params)]
    shapes = [leaf.shape for leaf in jax.tree_util.tree_leaves(
        lowered.out_info)]
    return Step(skewopt.read_graph(lowered), [np.asarray(a) for a in start],
                shapes, [(i, i) for i in range(count)],
                [{count: t} for t in tokens], {}, count)


@functools.lru_cache(maxsize=None)
def rewritten(config, mesh, inject=False, **options):
    before = original(config, mesh, inject)
    result = skewopt.optimize(before.text, **options)
    assert [p.status for p in result.report.parameters] == \
        ["raised"] * len(stepping.names(config))
    layout = result.layout
    place = {e.old_index: e.index for e in layout.arguments
             if e.kind != "state"}
    feedback = [(e.index, e.aliases_result) for e in layout.arguments
                if e.aliases_result is not None]
    fed = {result for _, result in feedback}
    loss, = (e.index for e in layout.results if e.index not in fed)
    names = {e.index: (e.parameter, e.component) for e in layout.arguments
             if e.kind in ("parameter", "state")}
    from skewopt import xla
    return Step(result.text, xla.initial_arguments(layout, before.start),
                meshes.result_shapes(result.text), feedback,
                [{place[i]: t for i, t in fed.items()}
                 for fed in before.inputs], names, loss)


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    """Callable: the run of one step, each made once."""

    @functools.lru_cache(maxsize=None)
    def run(make, config, mesh, inject=False, processes=1, **options):
        step = make(config, mesh, inject, **options)
        cut = meshes.MESHES[mesh]
        return step, step.run(tmp_path_factory.mktemp("run"),
                              cut.devices if cut else 1, processes=processes,
                              shardy=not (cut and cut.is_hlo))

    return run


def check_equal(one, cut):
    """Every weight, state and loss of `cut` is that of `one`."""
    (step, a), (_, b) = one, cut
    assert a.values.keys() == b.values.keys()
    for key, wanted in a.values.items():
        error = stepping.relative_error(b.values[key], wanted)
        what = step.names.get(int(key.removeprefix("final"))) \
            if key.startswith("final") else key
        assert error <= TOLERANCE, (what, error)


@pytest.mark.parametrize("mesh, clip", [("x8", "batch"), ("x8", "tensor"),
                                        ("x2y4", "batch"), ("hlo", "batch"),
                                        ("constrained", "batch")])
def test_equals_one_device(runs, mesh, clip):
    options = dict(rms_clip=clip)
    check_equal(runs(rewritten, FP32, "one", **options),
                runs(rewritten, FP32, mesh, **options))


def test_equals_one_device_in_two_processes(runs):
    """Each process has one coordinate of x."""
    check_equal(runs(rewritten, FP32, "one", rms_clip="batch"),
                runs(rewritten, FP32, "x2y4", processes=2, rms_clip="batch"))


@pytest.mark.parametrize("mesh", CUT)
def test_gathers_nothing_that_the_original_does_not(runs, mesh):
    _, before = runs(original, FP32, mesh)
    _, after = runs(rewritten, FP32, mesh, rms_clip="batch")
    assert before.collectives(), "the original has no collective at all"
    for kind in ("all-gather", "all-to-all", "collective-permute"):
        assert after.collectives().get(kind, 0) <= \
            before.collectives().get(kind, 0), kind


@pytest.mark.parametrize("mesh", [*CUT, "hlo", "constrained"])
def test_donation_is_kept(runs, mesh):
    _, before = runs(original, FP32, mesh)
    step, after = runs(rewritten, FP32, mesh, rms_clip="batch")
    fed = sorted(argument for argument, _ in step.feedback)
    assert after.aliased_arguments() == fed
    assert after.donated == fed
    assert after.resharded == before.resharded
    # Bytes per device: all that is fed back is in place.
    parts = sum(int(np.prod(after.argument_parts[i])) *
                step.start[i].dtype.itemsize for i in fed)
    assert after.memory["alias"] >= parts
    assert after.memory["argument"] < before.memory["argument"]


@pytest.mark.parametrize("mesh", [*CUT, "hlo", "constrained"])
def test_state_is_cut_as_its_parameter(runs, mesh):
    """Parts of new state have the extents of the parameter's parts."""
    step, after = runs(rewritten, FP32, mesh, rms_clip="batch")
    parts = {name: after.argument_parts[i] for i, name in step.names.items()}
    layout = skewopt.optimize(original(FP32, mesh).text,
                              rms_clip="batch").layout
    seen = set()
    for entry in layout.state():
        whole = parts[entry.parameter, None]
        axes = {"v_row": entry.batch_axes + entry.row_axes,
                "v_col": entry.batch_axes + entry.column_axes}.get(
                    entry.component, range(len(whole)))
        assert parts[entry.parameter, entry.component] == \
            [whole[a] for a in sorted(axes)]
        seen.add(entry.component)
    assert {"v_row", "v_col"} <= seen


@pytest.mark.parametrize("mesh", CUT)
def test_random_bits_are_those_of_one_device(runs, mesh):
    """Zero gradients: the update is the decay alone, and equal to the bit."""
    options = dict(inject=True, rounding="stochastic")
    step, one = runs(rewritten, TINY, "one", **options)
    _, cut = runs(rewritten, TINY, mesh, **options)
    moved = 0
    for i, (name, component) in step.names.items():
        if component is None:
            assert np.array_equal(one.values[f"final{i}"].view(np.uint16),
                                  cut.values[f"final{i}"].view(np.uint16)), name
            moved += (one.values[f"final{i}"] != step.start[i]).sum()
    assert moved > 1000
