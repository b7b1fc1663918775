"""Images: attention of patches, and attention that is exactly a convolution (Cordonnier 2020)."""

from types import SimpleNamespace

import torch
from torch import nn

from analysis import influence
from attention import Place, attend
from case import check_equal
from relative import quadratic
from settings import float32, named
from stack import Side, run_layers, sinusoidal


def pixels_of(study):
    return torch.tensor(study["pixels"]).flatten(0, 1)


def cut_patches(pixels, columns, side):
    """One row a patch, its pixels row by row, channels last; the edge fills up the last ones."""
    rows = len(pixels) // columns

    def one(top, left):
        places = [min(top + y, rows - 1) * columns + min(left + x, columns - 1)
                  for y in range(side) for x in range(side)]
        return pixels[places].reshape(-1)

    return torch.stack([one(top, left) for top in range(0, rows, side)
                        for left in range(0, columns, side)])


def grid_positions(n, columns, d):
    """Carion 2020, A.4: sinusoids of the row in the first half, of the column in the other."""
    first = (d + 1) // 2
    rows, across = sinusoidal(n, first), sinusoidal(n, d - first)
    places = torch.arange(n)
    return torch.cat([rows[places // columns], across[places % columns]], dim=1)


def run_image(case):
    s = named(case.study["layer"])
    image = case.hold("image", pixels_of(case.study).requires_grad_())
    if s.mechanism == "convolution":
        return run_convolution(case, s, image)
    columns = -(-len(case.study["pixels"][0]) // s.patch)
    patches = case.put("patches", cut_patches(image, len(case.study["pixels"][0]), s.patch))
    W_E = case.leaf("W_E", patches.shape[1], s.stack.d_model)
    x = case.put("embed", patches @ W_E + case.bias("b_E", s.stack.d_model))
    n = len(patches)
    if s.stack.positions == "sinusoidal":
        x = x + case.put("pos_embed", grid_positions(n, columns, s.stack.d_model))
    if s.stack.positions == "learned":
        x = x + case.leaf("pos_embed", n, s.stack.d_model, scale=1)
    side = Side("", [], mask=case.put("mask", torch.zeros(n, n)), grid_columns=columns)
    out = run_layers(case, side, s.stack, x)
    case.put("influence", influence(out, case.tensors["embed"]))
    return run_classes(case, s, out) if getattr(s, "n_classes", 0) else case.path_of(out)


def run_classes(case, s, x):
    """Touvron 2021, CaiT: a class token reads what the layers have made; here without a residual."""
    token = case.leaf("class_token", 1, s.stack.d_model, scale=1)
    mask = case.put("class_mask", torch.zeros(1, len(x)))
    path = f"blocks.{s.stack.n_layers}.class_attn"
    attention = SimpleNamespace(**vars(s.stack.attention) | {"relative": "none"})
    out = attend(case, attention, Place(path, token, x, mask)).out
    W_C = case.leaf("W_C", out.shape[1], s.n_classes)
    logits = case.put("logits", out @ W_C)
    case.put("probs", torch.softmax(logits, dim=1))
    return "logits"


def run_convolution(case, s, image):
    """Nine heads that look at the nine neighbours, and the convolution they are."""
    attn, n, columns = "blocks.0.attn", len(image), len(case.study["pixels"][0])
    alpha = case.hold(f"{attn}.alpha", torch.tensor([[float32(s.alpha)]]).requires_grad_())
    kernel, z = [], []
    for h in range(9):
        head = f"{attn}.heads.{h}"
        center = torch.tensor([[float(h // 3 - 1), float(h % 3 - 1)]]).requires_grad_()
        case.hold(f"{head}.center", center)
        scores = case.put(f"{head}.position_scores", quadratic(center, alpha, n, n, columns))
        pattern = case.put(f"{head}.pattern", torch.softmax(scores, dim=1))
        kernel.append(kernel_cell(case, s, f"{head}.W_V", image.shape[1], h))
        v = case.put(f"{head}.v", image @ kernel[-1])
        z.append(case.put(f"{head}.z", pattern @ v))
    out = case.put(f"{attn}.out", sum(z))
    convolved = case.put("convolution", convolve(image, kernel, columns))
    case.agrees("conv2d")
    case.put("difference", out - convolved)
    return "difference"


def kernel_cell(case, s, path, channels, h):
    """Random, or the mean of the channels in column h of nine."""
    if getattr(s, "kernel", "random") == "random":
        return case.leaf(path, channels, s.kernel_out, scale=1)
    mean = torch.zeros(channels, 9)
    mean[:, h] = 1 / channels
    return case.put(path, mean)


def convolve(image, kernel, columns):
    """torch's own, with repeated edges."""
    rows, channels = len(image) // columns, image.shape[1]
    grid = image.reshape(rows, columns, channels).permute(2, 0, 1).unsqueeze(0)
    padded = nn.functional.pad(grid, (1, 1, 1, 1), mode="replicate")
    weight = torch.stack(kernel, dim=2).reshape(channels, -1, 3, 3).transpose(0, 1)
    out = nn.functional.conv2d(padded, weight)
    module = nn.Conv2d(channels, weight.shape[0], 3, padding=1, padding_mode="replicate",
                       bias=False)
    check_equal(out, torch.func.functional_call(module, {"weight": weight}, (grid,)))
    return out[0].permute(1, 2, 0).reshape(rows * columns, -1)
