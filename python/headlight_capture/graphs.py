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


def edge_layers(returned):
    """(edges, [α of each layer, [E, heads]]) of what layers have returned.

    returned: for each layer (edge_index, α), or (output, (edge_index, α)), as modules of PyTorch
    Geometric return with return_attention_weights=True; all of the same edges.
    """
    returned = list(returned)
    if len(returned) == 2 and hasattr(returned[0], "shape"):  # one layer
        returned = [tuple(returned)]
    edges, alphas = None, []
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
    if edges is None:
        raise CaptureError("there is no layer")
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
    return int(n) if isinstance(nodes, (int, np.integer)) else [str(name) for name in nodes]


@contextlib.contextmanager
def capture_graph(model, path, *, nodes=None, dtype="float32"):
    """Records the attention of a model of PyTorch Geometric: a graph of each pass within the block.

    Its layers are all modules whose forward has return_attention_weights, in the order in which
    they are called. nodes: their names. path, dtype: see Writer. Yields the Writer.
    """
    from .shards import Writer

    layers = [module for module in model.modules()
              if "return_attention_weights" in inspect.signature(module.forward).parameters]
    if not layers:
        raise CaptureError("no module of the model has return_attention_weights")
    writer, returned = Writer(path, model=type(model).__name__, dtype=dtype), []

    def wrapped(forward):
        @functools.wraps(forward)
        def with_weights(*given, **named):
            is_wanted = named.get("return_attention_weights") is not None
            output = forward(*given, **{**named, "return_attention_weights": True})
            returned.append(output[1])
            return output if is_wanted else output[0]

        return with_weights

    def finish(*_):
        if returned:
            edges, alphas = edge_layers(returned)
            returned.clear()
            writer.add_graph(edges, alphas, nodes)

    with contextlib.ExitStack() as stack:
        for module in layers:
            had_own, forward = "forward" in vars(module), module.forward
            module.forward = wrapped(forward)
            stack.callback(*((setattr, module, "forward", forward) if had_own
                             else (delattr, module, "forward")))
        stack.callback(model.register_forward_hook(finish).remove)
        yield writer
    writer.close()
