import io
import os
import stat
import sys
import threading
import unittest
from unittest import mock

import numpy as np

from headlight_capture import CaptureError, Writer, figure, join, show, window, write

from .reading import Folder, Recording


def patterns(n_layers, n_heads, n, m=None, seed=1):
    shares = np.random.default_rng(seed).random((n_layers, n_heads, n, m or n))
    return (shares / shares.sum(axis=-1, keepdims=True)).astype(np.float32)


class Writing(Folder):
    def test_texts_of_different_lengths_come_back(self):
        first, second = patterns(2, 3, 4), patterns(2, 3, 2, seed=2)
        with Writer(self.path("run"), model="small") as writer:
            writer.add("The cat sat .".split(), {"self": first})
            writer.add(["Le", "chat"], {"self": list(second)})
        recording = Recording(self.path("run.attention.json"))
        self.assertEqual(recording.texts(), [["The", "cat", "sat", "."], ["Le", "chat"]])
        self.assertEqual(recording.size(), {"kind": "self", "layers": 2, "heads": 3})
        np.testing.assert_array_equal(recording.array(0, 1, 2), first[1, 2])
        np.testing.assert_array_equal(recording.array(1, 0, 1), second[0, 1])

    def test_arrays_without_a_kind_are_of_the_text_itself_or_from_its_source(self):
        own, crossed = patterns(2, 3, 4), patterns(2, 3, 2, 5, seed=2)
        with Writer(self.path("own")) as writer:
            writer.add("The cat sat .".split(), own)
            writer.add(["Le", "chat"], {"pattern": patterns(2, 3, 2)})
        with Writer(self.path("crossed")) as writer:
            writer.add(["Le", "chat"], crossed, list("abcde"))
        recording = Recording(self.path("own.attention.json"))
        np.testing.assert_array_equal(recording.array(0, 1, 2), own[1, 2])
        self.assertEqual(recording.size("self")["heads"], 3)
        recording = Recording(self.path("crossed.attention.json"))
        self.assertEqual(recording.size("cross")["heads"], 3)

    def test_queries_keys_and_values_of_shared_heads(self):
        random = np.random.default_rng(3)
        parts = {
            "pattern": patterns(2, 4, 3),
            "q": random.normal(size=(2, 4, 3, 5)).astype(np.float32),
            "k": random.normal(size=(2, 2, 3, 5)).astype(np.float32),
            "v": random.normal(size=(2, 2, 3, 6)).astype(np.float32),
        }
        with Writer(self.path("run")) as writer:
            writer.add("abc", {"self": parts})
        recording = Recording(writer.index)
        wanted = {"kind": "self", "layers": 2, "heads": 4, "kv_heads": 2, "d_k": 5, "d_v": 6}
        self.assertEqual(recording.size(), wanted)
        np.testing.assert_array_equal(recording.array(0, 1, 3, part="q"), parts["q"][1, 3])
        np.testing.assert_array_equal(recording.array(0, 1, 3, part="k"), parts["k"][1, 1])

    def test_a_full_shard_is_followed_by_another(self):
        with Writer(self.path("run"), shard_bytes=100) as writer:
            for seed in range(3):
                writer.add("abcd", {"self": patterns(1, 2, 4, seed=seed)})
        recording = Recording(writer.index)
        self.assertEqual(len(recording.index["shards"]), 3)
        for seed in range(3):
            np.testing.assert_array_equal(
                recording.array(seed, 0, 1), patterns(1, 2, 4, seed=seed)[0, 1]
            )

    def test_half_precision_takes_half_the_bytes(self):
        pattern = patterns(1, 2, 50)
        with Writer(self.path("half"), dtype="float16") as writer:
            writer.add(range(50), {"self": pattern})
        np.testing.assert_allclose(Recording(writer.index).array(0, 0, 1), pattern[0, 1], atol=1e-3)
        self.assertLess(os.path.getsize(self.path("half.00000-00000.safetensors")), 2 * pattern.size + 400)

    def test_one_file_holds_its_own_index(self):
        cross = patterns(1, 2, 2, 3)
        path = write(self.path("one.safetensors"), cross, ["Le", "chat"], ["The", "big", "cat"])
        recording = Recording(path)
        self.assertEqual(recording.sources(), [["The", "big", "cat"]])
        np.testing.assert_array_equal(recording.array(kind="cross", head=1), cross[0, 1])
        self.assertEqual(self.names(), ["one.safetensors"])

    def test_what_does_not_fit_is_refused(self):
        good = patterns(2, 3, 4)
        for attentions, tokens, source, said in [
            (good, "abc", None, "4 rows, but there are 3 tokens"),
            (good, [], None, "a text has no token"),
            (good[0, 0], "abcd", None, r"must be \[layers, heads, n, m\]"),
            (patterns(2, 3, 4, 5), "abcd", None, "5 columns, but there are 4 tokens"),
            (patterns(2, 3, 4, 5), "abcd", "abc", "5 columns, but there are 3 source tokens"),
            ([good[0], None], "abcd", None, "attn_implementation='eager'"),
            ([good[0], good[1, :2]], "abcd", None, "layers differ in shape"),
            ([np.stack([good[0], good[0]])], "abcd", None, "Of a batch give one text"),
            (np.array(["a"]), "a", None, "attention is numbers"),
            ({"local": good}, "abcd", None, "no attention of the kind 'local'"),
            ({"self": {"q": good}}, "abcd", None, "has no pattern"),
            ({"self": {"pattern": good, "q": good}}, "abcd", None, "together or not at all"),
        ]:
            with self.subTest(said), self.assertRaisesRegex(CaptureError, said):
                write(self.path("a"), attentions, tokens, source)
        self.assertEqual(self.names(), [])

    def test_texts_of_different_models_are_refused(self):
        with self.assertRaisesRegex(CaptureError, "but those before it"):
            with Writer(self.path("run")) as writer:
                writer.add("ab", {"self": patterns(2, 3, 2)})
                writer.add("ab", {"self": patterns(2, 4, 2)})

    def test_paths_that_cannot_be_are_refused(self):
        with self.assertRaisesRegex(CaptureError, "the folder .* is not there"):
            Writer(self.path("missing/run"))
        with self.assertRaisesRegex(CaptureError, "names a folder"):
            Writer(self.folder + os.sep)
        with self.assertRaisesRegex(CaptureError, "nothing was recorded"):
            Writer(self.path("run")).close()


class Joining(Folder):
    def record(self, rank, world, texts, n_heads=2):
        with Writer(self.path("run"), rank=rank, world=world) as writer:
            for tokens in texts:
                pattern = patterns(1, n_heads, len(tokens), seed=10 * rank + len(tokens))
                writer.add(tokens, {"self": {"pattern": pattern, "v": pattern[..., :2]}})

    def test_texts_of_ranks_follow_each_other(self):
        self.record(0, 3, ["ab", "abc"])
        self.record(1, 3, [])
        self.record(2, 3, ["abcd"])
        recording = Recording(join(self.path("run")))
        self.assertEqual(recording.texts(), [list("ab"), list("abc"), list("abcd")])
        np.testing.assert_array_equal(recording.array(2, 0, 1), patterns(1, 2, 4, seed=24)[0, 1])
        self.assertFalse([name for name in self.names() if "part" in name])

    def test_heads_of_ranks_follow_each_other(self):
        self.record(0, 2, ["abc"], n_heads=1)
        self.record(1, 2, ["abc"], n_heads=3)
        recording = Recording(join(self.path("run.attention.json"), split="heads"))
        self.assertEqual(recording.size()["heads"], 4)
        np.testing.assert_array_equal(recording.array(0, 0, 0), patterns(1, 1, 3, seed=3)[0, 0])
        np.testing.assert_array_equal(recording.array(0, 0, 3), patterns(1, 3, 3, seed=13)[0, 2])

    def test_parts_that_do_not_fit_are_refused(self):
        self.record(0, 2, ["abc"], n_heads=1)
        self.record(1, 2, ["abcd"], n_heads=3)
        with self.assertRaisesRegex(CaptureError, "split='heads'"):
            join(self.path("run"))
        with self.assertRaisesRegex(CaptureError, "different texts"):
            join(self.path("run"), split="heads")
        os.remove(self.path("run.00000.part.json"))
        with self.assertRaisesRegex(CaptureError, "parts of the ranks"):
            join(self.path("run"))


class Showing(Folder):
    """With a program that writes down what it was asked."""

    def setUp(self):
        super().setUp()
        program = self.path("headlight")
        with open(program, "w", encoding="utf-8") as file:
            file.write(
                "#!/bin/sh\n"
                f'printf "%s\\n" "$@" > "{self.path("asked")}"\n'
                'if [ "$1" = export ]; then\n'
                '  case "$4" in *heads.9*) echo "no such head in $2" >&2; exit 1;; esac\n'
                '  printf "<svg/>" > "$6"\n'
                f'elif [ -e "{self.path("late")}" ]; then sleep 0.3; echo it broke >&2; exit 3\n'
                f'elif [ -e "{self.path("broken")}" ]; then\n'
                '  echo "there is no display to open a window on $1" >&2; exit 1\n'
                f'else cp "$1" "{self.path("shown.safetensors")}"; fi\n'
            )
        os.chmod(program, stat.S_IRWXU)
        patch = mock.patch.dict(os.environ, {"HEADLIGHT": program})
        patch.start()
        self.addCleanup(patch.stop)

    def test_show_opens_a_file_of_the_attention(self):
        pattern = patterns(2, 3, 4)
        self.assertEqual(show(list(pattern), "The cat sat .".split()).wait(10), 0)
        recording = Recording(self.path("shown.safetensors"))
        np.testing.assert_array_equal(recording.array(0, 1, 2), pattern[1, 2])
        self.assertEqual(recording.texts(), [["The", "cat", "sat", "."]])

    def make(self, name):
        with open(self.path(name), "w", encoding="utf-8"):
            pass

    def test_a_window_that_does_not_open_is_said(self):
        self.make("broken")
        self.make("some.npz")
        said = "did not open: there is no display to open a window on "
        with mock.patch.object(window, "OPENING_SECS", 60):
            with self.assertRaisesRegex(CaptureError, said + "attention. .*figure"):
                show(patterns(1, 1, 2))
            with self.assertRaisesRegex(CaptureError, said + ".*some.npz$"):
                show(self.path("some.npz"))

    def test_what_the_program_says_later_is_passed_on(self):
        self.make("late")
        with mock.patch.object(window, "OPENING_SECS", 0.01), \
                mock.patch.object(sys, "stderr", io.StringIO()) as said:
            process = show(patterns(1, 1, 2))
            self.assertEqual(process.wait(60), 3)
            for thread in threading.enumerate():
                if thread is not threading.current_thread() and thread.daemon:
                    thread.join(60)
        self.assertEqual(said.getvalue(), "it broke\nheadlight ended with the status 3\n")

    def test_figures_are_what_the_program_draws(self):
        drawn = figure(patterns(2, 3, 4), layer=1, head=2, options=["--theme", "dark"])
        self.assertEqual(drawn._repr_svg_(), "<svg/>")
        self.assertIsNone(drawn._repr_png_())
        with open(self.path("asked"), encoding="utf-8") as file:
            asked = file.read().split("\n")
        self.assertEqual(asked[3], "blocks.1.attn.heads.2.pattern")
        self.assertEqual(asked[6:8], ["--theme", "dark"])
        drawn = figure(patterns(1, 1, 2, 3), "ab", source="abc", format="png")
        self.assertEqual(drawn._repr_png_(), b"<svg/>")

    def test_errors_of_the_program_are_passed_on(self):
        with self.assertRaisesRegex(CaptureError, "no such head in attention"):
            figure(patterns(2, 10, 4), head=9)
        with self.assertRaisesRegex(CaptureError, "neither 'svg' nor 'png'"):
            figure(patterns(2, 3, 4), format="jpg")
        with self.assertRaisesRegex(CaptureError, "is not there"):
            show(self.path("missing"))

    def test_a_missing_program_is_said(self):
        with mock.patch.dict(os.environ, {"HEADLIGHT": self.path("nothing")}):
            with self.assertRaisesRegex(CaptureError, "which is no program"):
                show(patterns(1, 1, 2))
        with mock.patch.dict(os.environ, {"HEADLIGHT": "", "PATH": self.folder + "/none"}):
            with self.assertRaisesRegex(CaptureError, "not on the PATH"):
                figure(patterns(1, 1, 2))


if __name__ == "__main__":
    unittest.main()
