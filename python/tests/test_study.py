"""Computing from Python: the numbers of the program, and its words where it refuses."""

import os
import subprocess
import tempfile
import time
import unittest

import numpy as np

PROGRAM = os.environ.get("HEADLIGHT_BUILT")
if PROGRAM:
    os.environ["HEADLIGHT"] = PROGRAM
from headlight import study  # noqa: E402

PATTERN, Z = "blocks.0.attn.heads.1.pattern", "blocks.0.attn.heads.1.z"
STREAM = "blocks.0.resid_post"


@unittest.skipUnless(PROGRAM, "HEADLIGHT_BUILT names no program")
class Studies(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.file = os.path.join(cls.folder.name, "a.headlight")
        subprocess.run([PROGRAM, "new", "induction", "-o", cls.file], check=True)
        cls.study = study.open_study(cls.file)

    def exported(self, path, *more):
        output = os.path.join(self.folder.name, "out.npy")
        subprocess.run([PROGRAM, "export", self.file, "--tensor", path, "-o", output, *more], check=True,
                       capture_output=True)
        return np.load(output)

    def test_matrices_are_those_of_the_program(self):
        run = self.study.run()
        np.testing.assert_array_equal(run[PATTERN], self.exported(PATTERN))
        self.assertEqual(run[PATTERN].dtype, np.float32)
        self.assertIn("logits", list(run))
        self.assertEqual(set(run.many("*.z")), {path for path in run
                                                if path.endswith(".z") and not path.startswith("probe.")})
        text = "a b c a b"
        np.testing.assert_array_equal(self.study.run(text)["logits"],
                                      self.exported("logits", "--text", text))
        self.assertEqual(self.study.tokens(text), text.split())

    def test_changes(self):
        self.assertFalse(self.study.run(ablate="0.1")[Z].any())
        changed = self.study.run(ablate=["0.*", "1.0=mean"], set={PATTERN + "[2,1]": 0.5})
        self.assertEqual(changed[PATTERN][2, 1], 0.5)
        given = np.random.default_rng(1).normal(size=self.study.run()[Z].shape).astype(np.float32)
        np.testing.assert_array_equal(self.study.run(set={Z: given})[Z], given)
        before = self.study.run()[STREAM]
        vector = np.arange(before.shape[1], dtype=np.float32)
        np.testing.assert_allclose(self.study.run(add={STREAM: vector})[STREAM], before + vector, rtol=1e-5,
                                   atol=1e-5)
        frozen = self.study.run(ablate="0.*", freeze="blocks.1.*.pattern")
        np.testing.assert_array_equal(frozen["blocks.1.attn.heads.0.pattern"],
                                      self.study.run()["blocks.1.attn.heads.0.pattern"])
        other = " ".join(reversed(self.study.tokens()))
        np.testing.assert_array_equal(self.study.run(patch="0.1", source=other)[Z], self.study.run(other)[Z])

    def test_tables(self):
        first = self.study.logits(top=3)
        self.assertEqual(len(first), 3)
        self.assertGreater(first[0]["probability"], first[1]["probability"])
        self.assertNotEqual(self.study.logits(ablate="0.*"), self.study.logits())
        self.assertTrue(self.study.sweep())
        heads = self.study.compare(ablate="0.1")
        self.assertTrue(any("head" in row for row in heads))
        self.assertTrue(self.study.heads())
        self.assertTrue(self.study.composition(top=2))

    def test_refusals_are_exceptions_with_the_words_of_the_program(self):
        with self.assertRaisesRegex(study.StudyError, "no tensor is called 'blocks.0.attn.patern'"):
            self.study.run()["blocks.0.attn.patern"]
        with self.assertRaisesRegex(study.StudyError, "has no column"):
            self.study.run(set={PATTERN + "[1,900]": 1})["logits"]
        with self.assertRaisesRegex(study.StudyError, "is not there"):
            study.open_study("/nowhere")
        with self.assertRaises(KeyError):
            self.study.run()["*.z"]
        np.testing.assert_array_equal(self.study.run()[PATTERN], self.exported(PATTERN))  # it goes on

    def test_an_interrupt_mixes_no_answers_up(self):
        before = self.study.logits("a b c a", top=1)

        class Interrupted:
            def __init__(self, stream):
                self.stream = stream

            def readline(self):
                raise KeyboardInterrupt

            def __getattr__(self, name):
                return getattr(self.stream, name)

        server = study._server
        server._process.stdout = Interrupted(server._process.stdout)
        with self.assertRaises(KeyboardInterrupt):
            self.study.logits("c b a c", top=1)
        self.assertEqual(self.study.logits("a b c a", top=1), before)

    def test_files_go_with_what_needs_them(self):
        folder = study._server._folder.name
        vector = np.ones(self.study.run()[STREAM].shape[1])
        for _ in range(5):
            self.study.run(add={STREAM: vector})["logits"]
            self.study.logits(set={Z: self.study.run()[Z]})
        self.assertEqual(os.listdir(folder), [])

    def test_arrays_in_many_forms(self):
        run = self.study.run(set={Z + "[2,*]": np.arange(self.study.run()[Z].shape[1])})
        self.assertEqual(run[Z][2, 3], 3)
        self.assertIn(Z, run)
        self.assertNotIn("nothing", run)
        self.assertIsNone(run.get("nothing"))
        with self.assertRaisesRegex(study.StudyError, "is a vector, not"):
            self.study.run(add={STREAM: np.ones((4, 4))})
        changed = self.study.run(set={STREAM + "[0,0]": 30}, add={STREAM: np.ones(run[STREAM].shape[1])})
        self.assertEqual(changed[STREAM][0, 0], 31)

    def test_a_comparison_is_of_one_text_unless_another_is_given(self):
        same = self.study.compare("a b c a b", ablate="1.1")
        self.assertEqual(same[0]["total variation"], 0)  # layer 0 comes before
        other = self.study.compare("a b c a b", other="c b a c b")
        self.assertGreater(max(row["total variation"] for row in other), 0)

    def test_a_file_that_changes_is_read_again(self):
        file = os.path.join(self.folder.name, "changing.headlight")
        self.study.save(file)
        changing = study.open_study(file)
        before = changing.run()[Z].copy()
        self.study.save(file, ablate="0.1")
        os.utime(file, (time.time() + 2, time.time() + 2))
        self.assertTrue(before.any())
        self.assertFalse(changing.run()[Z].any())

    def test_a_call_takes_little_beside_the_work(self):
        self.study.run()["logits"]
        begin = time.perf_counter()
        for _ in range(20):
            self.study.run().many("logits")
        print(f"{(time.perf_counter() - begin) / 20 * 1e3:.2f} ms a call")


if __name__ == "__main__":
    unittest.main()
