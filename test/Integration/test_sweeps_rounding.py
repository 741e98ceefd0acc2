#===- test_sweeps_rounding.py - stochastic rounding and its bits ---------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""Exact values, bias, seeds, and the generator's published vectors, in the
interpreter and in XLA."""

import re

import ml_dtypes
import numpy as np
import pytest
from sweeping import DTYPES, Case, Compiled, interpret, opt, tensor

BF16 = ml_dtypes.bfloat16
MANY = 1 << 20


def runners(text, arguments, results):
    """Results by interpreter and by XLA, the former in the arrays' types."""
    exact = interpret(text, arguments, results)
    return {"interpreter": [np.asarray(e).astype(np.asarray(r).dtype)
                            for e, r in zip(exact, results)],
            "xla": Compiled(text)(arguments)}


def bits_of(array):
    array = np.asarray(array)
    return array.view(f"u{array.dtype.itemsize}")


#===----------------------------------------------------------------------===//
# The op alone: any value, any bits
#===----------------------------------------------------------------------===//

def round_text(count, dtype):
    vector = f"tensor<{count}x"
    return f"""
func.func @main(%x: {vector}f32>, %b: {vector}i32>) -> {vector}{dtype}> {{
  %0 = skew.sweep domain([{count}], <column = [0]>)
      ins(%x elem : {vector}f32>, %b elem : {vector}i32>)
      outs(elem write into -1 : {vector}{dtype}>) {{
  ^bb0(%v: f32, %r: i32, %index: i64):
    %y = skew.round_stochastic %v, %r : f32 to {dtype}
    skew.yield %y : {dtype}
  }}
  return %0 : {vector}{dtype}>
}}
"""


def round_both(x, bits, dtype):
    x, bits = np.asarray(x, np.float32), np.asarray(bits, np.uint32)
    like = np.zeros(x.shape, DTYPES[dtype])
    runs = runners(round_text(x.size, dtype), [x, bits.view(np.int32)], [like])
    return {name: results[0] for name, results in runs.items()}


def same_values(a, b):
    """Equal bits, or both NaN."""
    nan = np.isnan(np.asarray(a, np.float32))
    np.testing.assert_array_equal(nan, np.isnan(np.asarray(b, np.float32)))
    np.testing.assert_array_equal(bits_of(a)[~nan], bits_of(b)[~nan])


def test_bf16_is_add_and_truncate():
    rng = np.random.default_rng(0)
    image = rng.integers(0, 1 << 32, MANY, np.uint32)
    random = rng.integers(0, 1 << 32, MANY, np.uint32)
    finite = (image & 0x7F800000) != 0x7F800000
    total = ((image + (random & 0xFFFF)) >> 16).astype(np.uint16)
    for got in round_both(image.view(np.float32), random, "bf16").values():
        np.testing.assert_array_equal(bits_of(got)[finite], total[finite])


@pytest.mark.parametrize("dtype", ["bf16", "f16"])
def test_representable_values_never_move(dtype):
    every = np.arange(1 << 16, dtype=np.uint16).view(DTYPES[dtype])
    for random in (0, 1, 0xFFFF, 0x5A5A1FFF):
        for got in round_both(every.astype(np.float32),
                              np.full(every.size, random), dtype).values():
            same_values(got, every)


def test_special_values_stay_with_every_random_bit():
    nan = np.array([0x7FC00000, 0x7F800001, 0xFFFFFFFF, 0x7F80FFFF],
                   np.uint32).view(np.float32)
    x = np.concatenate([np.float32([np.inf, -np.inf, -0.0, 0.0]), nan])
    x = np.concatenate([x, x])
    random = np.repeat([0, 0xFFFF], x.size // 2)
    for dtype in ("bf16", "f16"):
        for got in round_both(x, random, dtype).values():
            with np.errstate(invalid="ignore"):  # signalling NaN
                same_values(got, x.astype(DTYPES[dtype]))
            assert np.isnan(got.astype(np.float32)).sum() == 2 * nan.size


def test_f16_over_the_whole_range():
    # From below the smallest subnormal to beyond the largest finite value.
    rng = np.random.default_rng(1)
    x = (np.exp2(rng.uniform(-30, 17, MANY)) *
         rng.choice([-1, 1], MANY)).astype(np.float32)
    random = rng.integers(0, 1 << 16, MANY, np.uint32)
    with np.errstate(over="ignore"):
        down = x.astype(np.float16)
        away = np.abs(down.astype(np.float32)) > np.abs(x)
        down = np.where(away, np.nextafter(down, np.float16(0)), down)
        # An infinite neighbour stands for 2^16 where probability is concerned.
        up = np.nextafter(down, np.copysign(np.float16(np.inf), down))
        sign = np.sign(x).astype(np.float16)
        up = np.where(down == 0, sign * np.float16(2**-24), up)
    down = np.copysign(down, sign)
    runs = round_both(x, random, "f16")
    same_values(runs["interpreter"], runs["xla"])
    got = runs["xla"]
    inside = np.abs(x) < 65536
    ok = (bits_of(got) == bits_of(down)) | (bits_of(got) == bits_of(up))
    exact = down.astype(np.float32) == x
    ok &= ~exact | (bits_of(got) == bits_of(down))
    assert ok[inside].all()
    assert np.isinf(got[~inside].astype(np.float32)).all()
    # Unbiased in units of the last place, subnormals apart from normals.
    for part in (np.abs(x) < 2**-14, (np.abs(x) >= 2**-14) & (np.abs(x) < 65504)):
        d, u = down[part].astype(np.float64), up[part].astype(np.float64)
        away = (got[part].astype(np.float64) != d).mean()
        wanted = ((x[part] - d) / (u - d)).mean()
        assert abs(away - wanted) < 4 * 0.5 / np.sqrt(part.sum())


@pytest.mark.parametrize("dtype", ["bf16", "f16"])
def test_interpreter_and_xla_agree_on_any_pattern(dtype):
    rng = np.random.default_rng(2)
    x = rng.integers(0, 1 << 32, MANY, np.uint32).view(np.float32)
    runs = round_both(x, rng.integers(0, 1 << 32, MANY, np.uint32), dtype)
    same_values(runs["interpreter"], runs["xla"])


#===----------------------------------------------------------------------===//
# The generator
#===----------------------------------------------------------------------===//

def halves(low, high):
    """Two 32-bit words as a signed 64-bit number."""
    return int(np.uint64((high << 32) | low).astype(np.int64))


PHILOX = [  # Random123, kat_vectors, philox4x32-10: counter, key, result
    ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D)),
    ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E)),
    ((0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
     (0xA4093822, 0x299F31D0), (0xD16CFE09, 0x94FDCCEB)),
]


@pytest.mark.parametrize("counter, key, words", PHILOX)
def test_philox_vectors(counter, key, words):
    # The step is the low half of the counter, the parameter id the high one;
    # the key's sweep is made to be what @main returns.
    case = Case(rule="sgd", dtype="bf16", rounding="stochastic", shape=(4,),
                seed=halves(*key), id=halves(*counter[2:]), row=(),
                column=(0,))
    text = case.text().replace("%a2: tensor<i32>", "%a2: tensor<i64>").replace(
        "step(%a2 : tensor<i32>)", "step(%a2 : tensor<i64>)")
    text = opt(text, "--skew-decompose-updates")
    (name,) = re.findall(r"(%\d+):2 = skew\.sweep domain\(\[\], <>\)", text)
    text = re.sub(r"-> tensor<4xbf16>", "-> (tensor<i32>, tensor<i32>)", text)
    text = re.sub(r"return %\S+ : tensor<4xbf16>",
                  f"return {name}#0, {name}#1 : tensor<i32>, tensor<i32>",
                  text)
    arguments = list(case.arguments())
    arguments[2] = np.int64(halves(*counter[:2]))
    for got in runners(text, arguments, [np.int32(0), np.int32(0)]).values():
        assert tuple(int(g) & 0xFFFFFFFF for g in got) == words


def sgd_case(count, **more):
    """p <- round(p - lr g): the value to round is free, the rule is plain."""
    return Case(rule="sgd", dtype="bf16", gradient_dtype="f32", shape=(count,),
                row=(), column=(0,), rounding="stochastic",
                hyper=(("weight_decay", 0.0),), **more)


def rounded_copies(x, count=MANY, t=1, **more):
    """`count` copies of x, each rounded once."""
    case = sgd_case(count, **more)
    arguments = [np.zeros(count, BF16), np.full(count, -x, np.float32),
                 np.int32(t), np.float32(1)]
    return {name: r[0] for name, r in runners(case.text(arguments), arguments,
                                              arguments[:1]).items()}


#===----------------------------------------------------------------------===//
# Bias: C21
#===----------------------------------------------------------------------===//

@pytest.mark.parametrize("x, down, up, away", [
    (1.0, 1.0, 1.0, 0.0),
    (1 + 2**-10, 1.0, 1 + 2**-7, 0.125),
    (-(1 + 2**-10), -1.0, -(1 + 2**-7), 0.125),
    (1.9, 1.8984375, 1.90625, 0.2),
])
def test_neighbours_and_their_shares(x, down, up, away):
    runs = rounded_copies(x)
    np.testing.assert_array_equal(bits_of(runs["xla"]),
                                  bits_of(runs["interpreter"]))
    got = runs["xla"].astype(np.float64)
    assert set(np.unique(got)) == {down, up} if away else {down}
    if away:
        assert abs((got == up).mean() - away) < 0.0015
    assert abs(got.mean() - x) < 2e-5


@pytest.mark.parametrize("p", [1.0, np.inf, -np.inf, np.nan, -0.0,
                               float(ml_dtypes.finfo(BF16).max)])
def test_an_exact_parameter_stays(p):
    # A zero gradient: parameters that bf16 holds never move.
    case = sgd_case(4096)
    arguments = [np.full(4096, p, BF16), np.zeros(4096, np.float32),
                 np.int32(1), np.float32(1e-3)]
    for got in runners(case.text(arguments), arguments,
                       arguments[:1]).values():
        same_values(got[0], arguments[0])


def test_mean_over_4096_seeds():
    # The seed is a constant of the op; here it becomes an argument.
    count, seeds, x = 64, 4096, 1.0 + 2**-9
    text = opt(sgd_case(count, seed=1234567).text(), "--skew-decompose-updates")
    (name,) = re.findall(r"(%\S+) = arith.constant dense<1234567>", text)
    text = re.sub(rf".*{name} = arith.constant dense<1234567>.*\n", "", text)
    text = text.replace("@main(", "@main(%seed: tensor<i64>, ")
    text = re.sub(rf"{name}\b", "%seed", text)
    run = Compiled(text)
    arguments = [np.zeros(count, BF16), np.full(count, -x, np.float32),
                 np.int32(1), np.float32(1)]
    got = np.array([run([np.int64(s), *arguments])[0] for s in range(seeds)],
                   np.float64)
    for s in (0, 17, 4095):
        same = interpret(text, [np.int64(s), *arguments], arguments[:1])[0]
        np.testing.assert_array_equal(got[s], same)
    # P(up) = 1/4 in steps of 2^-7.
    sigma = 2**-7 * np.sqrt(0.25 * 0.75)
    assert abs(got.mean() - x) < 4 * sigma / np.sqrt(got.size)
    each = np.abs(got.mean(axis=0) - x)
    assert each.max() < 4.5 * sigma / np.sqrt(seeds)  # 64 elements at once
    # Neither neighbouring seeds nor neighbouring elements go together.
    up = (got > 1.0) - 0.25
    for a, b in ((up[1:], up[:-1]), (up[:, 1:], up[:, :-1])):
        assert abs((a * b).mean()) / (0.25 * 0.75) < 4 / np.sqrt(a.size)


def test_tensors_and_steps_are_independent():
    base = rounded_copies(1.5 + 2**-8, id=1)["xla"] > 1.5
    others = {"another tensor": rounded_copies(1.5 + 2**-8, id=2),
              "the next tensor in the upper half":
                  rounded_copies(1.5 + 2**-8, id=1 + (1 << 32)),
              "the next step": rounded_copies(1.5 + 2**-8, id=1, t=2),
              "another seed": rounded_copies(1.5 + 2**-8, id=1, seed=1)}
    for what, runs in others.items():
        other = runs["xla"] > 1.5
        assert abs(np.corrcoef(base, other)[0, 1]) < 0.005, what
    for lag in (1, 2, 8, 1024, 4096):
        assert abs(np.corrcoef(base[lag:], base[:-lag])[0, 1]) < 0.005, lag


def test_bits_do_not_depend_on_the_process_or_shape():
    # Run apart, and as a matrix: the index is the row-major one.
    x = 1.5 + 2**-8
    flat = rounded_copies(x, 4096)
    again = rounded_copies(x, 4096)
    case = Case(rule="sgd", dtype="bf16", gradient_dtype="f32",
                shape=(4, 32, 32), row=(), column=(0, 1, 2),
                rounding="stochastic", hyper=(("weight_decay", 0.0),))
    arguments = [np.zeros((4, 32, 32), BF16),
                 np.full((4, 32, 32), -x, np.float32), np.int32(1),
                 np.float32(1)]
    deep = runners(case.text(arguments), arguments, arguments[:1])
    for name in flat:
        np.testing.assert_array_equal(flat[name], again[name])
        np.testing.assert_array_equal(flat[name], deep[name][0].reshape(-1))


#===----------------------------------------------------------------------===//
# Decay: C19
#===----------------------------------------------------------------------===//

def decay_case(dtype, rounding, rows=256):
    return Case(rule="skewadam", dtype=dtype, shape=(rows, 256),
                rounding=rounding, hyper=(("weight_decay", 0.1),))


@pytest.mark.parametrize("dtype, rounding, want, tolerance", [
    ("bf16", "stochastic", 0.90483, 5e-4),
    pytest.param("f32", "nearest", 0.90483, 1e-4, marks=pytest.mark.slow),
    pytest.param("bf16", "nearest", 1.0, 0.0, marks=pytest.mark.slow)])
def test_weight_decay_of_ones(dtype, rounding, want, tolerance):
    case = decay_case(dtype, rounding)
    p = np.ones(case.shape, DTYPES[dtype])
    r, c = np.zeros(256, np.float32), np.zeros(256, np.float32)
    zero = np.zeros(case.shape, DTYPES[dtype])
    run = Compiled(case.text([p, zero, r, c, np.int32(1), np.float32(1e-3)]))
    for t in range(1, 1001):
        p, r, c = run([p, zero, r, c, np.int32(t), np.float32(1e-3)])
    assert abs(p.astype(np.float64).mean() - want) <= tolerance
    assert not r.any() and not c.any()


@pytest.mark.slow
def test_weight_decay_of_ones_in_the_interpreter():
    # The same 1000 steps, 100 to a call, on half of the elements.
    case = decay_case("bf16", "stochastic", 128)
    p = np.ones(case.shape, BF16)
    zero = np.zeros(case.shape, BF16)
    r, c = np.zeros(128, np.float32), np.zeros(256, np.float32)
    arguments = [p, zero, r, c, np.int32(1), np.float32(1e-3)]
    (line,) = [row for row in case.text(arguments).splitlines()
               if "skew.skewadam" in row]
    head = ", ".join(f"%a{i}: {t}" for i, t in enumerate(
        map(tensor, arguments)))
    for start in range(1, 1001, 100):
        body = []
        for k in range(100):
            step = line.replace("step(%a4 :", f"step(%t{k} :")
            if k:
                # Renamed in one go: each is a word of its own.
                names = {f"%r{i}": f"%r{i}_{k}" for i in range(3)}
                old = dict(zip(("%a0", "%a2", "%a3"),
                               (f"%r{i}" + (f"_{k - 1}" if k > 1 else "")
                                for i in range(3))))
                step = re.sub(r"%\w+", lambda m: {**names, **old}.get(
                    m[0], m[0]), step)
            body += [f"%t{k} = arith.constant dense<{start + k}> : tensor<i32>",
                     step]
        text = (f"func.func @main({head}) -> tensor<128x256xbf16> {{\n" +
                "\n".join(body) +
                "\nreturn %r0_99 : tensor<128x256xbf16>\n}\n")
        (p,) = interpret(text, [p, *arguments[1:]], [p])
        p = p.astype(BF16)
    assert abs(p.astype(np.float64).mean() - 0.90483) <= 5e-4
