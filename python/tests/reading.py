"""Reads recordings in the tests, independently of how the package writes them."""

import json
import os
import tempfile
import unittest

from safetensors import safe_open


class Folder(unittest.TestCase):
    """A test with a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="headlight capture ")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, name):
        return os.path.join(self.folder, name)

    def names(self):
        return sorted(os.listdir(self.folder))


class Recording:
    """An index and its shards."""

    def __init__(self, path):
        self.folder = os.path.dirname(path)
        if path.endswith(".json"):
            with open(path, encoding="utf-8") as file:
                self.index = json.load(file)
        else:
            with safe_open(path, "np") as file:
                self.index = json.loads(file.metadata()["attention_index"])
            self.index["shards"] = [os.path.basename(path)]

    def texts(self):
        return [text["tokens"] for text in self.index["texts"]]

    def sources(self):
        return [text["source"] for text in self.index["texts"]]

    def size(self, kind="self"):
        return next(size for size in self.index["attentions"] if size["kind"] == kind)

    def array(self, text=0, layer=0, head=0, kind="self", part="pattern"):
        """The matrix of a head; of keys and values, of the head that it shares."""
        group = 1
        if part in ("k", "v"):
            group = self.size(kind)["heads"] // self.size(kind).get("kv_heads", self.size(kind)["heads"])
        for piece in self.index["arrays"]:
            layers, heads = piece["layers"], piece["heads"]
            if (piece["text"], piece["kind"]) != (text, kind):
                continue
            if layers[0] <= layer < layers[1] and heads[0] <= head < heads[1]:
                name = self.index["shards"][piece.get("shard", 0)]
                with safe_open(os.path.join(self.folder, name), "np") as file:
                    array = file.get_tensor(piece[part])
                return array[layer - layers[0], (head - heads[0]) // group]
        raise AssertionError(f"no array of {(text, kind, layer, head, part)}")
