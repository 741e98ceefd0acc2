#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares what skew-test-roles prints (stdin) with the answers beside a graph.

usage: skew-test-opt --skew-test-roles ... | check_roles.py GRAPH.json

Every parameter of the JSON must be found, used by the loss, and nothing else;
its role (for moe-*: its tier) must be the JSON's, and for moe-* the bytes of
tiered state that follow from the axes too. Prints one line; exit 1 on any
difference.
"""

import collections
import json
import math
import re
import sys

LINE = re.compile(
    r"argument (\d+): (unused )?(\w+) (\w+)"
    r" batch \[(.*?)\] row \[(.*?)\] column \[(.*?)\]"
)


def axes(text):
    return [int(x) for x in text.split(", ")] if text else []


def state_bytes(shape, tier, split):
    """v factored where it pays, m for the backbone only; all fp32."""
    b, r, c = (math.prod(shape[a] for a in part) for part in split)
    factored = tier != "router" and split[1] and split[2] and r * c > r + c
    v = b * (r + c) if factored else b * r * c
    return 4 * (v + (b * r * c if tier == "backbone" else 0))


def main():
    with open(sys.argv[1]) as file:
        answers = json.load(file)
    tiers_only = "skewadam_state_bytes" in answers
    expected = {}
    for place, entry in enumerate(answers["params"]):
        expected[entry.get("arg", place)] = entry
    problems = []
    roles = collections.Counter()
    certain = total_bytes = 0
    for line in sys.stdin:
        found = LINE.match(line)
        if not found:
            continue
        argument = int(found[1])
        entry = expected.pop(argument, None)
        if entry is None:
            problems.append(f"argument {argument} is no parameter")
            continue
        name = entry.get("path", entry.get("name"))
        shape = entry["shape"]
        split = [axes(found[i]) for i in (5, 6, 7)]
        role = found[3]
        tier = role if role in ("expert", "router") else "backbone"
        if found[2]:
            problems.append(f"{name}: unused")
        if sorted(sum(split, [])) != list(range(len(shape))):
            problems.append(f"{name}: axes {split} do not cover {shape}")
            continue
        if not entry.get("sub"):  # otherwise an arguable call
            want = entry["role"]
            if (tier if tiers_only else role) != want:
                problems.append(f"{name}: {role}, expected {want}")
        if tiers_only:
            nbytes = state_bytes(shape, tier, split)
            total_bytes += nbytes
            if nbytes != entry["skewadam_state_bytes"]:
                problems.append(f"{name}: {nbytes} bytes, axes {split}")
        roles[role] += 1
        certain += found[4] == "certain"
    problems += [f"argument {a} is missing" for a in expected if a is not None]
    text = " ".join(f"{role}={n}" for role, n in sorted(roles.items()))
    if tiers_only:
        text += f" bytes={total_bytes}"
        if total_bytes != answers["skewadam_state_bytes"]:
            problems.append(f"{total_bytes} bytes in all")
    print(f"{text} certain={certain} problems={len(problems)}")
    for problem in problems[:20]:
        print("  " + problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
