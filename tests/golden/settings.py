"""Studies as Headlight writes them: every setting of docs/study-format.md, by its key."""

import copy
import json
import struct
import types

ATTENTION = {"n_heads": 2, "n_kv_heads": 0, "d_k": 3, "d_v": 3, "output": True,
             "query": "learned", "key": "learned", "value": "learned", "bias": False,
             "score": "scaled_dot", "d_hidden": 5, "temperature": 1, "addressing": "softmax",
             "top_k": 3, "relative": "none", "max_distance": 8, "n_buckets": 8, "alpha": 1}
MASK = {"causal": False, "window": 0, "dilation": 1, "documents": False}
BLOCK = {"residual": False, "norm": "none", "mlp": "none", "d_ff": 9}
STACK = {"n_layers": 1, "d_model": 6, "positions": "none", "attention": ATTENTION, "mask": MASK,
         "block": BLOCK, "final_norm": False, "unembedding": "none"}
# Keys that are written where they are not as always.
OPTIONAL = {"norm_type", "inner_combine", "output", "bias", "skip", "last_activation"}
PATCH_STACK = {key: value for key, value in STACK.items() if key != "unembedding"}
RECURRENT = {"cell": "gru", "bidirectional": True, "attention": True, "feeding": "teacher",
             "d_model": 5, "d_state": 4, "d_hidden": 3, "temperature": 1, "addressing": "softmax",
             "top_k": 3}
GRAPH = {"mechanism": "gat", "n_layers": 1, "n_heads": 2, "d_in": 5, "d_out": 3, "d_edge": 0,
         "slope": 0.2, "combine": "concat", "activation": "elu"}
IMAGE = {"mechanism": "attention", "patch": 1, "kernel_out": 3, "alpha": 4}


def float32(value):
    """What is left of a setting that Headlight holds as a float."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


def change(settings, changes):
    """A copy with each change where its key is, in the settings or in a group of them."""
    settings = copy.deepcopy(settings)
    for key, value in changes.items():
        groups = [settings] + [group for group in settings.values() if isinstance(group, dict)]
        owner, = [group for group in groups if key in group] or [settings][:key in OPTIONAL]
        owner[key] = value
    return settings


def study(kind, **parts):
    return {"kind": kind, **parts, "seed": 1}


def sentence(text, decoding=False, **changes):
    return study("sentence", text=text, layer=change(STACK, changes), decoding=decoding)


def named(settings):
    """The settings with dots instead of quotes: s.attention.n_heads."""
    return json.loads(json.dumps(settings), object_hook=lambda d: types.SimpleNamespace(**d))


def width(widths, head):
    """{8} is 8 for every head; [8, 4] is 8, 4, 4, …"""
    return widths if isinstance(widths, int) else widths[min(head, len(widths) - 1)]
