#===- graph.py - reading graphs through jaxlib ---------------------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""`read_graph`: anything that holds a StableHLO module -> generic MLIR text.

The generic form is what skew-opt reads: it needs no StableHLO library, and the
locations, which carry the parameters' names, are kept. jaxlib's own MLIR does
the conversion; it is imported only when the input is not generic text already.
"""

from __future__ import annotations

import lzma
import os
import re

from .errors import Error

_BYTECODE_MAGIC = b"ML\xefR"
_XZ_MAGIC = b"\xfd7zXZ\x00"
# The first operation of a module in generic form; only comments, aliases
# (`#loc = ...`, `!t = ...`) and resource-free headers may stand before it.
_GENERIC = re.compile(r'^\s*(?:%\S+\s*=\s*)?"[A-Za-z_][\w$.]*"\s*\(', re.M)
_PRETTY = re.compile(r"^\s*(?:module\b|func\.func\b|builtin\.module\b)", re.M)


def _print_generic(operation) -> str:
    return operation.get_asm(print_generic_op_form=True, enable_debug_info=True)


def _context():
    # jax registers StableHLO, CHLO, sdy and the rest on its own contexts, and
    # has no public name for that.
    from jax._src.interpreters import mlir as jax_mlir
    context = jax_mlir.make_ir_context()
    context.allow_unregistered_dialects = True
    return context


def _first_line(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    for line in lines:
        if "error:" in line:
            return line
    return lines[0] if lines else type(error).__name__


def _parse(source: str | bytes, label: str) -> str:
    from jaxlib.mlir import ir
    context = _context()
    try:
        with context:
            module = ir.Module.parse(source)
        return _print_generic(module.operation)
    except Exception as error:  # jaxlib raises MLIRError or ValueError.
        raise Error(f"{label}: not readable as MLIR by jaxlib: "
                    f"{_first_line(error)}") from None


def _from_bytecode(data: bytes, label: str) -> str:
    from jaxlib.mlir.dialects import stablehlo
    if b"StableHLO_v" not in data[:64]:
        return _parse(data, label)
    context = _context()
    try:
        with context:
            module = stablehlo.deserialize_portable_artifact(context, data)
            return _print_generic(module.operation)
    except Exception as error:
        raise Error(f"{label}: portable StableHLO artifact is not readable by "
                    f"this jaxlib (cut short, or newer than it): "
                    f"{_first_line(error)}") from None


def _from_text(text: str, label: str) -> str:
    generic, pretty = _GENERIC.search(text), _PRETTY.search(text)
    if generic and (not pretty or generic.start() < pretty.start()):
        return text
    if pretty:
        return _parse(text, label)
    raise Error(f"{label}: holds no MLIR module (expected generic or pretty "
                f"StableHLO text, or a portable artifact)")


def _from_bytes(data: bytes, label: str) -> str:
    if data.startswith(_XZ_MAGIC):
        try:
            data = lzma.decompress(data)
        except lzma.LZMAError as error:
            raise Error(f"{label}: damaged xz file: {error}") from None
    if data.startswith(_BYTECODE_MAGIC):
        return _from_bytecode(data, label)
    try:
        return _from_text(data.decode(), label)
    except UnicodeDecodeError:
        raise Error(f"{label}: neither UTF-8 text nor MLIR bytecode") from None


def _from_path(path) -> str:
    try:
        with open(path, "rb") as file:
            return _from_bytes(file.read(), os.fspath(path))
    except OSError as error:
        raise Error(f"{os.fspath(path)}: {error.strerror}") from None


def read_graph(x) -> str:
    """Returns the graph `x` as generic MLIR text with locations.

    `x`: a path (generic or pretty text, portable artifact or MLIR bytecode,
    each also xz-compressed), the text itself, the bytes of an artifact, a
    `jax.stages.Lowered` or `Traced`, a `jax.export.Exported`, or a module of
    jaxlib's MLIR. Raises `skewopt.Error` when it cannot be read.
    """
    if isinstance(x, os.PathLike):
        return _from_path(x)
    if isinstance(x, (bytes, bytearray)):
        return _from_bytes(bytes(x), "input")
    if isinstance(x, str):
        if "\n" in x or '"(' in x or x.lstrip().startswith("module"):
            return _from_text(x, "input")
        return _from_path(x)
    if hasattr(x, "mlir_module_serialized"):  # jax.export.Exported
        return _from_bytecode(x.mlir_module_serialized, "exported module")
    if hasattr(x, "lower") and hasattr(x, "jaxpr"):  # jax.stages.Traced
        x = x.lower()
    if hasattr(x, "compiler_ir"):  # jax.stages.Lowered
        return _print_generic(x.compiler_ir("stablehlo").operation)
    if hasattr(x, "operation") and hasattr(x.operation, "get_asm"):
        return _print_generic(x.operation)
    raise Error(f"graph must be a path, MLIR text or bytes, jax.stages.Lowered "
                f"or jax.export.Exported, got {type(x).__name__}")
