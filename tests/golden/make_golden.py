#!/usr/bin/env python3
"""Writes tests/golden/data: what PyTorch says that Headlight's tensors are.

    python3 -m venv venv && venv/bin/pip install torch==2.13.0 numpy && venv/bin/python make_golden.py

Sentences: torch.nn.MultiheadAttention(bias=False) with the weights of every head returned. Where it
cannot say (head widths of their own, rows in which everything is masked) the equations of Vaswani
2017 in plain PyTorch; wherever both can speak, the script checks that they agree. A row in which
everything is masked, where PyTorch gives NaN, is all zeros with zero gradient: Headlight's rule.
Graphs: the equations of Velickovic 2018, with PyTorch Geometric's names: a_src goes with the
neighbour j, a_dst with the node i that looks. Over edges, and checked against the dense form.

One safetensors file a case, its settings in the metadata. Inputs are exact in float32; everything
is computed in float64, then rounded to float32. The names are Headlight's paths. "seed" weighs the
cells of the target; "gradient/PATH" is the derivative of the weighted sum by autograd.
"""

import json
import math
import pathlib
import struct

import torch
from torch import nn

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE / "data"
KARATE = HERE.parent.parent / "assets" / "karate.edges"
INFINITY = float("inf")

torch.set_default_dtype(torch.float64)


def write_safetensors(path, tensors, metadata):
    """[size of the header: u64][header: JSON][values: float32, little endian, row by row]"""
    header, parts, offset = {"__metadata__": metadata}, [], 0
    for name, tensor in tensors.items():
        values = tensor.detach().to(torch.float32).contiguous().numpy().astype("<f4")
        header[name] = {"dtype": "F32", "shape": list(values.shape),
                        "data_offsets": [offset, offset + values.nbytes]}
        parts.append(values.tobytes())
        offset += values.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + b"".join(parts))


def random(generator, *shape, scale=1.0):
    """Normal numbers that are exact in float32."""
    values = torch.randn(*shape, generator=generator) * scale
    return values.to(torch.float32).to(torch.float64)


def check_equal(ours, theirs):
    assert torch.allclose(ours, theirs, rtol=1e-10, atol=1e-12), (ours - theirs).abs().max()


def write_case(name, leaves, tensors, target, metadata, generator):
    """Adds the gradients and writes the file."""
    seed = random(generator, *tensors[target].shape)
    found = torch.autograd.grad((seed * tensors[target]).sum(), list(leaves.values()))
    gradients = {f"gradient/{path}": g for path, g in zip(leaves, found)}
    metadata = {key: str(value) for key, value in {**metadata, "target": target}.items()}
    write_safetensors(DATA / f"{name}.safetensors",
                      {**leaves, **tensors, "seed": seed, **gradients}, metadata)


# ---- sentences -----------------------------------------------------------------------------------


def make_mask(kind, n):
    mask = torch.zeros(n, n)
    if kind == "causal":
        mask = torch.full((n, n), -INFINITY).triu(1)
    if kind == "hand":
        mask[0, n - 1] = mask[n - 1, 0] = mask[2, 1] = -INFINITY
        mask[1, :] = -INFINITY
    return mask


def softmax_rows(scores):
    """The softmax of each row; zeros where all of it is masked."""
    is_masked = torch.isneginf(scores).all(dim=1, keepdim=True)
    return torch.softmax(scores.masked_fill(is_masked, 0), dim=1).masked_fill(is_masked, 0)


def sinusoidal(n, d):
    position, feature = torch.arange(n).unsqueeze(1), torch.arange(d)
    angle = position / 10000.0 ** ((feature // 2 * 2) / d)
    return torch.where(feature % 2 == 0, torch.sin(angle), torch.cos(angle))


def attend_by_equations(x, leaves, mask, block, s):
    """One layer, every tensor by its path."""
    t, z = {}, []
    for h in range(s["n_heads"]):
        head = f"{block}.attn.heads.{h}"
        q, k, v = (x @ leaves[f"{head}.W_{letter}"] for letter in "QKV")
        scores = q @ k.T / math.sqrt(s["d_k"])
        pattern = softmax_rows(scores + mask)
        z.append(pattern @ v)
        result = z[-1] @ leaves[f"{block}.attn.W_O"][h * s["d_v"]:(h + 1) * s["d_v"]]
        t |= {f"{head}.q": q, f"{head}.k": k, f"{head}.v": v, f"{head}.scores": scores,
              f"{head}.masked_scores": scores + mask, f"{head}.pattern": pattern,
              f"{head}.z": z[-1], f"{head}.result": result}
    t[f"{block}.attn.concat"] = torch.cat(z, dim=1)
    t[f"{block}.attn.out"] = t[f"{block}.attn.concat"] @ leaves[f"{block}.attn.W_O"]
    return t


def attend_by_pytorch(x, leaves, mask, block, s):
    """The same layer through nn.MultiheadAttention: patterns of all heads, output."""
    module = nn.MultiheadAttention(s["d_model"], s["n_heads"], bias=False, batch_first=True)
    heads = [f"{block}.attn.heads.{h}" for h in range(s["n_heads"])]
    in_proj = torch.cat([leaves[f"{head}.W_{letter}"].T for letter in "QKV" for head in heads])
    weights = {"in_proj_weight": in_proj, "out_proj.weight": leaves[f"{block}.attn.W_O"].T}
    out, patterns = torch.func.functional_call(
        module, weights, (x, x, x),
        {"attn_mask": mask, "need_weights": True, "average_attn_weights": False})
    return {f"{block}.attn.out": out,
            **{f"{head}.pattern": patterns[h] for h, head in enumerate(heads)}}


def attend(x, leaves, mask, block, s):
    """PyTorch's word where it has one, the equations' for the rest."""
    t = attend_by_equations(x, leaves, mask, block, s)
    if not s["d_k"] == s["d_v"] == s["d_model"] / s["n_heads"]:
        return t
    theirs = attend_by_pytorch(x, leaves, mask, block, s)
    is_read = ~torch.isneginf(mask).all(dim=1)
    for path, values in theirs.items():
        check_equal(t[path][is_read], values[is_read])
    return t | theirs if is_read.all() else t


def sentence_leaves(s, generator):
    n, d, d_k, d_v, heads = s["n"], s["d_model"], s["d_k"], s["d_v"], s["n_heads"]
    leaves = {"embed": random(generator, n, d)}
    for layer in range(s["n_layers"]):
        block = f"blocks.{layer}.attn"
        for h in range(heads):
            for letter, width in (("Q", d_k), ("K", d_k), ("V", d_v)):
                leaves[f"{block}.heads.{h}.W_{letter}"] = random(
                    generator, d, width, scale=1 / math.sqrt(d))
        leaves[f"{block}.W_O"] = random(generator, heads * d_v, d, scale=1 / math.sqrt(d))
    return {path: leaf.requires_grad_() for path, leaf in leaves.items()}


def make_sentence(name, seed, n, d_model, n_heads, mask="none", **changes):
    s = {"kind": "sentence", "n": n, "d_model": d_model, "n_heads": n_heads,
         "d_k": d_model // n_heads, "d_v": d_model // n_heads, "n_layers": 1, "mask": mask,
         "positions": "none", "residual": "off"} | changes
    generator = torch.Generator().manual_seed(seed)
    leaves = sentence_leaves(s, generator)
    t = {"mask": make_mask(mask, n)}
    x = leaves["embed"]
    if s["positions"] == "sinusoidal":
        t["pos_embed"] = sinusoidal(n, d_model)
        x = t["embed_with_pos"] = x + t["pos_embed"]
    for layer in range(s["n_layers"]):
        block = f"blocks.{layer}"
        t[f"{block}.resid_pre"] = x
        t |= attend(x, leaves, t["mask"], block, s)
        target = f"{block}.attn.out"
        if s["residual"] == "on":
            target = f"{block}.resid_post"
            t[target] = x + t[f"{block}.attn.out"]
        x = t[target]
    write_case(name, leaves, t, target, s, generator)


# ---- graphs --------------------------------------------------------------------------------------


def read_karate():
    lines = [line.split("#")[0].split() for line in KARATE.read_text().splitlines()]
    edges = [line for line in lines if len(line) == 2]
    nodes = list(dict.fromkeys(node for edge in edges for node in edge))
    pairs = [(nodes.index(a), nodes.index(b)) for a, b in edges]
    return len(nodes), pairs + [(b, a) for a, b in pairs]


def attend_dense(H, a_src, a_dst, edge_index, slope):
    """One head as in the paper, over all pairs of nodes; rows without neighbours are zeros."""
    n = len(H)
    mask = torch.full((n, n), -INFINITY)
    mask[edge_index[1], edge_index[0]] = 0
    scores = nn.functional.leaky_relu(H @ a_dst + (H @ a_src).T, slope) + mask
    return softmax_rows(scores) @ H


def attend_edges(x, leaves, head, edge_index, slope):
    """One head over the edges: source j → target i, in PyTorch Geometric's order."""
    source, target = edge_index
    H = x @ leaves[f"{head}.W"]
    src, dst = H @ leaves[f"{head}.a_src"], H @ leaves[f"{head}.a_dst"]
    raw = dst[target] + src[source]
    scores = nn.functional.leaky_relu(raw, slope)
    weights = scores.exp()
    sums = torch.zeros(len(x), 1).index_add(0, target, weights)
    pattern = weights / sums[target]
    out = torch.zeros_like(H).index_add(0, target, pattern * H[source])
    check_equal(out, attend_dense(H, leaves[f"{head}.a_src"], leaves[f"{head}.a_dst"], edge_index,
                                  slope))
    order = torch.tensor(sorted(range(len(source)), key=lambda e: (target[e], source[e])),
                         dtype=torch.long)
    return {f"{head}.h": H, f"{head}.score_src": src, f"{head}.score_dst": dst,
            f"{head}.raw_scores": raw[order], f"{head}.scores": scores[order],
            f"{head}.pattern": pattern[order], f"{head}.out": out}


def graph_leaves(n, d_in, d_out, n_heads, generator):
    leaves = {"embed": random(generator, n, d_in)}
    for h in range(n_heads):
        head = f"gat.0.heads.{h}"
        leaves[f"{head}.W"] = random(generator, d_in, d_out, scale=1 / math.sqrt(d_in))
        leaves[f"{head}.a_src"] = random(generator, d_out, 1, scale=0.7)
        leaves[f"{head}.a_dst"] = random(generator, d_out, 1, scale=0.7)
    return {path: leaf.requires_grad_() for path, leaf in leaves.items()}


def make_graph(name, seed, graph, n_heads, d_in, d_out, slope=0.2, combine="concat",
               activation="elu", self_loops="on"):
    n, edges = graph
    if self_loops == "on":
        edges = edges + [(i, i) for i in range(n) if (i, i) not in edges]
    edge_index = torch.tensor(edges, dtype=torch.long).T
    slope32 = struct.unpack("<f", struct.pack("<f", slope))[0]
    generator = torch.Generator().manual_seed(seed)
    leaves = graph_leaves(n, d_in, d_out, n_heads, generator)
    t = {}
    for h in range(n_heads):
        t |= attend_edges(leaves["embed"], leaves, f"gat.0.heads.{h}", edge_index, slope32)
    outs = [t[f"gat.0.heads.{h}.out"] for h in range(n_heads)]
    t["gat.0.combined"] = (
        torch.cat(outs, dim=1) if combine == "concat" else torch.stack(outs).mean(dim=0))
    t["gat.0.out"] = (nn.functional.elu(t["gat.0.combined"]) if activation == "elu"
                      else t["gat.0.combined"])
    metadata = {"kind": "graph", "n": n, "n_heads": n_heads, "d_in": d_in, "d_out": d_out,
                "slope": slope, "combine": combine, "activation": activation,
                "edges": " ".join(f"{j} {i}" for j, i in edges)}
    write_case(name, leaves, t, "gat.0.out", metadata, generator)


def main():
    DATA.mkdir(exist_ok=True)
    for file in DATA.glob("*.safetensors"):
        file.unlink()
    sizes = [(1, 1, 1), (2, 4, 2), (5, 6, 3), (12, 32, 4), (17, 24, 4), (33, 40, 8)]
    for i, (n, d_model, n_heads) in enumerate(sizes):
        for mask in ("none", "causal"):
            make_sentence(f"sentence_{n}x{d_model}_{n_heads}_heads_{mask}", 10 + i, n, d_model,
                          n_heads, mask)
    make_sentence("sentence_masked_by_hand", 21, 6, 8, 2, mask="hand", residual="on")
    make_sentence("sentence_two_layers", 22, 7, 12, 3, n_layers=2, residual="on")
    make_sentence("sentence_two_layers_no_residual", 23, 5, 6, 2, mask="causal", n_layers=2)
    make_sentence("sentence_own_widths", 24, 6, 10, 3, mask="causal", d_k=3, d_v=5, residual="on")
    make_sentence("sentence_positions", 25, 9, 7, 1, positions="sinusoidal", d_k=2, d_v=1)

    small = (7, [(0, 1), (2, 1), (1, 4), (4, 4), (5, 0), (0, 5), (3, 1), (1, 0)])  # 6: isolated
    make_graph("graph_karate", 31, read_karate(), n_heads=4, d_in=8, d_out=8)
    make_graph("graph_karate_mean", 32, read_karate(), n_heads=3, d_in=5, d_out=7, slope=0.05,
               combine="mean", activation="none", self_loops="off")
    make_graph("graph_small", 33, small, n_heads=2, d_in=3, d_out=4, slope=0.05)
    make_graph("graph_small_no_loops", 34, small, n_heads=2, d_in=3, d_out=4, activation="none",
               self_loops="off")
    make_graph("graph_small_mean", 35, small, n_heads=3, d_in=2, d_out=3, combine="mean",
               self_loops="off")
    make_graph("graph_one_node", 36, (1, []), n_heads=1, d_in=1, d_out=1)
    total = sum(file.stat().st_size for file in DATA.glob("*.safetensors"))
    print(f"{len(list(DATA.glob('*.safetensors')))} files, {total / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
