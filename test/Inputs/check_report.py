# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that a report is complete and agrees with its layout, its module and,
if there are any, the answers beside a moe-* graph.

usage: check_report.py REPORT LAYOUT MODULE [ANSWERS [--positional]]

MODULE is the rewritten module in generic form. --positional: the graph was
stripped of its names. Prints what is wrong; exit 1 if anything is.
"""

import json
import math
import re
import sys

PARAMETER = {
    "name": str, "argument": int, "result": (int, type(None)), "shape": list,
    "dtype": str, "elements": int, "status": str, "reason": (str, type(None)),
    "rule": (str, type(None)), "hyperparameters": dict,
    "gradient": (str, type(None)), "role": str, "tier_class": str,
    "role_source": str, "confidence": str, "tier": (dict, type(None)),
    "why": str, "state_before": list, "state_before_bytes": int,
    "state_after": list, "state_after_bytes": int, "risk": (int, float),
}
TIER = {
    "m": str, "v": str, "numerics": str, "rounding": str, "rms_clip": str,
    "place": str, "batch_axes": list, "row_axes": list, "column_axes": list,
}
STATE = {"component": str, "dtype": str, "shape": list, "bytes": int}
OTHER = {"name": str, "kind": str, "bytes": int}
LINT = {"kind": str, "parameter": str, "message": str}
TOTALS = dict.fromkeys(
    ("parameters", "elements", "raised", "declined", "frozen",
     "state_before_bytes", "state_after_bytes"), int)
SLOT = {
    "index": int, "kind": str, "old_index": (int, type(None)),
    "aliases_result": (int, type(None)), "shape": list, "dtype": str,
}
VALUES = {
    "status": {"raised", "declined", "frozen"},
    "role": {"backbone", "expert", "router", "embedding", "norm"},
    "tier_class": {"backbone", "expert", "router"},
    "role_source": {"structure", "name", "user", "default"},
    "confidence": {"certain", "likely", "guess"},
}
SIZES = {"f64": 8, "f32": 4, "i32": 4, "bf16": 2, "f16": 2, "i64": 8, "i1": 1}

errors = []


def expect(condition, *what):
    if not condition:
        errors.append(" ".join(str(x) for x in what))


def has(object, keys, where):
    for key, kind in keys.items():
        expect(key in object, where, "has no", key)
        if key in object:
            expect(isinstance(object[key], kind), where, key, "is", object[key])


def size(entry):
    return math.prod(entry["shape"]) * SIZES[entry["dtype"]]


def check_parameter(parameter):
    name = parameter["name"]
    has(parameter, PARAMETER, name)
    for key, values in VALUES.items():
        expect(parameter[key] in values, name, key, parameter[key])
    expect(parameter["elements"] == math.prod(parameter["shape"]), name, "elements")
    raised = parameter["status"] == "raised"
    expect((parameter["tier"] is not None) == raised, name, "tier")
    expect((parameter["rule"] is not None) == raised, name, "rule")
    expect((parameter["reason"] is not None) == (parameter["status"] == "declined"),
           name, "reason", parameter["reason"])
    if raised:
        has(parameter["tier"], TIER, name + " tier")
        tier = parameter["tier"]
        axes = tier["batch_axes"] + tier["row_axes"] + tier["column_axes"]
        expect(sorted(axes) == list(range(len(parameter["shape"]))), name, axes)
        expect("learning_rate" in parameter["hyperparameters"], name, "no rate")
        for value in parameter["hyperparameters"].values():
            expect(value == "operand" or isinstance(value, (int, float)),
                   name, value)
    for when in "before", "after":
        states = parameter["state_" + when]
        for state in states:
            has(state, STATE, name + " state")
            expect(state["bytes"] == size(state), name, state)
        expect(sum(s["bytes"] for s in states) == parameter[f"state_{when}_bytes"],
               name, when)


def types(text):
    return [([int(x) for x in dims.split("x") if x], dtype)
            for dims, dtype in re.findall(r"tensor<((?:\d+x)*)(\w+)>", text)]


def check_layout(layout, module, function):
    slots = layout["arguments"]
    line = next(l for l in module.splitlines()
                if '"func.func"' in l and f'sym_name = "{function["name"]}"' in l)
    arguments, results = re.search(
        r"function_type = \((.*?)\) -> (\(.*?\)|[^ ,]*)[,}]", line).groups()
    arguments, results = types(arguments), types(results)
    expect(len(slots) == len(arguments), len(slots), "slots", len(arguments))
    expect(len(layout["results"]) == len(results), "results")
    for i, (slot, argument) in enumerate(zip(slots, arguments)):
        has(slot, SLOT, f"slot {i}")
        expect(slot["index"] == i, "slot", i, "has index", slot["index"])
        expect((slot["shape"], slot["dtype"]) == argument, "slot", i, argument)
        place = slot["aliases_result"]
        if place is not None:
            expect(results[place] == argument, "slot", i, "aliases", results[place])
            expect(layout["results"][place]["argument"] == i, "result", place)
        if slot["kind"] == "state":
            for key in "component", "init":
                expect(key in slot, "slot", i, "has no", key)
            expect(place is not None, "state", i, "has no next value")
        if slot["kind"] == "parameter" or slot.get("component") in (
                "m", "v", "v_row", "v_col"):
            for key in ("parameter", "parameter_id", "batch_axes", "row_axes",
                        "column_axes"):
                expect(key in slot, "slot", i, "has no", key)
    attributes = re.search(r"arg_attrs = \[(.*?)\], function_type", line)
    if attributes:
        donated = [re.search(r"tf.aliasing_output = (\d+)", text) for text in
                   re.findall(r"\{((?:\"(?:\\.|[^\"])*\"|[^{}\"])*)\}", attributes[1])]
        for slot, place in zip(slots, donated):
            if place:
                expect(slot["aliases_result"] == int(place[1]), "donation", slot)
        expect(len({p[1] for p in donated if p}) == sum(map(bool, donated)),
               "a result has two donors")
    # Every state tensor of the new signature is a parameter's, once.
    held = {}
    for slot in slots:
        if slot["kind"] == "state" and "parameter" in slot:
            held.setdefault(slot["parameter"], []).append(
                (slot["component"], slot["dtype"], slot["shape"]))
    for parameter in function["parameters"]:
        wanted = [(s["component"], s["dtype"], s["shape"])
                  for s in parameter["state_after"]]
        expect(sorted(held.pop(parameter["name"], [])) == sorted(wanted),
               parameter["name"], "has other state in the signature")
    expect(not held, "nobody's state", held)
    total = sum(size(s) for s in slots
                if s["kind"] == "state" and "parameter" in s)
    expect(total == function["totals"]["state_after_bytes"], total,
           "bytes in the signature")


def check_answers(function, answers, positional):
    by_name = {"params" + p["name"]: p for p in answers["params"]}
    by_place = dict(enumerate(answers["params"]))
    expect(len(function["parameters"]) == len(by_name), "number of parameters")
    for i, parameter in enumerate(function["parameters"]):
        name = parameter["name"]
        if positional:
            expect(name == f"arg{parameter['argument']}", name)
            expect(parameter["role_source"] != "name", name, "has no name")
        answer = by_place[i] if positional else by_name.get(name)
        if answer is None:
            expect(False, name, "is unknown")
            continue
        expect(parameter["shape"] == answer["shape"], name, parameter["shape"])
        expect(parameter["status"] == "raised", name, parameter["reason"])
        expect(parameter["tier_class"] == answer["role"], name,
               parameter["tier_class"])
        for ours, theirs in (("before", "adamw"), ("after", "skewadam")):
            expect(parameter[f"state_{ours}_bytes"]
                   == answer[f"{theirs}_state_bytes"],
                   name, ours, parameter[f"state_{ours}_bytes"])
    for ours, theirs in (("before", "adamw"), ("after", "skewadam")):
        total = function["totals"][f"state_{ours}_bytes"]
        expect(total == answers[f"{theirs}_state_bytes"], total, "bytes", ours)


def main():
    paths = [a for a in sys.argv[1:] if not a.startswith("--")]
    with open(paths[0], encoding="utf-8") as file:
        report = json.load(file)
    with open(paths[1], encoding="utf-8") as file:
        layout = json.load(file)
    with open(paths[2], encoding="utf-8") as file:
        module = file.read()
    has(report, {"schema": str, "tool": str, "input": str, "policy": str,
                 "functions": list}, "report")
    expect(report["schema"] == "skew-report/1", report["schema"])
    expect(layout["schema"] == "skew-layout/1", layout["schema"])
    expect(re.fullmatch(r"skew-opt \d+\.\d+\.\d+", report["tool"]), report["tool"])
    for function in report["functions"]:
        has(function, {"name": str, "parameters": list, "other_state": list,
                       "totals": dict, "lint": list}, "function")
        parameters = function["parameters"]
        for parameter in parameters:
            check_parameter(parameter)
        for other in function["other_state"]:
            has(other, OTHER, "other_state")
        for finding in function["lint"]:
            has(finding, LINT, "lint")
        totals = function["totals"]
        has(totals, TOTALS, "totals")
        expect(totals["parameters"] == len(parameters), "parameters")
        for status in "raised", "declined", "frozen":
            count = sum(p["status"] == status for p in parameters)
            expect(totals[status] == count, status, totals[status])
        for key in "elements", "state_before_bytes", "state_after_bytes":
            expect(totals[key] == sum(p[key] for p in parameters), key)
        check_layout(next(l for l in layout["functions"]
                          if l["name"] == function["name"]), module, function)
    if len(paths) > 3:
        with open(paths[3], encoding="utf-8") as file:
            check_answers(report["functions"][0], json.load(file),
                          "--positional" in sys.argv)
    for error in errors[:20]:
        print(error)
    return bool(errors)


sys.exit(main())
