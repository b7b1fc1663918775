"""With the program itself: what the package writes is what Headlight reads, number by number."""

import os
import subprocess
import unittest
from unittest import mock

import numpy as np
import torch

from headlight_capture import (
    CaptureError, Writer, capture, figure, show, window, write, write_graph, write_picture,
)

from .reading import Folder
from .test_shards import patterns
from .test_stacks import Towers, encoder, own_attention

PROGRAM = os.environ.get("HEADLIGHT_BUILT")


@unittest.skipUnless(PROGRAM, "HEADLIGHT_BUILT names no program")
class Program(Folder):
    def setUp(self):
        super().setUp()
        patch = mock.patch.dict(os.environ, {"HEADLIGHT": PROGRAM})
        patch.start()
        self.addCleanup(patch.stop)

    def run_program(self, *arguments):
        ran = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran.stdout

    def exported(self, file, path, *more):
        output = self.path("out.npy")
        self.run_program("export", file, "--tensor", path, "-o", output, *more)
        return np.load(output)

    def test_texts_queries_and_shared_keys(self):
        random = np.random.default_rng(5)
        texts = []
        with Writer(self.path("run"), shard_bytes=2000) as writer:
            for n in (3, 5):
                parts = {
                    "pattern": patterns(2, 4, n, seed=n),
                    "q": random.normal(size=(2, 4, n, 3)).astype(np.float32),
                    "k": random.normal(size=(2, 2, n, 3)).astype(np.float32),
                }
                texts.append(parts)
                writer.add([f"w{i}" for i in range(n)], {"self": parts})
        for number, parts in enumerate(texts):
            which = ["--sentence", str(number + 1)]
            for path, wanted in [
                ("blocks.1.attn.heads.3.pattern", parts["pattern"][1, 3]),
                ("blocks.0.attn.heads.2.q", parts["q"][0, 2]),
                ("blocks.1.attn.kv.1.k", parts["k"][1, 1]),
            ]:
                np.testing.assert_array_equal(self.exported(writer.index, path, *which), wanted)
        rollout = self.exported(writer.index, "across.rollout", "--sentence", "2")
        means = [0.5 * layer.mean(axis=0) + 0.5 * np.eye(5) for layer in texts[1]["pattern"]]
        np.testing.assert_allclose(rollout, means[1] @ means[0], atol=1e-6)

    def test_the_chosen_one_of_two_stacks(self):
        model, texts = Towers(encoder(1), encoder(2, 4)), [torch.randn(2, n, 8) for n in (3, 5)]
        with torch.no_grad(), capture(model, self.path("run"), stack="towers.1"):
            model(*texts)
        file = self.path("run.attention.json")
        self.assertNotIn("blocks.2.", self.run_program("list", file))
        shown = self.exported(file, "blocks.1.attn.heads.3.pattern", "--sentence", "2")
        wanted = own_attention(model.towers[1].layers, texts[1])
        np.testing.assert_allclose(shown, wanted[1][1, 3], atol=1e-6)

    def test_edges_of_a_graph(self):
        edges = np.array([[2, 1, 1, 0], [1, 2, 0, 1]])
        alphas = [np.random.default_rng(heads).random((4, heads)) for heads in (3, 1)]
        write_graph(self.path("run"), [(edges, alpha) for alpha in alphas], ["a", "b", "c"])
        order = [2, 3, 0, 1]  # by reader, then by what is read
        for layer, alpha in enumerate(alphas):
            for head in range(alpha.shape[1]):
                path = f"blocks.{layer}.attn.heads.{head}.pattern"
                shown = self.exported(self.path("run.attention.json"), path)
                np.testing.assert_array_equal(shown[:, 0], alpha[order, head].astype(np.float32))

    def test_edges_between_two_kinds_of_nodes(self):
        edges, alpha = np.array([[0, 1, 2, 2], [0, 0, 1, 0]]), np.array([0.25, 0.5, 1, 0.25])
        nodes = ["Ada", "Bob", "Cy"], ["Dune", "Emma"]
        write_graph(self.path("run"), [(edges, alpha)], nodes)
        file = self.path("run.attention.json")
        shown = self.exported(file, "blocks.0.attn.heads.0.pattern")
        np.testing.assert_array_equal(shown[:, 0], [0.25, 0.5, 0.25, 1])
        self.run_program("export", file, "--tensor", "blocks.0.attn.heads.0.pattern",
                         "-o", self.path("out.csv"))
        with open(self.path("out.csv"), encoding="utf-8") as table:
            rows = table.read().splitlines()[1:]
        self.assertEqual(
            rows, ["Dune ← Ada,0.25", "Dune ← Bob,0.5", "Dune ← Cy,0.25", "Emma ← Cy,1"]
        )

    def test_patches_of_a_picture(self):
        pixels = np.arange(72, dtype=np.uint8).reshape(4, 6, 3)
        pattern = patterns(1, 2, 7, seed=1)
        write_picture(self.path("run"), pixels, pattern, (2, 3))
        file = self.path("run.attention.json")
        shown = self.exported(file, "blocks.0.attn.heads.1.pattern")
        np.testing.assert_array_equal(shown, pattern[0, 1])
        np.testing.assert_array_equal(
            self.exported(file, "image"), (pixels.reshape(24, 3) / 255).astype(np.float32)
        )

    def test_a_translation_in_half_precision(self):
        cross = patterns(2, 2, 3, 4)
        with Writer(self.path("run"), dtype="float16") as writer:
            writer.add("abc", {"self": patterns(1, 2, 3), "cross": cross,
                               "source": patterns(3, 1, 4)}, source="wxyz")
        np.testing.assert_array_equal(
            self.exported(writer.index, "decoder.blocks.1.cross.heads.0.pattern"),
            cross[1, 0].astype(np.float16).astype(np.float32),
        )
        listed = self.run_program("list", writer.index)
        self.assertIn("encoder.blocks.2.attn.heads.0.pattern", listed)
        self.assertIn("decoder.blocks.0.attn.heads.1.pattern", listed)

    def test_one_file_of_cross_attention_and_its_words(self):
        cross = patterns(1, 2, 2, 3)
        path = write(self.path("one"), cross, ["Le", "chat"], ["The", "big", "cat"])
        np.testing.assert_array_equal(
            self.exported(path, "blocks.0.cross.heads.1.pattern"), cross[0, 1]
        )
        self.assertEqual(self.run_program("words", path), "The\tbig\tcat\nLe\tchat\n")

    def test_figures(self):
        pattern = patterns(2, 3, 4)
        drawn = figure(list(pattern), "The cat sat .".split(), layer=1, head=2)
        self.assertIn("<svg", drawn.data)
        self.assertIn("cat</text>", drawn.data)
        self.assertTrue(figure(pattern, format="png").data.startswith(b"\x89PNG"))
        self.assertIn("chat", figure(patterns(1, 1, 1, 2), ["chat"], source=["a", "cat"]).data)
        nowhere = {name: "" for name in ("DISPLAY", "WAYLAND_DISPLAY")}
        with mock.patch.dict(os.environ, nowhere), mock.patch.object(window, "OPENING_SECS", 60):
            with self.assertRaisesRegex(CaptureError, "did not open: .*no display .*figure"):
                show(pattern)
        with self.assertRaisesRegex(CaptureError, "head=7: there are 3, numbered from 0 to 2"):
            figure(pattern, layer=1, head=7)
        with self.assertRaisesRegex(CaptureError, "layer=-1: there are 2, numbered from 0 to 1"):
            figure(pattern, layer=-1)


if __name__ == "__main__":
    unittest.main()
