#===- test_sharded_sweeps.py - updates of parts in manual regions --------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""Update ops with `shards` inside `sdy.manual_computation`, on 8 virtual devices,
against the same op on whole tensors on one device.

Sums over parts are made in another order, so floats have a tolerance; where an
update has no sum its stochastically rounded weights are equal to the bit. All
cases are one module, since compiling takes seconds.
"""

import re

import meshes
import numpy as np
import pytest
from sweeping import LOWER, Case, Compiled, error, opt, share_of_differing, \
    tensor

SIZES = {"x": 2, "y": 4}
MESH = ", ".join(f'"{name}" = {size}' for name, size in SIZES.items())
STATE, WEIGHTS, TIES = 2e-6, 1e-6, 1e-3
EXPERTS = dict(shape=(8, 24, 16), batch=(0,), row=(1,), column=(2,))
MATRIX = dict(shape=(32, 48))
ROUNDED = dict(dtype="bf16", rounding="stochastic", seed=5, id=2**63 - 9)

# (case, axes of the mesh per dimension, collectives in its lowering)
CASES = [
    # The sums over columns and rows, mean(r), and the RMS.
    (Case(**MATRIX), (("x",), ("y",)), 4),
    (Case(**MATRIX), (("y", "x"), ()), 3),
    (Case(**MATRIX), ((), ("x", "y")), 2),
    (Case(**MATRIX, m="f32", clip="tensor"), (("y",), ("x",)), 4),
    (Case(**MATRIX, m="bf16", clip="off"), (("x",), ("y",)), 3),
    (Case(**MATRIX, numerics="published", scale=True), (("x",), ("y",)), 4),
    (Case(**MATRIX, m="f32", v="f32"), (("x",), ("y",)), 1),
    (Case(**MATRIX), ((), ()), 0),
    # Experts on different devices have only a tensor-wide RMS in common.
    (Case(**EXPERTS), (("x", "y"), (), ()), 0),
    (Case(**EXPERTS, clip="tensor"), (("x", "y"), (), ()), 1),
    (Case(**EXPERTS, clip="tensor"), (("x",), ("y",), ()), 3),
    (Case(**EXPERTS, m="f32"), (("y",), (), ("x",)), 2),
    (Case(shape=(16, 3, 4, 20), batch=(1,), row=(0,), column=(2, 3)),
     (("x",), (), ("y",), ()), 4),
    (Case(**EXPERTS, **ROUNDED), (("y",), ("x",), ()), 3),
    (Case(**MATRIX, **ROUNDED), (("x",), ("y",)), 4),
    (Case(**MATRIX, **ROUNDED, m="f32", v="f32", clip="off"),
     (("y",), ("x",)), 0),
    (Case(**EXPERTS, **ROUNDED, v="f32", clip="off"),
     ((), ("x",), ("y",)), 0),
    (Case(rule="adamw", shape=(32, 24), m="f32", v="f32", **ROUNDED),
     (("y", "x"), ()), 0),
    (Case(rule="adamw", shape=(64,), m="f32", v="f32", row=(), column=(0,),
          **ROUNDED), (("x", "y"),), 0),
    (Case(rule="lion", shape=(32, 24), m="f32"), (("x",), ("y",)), 0),
    (Case(rule="sgd", shape=(32, 24), **ROUNDED), ((), ("y",)), 0),
]


def has_no_sum(case):
    return case.rule != "skewadam" or (case.v != "factored" and
                                       case.clip == "off")


def cut_of(case, cut):
    """The axes of the mesh for each argument of the case's @main."""
    by_axes = lambda axes: tuple(c for a, c in enumerate(cut) if a in axes)
    states = {"v_row": by_axes(case.batch + case.row),
              "v_col": by_axes(case.batch + case.column)}
    cuts = [cut, cut] + [states.get(name, cut) for name, _, _ in case.states()]
    scalars = len(case.arguments()) - len(cuts)
    return cuts + [()] * scalars


def part_of(array, cut):
    """An array of the shape that one device has."""
    array = np.asarray(array)
    shape = [n // int(np.prod([SIZES[a] for a in axes]))
             for n, axes in zip(array.shape, cut, strict=True)]
    return np.zeros(shape, array.dtype)


def sharding(cut):
    dims = ", ".join("{%s}" % ", ".join(f'"{a}"' for a in axes)
                     for axes in cut)
    return f"<@mesh, [{dims}]>"


def region(number, case, cut):
    """A manual computation of the case on the values %c<number>a<i>, and the
    types of its results."""
    arguments = case.arguments()
    cuts = cut_of(case, cut)
    parts = [part_of(a, c) for a, c in zip(arguments, cuts, strict=True)]
    op = case.text(parts).splitlines()[1].rstrip()
    dims = ", ".join("[%s]" % ", ".join(f'"{a}"' for a in axes)
                     for axes in cut)
    op = (f"{op[:-1]}, shards = #skew.sharding<mesh = [{MESH}], "
          f"dims = [{dims}]>}}")
    op = re.sub(r"%(a|r)(\d)", rf"%p{number}\1\2", op)
    returned = [0, *range(2, 2 + len(case.states()))]
    names = [f"%p{number}r{i}" for i in range(len(returned))]
    outer = [f"%c{number}a{i}" for i in range(len(arguments))]
    inner = ", ".join(f"%p{number}a{i}: {tensor(p)}"
                      for i, p in enumerate(parts))
    types = lambda arrays: ", ".join(tensor(a) for a in arrays)
    listed = lambda some: ", ".join(sharding(c) for c in some)
    whole = [arguments[i] for i in returned]
    text = f"""
  %c{number}:{len(returned)} = "sdy.manual_computation"({', '.join(outer)}) <{{
      in_shardings = #sdy.sharding_per_value<[{listed(cuts)}]>,
      manual_axes = #sdy<manual_axes{{"x", "y"}}>,
      out_shardings = #sdy.sharding_per_value<[{listed(cuts[i] for i in returned)}]>
    }}> ({{
    ^bb0({inner}):
      {op}
      "sdy.return"({', '.join(names)}) : ({types(parts[i] for i in returned)}) -> ()
  }}) : ({types(arguments)}) -> ({types(whole)})"""
    return text, whole


def module(cases):
    """All cases in one @main, with its arguments and result shapes."""
    bodies, heads, arguments, results, returned = [], [], [], [], []
    for number, (case, cut, _) in enumerate(cases):
        body, whole = region(number, case, cut)
        bodies.append(body)
        results += whole
        returned += [f"%c{number}#{i}" for i in range(len(whole))]
        for i, (a, c) in enumerate(zip(case.arguments(), cut_of(case, cut),
                                       strict=True)):
            heads.append(f"%c{number}a{i}: {tensor(a)} {{sdy.sharding = "
                         f"#sdy.sharding{sharding(c)}}}")
            arguments.append(a)
    types = ", ".join(tensor(a) for a in results)
    mesh = ", ".join(f'"{name}"={size}' for name, size in SIZES.items())
    return (f"""module attributes {{mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32}} {{
"sdy.mesh"() <{{mesh = #sdy.mesh<[{mesh}]>, sym_name = "mesh"}}> : () -> ()
func.func @main({', '.join(heads)}) -> ({types}) {{{''.join(bodies)}
  return {', '.join(returned)} : {types}
}}
}}
""", arguments, [np.shape(a) for a in results])


@pytest.mark.parametrize("case, cut, collectives", CASES, ids=[
    f"{case} {cut}".replace(" ", "") for case, cut, _ in CASES])
def test_collectives(case, cut, collectives):
    """Only what the cut dimensions need."""
    text, _, _ = module([(case, cut, collectives)])
    lowered = opt(text, *LOWER)
    assert lowered.count('"stablehlo.all_reduce"') == collectives
    assert "all_gather" not in lowered


@pytest.fixture(scope="module", params=[1, 2], ids=["1process", "2processes"])
def together(request, tmp_path_factory):
    """What 8 devices make of all cases: a list of results for each."""
    text, arguments, shapes = module(CASES)
    found = meshes.run(tmp_path_factory.mktemp("cases"), opt(text, *LOWER),
                       arguments, shapes, [], 1, 8, keep=range(len(shapes)),
                       processes=request.param)
    assert "all-gather" not in found.hlo
    values = [found.values[f"r0_{i}"] for i in range(len(shapes))]
    split = []
    for case, _, _ in CASES:
        count = 1 + len(case.states())
        split.append(values[:count])
        values = values[count:]
    return split


@pytest.fixture(scope="module")
def alone():
    """Callable: what one device makes of whole tensors."""
    made = {}

    def run(case):
        if case not in made:
            arguments = case.arguments()
            made[case] = Compiled(case.text(arguments))(arguments)
        return made[case]

    return run


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(CASES)), ids=[
    f"{case} {cut}".replace(" ", "") for case, cut, _ in CASES])
def test_equals_whole_tensors(together, alone, number):
    case = CASES[number][0]
    found, wanted = together[number], alone(case)
    before = case.arguments()[0]
    assert (np.asarray(wanted[0]) != before).any()
    if case.rounding == "stochastic":
        if has_no_sum(case):
            assert np.array_equal(found[0].view(np.uint16),
                                  wanted[0].view(np.uint16))
        else:
            assert share_of_differing(found[0], wanted[0]) <= TIES
    else:
        assert error(found[0], wanted[0]) <= WEIGHTS
    for (name, _, dtype), a, b in zip(case.states(), found[1:], wanted[1:],
                                      strict=True):
        assert error(a, b) <= (STATE if dtype == "f32" else 2 ** -8), name


def test_a_part_is_no_whole(alone):
    """The comparison sees what per-part statistics would make of it."""
    case = Case(**MATRIX)
    arguments = case.arguments()
    half = Case(shape=(16, 48))
    parts = [a[:16] if np.shape(a)[:1] == (32,) else a for a in arguments]
    got = Compiled(half.text(parts))(parts)
    assert error(got[0], alone(case)[0][:16]) > 100 * WEIGHTS
    assert error(got[2], alone(case)[2]) > 100 * STATE
