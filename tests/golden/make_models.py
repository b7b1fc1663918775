"""Writes tests/golden/models.zip: a tiny random network of every family of pretrained models, saved by `transformers`, and what it computes.

    python make_models.py [NAME ...]

A folder has config.json, the weights (in one file, or in shards by index), and expected.safetensors: the ids of a text's tokens, all
patterns [layers, heads, n, n], all hidden states [layers + 1, n, d_model] and the logits of the last two
tokens, computed eagerly in float32. Its metadata name the text and the tokenizer, one of those in tests/golden/tokenizers.zip."""

import json
import os
import shutil
import sys

import torch
import transformers as t
from safetensors.torch import load_file, save_file
from tokenizers import Tokenizer

import archive

HERE, TOKENIZERS = archive.unpacked("models"), archive.unpacked("tokenizers")

TEXT = "The cat didn't cross the street; the cat"
PAIR_TEXT = ("The cat was tired", "it sat on the mat")

SMALL = dict(hidden_size=16, num_hidden_layers=2, num_attention_heads=4, intermediate_size=24)
FALCON = dict(hidden_size=16, num_hidden_layers=2, num_attention_heads=4)
LLAMA = dict(SMALL, num_key_value_heads=2, max_position_embeddings=64)


def scaled(kind, **more):
    return dict(rope_parameters=dict(rope_type=kind, rope_theta=500.0, **more))


MODELS = {
    "gpt2": (t.GPT2LMHeadModel, t.GPT2Config(n_embd=16, n_layer=2, n_head=4, n_positions=64), "gpt2", torch.float32, {}),
    "gpt2-base": (t.GPT2Model, t.GPT2Config(n_embd=16, n_layer=1, n_head=2, n_positions=64, n_inner=20), "gpt2", torch.float16, {"shards": "6KB"}),
    "neox": (t.GPTNeoXForCausalLM, t.GPTNeoXConfig(**SMALL, max_position_embeddings=64,
             rope_parameters=dict(rope_type="default", rope_theta=100.0, partial_rotary_factor=0.5)), "neox", torch.float16, {}),
    "neox-sequential": (t.GPTNeoXForCausalLM, t.GPTNeoXConfig(**SMALL, max_position_embeddings=64, use_parallel_residual=False, hidden_act="gelu_new",
             rope_parameters=dict(rope_type="default", rope_theta=10000.0, partial_rotary_factor=1.0)), "neox", torch.bfloat16, {}),
    "bert": (t.BertForMaskedLM, t.BertConfig(**SMALL, max_position_embeddings=64), "bert", torch.float32, {"pair": True}),
    "bert-base": (t.BertModel, t.BertConfig(**SMALL, max_position_embeddings=64, hidden_act="relu"), "bert", torch.bfloat16, {"old_names": True}),
    "roberta": (t.RobertaForMaskedLM, t.RobertaConfig(**SMALL, max_position_embeddings=66, type_vocab_size=1), "roberta", torch.float16, {}),
    "distilbert": (t.DistilBertForMaskedLM, t.DistilBertConfig(dim=16, n_layers=2, n_heads=4, hidden_dim=24, max_position_embeddings=64), "bert", torch.bfloat16, {}),
    "xlm-roberta": (t.XLMRobertaForMaskedLM, t.XLMRobertaConfig(**SMALL, max_position_embeddings=66, type_vocab_size=1), "roberta", torch.float16, {}),
    "camembert": (t.CamembertModel, t.CamembertConfig(**SMALL, max_position_embeddings=66, type_vocab_size=1), "roberta", torch.bfloat16, {}),
    "gpt-neo": (t.GPTNeoForCausalLM, t.GPTNeoConfig(hidden_size=16, num_layers=2, num_heads=4, intermediate_size=24, max_position_embeddings=64,
                attention_types=[[["global", "local"], 1]], window_size=3), "gpt2", torch.bfloat16, {}),
    "gptj": (t.GPTJForCausalLM, t.GPTJConfig(n_embd=32, n_layer=2, n_head=4, n_positions=64, rotary_dim=4, n_inner=24), "gpt2", torch.bfloat16, {}),
    "opt": (t.OPTForCausalLM, t.OPTConfig(hidden_size=16, num_hidden_layers=2, num_attention_heads=4, ffn_dim=24, max_position_embeddings=62), "gpt2", torch.bfloat16, {}),
    "bloom": (t.BloomForCausalLM, t.BloomConfig(hidden_size=24, n_layer=2, n_head=6), "gpt2", torch.bfloat16, {}),
    "falcon": (t.FalconForCausalLM, t.FalconConfig(**FALCON), "neox", torch.bfloat16, {}),
    "falcon-groups": (t.FalconForCausalLM, t.FalconConfig(**FALCON, new_decoder_architecture=True, num_kv_heads=2, bias=True, ffn_hidden_size=20), "neox", torch.bfloat16, {}),
    "falcon-in-turn": (t.FalconForCausalLM, t.FalconConfig(**FALCON, multi_query=False, parallel_attn=False, bias=True), "neox", torch.bfloat16, {}),
    "phi": (t.PhiForCausalLM, t.PhiConfig(**LLAMA, rope_parameters=dict(rope_type="default", rope_theta=500.0, partial_rotary_factor=0.5)), "gpt2", torch.bfloat16, {}),
    "phi3": (t.Phi3ForCausalLM, t.Phi3Config(**LLAMA, sliding_window=6, pad_token_id=0, rope_parameters=dict(rope_type="default", rope_theta=500.0, partial_rotary_factor=0.5)), "llama2", torch.bfloat16, {}),
    "starcoder2": (t.Starcoder2ForCausalLM, t.Starcoder2Config(**LLAMA, sliding_window=5), "gpt2", torch.bfloat16, {}),
    "llama": (t.LlamaForCausalLM, t.LlamaConfig(**LLAMA), "llama2", torch.bfloat16, {}),
    "llama3": (t.LlamaForCausalLM, t.LlamaConfig(**LLAMA, head_dim=8, attention_bias=True, mlp_bias=True,
               **scaled("llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=8)), "llama3", torch.bfloat16, {"shards": "20KB"}),
    "llama-linear": (t.LlamaForCausalLM, t.LlamaConfig(**LLAMA, tie_word_embeddings=True, **scaled("linear", factor=2.5)), "llama2", torch.bfloat16, {}),
    "llama-dynamic": (t.LlamaForCausalLM, t.LlamaConfig(**dict(LLAMA, max_position_embeddings=8), tie_word_embeddings=True, **scaled("dynamic", factor=2.0)), "llama2", torch.bfloat16, {}),
    "llama-yarn": (t.LlamaForCausalLM, t.LlamaConfig(**LLAMA, tie_word_embeddings=True, **scaled("yarn", factor=4.0, original_max_position_embeddings=16)), "llama2", torch.bfloat16, {}),
    "mistral": (t.MistralForCausalLM, t.MistralConfig(**LLAMA, head_dim=4, sliding_window=4), "mistral", torch.bfloat16, {}),
    "qwen2": (t.Qwen2ForCausalLM, t.Qwen2Config(**LLAMA), "qwen2", torch.bfloat16, {}),
    "qwen2-windows": (t.Qwen2ForCausalLM, t.Qwen2Config(**LLAMA, use_sliding_window=True, sliding_window=4, max_window_layers=1), "qwen2", torch.bfloat16, {}),
    "smollm3": (t.SmolLM3ForCausalLM, t.SmolLM3Config(**LLAMA, no_rope_layer_interval=2), "llama3", torch.bfloat16, {}),
    "helium": (t.HeliumForCausalLM, t.HeliumConfig(**LLAMA, head_dim=4, attention_bias=True), "llama2", torch.bfloat16, {}),
    "ernie": (t.Ernie4_5ForCausalLM, t.Ernie4_5Config(**LLAMA, head_dim=6, use_bias=True), "llama2", torch.bfloat16, {}),
    "gemma": (t.GemmaForCausalLM, t.GemmaConfig(**LLAMA, head_dim=6), "llama2", torch.bfloat16, {}),
    "gemma2": (t.Gemma2ForCausalLM, t.Gemma2Config(**LLAMA, head_dim=6, query_pre_attn_scalar=9, sliding_window=4, attn_logit_softcapping=2.0, final_logit_softcapping=3.0), "llama2", torch.bfloat16, {}),
    "gemma3": (t.Gemma3ForCausalLM, t.Gemma3TextConfig(**LLAMA, head_dim=6, query_pre_attn_scalar=6, sliding_window=4, layer_types=["sliding_attention", "full_attention"],
               rope_parameters=dict(sliding_attention=dict(rope_type="default", rope_theta=100.0), full_attention=dict(rope_type="linear", rope_theta=1000.0, factor=4.0))), "llama2", torch.bfloat16, {}),
    "qwen3": (t.Qwen3ForCausalLM, t.Qwen3Config(**LLAMA, head_dim=6, tie_word_embeddings=True), "qwen2", torch.bfloat16, {}),
}


def randomize(model, dtype):
    """Weights that matter: patterns far from uniform, gains and biases that differ; exact in the type that they are saved in."""
    generator = torch.Generator().manual_seed(7)
    with torch.no_grad():
        for name, parameter in sorted(model.named_parameters()):
            is_gain = parameter.dim() == 1 and "bias" not in name
            noise = torch.randn(parameter.shape, generator=generator)
            scale = 0.3 if parameter.dim() == 1 else 1.6 / parameter.shape[-1] ** 0.5
            parameter.copy_((scale * noise + (1 if is_gain else 0)).to(dtype).float())


def rename_old(folder):
    """As old files name norms, without the prefix."""
    file = os.path.join(folder, "model.safetensors")
    arrays = load_file(file)
    save_file({name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): a for name, a in arrays.items()}, file)


def make(name):
    kind, config, tokenizer_name, dtype, options = MODELS[name]
    tokenizer = Tokenizer.from_file(os.path.join(TOKENIZERS, tokenizer_name, "tokenizer.json"))
    size = max(tokenizer.get_vocab().values()) + 1
    config.vocab_size = size + (3 if name == "neox" else 0)
    for key in ("bos_token_id", "eos_token_id"):
        setattr(config, key, None)
    if hasattr(config, "pad_token_id") and config.pad_token_id is not None:
        config.pad_token_id = 1 if "roberta" in name or name in ("camembert", "opt") else 0
    config._attn_implementation = "eager"
    model = kind(config).eval().float()
    randomize(model, dtype)
    folder = os.path.join(HERE, name)
    shutil.rmtree(folder, ignore_errors=True)
    text = TEXT
    encoding = tokenizer.encode(*PAIR_TEXT) if "pair" in options else tokenizer.encode(text)
    if "pair" in options:
        text = PAIR_TEXT[0] + " [SEP] " + PAIR_TEXT[1]
    given = dict(input_ids=torch.tensor([encoding.ids]))
    if config.model_type == "bert":
        given["token_type_ids"] = torch.tensor([encoding.type_ids])
    with torch.no_grad():
        out = model(**given, output_attentions=True, output_hidden_states=True)
    expected = {"ids": torch.tensor(encoding.ids, dtype=torch.int32), "patterns": torch.cat(out.attentions), "hidden": torch.cat(out.hidden_states)}
    if "logits" in out:
        expected["logits"] = out.logits[0, -2:]
    more = {"max_shard_size": options["shards"]} if "shards" in options else {}
    model.to(dtype).save_pretrained(folder, **more)
    for left in ("generation_config.json",):
        if os.path.exists(os.path.join(folder, left)):
            os.remove(os.path.join(folder, left))
    if "old_names" in options:
        rename_old(folder)
    save_file({key: value.contiguous() for key, value in expected.items()}, os.path.join(folder, "expected.safetensors"),
              metadata={"text": text, "tokenizer": tokenizer_name})
    print(name, config.vocab_size, "tokens", len(encoding.ids), "files", sorted(os.listdir(folder)), sum(os.path.getsize(os.path.join(folder, f)) for f in os.listdir(folder)))


if __name__ == "__main__":
    for each in sys.argv[1:] or MODELS:
        make(each)
    archive.pack("models")
