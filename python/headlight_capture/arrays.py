"""Arrays as the recording holds them, from NumPy, PyTorch or lists."""

import numpy as np

from .errors import CaptureError

KINDS = ("self", "cross", "source")
PARTS = ("pattern", "q", "k", "v")


def to_numpy(array):
    """A NumPy array of floats; tensors of PyTorch are copied from their device."""
    if hasattr(array, "detach"):
        array = array.detach()
        if not array.is_floating_point() or array.element_size() != 4:
            array = array.float()
        array = array.cpu().numpy()
    array = np.asarray(array)
    if array.dtype.kind not in "fiub":
        raise CaptureError(f"attention is numbers, not {array.dtype}")
    return array if array.dtype.kind == "f" else array.astype(np.float32)


def stack_layers(attentions, what="attention"):
    """[layers, heads, n, m] of such an array, of [heads, n, m], or of a list of layers.

    A layer is [heads, n, m] or [1, heads, n, m]; a batch of more is refused.
    """
    if isinstance(attentions, (list, tuple)) and len(attentions) > 0:
        if any(layer is None for layer in attentions):
            raise CaptureError(
                f"{what} is None; load the model with attn_implementation='eager' and call it "
                "with output_attentions=True"
            )
        layers = [one_of_batch(to_numpy(layer), what) for layer in attentions]
        if any(layer.shape != layers[0].shape for layer in layers):
            shapes = sorted({layer.shape for layer in layers})
            raise CaptureError(f"{what}: layers differ in shape: {shapes}")
        return np.stack(layers)
    array = to_numpy(attentions)
    if array.ndim == 5 and array.shape[1] > 1:
        raise CaptureError(
            f"{what} is {array.shape}, of a batch of {array.shape[1]}; give one text: "
            f"{what}[:, 0]"
        )
    if array.ndim == 5:
        array = array[:, 0]
    if array.ndim == 3:
        array = array[None]
    if array.ndim != 4 or 0 in array.shape:
        raise CaptureError(
            f"{what} is {array.shape}; it must be [layers, heads, n, m] or a list of [heads, n, m]"
        )
    return array


def one_of_batch(layer, what):
    if layer.ndim == 4 and layer.shape[0] == 1:
        layer = layer[0]
    if layer.ndim != 3 or 0 in layer.shape:
        raise CaptureError(
            f"{what}: a layer is {layer.shape}; it must be [heads, n, m]. Of a batch give one text"
        )
    return layer


def check_text(tokens, source, attentions):
    """Raises CaptureError unless the arrays are of these tokens.

    attentions: by kind, a dictionary of arrays [layers, heads, rows, columns] by part.
    """
    for name in (*tokens, *(source or ())):
        try:
            name.encode()
        except UnicodeEncodeError:
            raise CaptureError(f"the token {name!r} is no text: it has half of a character") from None
    sizes = {"token": len(tokens), "source token": len(source or ())}
    for name, size in sizes.items():
        if size == 0 and (name == "token" or source is not None):
            raise CaptureError(f"a text has no {name}")
    for kind, parts in attentions.items():
        if kind not in KINDS:
            raise CaptureError(f"there is no attention of the kind {kind!r}, only {KINDS}")
        if kind != "self" and not source:
            raise CaptureError(f"attention of the kind {kind!r} needs source=, the tokens it reads")
        if "pattern" not in parts:
            raise CaptureError(f"attention of the kind {kind!r} has no pattern")
        rows = "source token" if kind == "source" else "token"
        columns = "token" if kind == "self" else "source token"
        n_layers, n_heads = parts["pattern"].shape[:2]
        for part, array in parts.items():
            if part not in PARTS or array.ndim != 4 or array.shape[0] != n_layers:
                raise CaptureError(f"{kind} {part} is {array.shape}, which does not fit the others")
            if n_heads % array.shape[1] or (part in ("pattern", "q") and array.shape[1] != n_heads):
                raise CaptureError(f"{kind} {part} has {array.shape[1]} heads, not {n_heads}")
            wanted = sizes[columns] if part in ("k", "v") else sizes[rows]
            if array.shape[2] != wanted:
                raise CaptureError(
                    f"{kind} {part} has {array.shape[2]} rows, but there are {wanted} tokens"
                )
            if part == "pattern" and array.shape[3] != sizes[columns]:
                of_others = "; give the tokens that it reads as source=" if kind == "self" else ""
                raise CaptureError(
                    f"{kind} pattern has {array.shape[3]} columns, but there are "
                    f"{sizes[columns]} {columns}s{of_others}"
                )
        if ("q" in parts) != ("k" in parts):
            raise CaptureError(f"{kind}: queries and keys are recorded together or not at all")
