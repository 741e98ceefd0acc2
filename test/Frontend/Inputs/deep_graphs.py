# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs whose depth grows: `deep_graphs.py KIND DEPTH` prints one."""

import sys

TENSOR = "tensor<8xf32>"


def binary(result, name, x, y, type=TENSOR):
    return f'  {result} = "stablehlo.{name}"({x}, {y}) : ({type}, {type}) -> {type}'


def function(arguments, results, lines, name="main", visibility=""):
    """A function; arguments and results are (name, type)."""
    head = ", ".join(f"{n}: {t}" for n, t in arguments)
    types = ", ".join(t for _, t in results)
    names = ", ".join(n for n, _ in results)
    return [f"func.func {visibility}@{name}({head}) -> ({types}) {{"] + lines + [f"  return {names} : {types}", "}"]


def step(depth, between):
    """SGD whose gradient comes out of `between`, depth ops long."""
    lines = ['  %g0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>']
    lines += between(depth)
    lines.append(f'  %lr = "stablehlo.constant"() <{{value = dense<0.01> : {TENSOR}}}> : () -> {TENSOR}')
    lines.append(binary("%s", "multiply", "%lr", "%g"))
    lines.append(binary("%new", "subtract", "%p", "%s"))
    return function([("%p", TENSOR)], [("%new", TENSOR)], lines)


def add_chain(depth):
    """A gradient that is a sum of `depth` terms."""

    def between(depth):
        lines = [binary(f"%g{i + 1}", "add", f"%g{i}", "%g0") for i in range(depth)]
        return lines + [f'  %g = "stablehlo.reshape"(%g{depth}) : ({TENSOR}) -> {TENSOR}']

    return step(depth, between)


def argument_chain(depth):
    """A sum over as many tensors of one size."""
    arguments = [("%p", TENSOR)] + [(f"%a{i}", TENSOR) for i in range(depth)]
    lines = ['  %g0 = "model.gradient"(%p) : (tensor<8xf32>) -> tensor<8xf32>']
    lines += [binary(f"%g{i + 1}", "add", f"%g{i}", f"%a{i}") for i in range(depth)]
    lines.append(binary("%new", "subtract", "%p", f"%g{depth}"))
    return function(arguments, [("%new", TENSOR)], lines)


def conjunction(depth):
    """An update that is skipped unless all of `depth` norms are finite."""

    def between(depth):
        lines = []
        for i in range(depth):
            lines.append(f'  %n{i} = "model.norm"(%g0) {{n = {i}}} : ({TENSOR}) -> tensor<f32>')
            lines.append(f'  %f{i} = "stablehlo.is_finite"(%n{i}) : (tensor<f32>) -> tensor<i1>')
        lines.append('  %all0 = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>')
        lines += [binary(f"%all{i + 1}", "and", f"%all{i}", f"%f{i}", "tensor<i1>") for i in range(depth)]
        lines.append(f'  %z = "stablehlo.constant"() <{{value = dense<0.0> : {TENSOR}}}> : () -> {TENSOR}')
        lines.append(
            f'  %g = "stablehlo.select"(%all{depth}, %g0, %z) : (tensor<i1>, {TENSOR}, {TENSOR}) -> {TENSOR}'
        )
        return lines

    return step(depth, between)


def shared_conjunction(depth):
    """`x and x`, nested: a tree of 2^depth leaves."""

    def between(depth):
        lines = [f'  %n = "model.norm"(%g0) : ({TENSOR}) -> tensor<f32>']
        lines.append('  %c0 = "stablehlo.is_finite"(%n) : (tensor<f32>) -> tensor<i1>')
        lines.append('  %d0 = "stablehlo.not"(%c0) : (tensor<i1>) -> tensor<i1>')
        for i in range(depth):
            lines.append(binary(f"%c{i + 1}", "and", f"%c{i}", f"%d{i}", "tensor<i1>"))
            lines.append(binary(f"%d{i + 1}", "or", f"%c{i}", f"%d{i}", "tensor<i1>"))
        lines.append(
            f'  %g = "stablehlo.select"(%c{depth}, %p, %g0) : (tensor<i1>, {TENSOR}, {TENSOR}) -> {TENSOR}'
        )
        return lines

    return step(depth, between)


def calls(depth):
    """A function that calls one that calls one ..."""

    def between(depth):
        return [f"  %g = func.call @f0(%g0) : ({TENSOR}) -> {TENSOR}"]

    lines = step(depth, between)
    for i in range(depth):
        body = [f"  %y = func.call @f{i + 1}(%x) : ({TENSOR}) -> {TENSOR}"]
        lines += function([("%x", TENSOR)], [("%y", TENSOR)], body, f"f{i}", "private ")
    lines += function([("%x", TENSOR)], [("%x", TENSOR)], [], f"f{depth}", "private ")
    return lines


def regions(depth):
    """Branches in branches."""

    def between(depth):
        lines = ['  %i = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>']
        lines += [f'%h{i} = "stablehlo.case"(%i) ({{' for i in range(depth)]
        lines.append(f'"stablehlo.return"(%g0) : ({TENSOR}) -> ()')
        for i in reversed(range(depth)):
            lines.append(f"}}) : (tensor<i32>) -> {TENSOR}")
            if i:
                lines.append(f'"stablehlo.return"(%h{i}) : ({TENSOR}) -> ()')
        lines.append(f'  %g = "stablehlo.reshape"(%h0) : ({TENSOR}) -> {TENSOR}')
        return lines

    return step(depth, between)


KINDS = {f.__name__: f for f in (add_chain, argument_chain, conjunction, shared_conjunction, calls, regions)}

if __name__ == "__main__":
    print("\n".join(KINDS[sys.argv[1]](int(sys.argv[2]))))
