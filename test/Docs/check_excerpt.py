#===- check_excerpt.py - a fenced block of a page is what a file says -----===//
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""check_excerpt.py PAGE MARKER < TEXT: the fenced block after the line
`<!-- MARKER -->` of PAGE must occur in TEXT. Lines may be broken elsewhere, and
`...` stands for anything left out."""

import re
import sys

page, marker = sys.argv[1:]
text = " ".join(sys.stdin.read().split())
found = re.search(rf"<!-- {re.escape(marker)} -->\n```\w*\n(.*?)```",
                  open(page, encoding="utf-8").read(), re.S)
if not found:
    sys.exit(f"error: {page} has no block marked '{marker}'")
position = 0
for fragment in found.group(1).split("..."):
    fragment = " ".join(fragment.split())
    at = text.find(fragment, position)
    if at < 0:
        sys.exit(f"error: {page}, block '{marker}': not in the text (or not in "
                 f"this order): {fragment}")
    position = at + len(fragment)
