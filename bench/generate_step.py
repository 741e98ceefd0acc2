#!/usr/bin/env python3
# ===- generate_step.py - train steps of any size ---------------------------===#
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Writes a train step with a given number of parameters as generic MLIR text.

The text is what `jax.jit(step).lower(...)` prints for a model of bf16 blocks
trained with optax: clip by global norm, AdamW with fp32 moments, a cosine
schedule with a counter of its own. Forward and backward pass are there, so that
roles have something to read. Dense blocks hold four parameters; with --moe
every second block is a router over separate expert matrices.
"""

import argparse
import sys

ROWS = 2048  # tokens
MODEL = 4096  # width of the residual stream
WIDTHS = (6144, 8192, 10240, 11008, 16384)  # of the hidden layers, in turn
EXPERTS = 8
BETA1, BETA2, EPS, DECAY = "0.899999976", "9.990000e-01", "9.99999993E-9", "1.000000e-01"


def tensor(shape, element):
    return "tensor<" + "".join(f"{d}x" for d in shape) + element + ">"


class Value:
    def __init__(self, name, shape, element):
        self.name, self.shape, self.element = name, tuple(shape), element

    @property
    def type(self):
        return tensor(self.shape, self.element)


class Emitter:
    """Appends ops to the body of a function."""

    def __init__(self):
        self.lines, self.next, self.locations = [], 0, {}

    def loc(self, name):
        return self.locations.setdefault(f"jit(step)/{name}", f"#op{len(self.locations)}")

    def op(self, name, operands, shape, element, attributes="", region=(), loc=None):
        result = Value(f"%{self.next}", shape, element)
        self.next += 1
        head = f'    {result.name} = "{name}"({", ".join(o.name for o in operands)})'
        if attributes:
            head += f" <{{{attributes}}}>"
        types = ", ".join(o.type for o in operands)
        tail = f" : ({types}) -> {result.type} loc({self.loc(loc or name.split('.')[1])})"
        if region:
            self.lines.append(head + " ({")
            self.lines += region
            self.lines.append("    })" + tail)
        else:
            self.lines.append(head + tail)
        return result

    # One method per kind of op; `x` and `y` have equal types.
    def unary(self, name, x, element=None):
        return self.op(f"stablehlo.{name}", [x], x.shape, element or x.element)

    def binary(self, name, x, y):
        return self.op(f"stablehlo.{name}", [x, y], x.shape, x.element)

    def constant(self, text, element, shape=()):
        attribute = f"value = dense<{text}> : {tensor(shape, element)}"
        return self.op("stablehlo.constant", [], shape, element, attribute)

    def broadcast(self, x, shape, dims=()):
        listed = "array<i64" + (": " if dims else "") + ", ".join(map(str, dims)) + ">"
        return self.op("stablehlo.broadcast_in_dim", [x], shape, x.element, f"broadcast_dimensions = {listed}")

    def scaled(self, text, x, scalar_first=True):
        """The product with a constant, spelt as jax spells it."""
        factor = self.broadcast(self.constant(text, x.element), x.shape)
        return self.binary("multiply", factor, x) if scalar_first else self.binary("multiply", x, factor)

    def dot(self, x, y, left, right):
        shape = [d for i, d in enumerate(x.shape) if i != left] + [d for i, d in enumerate(y.shape) if i != right]
        numbers = f"#stablehlo.dot<lhs_contracting_dimensions = [{left}], rhs_contracting_dimensions = [{right}]>"
        precision = "precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]"
        return self.op("stablehlo.dot_general", [x, y], shape, x.element, f"dot_dimension_numbers = {numbers}, {precision}")

    def reduce(self, x, dims, combine="add", start="0.000000e+00"):
        initial = self.constant(start, x.element)
        shape = [d for i, d in enumerate(x.shape) if i not in dims]
        a, b, scalar = f"%ra{self.next}", f"%rb{self.next}", tensor((), x.element)
        inner = f"%r{self.next}"
        loc = self.loc("reduce")
        region = [
            f"    ^bb0({a}: {scalar} loc({loc}), {b}: {scalar} loc({loc})):",
            f'      {inner} = "stablehlo.{combine}"({a}, {b}) : ({scalar}, {scalar}) -> {scalar} loc({loc})',
            f'      "stablehlo.return"({inner}) : ({scalar}) -> () loc({loc})',
        ]
        listed = ", ".join(map(str, dims))
        return self.op("stablehlo.reduce", [x, initial], shape, x.element, f"dimensions = array<i64: {listed}>", region)

    def compare(self, x, y, direction, kind="FLOAT"):
        attributes = (
            f"compare_type = #stablehlo<comparison_type {kind}>, "
            f"comparison_direction = #stablehlo<comparison_direction {direction}>"
        )
        return self.op("stablehlo.compare", [x, y], x.shape, "i1", attributes)

    def select(self, condition, x, y):
        return self.op("stablehlo.select", [condition, x, y], x.shape, x.element)

    def slice(self, x, starts, limits):
        def listed(numbers):
            return "array<i64: " + ", ".join(map(str, numbers)) + ">"

        attributes = (
            f"limit_indices = {listed(limits)}, start_indices = {listed(starts)}, strides = {listed([1] * len(starts))}"
        )
        shape = [b - a for a, b in zip(starts, limits)]
        return self.op("stablehlo.slice", [x], shape, x.element, attributes)

    def call(self, callee, operands, shape, element):
        return self.op("func.call", operands, shape, element, f"callee = @{callee}", loc="jit")


class Model:
    """Blocks on a residual stream, with their gradients."""

    def __init__(self, emitter, parameters):
        self.e, self.values, self.gradients = emitter, dict(parameters), {}

    def gradient_of(self, name, x, transposed=False):
        if transposed:
            x = self.e.op("stablehlo.transpose", [x], x.shape[::-1], x.element, "permutation = array<i64: 1, 0>")
        self.gradients[name] = x

    def scale(self, name, x):
        """x * rsqrt(mean x^2) * scale; returns the value and its pullback."""
        e = self.e
        mean = e.reduce(e.binary("multiply", x, x), [1])
        inverse = e.broadcast(e.unary("rsqrt", e.scaled("2.441410e-04", mean)), x.shape, [0])
        normal = e.binary("multiply", x, inverse)
        y = e.binary("multiply", normal, e.broadcast(self.values[name], x.shape, [1]))

        def pull(dy):
            self.gradient_of(name, e.reduce(e.binary("multiply", dy, normal), [0]))
            return e.binary("multiply", e.binary("multiply", dy, e.broadcast(self.values[name], x.shape, [1])), inverse)

        return y, pull

    def linear(self, name, x, transposed):
        e, w = self.e, self.values[name]
        y = e.dot(x, w, 1, 0)

        def pull(dy):
            # Both spellings occur in exported graphs.
            if transposed:
                self.gradient_of(name, e.dot(dy, x, 0, 0), transposed=True)
            else:
                self.gradient_of(name, e.dot(x, dy, 0, 0))
            return e.dot(dy, w, 1, 1)

        return y, pull

    def bias(self, name, x):
        e = self.e
        y = e.binary("add", x, e.broadcast(self.values[name], x.shape, [1]))

        def pull(dy):
            self.gradient_of(name, e.reduce(dy, [0]))
            return dy

        return y, pull

    def tanh(self, x):
        e = self.e
        y = e.unary("tanh", x)

        def pull(dy):
            one = e.broadcast(e.constant("1.000000e+00", x.element), x.shape)
            return e.binary("multiply", dy, e.binary("subtract", one, e.binary("multiply", y, y)))

        return y, pull

    def chain(self, x, stages):
        pulls = []
        for stage in stages:
            x, pull = stage(x)
            pulls.append(pull)

        def pull_all(dy):
            for pull in reversed(pulls):
                dy = pull(dy)
            return dy

        return x, pull_all

    def dense(self, prefix, names, x):
        """The parameters that `names` holds, in the order scale, in, bias, out."""
        stages, wide = [], False
        for name in names:
            if name.endswith("['scale']"):
                stages.append(lambda v, n=name: self.scale(n, v))
            elif name.endswith("['w_in']"):
                stages.append(lambda v, n=name: self.linear(n, v, transposed=True))
                wide = True
            elif name.endswith("['bias']"):
                stages.append(lambda v, n=name: self.bias(n, v))
                stages.append(self.tanh)
            else:
                stages.append(lambda v, n=name: self.linear(n, v, transposed=False))
                wide = False
        y, pull = self.chain(x, stages)
        if wide or y.shape != x.shape:  # cut off in the middle of a block
            back = self.e.slice(y, [0, 0], [ROWS, MODEL])
            return self.add_residual(x, back, pull, y.shape)
        return self.add_residual(x, y, pull, y.shape)

    def add_residual(self, x, y, pull, shape):
        e = self.e

        def pull_all(dy):
            inner = dy
            if shape != dy.shape:
                zero = e.constant("0.000000e+00", dy.element)
                attributes = (
                    f"edge_padding_high = array<i64: 0, {shape[1] - dy.shape[1]}>, "
                    "edge_padding_low = array<i64: 0, 0>, interior_padding = array<i64: 0, 0>"
                )
                inner = e.op("stablehlo.pad", [dy, zero], shape, dy.element, attributes)
            return e.binary("add", dy, pull(inner))

        return e.binary("add", x, y), pull_all

    def experts(self, names, x):
        """Softmax router, its best expert per token, dense dispatch."""
        e, router = self.e, names[0]
        logits, pull_router = self.linear(router, x, transposed=False)
        top = e.broadcast(e.reduce(logits, [1], "maximum", "0xFF80"), logits.shape, [0])
        power = e.unary("exponential", e.binary("subtract", logits, top))
        gates = e.binary("divide", power, e.broadcast(e.reduce(power, [1]), logits.shape, [0]))
        best = e.broadcast(e.reduce(gates, [1], "maximum", "0xFF80"), logits.shape, [0])
        chosen = e.compare(gates, best, "GE")
        weights = e.select(chosen, gates, e.broadcast(e.constant("0.000000e+00", x.element), gates.shape))
        total, pulls = None, []
        for number, pair in enumerate(zip(names[1::2], names[2::2])):
            y, pull = self.chain(
                x,
                [
                    lambda v, n=pair[0]: self.linear(n, v, transposed=True),
                    self.tanh,
                    lambda v, n=pair[1]: self.linear(n, v, transposed=False),
                ],
            )
            gate = e.broadcast(e.slice(weights, [0, number], [ROWS, number + 1]), y.shape, [0, 1])
            part = e.binary("multiply", y, gate)
            total = part if total is None else e.binary("add", total, part)
            pulls.append((y, gate, pull))

        def pull_all(dy):
            dx, dweights = dy, []
            for y, gate, pull in pulls:
                dweights.append(e.reduce(e.binary("multiply", dy, y), [1]))
                dx = e.binary("add", dx, pull(e.binary("multiply", dy, gate)))
            columns = [e.broadcast(d, (ROWS, 1), [0]) for d in dweights]
            joined = e.op("stablehlo.concatenate", columns, (ROWS, len(columns)), x.element, "dimension = 1 : i64")
            dlogits = e.binary("multiply", joined, gates)
            return e.binary("add", dx, pull_router(dlogits))

        return e.binary("add", x, total), pull_all


def plan_parameters(count, moe):
    """[(block kind, [(name, shape)])], `count` parameters in all."""
    blocks, number = [], 0
    while count > 0:
        root, width = f"params['layers'][{number}]", WIDTHS[number % len(WIDTHS)]
        if moe and number % 2 and count > 2 * EXPERTS:
            entries = [(f"{root}['router']", (MODEL, EXPERTS))]
            for i in range(EXPERTS):
                entries.append((f"{root}['experts'][{i}]['w_in']", (MODEL, width)))
                entries.append((f"{root}['experts'][{i}]['w_out']", (width, MODEL)))
            blocks.append(("moe", entries))
        else:
            entries = [
                (f"{root}['scale']", (MODEL,)),
                (f"{root}['w_in']", (MODEL, width)),
                (f"{root}['bias']", (width,)),
                (f"{root}['w_out']", (width, MODEL)),
            ]
            blocks.append(("dense", entries[:count]))
        count -= len(blocks[-1][1])
        number += 1
    return blocks


def emit_schedule(e, count):
    """The learning rate of a linear warm-up and a cosine decay, negated."""
    step = e.unary("convert", count, "f32")
    fraction = e.binary("divide", step, e.constant("1.000000e+05", "f32"))
    fraction = e.binary("minimum", fraction, e.constant("1.000000e+00", "f32"))
    wave = e.unary("cosine", e.binary("multiply", fraction, e.constant("3.14159274", "f32")))
    decayed = e.binary("add", wave, e.constant("1.000000e+00", "f32"))
    decayed = e.binary("multiply", decayed, e.constant("1.500000e-04", "f32"))
    warm = e.binary("multiply", step, e.constant("3.000000e-07", "f32"))
    early = e.compare(count, e.constant("1000", "i32"), "LT", "SIGNED")
    rate = e.call("_where", [early, warm, decayed], (), "f32")
    return e.unary("negate", rate)


def emit_increment(e, count):
    largest = e.constant("2147483647", "i32")
    below = e.compare(count, largest, "LT", "SIGNED")
    one = e.binary("add", count, e.constant("1", "i32"))
    return e.call("_where_0", [below, one, largest], (), "i32")


def emit_update(e, parameters, gradients, first, second, count, schedule_count):
    """optax.chain(clip_by_global_norm(1.0), adamw(cosine)): stage by stage."""
    gradients = [e.unary("convert", g, "f32") for g in gradients]
    squares = [e.reduce(e.binary("multiply", g, g), list(range(len(g.shape)))) for g in gradients]
    norm = squares[0]
    for square in squares[1:]:
        norm = e.binary("add", norm, square)
    norm = e.unary("sqrt", norm)
    small = e.compare(norm, e.constant("1.000000e+00", "f32"), "LT")
    clipped = []
    for g in gradients:
        scaled = e.binary("divide", g, e.broadcast(norm, g.shape))
        scaled = e.scaled("1.000000e+00", scaled, scalar_first=False)
        clipped.append(e.select(small, g, scaled))
    wide = [e.unary("convert", p, "f32") for p in parameters]
    new_first = [
        e.binary("add", e.scaled("1.000000e-01", g), e.scaled(BETA1, m)) for g, m in zip(clipped, first)
    ]
    new_second = [
        e.binary("add", e.scaled("1.000000e-03", e.binary("multiply", g, g)), e.scaled(BETA2, v))
        for g, v in zip(clipped, second)
    ]
    new_count = emit_increment(e, count)

    def correct(values, beta):
        power = e.binary("power", e.constant(beta, "f32"), e.unary("convert", new_count, "f32"))
        rest = e.binary("subtract", e.constant("1.000000e+00", "f32"), power)
        return [e.binary("divide", x, e.broadcast(rest, x.shape)) for x in values]

    corrected_first, corrected_second = correct(new_first, BETA1), correct(new_second, BETA2)
    steps = []
    for m, v in zip(corrected_first, corrected_second):
        zero = e.broadcast(e.constant("0.000000e+00", "f32"), v.shape)
        root = e.unary("sqrt", e.binary("add", v, zero))
        root = e.binary("add", root, e.broadcast(e.constant(EPS, "f32"), v.shape))
        steps.append(e.binary("divide", m, root))
    steps = [e.binary("add", s, e.scaled(DECAY, p)) for s, p in zip(steps, wide)]
    rate = emit_schedule(e, schedule_count)
    new_schedule_count = emit_increment(e, schedule_count)
    steps = [e.binary("multiply", e.broadcast(rate, s.shape), s) for s in steps]
    new = [e.unary("convert", e.binary("add", p, s), "bf16") for p, s in zip(wide, steps)]
    return new, new_first, new_second, new_count, new_schedule_count


def emit_where(name, element):
    scalar = tensor((), element)
    suffix = name.replace("_", "")
    return [
        f'  "func.func"() <{{arg_attrs = [{{}}, {{}}, {{}}], function_type = (tensor<i1>, {scalar}, {scalar}) -> {scalar}, '
        f'res_attrs = [{{}}], sym_name = "{name}", sym_visibility = "private"}}> ({{',
        f"  ^bb0(%{suffix}a: tensor<i1>, %{suffix}b: {scalar}, %{suffix}c: {scalar}):",
        f'    %{suffix}d = "stablehlo.select"(%{suffix}a, %{suffix}b, %{suffix}c) : (tensor<i1>, {scalar}, {scalar}) -> {scalar}',
        f'    "func.return"(%{suffix}d) : ({scalar}) -> ()',
        "  }) : () -> ()",
    ]


def generate(count, moe):
    blocks = plan_parameters(count, moe)
    entries = [entry for _, block in blocks for entry in block]
    e = Emitter()
    arguments, names = [], []

    def argument(name, shape, element):
        value = Value(f"%arg{len(arguments)}", shape, element)
        arguments.append(value)
        names.append(name)
        return value

    parameters = [argument(n, s, "bf16") for n, s in entries]
    counter = argument("opt_state[1].count", (), "i32")
    first = [argument(n.replace("params", "opt_state[1].mu", 1), s, "f32") for n, s in entries]
    second = [argument(n.replace("params", "opt_state[1].nu", 1), s, "f32") for n, s in entries]
    schedule_counter = argument("opt_state[2].count", (), "i32")
    x = argument("batch['x']", (ROWS, MODEL), "bf16")
    target = argument("batch['y']", (ROWS, MODEL), "bf16")

    model = Model(e, [(n, p) for (n, _), p in zip(entries, parameters)])
    pulls = []
    for number, (kind, block) in enumerate(blocks):
        block_names = [n for n, _ in block]
        x, pull = model.experts(block_names, x) if kind == "moe" else model.dense(number, block_names, x)
        pulls.append(pull)
    error = e.binary("subtract", x, target)
    squared = e.unary("convert", e.binary("multiply", error, error), "f32")
    loss = e.reduce(squared, [0, 1])
    dx = e.scaled("9.765630e-04", error)
    for pull in reversed(pulls):
        dx = pull(dx)
    gradients = [model.gradients[n] for n, _ in entries]
    new, new_first, new_second, new_count, new_schedule = emit_update(
        e, parameters, gradients, first, second, counter, schedule_counter
    )
    results = new + [new_count] + new_first + new_second + [new_schedule, loss]
    donated = len(results) - 1
    arg_attrs = ", ".join(
        f"{{tf.aliasing_output = {i} : i32}}" if i < donated else "{}" for i in range(len(arguments))
    )
    infos = [f"result[0]{n[len('params'):]}" for n, _ in entries]
    infos += ["result[1][1].count"]
    infos += [f"result[1][1].{k}{n[len('params'):]}" for k in ("mu", "nu") for n, _ in entries]
    infos += ["result[1][2].count", "result[2]"]
    res_attrs = ", ".join(f'{{jax.result_info = "{i}"}}' for i in infos)
    types = ", ".join(a.type for a in arguments)
    result_types = ", ".join(r.type for r in results)
    out = ["#unknown = loc(unknown)"]
    out += [f'#arg{i} = loc("{name}")' for i, name in enumerate(names)]
    out += ['"builtin.module"() <{sym_name = "jit_step"}> ({']
    out += [
        f'  "func.func"() <{{arg_attrs = [{arg_attrs}], function_type = ({types}) -> ({result_types}), '
        f'res_attrs = [{res_attrs}], sym_name = "main", sym_visibility = "public"}}> ({{',
        "  ^bb0(" + ", ".join(f"{a.name}: {a.type} loc(#arg{i})" for i, a in enumerate(arguments)) + "):",
    ]
    out += e.lines
    out += [
        f'    "func.return"({", ".join(r.name for r in results)}) : ({result_types}) -> () loc(#unknown)',
        "  }) : () -> ()",
    ]
    out += emit_where("_where", "f32") + emit_where("_where_0", "i32")
    out += ['}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()']
    out += [f'{alias} = loc("{name}"(#unknown))' for name, alias in e.locations.items()]
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", "--parameters", type=int, required=True, help="number of parameters")
    parser.add_argument("--moe", action="store_true", help="make every second block a mixture of experts")
    parser.add_argument("-o", "--output", default="-", help="file to write (- for standard output)")
    options = parser.parse_args()
    text = generate(options.parameters, options.moe)
    if options.output == "-":
        sys.stdout.write(text)
    else:
        with open(options.output, "w") as file:
            file.write(text)


if __name__ == "__main__":
    main()
