"""Records attention for Headlight, a program that shows it.

    with capture(model, "run", tokenizer=tokenizer):    # a model of PyTorch, one or many processes
        model(**inputs)
    show(attentions, tokens)                            # opens the window
    figure(attentions, tokens, layer=3, head=5)         # a picture, in a notebook too

The files are those that docs/formats.md of Headlight describes. NumPy suffices for all but capture.
"""

from .errors import CaptureError
from .shards import Writer, join, write
from .window import Figure, figure, show

__all__ = ["CaptureError", "Figure", "Writer", "capture", "figure", "join", "show", "write"]


def __getattr__(name):
    """capture needs PyTorch, which is imported when it is asked for."""
    if name != "capture":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from .hooks import capture

    return capture
