#===- test_sweeps_rules.py - every rule, three ways ----------------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""Decomposed updates in the interpreter against numpy, and in XLA against the
interpreter.

Tolerances are relative to a tensor's largest magnitude. The interpreter
computes in doubles but with the constants of the bodies, which are fp32 for
every parameter but an fp64 one: 0.999 and 1 - 0.999 carry 3e-8 and 5e-8.
XLA computes in fp32 and sums in its own order; of 16-bit parameters the share of
elements that fall on the other side of a tie is bounded instead.
"""

import itertools

import numpy as np
import pytest
from sweeping import Case, Compiled, error, quick_if, share_of_differing

EXACT, CONSTANTS = 1e-12, 2e-7
STATE, WEIGHTS, TIES = 2e-6, 1e-6, 1e-3

TIERS = [Case(m=m, v=v, numerics=numerics, clip=clip, shape=(3, 12, 10),
              batch=(0,), row=(1,), column=(2,))
         for m, v, numerics, clip in itertools.product(
             ("none", "f32", "bf16"), ("factored", "f32"),
             ("tiered", "published"), ("off", "batch", "tensor"))]
SHAPES = [
    Case(shape=(3, 18, 2, 40), batch=(0, 2), row=(1,), column=(3,)),
    Case(shape=(24, 3, 4, 20), batch=(1,), row=(0,), column=(2, 3), m="f32"),
    Case(shape=(24, 3, 4, 20), batch=(1,), row=(2, 3), column=(0,)),
    Case(shape=(40, 16, 5), batch=(2,), row=(0,), column=(1,)),
    Case(shape=(37, 53)),
    Case(shape=(24, 3), batch=(1,), row=(0,), column=(), v="f32"),
    Case(shape=(19,), row=(), column=(0,), v="f32", m="f32"),
    Case(shape=(), row=(), column=(), v="f32", m="f32"),
]
VARIANTS = [
    Case(hyper=(("eps_root", 1e-6),)),
    Case(hyper=(("eps_root", 1e-6),), v="f32", m="f32"),
    Case(hyper=(("weight_decay", 0.0),)),
    Case(scale=True, m="f32"),
    Case(skip=True, m="f32"),
    Case(runtime=("beta1", "beta2", "eps", "weight_decay"), m="f32"),
    Case(runtime=("beta2", "eps_root"), numerics="tiered",
         hyper=(("eps_root", 1e-6),)),
    Case(rule="adamw", m="f32", v="f32"),
    Case(rule="adamw", m="f32", v="f32", hyper=(("eps_root", 1e-6),)),
    Case(rule="adamw", m="f32", v="f32", scale=True, skip=True,
         hyper=(("weight_decay", 0.0),)),
    Case(rule="adamw", m="f32", v="f32", runtime=("beta1", "weight_decay")),
    Case(rule="lion", m="f32"),
    Case(rule="lion", m="f32", scale=True, skip=True,
         hyper=(("weight_decay", 0.0),)),
    Case(rule="sgd"),
    Case(rule="sgd", m="f32"),
    Case(rule="sgd", m="f32", hyper=(("nesterov", 1.0), ("dampening", 0.1))),
    Case(rule="sgd", m="f32", runtime=("nesterov", "momentum", "dampening"),
         hyper=(("nesterov", 1.0), ("dampening", 0.1))),
    Case(rule="sgd", m="f32", skip=True, scale=True,
         hyper=(("weight_decay", 0.0),)),
]
STORED = [Case(rule=rule, dtype=dtype, m=m, v=v, gradient_dtype=gradient,
               shape=(96, 70))
          for rule, m, v in (("skewadam", "none", "factored"),
                             ("skewadam", "f32", "f32"),
                             ("adamw", "f32", "f32"), ("lion", "f32", "none"),
                             ("sgd", "f32", "none"))
          for dtype, gradient in (("bf16", None), ("bf16", "f32"),
                                  ("f16", None), ("f64", None))]
# All state of an fp64 parameter in fp64, so that only doubles are in play.
DOUBLE = [Case(rule=rule, dtype="f64", m="f64", v="f64", clip=clip)
          for rule, clip in (("adamw", "batch"), ("skewadam", "off"),
                             ("skewadam", "batch"), ("lion", "batch"),
                             ("sgd", "batch"))]
ALL = TIERS + SHAPES + VARIANTS + STORED + DOUBLE


@pytest.mark.parametrize("case", ALL, ids=str)
def test_interpreter_equals_numpy(case):
    arguments = case.arguments()
    got, want = case.interpret(arguments), case.numpy(arguments)
    # The means' counts and the scalars are fp64 in both; only an fp64
    # parameter has fp64 constants as well.
    tolerance = EXACT if case.dtype == "f64" else CONSTANTS
    for name, g, w in zip(["p"] + [s[0] for s in case.states()], got, want):
        assert error(g, w) <= tolerance, name


# Compiling takes long: a seventh of the tiers stands for all where time is
# short, and bf16 for the other storage types.
@pytest.mark.parametrize("case", quick_if(
    ALL, lambda case: case in TIERS[::7] + VARIANTS + SHAPES + DOUBLE or
    (case.dtype == "bf16" and case.gradient_dtype is None)), ids=str)
def test_xla_equals_interpreter(case):
    arguments = case.arguments()
    want = case.interpret(arguments, round_storage=True)
    got = Compiled(case.text(arguments))(arguments)
    for name, g, w in zip(["p"] + [s[0] for s in case.states()], got, want):
        assert g.shape == w.shape
        if g.dtype.itemsize == 2:
            assert share_of_differing(g, w) <= TIES, name
        elif g.dtype == np.float64 and case.v != "factored":
            assert error(g, w) <= EXACT, name
        else:
            assert error(g, w) <= (WEIGHTS if name == "p" else STATE), name


def test_skip_false_changes_nothing():
    case = Case(skip=True, m="f32")
    arguments = case.arguments()
    plain = Case(m="f32")
    for a, b in zip(case.interpret(arguments),
                    plain.interpret(arguments[:-1])):
        np.testing.assert_array_equal(a, b)
