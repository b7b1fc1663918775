"""What is given to be shown: caches, models' outputs, graphs and arrays, as files."""

import json
import os
import struct
import subprocess
import tempfile
import unittest
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from unittest import mock

import numpy as np

from headlight import CaptureError
from headlight import given as given_module
from headlight import page, summaries
from headlight.given import attention_bytes, given_file


def weights(*shape, seed=1):
    return np.random.default_rng(seed).dirichlet(np.ones(shape[-1]), shape[:-1])


def arrays_in(data):
    """The arrays of a safetensors file, and its metadata."""
    (size,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + size])
    metadata = header.pop("__metadata__", {})
    arrays = {}
    for name, entry in header.items():
        begin, end = (8 + size + offset for offset in entry["data_offsets"])
        kind = {"F16": "<f2", "F32": "<f4"}[entry["dtype"]]
        arrays[name] = np.frombuffer(data[begin:end], kind).reshape(entry["shape"])
    return arrays, metadata


def read(data):
    """The index and the arrays of a recording in one file, which are half floats."""
    arrays, metadata = arrays_in(data)
    assert all(array.dtype == np.float16 for array in arrays.values())
    return json.loads(metadata["attention_index"]), arrays


def plain_metrics(A, tokens, skip):
    """The metrics of a pattern as docs/mechanisms.md defines them, cell by cell."""
    n, found = len(A), {name: [] for name in summaries.METRICS}
    is_word = [token != "<pad>" for token in tokens]
    rows = [i for i in range(skip, n) if is_word[i] and A[i, skip:].sum() > 0]
    P = np.zeros((n, n))
    for i in rows:
        P[i, skip:] = A[i, skip:] / A[i, skip:].sum(dtype=np.float64)
    root = np.sqrt(sum(is_word[skip:]))
    for i in rows:
        found["entropy"].append(-sum(p * np.log2(p) for p in P[i] if p > 0))
        found["distance"].append(sum(P[i, j] * abs(i - j) for j in range(n)))
        found["sparsity"].append((root - 1 / np.sqrt((P[i] ** 2).sum())) / (root - 1))
        if i > skip:
            found["previous"].append(P[i, i - 1])
            found["first"].append(P[i, skip])
        if i + 1 < n and is_word[i + 1]:
            found["next"].append(P[i, i + 1])
        earlier = [j for j in range(skip, i) if tokens[j] == tokens[i]]
        if earlier:
            found["duplicate"].append(sum(P[i, j] for j in earlier))
        if [j for j in earlier if j + 1 != i]:
            found["induction"].append(sum(P[i, j + 1] for j in earlier if j + 1 != i))
    values = {name: np.mean(numbers) if numbers else 0 for name, numbers in found.items()}
    values["symmetry"] = (P * P.T).sum() / (P**2).sum()
    values["norm"] = np.nan
    if not found["induction"]:
        values["induction"] = np.nan
    return [values[name] for name in summaries.METRICS]


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

    def test_many_large_patterns_come_one_by_one_after_their_overviews(self):
        patterns = np.random.default_rng(1).random((12, 12, 512, 512), np.float32) ** 4
        patterns /= patterns.sum(-1, keepdims=True)
        given = given_file(list(patterns))
        n_bytes = len(given.data) + sum(len(data) for data in given.beside.values())
        self.assertLess(n_bytes, 2_000_000)
        index = json.loads(given.data)
        self.assertEqual(index["texts"][0]["tokens"][511], "511")
        wanted = patterns[3, 5].copy()
        patterns[:] = 0  # what is changed after it was given is not sent
        piece = index["arrays"][3 * 12 + 5]
        self.assertEqual((piece["layers"], piece["heads"]), ([3, 4], [5, 6]))
        data = given.later[index["shards"][piece["shard"]]]()
        self.assertLess(len(data), 530_000)
        np.testing.assert_allclose(arrays_in(data)[0]["pattern"][0, 0], wanted, rtol=5e-4, atol=1e-7)
        (summary,) = given.beside.values()
        overview = arrays_in(summary)[0]["overviews"][3, 5]
        blocks = wanted.reshape(64, 8, 64, 8).max((1, 3))
        np.testing.assert_allclose(overview, blocks, rtol=5e-4, atol=1e-7)

    def test_files_of_two_recordings_have_other_names(self):
        patterns = np.full((1, 8, 520, 520), 1 / 520, np.float32)
        one, other = given_file(patterns), given_file(patterns)
        self.assertEqual(len(one.later), 8)
        self.assertFalse(set(one.later) & set(other.later))

    def test_what_is_small_comes_at_once(self):
        for patterns in (np.full((12, 12, 128, 128), 1 / 128, np.float32),
                         np.full((1, 1, 512, 512), 1 / 512, np.float32)):
            self.assertFalse(given_file(patterns).later)

    def test_metrics_are_those_of_the_whole_patterns(self):
        tokens = "the cat saw the cat and a dog saw the the cat <pad>".split()
        patterns = weights(1, 2, 13, 13).astype(np.float32)
        patterns[0, 1] = np.tril(patterns[0, 1]) + np.eye(13)
        patterns[0, 1, :, 0] += 500  # a sink
        patterns[0, 1, 6] = 0
        _, metrics = summaries.summarise(patterns, tokens, 4)
        _, others = summaries.summarise(patterns, [str(i) for i in range(13)], 4)
        for head in (0, 1):
            for skip in (0, 1):
                wanted = plain_metrics(patterns[0, head], tokens, skip)
                np.testing.assert_allclose(metrics[0, head, skip], wanted, rtol=1e-4)
            self.assertTrue(np.isnan(others[0, head, 0, summaries.METRICS.index("induction")]))
        patterns[0, 0, 3, 4] = np.nan
        overviews, metrics = summaries.summarise(patterns, tokens, 4)
        self.assertTrue(np.isnan(metrics[0, 0]).all())
        self.assertEqual(np.isnan(overviews[0, 0]).sum(), 1)

    def test_an_overviews_cells_cover_a_pattern_whose_side_they_do_not_divide(self):
        A = np.random.default_rng(1).random((10, 10), np.float32)
        overview = summaries.overview(A, 4)
        self.assertEqual(overview[1, 3], A[2:5, 7:10].max())
        self.assertEqual(overview.max(), A.max())

    @unittest.skipUnless(find_spec("anywidget"), "there is no anywidget")
    def test_a_widget_sends_a_pattern_when_it_is_asked_for(self):
        named = self.folder / "headlight.html"
        named.write_text("<body>")
        with mock.patch.dict(os.environ, {"HEADLIGHT_PAGE": str(named)}):
            from headlight import Widget

            widget = Widget(np.full((1, 8, 520, 520), 1 / 520, np.float32))
        sent = []
        widget.send = lambda content, buffers=None: sent.append((content, buffers))
        widget._hear(None, {"want": "files"}, [])
        (content, buffers), = sent
        self.assertEqual(len(content["files"]), 2)
        self.assertLess(sum(map(len, buffers)), 500_000)
        name = json.loads(buffers[0])["shards"][7]
        widget._hear(None, {"want": "file", "name": name}, [])
        self.assertEqual(sent[1][0], {"file": name})
        widget._hear(None, {"want": "file", "name": "../secret.txt"}, [])
        self.assertEqual(len(sent), 2)

    def test_numbers_beyond_half_floats_travel_as_they_are(self):
        patterns = weights(1, 2, 3, 3)
        for factor in (1e6, 1e-9):
            arrays, _ = arrays_in(attention_bytes(factor * patterns))
            (kept,) = arrays.values()
            np.testing.assert_allclose(kept, factor * patterns, rtol=1e-6)

    def test_a_cell_is_found_without_the_window(self):
        patterns = weights(2, 3, 4, 4)
        patterns[1, 2, 3, 0] = np.nan
        look = given_file(patterns, list("abcd")).look
        self.assertEqual(look(1, 2, 3, 1), {"row_name": "d", "column_name": "b",
                                            "value": patterns[1, 2, 3, 1]})
        self.assertEqual(look(1, 2, 3, 0)["value"], "nan")
        with self.assertRaises(IndexError):
            look(2, 0, 0, 0)

    def test_an_edge_is_found_by_its_place_in_the_window(self):
        edges = np.array([[0, 1, 2, 3, 0], [1, 2, 3, 4, 4]])
        alpha = np.array([[0.1], [0.2], [0.3], [0.4], [0.6]])
        look = given_file((edges, alpha), list("abcde")).look
        self.assertEqual([look(0, 0, row, 0)["edge"] for row in range(5)], [0, 1, 2, 4, 3])
        self.assertEqual(look(0, 0, 3, 0)["value"], 0.6)

    def test_what_is_no_attention_of_one_text_says_what_to_give(self):
        for what, tokens, words in (
            (None, None, "output_attentions=True"), ((), None, "output_attentions=True"),
            (weights(2, 2, 3, 4, 4), None, r"attention\[:, 0\]"),
            (weights(1, 2, 3, 5), list("abc"), "source="),
            ({"layer0": weights(2, 3, 3)}, None, "hook_pattern"),
            (weights(1, 2, 1, 1), ["\ud83d"], "half of a character"),
        ):
            with self.subTest(words), self.assertRaisesRegex(CaptureError, words):
                given_file(what, tokens)

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


@unittest.skipUnless(os.environ.get("HEADLIGHT_BUILT"), "HEADLIGHT_BUILT names no program")
class Summaries(unittest.TestCase):
    def exported(self, file, path):
        output = file.with_name("out.npy")
        subprocess.run([os.environ["HEADLIGHT_BUILT"], "export", file, "--tensor", path, "-o", output],
                       check=True, capture_output=True)
        return np.load(output)

    def test_they_are_what_the_program_makes_of_whole_patterns(self):
        tokens = [f"w{i % 290}" for i in range(299)] + ["<pad>"]
        patterns = np.tril(np.random.default_rng(2).random((1, 2, 300, 300))) ** 6
        patterns[0, 1, 5:, 0] += 300
        patterns = (patterns / patterns.sum(-1, keepdims=True)).astype(np.float32)
        with tempfile.TemporaryDirectory(prefix="headlight given ") as folder, \
                mock.patch.object(given_module, "BYTES_AT_ONCE", 0):
            given = given_file(patterns, tokens)
            index, whole = Path(folder, given.name), Path(folder, "whole.safetensors")
            whole.write_bytes(attention_bytes(patterns, tokens))
            for name, data in [(given.name, given.data), *given.beside.items()]:
                Path(folder, name).write_bytes(data)
            for head in (0, 1):
                place = f"blocks.0.attn.heads.{head}"
                for made, off in (("metrics", 2e-3), ("overview", 1e-6)):
                    np.testing.assert_allclose(self.exported(index, f"{place}.{made}"),
                                               self.exported(whole, f"{place}.{made}"), rtol=off)
            for name, make in given.later.items():
                Path(folder, name).write_bytes(make())
            path = "blocks.0.attn.heads.1.pattern"
            np.testing.assert_array_equal(self.exported(index, path), self.exported(whole, path))


if __name__ == "__main__":
    unittest.main()
