"""Word by word with a cache of keys and values: the rows of the full pass, and the work saved."""

import torch

from case import check_equal
from settings import named
from transformer import run_sentences


def prefix_output(case, n_words):
    """The same stack over the first words alone: what the last of them is computed to be."""
    words = " ".join(case.study["text"].split()[:n_words])
    prefix = type(case)(case.name, case.study | {"text": words})
    cut = {"embed", "pos_embed"}
    prefix.held = {path: leaf[:n_words] if path in cut else leaf
                   for path, leaf in case.held.items()}
    return run_sentences(prefix).out[-1:]


def put_step(case, t, head):
    """The new query, and what it reads."""
    step = f"decoding.steps.{t}.{head}"
    full = {name: case.tensors[f"{head}.{name}"] for name in ("q", "scores", "pattern", "z")}
    case.put(f"{step}.q", full["q"][t:t + 1])
    case.put(f"{step}.z", full["z"][t:t + 1])
    for name in ("scores", "pattern"):
        case.put(f"{step}.{name}", full[name][t:t + 1, :t + 1])


def work(s, m):
    """Multiply-adds of matrix products: of a pass over m words, of one more word with a cache."""
    a, d = s.attention, s.d_model
    n_kv = a.n_kv_heads or a.n_heads
    row = a.n_heads * d * a.d_k + n_kv * d * (a.d_k + a.d_v)
    row += a.n_heads * a.d_v * d if a.output else 0
    row += 2 * d * s.block.d_ff if s.block.mlp != "none" else 0
    reading = a.n_heads * (a.d_k + a.d_v)
    return [s.n_layers * (m * row + m * m * reading), s.n_layers * (row + m * reading)]


def decode(case, out):
    s = named(case.study["layer"])
    n = len(out)
    for t in range(n):
        for layer in range(s.n_layers):
            for h in range(s.attention.n_heads):
                put_step(case, t, f"blocks.{layer}.attn.heads.{h}")
    decoded = torch.cat([prefix_output(case, t + 1) for t in range(n)])
    check_equal(decoded, out)
    case.put("decoding.out", decoded)
    case.put("decoding.work", torch.tensor([work(s, t + 1) for t in range(n)],
                                           dtype=torch.float64))
