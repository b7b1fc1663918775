"""Attention on the edges of graphs, as PyTorch Geometric returns it, and a hook of its models."""

import contextlib
import functools
import inspect

import numpy as np

from .arrays import to_numpy
from .errors import CaptureError


def edge_list(edges, what="edges"):
    """[2, E] whole numbers: sources, targets."""
    if hasattr(edges, "sparse_sizes") or "sparse" in str(getattr(edges, "layout", "")):
        raise CaptureError(f"{what} is a sparse matrix; give an edge_index, [2, E]")
    if hasattr(edges, "detach"):
        edges = edges.detach().cpu().numpy()
    edges = np.asarray(edges)
    if edges.ndim != 2 or edges.shape[0] != 2 or edges.shape[1] == 0:
        raise CaptureError(f"{what} is {edges.shape}; it must be [2, E], sources and targets")
    if edges.dtype.kind not in "iu":
        raise CaptureError(f"{what} holds {edges.dtype}, not whole numbers")
    return edges.astype(np.int64)


def edge_layers(returned, has_two_sets=False):
    """(edges, [α of each layer, [E, heads]]) of what layers have returned.

    returned: for each layer (edge_index, α), or (output, (edge_index, α)), as modules of PyTorch
    Geometric return with return_attention_weights=True; all of the same edges. has_two_sets: whether
    targets are counted apart from sources.
    """
    returned = list(returned)
    if len(returned) == 2 and hasattr(returned[0], "shape"):  # one layer
        returned = [tuple(returned)]
    edges, alphas, n_outputs = None, [], []
    for number, layer in enumerate(returned):
        is_pair = isinstance(layer, (tuple, list))
        pair = layer[1] if is_pair and isinstance(layer[-1], (tuple, list)) else layer
        if not isinstance(pair, (tuple, list)) or len(pair) != 2:
            raise CaptureError(
                f"layer {number} is no (edge_index, alpha): call the module with "
                "return_attention_weights=True"
            )
        own = edge_list(pair[0], f"layer {number}: edge_index")
        if edges is not None and not np.array_equal(own, edges):
            raise CaptureError(f"layer {number} has other edges than layer 0")
        edges = own
        alphas.append(pair[1])
        n_outputs += [len(layer[0])] if pair is not layer and hasattr(layer[0], "shape") else []
    if edges is None:
        raise CaptureError("there is no layer")
    if n_outputs and edges[0].max() >= min(n_outputs) and not has_two_sets:
        raise CaptureError(
            f"edges lead from node {edges[0].max()}, but {min(n_outputs)} nodes were computed: if the "
            "targets are other nodes than the sources, name both: nodes=(sources, targets)"
        )
    return edges, alphas


def edge_parts(attentions, n_edges, n_nodes):
    """By part a list of layers: the pattern [heads, E, 1], q, k and v [heads, n, width]."""
    parts = attentions if isinstance(attentions, dict) else {"pattern": attentions}
    if "pattern" not in parts:
        raise CaptureError("attention on edges has no pattern")
    if ("q" in parts) != ("k" in parts):
        raise CaptureError("queries and keys are recorded together or not at all")
    shaped = {}
    for part, layers in parts.items():
        if part not in ("pattern", "q", "k", "v"):
            raise CaptureError(f"attention on edges has no part {part!r}")
        shaped[part] = [edge_part(part, to_numpy(layer), number, n_edges, n_nodes)
                        for number, layer in enumerate(layers)]
        heads = [len(layer) for layer in shaped["pattern"]] if "pattern" in shaped else None
        if heads and [len(layer) for layer in shaped[part]] != heads:
            raise CaptureError(f"{part} has not the heads of the pattern, {heads}")
        if part != "pattern" and len({layer.shape[2] for layer in shaped[part]}) > 1:
            raise CaptureError(f"{part}: layers differ in width; leave q, k and v out")
    return shaped


def edge_part(part, layer, number, n_edges, n_nodes):
    """α [E, heads] or [E] becomes [heads, E, 1]; [n, heads, width] becomes [heads, n, width]."""
    if part == "pattern":
        layer = layer[:, None] if layer.ndim == 1 else layer
        if layer.ndim != 2 or layer.shape[0] != n_edges or layer.shape[1] == 0:
            raise CaptureError(
                f"layer {number}: attention is {layer.shape}; it must be [E, heads] of {n_edges} edges"
            )
        return layer.T[:, :, None]
    if layer.ndim != 3 or layer.shape[0] != n_nodes or 0 in layer.shape:
        raise CaptureError(
            f"layer {number}: {part} is {layer.shape}; it must be [n, heads, width] of {n_nodes} nodes"
        )
    return layer.transpose(1, 0, 2)


def placed_nodes(nodes, edges):
    """(nodes, edges) as a recording has them: the names or how many there are, and their numbers.

    nodes: names, how many there are, or None: as many as the edges have. Or two lists of names, of
    sources and of targets, which the edges count on their own: targets then follow the sources.
    """
    if is_two_sets(nodes):
        sources, targets = ([str(name) for name in part] for part in nodes)
        for row, names, what in ((edges[0], sources, "source"), (edges[1], targets, "target")):
            if row.min() < 0 or row.max() >= len(names):
                e = int(np.argmax((row < 0) | (row >= len(names))))
                raise CaptureError(
                    f"edge {e} has the {what} {row[e]}, but there are {len(names)} {what}s"
                )
        nodes, edges = sources + targets, edges + [[0], [len(sources)]]
    return node_names(nodes, edges), edges


def is_two_sets(nodes):
    return (
        isinstance(nodes, (tuple, list)) and len(nodes) == 2
        and all(isinstance(part, (tuple, list, range)) for part in nodes)
    )


def node_names(nodes, edges):
    """Names or how many nodes there are; every edge must lead from one of them to one of them."""
    if nodes is None:
        nodes = int(edges.max()) + 1
    n = nodes if isinstance(nodes, (int, np.integer)) else len(nodes)
    if edges.min() < 0 or edges.max() >= n:
        e = int(np.argmax((edges < 0).any(axis=0) | (edges >= n).any(axis=0)))
        raise CaptureError(
            f"edge {e} leads from node {edges[0, e]} to node {edges[1, e]}, but there are {n} nodes"
        )
    keys = edges[1] * n + edges[0]
    order = np.argsort(keys, kind="stable")
    twice = np.flatnonzero(np.diff(keys[order]) == 0)
    if len(twice):
        a, b = order[twice[0]], order[twice[0] + 1]
        raise CaptureError(
            f"edges {a} and {b} both lead from node {edges[0, a]} to node {edges[1, a]}; "
            "an edge is recorded once"
        )
    if isinstance(nodes, (int, np.integer)):
        return int(n)
    names = [str(name) for name in nodes]
    if len(set(names)) < n:
        twice = next(name for i, name in enumerate(names) if name in names[:i])
        raise CaptureError(f"two nodes are called {twice!r}; their names must differ")
    return names


class GraphCall:
    """One call of a layer: what it returned, and between which nodes its edges lead.

    n_sources, n_targets: how many there are; is_one_set: whether both are the same nodes.
    """

    def __init__(self, name, returned, x, origins, source_origins):
        self.name, self.bit = name, 0
        self.origins, self.source_origins = origins, source_origins
        output, (edges, self.alpha) = returned
        self.edges = edge_list(edges, f"{name}: edge_index")
        self.is_one_set = not isinstance(x, (tuple, list)) or is_part(x[1], x[0])
        x = x[0] if isinstance(x, (tuple, list)) else x
        self.n_sources = len(x)
        self.n_targets = self.n_sources if self.is_one_set else len(output)
        self.n_heads = 1 if self.alpha.dim() == 1 else self.alpha.shape[1]
        sizes = (self.is_one_set, self.n_sources, self.n_targets)
        self.shape = (*sizes, self.edges.shape[1], self.edges.tobytes())

    def size_text(self):
        nodes = f"{self.n_sources} nodes"
        if not self.is_one_set:
            nodes = f"{self.n_sources} sources, {self.n_targets} targets"
        return f"{nodes}, {self.edges.shape[1]} edges"

    def follows(self, other):
        """Whether a layer computes further what another did, of the same nodes and edges.

        Between two sets of nodes the targets are computed further, and the sources not from them.
        """
        is_next = other.bit & self.origins and self.shape == other.shape
        return bool(is_next) and (self.is_one_set or not other.bit & self.source_origins)


def is_part(targets, sources):
    """Whether targets are the first of the sources, as samplers of neighbours cut them."""
    if targets is sources:
        return True
    return (
        targets is not None and targets.data_ptr() == sources.data_ptr()
        and targets.stride() == sources.stride() and len(targets) <= len(sources)
    )


def graphs_of(calls):
    """The stacks of layers of a pass, each on one graph."""
    from .stacks import Stack, same_place

    found = []
    for call in calls:
        open_ones = [chain for chain in found if call.follows(chain[-1])]
        alike = [chain for chain in open_ones if same_place(chain[-1].name, call.name)]
        if open_ones:
            (alike or open_ones)[0].append(call)
        else:
            found.append([call])
    return [Stack({"edges": chain}) for chain in found]


def nodes_of(call, given):
    """The nodes of a recorded graph, as Writer.add_graph takes them."""
    if call.is_one_set:
        n_given = call.n_sources if given is None else given if isinstance(given, int) else len(given)
        if n_given != call.n_sources:
            raise CaptureError(f"nodes= has {n_given} nodes, but the model reads {call.n_sources}")
        return n_given if given is None else given
    if given is None:
        return ([f"source {i}" for i in range(call.n_sources)],
                [f"target {i}" for i in range(call.n_targets)])
    sizes = call.n_sources, call.n_targets
    if not is_two_sets(given) or tuple(map(len, given)) != sizes:
        raise CaptureError(
            f"the edges lead from {sizes[0]} nodes to {sizes[1]} others: nodes=(sources, targets) "
            "names both, each in a list"
        )
    return given


@contextlib.contextmanager
def capture_graph(model, path, *, nodes=None, stack=None, dtype="float32"):
    """Records the attention of a model of PyTorch Geometric: a graph of each pass within the block.

    Its layers are all modules whose forward has return_attention_weights, in the order in which
    they are called. nodes: their names; where edges lead from nodes of one kind to those of another,
    (names of the sources, names of the targets). stack: of a model with edges of several kinds, or
    with several stacks of layers, which one is recorded; see capture. path, dtype: see Writer.
    Yields the Writer.
    """
    from .shards import Writer
    from .stacks import Origins, chosen_stack, tracking

    layers = {name: module for name, module in model.named_modules()
              if "return_attention_weights" in inspect.signature(module.forward).parameters}
    if not layers:
        raise CaptureError("no module of the model has return_attention_weights")
    writer, calls, origins = Writer(path, model=type(model).__name__, dtype=dtype), [], Origins()

    def wrapped(name, forward):
        @functools.wraps(forward)
        def with_weights(*given, **named):
            is_wanted = named.get("return_attention_weights") is not None
            x = named["x"] if "x" in named else given[0]
            read = origins.of(x)
            sources = origins.of(x[0] if isinstance(x, (tuple, list)) else x)
            output = forward(*given, **{**named, "return_attention_weights": True})
            call = GraphCall(name, output, x, read, sources)
            call.bit = 1 << len(calls)
            origins.add(output[0], call.bit | read)
            calls.append(call)
            return output if is_wanted else output[0]

        return with_weights

    def begin(*_):
        calls.clear()
        origins.clear()

    def finish(*_):
        if calls:
            chosen = chosen_stack(calls, stack, why_not_repeated, graphs_of).calls
            writer.add_graph(chosen[0].edges, [call.alpha for call in chosen],
                             nodes_of(chosen[0], nodes))
        begin()

    with contextlib.ExitStack() as attached:
        for name, module in layers.items():
            had_own, forward = "forward" in vars(module), module.forward
            module.forward = wrapped(name, forward)
            attached.callback(*((setattr, module, "forward", forward) if had_own
                                else (delattr, module, "forward")))
        attached.callback(model.register_forward_pre_hook(begin, prepend=True).remove)
        attached.callback(model.register_forward_hook(finish).remove)
        attached.enter_context(tracking(origins))
        yield writer
    writer.close()


def why_not_repeated(graph, graphs):
    """Why a graph cannot be chosen: a layer that works on several is named alike on all."""
    for name in graph.names:
        n_times = sum(name in other.names for other in graphs)
        if n_times > 1:
            return (
                f"{name} is called on {n_times} graphs in a pass: "
                f"capture_graph(model.get_submodule({name!r}), …) records each as a graph of its own"
            )
    return None
