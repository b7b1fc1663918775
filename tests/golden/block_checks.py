"""What PyTorch's Transformer layers say to a block that they could have computed."""

import torch
from torch import nn

from case import check_equal
from shapes import per_sentence, stacked

ACTIVATIONS = {"relu": nn.functional.relu, "gelu": nn.functional.gelu,
               "gelu_tanh": lambda x: nn.functional.gelu(x, approximate="tanh")}


def check_block(block, x, out):
    """TransformerEncoderLayer or TransformerDecoderLayer, where there is one."""
    s, side, case = block.s, block.side, block.case
    has_layer = (s.block.residual and s.block.norm != "none" and s.block.mlp != "none"
                 and getattr(s, "norm_type", "layer") == "layer"
                 and "MultiheadAttention" in case.checked and side.mask is not None)
    if not has_layer or torch.isneginf(side.mask).all(dim=1).any():
        return
    kind = nn.TransformerEncoderLayer if side.source is None else nn.TransformerDecoderLayer
    module = kind(s.d_model, s.attention.n_heads, s.block.d_ff, dropout=0, batch_first=True,
                  activation=ACTIVATIONS[s.block.mlp], norm_first=s.block.norm == "pre")
    module.train()  # the fast path of evaluation knows fewer activations
    arguments = [per_sentence(x, side.groups)]
    if side.source is None:
        mask = per_sentence(side.mask, side.groups)
        masks = {"src_mask": mask.repeat_interleave(s.attention.n_heads, dim=0)}
    else:
        arguments.append(side.source.unsqueeze(0))
        masks = {"tgt_mask": side.mask, "memory_mask": side.cross_mask}
    theirs = torch.func.functional_call(module, module_weights(block), tuple(arguments), masks)
    check_equal(out, stacked(theirs))
    case.agrees(kind.__name__)


def module_weights(block):
    """Our leaves by PyTorch's names."""
    def held(path):
        return block.case.held[block.side.weight_path(f"{block.path}.{path}")]

    has_source = block.side.source is not None
    weights = {"linear1.weight": held("mlp.W_in").T, "linear1.bias": held("mlp.b_in")[0],
               "linear2.weight": held("mlp.W_out").T, "linear2.bias": held("mlp.b_out")[0]}
    attentions = {"self_attn": "attn"} | ({"multihead_attn": "cross"} if has_source else {})
    for theirs, ours in attentions.items():
        values = attention_weights(block, ours)
        weights |= {f"{theirs}.{key}": value for key, value in values.items()}
    norms = ["ln1", "ln_cross", "ln2"] if has_source else ["ln1", "ln2"]
    for number, norm in enumerate(norms, 1):
        weights[f"norm{number}.weight"] = held(f"{norm}.w")[0]
        weights[f"norm{number}.bias"] = held(f"{norm}.b")[0]
    return weights


def attention_weights(block, part):
    """A bias that we do not have is zeros."""
    s, d = block.s.attention, block.s.d_model

    def held(name, default=None):
        path = block.side.weight_path(f"{block.path}.{part}.{name}")
        return block.case.held.get(path, default)

    heads = [f"heads.{h}" for h in range(s.n_heads)]
    zero = torch.zeros(1, d // s.n_heads)
    W = [held(f"{head}.W_{letter}").T for letter in "QKV" for head in heads]
    b = [held(f"{head}.b_{letter}", zero) for letter in "QKV" for head in heads]
    return {"in_proj_weight": torch.cat(W), "in_proj_bias": torch.cat(b, dim=1)[0],
            "out_proj.weight": held("W_O").T, "out_proj.bias": held("b_O", torch.zeros(1, d))[0]}
