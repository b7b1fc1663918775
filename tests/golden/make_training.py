#!/usr/bin/env python3
"""Writes the files of optimizers in tests/golden/training.zip: where 100 steps of training have to end.

    venv/bin/python tests/golden/make_training.py

A causal stack of two blocks (layer norm first, GELU, learned positions) predicts words of padded
sentences. PyTorch's own optimizers train it, in float64, from parameters that are exact in float32.
One safetensors file an optimizer. Its tensors: "held/PATH" is what a parameter begins as, "PATH"
what it ends as, "batches" the words of each step (a row a step, −1 is padding), "losses" the mean
cross-entropy of each step.
"""

import math

import torch
from torch import nn

import archive
from case import write_safetensors

FOLDER = archive.unpacked("training")
LAYERS, HEADS, WIDTH, D_FF, WORDS = 2, 2, 16, 24, 11
SENTENCES, LENGTH, STEPS = 4, 6, 100

OPTIMIZERS = {
    "sgd": lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9, weight_decay=1e-3),
    "adam": lambda p: torch.optim.Adam(p, lr=3e-3, eps=1e-8),
    "adamw": lambda p: torch.optim.AdamW(p, lr=3e-3, betas=(0.9, 0.99), weight_decay=0.1),
    "clipped": lambda p: torch.optim.Adam(p, lr=1e-2),
}


def draw_parameters(generator):
    parameters = {}

    def draw(path, rows, columns, scale, mean=0.0):
        values = mean + torch.randn(rows, columns, generator=generator) * scale
        parameters[path] = values.to(torch.float32).to(torch.float64).requires_grad_()

    head_width = WIDTH // HEADS
    draw("W_E", WORDS, WIDTH, 1)
    draw("W_pos", LENGTH, WIDTH, 1)
    for layer in range(LAYERS):
        block = f"blocks.{layer}"
        for norm in ("ln1", "ln2"):
            draw(f"{block}.{norm}.w", 1, WIDTH, 0.1, 1.0)
            draw(f"{block}.{norm}.b", 1, WIDTH, 0.1)
        for head in range(HEADS):
            for name in ("W_Q", "W_K", "W_V"):
                draw(f"{block}.attn.heads.{head}.{name}", WIDTH, head_width, 1 / math.sqrt(WIDTH))
        draw(f"{block}.attn.W_O", WIDTH, WIDTH, 1 / math.sqrt(WIDTH))
        draw(f"{block}.mlp.W_in", WIDTH, D_FF, 1 / math.sqrt(WIDTH))
        draw(f"{block}.mlp.b_in", 1, D_FF, 0.1)
        draw(f"{block}.mlp.W_out", D_FF, WIDTH, 1 / math.sqrt(D_FF))
        draw(f"{block}.mlp.b_out", 1, WIDTH, 0.1)
    draw("ln_final.w", 1, WIDTH, 0.1, 1.0)
    draw("ln_final.b", 1, WIDTH, 0.1)
    draw("W_U", WIDTH, WORDS, 1 / math.sqrt(WIDTH))
    return parameters


def draw_batches(generator):
    """Words at random, except that word 3 is always followed by word 7; then padding."""
    batches = torch.randint(0, WORDS, (STEPS, SENTENCES, LENGTH), generator=generator)
    for i in range(1, LENGTH):
        batches[:, :, i][batches[:, :, i - 1] == 3] = 7
    lengths = torch.randint(3, LENGTH + 1, (STEPS, SENTENCES, 1), generator=generator)
    return torch.where(torch.arange(LENGTH) < lengths, batches, -1)


def loss_of(p, words):
    there = words >= 0
    x = p["W_E"][words.clamp(min=0)] * there.unsqueeze(2) + p["W_pos"]
    causal = torch.ones(LENGTH, LENGTH, dtype=torch.bool).tril()
    mask = causal & there.unsqueeze(1)

    def norm(x, path):
        return nn.functional.layer_norm(x, (WIDTH,), p[f"{path}.w"][0], p[f"{path}.b"][0])

    for layer in range(LAYERS):
        block = f"blocks.{layer}"
        normed, heads = norm(x, f"{block}.ln1"), []
        for head in range(HEADS):
            q, k, v = (normed @ p[f"{block}.attn.heads.{head}.{name}"]
                       for name in ("W_Q", "W_K", "W_V"))
            heads.append(nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask))
        x = x + torch.cat(heads, dim=2) @ p[f"{block}.attn.W_O"]
        hidden = norm(x, f"{block}.ln2") @ p[f"{block}.mlp.W_in"] + p[f"{block}.mlp.b_in"]
        x = x + nn.functional.gelu(hidden) @ p[f"{block}.mlp.W_out"] + p[f"{block}.mlp.b_out"]
    logits = norm(x, "ln_final") @ p["W_U"]
    targets = torch.where(there[:, 1:], words[:, 1:], -100)
    return nn.functional.cross_entropy(logits[:, :-1].reshape(-1, WORDS), targets.reshape(-1))


def write(name, make_optimizer):
    generator = torch.Generator().manual_seed(sum(name.encode()))
    parameters, batches = draw_parameters(generator), draw_batches(generator)
    tensors = {f"held/{path}": values.detach().clone() for path, values in parameters.items()}
    optimizer, losses = make_optimizer(list(parameters.values())), []
    for words in batches:
        optimizer.zero_grad()
        loss = loss_of(parameters, words)
        loss.backward()
        if name == "clipped":
            nn.utils.clip_grad_norm_(list(parameters.values()), 0.5)
        optimizer.step()
        losses.append(loss.item())
    tensors |= {path: values.to(torch.float32).to(torch.float64)
                for path, values in parameters.items()}
    tensors["batches"] = batches.reshape(STEPS, -1).to(torch.float64)
    tensors["losses"] = torch.tensor(losses, dtype=torch.float32).reshape(-1, 1).to(torch.float64)
    write_safetensors(FOLDER / f"{name}.safetensors", tensors,
                      {"study": "{}", "target": "", "omitted": ""})


if __name__ == "__main__":
    for name, make_optimizer in OPTIMIZERS.items():
        write(name, make_optimizer)
    archive.pack("training")
