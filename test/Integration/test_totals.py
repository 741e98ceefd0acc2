#===- test_totals.py - the paper's 6.78 B step -------------------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""50.55 GiB -> 1.29 GiB, to the byte, by structure alone: with names, without
any name or location, and with names that lie."""

import math
import random
import re

import pytest
import skewopt
from skewopt import export

BEFORE, AFTER = 54_273_081_344, 1_380_029_764
PRESETS = ["moe-6.78b-stacked",
           pytest.param("moe-6.78b-separate", marks=pytest.mark.slow)]


def tier_class(name):
    if "experts" in name:
        return "expert"
    return "router" if "router" in name else "backbone"


def state_after(parameter):
    """The paper's table, worked out from the shape: bytes of fp32 state."""
    shape, kind = parameter.shape, tier_class(parameter.name)
    if kind == "router":
        return 4 * math.prod(shape)
    momentum = 4 * math.prod(shape) if kind == "backbone" else 0
    if len(shape) == 1:
        return momentum + 4 * shape[0]
    return momentum + 4 * math.prod(shape[:-2]) * (shape[-2] + shape[-1])


def lower(name):
    return export.lower(export.preset(name)).compiler_ir("stablehlo")


def asm(module, debug_info):
    return module.operation.get_asm(print_generic_op_form=True,
                                    enable_debug_info=debug_info)


def check(result, preset, named=True):
    expected = export.parameters(export.preset(preset))
    found = result.report.parameters
    assert len(found) == len(expected)
    for i, (parameter, want) in enumerate(zip(found, expected, strict=True)):
        wanted_name = f"params{want.name}" if named else f"arg{i}"
        assert parameter.name == wanted_name
        assert parameter.status == "raised", (want.name, parameter.reason)
        assert parameter.tier_class == tier_class(want.name), want.name
        assert parameter.state_before_bytes == 8 * parameter.elements
        assert parameter.state_after_bytes == state_after(want), want.name
        hyper = parameter.hyperparameters
        assert hyper["beta1"] == pytest.approx(0.9, abs=1e-7)
        assert hyper["beta2"] == pytest.approx(0.999, abs=1e-7)
        assert hyper["eps"] == pytest.approx(1e-8, rel=1e-6)
        decay = 0.0 if "router" in want.name else 0.05
        assert hyper["weight_decay"] == pytest.approx(decay, rel=1e-6)
    assert result.report.state_before_bytes == BEFORE
    assert result.report.state_after_bytes == AFTER
    held = sum(math.prod(e.shape) * e.numpy_dtype.itemsize
               for e in result.layout.state())
    assert held == AFTER


@pytest.mark.parametrize("preset", PRESETS)
def test_with_names(compiler, preset):
    check(skewopt.optimize(asm(lower(preset), True), policy="paper"), preset)


@pytest.mark.parametrize("preset", PRESETS)
def test_without_names_or_locations(compiler, preset):
    text = re.sub(r'jax\.result_info = "[^"]*"', "", asm(lower(preset), False))
    assert "router" not in text and "loc(" not in text
    check(skewopt.optimize(text, policy="paper"), preset, named=False)


@pytest.mark.parametrize("preset", PRESETS)
def test_with_shuffled_names(compiler, preset):
    text = asm(lower(preset), True)
    paths = [p.name for p in export.parameters(export.preset(preset))]
    swapped = list(paths)
    random.Random(1).shuffle(swapped)
    lies = dict(zip(paths, swapped, strict=True))
    pattern = "|".join(re.escape(p) for p in sorted(paths, key=len,
                                                    reverse=True))
    text = re.sub(rf'(params|mu|nu|result\[0\])({pattern})(?=")',
                  lambda m: m[1] + lies[m[2]], text)
    result = skewopt.optimize(text, policy="paper")
    assert result.report.state_before_bytes == BEFORE
    assert result.report.state_after_bytes == AFTER
    liars = set()
    for parameter, true_path in zip(result.report.parameters, paths,
                                    strict=True):
        assert parameter.name == f"params{lies[true_path]}"
        assert parameter.tier_class == tier_class(true_path)
        if tier_class(parameter.name) != parameter.tier_class:
            liars.add(parameter.name)
    assert liars, "the shuffle must move a name across tiers"
    told = "\n".join(result.remarks + [item.message
                                       for item in result.report.lint])
    assert all(name in told for name in liars)
