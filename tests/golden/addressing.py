"""From scores to a pattern. A row in which everything is masked is all zeros."""

import torch

from case import check_equal


def softmax(z):
    return torch.softmax(z, dim=0)


def hard(z):
    """1 at the first of the largest."""
    return torch.nn.functional.one_hot(torch.argmax(z.detach()), len(z)).to(torch.float64)


def top_k(z, k):
    """Softmax over the k largest."""
    kept = torch.sort(z, descending=True, stable=True).indices[:k]
    return torch.zeros_like(z).index_put((kept,), torch.softmax(z[kept], dim=0))


def sparsemax(z):
    """Martins & Astudillo 2016, algorithm 1."""
    ordered = torch.sort(z, descending=True).values
    ranks = torch.arange(1, len(z) + 1)
    sums = torch.cumsum(ordered, dim=0)
    support = int((1 + ranks * ordered > sums).sum())
    threshold = (sums[support - 1] - 1) / support
    return torch.clamp(z - threshold, min=0)


def entmax(z):
    """α = 1.5, the exact algorithm by sorting: Peters, Niculae & Martins 2019, algorithm 2."""
    half = z / 2
    ordered = torch.sort(half, descending=True).values
    threshold = None
    for rank in range(1, len(z) + 1):
        mean = ordered[:rank].mean()
        scatter = ((ordered[:rank] - mean) ** 2).sum()
        if scatter > 1:
            break
        candidate = mean - torch.sqrt(torch.clamp((1 - scatter) / rank, min=0))
        if candidate <= ordered[rank - 1]:
            threshold = candidate
    return torch.clamp(half - threshold, min=0) ** 2


def by_bisection(z, power):
    """Σ max(z − τ, 0)^power = 1, solved for τ: what the two above have to find."""
    low, high = float(z.max()) - 1, float(z.max())
    for _ in range(200):
        middle = (low + high) / 2
        total = (torch.clamp(z - middle, min=0) ** power).sum()
        low, high = (middle, high) if total >= 1 else (low, middle)
    return torch.clamp(z - low, min=0) ** power


def address_row(z, s):
    """One row without masked cells."""
    if s.addressing == "softmax":
        return softmax(z)
    if s.addressing == "hard":
        return hard(z)
    if s.addressing == "top_k":
        return top_k(z, s.top_k)
    if s.addressing == "sparsemax":
        pattern = sparsemax(z)
        check_equal(pattern, by_bisection(z.detach(), 1))
        return pattern
    pattern = entmax(z)
    check_equal(pattern, by_bisection(z.detach() / 2, 2), 1e-7)
    return pattern


def address(scores, s):
    """Row by row, over the open cells."""
    rows = []
    for row in scores:
        is_open = torch.isfinite(row)
        pattern = torch.zeros(len(row))
        if is_open.any():
            pattern = pattern.index_put((is_open.nonzero()[:, 0],), address_row(row[is_open], s))
        rows.append(pattern)
    return torch.stack(rows)
