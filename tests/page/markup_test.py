"""Texts of others stay texts: no word of a study, a lecture or a name becomes an element or a script.

HEADLIGHT_LONG opens 200 changed lectures instead of 20.
"""
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import tempfile
import unittest

from browser import Browser
from page_test import PAGE, PROGRAM, ROOT, begin, drop, needs_page, settle, texts

N_CHANGED = 200 if os.environ.get("HEADLIGHT_LONG") else 20

# Each would set `owned`, or hide what follows it, if it were read as HTML or as a script.
HOSTILE = [
    "</script><script>window.owned = 1</script>", "<img src=x onerror='window.owned = 2'>", "<!--",
    "<!-- <script>", "]]>", "</title></style></textarea></noscript>", "\u2028window.owned = 3;\u2028",
    "'-(window.owned=4)-'", '";window.owned=5;"', "${window.owned=6}", "`+(window.owned=7)+`",
    "<svg onload=window.owned=8>", "&lt;script&gt;window.owned=9&lt;/script&gt;",
    "javascript:window.owned=10", "<base href=//nowhere.invalid>", "\u202e<iframe srcdoc='<p>'>",
    "<meta http-equiv=refresh content='0;url=about:blank'>",
]

# Data that is unpacked goes away, and is no markup.
COUNT = "[...document.querySelectorAll(':not([type=\"text/plain\"])')].map((element) => element.tagName).sort().join()"


def lecture(words, study):
    words = words.replace("${window.owned=6}", "")  # else a number of the study is asked for
    return "\n".join([
        f"# {words}", "", words, "", f"## {words}", "", words, "", "```headlight",
        "study: attention", f"text: {words}", f"task: {words}", f"choice: {words} no",
        f"right: {words} yes", "```", "", "## Other", "", "```headlight", f"study: {study}",
        "what: heads", "```", ""])


def changed(lessons, seed):
    """Returns a lesson with lines that were doubled, lost, moved, cut, spoiled or made hostile."""
    dice = random.Random(seed)
    lines = dice.choice(lessons).splitlines()
    for _ in range(dice.randint(1, 8)):
        at = dice.randrange(len(lines))
        what = dice.randrange(8)
        line = lines[at]
        cut = dice.randrange(len(line) + 1)
        if what == 0:
            lines.insert(at, dice.choice(lines))
        elif what == 1 and len(lines) > 1:
            del lines[at]
        elif what == 2:
            lines[at] = line[:cut] + dice.choice(HOSTILE) + line[cut:]
        elif what == 3:
            lines[at] = line[:cut]
        elif what == 4:
            numbers = ["-1", "1e999", "nan", "99999999999999999999", "0", "0x7fffffff"]
            lines[at] = re.sub(r"\d+", dice.choice(numbers), line)
        elif what == 5:
            lines[at] = line.replace(":", dice.choice(["::", "", ": \0", ":\t" * 99]), 1)
        elif what == 6:
            lines[at] = "```headlight"
        else:
            lines[at] = line + chr(dice.choice([0x300, 0x202E, 0xFEFF, 0x1F600, 0x5D0])) * 200
    return "\n".join(lines).encode()


def run_program(folder, *arguments):
    environment = dict(os.environ, HEADLIGHT_PAGE=str(PAGE.resolve()))
    subprocess.run([PROGRAM, *map(str, arguments)], cwd=folder, env=environment, check=True,
                   capture_output=True)


@needs_page
class Texts(unittest.TestCase):
    def test_changed_lectures_leave_the_page_alive_and_silent(self):
        lessons = [file.read_text() for file in sorted((ROOT / "assets/lessons").glob("*.lecture"))]
        self.assertEqual(len(lessons), 21)
        with Browser() as browser:
            begin(browser)
            settle(browser, 1)
            elements = browser.run(COUNT)
            for seed in range(N_CHANGED):
                drop(browser, f"changed{seed}.lecture", changed(lessons, seed))
                self.assertTrue(browser.run("headlight._page_turn() >= 0"), f"seed {seed}")
                if seed % 3 == 0:
                    browser.press("F5")
                    settle(browser)
                    browser.press("Escape")
                    settle(browser)
                self.assertEqual(browser.console, [], f"seed {seed}")
            self.assertEqual(browser.run(COUNT), elements)
            self.assertIsNone(browser.run("window.owned ?? null"))
            self.assertTrue(texts(browser))
            print(f"{N_CHANGED} lectures, and the page is alive")

    def test_texts_and_names_of_files_that_are_dropped_stay_texts(self):
        with Browser() as browser:
            begin(browser)
            settle(browser, 1)
            elements = browser.run(COUNT)
            for k, words in enumerate(HOSTILE):
                name = words.replace("/", "_").replace("\\", "_").replace("\0", "")[:60]
                study = {"headlight": 1, "kind": "sentence", "text": words}
                files = [(f"{name}.headlight", json.dumps(study).encode()),
                         (f"{name}.lecture", lecture(words, "attention").encode())]
                bytes_of = [list(data) for _, data in files]
                browser.run(
                    "(async () => { const given = new DataTransfer();"
                    f"const names = {json.dumps([name for name, _ in files])};"
                    f"const bytes = {json.dumps(bytes_of)};"
                    "names.forEach((name, k) => given.items.add(new File([new Uint8Array(bytes[k])],"
                    "name))); document.dispatchEvent(new DragEvent('drop', {dataTransfer: given, "
                    "cancelable: true})); })()")
                settle(browser, 0.3)
                self.assertIsNone(browser.run("window.owned ?? null"), words)
                self.assertEqual(browser.run(COUNT), elements, words)
            self.assertEqual(browser.console, [])
            self.assertEqual([url for url in browser.requests if not url.startswith("file:")], [])


@needs_page
@unittest.skipUnless(os.access(PROGRAM, os.X_OK), "there is no program")
class Pages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="headlight-texts-"))
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.words = " ".join(HOSTILE)
        cls.name = "a <img src=x onerror='window.owned=20'> ; '\"&amp; \u2028 --!> b"
        for kind, words, name in (("hostile", cls.words, cls.name), ("plain", "words `code`", "plain")):
            folder = cls.folder / kind
            folder.mkdir()
            study = {"headlight": 1, "kind": "sentence", "text": words}
            (folder / f"{name}.headlight").write_text(json.dumps(study))
            (folder / f"{name}.lecture").write_text(lecture(words, f"{name}.headlight"))
            run_program(folder, "export", f"{name}.lecture", "-o", "lecture.html")
            run_program(folder, "export", f"{name}.lecture", "--static", "-o", "static.html")
            run_program(folder, "export", f"{name}.headlight", "--what", "heads", "-o", "figure.html")
        cls.browser = Browser()
        cls.addClassCleanup(cls.browser.close)

    def opened(self, name):
        """Returns the elements of a page after it was read, and run if it is alive."""
        browser = self.browser
        browser.console.clear()
        browser.requests.clear()
        browser.open("about:blank")
        browser.open((self.folder / name).as_uri())
        browser.wait_for("document.readyState == 'complete'")
        if not name.endswith("static.html"):
            browser.wait_for("window.headlight && document.getElementById('curtain').hidden")
            settle(browser, 0.5)
        self.assertIsNone(browser.run("window.owned ?? null"), name)
        self.assertEqual(browser.console, [], name)
        others = [url for url in browser.requests if not url.startswith(("file:", "about:", "data:"))]
        self.assertEqual(others, [])
        return browser.run(COUNT)

    def test_of_a_lecture_and_of_a_figure_have_no_other_elements(self):
        for name in ("lecture.html", "figure.html"):
            self.assertEqual(self.opened(f"hostile/{name}"), self.opened(f"plain/{name}"))

    def test_of_text_and_pictures_have_no_other_elements(self):
        allowed = set(self.opened("plain/static.html").split(","))
        self.assertLessEqual(set(self.opened("hostile/static.html").split(",")) - allowed, {"BR"})

    def test_files_within_are_byte_for_byte_those_that_were_given(self):
        self.opened("hostile/lecture.html")
        given = (self.folder / f"hostile/{self.name}.lecture").read_text()
        self.assertEqual(self.browser.run(
            "(() => { const name = headlight.FS.readdir('/files').find((name) => "
            "name.endsWith('.lecture')); return new TextDecoder().decode("
            "headlight.FS.readFile('/files/' + name)); })()"), given)


if __name__ == "__main__":
    unittest.main()
