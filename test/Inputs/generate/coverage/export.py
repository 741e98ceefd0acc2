#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exports the graphs of the coverage corpus.

usage: export.py OUT [NAME-REGEX]

Writes OUT/NAME.mlir.xz and OUT/places.json (where parameters and their state
are; entries of graphs that are not exported now are kept). Needs what
requirements.txt pins, in an environment of its own; nothing is computed, so no
accelerator. Prints what does not export and why.
"""

import json
import os
import re
import sys

os.environ["JAX_PLATFORMS"] = "cpu"
os.environ["XLA_FLAGS"] = "--xla_force_host_platform_device_count=4"
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import corpus  # noqa: E402

for module in ("optax_rules", "optax_wrappers", "lookalikes", "frameworks",
               "parallel", "transformers_models", "maxtext_models"):
    try:
        __import__(module)
    except ImportError as error:
        print(f"{module}: {error}", file=sys.stderr)


def main():
    folder = sys.argv[1]
    wanted = re.compile(sys.argv[2] if len(sys.argv) > 2 else "")
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "places.json")
    places = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            places = json.load(file)
    failed = 0
    for name in sorted(corpus.GRAPHS):
        if not wanted.search(name):
            continue
        try:
            places[name], size, packed = corpus.export(name, folder)
            print(f"{name}: {size} bytes, {packed} packed, "
                  f"{len(places[name]['params'])} parameters")
        except Exception as error:  # what a package cannot export
            failed += 1
            print(f"{name}: {type(error).__name__}: {str(error)[:300]}",
                  file=sys.stderr)
    corpus.write_places(path, places)
    return failed != 0


sys.exit(main())
