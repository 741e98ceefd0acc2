#===- test_demo.py - the main job, shortened -----------------------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""`skewopt demo` from end to end with few steps, and the layout's helpers."""

import json

import jax.numpy as jnp
import numpy as np
import pytest
import skewopt
from skewopt import export, layout, xla

FILES = ["curves.json", "layout.json", "moe-6.78b-stacked.mlir",
         "moe-6.78b-stacked.skew.mlir", "plan.json", "plot.png", "report.json",
         "small-report.json"]


@pytest.mark.slow
def test_demo(compiler, skewopt_command, tmp_path):
    # fp32 weights are what utils/quickstart runs.
    folder = tmp_path / "new" / "demo"
    run = skewopt_command("demo", "-o", folder, "--steps", 12, "--seeds", 1,
                          "--weights", "bfloat16", "--json")
    assert run.returncode == 0, run.stderr
    assert sorted(p.name for p in folder.iterdir()) == FILES
    summary = json.loads(run.stdout)
    assert summary["full_size_state_bytes"] == {"before": 54_273_081_344,
                                                "after": 1_380_029_764}
    curves = json.loads((folder / "curves.json").read_text())["curves"]
    held = {c["program"]: c["state_bytes"] for c in curves}
    assert held == {"AdamW": summary["state_bytes"]["before"],
                    "SkewAdam": summary["state_bytes"]["after"]}
    assert held["AdamW"] > 7 * held["SkewAdam"]
    for curve in curves:
        assert len(curve["train"]) == 12
        assert curve["train"][-1] < curve["train"][0] - 0.3


def test_demo_needs_a_folder_it_can_make(compiler, skewopt_command, tmp_path):
    (tmp_path / "file").write_text("")
    run = skewopt_command("demo", "-o", tmp_path / "file" / "demo")
    assert run.returncode == 1
    assert run.stderr.startswith("error: cannot make folder")


def test_fresh_state_from_the_layout(compiler):
    config = export.preset("moe-tiny-stacked")
    result = skewopt.optimize(export.lower(config), policy="paper")
    leaves = [np.zeros(p.shape, jnp.dtype(p.dtype))
              for p in export.parameters(config)]
    made = xla.init_state(result.layout, leaves)
    assert len(made) == len(result.layout.arguments)
    for value, entry in zip(made, result.layout.arguments, strict=True):
        if entry.kind == "other":
            assert value is None
        elif entry.kind == "state":
            assert value.shape == tuple(entry.shape)
            assert value.dtype == entry.numpy_dtype and not value.any()
    assert sum(v.nbytes for v, e in zip(made, result.layout.arguments,
                                        strict=True)
               if e in result.layout.state()) == 276_608
    with pytest.raises(skewopt.Error, match="27 parameters, got 3 arrays"):
        xla.init_state(result.layout, leaves[:3])


def test_bytes_of_live_buffers():
    assert xla.device_bytes([jnp.zeros((3, 5), jnp.bfloat16),
                             jnp.zeros((), jnp.float32)]) == 34


def test_layout_names_an_unknown_type():
    entry = layout.Entry(3, "state", dtype="f7")
    with pytest.raises(skewopt.Error, match="argument 3 has the unknown type"):
        entry.numpy_dtype
