"""What is given to be shown: caches, models' outputs, graphs and arrays, as files."""

import json
import os
import struct
import tempfile
import unittest
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import numpy as np

from headlight import CaptureError
from headlight import given as given_module
from headlight import page
from headlight.given import attention_bytes, given_file


def weights(*shape, seed=1):
    return np.random.default_rng(seed).dirichlet(np.ones(shape[-1]), shape[:-1])


def read(data):
    """The index and the arrays of a recording in one file."""
    (size,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + size])
    index = json.loads(header.pop("__metadata__")["attention_index"])
    arrays = {}
    for name, entry in header.items():
        begin, end = (8 + size + offset for offset in entry["data_offsets"])
        assert entry["dtype"] == "F16"
        arrays[name] = np.frombuffer(data[begin:end], "<f2").reshape(entry["shape"])
    return index, arrays


class Given(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="headlight given ")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def check(self, data, wanted, kind="self"):
        index, arrays = read(data)
        piece = next(piece for piece in index["arrays"] if piece["kind"] == kind)
        np.testing.assert_allclose(arrays[piece["pattern"]], wanted, atol=5e-4)
        return index

    def test_an_array_has_its_tokens_or_numbers(self):
        patterns = weights(2, 3, 4, 4)
        index = self.check(attention_bytes(patterns, list("abcd")), patterns)
        self.assertEqual(index["texts"], [{"tokens": ["a", "b", "c", "d"]}])
        index = self.check(attention_bytes(patterns), patterns)
        self.assertEqual(index["texts"][0]["tokens"], ["0", "1", "2", "3"])

    def test_layers_with_a_batch_of_one_as_transformers_returns_them(self):
        patterns = weights(2, 3, 4, 4)
        layers = tuple(layer[None] for layer in patterns)
        self.check(attention_bytes(layers), patterns)
        for others in ({}, {"cross_attentions": None}, {"cross_attentions": ()}):
            output = SimpleNamespace(attentions=layers, **others)
            self.check(attention_bytes(output), patterns)

    def test_an_encoder_and_a_decoder(self):
        source, target, cross = weights(2, 3, 5, 5), weights(2, 3, 4, 4), weights(2, 3, 4, 5)
        output = SimpleNamespace(encoder_attentions=tuple(source[:, None]),
                                 decoder_attentions=tuple(target[:, None]),
                                 cross_attentions=tuple(cross[:, None]))
        data = attention_bytes(output, list("abcd"), list("vwxyz"))
        for kind, wanted in (("source", source), ("self", target), ("cross", cross)):
            self.check(data, wanted, kind)

    def test_a_model_that_returned_none_says_how_to_call_it(self):
        for none in (None, ()):
            with self.assertRaisesRegex(CaptureError, "output_attentions=True"):
                attention_bytes(SimpleNamespace(attentions=none, cross_attentions=none))

    def test_a_cache_of_transformer_lens(self):
        patterns = weights(11, 3, 4, 4)
        cache = {f"blocks.{layer}.attn.hook_pattern": patterns[layer][None] for layer in range(11)}
        cache["blocks.0.hook_resid_pre"] = np.zeros((1, 4, 8))
        self.check(attention_bytes(cache, list("abcd")), patterns)
        del cache["blocks.3.attn.hook_pattern"]
        with self.assertRaisesRegex(CaptureError, "from 0 on"):
            attention_bytes(cache)

    def test_edges_as_layers_of_pytorch_geometric_return_them(self):
        edges = np.array([[0, 1, 2], [1, 2, 0]])
        alphas = [np.full((3, 2), 1.0), np.full((3, 2), 0.5)]
        out = np.zeros((3, 8))
        for what, n_layers in [
            ((edges, alphas[0]), 1), ((out, (edges, alphas[0])), 1),
            ([(edges, alpha) for alpha in alphas], 2),
            ([(out, (edges, alpha)) for alpha in alphas], 2),
        ]:
            index, arrays = read(attention_bytes(what, ["a", "b", "c"]))
            self.assertEqual(index["texts"][0]["nodes"], ["a", "b", "c"])
            self.assertEqual(index["attentions"][0]["kind"], "edges")
            self.assertEqual(len(arrays), n_layers)

    def test_a_batch_of_more_is_refused(self):
        with self.assertRaisesRegex(CaptureError, "one text"):
            attention_bytes([weights(2, 3, 4, 4)])

    def test_a_studys_text_and_a_file(self):
        self.assertEqual(given_file('{"headlight": 1}').name, "study.headlight")
        with self.assertRaisesRegex(CaptureError, "cannot be read"):
            given_file("there-is-none.headlight")
        (self.folder / "a.headlight").write_text("{}")
        self.assertEqual(given_file(self.folder / "a.headlight").data, b"{}")

    def test_a_file_comes_with_those_that_it_names_and_no_others(self):
        files = {
            "b.lecture": "show: a.headlight\nnot ../secret.txt",
            "a.headlight": '{"recording": {"file": "run 1.attention.json"}, "x": "/etc/passwd"}',
            "run 1.attention.json": '{"shards": ["run 1.safetensors"], "model": "b.lecture"}',
            "run 1.safetensors": "numbers", "other.txt": "not named",
        }
        for name, text in files.items():
            (self.folder / name).write_text(text)
        (self.folder.parent / "secret.txt").write_text("")
        self.addCleanup(os.remove, self.folder.parent / "secret.txt")
        given = given_file(self.folder / "b.lecture")
        self.assertEqual(given.name, "b.lecture")
        self.assertEqual(sorted(given.beside), ["a.headlight", "run 1.attention.json",
                                                "run 1.safetensors"])

    def test_what_is_too_large_for_a_page_says_so(self):
        with mock.patch.object(given_module, "MOST_BYTES", 1000):
            with self.assertRaisesRegex(CaptureError, "show_window"):
                given_file(weights(2, 3, 20, 20))

    def test_the_page_is_looked_for_and_its_absence_said(self):
        named = self.folder / "headlight.html"
        with mock.patch.dict(os.environ, {"HEADLIGHT_PAGE": str(named)}):
            with self.assertRaisesRegex(CaptureError, "no file"):
                page.find_page()
            named.write_text("<body>")
            self.assertEqual(page.find_page(), named)
        with mock.patch.dict(os.environ), mock.patch.object(page, "page_places", lambda: []):
            os.environ.pop("HEADLIGHT_PAGE", None)
            with self.assertRaisesRegex(CaptureError, "./run web"):
                page.find_page()


if __name__ == "__main__":
    unittest.main()
