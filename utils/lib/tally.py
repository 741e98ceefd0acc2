# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints "passed failed skipped" of one result file.

Usage: tally.py lit FILE.json | tally.py junit FILE.xml
"""

import json
import sys
import xml.etree.ElementTree as ElementTree


def tally_lit(path):
    passed = failed = skipped = 0
    with open(path, encoding="utf-8") as file:
        tests = json.load(file)["tests"]
    for test in tests:
        # Anything lit may add later (TIMEOUT, XPASS, UNRESOLVED) is a failure.
        if test["code"] in ("PASS", "XFAIL", "FLAKYPASS"):
            passed += 1
        elif test["code"] in ("UNSUPPORTED", "SKIPPED", "EXCLUDED"):
            skipped += 1
        else:
            failed += 1
    return passed, failed, skipped


def tally_junit(path):
    passed = failed = skipped = 0
    for case in ElementTree.parse(path).iter("testcase"):
        kinds = {child.tag for child in case}
        if kinds & {"failure", "error"}:
            failed += 1
        elif "skipped" in kinds:
            skipped += 1
        else:
            passed += 1
    return passed, failed, skipped


def main():
    counters = {"lit": tally_lit, "junit": tally_junit}
    passed, failed, skipped = counters[sys.argv[1]](sys.argv[2])
    if passed + failed + skipped == 0:
        failed = 1  # a suite without tests proves nothing
    print(passed, failed, skipped)


if __name__ == "__main__":
    main()
