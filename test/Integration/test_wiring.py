#===- test_wiring.py - ways to put an optimizer together, in XLA ---------===//
#
# Part of the skew-opt project, under the Apache License v2.0 with LLVM
# Exceptions. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#===----------------------------------------------------------------------===//
"""Hyperparameters as inputs (C06), frozen and gradient-free parameters (C11),
several optimizers in one step, schedules, copies, clips: what is raised, with
which values, and that the rewritten step equals the original."""

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
import skewopt
import stepping

RNG = np.random.default_rng(3)
PARAMS = {k: RNG.standard_normal(s).astype(np.float32) for k, s in
          {"w": (8, 16), "b": (16,), "s": (16,)}.items()}
BATCHES = [RNG.standard_normal((4, 8)).astype(np.float32) for _ in range(5)]


def loss(p, x):
    return jnp.mean(jnp.tanh(x @ p["w"] + p["b"]) ** 2 * p["s"])


class Step:
    def __init__(self, opt, params=PARAMS, loss=loss, batch=BATCHES[0],
                 step=None, state=None):
        params = jax.tree_util.tree_map(jnp.asarray, params)

        def plain(params, state, batch):
            grads = jax.grad(loss)(params, batch)
            updates, state = opt.update(grads, state, params)
            return optax.apply_updates(params, updates), state

        state = opt.init(params) if state is None else state
        lowered = jax.jit(step or plain, donate_argnums=(0, 1),
                          keep_unused=True).lower(params, state, batch)
        self.text = skewopt.read_graph(lowered)
        self.start = [np.asarray(x)
                      for x in stepping.leaves((params, state, batch))]
        self.fed_back = len(self.start) - len(stepping.leaves(batch))

    def optimize(self, **options):
        self.result = skewopt.optimize(self.text, **options)
        return {p.name.removeprefix("params"): p
                for p in self.result.report.parameters}

    def runners(self):
        return (stepping.Runner(self.text, self.start, self.fed_back),
                stepping.Runner(self.result.text, self.start, self.fed_back,
                                self.result.layout))

    def equal(self, batches=BATCHES, rtol=3e-6, atol=2e-7):
        """policy=keep equals the original: everything that is fed back, and
        what is returned besides."""
        found = self.optimize(policy="keep")
        original, kept = self.runners()
        for batch in batches:
            inputs = {self.fed_back + i: np.asarray(x)
                      for i, x in enumerate(stepping.leaves(batch))}
            others = original.step(inputs), kept.step(inputs)
            # Flags that nothing reads are no state of the layout.
            for wanted, value in (zip(*others) if len(others[0]) ==
                                  len(others[1]) else ()):
                np.testing.assert_allclose(np.asarray(value, np.float32),
                                           np.asarray(wanted, np.float32),
                                           rtol=rtol, atol=atol)
            for wanted, value in zip(original.arguments(), kept.arguments(),
                                     strict=True):
                np.testing.assert_allclose(value.astype(np.float64),
                                           wanted.astype(np.float64),
                                           rtol=rtol, atol=atol)
        return found


def statuses(found):
    return {name: (p.status, p.rule) for name, p in found.items()}


ALL = {"['w']": ("raised", "adamw"), "['b']": ("raised", "adamw"),
       "['s']": ("raised", "adamw")}


# C06: hyperparameters are run-time values.

def test_injected_hyperparameters(compiler):
    opt = optax.inject_hyperparams(optax.adamw)(learning_rate=1e-3)
    step = Step(opt)
    found = step.equal()
    assert statuses(found) == ALL
    for parameter in found.values():
        assert set(parameter.hyperparameters.values()) == {"operand"}, (
            parameter.hyperparameters)
    # Another rate in the input: no other program, a tenth of the step.
    names = [jax.tree_util.keystr(path) for path, _ in
             jax.tree_util.tree_flatten_with_path(
                 (PARAMS, opt.init(PARAMS)))[0]]
    place, = (i for i, n in enumerate(names) if "learning_rate" in n)
    moved = []
    for rate in (1e-3, 1e-4):
        _, kept = step.runners()
        kept.load([np.float32(rate) if i == place else a
                   for i, a in enumerate(kept.arguments())])
        kept.step()
        moved.append(kept.argument(2).astype(np.float64)
                     - step.start[2].astype(np.float64))
    np.testing.assert_allclose(moved[1], 0.1 * moved[0], rtol=1e-3, atol=2e-7)


SCHEDULES = {
    "cosine": optax.cosine_decay_schedule(1e-3, 100),
    "warmup 1": optax.warmup_cosine_decay_schedule(0.0, 1e-3, 1, 100),
    "warmup 2": optax.warmup_cosine_decay_schedule(0.0, 1e-3, 2, 100),
    "linear, 1 step": optax.linear_schedule(0.0, 1e-3, 1),
    "joined": optax.join_schedules(
        [optax.linear_schedule(0.0, 1e-3, 2),
         optax.exponential_decay(1e-3, 50, 0.9)], [2]),
}


@pytest.mark.parametrize("name", SCHEDULES)
def test_schedules(compiler, name):
    found = Step(optax.adamw(SCHEDULES[name])).equal()
    assert statuses(found) == ALL
    assert {p.hyperparameters["learning_rate"]
            for p in found.values()} == {"operand"}


def test_clipped_scalars(compiler):
    # Gradients 3 and 4 have the norm 5.
    opt = optax.chain(optax.clip_by_global_norm(1.0), optax.adamw(1e-3))
    scalars = {"x": np.float32(0), "y": np.float32(0)}
    step = Step(opt, scalars, lambda p, c: p["x"] * c[0] + p["y"] * c[1],
                np.array([3, 4], np.float32))
    found = step.optimize(policy="keep")
    assert {p.status for p in found.values()} == {"raised"}
    _, kept = step.runners()
    kept.step()
    moments = {key: float(value) for key, (entry, value)
               in kept.state().items() if key[1] in "mv"}
    assert moments == pytest.approx(
        {("params['x']", "m"): 0.06, ("params['y']", "m"): 0.08,
         ("params['x']", "v"): 3.6e-4, ("params['y']", "v"): 6.4e-4},
        rel=1e-5)


# C11 and several optimizers.

def test_frozen(compiler):
    opt = optax.partition({"t": optax.adamw(1e-3), "f": optax.set_to_zero()},
                          {"w": "t", "b": "t", "s": "f"})
    step = Step(opt)
    found = step.equal()
    assert statuses(found) == {**ALL, "['s']": ("frozen", None)}
    paper = step.optimize(policy="paper")
    assert paper["['s']"].state_after_bytes == 0


def test_zero_gradient_still_decays(compiler):
    opt = optax.adamw(1e-3, weight_decay=1e-4)
    ones = {k: np.ones_like(v) for k, v in PARAMS.items()}
    step = Step(opt, ones, lambda p, x: jnp.mean((x @ p["w"] + p["b"]) ** 2))
    found = step.equal()
    assert statuses(found) == ALL
    assert found["['s']"].gradient == "zero"
    assert found["['s']"].hyperparameters["weight_decay"] == pytest.approx(
        1e-4)
    _, kept = step.runners()
    kept.step()
    np.testing.assert_allclose(kept.argument(1), 0.9999999, rtol=1e-7)


def test_partition_of_rules(compiler):
    opt = optax.partition(
        {"a": optax.adamw(1e-3), "f": optax.set_to_zero(),
         "s": optax.sgd(1e-2, momentum=0.9)}, {"w": "a", "b": "f", "s": "s"})
    found = Step(opt).equal()
    assert statuses(found) == {"['w']": ("raised", "adamw"),
                               "['b']": ("frozen", None),
                               "['s']": ("raised", "sgd")}


def test_two_groups(compiler):
    opt = optax.partition(
        {"a": optax.adamw(1e-3, weight_decay=0.1),
         "c": optax.adamw(1e-2, b2=0.95, weight_decay=0.0)},
        {"w": "a", "b": "c", "s": "c"})
    found = Step(opt).equal()
    assert statuses(found) == ALL
    values = {name: tuple(p.hyperparameters[k] for k in
                          ("learning_rate", "beta2", "weight_decay"))
              for name, p in found.items()}
    assert values["['w']"] == pytest.approx((1e-3, 0.999, 0.1))
    assert values["['b']"] == pytest.approx((1e-2, 0.95, 0.0))
    assert values["['s']"] == pytest.approx((1e-2, 0.95, 0.0))


def test_muon_beside_adamw(compiler):
    opt = optax.partition({"m": optax.contrib.muon(1e-3),
                           "a": optax.adamw(1e-3)},
                          {"w": "m", "b": "a", "s": "a"})
    found = Step(opt).equal(atol=1e-6)
    declined = found.pop("['w']")
    assert declined.status == "declined" and declined.reason
    found = {k: v for k, v in found.items() if k in ALL}
    assert statuses(found) == {k: ALL[k] for k in ("['b']", "['s']")}


def test_muon_alone_has_no_adamw(compiler):
    # Its "adam" part has nesterov: by arithmetic not AdamW.
    found = Step(optax.contrib.muon(1e-3)).optimize(policy="keep")
    assert {found[k].status for k in ALL} == {"declined"}
    assert "nesterov" in found["['b']"].reason


# State beside AdamW, types.

def test_average_of_parameters(compiler):
    opt = optax.adamw(1e-3)

    def step(params, state, x):
        p, e = params["p"], params["ema"]
        updates, state = opt.update(jax.grad(loss)(p, x), state, p)
        p = optax.apply_updates(p, updates)
        e = jax.tree_util.tree_map(lambda a, b: 0.999 * a + 0.001 * b, e, p)
        return {"p": p, "ema": e}, state

    made = Step(opt, {"p": PARAMS, "ema": PARAMS}, step=step,
                state=opt.init(PARAMS))
    found = made.equal()
    assert statuses(found) == {f"['p']{k}": v for k, v in ALL.items()}
    function, = made.result.report.functions
    assert sum(o.kind == "ema" for o in function.other_state) == 3


def test_fp32_masters(compiler):
    opt = optax.adamw(1e-2)
    half = lambda tree: jax.tree_util.tree_map(
        lambda a: a.astype(jnp.bfloat16), tree)

    def step(params, state, x):
        grads = jax.grad(loss)(params["copy"], x.astype(jnp.bfloat16))
        grads = jax.tree_util.tree_map(lambda a: a.astype(jnp.float32), grads)
        updates, state = opt.update(grads, state, params["master"])
        master = optax.apply_updates(params["master"], updates)
        return {"copy": half(master), "master": master}, state

    start = {"copy": half({k: jnp.asarray(v) for k, v in PARAMS.items()}),
             "master": PARAMS}
    # The gradients are bf16: a last bit of fp32 may move them.
    found = Step(opt, start, step=step, state=opt.init(PARAMS)).equal(
        rtol=2e-2, atol=1e-3)
    for key in ALL:
        assert found[f"['master']{key}"].status == "raised"
        copy = found[f"['copy']{key}"]
        assert copy.status == "declined" and "copy of" in copy.reason


@pytest.mark.parametrize("options", [
    {"mu_dtype": jnp.bfloat16}, {"eps_root": 1e-8}, {"eps_root": 1e-2}])
def test_variants(compiler, options):
    step = Step(optax.adamw(1e-3, **options))
    # A bf16 momentum may be rounded the other way at a tie.
    loose = {"rtol": 1e-2, "atol": 1e-4} if "mu_dtype" in options else {}
    found = step.equal(**loose)
    assert statuses(found) == ALL
    root = options.get("eps_root", 0.0)
    assert found["['w']"].hyperparameters["eps_root"] == pytest.approx(root)


CLIPS = {"value": optax.clip(0.01), "rms": optax.clip_by_block_rms(0.01),
         "agc": optax.adaptive_grad_clip(0.01), "nans": optax.zero_nans(),
         "norm": optax.clip_by_global_norm(0.1)}


@pytest.mark.parametrize("name", CLIPS)
def test_clips(compiler, name):
    found = Step(optax.chain(CLIPS[name], optax.adamw(1e-3))).equal()
    assert statuses(found) == ALL


def test_clip_with_schedule_on_single_elements(compiler):
    opt = optax.chain(optax.clip_by_global_norm(0.1), optax.adamw(
        optax.warmup_cosine_decay_schedule(0.0, 1e-3, 2, 100)))
    params = {"w": PARAMS["w"], "t": np.ones((), np.float32),
              "o": np.ones((1,), np.float32)}
    found = Step(opt, params, lambda p, x: jnp.mean(
        jnp.tanh(x @ p["w"] * p["t"] + p["o"]) ** 2)).equal()
    assert {k: p.status for k, p in found.items()} == {
        "['w']": "raised", "['t']": "raised", "['o']": "raised"}


def test_value_returned_twice(compiler):
    opt = optax.adamw(1e-3)

    def step(params, state, x):
        updates, state = opt.update(jax.grad(loss)(params, x), state, params)
        params = optax.apply_updates(params, updates)
        return params, state, params

    found = Step(opt, step=step, state=opt.init(PARAMS)).equal()
    assert statuses(found) == ALL
    # Both places hold the new parameter under another rule as well.
    made = Step(opt, step=step, state=opt.init(PARAMS))
    assert statuses(made.optimize(policy="paper")) == ALL
    _, tiered = made.runners()
    others = tiered.step()
    for i, value in enumerate(others):
        np.testing.assert_array_equal(value, tiered.argument(i))


@pytest.mark.parametrize("options, reason", [
    ({"learning_rate": 1e-3, "weight_decay": -1e-2}, "negative weight decay"),
    ({"learning_rate": -1e-3, "weight_decay": 0.0}, "uphill")])
def test_wrong_signs(compiler, options, reason):
    found = Step(optax.adamw(**options)).optimize(policy="keep")
    assert {p.status for p in found.values()} == {"declined"}
    assert all(reason in p.reason for p in found.values())


def test_swapped_moments_are_remarked(compiler):
    opt = optax.adamw(1e-3)

    def step(params, state, x):
        updates, state = opt.update(jax.grad(loss)(params, x), state, params)
        adam, *rest = state
        return optax.apply_updates(params, updates), (
            adam._replace(mu=adam.nu, nu=adam.mu), *rest)

    params = {k: jnp.asarray(v) for k, v in PARAMS.items()}
    lowered = jax.jit(step).lower(params, opt.init(params), BATCHES[0])
    result = skewopt.optimize(lowered, policy="keep")
    # Each pair of places is the rule's; that the caller's names say otherwise
    # is for the caller to judge.
    remarks = [r for r in result.remarks if "mu['w']" in str(r)
               and "nu['w']" in str(r)]
    assert remarks
