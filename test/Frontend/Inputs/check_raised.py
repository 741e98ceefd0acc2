# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what raising wrote on a function with a graph's answer file.

usage: check_raised.py ANSWERS.json RULE|none COUNT [--positional] < raised.mlir
RULE and COUNT: the rule of every raised parameter, and how many there are; with
`none` every parameter is declined. --positional: the graph was stripped of its
names. Prints what differs; exit 1 if anything does.
"""

import json
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../../../utils/lib"))
from graph_text import attribute  # noqa: E402


def close(x, y):
    return isinstance(x, float) and abs(x - y) <= 1e-6 * max(abs(x), abs(y))


def main():
    arguments = [a for a in sys.argv[1:] if not a.startswith("--")]
    positional = "--positional" in sys.argv
    with open(arguments[0]) as file:
        answers = json.load(file)
    rule, count = arguments[1], int(arguments[2])
    text = sys.stdin.read()
    parameters = attribute(text, "skew.parameters")
    errors = []

    def expect(condition, *what):
        if not condition:
            errors.append(" ".join(str(x) for x in what))

    raised = [p for p in parameters if p["status"] == "raised"]
    expect(len(raised) == count, len(raised), "raised, not", count)
    expect(len(parameters) == len(answers["params"]), len(parameters), "listed")
    operations = len(re.findall(r" = skew\.%s parameter\(" % rule, text))
    expect(operations == count, operations, "ops of", rule)
    expect(len(re.findall(r" = skew\.", text)) == count, "other skew ops")

    sizes = {"f32": 4, "bf16": 2, "f16": 2, "f64": 8}

    def size(state):
        elements = 1
        for extent in state["shape"]:
            elements *= extent
        return elements * sizes[state["dtype"]]

    is_moe = "adamw" in answers
    optimizer = answers["adamw"] if is_moe else answers["optimizer"]
    by_argument = {p.get("arg", i): p for i, p in enumerate(answers["params"])}
    if is_moe and not positional:
        by_name = {"params" + p["name"]: p for p in answers["params"]}
        by_argument = {p["argument"]: by_name.get(p["name"]) for p in parameters}
    for parameter in parameters:
        place = parameter["argument"]
        answer = by_argument.get(place)
        expect(answer is not None, "argument", place, "is no parameter")
        if answer is None:
            continue
        name = parameter["name"]
        if positional:
            expect(name == f"arg{place}", name, "is not positional")
        elif not is_moe:
            expect(name == answer["loc"], name, "is not", answer["loc"])
        if rule == "none":
            expect(parameter["status"] == "declined", name, "is not declined")
            continue
        if parameter["status"] != "raised":
            expect(False, name, parameter["status"], parameter.get("reason"))
            continue
        expect(parameter["rule"] == rule, name, parameter["rule"])
        states = parameter["states"]
        found = [(s["argument"], s["result"]) for s in states]
        if is_moe:
            if not positional:
                total = sum(map(size, states))
                expect(total == answer["adamw_state_bytes"], name, total, "B")
        else:
            slots = [answer["slots"][k] for k in ("mu", "nu", "trace")
                     if k in answer["slots"]]
            wanted = [(s["arg"], s["result"]) for s in slots]
            expect(found == wanted, name, "states", found, "not", wanted)
            expect(parameter["result"] == answer["result"], name, "result")
        hyper = parameter["hyperparameters"]
        keys = {
            "adamw": {"beta1": "b1", "beta2": "b2", "eps": "eps"},
            "lion": {"beta1": "b1", "beta2": "b2"},
            "sgd": {"momentum": "momentum"},
        }[rule]
        for ours, theirs in keys.items():
            expect(close(hyper[ours], optimizer[theirs]), name, ours, hyper[ours])
        decay = float(optimizer.get("weight_decay") or 0.0)
        if is_moe:
            decayed = answer["role"] != optimizer["decay_masked_out"]
        else:
            decayed = answer.get("decayed", True) is not False
        expect(
            close(hyper["weight_decay"], decay if decayed else 0.0),
            name, "weight_decay", hyper["weight_decay"],
        )
        rate = optimizer.get("lr", "schedule")
        if isinstance(rate, str):
            expect(hyper["learning_rate"] == "operand", name, "learning rate")
        else:
            expect(close(hyper["learning_rate"], rate), name, "learning rate")
        clipped = bool(optimizer.get("clip_global_norm"))
        wanted = "scaled_by_reduction" if clipped else "plain"
        expect(parameter["gradient"] == wanted, name, parameter["gradient"])
        for ours, theirs in (("beta1", "b1"), ("beta2", "b2"), ("eps", "eps")):
            stored = optimizer.get(theirs + "_as_stored")
            if stored is not None:
                applied = parameter["applied"][ours]
                expect(close(applied, stored), name, "applied", ours, applied)

    if is_moe:
        total = sum(size(s) for p in raised for s in p["states"])
        expect(total == answers["adamw_state_bytes"], total, "B of state")
    elif rule != "none":
        others = attribute(text, "skew.other_state")
        accumulators = [p["slots"]["acc_grads"] for p in answers["params"]
                        if "acc_grads" in p.get("slots", {})]
        expect(
            [(o["argument"], o["result"], o["bytes"]) for o in others]
            == sorted((o["arg"], o["result"], o["bytes"])
                      for o in answers["other_state"] + accumulators),
            "other state", others,
        )
        counters = {o["arg"] for o in answers["other_state"]
                    if o["shape"] == []
                    and ("int" in o["dtype"] or o.get("kind") == "step")}
        sums = {o["arg"] for o in accumulators}
        expect(
            all(o["kind"] == ("step" if o["argument"] in counters else
                              "accumulator" if o["argument"] in sums
                              else "other")
                for o in others), others)
    for error in errors[:20]:
        print(error)
    return bool(errors)


sys.exit(main())
