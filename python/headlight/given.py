"""What is given to be shown, as a file that the program opens."""

import json
import os
import re
import subprocess
import tempfile
from dataclasses import dataclass, field

from headlight_capture.arrays import stack_layers
from headlight_capture.errors import CaptureError
from headlight_capture.graphs import edge_layers, is_two_sets
from headlight_capture.shards import recording_bytes
from headlight_capture.window import program

MOST_BYTES = 1 << 30  # of all files together, which the page has in its memory


@dataclass
class GivenFile:
    """A file, and those beside it that it needs, by name."""

    name: str
    data: bytes
    beside: dict = field(default_factory=dict)

    def check_size(self):
        size = len(self.data) + sum(len(data) for data in self.beside.values())
        if size > MOST_BYTES:
            raise CaptureError(
                f"{self.name} has {size / 1e6:.0f} MB with all that it needs; a notebook shows at "
                f"most {MOST_BYTES / 1e6:.0f} MB: give fewer layers, heads or tokens, or open it "
                "with show_window"
            )
        return self


def given_file(what, tokens=None, source=None):
    """The file of attention, or of a file's path, or of a study's text."""
    if isinstance(what, os.PathLike) or (isinstance(what, str) and not is_study_text(what)):
        return read_file(os.fspath(what)).check_size()
    if isinstance(what, str):
        return GivenFile("study.headlight", what.encode())
    return GivenFile("attention.safetensors", attention_bytes(what, tokens, source)).check_size()


def is_study_text(text):
    return text.lstrip().startswith("{")


# ---- attention ----


def attention_bytes(what, tokens=None, source=None):
    """A recording in half floats, as one safetensors file."""
    if is_graph(what):
        edges, alphas = edge_layers(what, is_two_sets(tokens))
        return recording_bytes(
            lambda writer: writer.add_graph(edges, alphas, tokens), dtype="float16"
        )
    what = attention_of(what)
    if tokens is None:
        if isinstance(what, dict):
            raise CaptureError("attention of several kinds needs tokens=")
        tokens = range(stack_layers(what).shape[2])
    return recording_bytes(lambda writer: writer.add(tokens, what, source), dtype="float16")


def attention_of(what):
    """Patterns, or patterns by kind, of a cache or of what a model returned."""
    if hasattr(what, "keys") and hasattr(what, "__getitem__"):
        patterns = cached_patterns(what)
        if patterns:
            return patterns
    is_output = hasattr(what, "attentions") or hasattr(what, "last_hidden_state")
    kinds = {}
    # Outputs have members for all kinds, None or empty where there is no such attention.
    for name, kind in (("attentions", "self"), ("decoder_attentions", "self"),
                       ("cross_attentions", "cross"), ("encoder_attentions", "source")):
        layers = getattr(what, name, None)
        if layers is not None and len(layers):
            kinds[kind] = layers
    if is_output and not kinds:
        raise CaptureError(
            "the model returned no attention; call it with output_attentions=True, and load it "
            "with attn_implementation='eager'"
        )
    if kinds:
        return kinds["self"] if list(kinds) == ["self"] else kinds
    return what


def cached_patterns(cache):
    """The patterns of a cache of TransformerLens, layer by layer; none if it is none."""
    found = {}
    for name in cache.keys():
        match = re.fullmatch(r"blocks\.(\d+)\.attn\.hook_pattern", str(name))
        if match:
            found[int(match[1])] = cache[name]
    if sorted(found) != list(range(len(found))):
        raise CaptureError(
            f"the cache has the patterns of the layers {sorted(found)}; give those of all, from 0 on"
        )
    return [found[layer] for layer in range(len(found))]


def is_graph(what):
    """True of (edge_index, alpha), or of a list of such, as layers of PyTorch Geometric return."""
    if not isinstance(what, (tuple, list)) or len(what) == 0:
        return False
    return is_graph_layer(what) or all(is_graph_layer(layer) for layer in what)


def is_graph_layer(layer):
    """True of (edge_index, alpha), and of (output, (edge_index, alpha))."""
    if not isinstance(layer, (tuple, list)) or len(layer) != 2:
        return False
    pair = layer[1] if isinstance(layer[1], (tuple, list)) else layer
    return len(pair) == 2 and is_edges(pair[0]) and hasattr(pair[1], "shape")


def is_edges(array):
    shape = tuple(getattr(array, "shape", ()))
    return len(shape) == 2 and shape[0] == 2 and "int" in str(getattr(array, "dtype", ""))


# ---- files ----


def read_file(path):
    """A file with the files beside it that it names."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError as error:
        raise CaptureError(f"the file {path!r} cannot be read: {error.strerror}") from None
    folder, name = os.path.split(path)
    beside = {}
    if name.endswith((".json", ".headlight", ".lecture")):
        add_named_files(data, folder, beside)
    beside.pop(name, None)
    return GivenFile(name, data, beside)


def add_named_files(data, folder, beside):
    """Adds the files of the folder that the text names, and those that they name in turn."""
    for name in named_files(data.decode("utf-8", "replace"), folder) - set(beside):
        with open(os.path.join(folder, name), "rb") as file:
            beside[name] = file.read()
        if name.endswith((".json", ".headlight")):
            add_named_files(beside[name], folder, beside)


def named_files(text, folder):
    """The files of the folder whose names are in the text, of JSON or of a lecture."""
    names = set(re.findall(r'[^\s"/\\]+\.[A-Za-z0-9]+', text))
    try:
        names |= set(texts_within(json.loads(text)))
    except ValueError:
        pass
    return {
        name for name in names
        if os.path.basename(name) == name and os.path.isfile(os.path.join(folder, name))
    }


def texts_within(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (list, dict)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from texts_within(part)


# ---- a picture without a browser ----


def drawn_picture(given):
    """A PNG of all heads that the program draws; nothing if it is not installed, or cannot."""
    try:
        command = program()
    except CaptureError:
        return b""
    with tempfile.TemporaryDirectory(prefix="headlight-") as folder:
        for name, data in [(given.name, given.data), *given.beside.items()]:
            with open(os.path.join(folder, name), "wb") as file:
                file.write(data)
        picture = os.path.join(folder, "view.png")
        try:
            file = os.path.join(folder, given.name)
            subprocess.run([command, "export", file, "--what", "heads", "-o", picture],
                           capture_output=True, timeout=60, check=True)
            with open(picture, "rb") as file:
                return file.read()
        except (OSError, subprocess.SubprocessError):
            return b""
