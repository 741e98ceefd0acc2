#===- __init__.py - the Python package of skew-opt -----------------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""skewopt: decides where optimizer state should live.

    import skewopt
    result = skewopt.optimize(jax.jit(train_step).lower(params, state, batch))
    print(result.report.state_before_bytes, result.report.state_after_bytes)

`skewopt.xla.compile(result.text)` runs the rewritten step;
`skewopt.export` makes training graphs without allocating weights. jax is
imported only by what needs it.
"""

from .api import Result, optimize
from .errors import Error
from .graph import read_graph
from .layout import Layout
from .report import Report

__all__ = ["Error", "Layout", "Report", "Result", "optimize", "read_graph"]
