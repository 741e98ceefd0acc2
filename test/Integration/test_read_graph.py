#===- test_read_graph.py - every form a graph comes in -------------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""read_graph on all inputs; what it returns is taken by MLIR 22."""

import lzma

import jax
import jax.numpy as jnp
import pytest
import skewopt
from jax import export as jax_export


def step(weights, batch):
    a = weights["a"] - 0.1 * batch.sum().astype(jnp.bfloat16)
    return {"a": a, "b": weights["b"]}, batch.max()


SHAPES = ({"a": jax.ShapeDtypeStruct((4, 8), jnp.bfloat16),
           "b": jax.ShapeDtypeStruct((8,), jnp.float32)},
          jax.ShapeDtypeStruct((3,), jnp.float32))


@pytest.fixture(scope="module")
def lowered():
    return jax.jit(step, donate_argnums=0).lower(*SHAPES)


@pytest.fixture(scope="module")
def exported():
    return jax_export.export(jax.jit(step))(*SHAPES)


def check(text, named=True):
    assert text.lstrip().startswith(("#loc", '"builtin.module"'))
    assert '"func.func"()' in text and '"stablehlo.reduce"' in text
    if named:
        assert "loc(\"weights['a']\")" in text


def test_lowered(lowered, parses_in_mlir_22):
    text = skewopt.read_graph(lowered)
    check(text)
    assert "tf.aliasing_output = 0" in text
    assert parses_in_mlir_22(text)


def test_traced(lowered):
    traced = jax.jit(step, donate_argnums=0).trace(*SHAPES)
    check(skewopt.read_graph(traced))


def test_exported(exported, parses_in_mlir_22):
    text = skewopt.read_graph(exported)
    check(text)
    assert parses_in_mlir_22(text)


@pytest.mark.parametrize("compressed", [False, True])
def test_portable_artifact(exported, tmp_path, compressed, parses_in_mlir_22):
    path = tmp_path / "step.mlirbc"
    data = exported.mlir_module_serialized
    path.write_bytes(lzma.compress(data) if compressed else data)
    text = skewopt.read_graph(path)
    check(text)
    assert parses_in_mlir_22(text)
    assert skewopt.read_graph(bytes(data)) == text


def test_plain_bytecode(lowered, tmp_path):
    path = tmp_path / "step.mlirbc"
    with open(path, "wb") as file:
        lowered.compiler_ir("stablehlo").operation.write_bytecode(file)
    check(skewopt.read_graph(str(path)))


def test_pretty_text(lowered, tmp_path, parses_in_mlir_22):
    pretty = lowered.as_text(debug_info=True)
    assert '"func.func"' not in pretty
    text = skewopt.read_graph(pretty)
    check(text)
    assert parses_in_mlir_22(text)
    path = tmp_path / "step.mlir"
    path.write_text(pretty)
    assert skewopt.read_graph(path) == text


def test_pretty_text_without_debug_info(lowered):
    text = skewopt.read_graph(lowered.as_text())
    check(text, named=False)
    assert "jax.result_info" in text


def test_generic_text_is_untouched(lowered, tmp_path):
    generic = skewopt.read_graph(lowered)
    odd = "// a comment\n" + generic
    path = tmp_path / "step.mlir"
    path.write_text(odd)
    assert skewopt.read_graph(path) == odd
    assert skewopt.read_graph(odd) == odd


def test_module(lowered):
    check(skewopt.read_graph(lowered.compiler_ir("stablehlo")))


@pytest.mark.parametrize("content, message", [
    (b"", "holds no MLIR module"),
    (b"hello\nworld\n", "holds no MLIR module"),
    (b"\xff\xfe\x00\x01", "neither UTF-8 text nor MLIR bytecode"),
    (b"module {\n  func.func @main(", "not readable as MLIR"),
    (b"ML\xefR\rStableHLO_v1.15.0\x00\x01", "not readable by this jaxlib"),
    (b"\xfd7zXZ\x00damaged", "damaged xz file"),
])
def test_unreadable_files(tmp_path, content, message):
    path = tmp_path / "bad.mlir"
    path.write_bytes(content)
    with pytest.raises(skewopt.Error, match=message) as caught:
        skewopt.read_graph(path)
    assert "bad.mlir" in str(caught.value)
    assert len(str(caught.value).splitlines()) == 1


def test_artifact_cut_in_the_middle(exported, tmp_path):
    path = tmp_path / "cut.mlirbc"
    data = exported.mlir_module_serialized
    path.write_bytes(data[:len(data) // 2])
    with pytest.raises(skewopt.Error, match="cut.mlirbc"):
        skewopt.read_graph(path)


def test_missing_file_and_wrong_type():
    with pytest.raises(skewopt.Error, match="No such file"):
        skewopt.read_graph("nowhere.mlir")
    with pytest.raises(skewopt.Error, match="got int"):
        skewopt.read_graph(7)
