"""Compares pretrained models in Headlight with `transformers` on the same folder, for texts of several lengths, or for pictures.

    python compare_models.py HEADLIGHT FOLDER [TEXT_FILE]
    python compare_models.py HEADLIGHT FOLDER PICTURE ...

Prints, for each text, the number of tokens and the largest differences of all patterns, of the hidden states after each layer and of the
logits, if there are any: between Headlight and float32, and in brackets of both from the same network in float64; of the patterns also
which share of the cells is more than 2e-6 away. The ids must be equal. Texts are as many words of the file, or of this one, as have at
most 5, 16, 64 … tokens. Of a model of pictures also the largest difference of the pixels, as
Pillow and the model's processor make them."""

import os
import subprocess
import sys
import tempfile

import torch
import transformers
from PIL import Image
from safetensors.torch import load_file
from tokenizers import Tokenizer

SIZES = (5, 16, 64, 128, 256, 420, 512)
FAR = 2e-6


def model_for(folder):
    config = transformers.AutoConfig.from_pretrained(folder)
    names = config.architectures or []
    kind = getattr(transformers, names[0]) if names and hasattr(transformers, names[0]) else transformers.AutoModel
    return kind.from_pretrained(folder, attn_implementation="eager").eval().float()


def found_by(headlight, folder, given, last):
    """What Headlight computes of a text or a picture."""
    with tempfile.TemporaryDirectory() as temporary:
        study, found_file = os.path.join(temporary, "a.headlight"), os.path.join(temporary, "a.safetensors")
        subprocess.run([headlight, "new", "model", folder, given, "-o", study], check=True, stderr=subprocess.DEVNULL)
        paths = subprocess.run([headlight, "list", study], check=True, capture_output=True, text=True).stdout.split()
        wanted = ["blocks.*.pattern", "blocks.*.resid_p*"] + [path for path in ("tokens", "image", "image_normalized", last, "logits") if path in paths]
        command = [headlight, "run", study, "-o", found_file]
        for glob in wanted:
            command += ["--tensor", glob]
        subprocess.run(command, check=True, stderr=subprocess.DEVNULL)
        return load_file(found_file)


def run(model, inputs):
    inputs = {key: value.to(next(model.parameters()).dtype) if value.is_floating_point() else value for key, value in inputs.items()}
    with torch.no_grad():
        out = model(**inputs, output_attentions=True, output_hidden_states=True)
    return [*out.attentions], [*out.hidden_states], out.get("logits")


def compare(found, model, inputs, last, line):
    out, exact = run(model.float(), inputs), run(model.double(), inputs)
    model.float()
    n_layers, n_heads = len(out[0]), out[0][0].shape[1]
    last = last if last in found else f"blocks.{n_layers - 1}.resid_post"
    ours = (
        [torch.stack([found[f"blocks.{l}.attn.heads.{h}.pattern"] for h in range(n_heads)])[None] for l in range(n_layers)],
        [found[f"blocks.{l}.resid_pre"][None] for l in range(n_layers)] + [found[last][None]],
        [found["logits"]] if "logits" in found else None,
    )
    for name, a, b, c in zip(("patterns", "hidden", "logits"), ours, out, exact):
        if a is None or b is None:
            continue
        far = lambda x, y: max((p.double() - q.double()).abs().max().item() for p, q in zip(x, y))
        line += f"  {name} {far(a, b):.1e} ({far(a, c):.1e}, {far(b, c):.1e})"
        if name == "patterns":
            n_far = sum(((p.double() - q.double()).abs() > FAR).sum().item() for p, q in zip(a, b))
            line += f", {100 * n_far / sum(p.numel() for p in a):.4f} % beyond {FAR:.0e}"
    print(line + f"  hidden up to {max(h.abs().max().item() for h in out[1]):.3g}")


def compare_text(headlight, folder, model, tokenizer, text):
    found = found_by(headlight, folder, text, "ln_final.out")
    ids = tokenizer.encode(text).ids
    assert [int(i) for i in found["tokens"].flatten()] == ids, "other tokens"
    compare(found, model, {"input_ids": torch.tensor([ids])}, "ln_final.out", f"{len(ids):5d} tokens")


def compare_picture(headlight, folder, model, processor, picture):
    """The hidden states of ViT are those before its last norm."""
    found = found_by(headlight, folder, picture, "")
    pixels = processor(Image.open(picture).convert("RGB"), return_tensors="pt")["pixel_values"]
    read = found.get("image_normalized", found["image"])
    far = (read - pixels[0].flatten(1).T).abs().max().item()
    compare(found, model, {"pixel_values": pixels}, "", f"{os.path.basename(picture)}  pixels {far:.1e}")


def main():
    headlight, folder = sys.argv[1:3]
    model = model_for(folder)
    if os.path.exists(os.path.join(folder, "preprocessor_config.json")):
        processor = transformers.AutoImageProcessor.from_pretrained(folder, backend="pil")
        for picture in sys.argv[3:]:
            compare_picture(headlight, folder, model, processor, picture)
        return
    words = open(sys.argv[3] if len(sys.argv) > 3 else __file__, encoding="utf-8").read().split()
    tokenizer = Tokenizer.from_file(os.path.join(folder, "tokenizer.json"))
    tokenizer.no_truncation(), tokenizer.no_padding()
    most = getattr(model.config, "max_position_embeddings", None) or model.config.n_positions
    for size in SIZES:
        n_tokens = lambda n: len(tokenizer.encode(" ".join(words[:n])).ids)
        fitting = [n for n in range(1, len(words) + 1) if n <= size and n_tokens(n) <= size]
        if size <= most and fitting:
            compare_text(headlight, folder, model, tokenizer, " ".join(words[:fitting[-1]]))


if __name__ == "__main__":
    main()
