# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints how the parameters of two reports differ, but for the state lists."""

import json
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)["functions"][0]["parameters"]


def show(name, key, old, new):
    if isinstance(old, dict) and isinstance(new, dict):
        for inner in sorted(old.keys() | new.keys()):
            show(name, f"{key} {inner}", old.get(inner), new.get(inner))
    elif old != new:
        print(f"{name}: {key} {old} -> {new}")


sys.stdout.reconfigure(encoding="utf-8")
first, second = read(sys.argv[1]), read(sys.argv[2])
assert [p["name"] for p in first] == [p["name"] for p in second]
for old, new in zip(first, second):
    for key in sorted(old.keys() | new.keys()):
        if key != "state_after":
            show(old["name"], key, old.get(key), new.get(key))
