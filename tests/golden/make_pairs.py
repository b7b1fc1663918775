#!/usr/bin/env python3
"""Writes pairs-*.safetensors in tests/golden/training.zip: where 40 steps of training on pairs have to end.

    venv/bin/python tests/golden/make_pairs.py

A recurrent encoder and decoder (PyTorch's GRU over packed sequences, additive attention or none) and
a Transformer learn pairs of unequal lengths, with PyTorch's Adam in float64, from parameters that
are exact in float32. Tensors: "held/PATH" is what a parameter begins as, "PATH" what it ends as,
"source" and "target" the words of each step (a row a step, −1 is padding), "losses" the mean
cross-entropy of each step.
"""

import math

import torch
from torch import nn
from torch.nn import functional as F

import archive
from case import write_safetensors

FOLDER = archive.unpacked("training")
PAIRS, N_SOURCE, N_TARGET, STEPS, RATE = 3, 5, 4, 40, 5e-3
ENGLISH, FRENCH, START, END = 7, 9, 1, 2
D_MODEL, D_STATE, D_HIDDEN = 6, 5, 4
WIDTH, HEADS, D_FF = 8, 2, 10


class Parameters(dict):
    """Drawn when they are first asked for."""

    def __init__(self, generator):
        super().__init__()
        self.generator = generator

    def draw(self, path, rows, columns, scale=None, mean=0.0):
        scale = 1 / math.sqrt(rows) if scale is None else scale
        values = mean + torch.randn(rows, columns, generator=self.generator) * scale
        self[path] = values.to(torch.float32).to(torch.float64).requires_grad_()


def draw_gru(p, place, d_in):
    for gate in "rzn":
        p.draw(f"{place}.W_i{gate}", d_in, D_STATE)
        p.draw(f"{place}.W_h{gate}", D_STATE, D_STATE)
        p.draw(f"{place}.b_i{gate}", 1, D_STATE, 0.3)
        p.draw(f"{place}.b_h{gate}", 1, D_STATE, 0.3)


def gru_weights(p, place):
    """As PyTorch has them: the gates under each other."""
    def joined(name):
        return torch.cat([p[f"{place}.{name}{gate}"] for gate in "rzn"], 1)

    return (joined("W_i").T.contiguous(), joined("W_h").T.contiguous(), joined("b_i")[0],
            joined("b_h")[0])


def draw_recurrent(p, attends):
    p.draw("encoder.W_E", ENGLISH, D_MODEL, 1)
    p.draw("decoder.W_E", FRENCH, D_MODEL, 1)
    draw_gru(p, "encoder.forward", D_MODEL)
    draw_gru(p, "encoder.backward", D_MODEL)
    draw_gru(p, "decoder", D_MODEL + 2 * D_STATE)
    if attends:
        p.draw("decoder.W_query", D_STATE, D_HIDDEN)
        p.draw("decoder.W_key", 2 * D_STATE, D_HIDDEN)
        p.draw("decoder.v_score", D_HIDDEN, 1, 1)
    p.draw("decoder.U_o", D_STATE, 2 * D_STATE)
    p.draw("decoder.V_o", D_MODEL, 2 * D_STATE)
    p.draw("decoder.C_o", 2 * D_STATE, 2 * D_STATE)
    p.draw("decoder.W_o", D_STATE, FRENCH)
    p.draw("decoder.W_init", D_STATE, D_STATE)
    p.draw("decoder.b_init", 1, D_STATE, 0.3)


def recurrent_logits(p, source, read, attends):
    lengths = (source >= 0).sum(1)
    packed = nn.utils.rnn.pack_padded_sequence(p["encoder.W_E"][source.clamp(min=0)], lengths,
                                               batch_first=True, enforce_sorted=False)
    names = ("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0")
    weights = dict(zip(names, gru_weights(p, "encoder.forward")))
    weights |= {f"{name}_reverse": values
                for name, values in zip(names, gru_weights(p, "encoder.backward"))}
    gru = nn.GRU(D_MODEL, D_STATE, batch_first=True, bidirectional=True)
    h, ends = torch.func.functional_call(gru, weights, (packed,))
    h, _ = nn.utils.rnn.pad_packed_sequence(h, batch_first=True, total_length=source.shape[1])
    s = torch.tanh(ends[1] @ p["decoder.W_init"] + p["decoder.b_init"])
    rows = []
    for i in range(read.shape[1]):
        y = p["decoder.W_E"][read[:, i].clamp(min=0)] * (read[:, i:i + 1] >= 0)
        if attends:
            hidden = torch.tanh((s @ p["decoder.W_query"]).unsqueeze(1) + h @ p["decoder.W_key"])
            e = (hidden @ p["decoder.v_score"]).squeeze(2).masked_fill(source < 0, -math.inf)
            c = (e.softmax(1).unsqueeze(1) @ h).squeeze(1)
        else:
            c = torch.cat([ends[0], ends[1]], 1)
        s = torch.gru_cell(torch.cat([y, c], 1), s, *gru_weights(p, "decoder"))
        pre = s @ p["decoder.U_o"] + y @ p["decoder.V_o"] + c @ p["decoder.C_o"]
        rows.append(pre.unflatten(1, (D_STATE, 2)).amax(2) @ p["decoder.W_o"])
    return torch.stack(rows, 1)


def draw_attention(p, place):
    for head in range(HEADS):
        for name in "QKV":
            p.draw(f"{place}.heads.{head}.W_{name}", WIDTH, WIDTH // HEADS)
            p.draw(f"{place}.heads.{head}.b_{name}", 1, WIDTH // HEADS, 0.1)
    p.draw(f"{place}.W_O", WIDTH, WIDTH)
    p.draw(f"{place}.b_O", 1, WIDTH, 0.1)


def draw_norm(p, path):
    p.draw(f"{path}.w", 1, WIDTH, 0.1, 1.0)
    p.draw(f"{path}.b", 1, WIDTH, 0.1)


def draw_transformer(p):
    for side, words, places in (("encoder", ENGLISH, N_SOURCE), ("decoder", FRENCH, N_TARGET + 1)):
        p.draw(f"{side}.W_E", words, WIDTH, 1)
        p.draw(f"{side}.W_pos", places, WIDTH, 1)
        block = f"{side}.blocks.0"
        draw_norm(p, f"{block}.ln1")
        draw_attention(p, f"{block}.attn")
        if side == "decoder":
            draw_norm(p, f"{block}.ln_cross")
            draw_attention(p, f"{block}.cross")
        draw_norm(p, f"{block}.ln2")
        p.draw(f"{block}.mlp.W_in", WIDTH, D_FF)
        p.draw(f"{block}.mlp.b_in", 1, D_FF, 0.1)
        p.draw(f"{block}.mlp.W_out", D_FF, WIDTH)
        p.draw(f"{block}.mlp.b_out", 1, WIDTH, 0.1)
        draw_norm(p, f"{side}.ln_final")
    p.draw("W_U", WIDTH, FRENCH)


def transformer_logits(p, source, read):
    def norm(x, path):
        return F.layer_norm(x, (WIDTH,), p[f"{path}.w"][0], p[f"{path}.b"][0])

    def attend(x, keys, mask, place):
        heads = []
        for head in range(HEADS):
            def part(y, name):
                return y @ p[f"{place}.heads.{head}.W_{name}"] + p[f"{place}.heads.{head}.b_{name}"]

            heads.append(F.scaled_dot_product_attention(part(x, "Q"), part(keys, "K"),
                                                        part(keys, "V"), attn_mask=mask))
        return torch.cat(heads, 2) @ p[f"{place}.W_O"] + p[f"{place}.b_O"]

    def words(side, rows):
        embedded = p[f"{side}.W_E"][rows.clamp(min=0)] * (rows >= 0).unsqueeze(2)
        return embedded + p[f"{side}.W_pos"][:rows.shape[1]]

    def add_mlp(x, block):
        hidden = norm(x, f"{block}.ln2") @ p[f"{block}.mlp.W_in"] + p[f"{block}.mlp.b_in"]
        return x + F.relu(hidden) @ p[f"{block}.mlp.W_out"] + p[f"{block}.mlp.b_out"]

    there = (source >= 0).unsqueeze(1)
    x, block = words("encoder", source), "encoder.blocks.0"
    normed = norm(x, f"{block}.ln1")
    x = add_mlp(x + attend(normed, normed, there, f"{block}.attn"), block)
    memory = norm(x, "encoder.ln_final")
    x, block = words("decoder", read), "decoder.blocks.0"
    normed, n = norm(x, f"{block}.ln1"), read.shape[1]
    x = x + attend(normed, normed, torch.ones(n, n, dtype=torch.bool).tril(), f"{block}.attn")
    x = x + attend(norm(x, f"{block}.ln_cross"), memory, there, f"{block}.cross")
    return norm(add_mlp(x, block), "decoder.ln_final") @ p["W_U"]


def draw_words(generator, n_words, first, longest, shortest):
    words = torch.randint(first, n_words, (STEPS, PAIRS, longest), generator=generator)
    lengths = torch.randint(shortest, longest + 1, (STEPS, PAIRS, 1), generator=generator)
    return torch.where(torch.arange(longest) < lengths, words, -1)


def write(name, draw, logits):
    generator = torch.Generator().manual_seed(sum(name.encode()))
    p = Parameters(generator)
    draw(p)
    tensors = {f"held/{path}": values.detach().clone() for path, values in p.items()}
    sources = draw_words(generator, ENGLISH, 0, N_SOURCE, 1)
    targets = draw_words(generator, FRENCH, 3, N_TARGET, 0)
    optimizer, losses = torch.optim.Adam(list(p.values()), lr=RATE), []
    for source, target in zip(sources, targets):
        read = torch.cat([torch.full((PAIRS, 1), START), target], 1)
        written = torch.cat([target, torch.full((PAIRS, 1), -1)], 1)
        written[torch.arange(PAIRS), (target >= 0).sum(1)] = END
        optimizer.zero_grad()
        loss = F.cross_entropy(logits(p, source, read).reshape(-1, FRENCH),
                               written.reshape(-1), ignore_index=-1)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    tensors |= {path: values.to(torch.float32).to(torch.float64) for path, values in p.items()}
    tensors["source"] = sources.reshape(STEPS, -1).to(torch.float64)
    tensors["target"] = targets.reshape(STEPS, -1).to(torch.float64)
    tensors["losses"] = torch.tensor(losses, dtype=torch.float32).reshape(-1, 1).to(torch.float64)
    write_safetensors(FOLDER / f"{name}.safetensors", tensors,
                      {"study": "{}", "target": "", "omitted": ""})


if __name__ == "__main__":
    for name, attends in (("pairs-recurrent", True), ("pairs-without-attention", False)):
        write(name, lambda p: draw_recurrent(p, attends),
              lambda p, source, read: recurrent_logits(p, source, read, attends))
    write("pairs-transformer", draw_transformer, transformer_logits)
    archive.pack("training")
