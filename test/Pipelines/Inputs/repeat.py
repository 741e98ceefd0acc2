# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the pipeline several times, with and without threads, on one graph.

repeat.py RUNS GRAPH FOLDER: output, report, layout, plan and remarks must be
the same bytes in all runs.
"""

import pathlib
import subprocess
import sys

NAMES = ("out.mlir", "report.json", "layout.json", "plan.json", "remarks")


def run(graph, folder, options):
    folder.mkdir(parents=True, exist_ok=True)
    command = ["skew-opt", "--skew-pipeline=policy=paper", "--remarks-filter=.*", graph, "-o", folder / NAMES[0]]
    command += [f"--skew-{n.split('.')[0]}={folder / n}" for n in NAMES[1:4]]
    done = subprocess.run([str(part) for part in command] + options, check=True, stderr=subprocess.PIPE)
    (folder / NAMES[4]).write_bytes(done.stderr)
    return {name: (folder / name).read_bytes() for name in NAMES}


def main():
    runs, graph, folder = int(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
    first = run(graph, folder / "first", [])
    for name in NAMES:
        if len(first[name]) < 1000:
            sys.exit(f"{name} is too short to tell anything: {first[name]!r}")
    for number in range(runs):
        options = ["--mlir-disable-threading"] if number % 2 else []
        again = run(graph, folder / "again", options)
        for name in NAMES:
            if again[name] != first[name]:
                sys.exit(f"{name} of run {number} {options} differs from the first run's")


main()
