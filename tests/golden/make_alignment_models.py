"""Writes the T5 models of tests/golden/models.zip: small random encoder-decoders, saved by `transformers`, and what they compute.

    python make_alignment_models.py [NAME ...]

Beside config.json and the weights, expected.safetensors has the ids of the source and of what the decoder reads, the patterns of the
"encoder", the "decoder" and the "cross"-attention [layers, heads, n, m], the hidden states of both sides [layers + 1, n, d_model] and the
logits, computed eagerly in float32. Its metadata name source, target and the tokenizer."""

import os
import shutil
import sys

import torch
import transformers as t
from safetensors.torch import save_file
from tokenizers import Tokenizer

import archive
from make_models import HERE, TOKENIZERS, randomize

SOURCE, TARGET = "The cat didn't cross the street", "Le chat 42"
SMALL = dict(d_model=16, d_ff=20, num_layers=2, num_heads=2, relative_attention_num_buckets=8, relative_attention_max_distance=6)
MODELS = {
    "t5": (dict(SMALL, d_kv=6, feed_forward_proj="relu"), torch.float32),
    "t5-gated": (dict(SMALL, d_kv=8, feed_forward_proj="gated-gelu", tie_word_embeddings=False), torch.bfloat16),
}


def make(name):
    settings, dtype = MODELS[name]
    tokenizer = Tokenizer.from_file(os.path.join(TOKENIZERS, "t5", "tokenizer.json"))
    size = max(tokenizer.get_vocab().values()) + 1
    config = t.T5Config(**settings, vocab_size=size, decoder_start_token_id=0)
    config._attn_implementation = "eager"
    model = t.T5ForConditionalGeneration(config).eval().float()
    is_tied = settings.get("tie_word_embeddings", True)
    if not is_tied:
        model.lm_head.weight = torch.nn.Parameter(torch.empty(size, config.d_model))  # as in a checkpoint
    randomize(model, dtype)
    with torch.no_grad():
        for key, parameter in model.named_parameters():
            if ".q." in key:
                parameter *= 0.25  # the scores are not divided
    source, target = tokenizer.encode(SOURCE).ids, [0] + tokenizer.encode(TARGET).ids[:-1]
    with torch.no_grad():
        out = model(input_ids=torch.tensor([source]), decoder_input_ids=torch.tensor([target]), output_attentions=True, output_hidden_states=True)
    expected = {"source": torch.tensor(source, dtype=torch.int32), "read": torch.tensor(target, dtype=torch.int32),
                "patterns.encoder": torch.cat(out.encoder_attentions), "patterns.decoder": torch.cat(out.decoder_attentions),
                "patterns.cross": torch.cat(out.cross_attentions), "hidden.encoder": torch.cat(out.encoder_hidden_states),
                "hidden.decoder": torch.cat(out.decoder_hidden_states), "logits": out.logits[0]}
    folder = os.path.join(HERE, name)
    shutil.rmtree(folder, ignore_errors=True)
    if not is_tied:
        config.tie_word_embeddings = False
    model.to(dtype).save_pretrained(folder)
    left = os.path.join(folder, "generation_config.json")
    if os.path.exists(left):
        os.remove(left)
    save_file({key: value.contiguous() for key, value in expected.items()}, os.path.join(folder, "expected.safetensors"),
              metadata={"text": SOURCE, "target": TARGET, "tokenizer": "t5"})
    print(name, size, {key: list(value.shape) for key, value in expected.items()}, sum(os.path.getsize(os.path.join(folder, f)) for f in os.listdir(folder)))


if __name__ == "__main__":
    for each in sys.argv[1:] or MODELS:
        make(each)
    archive.pack("models")
