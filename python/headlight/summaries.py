"""What is known of every head before its pattern is sent: an overview, and its metrics.

The overview is what the program draws of a large pattern, and the metrics are those of
src/core/operations/analysis_operations.cpp, of the whole pattern; a test compares them.
"""

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np

SIDES = (128, 64, 32, 16)
MOST_OVERVIEW_BYTES = 1_500_000  # of all heads' overviews, in half floats
PADDING = "<pad>"
METRICS = ("entropy", "distance", "previous", "next", "first", "duplicate", "induction",
           "symmetry", "sparsity", "norm")


def overview_side(n_heads, n_tokens):
    """The most cells of an overview's side with which those of all heads are small."""
    fitting = [side for side in SIDES if 2 * n_heads * side * side <= MOST_OVERVIEW_BYTES]
    return min((fitting or SIDES[-1:])[0], n_tokens)


def summarise(patterns, tokens, side):
    """The overviews, [layers, heads, side, side], and the metrics, [layers, heads, 2, metrics].

    patterns: [layers, heads, n, n], float32. The metrics are of all tokens, and of all but the first.
    """
    text = Text(tokens)
    heads = patterns.shape[:2]
    overviews = np.empty((*heads, side, side), np.float16)
    metrics = np.empty((*heads, 2, len(METRICS)), np.float32)

    places = list(np.ndindex(*heads))
    n_threads = min(os.cpu_count() or 1, 8)

    def look(thread):
        room = np.empty((2, text.n, text.n), np.float32)
        for place in places[thread::n_threads]:
            overviews[place] = overview(patterns[place], side)
            metrics[place] = text.metrics(patterns[place], room)

    with ThreadPoolExecutor(n_threads) as pool:
        list(pool.map(look, range(n_threads)))
    return overviews, metrics


def overview(A, side):
    """[side, side]: each cell is the largest of those that fall on it."""
    ends = np.arange(side + 1) * len(A) // side
    rows = np.stack([A[a:b].max(0) for a, b in zip(ends, ends[1:])], 1)
    return np.stack([rows[a:b].max(0) for a, b in zip(ends, ends[1:])], 1)


class Text:
    """What the metrics have to know of the tokens."""

    def __init__(self, tokens):
        self.n = n = len(tokens)
        self.is_word = np.array([token != PADDING for token in tokens])
        at = np.arange(n, dtype=np.float32)
        self.distances = np.abs(at[:, None] - at)
        places, pairs = {}, []
        for i, token in enumerate(tokens):
            if token == PADDING:
                continue
            pairs += [(i, j) for j in places.get(token, ())]
            places.setdefault(token, []).append(i)
        self.pairs = np.array(pairs, dtype=np.int64).reshape(-1, 2)  # (i, j): an earlier equal word

    def metrics(self, A, room=None):
        """[2, metrics] of a pattern [n, n]; NaN where they are not defined. room: [2, n, n], used up."""
        logs, mutual = np.empty((2, *A.shape), A.dtype) if room is None else room
        with np.errstate(all="ignore"):
            np.maximum(A, np.finfo(A.dtype).tiny, out=logs)  # 0 log 0 is 0
            np.log(logs, out=logs)
            logs *= A
            np.copyto(mutual, A.T)
            mutual *= A
            # The first column is added to the sum of the others, which may be far smaller.
            others = np.stack([A[:, 1:].sum(1), logs[:, 1:].sum(1),
                               np.einsum("ij,ij->i", A[:, 1:], self.distances[:, 1:]),
                               np.einsum("ij,ij->i", A[:, 1:], A[:, 1:])])
            first = A[:, 0]
            sums = others + [first, logs[:, 0], first * self.distances[:, 0], first * first]
            return np.stack([self.metrics_without(A, mutual, *given)
                             for given in ((sums, 0), (others, 1))])

    def metrics_without(self, A, mutual, sums, skip):
        """The metrics without the first `skip` tokens, whose rows and columns are left out."""
        sums, logs, moved, squares = sums
        counted = self.is_word & (np.arange(self.n) >= skip)
        if not np.isfinite(sums[counted]).all():
            return np.full(len(METRICS), np.nan, np.float32)
        reads = counted & (sums > 0)
        part = np.zeros_like(sums)
        part[reads] = 1 / sums[reads]
        squares = squares * part**2
        values = dict.fromkeys(METRICS, np.float32(np.nan))
        values["entropy"] = mean((np.log(sums) - logs * part)[reads]) / np.log(2)
        values["distance"] = mean((moved * part)[reads])
        later = reads.copy()
        later[: skip + 1] = False
        values["previous"] = mean((np.append(0, np.diagonal(A, -1)) * part)[later])
        values["first"] = mean((A[:, skip] * part)[later])
        earlier = reads[:-1] & self.is_word[1:]
        values["next"] = mean((np.diagonal(A, 1) * part[:-1])[earlier])
        root = np.sqrt(np.float32(np.count_nonzero(self.is_word[skip:])))
        sparse = reads if root > 1 else np.zeros_like(reads)
        values["sparsity"] = mean(((root - 1 / np.sqrt(squares)) / (root - 1))[sparse])
        both = squares[reads].sum()
        values["symmetry"] = part @ (mutual @ part) / both if both > 0 else np.float32(0)
        self.add_repeats(values, A, part, reads, skip)
        return np.array([values[name] for name in METRICS], np.float32)

    def add_repeats(self, values, A, part, reads, skip):
        i, j = self.pairs[(self.pairs[:, 1] >= skip) & reads[self.pairs[:, 0]]].T
        values["duplicate"] = mean(per_row(i, A[i, j] * part[i]))
        after = j + 1 != i
        i, j = i[after], j[after]
        if len(i):
            values["induction"] = mean(per_row(i, A[i, j + 1] * part[i]))


def per_row(rows, numbers):
    """The sums of the numbers of each row that has any."""
    _, which = np.unique(rows, return_inverse=True)
    return np.bincount(which, numbers) if len(rows) else numbers


def mean(numbers):
    return numbers.mean() if len(numbers) else np.float32(0)
