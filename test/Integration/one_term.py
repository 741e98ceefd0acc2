#===- one_term.py - update rules with one term changed --------------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""Small graphs of every raisable rule in several spellings, and what can be
wrong with one term of them.

A spelling names its terms (`step.term("m1", value)`); a mutation replaces the
value of one of them. What does not apply to a spelling makes no graph."""

import dataclasses
import typing

SIZE = 8


class Inapplicable(Exception):
    """The spelling has no such term."""


@dataclasses.dataclass(frozen=True)
class Mutation:
    name: str
    term: str
    change: typing.Callable  # (Step, value) -> value


class Step:
    """Emits one function, op by op."""

    def __init__(self, name, arguments, wide, mutation=None):
        self.name, self.arguments, self.wide = name, arguments, wide
        self.lines, self.types = [], dict(arguments)
        self.known = {}  # what mutations may refer to
        self.mutation, self.applied = mutation, mutation is None
        self.constants = {}
        for argument, _ in arguments:
            self.known[argument] = argument

    def emit(self, op, operands, type_, attributes=""):
        name = f"x{len(self.lines)}"
        self.types[name] = type_
        values = ", ".join(f"%{o}" for o in operands)
        inputs = ", ".join(self.types[o] for o in operands)
        self.lines.append(f'    %{name} = "{op}"({values}){attributes} : '
                          f"({inputs}) -> {type_}")
        return name

    def op(self, op, *operands):
        """Elementwise; a scalar is spread, a number is a constant."""
        tensor = next((o for o in operands if isinstance(o, str)
                       and self.types[o].startswith(f"tensor<{SIZE}x")), None)
        like = tensor or next(o for o in operands if isinstance(o, str))
        type_ = self.types[like]
        return self.emit(f"stablehlo.{op}",
                         [self.to(o, type_) for o in operands], type_)

    def to(self, value, type_):
        if not isinstance(value, str):
            return self.constant(value, type_)
        have = self.types[value]
        if have == type_:
            return value
        if have.startswith("tensor<8x") == type_.startswith("tensor<8x"):
            return self.emit("stablehlo.convert", [value], type_)
        element = type_[type_.index("x") + 1:-1]
        scalar = self.to(value, f"tensor<{element}>")
        return self.emit("stablehlo.broadcast_in_dim", [scalar], type_,
                         " <{broadcast_dimensions = array<i64>}>")

    def constant(self, value, type_):
        text = f"{value:.9e}" if "f" in type_ else str(int(value))
        return self.emit("stablehlo.constant", [], type_,
                         f" <{{value = dense<{text}> : {type_}}}>")

    def compare(self, direction, x, y):
        """A scalar or elementwise truth."""
        type_ = self.types[x]
        return self.emit(
            "stablehlo.compare", [x, self.to(y, type_)],
            type_.replace("bf16", "i1").replace("f32", "i1").replace("i32", "i1"),
            ' <{comparison_direction = #stablehlo<comparison_direction '
            f"{direction}>}}>")

    def select(self, condition, x, y):
        return self.emit("stablehlo.select", [condition, x, y], self.types[x])

    def term(self, name, value):
        """A term that a mutation may replace."""
        if self.mutation and self.mutation.term == name:
            value = self.mutation.change(self, value)
            self.applied = True
        self.known[name] = value
        return value

    def __getitem__(self, name):
        if name not in self.known:
            raise Inapplicable(name)
        return self.known[name]

    def text(self, results):
        if not self.applied:
            raise Inapplicable(self.mutation.term)
        arguments = ", ".join(f"%{n}: {t}" for n, t in self.arguments)
        types = ", ".join(self.types[r] for r in results)
        values = ", ".join(f"%{r}" for r in results)
        return (f"  func.func public @{self.name}({arguments}) -> ({types}) {{\n"
                + "\n".join(self.lines) +
                f"\n    return {values} : {types}\n  }}\n")


# ---------------------------------------------------------------------------
# What spellings share
# ---------------------------------------------------------------------------

@dataclasses.dataclass(frozen=True)
class Base:
    """A correct graph."""
    rule: str
    spelling: str
    scene: str  # plain, or clip and schedule
    dtype: str = "f32"  # of the parameter and its gradient

    @property
    def name(self):
        return f"{self.rule}_{self.spelling}_{self.scene}_{self.dtype}"


def start(base, states, mutation, number):
    wide = f"tensor<{SIZE}xf32>"
    narrow = f"tensor<{SIZE}x{base.dtype}>"
    arguments = [("p", narrow)] + [(s, wide) for s in states]
    arguments.append(("t", "tensor<i32>"))
    step = Step(f"f{number}", arguments, wide, mutation)
    raw = step.emit("model.gradient", ["p"], narrow)
    step.known["raw"] = raw
    raw = step.to(raw, wide)
    step.known["raw"] = raw
    if base.scene == "plain":
        g = raw
    else:
        norm = step.emit("model.norm", [raw], "tensor<f32>")
        g = step.op("divide", raw, step.op("maximum", norm, 1.0))
    step.term("g", g)
    step.term("pw", step.to("p", wide))
    counted = step.op("add", "t", 1)
    step.known["t1"] = counted
    if base.scene == "plain":
        rate = step.constant(1e-3, "tensor<f32>")
    else:
        rate = step.op("minimum", step.op("multiply",
                                          step.to(counted, "tensor<f32>"), 1e-5),
                       1e-3)
    step.term("lr", rate)
    return step


def average(step, old, new, keep, how, name):
    """keep old + (1 - keep) new, in one of three ways."""
    take = round(1.0 - keep, 9)
    if how == "lerp":
        difference = step.op("subtract", new, old)
        return step.op("add", old, step.op("multiply", difference,
                                           step.term(f"take_{name}", take)))
    kept = step.op("multiply", old, step.term(f"keep_{name}", keep))
    taken = step.op("multiply", step.term(f"take_{name}", take), new)
    return step.op("add", *((taken, kept) if how == "taken-first"
                            else (kept, taken)))


def finish(step, new, results):
    narrow = dict(step.arguments)["p"]
    return step.text([step.to(new, narrow)] + results + [step["t1"]])


def adamw(base, mutation, number):
    step = start(base, ("m", "v"), mutation, number)
    how = {"lerp": "lerp", "optax": "taken-first"}.get(base.spelling, "kept-first")
    gm, gv = step.term("gm", step["g"]), step.term("gv", step["g"])
    m1 = step.term("m1", average(step, step.term("old_m", "m"), gm, 0.9, how, "m"))
    square = step.term("square", step.op("multiply", gv, gv))
    v1 = step.term("v1", average(step, step.term("old_v", "v"), square, 0.999,
                                 how, "v"))
    count = step.to(step.term("count", step["t1"]), "tensor<f32>")

    def correction(name, beta):
        power = step.op("power",
                        step.to(step.term(f"base_{name}", beta), "tensor<f32>"),
                        step.term(f"count_{name}", count))
        return step.term(name, step.op(
            "subtract", step.constant(1.0, "tensor<f32>"), power))

    c1, c2 = correction("c1", 0.9), correction("c2", 0.999)
    used_m, used_v = step.term("used_m", m1), step.term("used_v", v1)
    pw, lr, decay = step["pw"], step["lr"], step.term("decay", 0.05)
    if base.spelling == "torch":
        # Decay first, corrections folded into denominator and rate.
        root = step.term("root", step.op(
            "divide", step.op("sqrt", used_v), step.op("sqrt", c2)))
        bottom = step.term("bottom", step.op("add", root, step.term("eps", 1e-8)))
        shrink = step.op("subtract", step.constant(1.0, "tensor<f32>"),
                         step.op("multiply", lr, decay))
        kept = step.term("decayed", step.op("multiply", pw, shrink))
        rate = step.op("divide", lr, c1)
        move = step.term("move", step.op("multiply", step.op(
            "divide", used_m, bottom), rate))
        new = step.term("p1", step.op("subtract", kept, move))
    elif base.spelling == "folded":
        # lr sqrt(c2) / c1 as one scalar, epsilon scaled to match.
        rate = step.op("divide", step.op("multiply", lr, step.op("sqrt", c2)), c1)
        eps = step.op("multiply", step.op("sqrt", c2), step.term("eps", 1e-8))
        root = step.term("root", step.op("sqrt", used_v))
        bottom = step.term("bottom", step.op("add", root, eps))
        move = step.op("multiply", step.op("divide", used_m, bottom), rate)
        wane = step.op("multiply", pw, step.op("multiply", lr, decay))
        new = step.term("p1", step.op("subtract", step.op("subtract", pw, move),
                                      wane))
    else:
        mh = step.term("mh", step.op("divide", used_m, c1))
        vh = step.term("vh", step.op("divide", used_v, c2))
        root = step.term("root", step.op("sqrt", vh))
        bottom = step.term("bottom", step.op("add", root, step.term("eps", 1e-8)))
        u = step.term("u", step.op("divide", mh, bottom))
        wane = step.term("wane", step.op("multiply", pw, decay))
        total = step.term("total", step.op("add", u, wane))
        if base.spelling == "optax":
            negative = step.op("negate", lr)
            new = step.term("p1", step.op("add", pw, step.op(
                "multiply", total, negative)))
        else:
            new = step.term("p1", step.op("subtract", pw, step.op(
                "multiply", lr, total)))
    return finish(step, new, [step.term("out_m", m1), step.term("out_v", v1)])


def lion(base, mutation, number):
    step = start(base, ("m",), mutation, number)
    how = "lerp" if base.spelling == "lerp" else "taken-first"
    gm, gv = step.term("gm", step["g"]), step.term("gv", step["g"])
    mean = step.term("mean", average(step, step.term("old_v", "m"), gv, 0.9, how,
                                     "v"))
    u = step.term("u", step.op("sign", mean))
    m1 = step.term("m1", average(step, step.term("old_m", "m"), gm, 0.99, how, "m"))
    wane = step.term("wane", step.op("multiply", step["pw"],
                                     step.term("decay", 0.1)))
    total = step.term("total", step.op("add", u, wane))
    new = step.term("p1", step.op("subtract", step["pw"], step.op(
        "multiply", step["lr"], total)))
    return finish(step, new, [step.term("out_m", m1)])


def sgd(base, mutation, number):
    momentum = base.spelling != "plain"
    step = start(base, ("m",) if momentum else (), mutation, number)
    gm, u = step.term("gm", step["g"]), None
    results = []
    if momentum:
        kept = step.op("multiply", step.term("old_m", "m"),
                       step.term("keep_m", 0.9))
        m1 = step.term("m1", step.op("add", kept, gm))
        results = [step.term("out_m", m1)]
        u = step.term("used_m", m1)
        if base.spelling == "nesterov":
            u = step.op("add", step.term("gv", step["g"]), step.op(
                "multiply", u, step.term("keep_v", 0.9)))
    else:
        u = gm
    u = step.term("u", u)
    wane = step.term("wane", step.op("multiply", step["pw"],
                                     step.term("decay", 0.01)))
    total = step.term("total", step.op("add", u, wane))
    new = step.term("p1", step.op("subtract", step["pw"], step.op(
        "multiply", step["lr"], total)))
    return finish(step, new, results)


RULES = {"adamw": adamw, "lion": lion, "sgd": sgd}
SPELLINGS = {"adamw": ("textbook", "optax", "torch", "lerp", "folded"),
             "lion": ("optax", "lerp"), "sgd": ("plain", "momentum", "nesterov")}


def bases():
    for rule, spellings in SPELLINGS.items():
        for spelling in spellings:
            for scene in ("plain", "train"):
                for dtype in ("f32", "bf16"):
                    yield Base(rule, spelling, scene, dtype)


# ---------------------------------------------------------------------------
# Mutations
# ---------------------------------------------------------------------------

def mutations():
    found = []

    def add(name, term, change):
        found.append(Mutation(name, term, change))

    def constant(term, *values):
        for value in values:
            add(f"constant {value:g}", term, lambda s, x, value=value: value)

    # Constants and exponents.
    constant("keep_m", 0.8, 0.9001, 1.0)
    constant("take_m", 0.2, 0.1001, 1.0)
    constant("keep_v", 0.99, 1.0)
    constant("take_v", 0.01, 0.00101, 1.0)
    constant("base_c1", 0.8, 0.999, 0.9001)
    constant("base_c2", 0.9, 0.9991)
    constant("eps", 1e-3, 0.0)
    constant("decay", 0.0, -0.05)
    # Counting.
    add("counts from 0", "count", lambda s, x: "t")
    add("counts from 2", "count", lambda s, x: s.op("add", "t", 2))
    for which in ("count_c1", "count_c2"):
        add("counts from 0 here", which,
            lambda s, x: s.to("t", "tensor<f32>"))
        add("counts half", which, lambda s, x: s.op("multiply", x, 0.5))
        add("count up to 100", which, lambda s, x: s.op("minimum", x, 100.0))
    # Bias correction.
    for which in ("c1", "c2"):
        add("missing", which, lambda s, x: s.constant(1.0, "tensor<f32>"))
        add("its root", which, lambda s, x: s.op("sqrt", x))
    add("that of m", "c2", lambda s, x: s["c1"])
    # Which gradient, which moment.
    for which in ("gm", "gv"):
        add("not clipped", which, lambda s, x: s["raw"] if s["raw"] != x
            else s.op("multiply", x, 1.5))
        add("its sign", which, lambda s, x: s.op("sign", x))
        add("plus decay", which, lambda s, x: s.op(
            "add", x, s.op("multiply", s["pw"], 0.01)))
        add("centralized", which, lambda s, x: s.op("subtract", x, s.emit(
            "model.mean", [x], "tensor<f32>")))
    add("plus decay everywhere", "g", lambda s, x: s.op(
        "add", x, s.op("multiply", s.to("p", s.wide), 0.01)))
    add("absolute", "square", lambda s, x: s.op("abs", s["gv"]))
    add("g m", "square", lambda s, x: s.op("multiply", s["gv"], "m"))
    add("(g - m)^2", "square", lambda s, x: s.op("multiply", *[s.op(
        "subtract", s["gv"], s["m1"])] * 2))
    add("g^4", "square", lambda s, x: s.op("multiply", x, x))
    add("plus 1e-30", "square", lambda s, x: s.op("add", x, 1e-30))
    add("old one", "used_m", lambda s, x: "m")
    add("old one", "used_v", lambda s, x: "v" if "v" in s.known else s["v"])
    add("ahead", "used_m", lambda s, x: s.op("add", s.op("multiply", x, 0.9),
                                             s.op("multiply", s["g"], 0.1)))
    add("greatest", "used_v", lambda s, x: s.op("maximum", x, s["v"]))
    add("greatest", "v1", lambda s, x: s.op("maximum", x, s["v"]))
    add("v for m", "old_m", lambda s, x: s["v"])
    add("m for v", "old_v", lambda s, x: s["m1"])
    add("reversed", "old_m", lambda s, x: s.emit(
        "stablehlo.reverse", [x], s.types[x], " <{dimensions = array<i64: 0>}>"))
    add("only where g", "m1", lambda s, x: s.select(
        s.compare("NE", s["g"], 0.0), x, "m"))
    for which in ("m1", "v1"):
        add("scaled when returned", which.replace("1", "").join(("out_", "")),
            lambda s, x: s.op("multiply", x, 1.01))
        add("corrected when returned", "out_" + which[0],
            lambda s, x: s.op("divide", x, s["c1"]))
    # Denominator.
    add("missing", "root", lambda s, x: s["used_v"])
    add("cubic", "root", lambda s, x: s.op("cbrt", s["used_v"]))
    add("exponent 0.25", "root", lambda s, x: s.op("sqrt", x))
    add("epsilon inside", "bottom", lambda s, x: s.op("sqrt", s.op(
        "add", s.op("multiply", s["root"], s["root"]), 1e-8)))
    add("epsilon inside too", "used_v", lambda s, x: s.op("add", x, 1e-6))
    add("greater of root and epsilon", "bottom", lambda s, x: s.op(
        "maximum", s["root"], 1e-8))
    add("epsilon times t", "bottom", lambda s, x: s.op("add", x, s.op(
        "multiply", s.to(s["t1"], "tensor<f32>"), 1e-8)))
    add("swapped", "u", lambda s, x: s.op("divide", s["bottom"], s["mh"]))
    add("product", "u", lambda s, x: s.op("multiply", s["mh"], s["bottom"]))
    # Update.
    for limit in (1.0, 1e9):
        add(f"clamped to {limit:g}", "u", lambda s, x, limit=limit: s.op(
            "clamp", -limit, x, limit))
    add("cautious", "u", lambda s, x: s.select(
        s.compare("GT", s.op("multiply", x, s["g"]), 0.0), x,
        s.to(0.0, s.types[x])))
    add("hyperbolic", "u", lambda s, x: s.op("tanh", x))
    add("norm", "u", lambda s, x: s.op("divide", x, s.emit(
        "model.norm", [x], "tensor<f32>")))
    # Decay.
    for which in ("wane", "total"):
        add("missing", which, lambda s, x: s["u"] if s.mutation.term == "total"
            else s.op("multiply", s["pw"], 0.0))
    add("of the magnitude", "wane", lambda s, x: s.op("abs", x))
    add("of m", "wane", lambda s, x: s.op("multiply", s["m"], 0.05))
    add("over lr", "wane", lambda s, x: s.op("divide", x, s["lr"]))
    add("times lr", "wane", lambda s, x: s.op("multiply", x, s["lr"]))
    add("of the square", "wane", lambda s, x: s.op("multiply", x, s["pw"]))
    add("after the step", "p1", lambda s, x: s.op(
        "multiply", x, s.op("subtract", s.constant(1.0, "tensor<f32>"),
                            s.op("multiply", s["lr"], 0.05))))
    # The whole step.
    add("uphill", "p1", lambda s, x: s.op("subtract", s.op(
        "multiply", s["pw"], 2.0), x))
    add("swapped", "p1", lambda s, x: s.op("negate", x))
    add("average of weights", "p1", lambda s, x: s.op("add", s.op(
        "multiply", x, 0.5), s.op("multiply", s["pw"], 0.5)))
    add("by the magnitude of p", "lr", lambda s, x: s.op("multiply", s.op(
        "abs", s["pw"]), x))
    add("squared", "lr", lambda s, x: s.op("multiply", x, x))
    add("by the step", "lr", lambda s, x: s.op("divide", x, s.op(
        "sqrt", s.to(s["t1"], "tensor<f32>"))))
    # Anything done to any term.
    for term in ("g", "gm", "gv", "m1", "v1", "used_m", "used_v", "mean", "root",
                 "bottom", "u", "total", "move", "decayed", "p1", "pw"):
        add("scaled by 1.01", term, lambda s, x: s.op("multiply", x, 1.01))
        add("negative", term, lambda s, x: s.op("negate", x))
        add("magnitude", term, lambda s, x: s.op("abs", x))
        add("plus 1e-14 p", term, lambda s, x: s.op(
            "add", x, s.op("multiply", s.to("p", s.wide), 1e-14)))
        add("plus 1e-14 g", term, lambda s, x: s.op(
            "add", x, s.op("multiply", s["raw"], 1e-14)))
        add("at least 0", term, lambda s, x: s.op("maximum", x, 0.0))
        add("at most 1e9", term, lambda s, x: s.op("minimum", x, 1e9))
        add("other at step 123457", term, lambda s, x: s.select(
            s.compare("EQ", "t", 123456), s.op("multiply", x, 2.0), x))
        add("other for large g", term, lambda s, x: s.select(
            s.compare("GT", s["raw"], 1e6), s.op("multiply", x, 0.5), x))
    return found


def make(base, mutation, number):
    """The function's text, or None where the mutation does not apply."""
    try:
        return RULES[base.rule](base, mutation, number)
    except Inapplicable:
        return None
