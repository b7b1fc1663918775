#!/usr/bin/env python3
"""Writes tests/golden/imports.zip: weights as PyTorch and PyTorch Geometric name them, and what their
own modules make of them.

    venv/bin/python tests/golden/make_imports.py      (the venv of make_golden.py)

NAME.npz is a module's state_dict; NAME.expected.npz holds its input, "embed", and its results by
Headlight's paths.
"""

import numpy
import torch
from torch_geometric.nn import GATConv, GATv2Conv

import archive

FOLDER = archive.unpacked("imports")
D_MODEL, N_HEADS, N_WORDS, D_FF = 8, 2, 5, 6
D_IN, D_OUT = 5, 3
EDGES = [(0, 1), (1, 2), (2, 0), (2, 3)]  # undirected, with self-loops


def write(name, module, expected, prefix=""):
    weights = {prefix + key: value.detach().numpy() for key, value in module.state_dict().items()}
    numpy.savez(FOLDER / f"{name}.npz", **weights)
    values = {key: value.detach().numpy() for key, value in expected.items()}
    numpy.savez(FOLDER / f"{name}.expected.npz", **values)


def randomise(module):
    with torch.no_grad():
        for parameter in module.parameters():
            parameter.normal_(0, 0.5)


def multihead_attention():
    attention = torch.nn.MultiheadAttention(D_MODEL, N_HEADS, batch_first=True)
    randomise(attention)
    x = torch.randn(1, N_WORDS, D_MODEL)
    out, patterns = attention(x, x, x, average_attn_weights=False)
    expected = {"embed": x[0], "blocks.0.attn.out": out[0]}
    for head in range(N_HEADS):
        expected[f"blocks.0.attn.heads.{head}.pattern"] = patterns[0, head]
    write("multihead_attention", attention, expected)


def encoder_layers():
    layer = torch.nn.TransformerEncoderLayer(D_MODEL, N_HEADS, D_FF, dropout=0, batch_first=True)
    encoder = torch.nn.TransformerEncoder(layer, 2, enable_nested_tensor=False)
    randomise(encoder)
    encoder.eval()
    x = torch.randn(1, N_WORDS, D_MODEL)
    first = encoder.layers[0](x)
    write("encoder_layers", encoder,
          {"embed": x[0], "blocks.0.resid_post": first[0], "blocks.1.resid_post": encoder(x)[0]})


def graph(name, conv, layer):
    randomise(conv)
    if conv.bias is not None:
        torch.nn.init.zeros_(conv.bias)
    x = torch.randn(4, D_IN)
    both = EDGES + [(b, a) for a, b in EDGES]
    out = conv(x, torch.tensor(both).T)
    write(name, conv, {"embed": x, "gat.0.out": out}, prefix=layer)


def main():
    torch.manual_seed(5)
    multihead_attention()
    encoder_layers()
    graph("gat_conv", GATConv(D_IN, D_OUT, N_HEADS), "conv1.")
    graph("gatv2_conv", GATv2Conv(D_IN, D_OUT, N_HEADS, bias=False), "convs.0.")
    archive.pack("imports")


if __name__ == "__main__":
    main()
