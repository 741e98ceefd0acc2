# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the graphs of the coverage corpus share: registry, model, export.

A graph is a function `step(carry, *batch) -> (carry, *aux)`: a leaf of the new
carry is the next value of the leaf of the old one with its path, so places follow
from the trees alone. Only arguments keep locations: their names.
"""

import json
import lzma
import os
import re
import sys

import jax
import jax.numpy as jnp
import optax

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../../../../utils/lib"))
import graph_text  # noqa: E402

GRAPHS = {}


class Graph:
    """`carry` and `batch`: arrays or shapes. `params(carry)`: the subtree of the
    parameters. `jit`: how the step is lowered (arguments of jax.jit, or a
    function from step to something with `.lower`)."""

    def __init__(self, step, carry, *batch, params=lambda carry: carry[0],
                 jit=None):
        self.step, self.carry, self.batch = step, carry, batch
        self.params = params
        self.jit = jit or (lambda step: jax.jit(step, donate_argnums=0))


def graph(name):
    """Registers a function that makes the Graph `name`."""

    def register(make):
        assert name not in GRAPHS, name
        GRAPHS[name] = make
        return make

    return register


def spec(tree):
    return jax.tree_util.tree_map(
        lambda x: jax.ShapeDtypeStruct(jnp.shape(x), jnp.result_type(x)), tree)


# --- the small model of the optimizer list -----------------------------------

def tiny_params(dtype=jnp.float32):
    shapes = {"embed": (16, 8), "norm": (8,), "up": {"w": (8, 12), "b": (12,)},
              "down": {"w": (12, 8), "b": (8,)}}
    return jax.tree_util.tree_map(
        lambda shape: jnp.full(shape, 0.1, dtype), shapes,
        is_leaf=lambda x: isinstance(x, tuple))


def tiny_loss(params, tokens):
    params = jax.tree_util.tree_map(lambda x: x.astype(jnp.float32), params)
    x = params["embed"][tokens]
    y = x * jax.lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6)
    y = jax.nn.gelu(y * params["norm"] @ params["up"]["w"] + params["up"]["b"])
    x = x + y @ params["down"]["w"] + params["down"]["b"]
    logits = x @ params["embed"].T
    return -jnp.mean(jnp.take_along_axis(
        jax.nn.log_softmax(logits)[:, :-1], tokens[:, 1:, None], -1))


TOKENS = jax.ShapeDtypeStruct((4, 6), jnp.int32)


def tiny(optimizer, dtype=jnp.float32, apply=optax.apply_updates, extra=None,
         **more):
    """A step of the small model. `extra(loss, grads, value_fn)`: further
    keywords of update."""
    params = tiny_params(dtype)

    def step(carry, tokens):
        params, state = carry
        value_fn = lambda params: tiny_loss(params, tokens)
        loss, grads = jax.value_and_grad(value_fn)(params)
        keywords = extra(loss, grads, value_fn) if extra else {}
        updates, state = optimizer.update(grads, state, params, **keywords)
        return (apply(params, updates), state), loss

    return Graph(step, (params, optimizer.init(params)), TOKENS, **more)


# --- export -------------------------------------------------------------------

def with_names_only(text):
    """Of locations only the names of the entry function's arguments stay,
    written in place."""
    names = dict(re.findall(r'^(#loc\d+) = loc\(("(?:\\.|[^"\\])*")\)$', text,
                            re.M))
    line = next(l for l in text.splitlines() if l.lstrip().startswith("^bb0("))
    named = re.sub(
        r'loc\((#loc\d+|"(?:\\.|[^"\\])*")\)',
        lambda m: f"\0{names.get(m[1], m[1])}\0"
        if m[1] in names or m[1][0] == '"' else "", line)
    text = graph_text.without_locations(text.replace(line, named, 1))
    return re.sub("\0(.*?)\0", r"loc(\1)", text)


def places_of(item, lowered):
    """Where parameters, their slots and other state are."""
    flat = jax.tree_util.tree_flatten_with_path(item.carry)[0]
    after = jax.tree_util.tree_flatten_with_path(lowered.out_info[0])[0]
    result = {jax.tree_util.keystr(path): i for i, (path, _) in enumerate(after)}
    next_of = [result.get(jax.tree_util.keystr(path)) for path, _ in flat]
    kept = sorted(lowered._lowering.compile_args["kept_var_idx"])
    argument = {leaf: place for place, leaf in enumerate(kept)}
    # The parameters are found by identity: leaves are objects of the carry.
    inside = jax.tree_util.tree_flatten_with_path(item.params(item.carry))[0]
    number = {id(leaf): i for i, (_, leaf) in enumerate(flat)}
    params, own = [], set()
    for path, leaf in inside:
        own.add(number[id(leaf)])
        params.append((jax.tree_util.keystr(path), number[id(leaf)], leaf))
    slots, other = {}, []
    for i, (path, leaf) in enumerate(flat):
        if i in own:
            continue
        found = False
        for k, key in enumerate(path):
            name = getattr(key, "name", getattr(key, "key", None))
            rest = jax.tree_util.keystr(path[k + 1:])
            if name in ("mu", "nu", "trace"):
                for param, _, tensor in params:
                    if (rest.startswith(param) or rest == param + ".value"
                            or rest == param) and tensor.shape == leaf.shape:
                        slots.setdefault(param, {})[name] = [
                            argument.get(i), next_of[i]]
                        found = True
        if not found:
            other.append({"path": jax.tree_util.keystr(path),
                          "argument": argument.get(i), "result": next_of[i]})
    return {
        "params": [{"path": path, "argument": argument.get(i), "result": next_of[i],
                    "shape": list(leaf.shape), "dtype": str(leaf.dtype),
                    "slots": slots.get(path, {})} for path, i, leaf in params],
        "other": other,
    }


def distinct(tree):
    """Every leaf an object of its own."""
    return jax.tree_util.tree_map(
        lambda x: jax.ShapeDtypeStruct(x.shape, x.dtype), tree)


def export(name, folder):
    """Writes NAME.mlir.xz; returns where everything is."""
    item = GRAPHS[name]()
    item.carry = distinct(spec(item.carry))
    lowered = item.jit(item.step).lower(item.carry, *spec(item.batch))
    text = lowered.compiler_ir("stablehlo").operation.get_asm(
        print_generic_op_form=True, enable_debug_info=True)
    text = with_names_only(text)
    path = os.path.join(folder, name + ".mlir.xz")
    with open(path, "wb") as file:
        file.write(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
    return places_of(item, lowered), len(text), os.path.getsize(path)


def write_places(path, places):
    """One line per graph."""
    with open(path, "w", encoding="utf-8") as file:
        file.write("{\n" + ",\n".join(
            f"{json.dumps(k)}: {json.dumps(v, separators=(',', ':'))}"
            for k, v in sorted(places.items())) + "\n}\n")
