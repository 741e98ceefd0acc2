#===- reference.py - AdamW and SkewAdam in numpy -------------------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""The update rules once more, in fp64 numpy, written from their formulas alone.

Shares nothing with the compiler's definition: it is what that definition is
tested against. State arrays keep a parameter's full rank; a reduced axis has
extent one.
"""

import dataclasses

import numpy as np

GUARD = {"tiered": 1e-30, "published": 1e-15}


@dataclasses.dataclass(frozen=True)
class Hyper:
    """Constants of a rule. The learning rate comes with each step."""

    beta1: float = 0.9
    beta2: float = 0.999
    eps: float = 1e-8
    eps_root: float = 0.0
    weight_decay: float = 0.0


@dataclasses.dataclass(frozen=True)
class Tier:
    """What is kept: m or not, v exact or factored, over which axes."""

    momentum: bool
    factored: bool
    batch: tuple = ()
    row: tuple = ()
    column: tuple = ()
    numerics: str = "tiered"
    clip: str = "batch"


def adamw(p, m, v, g, lr, t, h):
    """One decoupled AdamW step, t counted from 1 -> (p, m, v)."""
    m = h.beta1 * m + (1 - h.beta1) * g
    v = h.beta2 * v + (1 - h.beta2) * g * g
    mhat = m / (1 - h.beta1 ** t)
    vhat = v / (1 - h.beta2 ** t)
    u = mhat / (np.sqrt(vhat + h.eps_root) + h.eps)
    return p - lr * (u + h.weight_decay * p), m, v


def initial_state(shape, tier):
    """Zero state: {"m": ..., "v": ...} or {"m": ..., "r": ..., "c": ...}."""
    state = {}
    if tier.momentum:
        state["m"] = np.zeros(shape)
    if tier.factored:
        state["r"] = np.zeros([1 if a in tier.column else n
                               for a, n in enumerate(shape)])
        state["c"] = np.zeros([1 if a in tier.row else n
                               for a, n in enumerate(shape)])
    else:
        state["v"] = np.zeros(shape)
    return state


def skewadam(p, state, g, lr, t, h, tier):
    """One SkewAdam step, t counted from 1 -> (p, state)."""
    new = {}
    square = g * g
    if tier.momentum:
        new["m"] = h.beta1 * state["m"] + (1 - h.beta1) * g
    if tier.factored:
        mean = lambda x, axes: x.mean(axis=axes, keepdims=True)
        new["r"] = h.beta2 * state["r"] + (1 - h.beta2) * mean(square,
                                                               tier.column)
        new["c"] = h.beta2 * state["c"] + (1 - h.beta2) * mean(square, tier.row)
        whole = np.maximum(mean(new["r"], tier.row), GUARD[tier.numerics])
        ratio = new["r"] / whole
        second = ratio * new["c"]
    else:
        new["v"] = h.beta2 * state["v"] + (1 - h.beta2) * square
        second = new["v"]

    bias1, bias2 = 1 - h.beta1 ** t, 1 - h.beta2 ** t
    first = new["m"] if tier.momentum else g
    if tier.numerics == "tiered":
        if tier.momentum:
            first = first / bias1
        u = first / (np.sqrt(second / bias2 + h.eps_root) + h.eps)
    else:
        if tier.factored:
            denominator = (np.sqrt(np.maximum(ratio, h.eps))
                           * np.sqrt(np.maximum(new["c"], h.eps)))
        else:
            denominator = np.sqrt(np.maximum(second, h.eps))
        factor = np.sqrt(bias2) / (bias1 if tier.momentum else 1.0)
        u = first * factor / denominator

    if tier.clip == "batch":
        axes = tuple(a for a in range(u.ndim) if a not in tier.batch)
        u = u / np.maximum(1.0, np.sqrt((u * u).mean(axis=axes, keepdims=True)))
    elif tier.clip == "tensor":
        u = u / max(1.0, float(np.sqrt((u * u).mean())))
    return p - lr * (u + h.weight_decay * p), new


def clip_by_global_norm(grads, limit):
    """List of arrays -> the list scaled so that its norm is at most `limit`."""
    norm = np.sqrt(sum(float((g * g).sum()) for g in grads))
    return [g if norm < limit else g / norm * limit for g in grads]


def warmup_cosine(count, peak, warmup, steps, end=0.0):
    """The learning rate of the step after `count` finished ones."""
    if count < warmup:
        return peak * count / warmup
    done = min(count - warmup, steps - warmup) / (steps - warmup)
    alpha = end / peak
    return peak * ((1 - alpha) * 0.5 * (1 + np.cos(np.pi * done)) + alpha)


def round_to(x, dtype):
    """fp64 -> fp32 -> `dtype`, both to nearest even, as a compiled step
    rounds, back in fp64."""
    return np.asarray(x, np.float32).astype(dtype).astype(np.float64)


def lion(p, m, g, lr, h):
    """One Lion step with the constants in the dictionary `h` -> (p, m)."""
    u = np.sign(h["beta1"] * m + (1 - h["beta1"]) * g)
    m = h["beta2"] * m + (1 - h["beta2"]) * g
    return p - lr * (u + h["weight_decay"] * p), m


def sgd(p, m, g, lr, h):
    """One SGD step, `m` None for plain SGD -> (p, m)."""
    u = g
    if m is not None:
        m = h["momentum"] * m + (1 - h["dampening"]) * g
        u = g + h["momentum"] * m if h["nesterov"] else m
    return p - lr * (u + h["weight_decay"] * p), m
