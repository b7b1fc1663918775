"""Stacks of Transformer blocks, every tensor by its path."""

from dataclasses import dataclass, field
from types import SimpleNamespace

import torch
from torch import nn

from attention import Place, attend
from block_checks import ACTIVATIONS, check_block
from case import check_equal


@dataclass
class Side:
    """One side of a study: where its tensors stand, and what it reads."""
    prefix: str
    words: list
    groups: int = 1
    mask: torch.Tensor = None           # null: no self-attention
    causal: bool = False
    source: torch.Tensor = None         # what cross-attention reads
    cross_mask: torch.Tensor = None
    grid_columns: int = 0
    weights: str = None                 # the prefix of the weights, if it is another (the probe's)
    attentions: list = field(default_factory=list)  # of every layer's self-attention

    def weight_path(self, path):
        return path if self.weights is None else self.weights + path[len(self.prefix):]


def sinusoidal(n, d):
    """Vaswani 2017, §3.5."""
    position, feature = torch.arange(n).unsqueeze(1), torch.arange(d)
    angle = position / 10000.0 ** ((feature // 2 * 2) / d)
    return torch.where(feature % 2 == 0, torch.sin(angle), torch.cos(angle))


def embed(case, side, s):
    """X of the first layer: words, and where they stand."""
    n = len(side.words) // side.groups
    x = case.leaf(f"{side.prefix}embed", len(side.words), s.d_model, scale=1)
    if s.positions == "none":
        return x.clone()
    if s.positions == "sinusoidal":
        positions = sinusoidal(n, s.d_model).repeat(side.groups, 1)
    elif side.groups == 1:
        positions = case.leaf(f"{side.prefix}pos_embed", n, s.d_model, scale=1)
    else:
        positions = case.leaf(f"{side.prefix}W_pos", n, s.d_model, scale=1)
        positions = positions.repeat(side.groups, 1)
    if f"{side.prefix}pos_embed" not in case.held:
        case.put(f"{side.prefix}pos_embed", positions)
    return x + positions


def norm_type(s):
    return getattr(s, "norm_type", "layer")


def norm(case, side, path, x, norm_type="layer"):
    width = x.shape[1]
    gain = case.leaf(side.weight_path(f"{path}.w"), 1, width)
    if norm_type == "rms":
        normed = x / torch.sqrt((x * x).mean(dim=1, keepdim=True) + 1e-5) * gain[0]
        check_equal(normed, nn.functional.rms_norm(x, (width,), gain[0], 1e-5))
        case.agrees("rms_norm")
        return normed
    bias = case.bias(side.weight_path(f"{path}.b"), width)
    return nn.functional.layer_norm(x, (width,), gain[0], bias[0], 1e-5)


def feed_forward(case, side, path, s, x):
    W_in = case.leaf(side.weight_path(f"{path}.W_in"), s.d_model, s.block.d_ff)
    W_out = case.leaf(side.weight_path(f"{path}.W_out"), s.block.d_ff, s.d_model)
    b_in = case.bias(side.weight_path(f"{path}.b_in"), s.block.d_ff)
    b_out = case.bias(side.weight_path(f"{path}.b_out"), s.d_model)
    pre = case.put(f"{path}.pre", x @ W_in + b_in)
    post = case.put(f"{path}.post", ACTIVATIONS[s.block.mlp](pre))
    return case.put(f"{path}.out", post @ W_out + b_out)


class Block:
    def __init__(self, case, side, s, layer):
        self.case, self.side, self.s = case, side, s
        self.path = f"{side.prefix}blocks.{layer}"

    def attend(self, part, queries, keys, mask):
        causal = part == "attn" and self.side.causal
        path = f"{self.path}.{part}"
        weights = None if self.side.weights is None else self.side.weight_path(path)
        s = self.s.attention
        if part == "cross":  # where two sentences meet there is no distance
            s = SimpleNamespace(**vars(s) | {"relative": "none"})
        attention = attend(self.case, s, Place(
            path, queries, keys, mask, self.side.groups, causal, self.side.grid_columns, weights))
        if part == "attn":
            self.side.attentions.append(attention)
        return attention.out

    def normed(self, path, x):
        return norm(self.case, self.side, path, x, norm_type(self.s))

    def part(self, norm_name, result, x, f):
        """x + f(x), with the norm where the settings say."""
        order, residual = self.s.block.norm, self.s.block.residual
        norm_path, result = f"{self.path}.{norm_name}", f"{self.path}.{result}"
        y = x
        if order == "pre":
            y = self.case.put(f"{norm_path}.out", self.normed(norm_path, x))
        y = f(y)
        if residual:
            y = x + y
        if order == "post":
            if residual:
                self.case.put(f"{norm_path}.in", y)
            return self.case.put(result, self.normed(norm_path, y))
        return self.case.put(result, y) if residual else y

    def run(self, x):
        side, has_mlp = self.side, self.s.block.mlp != "none"
        last_attention = "resid_mid" if has_mlp else "resid_post"
        first = x
        if side.mask is not None:
            result = last_attention if side.source is None else "resid_attn"
            x = self.part("ln1", result, x, lambda y: self.attend("attn", y, y, side.mask))
        if side.source is not None:
            x = self.part("ln_cross", last_attention, x, lambda y: self.attend(
                "cross", y, side.source, side.cross_mask))
        if has_mlp:
            x = self.part("ln2", "resid_post", x, lambda y: feed_forward(
                self.case, side, f"{self.path}.mlp", self.s, y))
        check_block(self, first, x)
        return x


def run_layers(case, side, s, x):
    for layer in range(s.n_layers):
        x = case.put(f"{side.prefix}blocks.{layer}.resid_pre", x.clone())
        x = Block(case, side, s, layer).run(x)
    if s.final_norm:
        path = f"{side.prefix}ln_final"
        x = case.put(f"{path}.out", norm(case, side, path, x, norm_type(s)))
    return x
