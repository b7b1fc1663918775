"""What the page hands over, byte for byte what the program writes: by the same script in its window, and
by its command line.

Numbers are those of the program's level of vector instructions that every machine has. In pictures of
points everything is the same but the letters, which Cairo 1.18 places at quarters of a pixel and
Cairo 1.16, of Debian 12, at whole ones.
"""
import os
import pathlib
import subprocess
import tempfile
import unittest

from browser import Browser
from page_test import PROGRAM, begin, needs_page, take_file
from pictures_test import difference, with_fonts_of_page
from scripts_test import play

NUMBERS = {
    "csv": "CSV with labels, for spreadsheets", "tsv": "TSV with labels", "npy": "NPY, for NumPy",
    "tex": "LaTeX table", "md": "Markdown table", "npz": "NPZ, for NumPy",
    "safetensors": "safetensors, for PyTorch", "json": "JSON with equations",
}
PICTURES = {
    "png": "PNG picture", "svg": "SVG drawing, its text can be edited",
    "gif": "GIF picture, 256 colours",
}
VIEWS = {"matrix": "Matrix", "heads": "All heads", "words": "Lines between words"}
MATRIX = "blocks.0.attn.heads.0.pattern"
MOST_MEAN, MOST_FAR = 2, 0.02  # of pictures, for their letters


def export(name, form, *choices):
    return "\n".join(["press Ctrl+E", f"choose Format = {form}", *choices,
                      f"replace File with {name}", "click button Export",
                      f"expect text Exported to {name}", "click button Dismiss", ""])


def script():
    lines = "".join(export(f"numbers.{end}", form) for end, form in NUMBERS.items())
    for view, what in VIEWS.items():
        for end, form in PICTURES.items():
            lines += export(f"{view}.{end}", form, f"choose What = {what}", "choose Caption = yes")
    return lines + "press Ctrl+S\nexpect text study.headlight\npress Enter\n"


@needs_page
@unittest.skipUnless(os.access(PROGRAM, os.X_OK), "there is no program")
class Downloads(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory(prefix="headlight-downloads-")
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)
        begin(cls.browser)
        cls.environment = with_fonts_of_page(cls.browser, cls.folder)
        cls.environment["HEADLIGHT_KERNELS"] = "baseline"
        (cls.folder / "script").write_text(script())
        cls.run_program("script", "attention", "script")
        failure = play(cls.browser, "attention", script())
        if failure:
            raise AssertionError(failure)

    @classmethod
    def run_program(cls, *arguments):
        subprocess.run([PROGRAM, *arguments], check=True, cwd=cls.folder, env=cls.environment)

    def assert_same(self, name, path=None):
        with self.subTest(name):
            mine, pages = (self.folder / (path or name)).read_bytes(), take_file(self.browser, name)
            self.assertGreater(len(pages), 100)
            self.assertTrue(mine == pages, f"{len(mine)} and {len(pages)} bytes")

    def test_numbers_are_those_of_the_window_and_of_the_command_line(self):
        self.run_program("new", "attention", "-o", "own.headlight")
        for end in NUMBERS:
            self.run_program("export", "own.headlight", "--tensor", MATRIX, "-o", f"own.{end}")
            self.assert_same(f"numbers.{end}")
            self.assert_same(f"numbers.{end}", f"own.{end}")

    def test_drawings_and_captions_are_those_of_the_window(self):
        for view in VIEWS:
            self.assert_same(f"{view}.svg")
            for end in PICTURES:
                self.assert_same(f"{view}.{end}.txt")

    def test_drawing_is_that_of_the_command_line(self):
        self.run_program("new", "attention", "-o", "own.headlight")
        self.run_program("export", "own.headlight", "--what", "heads", "-o", "own.svg")
        self.assert_same("heads.svg", "own.svg")

    def test_study_is_that_of_the_window(self):
        self.assert_same("study.headlight")

    def test_pictures_of_points_differ_in_their_letters_only(self):
        for view in VIEWS:
            for end in ("png", "gif"):
                name = f"{view}.{end}"
                is_as_large, mean, far = difference(
                    self.browser, (self.folder / name).read_bytes(), take_file(self.browser, name))
                print(f"{name}: {mean:.2f} of 255, {100 * far:.2f} % of pixels are far")
                with self.subTest(name):
                    self.assertTrue(is_as_large)
                    self.assertLess(mean, MOST_MEAN)
                    self.assertLess(far, MOST_FAR)


if __name__ == "__main__":
    unittest.main()
