"""Positions inside the scores, from their papers."""

import math

import torch


def distances(n_query, n_key):
    return torch.arange(n_key).unsqueeze(0) - torch.arange(n_query).unsqueeze(1)  # j − i


def rotate(x, groups):
    """Su 2021, eq. 34: pairs (2f, 2f + 1) of row p turned by p · 10000^(−2f/d)."""
    n, d = len(x) // groups, x.shape[1]
    out = x.clone()
    for row in range(len(x)):
        for f in range(d // 2):
            angle = (row % n) * 10000 ** (-2 * f / d)
            a, b = x[row, 2 * f], x[row, 2 * f + 1]
            out[row, 2 * f] = a * math.cos(angle) - b * math.sin(angle)
            out[row, 2 * f + 1] = a * math.sin(angle) + b * math.cos(angle)
    return out


def alibi_slopes(n_heads):
    """Press 2022, and its published rule for numbers that are no powers of two."""
    power = 2 ** math.floor(math.log2(n_heads))
    slopes = [2 ** (-8 * (h + 1) / power) for h in range(power)]
    if power == n_heads:
        return slopes
    return slopes + alibi_slopes(2 * power)[0::2][:n_heads - power]


def t5_bucket(relative_position, bidirectional, num_buckets, max_distance):
    """Raffel 2020, after the published code: relative_position = key − query."""
    bucket = 0
    if bidirectional:
        num_buckets //= 2
        if relative_position > 0:
            bucket += num_buckets
        distance = abs(relative_position)
    else:
        distance = max(-relative_position, 0)
    max_exact = num_buckets // 2
    if distance < max_exact:
        return bucket + distance
    if max_distance <= max_exact:
        return bucket + num_buckets - 1
    share = math.log(distance / max_exact) / math.log(max_distance / max_exact)
    large = max_exact + int(share * (num_buckets - max_exact))
    return bucket + min(large, num_buckets - 1)


def bucket_bias(rel_bias, head, n_query, n_key, causal, max_distance):
    rows = [[rel_bias[t5_bucket(j - i, not causal, len(rel_bias), max_distance), head]
             for j in range(n_key)] for i in range(n_query)]
    return torch.stack([torch.stack(row) for row in rows])


def clipped(table, n_query, n_key, c):
    """Shaw 2018: the row of the table for each pair, n_query × n_key × d."""
    return table[distances(n_query, n_key).clamp(-c, c) + c]


def quadratic(center, alpha, n_query, n_key, grid_columns):
    """Cordonnier 2020, eq. 8: −α ‖(p_j − p_i) − Δ‖²."""
    def places(n):
        index = torch.arange(n)
        if not grid_columns:
            return index.unsqueeze(1).to(torch.float64)
        return torch.stack([index // grid_columns, index % grid_columns], dim=1).to(torch.float64)

    offset = places(n_key).unsqueeze(0) - places(n_query).unsqueeze(1) - center
    return -alpha * (offset ** 2).sum(dim=2)


def line_center(head):
    """0, −1, 1, −2, 2 …"""
    return -((head + 1) // 2) if head % 2 else head // 2


def grid_center(head, n_heads):
    """Row by row over the smallest square with a place for each head."""
    side = math.ceil(math.sqrt(n_heads))
    return head // side - (side - 1) // 2, head % side - (side - 1) // 2
