"""Graph attention from the papers over all pairs of nodes, checked against PyTorch Geometric."""

import math
import pathlib

import torch
from torch import nn
from torch_geometric.nn import GATConv, GATv2Conv, TransformerConv

from case import INFINITY, check_equal
from settings import float32, named, width

AS_ALWAYS = {"inner_combine": "concat", "output": True, "bias": False, "skip": False,
             "last_activation": True}
KARATE = pathlib.Path(__file__).resolve().parents[2] / "assets" / "karate.edges"


def read_karate():
    lines = [line.split("#")[0].split() for line in KARATE.read_text().splitlines()]
    edges = [line for line in lines if len(line) == 2]
    nodes = list(dict.fromkeys(node for edge in edges for node in edge))
    return {"title": "karate", "directed": False, "nodes": place(nodes), "edges": edges}


def place(names):
    """Nodes with some place, so that no layout is needed."""
    return [{"name": name, "x": 0, "y": 0} for name in names]


def readings(study):
    """Pairs (i, j), node i reads node j, in the order of the rows of an edge's tensors."""
    graph = study["graph"]
    names = [node["name"] for node in graph["nodes"]]
    pairs = {(names.index(target), names.index(source)) for source, target in graph["edges"]}
    if not graph["directed"]:
        pairs |= {(j, i) for i, j in pairs}
    if study["self_loops"]:
        pairs |= {(i, i) for i in range(len(names))}
    return sorted(pairs)


class Graph:
    """What all layers of one study share."""

    def __init__(self, case):
        self.case, self.s = case, named(AS_ALWAYS | case.study["layer"])
        self.pairs = readings(case.study)
        self.row = torch.tensor([i for i, _ in self.pairs], dtype=torch.long)
        self.neighbour = torch.tensor([j for _, j in self.pairs], dtype=torch.long)
        self.n = len(case.study["graph"]["nodes"])
        self.features = None
        if self.s.d_edge:
            self.features = case.leaf("edge_features", len(self.pairs), self.s.d_edge, scale=1)

    def enter(self, layer):
        """What is of this layer: its heads, their width, how they are combined, the activation."""
        is_last = layer + 1 == self.s.n_layers
        self.n_heads, self.d_out = width(self.s.n_heads, layer), width(self.s.d_out, layer)
        self.is_mean = (self.s.combine if is_last else self.s.inner_combine) == "mean"
        is_left_out = is_last and not self.s.last_activation
        self.activation = {"elu": nn.functional.elu, "relu": nn.functional.relu}.get(
            "none" if is_left_out else self.s.activation)

    def put(self, path, values):
        return self.case.put(path, values)

    def biased(self, path, values):
        """With a bias of that path, if there are any."""
        return values + self.case.bias(path, values.shape[1]) if self.s.bias else values

    def combine(self, heads):
        return sum(heads) / len(heads) if self.is_mean else torch.cat(heads, dim=1)

    def edge_projection(self, head):
        """H_edge, one row an edge; null without features."""
        if self.features is None:
            return None
        W = self.case.leaf(f"{head}.W_edge", self.s.d_edge, self.d_out)
        return self.put(f"{head}.h_edge", self.features @ W)

    def softmax(self, scores):
        """Over the edges of a node, by a matrix that is −∞ where there is no edge."""
        dense = torch.full((self.n, self.n), -INFINITY)
        dense = dense.index_put((self.row, self.neighbour), scores[:, 0])
        return torch.softmax(dense, dim=1)[self.row, self.neighbour].unsqueeze(1)

    def mix(self, pattern, values):
        """Σ_j α(i,j) values(e); a node without edges has zeros."""
        return torch.zeros(self.n, values.shape[1]).index_add(0, self.row, pattern * values)

    def rank(self, head, all_scores):
        self.put(f"{head}.all_scores", all_scores)
        order = torch.sort(all_scores, dim=1, descending=True, stable=True).indices
        self.put(f"{head}.ranking", torch.argsort(order, dim=1).to(torch.float64))

    def edge_index(self):
        """PyTorch Geometric's order: source, target; the target reads."""
        return torch.stack([self.neighbour, self.row])

    def slope(self):
        return float32(self.s.slope)

    def leaky(self, x):
        return nn.functional.leaky_relu(x, self.slope())


def gat_head(g, head, x):
    """Veličković 2018: the score of an edge is a sum of what its ends say."""
    W = g.case.leaf(f"{head}.W", x.shape[1], g.d_out)
    a_src, a_dst = (g.case.leaf(f"{head}.{a}", g.d_out, 1) for a in ("a_src", "a_dst"))
    H = g.put(f"{head}.h", x @ W)
    src, dst = g.put(f"{head}.score_src", H @ a_src), g.put(f"{head}.score_dst", H @ a_dst)
    raw = dst[g.row] + src[g.neighbour]
    edge = g.edge_projection(head)
    if edge is not None:
        raw = raw + g.put(f"{head}.score_edge", edge @ g.case.leaf(f"{head}.a_edge", g.d_out, 1))
    scores = g.put(f"{head}.scores", g.leaky(g.put(f"{head}.raw_scores", raw)))
    pattern = g.put(f"{head}.pattern", g.softmax(scores))
    g.rank(head, g.leaky(dst + src.T))
    return g.put(f"{head}.out", g.mix(pattern, H[g.neighbour]))


def gatv2_head(g, head, x):
    """Brody 2022: the LeakyReLU before a."""
    W_src, W_dst = (g.case.leaf(f"{head}.{W}", x.shape[1], g.d_out) for W in ("W_src", "W_dst"))
    a = g.case.leaf(f"{head}.a", g.d_out, 1)
    src, dst = (g.put(f"{head}.h_{end}", g.biased(f"{head}.b_{end}", x @ W))
                for end, W in (("src", W_src), ("dst", W_dst)))
    pair = dst[g.row] + src[g.neighbour]
    edge = g.edge_projection(head)
    if edge is not None:
        pair = pair + edge
    scores = g.put(f"{head}.scores", g.leaky(pair) @ a)
    pattern = g.put(f"{head}.pattern", g.softmax(scores))
    g.rank(head, (g.leaky(dst.unsqueeze(1) + src.unsqueeze(0)) @ a).squeeze(2))
    return g.put(f"{head}.out", g.mix(pattern, src[g.neighbour]))


def transformer_head(g, head, x, W_O):
    """Shi 2021: scaled dot-product over the neighbours; an edge adds to its key and value."""
    q, k, v = (g.put(f"{head}.{letter.lower()}",
                     g.biased(f"{head}.b_{letter}",
                              x @ g.case.leaf(f"{head}.W_{letter}", x.shape[1], g.d_out)))
               for letter in "QKV")
    edge = g.edge_projection(head)
    edge = 0 if edge is None else edge
    scale = 1 / math.sqrt(g.d_out)
    scores = (q[g.row] * (k[g.neighbour] + edge)).sum(dim=1, keepdim=True) * scale
    pattern = g.put(f"{head}.pattern", g.softmax(g.put(f"{head}.scores", scores)))
    z = g.put(f"{head}.z", g.mix(pattern, v[g.neighbour] + edge))
    g.rank(head, q @ k.T * scale)
    if W_O is not None:
        g.put(f"{head}.result", z @ W_O)
    return z


def gat_layer(g, layer, x):
    make, module = ((gat_head, GATConv) if g.s.mechanism == "gat" else (gatv2_head, GATv2Conv))
    path = f"gat.{layer}"
    heads = [f"{path}.heads.{h}" for h in range(g.n_heads)]
    combined = g.put(f"{path}.combined", g.combine([make(g, head, x) for head in heads]))
    if g.s.bias:
        combined = g.put(f"{path}.biased", g.biased(f"{path}.b", combined))
    check_by_convolution(g, module, heads, x, combined)
    return g.put(f"{path}.out", g.activation(combined) if g.activation else combined.clone())


def transformer_layer(g, layer, x):
    path = f"blocks.{layer}"
    x = g.put(f"{path}.resid_pre", x.clone())
    W_O = None
    if g.s.output and not g.is_mean:
        W_O = g.case.leaf(f"{path}.attn.W_O", g.n_heads * g.d_out, g.s.d_in)
    heads = [f"{path}.attn.heads.{h}" for h in range(g.n_heads)]
    combined = out = g.combine([transformer_head(g, head, x,
                                                 None if W_O is None
                                                 else W_O[h * g.d_out:(h + 1) * g.d_out])
                                for h, head in enumerate(heads)])
    if W_O is not None:
        out = g.biased(f"{path}.attn.b_O", g.put(f"{path}.attn.concat", combined) @ W_O)
    out = g.put(f"{path}.attn.out", out)
    if g.s.skip:
        W_skip = g.case.leaf(f"{path}.W_skip", x.shape[1], out.shape[1])
        skip = g.put(f"{path}.skip", g.biased(f"{path}.b_skip", x @ W_skip))
        out = g.put(f"{path}.sum", out + skip)
    check_by_convolution(g, TransformerConv, heads, x, combined if W_O is not None else out)
    return g.put(f"{path}.out", g.activation(out)) if g.activation else out


def convolution_weights(g, heads, module):
    """Our leaves by PyTorch Geometric's names."""
    def side_by_side(name):
        return torch.cat([g.case.held[f"{head}.{name}"].T for head in heads])

    def biases(name):
        return torch.cat([g.case.held[f"{head}.{name}"][0] for head in heads])

    def vectors(name):
        return torch.stack([g.case.held[f"{head}.{name}"][:, 0] for head in heads]).unsqueeze(0)

    names = {GATConv: {"lin.weight": "W"}, GATv2Conv: {"lin_l.weight": "W_src",
                                                       "lin_r.weight": "W_dst"},
             TransformerConv: {f"lin_{name}.weight": f"W_{name[0].upper()}"
                               for name in ("query", "key", "value")}}[module]
    attention = {GATConv: {"att_src": "a_src", "att_dst": "a_dst"}, GATv2Conv: {"att": "a"},
                 TransformerConv: {}}[module]
    if g.features is not None:
        names["lin_edge.weight"] = "W_edge"
        if module is GATConv:
            attention["att_edge"] = "a_edge"
    biased, layer = {}, heads[0].split(".heads")[0]
    if g.s.bias:
        biased = {theirs.replace("weight", "bias"): biases(ours.replace("W", "b"))
                  for theirs, ours in names.items() if ours.replace("W", "b") != "b"
                  and ours != "W_edge"}
    more = {}
    if module is not TransformerConv and g.s.bias:
        more["bias"] = g.case.held[f"{layer}.b"][0]
    if has_root(g, module):
        block = layer.removesuffix(".attn")
        more["lin_skip.weight"] = g.case.held[f"{block}.W_skip"].T
        if g.s.bias:
            more["lin_skip.bias"] = g.case.held[f"{block}.b_skip"][0]
    return {**{theirs: side_by_side(ours) for theirs, ours in names.items()},
            **{theirs: vectors(ours) for theirs, ours in attention.items()}, **biased, **more}


def has_root(g, module):
    """Theirs has no W_O: with one, what goes into it is compared."""
    return module is TransformerConv and g.s.skip and (g.is_mean or not g.s.output)


def check_by_convolution(g, module, heads, x, combined):
    options = {TransformerConv: {"root_weight": has_root(g, module)}}.get(
        module, {"negative_slope": g.slope(), "add_self_loops": False})
    layer = module(x.shape[1], g.d_out, heads=len(heads), concat=not g.is_mean, bias=g.s.bias,
                   edge_dim=g.s.d_edge or None, **options)
    weights = convolution_weights(g, heads, module)
    if module is TransformerConv:  # it has a skip that it does not use
        weights |= {name: torch.zeros_like(value) for name, value in layer.named_parameters()
                    if name not in weights}
    theirs = torch.func.functional_call(layer, weights, (x, g.edge_index(), g.features))
    check_equal(combined, theirs)
    g.case.agrees(module.__name__)


def run_graph(case):
    g = Graph(case)
    x = case.leaf("embed", g.n, g.s.d_in, scale=1)
    layer = transformer_layer if g.s.mechanism == "transformer" else gat_layer
    for l in range(g.s.n_layers):
        g.enter(l)
        x = layer(g, l, x)
    return x
