"""Masks: 0 where a query may read a key, else −∞; as sums of one mask a rule."""

import torch

from case import INFINITY

PADDING, SEPARATOR = "<pad>", "|"


def stack_sentences(text):
    """The words of every line, filled up to the longest, one after another; how many lines."""
    lines = [line.split() for line in text.split("\n") if line.split()]
    longest = max(map(len, lines))
    return [word for line in lines for word in line + [PADDING] * (longest - len(line))], len(lines)


def documents_of(words):
    """A separator ends its document."""
    return [words[:i].count(SEPARATOR) for i in range(len(words))]


def one_mask(words, rules):
    """Of one sentence that reads itself; `rules` as in settings.MASK."""
    n = len(words)
    distance = torch.arange(n).unsqueeze(0) - torch.arange(n).unsqueeze(1)  # j − i
    closed = torch.zeros(n, n, dtype=torch.bool)
    if rules.causal:
        closed |= distance > 0
    if rules.window:
        closed |= distance.abs() > rules.window
    closed |= distance % rules.dilation != 0
    is_padding = torch.tensor([word == PADDING for word in words])
    closed |= is_padding.unsqueeze(0)
    if rules.documents:
        document = torch.tensor(documents_of(words))
        differs = document.unsqueeze(0) != document.unsqueeze(1)
        closed |= differs & ~is_padding.unsqueeze(1)
    return torch.zeros(n, n).masked_fill(closed, -INFINITY)


def self_mask(words, groups, rules):
    n = len(words) // groups
    return torch.cat([one_mask(words[g * n:(g + 1) * n], rules) for g in range(groups)])
