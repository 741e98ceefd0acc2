# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Edits a plan of test/Inputs/steps/small.mlir as a person would."""

import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    plan = json.load(file)
for parameter in plan["functions"][0]["parameters"]:
    if "router" in parameter["name"]:
        parameter.update(tier="keep", why="by hand")
    elif "experts" not in parameter["name"]:
        parameter["tier"]["m"] = "none"
        del parameter["why"]
json.dump(plan, sys.stdout)
