"""Writes recordings: safetensors shards and the index that names them."""

import json
import os
import re
import struct

import numpy as np

from .arrays import KINDS, PARTS, check_text, stack_layers, to_numpy
from .errors import CaptureError
from .graphs import edge_layers, edge_list, edge_parts, is_two_sets, placed_nodes
from .pictures import picture_pixels, png_bytes, tokens_before

INDEX_ENDING = ".attention.json"
VERSION = 1
TYPES = {"float32": "F32", "float16": "F16", "float64": "F64"}


def safetensors_bytes(arrays, metadata=None):
    """Yields the bytes of a safetensors file: its header, then each array."""
    header, at = {}, 0
    if metadata:
        header["__metadata__"] = metadata
    for name, array in arrays.items():
        header[name] = {
            "dtype": TYPES[array.dtype.name],
            "shape": list(array.shape),
            "data_offsets": [at, at + array.nbytes],
        }
        at += array.nbytes
    text = json.dumps(header, ensure_ascii=False).encode()
    text += b" " * (-len(text) % 8)
    yield struct.pack("<Q", len(text)) + text
    for array in arrays.values():
        yield np.ascontiguousarray(array).astype(array.dtype.newbyteorder("<"), copy=False).tobytes()


def write_whole(path, pieces):
    """Writes a file completely or not at all."""
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        with open(temporary, "wb") as file:
            for piece in pieces:
                file.write(piece)
        os.replace(temporary, path)
    finally:
        if os.path.exists(temporary):
            os.remove(temporary)


def recording_base(path):
    """The path without the ending of an index."""
    path = os.fspath(path)
    base = path[: -len(INDEX_ENDING)] if path.endswith(INDEX_ENDING) else path
    if not os.path.basename(base):
        raise CaptureError(f"{path!r} names a folder; a recording needs a name in it")
    folder = os.path.dirname(base) or "."
    if not os.path.isdir(folder):
        raise CaptureError(f"the folder {folder!r} is not there")
    return base


def by_kind(attentions, source):
    """Arrays, or parts of attention, without a kind: of the text itself, or from a source."""
    if isinstance(attentions, dict) and not (attentions and set(attentions) <= set(PARTS)):
        return attentions
    return {"self" if source is None else "cross": attentions}


def measure_sizes(attentions):
    """What the index says of each kind: layers, heads and widths."""
    sizes = {}
    for kind, parts in attentions.items():
        pattern = parts["pattern"]
        size = {"kind": kind, "layers": pattern.shape[0], "heads": pattern.shape[1]}
        shared = {parts[part].shape[1] for part in ("k", "v") if part in parts}
        if len(shared) > 1:
            raise CaptureError(f"{kind}: keys and values have different numbers of heads: {shared}")
        if shared and shared != {size["heads"]}:
            size["kv_heads"] = shared.pop()
        if "k" in parts:
            if parts["q"].shape[3] != parts["k"].shape[3]:
                raise CaptureError(f"{kind}: queries and keys differ in width")
            size["d_k"] = parts["k"].shape[3]
        if "v" in parts:
            size["d_v"] = parts["v"].shape[3]
        sizes[kind] = size
    return sizes


class Writer:
    """Writes one recording, text by text; `with` it, or call close.

    path: NAME or NAME.attention.json. Of several processes each has its rank and writes its own
    shards; join then makes one index of them. dtype: "float32" or "float16", half as large.
    """

    def __init__(self, path, *, model=None, dtype="float32", rank=0, world=1, shard_bytes=1 << 30):
        if dtype not in TYPES:
            raise CaptureError(f"dtype {dtype!r} is none of {sorted(TYPES)}")
        if not 0 <= rank < world:
            raise CaptureError(f"rank {rank} is not among {world} processes")
        self._base = recording_base(path)
        self._model, self._dtype, self._rank, self._world = model, dtype, rank, world
        self._shard_bytes = shard_bytes
        self._texts, self._sizes, self._pieces, self._shards = [], None, [], []
        self._arrays, self._n_bytes = {}, 0
        self._is_closed = False

    @property
    def index(self):
        """The path of the index."""
        return self._base + INDEX_ENDING

    def add(self, tokens, attentions, source=None):
        """Adds a text.

        attentions: by kind ("self", "cross", "source") the patterns, [layers, heads, n, m] or a
        list of layers; or a dictionary of these, "pattern", "q", "k" and "v". Without a kind they
        are "self", with a source "cross".
        """
        tokens = [str(token) for token in tokens]
        source = None if source is None else [str(token) for token in source]
        given = {}
        for kind, parts in by_kind(attentions, source).items():
            parts = parts if isinstance(parts, dict) else {"pattern": parts}
            given[kind] = {
                part: stack_layers(parts[part], f"{kind} {part}").astype(self._dtype)
                for part in parts
            }
        if not given:
            raise CaptureError("a text has no attention")
        check_text(tokens, source, given)
        needs_source = any(kind != "self" for kind in given)
        text = {"tokens": tokens, **({"source": source} if needs_source else {})}
        self._add_text(text, measure_sizes(given), given)

    def add_picture(self, picture, attentions, grid, before=None):
        """Adds a picture whose patches attend to each other; it is written as a PNG beside the index.

        picture: see pictures.picture_pixels. attentions: [layers, heads, n, n], a list of layers, or
        a dictionary of these, "pattern", "q", "k" and "v". grid: (rows, columns) of the patches, the
        last ones of the n tokens; before: names of those that stand before them ([CLS], [REG1] …).
        """
        parts = attentions if isinstance(attentions, dict) else {"pattern": attentions}
        given = {part: stack_layers(parts[part], part).astype(self._dtype) for part in parts}
        rows, columns = (int(size) for size in grid)
        n = given["pattern"].shape[2] if "pattern" in given else 0
        if rows < 1 or columns < 1 or rows * columns > n:
            raise CaptureError(f"a grid of {rows} × {columns} patches does not fit {n} tokens")
        before = tokens_before(n - rows * columns, before)
        check_text([""] * n, None, {"self": given})
        sizes = measure_sizes({"self": given})
        self._check_sizes(sizes, "patches")
        pixels = picture_pixels(picture)
        name = f"{self._base}.{self._rank:05d}-{len(self._texts):05d}.png"
        write_whole(name, [png_bytes(pixels)])
        patches = {"rows": rows, "columns": columns, "before": before,
                   "picture": os.path.basename(name), "pixels": list(pixels.shape[:2])}
        self._add_text({"patches": patches}, sizes, {"self": given})

    def add_graph(self, edges, attentions, nodes=None):
        """Adds a graph with the attention of its edges.

        edges: [2, E], sources and targets, the readers. attentions: α of each layer, [E, heads]; or
        a dictionary of "pattern" and, of each layer [n, heads, width], "q", "k" and "v". nodes:
        their names, or how many there are; or (names of the sources, names of the targets), if the
        targets are other nodes and the edges count them on their own.
        """
        edges = edge_list(edges)
        nodes, edges = placed_nodes(nodes, edges)
        n_nodes = nodes if isinstance(nodes, int) else len(nodes)
        parts = {
            part: [layer.astype(self._dtype) for layer in layers]
            for part, layers in edge_parts(attentions, edges.shape[1], n_nodes).items()
        }
        heads = [len(layer) for layer in parts["pattern"]]
        size = {"kind": "edges", "layers": len(heads),
                "heads": heads[0] if len(set(heads)) == 1 else heads}
        for part, key in (("k", "d_k"), ("v", "d_v")):
            if part in parts:
                size[key] = parts[part][0].shape[2]
        if "q" in parts and parts["q"][0].shape[2] != size["d_k"]:
            raise CaptureError("edges: queries and keys differ in width")
        self._check_sizes({"edges": size}, "nodes")
        text = len(self._texts)
        self._texts.append({"nodes": nodes, "edges": edges.tolist()})
        for layer, n_heads in enumerate(heads):
            arrays = {part: parts[part][layer][None] for part in PARTS if part in parts}
            self._add_piece(text, "edges", ([layer, layer + 1], [0, n_heads]), arrays)
        self._flush_if_full()

    def _check_sizes(self, sizes, form):
        if self._sizes not in (None, sizes):
            raise CaptureError(f"a text has {sizes}, but those before it {self._sizes}")
        if self._texts and form not in self._texts[0]:
            raise CaptureError(f"a text has {form}, but those before it {sorted(self._texts[0])}")
        self._sizes = sizes

    def _add_text(self, text, sizes, given):
        self._check_sizes(sizes, "patches" if "patches" in text else "tokens")
        number = len(self._texts)
        self._texts.append(text)
        for kind in KINDS:
            if kind in given:
                size = sizes[kind]
                places = ([0, size["layers"]], [0, size["heads"]])
                self._add_piece(number, kind, places, given[kind])
        self._flush_if_full()

    def _add_piece(self, text, kind, places, parts):
        piece = {"shard": len(self._shards), "text": text, "kind": kind}
        piece["layers"], piece["heads"] = places
        begin = f".{places[0][0]}" if kind == "edges" else ""
        for part in PARTS:
            if part in parts:
                piece[part] = f"{text}.{kind}{begin}.{part}"
                self._arrays[piece[part]] = parts[part]
                self._n_bytes += parts[part].nbytes
        self._pieces.append(piece)

    def _flush_if_full(self):
        if self._n_bytes >= self._shard_bytes:
            self._flush()

    def _flush(self):
        if not self._arrays:
            return
        name = f"{self._base}.{self._rank:05d}-{len(self._shards):05d}.safetensors"
        write_whole(name, safetensors_bytes(self._arrays))
        self._shards.append(os.path.basename(name))
        self._arrays, self._n_bytes = {}, 0

    def _content(self):
        return {
            "attention": VERSION,
            **({"model": self._model} if self._model else {}),
            "texts": self._texts,
            "attentions": list((self._sizes or {}).values()),
            "shards": self._shards,
            "arrays": self._pieces,
        }

    def close(self):
        """Writes what is left: the index, or of several processes this one's part of it."""
        if self._is_closed:
            return
        self._is_closed = True
        if not self._texts and self._world == 1:
            raise CaptureError("nothing was recorded: there is no text")
        self._flush()
        path = self.index if self._world == 1 else part_name(self._base, self._rank)
        write_json(path, self._content())

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind is None:
            self.close()


def write_json(path, content):
    write_whole(path, [json.dumps(content, ensure_ascii=False).encode()])


def part_name(base, rank):
    return f"{base}.{rank:05d}.part.json"


def join(path, *, split="texts"):
    """Makes one index of the parts that several processes have written beside `path`.

    split: what the processes shared out. "texts": each had its own; they follow each other, rank
    by rank. "heads": all had the same texts and each some of the heads, in the order of the ranks.
    capture calls this; it is for parts that were written on machines without a common folder and
    then copied into one. Returns the path of the index.
    """
    base = recording_base(path)
    pattern = re.compile(re.escape(os.path.basename(base)) + r"\.(\d{5})\.part\.json")
    folder = os.path.dirname(base) or "."
    ranks = sorted(int(found[1]) for found in map(pattern.fullmatch, os.listdir(folder)) if found)
    return join_parts(base, ranks, split)


def join_parts(base, ranks, split):
    parts = []
    for rank in ranks:
        try:
            with open(part_name(base, rank), encoding="utf-8") as file:
                parts.append(json.load(file))
        except FileNotFoundError:
            raise CaptureError(
                f"{part_name(base, rank)!r} is not there: all processes must write into one "
                "folder, or its files be copied there for join"
            ) from None
    if split not in ("texts", "heads"):
        raise CaptureError(f"split {split!r} is neither 'texts' nor 'heads'")
    if ranks != list(range(len(ranks))) or not ranks:
        raise CaptureError(f"there are parts of the ranks {ranks}; they must be 0, 1, 2, …")
    parts = [part for part in parts if part["texts"]]
    if not parts:
        raise CaptureError("nothing was recorded: there is no text")
    index = join_texts(parts) if split == "texts" else join_heads(parts)
    write_json(base + INDEX_ENDING, index)
    for rank in ranks:
        os.remove(part_name(base, rank))
    return base + INDEX_ENDING


def joined(parts, texts, attentions):
    """The index of parts, with pieces that point to shards of all of them."""
    index = {**parts[0], "texts": texts, "attentions": attentions, "shards": [], "arrays": []}
    for part in parts:
        n_before = len(index["shards"])
        index["shards"] += part["shards"]
        index["arrays"] += [
            {**piece, "shard": piece["shard"] + n_before} for piece in part["arrays"]
        ]
    return index


def join_texts(parts):
    for part in parts:
        if part["attentions"] != parts[0]["attentions"]:
            raise CaptureError(
                f"processes recorded {parts[0]['attentions']} and {part['attentions']}; if they "
                "share out the heads, say split='heads'"
            )
    n_before = 0
    for part in parts:
        for piece in part["arrays"]:
            piece["text"] += n_before
        n_before += len(part["texts"])
    texts = [text for part in parts for text in part["texts"]]
    return joined(parts, texts, parts[0]["attentions"])


def join_heads(parts):
    if "tokens" not in parts[0]["texts"][0]:
        raise CaptureError("split='heads' is for texts of tokens")
    sizes = {size["kind"]: {**size, "heads": 0, "kv_heads": 0} for size in parts[0]["attentions"]}
    for part in parts:
        if part["texts"] != parts[0]["texts"]:
            raise CaptureError("split='heads', but the processes recorded different texts")
        for size in part["attentions"]:
            whole = sizes.get(size["kind"], {})
            if {**whole, "heads": 0, "kv_heads": 0} != {**size, "heads": 0, "kv_heads": 0}:
                raise CaptureError(f"processes recorded {parts[0]['attentions']} and {size}")
            for piece in part["arrays"]:
                if piece["kind"] == size["kind"]:
                    piece["heads"] = [whole["heads"] + head for head in piece["heads"]]
            whole["kv_heads"] += size.get("kv_heads", size["heads"])
            whole["heads"] += size["heads"]
    return joined(parts, parts[0]["texts"], list(sizes.values()))


def recording_pieces(add, *, dtype="float32"):
    """The bytes, in pieces, of one safetensors file with its own index. add: called with a Writer."""
    writer = Writer("one", dtype=dtype, shard_bytes=float("inf"))
    add(writer)
    index = writer._content()
    del index["shards"]
    for piece in index["arrays"]:
        del piece["shard"]
    text = json.dumps(index, ensure_ascii=False)
    return safetensors_bytes(writer._arrays, {"attention_index": text})


def recording_bytes(add, *, dtype="float32"):
    """The bytes of such a file."""
    return b"".join(recording_pieces(add, dtype=dtype))


def write(path, attentions, tokens, source=None, *, dtype="float32"):
    """Writes one text into one safetensors file, which Headlight opens.

    attentions: [layers, heads, n, n], a list of layers, or with a source [layers, heads, n, m];
    or by kind, as Writer.add takes them.
    """
    folder = os.path.dirname(os.fspath(path)) or "."
    if not os.path.isdir(folder):
        raise CaptureError(f"the folder {folder!r} is not there")
    pieces = recording_pieces(lambda w: w.add(tokens, attentions, source), dtype=dtype)
    write_whole(path, pieces)
    return os.fspath(path)


def write_picture(path, picture, attentions, grid, before=None, *, dtype="float32"):
    """Writes one picture and the attention of its patches; see Writer.add_picture.

    Returns the path of the index.
    """
    with Writer(path, dtype=dtype) as writer:
        writer.add_picture(picture, attentions, grid, before)
    return writer.index


def write_graph(path, returned, nodes=None, *, dtype="float32"):
    """Writes one graph with the attention of its edges. Returns the path of the index.

    returned: for each layer (edge_index, α), or (output, (edge_index, α)), as modules of PyTorch
    Geometric return with return_attention_weights=True. nodes: their names; where edges lead from
    nodes of one kind to those of another, (names of the sources, names of the targets).
    """
    edges, alphas = edge_layers(returned, is_two_sets(nodes))
    with Writer(path, dtype=dtype) as writer:
        writer.add_graph(edges, alphas, nodes)
    return writer.index
