#===- test_command_line.py - the command skewopt -------------------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""Exit status, outputs and errors of the command, and the module beside
jaxlib's MLIR in one process."""

import json
import subprocess
import sys

import pytest
from skewopt import export

SMALL = "moe-tiny-stacked"


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    path = tmp_path_factory.mktemp("graph") / "step.mlir"
    path.write_text(export.text(export.preset(SMALL)))
    return path


def check_error(run, *words):
    assert run.returncode == 1
    assert run.stderr.startswith("error: ") and "Traceback" not in run.stderr
    assert len(run.stderr.splitlines()) == 1, run.stderr
    assert all(word in run.stderr for word in words), run.stderr
    assert run.stdout == ""


def test_usage(skewopt_command):
    run = skewopt_command("--help")
    assert run.returncode == 0
    for name in ("inspect", "optimize", "export", "demo", "plot"):
        assert name in run.stdout
    assert skewopt_command().returncode == 2
    assert skewopt_command("demo", "--steps", "9").returncode == 2


def test_export(skewopt_command, tmp_path):
    out = tmp_path / "step.mlir"
    run = skewopt_command("export", SMALL, "-o", out, "--json")
    assert run.returncode == 0 and run.stderr == ""
    assert len(json.loads(run.stdout)) == 27
    assert '"func.func"' in out.read_text()
    check_error(skewopt_command("export", "nonsense"), "moe-tiny-stacked")


def test_inspect(compiler, skewopt_command, graph):
    run = skewopt_command("inspect", graph)
    assert run.returncode == 0, run.stderr
    assert "params['layers'][1]['ff']['router']" in run.stdout
    assert run.stdout.splitlines()[-1].startswith("total")
    assert "\x1b" not in run.stdout + run.stderr
    run = skewopt_command("inspect", graph, "--json")
    document = json.loads(run.stdout)
    assert document["schema"] == "skew-report/1"
    assert document["functions"][0]["totals"]["raised"] == 27


def test_optimize_writes_all_outputs(compiler, skewopt_command, graph,
                                     tmp_path):
    names = ("out.mlir", "report.json", "layout.json", "plan.json")
    out, report, layout, plan = (tmp_path / name for name in names)
    run = skewopt_command("optimize", graph, "-o", out, "--report", report,
                          "--layout", layout, "--save-plan", plan, "--json")
    assert run.returncode == 0, run.stderr
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(names)
    assert json.loads(report.read_text()) == json.loads(run.stdout)
    assert json.loads(layout.read_text())["schema"] == "skew-layout/1"
    again = tmp_path / "again.mlir"
    run = skewopt_command("optimize", graph, "-o", again, "--plan", plan)
    assert run.returncode == 0, run.stderr
    assert again.read_text() == out.read_text()


def test_optimize_to_stdout(compiler, skewopt_command, graph):
    run = skewopt_command("optimize", graph)
    assert run.returncode == 0 and '"func.func"' in run.stdout


def test_errors(compiler, skewopt_command, graph, tmp_path):
    out = tmp_path / "out.mlir"
    check_error(skewopt_command("inspect", tmp_path / "gone.mlir"),
                "gone.mlir", "No such file")
    check_error(skewopt_command("optimize", graph, "--json"), "--output")
    check_error(skewopt_command("optimize", graph, "-o", out, "--roles",
                                tmp_path / "gone.json"), "roles", "gone.json")
    check_error(skewopt_command("optimize", graph, "-o", out, "--seed", "-1"),
                "seed")
    cut = tmp_path / "cut.mlir"
    cut.write_text(graph.read_text()[:200_000])
    run = skewopt_command("optimize", cut, "-o", out)
    assert run.returncode == 1 and run.stderr.startswith("error: ")
    check_error(skewopt_command("optimize", graph, "-o",
                                tmp_path / "no" / "out.mlir"), "cannot write")
    assert [p.name for p in tmp_path.iterdir()] == ["cut.mlir"]


def test_budget_that_cannot_be_met(compiler, skewopt_command, graph, tmp_path):
    out = tmp_path / "out.mlir"
    run = skewopt_command("optimize", graph, "-o", out, "--policy", "paper",
                          "--budget", "1KiB")
    assert run.returncode == 1 and not out.exists()
    assert "budget" in run.stderr


@pytest.mark.parametrize("order", ["compiler first", "jax first"])
def test_two_mlirs_in_one_process(compiler, graph, order):
    # jaxlib brings an MLIR of its own; each must keep to its own symbols.
    script = f"""
import sys
def ours():
    from skewopt import _skewopt
    text = open({str(graph)!r}).read()
    assert '"skew.' in _skewopt.optimize(text, target="none").module
    try:
        _skewopt.optimize("not mlir (")
    except _skewopt.CompileError:
        pass
    else:
        raise AssertionError("an error was expected")
def theirs():
    import jax, jax.numpy as jnp
    assert float(jax.jit(lambda x: (x @ x).sum())(jnp.ones((4, 4)))) == 64
    from skewopt import export
    export.text(export.preset({SMALL!r}))
steps = [ours, theirs] if {order!r} == "compiler first" else [theirs, ours]
for step in steps * 2:
    step()
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True,
                         text=True, check=False)
    assert run.returncode == 0, run.stderr
