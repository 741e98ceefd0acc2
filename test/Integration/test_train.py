#===- test_train.py - text, training loop, verdict -----------------------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""The trainer without the compiler: data split, donation, agreement with
jax.jit, the verdict's wording."""

import io

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from skewopt import Error, data, demo, export, model, train, xla
from skewopt.graph import read_graph
from skewopt.progress import Progress


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    root = tmp_path_factory.mktemp("text")
    for i in range(60):
        (root / f"m{i}.py").write_text(f"def f{i}(x):\n    return x + {i}\n" * 9)
    (root / "site-packages").mkdir()
    (root / "site-packages" / "other.py").write_text("never" * 100)
    return data.load_corpus(str(root))


def test_split_by_file(corpus):
    assert corpus.train_files + corpus.validation_files == 60
    assert corpus.validation_files >= 1
    seen = corpus.train.tobytes() + corpus.validation.tobytes()
    assert b"never" not in seen
    for i in range(60):
        marker = b"def f%d(" % i
        assert (marker in corpus.train.tobytes()) != (
            marker in corpus.validation.tobytes())


def test_standard_library_is_enough_text():
    corpus = data.load_corpus()
    assert len(corpus.train) > 2_000_000
    assert len(corpus.validation) > 50_000


def test_batches_repeat_with_the_seed(corpus):
    first = data.Batches(corpus.train, 3, 16, 5)
    again = data.Batches(corpus.train, 3, 16, 5)
    one = first.next()
    assert one.shape == (3, 17) and one.dtype == np.int32
    np.testing.assert_array_equal(one, again.next())
    assert (first.next() != one).any()
    with pytest.raises(ValueError, match="longer than one sequence"):
        data.Batches(corpus.train[:10], 1, 16, 0)
    with pytest.raises(FileNotFoundError):
        data.load_corpus("/nonexistent-folder")


@pytest.mark.slow
def test_text_in_xla_equals_jit_and_honours_donation():
    config = export.preset("moe-tiny-stacked")
    run = xla.compile(read_graph(export.lower(config)))
    params = model.init_params(config, 0)
    state = model.init_opt_state(config, params)
    tokens = jnp.zeros((config.batch, config.sequence + 1), jnp.int32)
    want = jax.tree_util.tree_leaves(
        jax.jit(model.train_step(config))(params, state, tokens))
    # Copies: a buffer that jax only borrows (from numpy, say) is not donated.
    arguments = [jnp.array(a, copy=True)
                 for a in jax.tree_util.tree_leaves((params, state, tokens))]
    pointers = [a.unsafe_buffer_pointer() for a in arguments[:-1]]
    results = run(arguments)
    for got, expected in zip(results, want, strict=True):
        np.testing.assert_array_equal(np.asarray(got), np.asarray(expected))
    assert all(a.is_deleted() for a in arguments[:-1])
    assert not arguments[-1].is_deleted()
    kept = sum(r.unsafe_buffer_pointer() == p
               for r, p in zip(results, pointers))
    # XLA may still decline one (its alignment); without donation none is kept.
    assert kept >= 0.95 * len(pointers), "results live in the donated buffers"


def test_xla_refuses_nonsense():
    with pytest.raises(Error, match="XLA does not take the module"):
        xla.compile('"foo.bar"() : () -> ()')


def test_training_improves_and_measures_live_state(corpus):
    config = demo.small_config(30, "float32")
    program = demo.original_program(config, read_graph(export.lower(config)))
    validate = train.Validator(config, corpus, 2)
    curve = train.train(program, config, corpus, validate, steps=30, seed=0,
                        every=12)
    assert curve.validation_steps == [12, 24, 30]
    assert len(curve.train) == 30 and curve.final < curve.train[0] - 1
    elements = sum(int(np.prod(p.shape)) for p in export.parameters(config))
    assert curve.state_bytes == 8 * elements
    again = train.train(program, config, corpus, validate, steps=30, seed=0,
                        every=12)
    assert again.train == curve.train, "the same seed repeats bit for bit"


def curve(name, seed, final):
    return train.Curve(name, seed, [], [1], [final])


@pytest.mark.parametrize("ours, word", [
    ((2.01, 2.03), "inside"), ((2.10, 2.12), "outside, WORSE"),
    ((1.90, 1.92), "outside, better")])
def test_verdict(ours, word):
    adamw = [curve("AdamW", s, f) for s, f in enumerate((2.0, 2.04))]
    skew = [curve("SkewAdam", s, f) for s, f in enumerate(ours)]
    verdict = demo.judge(adamw, skew)
    assert verdict.sentence.endswith(word)
    assert verdict.spread == pytest.approx(0.04)


def test_verdict_of_one_seed_claims_nothing():
    verdict = demo.judge([curve("AdamW", 0, 2.0)], [curve("SkewAdam", 0, 1.0)])
    assert verdict.spread is None and "says nothing" in verdict.sentence


def test_progress_only_on_a_terminal():
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    quiet, shown = io.StringIO(), Terminal()
    for stream in (quiet, shown):
        with Progress("work", 10, stream) as bar:
            bar.update(10, "done")
    assert quiet.getvalue() == ""
    assert "10/10" in shown.getvalue() and "done" in shown.getvalue()
