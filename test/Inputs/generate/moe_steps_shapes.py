# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""moe_steps.py: shapes of weights, other models, loops, recomputation,
sharding."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from jax.sharding import Mesh, NamedSharding, PartitionSpec

from moe_steps import ATTENTION, D, DENSE, DH, E, EMBED, F, FFN, H, HEAD, K, L
from moe_steps import NORM, P, ROUTER, T, V, W_IN, W_OUT
from moe_steps import attend, cross_entropy, experts, finish, layer_norm
from moe_steps import layers_of, model, one_hot_weights, rms_norm, top_k


@model(
    HEAD,
    norm_f=P("norm", "bc", L, D),
    router=P("router", "brc", L, D, E),
    w_in=P("expert", "bbrc", L, E, D, F),
    w_out=P("expert", "bbrc", L, E, F, D),
    b_in=P("expert", "bbc", L, E, F),
)
def scan_layers(p, x, t):
    """Layers on axis 0, expert stacks of rank 4."""

    def layer(h, q):
        n = rms_norm(h, q["norm_f"])
        weights = top_k(n @ q["router"])
        a = jnp.einsum("td,edf->tef", n, q["w_in"]) + q["b_in"]
        y = jnp.einsum("tef,efd,te->td", jax.nn.gelu(a), q["w_out"], weights)
        return h + y, None

    stacked = layers_of(p, "embed", "norm", "head")
    return finish(p, lax.scan(layer, p["embed"][x], stacked)[0], t)


@model(
    HEAD,
    norm_f=P("norm", "cb", D, L),
    router=P("router", "rbc", D, L, E),
    w_in=P("expert", "bbrc", E, L, D, F),
    w_out=P("expert", "bbrc", E, L, F, D),
    dense=P("backbone", "rbc", D, L, D),
)
def scan_axis_1_transposed(p, x, t):
    """Layers on axis 1, moved to the front before the scan."""

    @jax.checkpoint
    def layer(h, q):
        h = h + jnp.tanh(h @ q["dense"])
        n = rms_norm(h, q["norm_f"])
        return h + experts(q, n, top_k(n @ q["router"])), None

    stacked = layers_of(p, "embed", "norm", "head")
    stacked = {k: jnp.moveaxis(w, 1, 0) for k, w in stacked.items()}
    return finish(p, lax.scan(layer, p["embed"][x], stacked)[0], t)


@model(
    HEAD,
    q=P("backbone", "rcc", D, H, DH),
    k=P("backbone", "rcc", D, H, DH),
    v=P("expert", "b.rc", E, H, D, DH),
    o=P("expert", "b.rc", E, H, DH, D),
    router_v=P("router", "rcc", D, H, E),
    router_o=P("router", "rcc", D, H, E),
)
def switch_head(p, x, t):
    """Attention whose value and output projections are experts per head."""
    h = p["embed"][x]

    def choose(router):
        scores = jax.nn.sigmoid(jnp.einsum("td,dhe->the", h, router))
        values, indices = lax.top_k(scores, K)
        hot = jax.nn.one_hot(indices, E)
        return jnp.einsum("thk,thke->the", values, hot)

    q, k = (jnp.einsum("td,dhk->thk", h, p[i]) for i in "qk")
    v = jnp.einsum("td,ehdk->tehk", h, p["v"])
    v = jnp.einsum("tehk,the->thk", v, choose(p["router_v"]))
    a = jax.nn.softmax(jnp.einsum("thk,shk->hts", q, k))
    o = jnp.einsum("hts,shk->thk", a, v)
    o = jnp.einsum("thk,ehkd->tehd", o, p["o"])
    o = jnp.einsum("tehd,the->td", o, choose(p["router_o"]))
    return finish(p, h + o, t)


# No split of axes says so: the axis is kept out of every average.
MERGED = "experts and columns share an axis"


@model(
    HEAD,
    router=ROUTER,
    w_in=P("expert", "rb", D, E * F, why=MERGED),
    w_out=P("expert", "bc", E * F, D, why=MERGED),
)
def merged_columns(p, x, t):
    """[in, E*out]: experts side by side in one matrix."""
    h = p["embed"][x]
    weights = top_k(h @ p["router"])
    a = jax.nn.silu(h @ p["w_in"]).reshape(T, E, F) * weights[:, :, None]
    return finish(p, h + a.reshape(T, E * F) @ p["w_out"], t)


@model(
    HEAD,
    ATTENTION,
    router=P("router", "r", D, why="one column: it chooses tokens"),
    w_in=P("backbone", "rc", D, F),
    w_out=P("backbone", "rc", F, D),
)
def mixture_of_depths(p, x, t):
    """Half of the tokens pass through the block."""
    h = p["embed"][x]
    scores = h @ p["router"]
    values, indices = lax.top_k(scores, T // 2)
    y = attend(h[indices], p)
    y = jax.nn.gelu(y @ p["w_in"]) @ p["w_out"]
    h = h.at[indices].add(y * jax.nn.sigmoid(values)[:, None])
    return finish(p, h, t)


UNIT = "neither a matrix of the trunk nor an embedding"


@model(
    ATTENTION,
    FFN,
    embed=EMBED,
    patch=P("backbone", "rrrc", 2, 2, 3, D),
    patch_bias=P("backbone", "c", D),
    class_token=P("backbone", ".c", 1, D, why=UNIT),
    position=P("embedding", "rc", 5, D),
    router=ROUTER,
    norm_scale=NORM,
    norm_bias=NORM,
    head=P("backbone", "rc", D, 7),
)
def vision(p, x, t):
    """Patches by a convolution, class token, positions, routed layers."""
    image = p["embed"][x].reshape(1, 4, 4, 12)[..., :3]
    patches = lax.conv_general_dilated(
        image, p["patch"], (2, 2), "VALID",
        dimension_numbers=("NHWC", "HWIO", "NHWC"),
    )
    h = (patches + p["patch_bias"]).reshape(4, D)
    h = jnp.concatenate([p["class_token"], h]) + p["position"]
    h = attend(h, p)
    n = layer_norm(h, p["norm_scale"], p["norm_bias"])
    h = h + experts(p, n, top_k(n @ p["router"]), jax.nn.gelu)
    return cross_entropy(h[0] @ p["head"], t[0])


@model(
    HEAD,
    FFN,
    router=ROUTER,
    mix_in=P("backbone", "rc", D, 2 * D),
    kernel=P("backbone", "rrc", 3, 1, D),
    kernel_bias=P("backbone", "c", D),
    mix_out=P("backbone", "rc", D, D),
    stem=P("backbone", "rrc", 3, D, D),
    norm_f=NORM,
)
def convolutions_1d(p, x, t):
    """A stem over time, a gated depthwise convolution, routed layers."""
    h = p["embed"][x][None]
    numbers = ("NWC", "WIO", "NWC")
    h = h + lax.conv_general_dilated(
        h, p["stem"], (1,), "SAME", dimension_numbers=numbers
    )
    a, gate = jnp.split(h @ p["mix_in"], 2, -1)
    a = lax.conv_general_dilated(
        a, p["kernel"], (1,), [(2, 0)], dimension_numbers=numbers,
        feature_group_count=D,
    )
    a = jax.nn.silu(a + p["kernel_bias"]) * jax.nn.silu(gate)
    h = (h + a @ p["mix_out"])[0]
    n = rms_norm(h, p["norm_f"])
    return finish(p, h + experts(p, n, top_k(n @ p["router"])), t)


@model(
    FFN,
    embed=EMBED,
    router=ROUTER,
    norm=NORM,
    norm_f=NORM,
)
def one_hot_tied(p, x, t):
    """The vocabulary by a one-hot product, the head by its transpose."""
    h = jax.nn.one_hot(x, V) @ p["embed"]
    n = rms_norm(h, p["norm_f"])
    h = h + experts(p, n, top_k(n @ p["router"]))
    return cross_entropy(rms_norm(h, p["norm"]) @ p["embed"].T, t)


@model(
    HEAD,
    router=ROUTER,
    base=DENSE,
    a=P("expert", "brc", E, D, 3),
    b=P("expert", "brc", E, 3, D),
)
def mixture_of_loras(p, x, t):
    """A dense matrix with routed low-rank updates beside it."""
    h = p["embed"][x]
    weights = top_k(h @ p["router"])
    r = jnp.einsum("td,edr->ter", h, p["a"])
    y = jnp.einsum("ter,erd,te->td", r, p["b"], weights)
    return finish(p, h + jnp.tanh(h @ p["base"] + y), t)


SLOTS = "slots are single vectors: a memory, no experts"


@model(
    HEAD,
    query=P("backbone", "rcc", D, 2, 6),
    keys=P("backbone", "brc", 2, 6, 5, why=SLOTS),
    values=P("backbone", "rc", 25, D, why=SLOTS),
)
def product_keys(p, x, t):
    """Two half keys, the best pairs, their slots."""
    h = p["embed"][x]
    q = jnp.einsum("td,dsk->tsk", h, p["query"])
    scores, index = lax.top_k(jnp.einsum("tsk,skn->tsn", q, p["keys"]), 3)
    pair = (scores[:, 0, :, None] + scores[:, 1, None, :]).reshape(T, 9)
    place = (index[:, 0, :, None] * 5 + index[:, 1, None, :]).reshape(T, 9)
    best, which = lax.top_k(pair, K)
    place = jnp.take_along_axis(place, which, 1)
    read = jnp.einsum("tk,tkd->td", jax.nn.softmax(best), p["values"][place])
    return finish(p, h + read, t)


@model(
    HEAD,
    FFN,
    reduce=P("router", "rc", D, 6),
    centres=P("router", "rc", 6, E),
    temperature=P("router", "", why="a scalar of the router alone"),
)
def cosine_router(p, x, t):
    """X-MoE: normalised projection against normalised expert vectors."""
    h = p["embed"][x]
    low = h @ p["reduce"]
    low = low / jnp.sqrt((low * low).sum(-1, keepdims=True) + 1e-6)
    c = p["centres"]
    c = c / jnp.sqrt((c * c).sum(0, keepdims=True) + 1e-6)
    weights = top_k(low @ c / jnp.exp(p["temperature"]))
    return finish(p, h + experts(p, h, weights), t)


@model(
    HEAD,
    group=P("router", "rc", D, 2),
    router=P("router", "rcc", D, 2, 3),
    w_in=P("expert", "bbrc", 2, 3, D, F),
    w_out=P("expert", "bbrc", 2, 3, F, D),
)
def hierarchical(p, x, t):
    """A group is chosen, then an expert inside it."""
    h = p["embed"][x]
    outer = jax.nn.softmax(h @ p["group"])
    inner = jax.nn.softmax(jnp.einsum("td,dge->tge", h, p["router"]))
    g = jax.nn.one_hot(jnp.argmax(outer, -1), 2) * outer
    e = jax.nn.one_hot(jnp.argmax(inner, -1), 3) * inner
    a = jax.nn.relu(jnp.einsum("td,gedf->tgef", h, p["w_in"]))
    y = jnp.einsum("tgef,gefd->tged", a, p["w_out"])
    return finish(p, h + jnp.einsum("tged,tge,tg->td", y, e, g), t)


@model(
    HEAD,
    {f"w_in{e}": P("expert", "rc", D, F) for e in range(E)},
    {f"w_out{e}": P("expert", "rc", F, D) for e in range(E)},
    {f"b{e}": P("expert", "c", F) for e in range(E)},
    router=ROUTER,
)
def unrolled_masks(p, x, t):
    """Separate experts, each weighted where an index names it."""
    h = p["embed"][x]
    values, indices = lax.top_k(jax.nn.softmax(h @ p["router"]), K)
    out = jnp.zeros_like(h)
    for e in range(E):
        weight = jnp.where(indices == e, values, 0.0).sum(-1, keepdims=True)
        y = jax.nn.silu(h @ p[f"w_in{e}"] + p[f"b{e}"]) @ p[f"w_out{e}"]
        out = out + weight * y
    return finish(p, h + out, t)


@model(
    HEAD,
    FFN,
    ATTENTION,
    router=P("router", "cr", E, D),
    norm_f=NORM,
)
def universal(p, x, t):
    """MoEUT: one layer used twice in a loop; router kernel [out, in]."""

    def layer(h, _):
        h = attend(h, p)
        n = rms_norm(h, p["norm_f"])
        scores = jax.nn.sigmoid(jnp.einsum("td,ed->te", n, p["router"]))
        weights = one_hot_weights(*lax.top_k(scores, K))
        return h + experts(p, n, weights, jax.nn.relu), None

    return finish(p, lax.scan(layer, p["embed"][x], length=2)[0], t)


CROSS = {k + "_x": w for k, w in ATTENTION.items()}


@model(
    HEAD,
    FFN,
    ATTENTION,
    CROSS,
    relative=P("embedding", "rc", 8, H),
    router=ROUTER,
    last=DENSE,
)
def encoder_decoder(p, x, t):
    """Bucketed relative positions, cross attention, a routed encoder."""
    h = attend(p["embed"][x], p)
    h = h + experts(p, h, top_k(h @ p["router"]))
    y = p["embed"][t]
    n = rms_norm(y, p["norm_a_x"])
    q = jnp.einsum("td,dhk->thk", n, p["q_x"])
    k, v = (jnp.einsum("td,dhk->thk", h, p[i]) for i in ("k_x", "v_x"))
    distance = jnp.abs(jnp.arange(T)[:, None] - jnp.arange(T)[None])
    bias = p["relative"][jnp.minimum(distance, 7)]
    a = jnp.einsum("thk,shk->hts", q, k) + bias.transpose(2, 0, 1)
    o = jnp.einsum("hts,shk->thk", jax.nn.softmax(a), v)
    y = y + jnp.einsum("thk,hkd->td", o, p["o_x"])
    return finish(p, jnp.tanh(y @ p["last"]), t)


@model(HEAD, FFN, ATTENTION, router=ROUTER, norm_f=NORM)
def remat_policy(p, x, t):
    """Recomputed but for the products."""

    def block(p, h):
        h = attend(h, p)
        n = rms_norm(h, p["norm_f"])
        return h + experts(p, n, top_k(n @ p["router"]))

    block = jax.checkpoint(block, policy=jax.checkpoint_policies.dots_saveable)
    return finish(p, block(p, p["embed"][x]), t)


@model(HEAD, FFN, ATTENTION, router=ROUTER, clip=1.0)
def sharding_constraints(p, x, t):
    """Constraints of 8 devices on weights and activations."""
    mesh = Mesh(np.array(jax.devices()).reshape(2, 4), ("data", "expert"))

    def shard(x, *spec):
        return lax.with_sharding_constraint(
            x, NamedSharding(mesh, PartitionSpec(*spec))
        )

    h = attend(shard(p["embed"][x], "data"), p)
    weights = shard(top_k(h @ p["router"]), "data", "expert")
    w_in = shard(p["w_in"], "expert", None, None)
    w_out = shard(p["w_out"], "expert", None, None)
    a = shard(jnp.einsum("td,edf->tef", h, w_in), "data", "expert", None)
    y = jnp.einsum("tef,efd,te->td", jax.nn.silu(a), w_out, weights)
    return finish(p, shard(h + y, "data"), t)


@model(HEAD, FFN, router=ROUTER)
def shard_map_experts(p, x, t):
    """Experts split over 4 devices; each adds its own share."""
    mesh = Mesh(np.array(jax.devices()[:4]), ("expert",))
    split, whole = PartitionSpec("expert"), PartitionSpec()

    @jax.shard_map(
        mesh=mesh, in_specs=(split, split, whole, PartitionSpec(None, "expert")),
        out_specs=whole,
    )
    def local(w_in, w_out, h, weights):
        # No function of its own: MLIR cannot verify a call inside an operation
        # of one region that it does not know.
        a = jnp.tanh(jnp.einsum("td,edf->tef", h, w_in))
        y = jnp.einsum("tef,efd,te->td", a, w_out, weights)
        return lax.psum(y, "expert")

    h = p["embed"][x]
    y = local(p["w_in"], p["w_out"], h, top_k(h @ p["router"]))
    return finish(p, h + y, t)


@model(HEAD, FFN, router=ROUTER)
def accumulated(p, x, t):
    """Three micro-batches in a loop inside the loss."""

    def part(total, batch):
        h = p["embed"][batch[0]]
        h = h + experts(p, h, top_k(h @ p["router"]))
        return total + finish(p, h, batch[1]), None

    batches = (x.reshape(3, T // 3), t.reshape(3, T // 3))
    return lax.scan(part, 0.0, batches)[0] / 3


@model(
    HEAD,
    w_in=P("backbone", "brc", E, D, F, why="soft gates: no expert is left out"),
    w_out=P("backbone", "brc", E, F, D, why="soft gates: no expert is left out"),
    gate_a=P("backbone", "rc", D, E),
    gate_b=P("backbone", "rc", D, E),
    tower=DENSE,
)
def multi_gate(p, x, t):
    """MMoE: a soft mixture per task."""
    h = p["embed"][x]
    a = jax.nn.relu(jnp.einsum("td,edf->tef", h, p["w_in"]))
    y = jnp.einsum("tef,efd->ted", a, p["w_out"])
    one = jnp.einsum("ted,te->td", y, jax.nn.softmax(h @ p["gate_a"]))
    two = jnp.einsum("ted,te->td", y, jax.nn.softmax(h @ p["gate_b"]))
    other = jnp.mean((jnp.tanh(two @ p["tower"]) - 1) ** 2)
    return finish(p, h + one, t) + other
