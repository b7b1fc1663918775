"""The scripts that drive the program's window, played in the page.

HEADLIGHT_SCRIPTS names those to play, separated by commas; without it, all are played.
"""
import json
import os
import re
import time
import unittest
import zipfile

from browser import Browser
from page_test import ROOT, begin, needs_page, put_file

# What a page cannot do, or not with the same end.
LEFT_OUT = {
    "lecture": "it opens the speaker's window, and a page has one window",
    "lecture_export": "it writes PDF, which a page does not",
    "induction-head": "it writes PDF, which a page does not",
    "tables": "it writes PDF, which a page does not",
}


def scripts():
    """Returns the study, the name and the text of every script of the window."""
    lines = (ROOT / "tests/ui/CMakeLists.txt").read_text()
    found = re.findall(r"^headlight_script(?:_of_goldens)?\((\S+) (\S+)\)", lines, re.M)
    of_window = [(study, name, ROOT / f"tests/ui/{name}.script") for study, name in found]
    of_window.append(("induction", "induction-head", ROOT / "docs/pictures/induction-head.script"))
    return [(study, name, file.read_text()) for study, name, file in of_window]


def play(browser, study, script, size=(1280, 800)):
    """Plays a script in place of the window; returns why it failed, or nothing."""
    return browser.run(
        "(() => { const text = (t) => { const b = new TextEncoder().encode(t + '\\0');"
        "const at = headlight._malloc(b.length); headlight.HEAPU8.set(b, at);"
        "return at; }; return headlight.UTF8ToString(headlight._page_run_script("
        f"text({json.dumps(study)}), text({json.dumps(script)}), {size[0]}, {size[1]})); }})()")


def without_pictures(script):
    """Expected pictures were made with the program's fonts: pictures_test.py compares some others."""
    return "\n".join(line for line in script.splitlines() if not line.startswith("expect picture"))


def put_goldens(browser):
    """Unpacks the models that scripts drop to where they look for them."""
    with zipfile.ZipFile(ROOT / "tests/golden/models.zip") as archive:
        for name in archive.namelist():
            if name.startswith(("gat/", "vit/")) and not name.endswith("/"):
                put_file(browser, f"../golden/models/{name}", archive.read(name))


@needs_page
class Scripts(unittest.TestCase):
    def test_of_the_window_are_played(self):
        wanted = os.environ.get("HEADLIGHT_SCRIPTS")
        beside = [file for file in (ROOT / "tests/ui").iterdir() if file.is_file()]
        beside.append(ROOT / "assets/weights/reverse.safetensors")
        for study, name, script in scripts():
            if name in LEFT_OUT or (wanted and name not in wanted.split(",")):
                continue
            with self.subTest(name), Browser() as browser:
                begin(browser)
                if "golden/" in script:
                    put_goldens(browser)
                for file in beside:
                    put_file(browser, os.path.relpath(file, ROOT / "tests/ui"), file.read_bytes())
                start = time.monotonic()
                failure = play(browser, study, without_pictures(script))
                print(f"{name}: {time.monotonic() - start:.1f} s {failure}", flush=True)
                self.assertEqual(failure, "")
                self.assertEqual(browser.console, [])


if __name__ == "__main__":
    unittest.main()
