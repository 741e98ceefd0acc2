#===- graph_values.py - what a flat graph computes, in fp64 ---------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""Evaluates functions of flat generic text on many points at once, with numpy
and from the text alone: nothing of the compiler takes part. Update ops follow
the formulas of docs/generated/Dialect.md."""

import re

import numpy as np

# name, op, operands, properties, attributes, types
LINE = re.compile(r'^\s*(?:(%\w+)(?::\d+)? = )?"([\w.]+)"\(([^)]*)\)'
                  r"(?: <\{(.*?)\}>)?(?: \{(.*)\})? : \((.*?)\) -> (.*)$")


class Function:
    """Lines of one function."""

    def __init__(self):
        self.arguments, self.lines = [], []


def parse(text):
    """Functions by name."""
    functions, current, name = {}, None, None
    for line in text.splitlines():
        if '"func.func"' in line:
            # Generic form: the name is in the properties, the arguments in ^bb0.
            name = re.search(r'sym_name = "(\w+)"', line).group(1)
            current = functions[name] = Function()
        elif "func.func" in line:
            name = re.search(r"@(\w+)\(", line).group(1)
            current = functions[name] = Function()
            found = line[line.index("(") + 1:line.index(") ->")]
            current.arguments = [part.split(":")[0].strip()
                                 for part in found.split(",")]
        elif line.strip().startswith("^bb0") and not current.arguments:
            found = line[line.index("(") + 1:line.rindex(")")]
            current.arguments = [part.split(":")[0].strip()
                                 for part in found.split(",")]
        elif current is not None and line.strip().startswith("return "):
            operands = line.split("return ")[1].split(" : ")[0]
            current.lines.append((None, "return", operands.split(", "), "", ""))
        elif current is not None:
            match = LINE.match(line.split(" loc(")[0])
            if match:
                result, op, operands, properties, attributes, _, type_ = (
                    match.groups())
                current.lines.append(
                    (result, op, [o for o in operands.split(", ") if o],
                     (properties or "") + " " + (attributes or ""), type_))
    return functions


def rounded(value, element):
    """`value` as the element type stores it."""
    if element == "f64":
        return value
    single = np.float32(value)
    if element == "f32":
        return float(single)
    bits = int(single.view(np.uint32))
    bits += 0x7FFF + ((bits >> 16) & 1)
    return float(np.uint32(bits & 0xFFFF0000).view(np.float32))


def scalar_last(x):
    return np.asarray(x, np.float64)


def model(op, x):
    """Stand-ins for what is not elementwise. Points are rows."""
    if op == "model.gradient":
        size = 10.0 ** (3.0 * np.sin(x[:, :1]))
        value = size * np.sin(3.0 * x + np.roll(x, 1, axis=1))
        return np.where(np.abs(x) < 1e-3, 0.0, value)
    if op == "model.norm":
        return np.sqrt(np.sum(x * x, axis=1, keepdims=True))
    if op == "model.mean":
        return np.mean(x, axis=1, keepdims=True)
    raise NotImplementedError(op)


UNARY = {"negate": np.negative, "abs": np.abs, "sign": np.sign, "sqrt": np.sqrt,
         "cbrt": np.cbrt, "tanh": np.tanh, "convert": scalar_last,
         "not": np.logical_not, "rsqrt": lambda x: 1.0 / np.sqrt(x),
         "square": np.square, "reshape": scalar_last}
BINARY = {"add": np.add, "subtract": np.subtract, "multiply": np.multiply,
          "divide": np.divide, "maximum": np.maximum, "minimum": np.minimum,
          "power": np.power}
COMPARE = {"EQ": np.equal, "NE": np.not_equal, "GT": np.greater, "LT": np.less,
           "GE": np.greater_equal, "LE": np.less_equal}


def update(op, operands, text):
    """Results of skew.adamw, skew.lion or skew.sgd."""
    sizes = [int(n) for n in re.search(
        r"operandSegmentSizes = array<i32: ([\d, ]*)>", text).group(1).split(",")]
    groups, at = [], 0
    for size in sizes:
        groups.append(operands[at:at + size])
        at += size
    (p,), (g,), state, step, (lr,), runtime, scale, skip = groups
    constants = {k: float(v) for k, v in re.findall(
        r"(\w+) = (-?[\d.]+(?:[eE][-+]?\d+)?) : f64", text)}
    names = re.search(r"runtime_names = \[([^\]]*)\]", text)
    running = dict(zip(re.findall(r'"(\w+)"', names.group(1)), runtime)
                   if names else ())
    compute = re.search(r"compute_type = (\w+)", text)
    element = compute.group(1) if compute else "f64"

    def hyper(name, exact="f64" if element == "f64" else None):
        if name in running:
            return running[name]
        return rounded(constants.get(name, 0.0), exact or element)

    def weights(beta):
        keep, take = hyper(beta), 1.0 - hyper(beta)
        if beta in constants:
            take = rounded(1.0 - constants[beta], element)
        if compute and beta + "_stored" in constants:
            keep = hyper(beta + "_stored")
        if compute and f"one_minus_{beta}_stored" in constants:
            take = hyper(f"one_minus_{beta}_stored")
        return keep, take

    if scale:
        g = g * scale[0]
    scalars = "f64" if element == "f64" else "f32"
    if op == "skew.adamw":
        k1, t1 = weights("beta1")
        k2, t2 = weights("beta2")
        m, v = k1 * state[0] + t1 * g, k2 * state[1] + t2 * g * g
        c1 = 1.0 - hyper("beta1", scalars) ** step[0]
        c2 = 1.0 - hyper("beta2", scalars) ** step[0]
        u = (m / c1) / (np.sqrt(v / c2 + hyper("eps_root")) + hyper("eps"))
        new = [m, v]
    elif op == "skew.lion":
        k1, t1 = weights("beta1")
        k2, t2 = weights("beta2")
        u = np.sign(k1 * state[0] + t1 * g)
        new = [k2 * state[0] + t2 * g]
    else:
        u, new = g, []
        if state:
            momentum = hyper("momentum")
            m = momentum * state[0] + (1.0 - hyper("dampening")) * g
            nesterov = hyper("nesterov")
            u = m + nesterov * (g + momentum * m - m)
            new = [m]
    moved = p - lr * (u + hyper("weight_decay") * p)
    results = [moved] + new
    if skip:
        results = [np.where(skip[0] != 0, old, now)
                   for old, now in zip([p] + list(state), results)]
    return results


def evaluate(function, arguments):
    """The results; arguments and results are (points, elements) arrays."""
    values = dict(zip(function.arguments, arguments))
    for result, op, operands, text, type_ in function.lines:
        inputs = [values[o] for o in operands]
        short = op.split(".")[-1]
        if op in ("return", "func.return"):
            return inputs
        if op.startswith("skew."):
            for place, value in enumerate(update(op, inputs, text)):
                values[f"{result}#{place}"] = value
            values[result] = values[f"{result}#0"]
            continue
        if op.startswith("model."):
            value = model(op, *inputs)
        elif short == "constant":
            number = re.search(r"dense<([^>]*)> : tensor<(?:\d+x)*(\w+)>", text)
            number, element = float(number.group(1)), number.group(2)
            value = np.array([[rounded(number, element)
                               if "f" in element else number]])
        elif short == "broadcast_in_dim":
            value = inputs[0]
        elif short == "reverse":
            value = inputs[0][:, ::-1]
        elif short == "compare":
            value = COMPARE[re.search(r"comparison_direction (\w+)>",
                                      text).group(1)](*inputs)
        elif short == "select":
            value = np.where(inputs[0], inputs[1], inputs[2])
        elif short == "clamp":
            value = np.minimum(np.maximum(inputs[0], inputs[1]), inputs[2])
        elif short in UNARY:
            value = UNARY[short](*inputs)
        else:
            value = BINARY[short](*inputs)
        values[result] = value
    raise AssertionError("no return")
