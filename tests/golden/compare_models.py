"""Compares pretrained models in Headlight with `transformers` on the same folder, for texts of several lengths.

    python compare_models.py HEADLIGHT FOLDER [TEXT_FILE]

Prints, for each text, the number of tokens and the largest differences of all patterns, of the hidden states after each layer and of the
logits, if there are any: between Headlight and float32, and in brackets of both from the same network in float64; of the patterns also
which share of the cells is more than 2e-6 away. The ids must be equal. Texts are as many words of the file, or of this one, as have at
most 5, 16, 64 … tokens."""

import os
import subprocess
import sys
import tempfile

import torch
import transformers
from safetensors.torch import load_file
from tokenizers import Tokenizer

SIZES = (5, 16, 64, 128, 256, 420, 512)
FAR = 2e-6


def model_for(folder):
    config = transformers.AutoConfig.from_pretrained(folder)
    names = config.architectures or []
    kind = getattr(transformers, names[0]) if names and hasattr(transformers, names[0]) else transformers.AutoModel
    return kind.from_pretrained(folder, attn_implementation="eager").eval().float()


def compare(headlight, folder, model, tokenizer, text):
    with tempfile.TemporaryDirectory() as temporary:
        study, found_file = os.path.join(temporary, "a.headlight"), os.path.join(temporary, "a.safetensors")
        subprocess.run([headlight, "new", "model", folder, text, "-o", study], check=True, stderr=subprocess.DEVNULL)
        paths = subprocess.run([headlight, "list", study], check=True, capture_output=True, text=True).stdout.split()
        wanted = ["blocks.*.pattern", "blocks.*.resid_p*", "tokens"] + [path for path in ("ln_final.out", "logits") if path in paths]
        command = [headlight, "run", study, "-o", found_file]
        for glob in wanted:
            command += ["--tensor", glob]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        found = load_file(found_file)
    ids = tokenizer.encode(text).ids
    def run(model):
        with torch.no_grad():
            return model(input_ids=torch.tensor([ids]), output_attentions=True, output_hidden_states=True)

    out = run(model.float())
    out = [*out.attentions], [*out.hidden_states], out.get("logits")
    exact = run(model.double())
    exact = [*exact.attentions], [*exact.hidden_states], exact.get("logits")
    model.float()
    assert [int(i) for i in found["tokens"].flatten()] == ids, "other tokens"
    n_layers, n_heads = len(out[0]), out[0][0].shape[1]
    last = "ln_final.out" if "ln_final.out" in found else f"blocks.{n_layers - 1}.resid_post"
    ours = (
        [torch.stack([found[f"blocks.{l}.attn.heads.{h}.pattern"] for h in range(n_heads)])[None] for l in range(n_layers)],
        [found[f"blocks.{l}.resid_pre"][None] for l in range(n_layers)] + [found[last][None]],
        found["logits"][None] if "logits" in found else None,
    )
    line = f"{len(ids):5d} tokens"
    for name, a, b, c in zip(("patterns", "hidden", "logits"), ours, out, exact):
        if a is None or b is None:
            continue
        far = lambda x, y: max((p.double() - q.double()).abs().max().item() for p, q in zip(x, y))
        line += f"  {name} {far(a, b):.1e} ({far(a, c):.1e}, {far(b, c):.1e})"
        if name == "patterns":
            n_far = sum(((p.double() - q.double()).abs() > FAR).sum().item() for p, q in zip(a, b))
            line += f", {100 * n_far / sum(p.numel() for p in a):.4f} % beyond {FAR:.0e}"
    print(line + f"  hidden up to {max(h.abs().max().item() for h in out[1]):.3g}")


def main():
    headlight, folder = sys.argv[1:3]
    words = open(sys.argv[3] if len(sys.argv) > 3 else __file__, encoding="utf-8").read().split()
    model, tokenizer = model_for(folder), Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
    tokenizer.no_truncation(), tokenizer.no_padding()
    most = getattr(model.config, "max_position_embeddings", None) or model.config.n_positions
    for size in SIZES:
        n_tokens = lambda n: len(tokenizer.encode(" ".join(words[:n])).ids)
        fitting = [n for n in range(1, len(words) + 1) if n <= size and n_tokens(n) <= size]
        if size <= most and fitting:
            compare(headlight, folder, model, tokenizer, " ".join(words[:fitting[-1]]))


if __name__ == "__main__":
    main()
