#===- test_shard_map_step.py - a step under shard_map, rewritten ---------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""GPT-2 (transformers, 28 parameters, fp32) whose gradients come out of a
shard_map over data=2 x fsdp=4, stepped by XLA on 8 virtual devices: `keep`
against the original, `paper` against numpy on the original's own gradients at
the weights that the rewritten step reached.
"""

import json
import lzma
import pathlib

import meshes
import numpy as np
import pytest
import reference as ref
import skewopt
import stepping
from skewopt import xla

pytestmark = pytest.mark.slow

GRAPHS = pathlib.Path(__file__).parents[1] / "Inputs/graphs"
NAME = "gpt2_shard_map_psum_grads"
STEPS, DEVICES, TOLERANCE = 10, 8, 1e-5


@pytest.fixture(scope="module")
def step():
    """(text, facts, arguments, shapes of results)."""
    with lzma.open(GRAPHS / f"{NAME}.mlir.xz", "rt") as file:
        text = file.read()
    facts = json.loads((GRAPHS / f"{NAME}.json").read_text())
    random = np.random.default_rng(7)
    arguments = [None] * facts["n_args"]
    for entry in facts["params"]:
        scale = entry["path"].endswith("['scale']")
        arguments[entry["arg"]] = (
            0.05 * random.standard_normal(entry["shape"]) + scale
        ).astype(np.float32)
        for slot in entry["slots"].values():
            arguments[slot["arg"]] = np.zeros(slot["shape"], np.float32)
    arguments[facts["other_state"][0]["arg"]] = np.int32(0)
    arguments[-2] = random.integers(0, 512, (16, 32), dtype=np.int32)
    arguments[-1] = np.array([3, 5], np.uint32)
    return text, facts, arguments, meshes.result_shapes(text)


def carried(facts):
    """{argument: result} of what a step hands to the next."""
    places = {s["arg"]: s["result"] for s in facts["other_state"]}
    for entry in facts["params"]:
        places[entry["arg"]] = entry["result"]
        places |= {s["arg"]: s["result"] for s in entry["slots"].values()}
    return places


def run_rewritten(folder, step, policy):
    """The rewritten step -> (result of skewopt, {original argument: values
    after each step} of what has a place in the original)."""
    text, facts, arguments, _ = step
    result = skewopt.optimize(text, policy=policy)
    assert [p.status for p in result.report.parameters] == \
        ["raised"] * len(facts["params"])
    layout = result.layout
    pairs = [(e.index, e.aliases_result) for e in layout.arguments
             if e.aliases_result is not None]
    found = meshes.run(
        folder, result.text, xla.initial_arguments(layout, arguments),
        meshes.result_shapes(result.text), pairs, STEPS, DEVICES,
        keep=[place for _, place in pairs])
    slots = {("params" + entry["path"], {"mu": "m", "nu": "v"}[name]):
             slot["arg"] for entry in facts["params"]
             for name, slot in entry["slots"].items()}
    reached = {}
    for entry in layout.arguments:
        original = entry.old_index
        if original is None or entry.kind == "state":
            original = slots.get((entry.parameter, entry.component), original)
        if original is not None and entry.aliases_result is not None:
            reached[original] = [
                found.values[f"r{i}_{entry.aliases_result}"]
                for i in range(STEPS)]
    return result, reached


def test_keep_equals_the_original(step, tmp_path):
    """Each step from where the rewritten one stood: a bias whose gradient
    nearly vanishes would amplify the roundings of the steps before."""
    text, facts, arguments, shapes = step
    _, after = run_rewritten(tmp_path / "after", step, "keep")
    places = carried(facts)
    assert set(places) == set(after)
    first = {i: arguments[i] for i in places}  # Donated, so given anew.
    at = [first] + [{i: values[k] for i, values in after.items()}
                    for k in range(STEPS - 1)]
    before = meshes.run(tmp_path / "before", text, arguments, shapes, [],
                        STEPS, DEVICES, inputs=at, keep=places.values())
    for i, place in places.items():
        for k in range(STEPS):
            error = stepping.relative_error(after[i][k],
                                            before.values[f"r{k}_{place}"])
            assert error <= TOLERANCE, (i, k, error)


def test_paper_equals_numpy(step, tmp_path):
    text, facts, arguments, shapes = step
    result, after = run_rewritten(tmp_path / "after", step, "paper")
    reached = [{entry["arg"]: after[entry["arg"]][i]
                for entry in facts["params"]} for i in range(STEPS)]
    # With zero moments the original's new first moment is (1 - beta1) g.
    optimizer = facts["optimizer"]
    state = {i: arguments[i] for i in carried(facts)}  # Donated, so given anew.
    at = [state | weight for weight in [{}, *reached[:-1]]]
    gradients = meshes.run(
        tmp_path / "gradients", text, arguments, shapes, [], STEPS, DEVICES,
        inputs=at, keep=[e["slots"]["mu"]["result"] for e in facts["params"]])
    hyper = ref.Hyper(optimizer["b1"], optimizer["b2"], optimizer["eps"],
                      optimizer["eps_root"], optimizer["weight_decay"])
    reports = {p.name: p for p in result.report.parameters}
    for entry in facts["params"]:
        chosen = reports["params" + entry["path"]].tier
        tier = ref.Tier(chosen.m != "none", chosen.v == "factored",
                        tuple(chosen.batch_axes), tuple(chosen.row_axes),
                        tuple(chosen.column_axes), chosen.numerics,
                        chosen.rms_clip)
        weight = arguments[entry["arg"]].astype(np.float64)
        state = ref.initial_state(weight.shape, tier)
        for i in range(STEPS):
            m = gradients.values[f"r{i}_{entry['slots']['mu']['result']}"]
            gradient = m.astype(np.float64) / (1 - optimizer["b1"])
            assert np.any(gradient)
            weight, state = ref.skewadam(weight, state, gradient,
                                         optimizer["lr"], i + 1, hyper, tier)
            error = stepping.relative_error(
                reached[i][entry["arg"]], weight)
            assert error <= TOLERANCE, (entry["path"], i, error)
            # Rounding must not add up over steps.
            weight = reached[i][entry["arg"]].astype(np.float64)
