# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The same graph, written otherwise: arguments shuffled, duplicates merged,
functions inlined or outlined. By the MLIR inside jaxlib, which knows StableHLO.

Each rewrite takes text and returns (text, places): argument i of the original is
argument places[i] now.
"""

import random

from jax._src.interpreters import mlir as jax_mlir
from jaxlib.mlir import ir, passmanager


def _same(count):
    return list(range(count))


def _main(module):
    for op in module.body.operations:
        if op.operation.name == "func.func" and op.name.value == "main":
            return op
    raise ValueError("no @main")


def _text(module):
    return module.operation.get_asm(
        print_generic_op_form=True, enable_debug_info=False)


def passes(pipeline):
    def rewrite(text, _seed=0):
        with jax_mlir.make_ir_context() as context:
            context.allow_unregistered_dialects = True
            module = ir.Module.parse(text)
            count = len(_main(module).arguments)
            passmanager.PassManager.parse(
                f"builtin.module({pipeline})").run(module.operation)
            return _text(module), _same(count)
    return rewrite


def shuffle_arguments(text, seed=0):
    with jax_mlir.make_ir_context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        main = _main(module)
        old = list(main.arguments)
        order = _same(len(old))
        random.Random(seed).shuffle(order)
        attrs = list(main.arg_attrs)
        block = main.entry_block
        for place in order:
            new = block.add_argument(old[place].type, ir.Location.unknown())
            old[place].replace_all_uses_with(new)
        for _ in old:
            block.erase_argument(0)
        kind = ir.FunctionType.get(
            [a.type for a in block.arguments], main.type.results)
        main.attributes["function_type"] = ir.TypeAttr.get(kind)
        main.attributes["arg_attrs"] = ir.ArrayAttr.get(
            [attrs[p] for p in order])
        module.operation.verify()
        places = [0] * len(order)
        for new, place in enumerate(order):
            places[place] = new
        return _text(module), places


def _walk(op):
    """`op` and everything in it; regions are walked with a stack."""
    stack = [op]
    while stack:
        op = stack.pop()
        yield op
        for region in op.regions:
            for block in region.blocks:
                stack.extend(block.operations)


def outline(text, seed=0):
    """Three runs of operations of @main become functions."""
    draw = random.Random(seed)
    with jax_mlir.make_ir_context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        main = _main(module)
        count = len(main.arguments)
        for number in range(3):
            ops = list(main.entry_block.operations)[:-1]
            size = min(len(ops), draw.randint(5, 60))
            start = draw.randint(0, len(ops) - size)
            _outline(module, main, ops[start:start + size],
                     f"outlined_{number}")
        module.operation.verify()
        return _text(module), _same(count)


def _function_of(op):
    """Name of the function that `op` is in."""
    while op.name != "func.func":
        op = op.parent.operation
    return ir.StringAttr(op.attributes["sym_name"]).value


def _outline(module, main, ops, name):
    inner = [i.operation for op in ops for i in _walk(op)]
    defined = set()
    for op in inner:
        defined.update(hash(r) for r in op.results)
        for region in op.regions:
            for block in region.blocks:
                defined.update(hash(a) for a in block.arguments)
    reads = {}
    for op in inner:
        for value in op.operands:
            if hash(value) not in defined:
                reads.setdefault(hash(value), value)
    results = [r for op in ops for r in op.operation.results]
    operands = list(reads.values())
    kind = ir.FunctionType.get(
        [v.type for v in operands], [r.type for r in results])
    func = ir.Operation.create(
        "func.func", regions=1,
        attributes={"sym_name": ir.StringAttr.get(name),
                    "function_type": ir.TypeAttr.get(kind),
                    "sym_visibility": ir.StringAttr.get("private")},
        ip=ir.InsertionPoint(module.body))
    block = func.regions[0].blocks.append(*kind.inputs)
    call = ir.Operation.create(
        "func.call", results=list(kind.results), operands=operands,
        attributes={"callee": ir.FlatSymbolRefAttr.get(name)},
        ip=ir.InsertionPoint(ops[0]))
    arguments = {hash(v): block.arguments[i] for i, v in enumerate(operands)}
    for op in ops:
        block.append(op)
    for op in inner:
        for place, value in enumerate(list(op.operands)):
            if hash(value) in arguments:
                op.operands[place] = arguments[hash(value)]
    for old, new in zip(results, call.results):
        for use in list(old.uses):
            if _function_of(use.owner.operation) != name:
                use.owner.operation.operands[use.operand_number] = new
    ir.Operation.create("func.return", operands=results,
                        ip=ir.InsertionPoint(block))


def inline(text, _seed=0):
    """Every call becomes a copy of what it calls. (MLIR's own pass inlines no
    function that holds StableHLO.)"""
    with jax_mlir.make_ir_context(), ir.Location.unknown():
        module = ir.Module.parse(text)
        main = _main(module)
        count = len(main.arguments)
        functions = {
            op.operation.attributes["sym_name"].value: op.operation
            for op in module.body.operations
            if op.operation.name == "func.func"}
        while calls := [op.operation for op in _walk(main.operation)
                        if op.operation.name == "func.call"]:
            for call in calls:
                _inline(call, functions)
        module.operation.verify()
        return _text(module), _same(count)


def _inline(call, functions):
    callee = functions[ir.FlatSymbolRefAttr(call.attributes["callee"]).value]
    block = callee.regions[0].blocks[0]
    mapping = {hash(a): v for a, v in zip(block.arguments, call.operands)}
    place = ir.InsertionPoint(call)
    for op in block.operations:
        op = op.operation
        if op.name == "func.return":
            for old, value in zip(list(call.results), op.operands):
                old.replace_all_uses_with(mapping.get(hash(value), value))
            break
        copy = op.clone(ip=place).operation
        for inner in _walk(copy):
            inner = inner.operation
            for number, value in enumerate(list(inner.operands)):
                if hash(value) in mapping:
                    inner.operands[number] = mapping[hash(value)]
        mapping.update(
            (hash(o), n) for o, n in zip(op.results, copy.results))
    call.erase()


def chain(*rewrites):
    def rewrite(text, seed=0):
        places = None
        for one in rewrites:
            text, own = one(text, seed)
            places = own if places is None else [own[p] for p in places]
        return text, places
    return rewrite


_TIDY = chain(inline, passes("canonicalize,cse,symbol-dce"))

# Two that do everything between them.
SOME = {
    "shuffled and outlined": chain(shuffle_arguments, outline),
    "outlined, then inlined and tidied": chain(outline, _TIDY),
}

ALL = {
    "shuffled": shuffle_arguments,
    "cse": passes("cse"),
    "canonical": passes("canonicalize"),
    "inlined": inline,
    "outlined": outline,
    "tidied": _TIDY,
    **SOME,
}
