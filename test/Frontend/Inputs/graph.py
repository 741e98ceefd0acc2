# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a compressed graph to stdout, with --strip without anything that names
or pairs arguments: locations, result names, donation."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                "../../../utils/lib"))
import graph_text  # noqa: E402

text = graph_text.read(sys.argv[-1])
if sys.argv[1] == "--strip":
    text = graph_text.strip(text)
sys.stdout.write(text)
