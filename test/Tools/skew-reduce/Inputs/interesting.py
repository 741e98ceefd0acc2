# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""interesting.py SKEW_OPT PIPELINE PATTERN... FILE: exits with 1 if
`skew-opt PIPELINE FILE` succeeds and its output has each PATTERN."""

import re
import subprocess
import sys

tool, pipeline, *patterns, path = sys.argv[1:]
run = subprocess.run([tool, path, pipeline], capture_output=True, text=True,
                     check=False)
sys.exit(run.returncode == 0 and
         all(re.search(pattern, run.stdout) for pattern in patterns))
