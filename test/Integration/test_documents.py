#===- test_documents.py - report and layout documents --------------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""Versioned JSON: unknown keys ignored, newer schemas refused, wrong kinds
named."""

import copy
import json

import pytest
from skewopt import Error, layout, plot, report

REPORT = {
    "schema": "skew-report/1", "tool": "skew-opt 0.1", "input": "step.mlir",
    "policy": "paper", "someday": [1],
    "functions": [{
        "name": "main", "parameters": [
            {"name": "params['w']", "argument": 0, "result": 0,
             "shape": [8, 4], "dtype": "bf16", "elements": 32,
             "status": "raised", "reason": None, "rule": "adamw",
             "hyperparameters": {"beta1": 0.9, "learning_rate": "operand"},
             "tier_class": "expert", "role": "expert",
             "tier": {"m": "none", "v": "factored", "new": 1,
                      "batch_axes": [], "row_axes": [0], "column_axes": [1]},
             "state_before": [{"component": "m", "dtype": "f32",
                               "shape": [8, 4], "bytes": 128}],
             "state_before_bytes": 256, "state_after_bytes": 48, "risk": 0},
            {"name": "params['f']", "shape": [], "dtype": "f32", "elements": 1,
             "status": "frozen", "state_before_bytes": 0,
             "state_after_bytes": 0}],
        "other_state": [{"name": "count", "kind": "step", "bytes": 4}],
        "totals": {"parameters": 2, "elements": 33, "raised": 1, "declined": 0,
                   "frozen": 1, "state_before_bytes": 256,
                   "state_after_bytes": 48},
        "lint": [{"kind": "eps-floor", "message": "m", "parameter": None}]}]}


def test_report_is_typed():
    read = report.parse(json.dumps(REPORT))
    first = read.parameters[0]
    assert first.tier.v == "factored" and first.tier.row_axes == [0]
    assert first.hyperparameters["learning_rate"] == "operand"
    assert first.state_before[0].bytes == 128 and first.risk == 0.0
    assert read.parameters[1].tier is None
    assert read.state_before_bytes == 256 and read.state_after_bytes == 48
    assert [t.tier_class for t in read.by_tier()] == ["expert", "other"]
    assert json.loads(read.json) == REPORT


def test_tables():
    read = report.parse(json.dumps(REPORT))
    table = report.tier_table(read)
    assert table.splitlines()[-1].split() == ["total", "2", "33", "256", "B",
                                              "48", "B"]
    assert "lint eps-floor: m" in report.parameter_table(read)
    assert report.format_bytes(54_273_081_344) == "50.55 GiB"
    assert report.format_bytes(1_380_029_764) == "1.29 GiB"
    assert report.format_bytes(1023) == "1023 B"


def changed(path, value):
    document = copy.deepcopy(REPORT)
    place = document
    for key in path[:-1]:
        place = place[key]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return json.dumps(document)


PARAMETER = ("functions", 0, "parameters", 0)


@pytest.mark.parametrize("path, value, message", [
    (("schema",), "skew-report/2", "newer than this skewopt reads"),
    (("schema",), "skew-layout/1", "must be 'skew-report/1'"),
    (("schema",), "skew-report/x", "must be 'skew-report/1'"),
    (("schema",), None, 'must have "schema"'),
    (("functions",), {}, "functions must be an array, got an object"),
    (PARAMETER + ("elements",), "32",
     r"parameters\[0\].elements must be an integer, got a string"),
    (PARAMETER + ("elements",), True, "must be an integer, got a boolean"),
    (PARAMETER + ("status",), None, 'must have the key "status"'),
    (PARAMETER + ("tier", "row_axes"), 3, "row_axes must be an array"),
])
def test_report_refused(path, value, message):
    with pytest.raises(Error, match=message):
        report.parse(changed(path, value))


def test_not_json():
    with pytest.raises(Error, match="not JSON"):
        report.parse("{")
    with pytest.raises(Error, match="must be an object"):
        report.parse("[]")


def test_layout_version():
    with pytest.raises(Error, match="newer than this skewopt reads"):
        layout.parse('{"schema": "skew-layout/2", "functions": []}')


def test_plot_of_a_report_and_of_curves(tmp_path):
    source = tmp_path / "r.json"
    source.write_text(json.dumps(REPORT))
    plot.plot_file(source, tmp_path / "r.png")
    curves = {"schema": "skew-curves/1", "curves": [
        {"program": "AdamW", "seed": 0, "train": [3.0, 2.5, 2.0],
         "validation_steps": [1, 3], "validation": [3.1, 2.2]}]}
    source.write_text(json.dumps(curves))
    plot.plot_file(source, tmp_path / "c.png")
    for name in ("r.png", "c.png"):
        assert (tmp_path / name).read_bytes().startswith(b"\x89PNG")


def test_plot_errors_leave_nothing_behind(tmp_path):
    source = tmp_path / "r.json"
    source.write_text(json.dumps(REPORT))
    with pytest.raises(Error, match="cannot write"):
        plot.plot_file(source, tmp_path / "r.nonsense")
    with pytest.raises(Error, match="cannot write"):
        plot.plot_file(source, tmp_path / "nowhere" / "r.png")
    with pytest.raises(Error, match="No such file"):
        plot.plot_file(tmp_path / "gone.json", tmp_path / "r.png")
    assert [p.name for p in tmp_path.iterdir()] == ["r.json"]
