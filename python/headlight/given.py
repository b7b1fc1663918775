"""What is given to be shown, as a file that the program opens."""

import json
import os
import re
import subprocess
import tempfile
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from headlight_capture.arrays import KINDS, check_text, stack_layers, to_numpy
from headlight_capture.errors import CaptureError
from headlight_capture.graphs import edge_layers, is_two_sets
from headlight_capture.shards import VERSION, recording_bytes, safetensors_bytes
from headlight_capture.window import program

from .summaries import overview_side, summarise

NO_ATTENTION = ("the model returned no attention; call it with output_attentions=True, and load it "
                "with attn_implementation='eager'")
MOST_AT_ONCE = 128  # tokens, whose patterns are all sent at once
BYTES_AT_ONCE = 4_000_000  # of patterns, which are sent at once as well
MOST_BYTES = 1 << 30  # of all files together, which the page has in its memory


@dataclass
class GivenFile:
    """A file, and those beside it that it needs, by name."""

    name: str
    data: bytes
    beside: dict = field(default_factory=dict)
    later: dict = field(default_factory=dict)  # functions that make files when they are asked for
    later_bytes: int = 0  # of all these files together
    look: Callable = None  # (layer, head, row, column) → names and value of a cell; may be None

    def check_size(self):
        size = len(self.data) + sum(len(data) for data in self.beside.values()) + self.later_bytes
        if size > MOST_BYTES:
            raise CaptureError(
                f"{self.name} has {size / 1e6:.0f} MB with all that it needs; a notebook shows at "
                f"most {MOST_BYTES / 1e6:.0f} MB: give fewer layers, heads or tokens, or open it "
                "with show_window"
            )
        return self


def given_file(what, tokens=None, source=None, title=None):
    """The file of attention, or of a file's path, or of a study's text."""
    if isinstance(what, os.PathLike) or (isinstance(what, str) and not is_study_text(what)):
        return read_file(os.fspath(what)).check_size()
    if isinstance(what, str):
        return GivenFile("study.headlight", what.encode())
    name = re.sub(r'[/\\\0]', "_", title or "attention")
    return given_attention(what, tokens, source, name).check_size()


def is_study_text(text):
    return text.lstrip().startswith("{")


# ---- attention ----


def given_attention(what, tokens=None, source=None, name="attention"):
    """A recording in half floats: one file, or of large patterns overviews, and the patterns later."""
    if is_graph(what):
        data = attention_bytes(what, tokens, source)
        return GivenFile(f"{name}.safetensors", data, look=edge_look(what, tokens))
    what = attention_of(what)
    if isinstance(what, dict):
        return GivenFile(f"{name}.safetensors", attention_bytes(what, tokens, source))
    what = stack_layers(what)
    rows = [str(token) for token in (range(what.shape[2]) if tokens is None else tokens)]
    columns = rows if source is None else [str(token) for token in source]
    check_text(rows, columns if source else None, {"cross" if source else "self": {"pattern": what}})
    if source is None and is_large(what) and kept_type(what) == "float16":
        given = later_recording(what, rows, name)
    else:
        given = GivenFile(f"{name}.safetensors", attention_bytes(what, tokens, source))
    kept = what.copy() if what.nbytes <= MOST_BYTES else what  # arrays may change afterwards

    def look(layer, head, row, column):
        return {"row_name": rows[row], "column_name": columns[column],
                "value": json_value(kept[layer, head, row, column])}

    given.look = look
    return given


def edge_look(what, tokens):
    """The function that finds an edge by its place in the window, where readers come in order."""
    edges, alphas = edge_layers(what, is_two_sets(tokens))
    order = np.lexsort(edges)

    def look(layer, head, row, _column):
        edge = int(order[row])
        values = to_numpy(alphas[layer])
        return {"edge": edge, "value": json_value(values.reshape(len(values), -1)[edge, head])}

    return look


def json_value(number):
    """The number; of what JSON has no number for, its name, as the window tells it."""
    return float(number) if np.isfinite(number) else str(float(number))


def kept_type(numbers):
    """The type in which they travel: half floats if these hold the largest one, and are exact to
    three figures there."""
    finite = np.abs(numbers[np.isfinite(numbers)])
    largest = finite.max(initial=0)
    return "float16" if largest == 0 or 1e-3 <= largest <= 65504 else "float32"


def is_large(patterns):
    """True of patterns that are sent one by one."""
    return patterns.shape[2] > MOST_AT_ONCE and 2 * patterns.size > BYTES_AT_ONCE


def later_recording(patterns, tokens, name="attention"):
    """A recording whose index names overviews and metrics, and a file for each head."""
    n_layers, n_heads, n = patterns.shape[:3]
    key = uuid.uuid4().hex[:12]  # no other recording has files of these names
    heads = [(layer, head) for layer in range(n_layers) for head in range(n_heads)]
    names = [f"{key}.{layer}.{head}.safetensors" for layer, head in heads]
    summaries = f"{key}.overviews.safetensors"
    index = {
        "attention": VERSION, "texts": [{"tokens": tokens}],
        "attentions": [{"kind": "self", "layers": n_layers, "heads": n_heads}],
        "shards": [*names, summaries],
        "arrays": [
            {"shard": shard, "text": 0, "kind": "self", "layers": [layer, layer + 1],
             "heads": [head, head + 1], "pattern": "pattern"}
            for shard, (layer, head) in enumerate(heads)
        ],
        "summaries": {"shard": len(names), "overviews": "overviews", "metrics": "metrics"},
    }
    kept = patterns.astype(np.float32)  # a copy: the arrays may change before they are asked for
    overviews, metrics = summarise(kept, tokens, overview_side(len(heads), n))

    def file_of(layer, head):
        pattern = kept[layer, head].astype(np.float16)[None, None]
        return b"".join(safetensors_bytes({"pattern": pattern}))

    later = {name: partial(file_of, *place) for name, place in zip(names, heads)}
    text = json.dumps(index, ensure_ascii=False).encode()
    arrays = {"overviews": overviews, "metrics": metrics}
    beside = {summaries: b"".join(safetensors_bytes(arrays))}
    return GivenFile(f"{name}.json", text, beside, later, kept.nbytes // 2)


def attention_bytes(what, tokens=None, source=None):
    """A recording as one safetensors file, in half floats where these hold the numbers."""
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
    dtype = "float16" if isinstance(what, dict) else kept_type(stack_layers(what))
    return recording_bytes(lambda writer: writer.add(tokens, what, source), dtype=dtype)


def attention_of(what):
    """Patterns, or patterns by kind, of a cache or of what a model returned."""
    if what is None or isinstance(what, (tuple, list)) and len(what) == 0:
        raise CaptureError(NO_ATTENTION)
    if hasattr(what, "keys") and hasattr(what, "__getitem__"):
        patterns = cached_patterns(what)
        if patterns:
            return patterns
        if not set(what.keys()) & {*KINDS, "attentions", "decoder_attentions", "cross_attentions",
                                   "encoder_attentions", "last_hidden_state", "logits"}:
            raise CaptureError(
                f"these keys name no attention: {', '.join(map(str, list(what.keys())[:4]))}; it is "
                f"named by kind, {', '.join(KINDS)}, or as TransformerLens does, "
                "blocks.0.attn.hook_pattern"
            )
    is_output = hasattr(what, "attentions") or hasattr(what, "last_hidden_state")
    kinds = {}
    # Outputs have members for all kinds, None or empty where there is no such attention.
    for name, kind in (("attentions", "self"), ("decoder_attentions", "self"),
                       ("cross_attentions", "cross"), ("encoder_attentions", "source")):
        layers = getattr(what, name, None)
        if layers is not None and len(layers):
            kinds[kind] = layers
    if is_output and not kinds:
        raise CaptureError(NO_ATTENTION)
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
        # Only the matrix that a new window would show is needed beside the overviews.
        first = [(name, make()) for name, make in list(given.later.items())[:1]]
        for name, data in [(given.name, given.data), *given.beside.items(), *first]:
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
