"""Shows attention in a notebook: Headlight's own window, in the output of a cell.

    w = headlight.show(attentions, tokens)     # what a model returned, or arrays
    w = headlight.show("run.attention.json")   # a recording, a study or a lecture
    w.layer, w.head = 3, 5                     # moves the window; w.selected says where it is
    w.observe(print, "selected")

And computes:

    m = headlight.open("gpt2")                 # a study, or a pretrained model's folder
    m.run("The cat sat", ablate="3.1")["blocks.5.attn.heads.1.pattern"]

It also has all that headlight_capture has: capture, Writer, figure and others. Its window of the
desktop is show_window here.
"""

from headlight_capture import (
    CaptureError, Figure, Writer, capture_graph, figure, join, write, write_graph, write_picture,
)
from headlight_capture import show as show_window

__all__ = [
    "CaptureError", "Figure", "Widget", "Writer", "capture", "capture_graph", "figure", "join",
    "open", "show", "show_window", "write", "write_graph", "write_picture",
]


def show(what, tokens=None, source=None, *, height=640, title=None):
    """Returns a widget that shows attention, or a file, in the output of the cell.

    what: patterns, [layers, heads, n, n] or a list of layers such as outputs.attentions of
    transformers; all that a model of transformers returned; a cache of TransformerLens; the
    (edge_index, alpha) of PyTorch Geometric, one or a list of layers, with the nodes' names as
    tokens. Or a text: the path of a recording, a study or a lecture, or a study's own text.
    title: what the window calls arrays.
    """
    from .widget import Widget

    return Widget(what, tokens, source, height=height, title=title)


def __getattr__(name):
    """What needs anywidget, PyTorch or the program is imported when it is asked for."""
    if name == "capture":
        from headlight_capture import capture

        return capture
    if name in ("open", "Study", "StudyError"):
        from . import study

        return study.open_study if name == "open" else getattr(study, name)
    if name == "Widget":
        from .widget import Widget

        return Widget
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
