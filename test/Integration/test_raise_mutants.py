#===- test_raise_mutants.py - a wrong match would show here --------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""One or two ops, operands or constants of an AdamW step are changed at random.
Most mutants must be refused; one that is still raised is run in XLA as it is and
as `keep` lowers it again, on wild values. Nothing of the frontend takes part in
that comparison."""

import random

import numpy as np
import pytest

skewopt = pytest.importorskip("skewopt")
from skewopt import xla  # noqa: E402

TENSOR, SCALAR = "tensor<8xf32>", "tensor<f32>"
UNARY = ("negate", "abs", "exponential", "rsqrt", "sqrt", "tanh")
BINARY = ("add", "multiply", "subtract", "divide", "maximum", "minimum",
          "power")
ARGUMENTS = (("p", TENSOR), ("m", TENSOR), ("v", TENSOR), ("t", "tensor<i32>"),
             ("g0", TENSOR))

# The gradient is an argument, so that XLA can run the step; its norm is a
# reduction, as in training.
NORM = f'''
  %zero = "stablehlo.constant"() <{{value = dense<0.0> : {SCALAR}}}> : () -> {SCALAR}
  %gg = "stablehlo.multiply"(%g0, %g0) : ({TENSOR}, {TENSOR}) -> {TENSOR}
  %sum = "stablehlo.reduce"(%gg, %zero) <{{dimensions = array<i64: 0>}}> ({{
  ^bb0(%x: {SCALAR}, %y: {SCALAR}):
    %w = "stablehlo.add"(%x, %y) : ({SCALAR}, {SCALAR}) -> {SCALAR}
    "stablehlo.return"(%w) : ({SCALAR}) -> ()
  }}) : ({TENSOR}, {SCALAR}) -> {SCALAR}
  %n = "stablehlo.sqrt"(%sum) : ({SCALAR}) -> {SCALAR}
'''.strip("\n")


def step_lines():
    """(name, op, operands, type) of each op of the step."""

    def constant(name, value, type_=TENSOR):
        return (name, f"constant {value:.9e}", (), type_)

    return [
        constant("one", 1.0, SCALAR),
        ("c", "maximum", ("n", "one"), SCALAR),
        ("cb", "broadcast", ("c",), TENSOR),
        ("g", "divide", ("g0", "cb"), TENSOR),
        constant("b1", 0.9), constant("w1", 0.1),
        constant("b2", 0.95), constant("w2", 0.05),
        ("m0", "multiply", ("b1", "m"), TENSOR),
        ("mg", "multiply", ("w1", "g"), TENSOR),
        ("m1", "add", ("m0", "mg"), TENSOR),
        ("q", "multiply", ("g", "g"), TENSOR),
        ("v0", "multiply", ("b2", "v"), TENSOR),
        ("vg", "multiply", ("w2", "q"), TENSOR),
        ("v1", "add", ("v0", "vg"), TENSOR),
        ("i", "constant 1", (), "tensor<i32>"),
        ("t1", "add", ("t", "i"), "tensor<i32>"),
        ("tf", "convert", ("t1",), SCALAR),
        constant("d1", 0.9, SCALAR), constant("d2", 0.95, SCALAR),
        ("p1", "power", ("d1", "tf"), SCALAR),
        ("p2", "power", ("d2", "tf"), SCALAR),
        ("c1", "subtract", ("one", "p1"), SCALAR),
        ("c2", "subtract", ("one", "p2"), SCALAR),
        ("c1b", "broadcast", ("c1",), TENSOR),
        ("c2b", "broadcast", ("c2",), TENSOR),
        ("mh", "divide", ("m1", "c1b"), TENSOR),
        ("vh", "divide", ("v1", "c2b"), TENSOR),
        ("s", "sqrt", ("vh",), TENSOR),
        constant("e", 1e-8),
        ("den", "add", ("s", "e"), TENSOR),
        ("u", "divide", ("mh", "den"), TENSOR),
        constant("wd", 0.1),
        ("dp", "multiply", ("wd", "p"), TENSOR),
        ("ud", "add", ("u", "dp"), TENSOR),
        constant("r0", 1e-5, SCALAR), constant("r1", 1e-3, SCALAR),
        ("warm", "multiply", ("r0", "tf"), SCALAR),
        ("lr", "minimum", ("warm", "r1"), SCALAR),
        ("lrb", "broadcast", ("lr",), TENSOR),
        ("step", "multiply", ("lrb", "ud"), TENSOR),
        ("np", "subtract", ("p", "step"), TENSOR),
    ]


def emit(lines):
    types = dict(ARGUMENTS, n=SCALAR)
    text = []
    for name, op, operands, type_ in lines:
        types[name] = type_
        attributes = ""
        if op.startswith("constant "):
            op, value = op.split()
            attributes = f" <{{value = dense<{value}> : {type_}}}>"
        elif op == "broadcast":
            op = "broadcast_in_dim"
            attributes = " <{broadcast_dimensions = array<i64>}>"
        inputs = ", ".join(types[o] for o in operands)
        values = ", ".join("%" + o for o in operands)
        text.append(f'  %{name} = "stablehlo.{op}"({values}){attributes} : '
                    f"({inputs}) -> {type_}")
    arguments = ", ".join(f"%{n}: {t}" for n, t in ARGUMENTS)
    results = f"{TENSOR}, {TENSOR}, {TENSOR}, tensor<i32>"
    return (f"module {{\nfunc.func public @main({arguments}) -> ({results}) {{\n"
            f"{NORM}\n" + "\n".join(text) +
            f"\n  return %np, %m1, %v1, %t1 : {results}\n}}\n}}\n")


def mutate(lines, rng):
    lines = list(lines)
    for _ in range(rng.choice((1, 1, 1, 2))):
        place = rng.randrange(len(lines))
        name, op, operands, type_ = lines[place]
        if op.startswith("constant") and type_ == "tensor<i32>":
            op = f"constant {rng.choice((0, 2, 3))}"
        elif op.startswith("constant"):
            factor = rng.choice((0.0, 2.0, 0.5, 0.99, 1.01, 1e-3, 1e3, -1.0,
                                 1.0001))
            op = f"constant {float(op.split()[1]) * factor:.9e}"
        elif op in UNARY:
            op = rng.choice(UNARY)
        elif op in BINARY and type_ != "tensor<i32>":
            if rng.random() < 0.5:
                op = rng.choice(BINARY)
            else:
                known = [n for n, t in ARGUMENTS if t == type_]
                known += [n for n, _, _, t in lines[:place] if t == type_]
                operands = list(operands)
                operands[rng.randrange(2)] = rng.choice(known)
        lines[place] = (name, op, tuple(operands), type_)
        if rng.random() < 0.2 and type_ == TENSOR:
            lines[place] = (name + "_", op, tuple(operands), type_)
            lines.insert(place + 1,
                         (name, rng.choice(UNARY[:2] + UNARY[-1:]),
                          (name + "_",), TENSOR))
    return lines


def wild_arguments(seed):
    rng = np.random.RandomState(seed)

    def wide(low, high):
        return rng.randn(8) * 10.0 ** rng.uniform(low, high, 8)

    gradient = wide(-4, 4) * (seed != 4)
    step = np.int32(rng.choice((0, 1, 5, 60, 1000, 99999)))
    return [wide(-2, 3).astype(np.float32), wide(-4, 2).astype(np.float32),
            np.abs(wide(-10, 6)).astype(np.float32), step,
            gradient.astype(np.float32)]


def worst_error(original, lowered):
    """In units of what fp32 constants and orders of operations explain."""
    worst = 0.0
    for seed in range(6):
        arguments = wild_arguments(seed)
        pairs = zip(original(list(arguments)), lowered(list(arguments)))
        for place, (wanted, found) in enumerate(pairs):
            wanted = np.asarray(wanted, np.float64)
            found = np.asarray(found, np.float64)
            if not np.array_equal(np.isfinite(wanted), np.isfinite(found)):
                return np.inf
            old = np.asarray(arguments[place], np.float64)
            if place == 0:
                scale = 1e-3 * np.abs(wanted - old) + 5e-7 * np.abs(old) + 1e-12
            else:
                scale = 3e-6 * (np.abs(wanted) + np.abs(old)) + 1e-30
            with np.errstate(invalid="ignore"):
                error = np.where(np.isfinite(wanted),
                                 np.abs(wanted - found) / scale, 0.0)
            worst = max(worst, float(np.max(error)))
    return worst


def is_raised(result):
    return result.report.functions[0].parameters[0].status == "raised"


def test_the_step_itself_is_raised(compiler):
    assert is_raised(skewopt.optimize(emit(step_lines()), policy="keep"))


@pytest.mark.parametrize("seed", (0, pytest.param(1, marks=pytest.mark.slow),
                                  pytest.param(2, marks=pytest.mark.slow)))
def test_raised_mutants_compute_what_they_did(compiler, seed):
    rng = random.Random(seed)
    seen, raised = set(), 0
    while len(seen) < 120:
        text = emit(mutate(step_lines(), rng))
        if text in seen:
            continue
        seen.add(text)
        result = skewopt.optimize(text, policy="keep")
        if not result.report.functions or not is_raised(result):
            continue
        raised += 1
        error = worst_error(xla.compile(text), xla.compile(result.text))
        assert error <= 1.0, f"raised, but off by {error}:\n{text}"
    # Some mutants change clip, schedule or a constant: the test must see some.
    assert 5 <= raised <= 60, raised
