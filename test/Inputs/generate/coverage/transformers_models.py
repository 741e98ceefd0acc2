# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Flax models of transformers 4.49 (version 5 has none), one small layer each."""

import os

os.environ["USE_TORCH"] = "0"

import jax
import jax.numpy as jnp
import optax
import transformers as tf
from corpus import Graph, graph

_clip = jnp.clip
# transformers 4.49 spells the bounds as jax has not taken them for long.
jnp.clip = lambda x, min=None, max=None, a_min=None, a_max=None: _clip(
    x, min if a_min is None else a_min, max if a_max is None else a_max)

IDS = jax.ShapeDtypeStruct((2, 8), jnp.int32)
PIXELS = jax.ShapeDtypeStruct((2, 16, 16, 3), jnp.float32)


def decayed(params):
    """All but biases and norms."""
    return jax.tree_util.tree_map_with_path(
        lambda path, x: x.ndim > 1 and "norm" not in str(path).lower(), params)


def clipped(rate=1e-3, **more):
    return optax.chain(
        optax.clip_by_global_norm(1.0),
        optax.adamw(optax.warmup_cosine_decay_schedule(0.0, rate, 10, 100),
                    **more))


def masked(rate=5e-5, **more):
    return optax.adamw(optax.linear_schedule(rate, 0.0, 1000),
                       weight_decay=0.01, mask=decayed, **more)


def cross_entropy(logits, labels):
    return jnp.mean(
        optax.softmax_cross_entropy_with_integer_labels(logits, labels))


def language(logits, ids):
    return cross_entropy(logits[:, :-1], ids[:, 1:])


def model_graph(model_class, config, loss, batch, rule, train="train"):
    """`loss(model call, *batch)`; `train`: what turns dropout on."""
    mode = {train: train == "train"}
    model = model_class(config, _do_init=False)
    params = jax.eval_shape(
        lambda: model.init_weights(jax.random.PRNGKey(0), model.input_shape))
    params = jax.tree_util.tree_map(
        lambda x: jax.ShapeDtypeStruct(x.shape, x.dtype), dict(params))

    def step(carry, *batch):
        params, state, key = carry
        key, dropout = jax.random.split(key)

        def call(params):
            return loss(lambda *a, **k: model(
                *a, params=params, dropout_rng=dropout, **mode, **k), *batch)

        value, grads = jax.value_and_grad(call)(params)
        updates, state = rule.update(grads, state, params)
        return (optax.apply_updates(params, updates), state, key), value

    carry = (params, jax.eval_shape(rule.init, params), jax.random.PRNGKey(0))
    return Graph(step, carry, *batch)


def causal(call, ids):
    return language(call(ids, attention_mask=jnp.ones_like(ids)).logits, ids)


def masked_language(call, ids):
    return cross_entropy(call(ids, attention_mask=jnp.ones_like(ids)).logits, ids)


def sequences(call, ids):
    out = call(ids, attention_mask=jnp.ones_like(ids), decoder_input_ids=ids,
               decoder_attention_mask=jnp.ones_like(ids)).logits
    return cross_entropy(out, ids)


NONE = dict(bos_token_id=1, eos_token_id=2, pad_token_id=0)
LLAMA = dict(vocab_size=64, hidden_size=16, intermediate_size=24,
             num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=1,
             max_position_embeddings=16, **NONE)
BERT = dict(vocab_size=64, hidden_size=16, intermediate_size=24,
            num_hidden_layers=1, num_attention_heads=2,
            max_position_embeddings=16, **NONE)

MODELS = {
    "gpt2": lambda: model_graph(
        tf.FlaxGPT2LMHeadModel, tf.GPT2Config(
            vocab_size=64, n_embd=16, n_layer=1, n_head=2, n_positions=16,
            **NONE), causal, [IDS], clipped(weight_decay=0.1)),
    "llama": lambda: model_graph(
        tf.FlaxLlamaForCausalLM, tf.LlamaConfig(**LLAMA), causal, [IDS],
        clipped(3e-4, b2=0.95, weight_decay=0.1)),
    "gemma": lambda: model_graph(
        tf.FlaxGemmaForCausalLM, tf.GemmaConfig(head_dim=8, **LLAMA), causal,
        [IDS], optax.adamw(1e-3)),
    "mistral": lambda: model_graph(
        tf.FlaxMistralForCausalLM, tf.MistralConfig(
            sliding_window=8, **LLAMA), causal, [IDS], masked()),
    "opt": lambda: model_graph(
        tf.FlaxOPTForCausalLM, tf.OPTConfig(
            vocab_size=64, hidden_size=16, num_hidden_layers=1, ffn_dim=24,
            num_attention_heads=2, max_position_embeddings=16,
            word_embed_proj_dim=16, **NONE), causal, [IDS],
        optax.chain(optax.clip(1.0), optax.adamw(1e-4)),
        train="deterministic"),
    "gpt_neo": lambda: model_graph(
        tf.FlaxGPTNeoForCausalLM, tf.GPTNeoConfig(
            vocab_size=64, hidden_size=16, num_layers=1, num_heads=2,
            attention_types=[[["global"], 1]], max_position_embeddings=16,
            intermediate_size=24, **NONE), causal, [IDS],
        optax.inject_hyperparams(optax.adamw)(1e-3)),
    "bloom": lambda: model_graph(
        tf.FlaxBloomForCausalLM, tf.BloomConfig(
            vocab_size=64, hidden_size=16, n_layer=1, n_head=2, **NONE), causal,
        [IDS], optax.MultiSteps(optax.adamw(1e-3), 2).gradient_transformation()),
    "bert": lambda: model_graph(
        tf.FlaxBertForMaskedLM, tf.BertConfig(**BERT), masked_language, [IDS],
        masked()),
    "roberta": lambda: model_graph(
        tf.FlaxRobertaForMaskedLM, tf.RobertaConfig(**BERT), masked_language,
        [IDS], optax.adamw(1e-3, mu_dtype=jnp.bfloat16)),
    "electra": lambda: model_graph(
        tf.FlaxElectraForMaskedLM, tf.ElectraConfig(
            embedding_size=16, **BERT), masked_language, [IDS],
        optax.lamb(1e-3)),
    "distilbert": lambda: model_graph(
        tf.FlaxDistilBertForMaskedLM, tf.DistilBertConfig(
            vocab_size=64, dim=16, hidden_dim=24, n_layers=1, n_heads=2,
            max_position_embeddings=16), masked_language, [IDS],
        optax.chain(optax.scale_by_adam(), optax.add_decayed_weights(0.01),
                    optax.scale_by_schedule(
                        optax.linear_schedule(-5e-5, 0.0, 1000)))),
    "t5": lambda: model_graph(
        tf.FlaxT5ForConditionalGeneration, tf.T5Config(
            vocab_size=64, d_model=16, d_kv=8, d_ff=24, num_layers=1,
            num_heads=2, **NONE), sequences, [IDS],
        optax.adafactor(1e-3, min_dim_size_to_factor=8)),
    "t5_adamw": lambda: model_graph(
        tf.FlaxT5ForConditionalGeneration, tf.T5Config(
            vocab_size=64, d_model=16, d_kv=8, d_ff=24, num_layers=1,
            num_heads=2, **NONE), sequences, [IDS], clipped()),
    "bart": lambda: model_graph(
        tf.FlaxBartForConditionalGeneration, tf.BartConfig(
            vocab_size=64, d_model=16, encoder_layers=1, decoder_layers=1,
            encoder_attention_heads=2, decoder_attention_heads=2,
            encoder_ffn_dim=24, decoder_ffn_dim=24, max_position_embeddings=16,
            **NONE), sequences, [IDS], masked(b2=0.98)),
    "vit": lambda: model_graph(
        tf.FlaxViTForImageClassification, tf.ViTConfig(
            hidden_size=16, num_hidden_layers=1, num_attention_heads=2,
            intermediate_size=24, image_size=16, patch_size=8, num_labels=4),
        lambda call, pixels, labels: cross_entropy(
            call(jnp.transpose(pixels, (0, 3, 1, 2))).logits, labels),
        [PIXELS, jax.ShapeDtypeStruct((2,), jnp.int32)],
        optax.adamw(1e-3, weight_decay=0.3)),
    "clip": lambda: model_graph(
        tf.FlaxCLIPModel, tf.CLIPConfig(
            text_config=dict(vocab_size=64, hidden_size=16, eos_token_id=2,
                             intermediate_size=24, num_hidden_layers=1,
                             num_attention_heads=2, max_position_embeddings=16,
                             bos_token_id=1, pad_token_id=0),
            vision_config=dict(hidden_size=16, intermediate_size=24,
                               num_hidden_layers=1, num_attention_heads=2,
                               image_size=16, patch_size=8),
            projection_dim=16),
        lambda call, ids, pixels: cross_entropy(
            call(ids, jnp.transpose(pixels, (0, 3, 1, 2))).logits_per_text,
            jnp.arange(2)),
        [IDS, PIXELS], clipped(b2=0.98, eps=1e-6, weight_decay=0.2)),
    "whisper": lambda: model_graph(
        tf.FlaxWhisperForConditionalGeneration, tf.WhisperConfig(
            vocab_size=64, d_model=16, encoder_layers=1, decoder_layers=1,
            encoder_attention_heads=2, decoder_attention_heads=2,
            encoder_ffn_dim=24, decoder_ffn_dim=24, num_mel_bins=8,
            max_source_positions=8, max_target_positions=8,
            decoder_start_token_id=1, **NONE),
        lambda call, mel, ids: cross_entropy(
            call(mel, decoder_input_ids=ids).logits, ids),
        [jax.ShapeDtypeStruct((2, 8, 16), jnp.float32), IDS],
        optax.amsgrad(1e-3)),
}

for _name, _make in MODELS.items():
    graph("transformers_" + _name)(_make)
