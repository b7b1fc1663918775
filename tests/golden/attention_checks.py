"""What PyTorch's own attention says to a transcription that it could have computed."""

import torch
from torch import nn

from case import check_equal
from shapes import per_sentence, stacked


def check_by_function(a, heads, is_read):
    """scaled_dot_product_attention: z of all heads; shared keys through enable_gqa."""
    if len({(head["q"].shape[1], head["z"].shape[1]) for head in heads}) != 1:
        return
    groups, case = a.place.groups, a.case
    paths = [head["path"] for head in heads]

    def of_heads(tensors):  # groups × heads × rows × width
        return torch.stack([per_sentence(t, groups) for t in tensors], dim=1)

    step = a.s.n_heads // a.s.n_kv_heads if a.s.n_kv_heads else 1
    rotary = a.s.relative == "rotary"
    q = of_heads([case.tensors[f"{path}.rot_q"] if rotary else head["q"]
                  for path, head in zip(paths, heads)])
    k = of_heads([head["rot_k"] if rotary else head["k"] for head in heads[::step]])
    v = of_heads([head["v"] for head in heads[::step]])
    positions = [case.tensors.get(f"{path}.position_scores", torch.zeros(a.place.mask.shape))
                 for path in paths]
    bias = of_heads([position + a.place.mask for position in positions])
    z = nn.functional.scaled_dot_product_attention(
        q, k, v, attn_mask=bias, scale=a.scale(q.shape[3]), enable_gqa=step > 1)
    for h, head in enumerate(heads):
        check_equal(head["z"][is_read], stacked(z[:, h])[is_read])
    case.agrees("scaled_dot_product_attention(enable_gqa)" if step > 1
                else "scaled_dot_product_attention")


def in_projection(a, heads, letter):
    """W and b of all heads as nn.MultiheadAttention has them; no bias is a bias of zeros."""
    width = heads[0]["q"].shape[1]
    paths = [a.place.weight_path(head["path"]) for head in heads]
    weight = torch.cat([a.case.held[f"{path}.W_{letter}"].T for path in paths])
    zero = torch.zeros(1, width)
    bias = torch.cat([a.case.held.get(f"{path}.b_{letter}", zero) for path in paths], dim=1)
    return weight, bias[0]


def module_weights(a, heads, W_O):
    projections = [in_projection(a, heads, letter) for letter in "QKV"]
    zero = torch.zeros(1, a.d_model)
    b_O = a.case.held.get(a.place.weight_path(f"{a.place.path}.b_O"), zero)
    return {"in_proj_weight": torch.cat([weight for weight, _ in projections]),
            "in_proj_bias": torch.cat([bias for _, bias in projections]),
            "out_proj.weight": W_O.T, "out_proj.bias": b_O[0]}


def check_by_module(a, heads, W_O, out, is_read):
    """nn.MultiheadAttention: the pattern of every head, and the output."""
    groups, s = a.place.groups, a.s
    module = nn.MultiheadAttention(a.d_model, s.n_heads, batch_first=True)
    x, y = per_sentence(a.place.queries, groups), per_sentence(a.place.keys, groups)
    mask = per_sentence(a.place.mask, groups).repeat_interleave(s.n_heads, dim=0)
    theirs, patterns = torch.func.functional_call(
        module, module_weights(a, heads, W_O), (x, y, y),
        {"attn_mask": mask, "need_weights": True, "average_attn_weights": False})
    check_equal(out[is_read], stacked(theirs)[is_read])
    for h, head in enumerate(heads):
        check_equal(head["pattern"][is_read], stacked(patterns[:, h])[is_read])
    a.case.agrees("MultiheadAttention")
