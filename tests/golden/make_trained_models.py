"""Writes gpt2-trained and llama-trained in tests/golden/models.zip: tiny networks of two layers that were trained on words which are repeated
until they knew how to go on with one; and what `transformers` computes with them.

    python make_trained_models.py [NAME ...]

A sequence is a word of 4 to 9 random capital letters, again and again. The folders are as those of make_models.py; weights are float16,
and what is expected is computed with these, in float64. Takes a minute on one core."""

import os
import shutil
import sys

import torch
import transformers as t
from safetensors.torch import save_file
from tokenizers import Tokenizer

import archive
from make_models import HERE, TOKENIZERS

TEXT = "KFQZXWKFQZXWKFQ"  # Z follows
LENGTH, BATCH, RATE = 32, 64, 0.01

MODELS = {
    "gpt2-trained": (t.GPT2LMHeadModel, t.GPT2Config(n_embd=48, n_layer=2, n_head=4, n_inner=48, n_positions=64, initializer_range=0.1,
                     resid_pdrop=0.0, embd_pdrop=0.0, attn_pdrop=0.0), "gpt2", 1000),
    "llama-trained": (t.LlamaForCausalLM, t.LlamaConfig(hidden_size=48, num_hidden_layers=2, num_attention_heads=4, num_key_value_heads=2,
                      intermediate_size=48, max_position_embeddings=64, tie_word_embeddings=True,
                      initializer_range=0.1, rope_parameters=dict(rope_type="default", rope_theta=100.0)), "llama3", 1500),
}


def sequences(letters, begin, generator):
    """BATCH rows of LENGTH ids; each begins as the tokenizer does and repeats a word of its own."""
    sizes = torch.randint(4, 10, (BATCH, 1), generator=generator)
    words = letters[torch.randint(len(letters), (BATCH, 9), generator=generator)]
    repeated = torch.gather(words, 1, torch.arange(LENGTH - len(begin)).expand(BATCH, -1) % sizes)
    return torch.cat([begin.expand(BATCH, -1), repeated], 1)


def train(model, letters, begin, n_steps):
    generator = torch.Generator().manual_seed(3)
    optimizer = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.0, betas=(0.9, 0.98))
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=n_steps, pct_start=0.1)
    for step in range(n_steps):
        ids = sequences(letters, begin, generator)
        loss = model(input_ids=ids, labels=ids).loss
        optimizer.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if step % 250 == 0 or step == n_steps - 1:
            print(f"step {step}: loss {loss.item():.3f}", flush=True)


def write_expected(name):
    """With the weights as they were saved; a network that was turned into float16 and back would have turned its rotary angles, too."""
    kind, _, tokenizer_name, _ = MODELS[name]
    folder = os.path.join(HERE, name)
    tokenizer = Tokenizer.from_file(os.path.join(TOKENIZERS, tokenizer_name, "tokenizer.json"))
    model = kind.from_pretrained(folder, attn_implementation="eager", dtype=torch.float32).eval().double()
    encoding = tokenizer.encode(TEXT)
    with torch.no_grad():
        out = model(input_ids=torch.tensor([encoding.ids]), output_attentions=True, output_hidden_states=True)
    expected = {"ids": torch.tensor(encoding.ids, dtype=torch.int32), "patterns": torch.cat(out.attentions),
                "hidden": torch.cat(out.hidden_states), "logits": out.logits[0, -2:]}
    print(name, encoding.tokens, "says", tokenizer.id_to_token(int(out.logits[0, -1].argmax())), torch.softmax(out.logits[0, -1], -1).max().item())
    save_file({key: value.to(torch.int32 if key == "ids" else torch.float32).contiguous() for key, value in expected.items()}, os.path.join(folder, "expected.safetensors"),
              metadata={"text": TEXT, "tokenizer": tokenizer_name})


def make(name):
    kind, config, tokenizer_name, n_steps = MODELS[name]
    tokenizer = Tokenizer.from_file(os.path.join(TOKENIZERS, tokenizer_name, "tokenizer.json"))
    config.vocab_size = max(tokenizer.get_vocab().values()) + 1
    config.bos_token_id = config.eos_token_id = None
    config._attn_implementation = "eager"
    torch.manual_seed(1)
    torch.set_num_threads(1)
    model = kind(config).float()
    begin = torch.tensor(tokenizer.encode("").ids, dtype=torch.long)
    letters = torch.tensor([tokenizer.token_to_id(letter) for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"])
    train(model, letters, begin, n_steps)
    folder = os.path.join(HERE, name)
    shutil.rmtree(folder, ignore_errors=True)
    model.half().save_pretrained(folder)
    os.remove(os.path.join(folder, "generation_config.json"))
    write_expected(name)
    print(sum(os.path.getsize(os.path.join(folder, f)) for f in os.listdir(folder)), "bytes")


if __name__ == "__main__":
    for each in sys.argv[1:] or MODELS:
        make(each)
    archive.pack("models")
