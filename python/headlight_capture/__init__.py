"""Records attention for Headlight, a program that shows it.

    with capture(model, "run", tokenizer=tokenizer):    # a model of PyTorch, one or many processes
        model(**inputs)
    write_picture("run", picture, attentions, (14, 14)) # patches of a picture
    write_graph("run", [(edge_index, alpha), …])        # edges of a graph
    show(attentions, tokens)                            # opens the window
    figure(attentions, tokens, layer=3, head=5)         # a picture, in a notebook too

The files are those that docs/formats.md of Headlight describes. NumPy suffices for all but capture.
"""

from .errors import CaptureError
from .graphs import capture_graph
from .shards import Writer, join, write, write_graph, write_picture
from .window import Figure, figure, show

__all__ = [
    "CaptureError", "Figure", "Writer", "capture", "capture_graph", "figure", "join", "show",
    "write", "write_graph", "write_picture",
]


def __getattr__(name):
    """capture needs PyTorch, which is imported when it is asked for."""
    if name != "capture":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .hooks import capture

    return capture
