#===- cli.py - the command line ------------------------------------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""`skewopt inspect|optimize|export|demo|plot`. Results go to stdout, as text
or with --json as one JSON document; progress and errors go to stderr. Exit
status: 0, 1 for bad input (one line `error:`), 2 for bad usage."""

from __future__ import annotations

import argparse
import json
import os
import sys

from . import report as report_module
from .errors import Error
from .files import write_text

# Read once by glibc at start, so they need a fresh process. Without them a
# tenth to a third of a training step on the CPU goes into page faults: large
# buffers are mapped and unmapped at every step.
_ALLOCATOR = {"MALLOC_MMAP_MAX_": "0",
              "MALLOC_TRIM_THRESHOLD_": "8000000000",
              "MALLOC_ARENA_MAX": "1"}


def _add_pipeline_options(parser) -> None:
    group = parser.add_argument_group("pipeline")
    group.add_argument("--policy", choices=["paper", "auto", "keep"],
                       help="default: auto with a budget or profile, else "
                            "paper")
    group.add_argument("--numerics", choices=["tiered", "published"],
                       default="tiered")
    group.add_argument("--rounding", default="auto",
                       choices=["auto", "nearest", "stochastic"],
                       help="of weights; auto: stochastic for bf16 and f16")
    group.add_argument("--seed", type=int, default=0,
                       help="of stochastic rounding")
    group.add_argument("--rms-clip", default="batch",
                       choices=["batch", "tensor", "off"],
                       help="scope of the update's RMS clip")
    group.add_argument("--budget", metavar="SIZE",
                       help="state bytes, as in 1379022848B or 2GiB")
    group.add_argument("--profile", metavar="FILE")
    group.add_argument("--plan", metavar="FILE",
                       help="take the decisions from this plan")
    group.add_argument("--roles", metavar="FILE",
                       help="JSON rules by regex that override roles")
    group.add_argument("--strict", action="store_true",
                       help="a declined parameter is an error")


def _optimize(args, **more):
    from .api import optimize
    return optimize(args.graph, policy=args.policy, numerics=args.numerics,
                    rounding=args.rounding, seed=args.seed,
                    rms_clip=args.rms_clip, budget=args.budget,
                    profile=args.profile, plan=args.plan, roles=args.roles,
                    strict=args.strict, **more)


def _print_report(result, as_json: bool) -> None:
    if as_json:
        print(result.report.json)
        return
    print(report_module.parameter_table(result.report))
    print()
    print(report_module.tier_table(result.report))


def _inspect(args) -> None:
    _print_report(_optimize(args, target="none"), args.json)


def _run_optimize(args) -> None:
    if args.output == "-" and args.json:
        raise Error("--json and the module would both go to stdout: give "
                    "--output a file name")
    result = _optimize(args, target=args.target, chip=args.chip)
    write_text(args.output, result.text)
    for path, text in ((args.report, result.report.json),
                       (args.layout, result.layout.json),
                       (args.save_plan, json.dumps(result.plan, indent=1))):
        if path:
            write_text(path, text)
    if args.output != "-":
        _print_report(result, args.json)


def _export(args) -> None:
    from . import export
    try:
        config = export.preset(args.preset)
    except ValueError as error:
        raise Error(str(error)) from None
    text = export.text(config)
    if args.output == "-" and args.json:
        raise Error("--json and the graph would both go to stdout: give "
                    "--output a file name")
    write_text(args.output, text)
    if args.json:
        print(json.dumps([{"name": p.name, "shape": p.shape, "dtype": p.dtype}
                          for p in export.parameters(config)]))


def _demo(args) -> None:
    if sys.platform == "linux" and not all(k in os.environ
                                           for k in _ALLOCATOR):
        sys.stdout.flush()
        os.execve(sys.executable,
                  [sys.executable, "-m", "skewopt", *args.command_line],
                  {**os.environ, **_ALLOCATOR})
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    from . import demo
    outcome = demo.run(args.output, steps=args.steps, seeds=args.seeds,
                       weights=args.weights,
                       say=(lambda line: None) if args.json else print)
    if args.json:
        print(json.dumps(outcome))


def _plot(args) -> None:
    from . import plot
    output = args.output or os.path.splitext(args.report)[0] + ".png"
    plot.plot_file(args.report, output)
    print(json.dumps({"plot": output}) if args.json else output)


def _at_least(least: int):
    def integer(text: str) -> int:
        value = int(text)
        if value < least:
            raise argparse.ArgumentTypeError(
                f"must be at least {least}, got {value}")
        return value

    return integer


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="skewopt", description="Decides where optimizer state should "
        "live: finds AdamW in a training graph and rewrites it to tiered "
        "state.")
    commands = parser.add_subparsers(dest="command", required=True,
                                     metavar="COMMAND")

    def command(name, run, help_text):
        sub = commands.add_parser(name, help=help_text, description=help_text)
        sub.set_defaults(run=run)
        sub.add_argument("--json", action="store_true",
                         help="print the result as JSON")
        return sub

    graph_help = ("generic or pretty StableHLO text, a portable artifact, or "
                  "either compressed with xz")
    sub = command("inspect", _inspect,
                  "Shows what is found in a graph and what would be kept.")
    sub.add_argument("graph", help=graph_help)
    _add_pipeline_options(sub)

    sub = command("optimize", _run_optimize, "Rewrites a graph.")
    sub.add_argument("graph", help=graph_help)
    sub.add_argument("-o", "--output", default="-", help="rewritten module")
    sub.add_argument("--report", metavar="FILE", help="report as JSON")
    sub.add_argument("--layout", metavar="FILE", help="state layout as JSON")
    sub.add_argument("--save-plan", metavar="FILE", help="plan as JSON")
    sub.add_argument("--target", default="stablehlo")
    sub.add_argument("--chip")
    _add_pipeline_options(sub)

    sub = command("export", _export,
                  "Writes a training graph of the paper's architecture, by "
                  "shapes only.")
    sub.add_argument("preset", help="moe-6.78b-stacked, moe-tiny-stacked, ...")
    sub.add_argument("-o", "--output", default="-")

    sub = command("demo", _demo,
                  "Rewrites the paper's 6.78 B train step, then trains a small "
                  "model before and after, on the CPU.")
    sub.add_argument("-o", "--output", default="demo", metavar="FOLDER")
    sub.add_argument("--steps", type=_at_least(10), default=400)
    sub.add_argument("--seeds", type=_at_least(1), default=3)
    sub.add_argument("--weights", choices=["float32", "bfloat16"],
                     default="float32", help="type the weights are stored in")

    sub = command("plot", _plot, "Plots a report or the demo's curves.")
    sub.add_argument("report", help="report.json or curves.json")
    sub.add_argument("-o", "--output", help="default: the name with .png")
    return parser


def main(argv: list[str] | None = None) -> int:
    argv = sys.argv[1:] if argv is None else argv
    args = build_parser().parse_args(argv)
    args.command_line = argv
    try:
        args.run(args)
    except Error as error:
        text = str(error)
        first = next((line for line in text.splitlines() if "error:" in line),
                     None)
        print(text if first else f"error: {text}", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # The reader has seen enough; leave without a second complaint.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return 0
