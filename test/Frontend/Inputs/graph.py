# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a compressed graph to stdout, with --strip without anything that names
or pairs arguments: locations, result names, donation."""

import lzma
import re
import sys

strip = sys.argv[1] == "--strip"
with lzma.open(sys.argv[-1], "rt") as file:
    text = file.read()
if strip:
    text = re.sub(r"^#loc.*\n", "", text, flags=re.M)
    # Locations nest three deep at most: callsite(name(file) at file).
    inner = r'(?:"(?:\\.|[^"\\])*"|[^()"])'
    for _ in range(3):
        inner = r'(?:"(?:\\.|[^"\\])*"|[^()"]|\(%s*\))' % inner
    text = re.sub(r"\s*\bloc\(%s*\)" % inner, "", text)
    text = re.sub(r"tf\.aliasing_output = \d+ : i32(, )?", "", text)
    text = re.sub(r'jax\.result_info = "(\\.|[^"\\])*"(, )?', "", text)
    text = text.replace(", }", "}")
    assert "loc(" not in text and "aliasing" not in text
    assert "result_info" not in text
sys.stdout.write(text)
