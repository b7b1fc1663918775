"""What is read from the patterns of a stack: metrics of heads, views across layers, influence."""

import math

import networkx
import torch

from masks import PADDING, one_mask
from settings import named
from shapes import per_sentence, stacked
from stack import Side, embed, run_layers

PROBE_WORDS = [f"r{k}" for k in range(8)] * 2
METRICS = ["entropy", "distance", "previous", "next", "first", "duplicate", "induction", "symmetry",
           "sparsity", "norm"]


def mean(values):
    values = list(values)
    return sum(values) / len(values) if values else 0.0


class Reading:
    """The rows of one sentence that count, by their numbers, as plain lists.
    `first`: the first key; 1 where the first token is left out, and rows are scaled again."""

    def __init__(self, pattern, words, first, lengths=None):
        self.words, self.first = words, first
        self.keys = range(first, len(words))
        self.lengths = lengths
        self.rows = {}
        for i in self.keys:
            total = sum(pattern[i][first:])
            if total != 0 and words[i] != PADDING:
                share = 1 if first == 0 else total
                self.rows[i] = [p / share for p in pattern[i]]

    def earlier(self, i):
        """Earlier places of the same word."""
        return [j for j in self.keys if j < i and self.words[j] == self.words[i]]

    def has(self, j):
        return j in self.keys and self.words[j] != PADDING


def entropy(reading):
    return [-sum(row[j] * math.log2(row[j]) for j in reading.keys if row[j] > 0)
            for row in reading.rows.values()]


def distance(reading):
    return [sum(row[j] * abs(i - j) for j in reading.keys) for i, row in reading.rows.items()]


def previous(reading):
    return [row[i - 1] for i, row in reading.rows.items() if reading.has(i - 1)]


def following(reading):
    return [row[i + 1] for i, row in reading.rows.items() if reading.has(i + 1)]


def first(reading):
    return [row[reading.first] for i, row in reading.rows.items() if i > reading.first]


def duplicate(reading):
    return [sum(row[j] for j in reading.earlier(i)) for i, row in reading.rows.items()
            if reading.earlier(i)]


def induction(reading):
    return [row[reading.earlier(i)[-1] + 1] for i, row in reading.rows.items()
            if reading.earlier(i)]


def sparsity(reading):
    """Hoyer 2004."""
    n = sum(reading.has(j) for j in reading.keys)
    if n == 1:
        return []  # 0 / 0
    return [(math.sqrt(n) - sum(row[j] for j in reading.keys)
             / math.sqrt(sum(row[j] ** 2 for j in reading.keys))) / (math.sqrt(n) - 1)
            for row in reading.rows.values()]


def norm(reading):
    """Kobayashi 2020: how much is moved."""
    return [sum(row[j] * reading.lengths[j] for j in reading.keys)
            for row in reading.rows.values()]


def symmetry(readings):
    """Saponati 2025: ‖symmetric part‖² − ‖skew part‖² over ‖A‖²."""
    both = sum(row[j] * reading.rows[j][i] for reading in readings
               for i, row in reading.rows.items() for j in reading.rows)
    squares = sum(row[j] ** 2 for reading in readings for row in reading.rows.values()
                  for j in reading.keys)
    return both / squares if squares else 0.0


ROW_METRICS = {"entropy": entropy, "distance": distance, "previous": previous, "next": following,
               "first": first, "duplicate": duplicate, "sparsity": sparsity, "norm": norm}


def readings_of(pattern, words, groups, first_key, values=None):
    n = len(words) // groups
    lengths = values.norm(dim=1).tolist() if values is not None else [0] * len(words)
    patterns = per_sentence(pattern.detach(), groups).tolist()
    return [Reading(patterns[g], words[g * n:(g + 1) * n], first_key, lengths[g * n:(g + 1) * n])
            for g in range(groups)]


def metrics_of(pattern, values, side, probe_pattern):
    """Two rows, all tokens and without the first one; a column a metric."""
    rows = []
    for first_key in (0, 1):
        readings = readings_of(pattern, side.words, side.groups, first_key, values)
        found = {name: mean(x for reading in readings for x in metric(reading))
                 for name, metric in ROW_METRICS.items()}
        found["symmetry"] = symmetry(readings)
        probe, = readings_of(probe_pattern, PROBE_WORDS, 1, first_key)
        found["induction"] = mean(induction(probe))
        rows.append([found[name] for name in METRICS])
    return torch.tensor(rows)


def run_probe(case, s):
    """The same stack on a repeated random sequence."""
    mask = case.put("probe.mask", one_mask(PROBE_WORDS, s.mask))
    probe = Side("probe.", PROBE_WORDS, 1, mask, s.mask.causal, weights="")
    run_layers(case, probe, s, embed(case, probe, s))
    return probe


def put_metrics(case, s, side):
    probe = run_probe(case, s)
    table = []
    for layer, (attention, probed) in enumerate(zip(side.attentions, probe.attentions)):
        heads = [metrics_of(attention.patterns[h], attention.values[h].detach(), side,
                            probed.patterns[h]) for h in range(s.attention.n_heads)]
        for h, values in enumerate(heads):
            case.put(f"blocks.{layer}.attn.heads.{h}.metrics", values)
        table.append(torch.stack(heads)[:, 0])
    for column, name in enumerate(METRICS):
        case.put(f"metrics.{name}", torch.stack(table)[:, :, column])


# ---- across layers ----


def with_residual(mean_pattern, s):
    """What a layer passes on, per sentence: half of a row is its own where there is a residual."""
    if not s.block.residual:
        return mean_pattern
    total = mean_pattern + torch.eye(mean_pattern.shape[-1])
    return total / total.sum(dim=2, keepdim=True)


def flow_of(layers):
    """Abnar & Zuidema 2020: maximum flow from each output to each input of one sentence."""
    n = len(layers[0])
    graph = networkx.DiGraph()
    for l, layer in enumerate(layers):
        for i in range(n):
            for k in range(n):
                graph.add_edge((l + 1, i), (l, k), capacity=float(layer[i, k]))
    flow = torch.tensor([[networkx.maximum_flow_value(
        graph, (len(layers), i), (0, j), flow_func=networkx.algorithms.flow.edmonds_karp)
        for j in range(n)] for i in range(n)])
    total = flow.sum(dim=1, keepdim=True)
    return flow / torch.where(total == 0, torch.ones_like(total), total)


def put_gradient(case, side, out):
    """Chefer 2021: gradient ⊙ attention, gathered through the layers."""
    top = case.tensors.get("logits", out)
    counts = torch.tensor([word != PADDING for word in side.words])
    target = top.max(dim=1).values[counts].sum()
    n = len(side.words) // side.groups
    gathered = torch.zeros(side.groups, n, n)
    for layer, attention in enumerate(side.attentions):
        gradients = torch.autograd.grad(target, attention.patterns, retain_graph=True)
        weighed = [torch.clamp(pattern * gradient, min=0)
                   for pattern, gradient in zip(attention.patterns, gradients)]
        mean_weighed = sum(weighed) / len(weighed)
        if len(side.attentions) > 1:
            case.put(f"across.gradient_layer.{layer}", mean_weighed)
        mean_weighed = per_sentence(mean_weighed, side.groups)
        gathered = gathered + mean_weighed + mean_weighed @ gathered
    case.put("across.gradient", gathered.reshape(-1, n))


def put_across(case, s, side, out):
    means = [sum(attention.patterns) / len(attention.patterns) for attention in side.attentions]
    passed = []
    for layer, values in enumerate(means):
        case.put(f"across.mean.{layer}", values)
        passed.append(with_residual(per_sentence(values.detach(), side.groups), s))
        if s.block.residual:
            case.put(f"across.mixed.{layer}", stacked(passed[-1]))
    rollout = passed[0]
    for layer in passed[1:]:
        rollout = layer @ rollout
    case.put("across.rollout", stacked(rollout))
    case.put("across.flow", torch.cat([flow_of([layer[g] for layer in passed])
                                       for g in range(side.groups)]))
    put_gradient(case, side, out)


# ---- influence ----


def influence(out, x, groups=1):
    """‖∂out(i)/∂x(j)‖_F, j of the same sentence."""
    n_out, n_in = len(out) // groups, len(x) // groups
    result = torch.zeros(len(out), n_in)
    for i in range(len(out)):
        g = i // n_out
        cells = [torch.autograd.grad(out[i, c], x, retain_graph=True, allow_unused=True)[0]
                 for c in range(out.shape[1])]
        block = torch.stack([torch.zeros_like(x) if cell is None else cell for cell in cells])
        result[i] = (block[:, g * n_in:(g + 1) * n_in] ** 2).sum(dim=(0, 2)).sqrt()
    return result


def analyse(case, sentences):
    s = named(case.study["layer"])
    put_metrics(case, s, sentences.side)
    put_across(case, s, sentences.side, sentences.out)
    case.put("influence", influence(sentences.out, case.held["embed"], sentences.side.groups))
