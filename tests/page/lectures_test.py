"""Lectures, lessons and views as web pages: what they show, what they take, and what they hand over.

HEADLIGHT_PAGE names the program's page (build/web/headlight.html), HEADLIGHT_PROGRAM the program
that writes pages, and HEADLIGHT_BROWSER a Chromium; where one is missing, all is skipped.
"""
import csv
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import time
import unittest

from browser import Browser

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = pathlib.Path(os.environ.get("HEADLIGHT_PAGE", ROOT / "build/web/headlight.html")).resolve()
PROGRAM = os.environ.get("HEADLIGHT_PROGRAM", str(ROOT / "build/release/headlight"))
BROWSER = os.environ.get("HEADLIGHT_BROWSER") or shutil.which("chromium")

LECTURE = """# Own </title><script>window.owned = 1</script>

</script><img src=x onerror="window.owned = 2"> <!--

## First <!-- page

</script><script>window.owned = 3</script><img src=x onerror="window.owned = 4"> <!-- <script>

```headlight
study: attention
text: The cat was tired
tensor: blocks.0.attn.heads.0.pattern
control: layer.attention.temperature = 0.2:4
task: Make it flat
goal: max(pattern) < 0.5
solution: set layer.attention.temperature = 4
```

## Second

```headlight
task: Which one?
choice: this </script>
right: that
```

## Third

```headlight
study: side.headlight
what: heads
task: How many rows has a pattern?
predict: rows(blocks.0.attn.heads.0.pattern)
```
"""


# Megabytes that a page may have; a lecture's own weights come on top of it.
LECTURE_MB, FIGURE_MB = 3.5, 3.5

GRAPHS = """# Graphs

## A club

```headlight
study: gat
```
"""


def headlight(*arguments):
    environment = dict(os.environ, HEADLIGHT_PAGE=str(PAGE))
    return subprocess.run([PROGRAM, *map(str, arguments)], env=environment, check=True,
                          capture_output=True, text=True)


@unittest.skipUnless(PAGE.exists() and BROWSER and os.access(PROGRAM, os.X_OK),
                     "there is no page, no program or no Chromium")
class WebPages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="headlight-pages-"))
        (cls.folder / "own.lecture").write_text(LECTURE)
        headlight("new", "attention", "-o", cls.folder / "side.headlight")
        headlight("export", cls.folder / "own.lecture", "-o", cls.folder / "own.html")
        (cls.folder / "graphs.lecture").write_text(GRAPHS)
        headlight("export", cls.folder / "graphs.lecture", "-o", cls.folder / "graphs.html")
        headlight("course", cls.folder / "course")
        headlight("export", cls.folder / "side.headlight", "--what", "heads",
                  "-o", cls.folder / "heads.html")
        headlight("export", cls.folder / "side.headlight", "--what", "window",
                  "-o", cls.folder / "window.html")
        cls.browser = Browser(1000, 600)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        shutil.rmtree(cls.folder)

    def setUp(self):
        self.browser.console.clear()
        for file in pathlib.Path(self.browser.downloads).iterdir():
            file.unlink()

    def open(self, name, address=""):
        self.browser.open("about:blank")  # else another end of the address would not load anew
        self.browser.open((self.folder / name).as_uri() + address)
        self.wait_for_window()

    def wait_for_window(self):
        self.browser.wait_for("typeof window.headlight == 'object' && "
                              "document.getElementById('curtain').hidden")

    def address(self):
        return self.browser.run("location.pathname.split('/').at(-1) + location.search "
                                "+ location.hash")

    def wait_for_address(self, address):
        self.browser.wait_for(f"(location.search + location.hash).endsWith('{address}')", 10)

    def settle(self):
        """Lets the window answer all that it was told, at once, however slowly it is drawn."""
        time.sleep(0.3)
        self.browser.run("(() => { for (let k = 0; k < 300; ++k) if (headlight._page_turn() > 0.02)"
                         " break; })()")

    def press(self, key, **more):
        self.browser.press(key, **more)
        self.settle()

    def type(self, text):
        self.browser.type(text)
        self.settle()

    def go_to(self, end):
        self.browser.run(f"location.hash = '{end}'")
        self.settle()

    def picture(self):
        """Returns a picture of the page, which has come to rest."""
        self.settle()
        return self.browser.call("Page.captureScreenshot", format="png")["data"]

    def assert_seen(self, first, second):
        self.assertTrue(first == second, "the pictures differ")

    def assert_changed(self, first, second):
        self.assertTrue(first != second, "the pictures are the same")

    def test_address_follows_the_page_and_leads_to_it(self):
        self.open("own.html")
        self.wait_for_address("#1")
        first = self.picture()
        self.browser.press("ArrowRight")
        self.wait_for_address("#2")
        self.go_to("#3")
        third = self.picture()
        self.assert_changed(first, third)
        self.go_to("#1")
        self.assert_seen(first, self.picture())
        self.go_to("#99")
        self.wait_for_address("#3")
        for nowhere in ("#0", "#-1", "#x", "#2x", "#1e99"):
            self.go_to(nowhere)
            self.assert_seen(third, self.picture())
        self.open("own.html", "#3")
        self.assertEqual(self.address(), "own.html#3")
        self.assert_seen(third, self.picture())
        self.assertEqual(self.browser.console, [])

    def test_words_of_a_lecture_never_become_markup(self):
        self.open("own.html")
        self.picture()
        self.assertIsNone(self.browser.run("window.owned ?? null"))
        self.assertEqual(self.browser.run("document.images.length"), 0)
        self.assertEqual(self.browser.run(
            "new TextDecoder().decode(headlight.FS.readFile('/files/own.lecture'))"), LECTURE)
        self.assertEqual(self.browser.console, [])

    def test_answers_are_handed_over_and_can_be_graded(self):
        self.open("own.html", "#1")
        self.press("Tab")
        for _ in range(60):
            self.browser.press("ArrowRight")
        self.settle()
        self.press("Escape")  # the slider gives up its keys
        self.go_to("#2")
        self.press("2", code="Digit2")
        self.go_to("#3")
        self.press("a", code="KeyA")
        self.type("12")
        self.press("Enter")
        self.press("k", code="KeyK", ctrl=True)
        self.type("Save answers")
        self.press("Enter")
        self.press("Enter")
        saved = pathlib.Path(self.browser.downloads) / "my-name.answers"
        for _ in range(50):
            if saved.exists():
                break
            time.sleep(0.1)
        answers = self.folder / "answers"
        answers.mkdir()
        shutil.copy(saved, answers)
        headlight("grade", answers, self.folder / "own.lecture", "-o", self.folder / "grades.csv")
        with open(self.folder / "grades.csv", encoding="utf-8") as file:
            rows = list(csv.reader(file))
        self.assertEqual(rows[1][0], "my-name")
        self.assertEqual(rows[1][-1], "3", rows)

    def test_answer_has_a_code_that_is_copied_and_counted(self):
        self.open("own.html", "#2")
        self.browser.run("navigator.clipboard.writeText = (text) => "
                         "{ window.copied = text; return Promise.resolve(); }")
        before = self.picture()
        self.press("k", code="KeyK")
        self.assertIsNone(self.browser.run("window.copied ?? null"))  # nothing was answered yet
        self.press("2", code="Digit2")
        self.assert_changed(before, self.picture())
        codes = []
        for keys in ((), ("a", "12", "Enter")):
            if keys:
                self.go_to("#3")
                self.press("a", code="KeyA")
                self.type(keys[1])
                self.press("Enter")
            self.press("k", code="KeyK")
            codes.append(self.browser.run("window.copied ?? null"))
        for code in codes:
            self.assertRegex(code or "", "^HL-[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{2,5}$")
        chat = self.folder / "chat.txt"
        chat.write_text("".join(f"[10:0{k}] Ana 🎉: {code}\n" for k, code in enumerate(codes)))
        said = headlight("answers", self.folder / "own.lecture", chat).stdout
        self.assertIn("Second: 1 answer\n", said)
        self.assertIn("✓ that", said)
        self.assertIn("Third: 1 answer\n", said)
        self.assertIn("1 of 1 right", said)

    def test_answers_that_are_in_no_file_are_not_left_without_a_question(self):
        browser = self.browser
        self.open("own.html", "#2")
        browser.questions.clear()
        self.open("own.html", "#2")
        self.assertEqual(browser.questions, [])  # nothing was answered
        self.press("1", code="Digit1")
        browser.leaves = False
        browser.call("Page.reload")  # which waits for no answer
        for _ in range(100):
            if browser.questions:
                break
            time.sleep(0.1)
            browser.call("Browser.getVersion")
        browser.leaves = True
        self.assertEqual(browser.questions, ["beforeunload"])
        self.press("k", code="KeyK", ctrl=True)  # the page stays
        self.type("Save answers")
        self.press("Enter")
        self.press("Enter")
        self.open("own.html")
        self.assertEqual(browser.questions, ["beforeunload"])

    def test_course_opens_each_lesson_by_its_address(self):
        browser = self.browser
        browser.open((self.folder / "course/index.html").as_uri())
        browser.wait_for("document.links.length == 21")
        browser.run("document.links[5].click()")
        browser.wait_for("location.pathname.endsWith('/headlight.html')")
        self.wait_for_window()
        self.wait_for_address("?open=lesson:softmax-by-hand&present#1")
        self.assertIn("Softmax by hand", browser.run("document.title"))
        browser.press("ArrowRight")
        self.wait_for_address("&present#2")
        self.open("course/headlight.html", "?open=lesson:masks&present#2")
        self.assertIn("Masks", browser.run("document.title"))
        self.wait_for_address("#2")
        self.assertEqual(browser.console, [])

    def test_what_is_not_there_is_said_and_the_window_is_there(self):
        self.open("course/headlight.html", "?open=lesson:no-such")
        without = self.picture()
        self.open("course/headlight.html", "?open=attention")
        self.assert_changed(without, self.picture())
        self.assertEqual(self.browser.console, [])

    def find(self, words):
        """Chooses the first entry of those that Find anything has."""
        self.press("k", code="KeyK", ctrl=True)
        self.type(words)
        self.press("Enter")
        return self.browser.run("headlight.UTF8ToString(headlight._page_texts())")

    def test_pages_are_small(self):
        for name, most in (("own", LECTURE_MB), ("graphs", LECTURE_MB),
                           ("heads", FIGURE_MB), ("window", FIGURE_MB)):
            self.assertLess((self.folder / f"{name}.html").stat().st_size / 1e6, most, name)

    def test_weights_of_a_lecture_come_with_it_and_others_are_said_to_be_left_out(self):
        data = re.compile(r'<script [^>]*class="data" data-name="([^"]*)"[^>]*>(?!</script>)')
        for name, has in (("own", []), ("graphs", ["weights/karate.safetensors"]), ("heads", [])):
            self.assertEqual(data.findall((self.folder / f"{name}.html").read_text()), has, name)
        self.open("graphs.html")
        self.assertNotIn("not in this page", self.find("gat"))
        for page in ("graphs.html", "window.html"):
            self.open(page)
            self.assertIn("not in this page", self.find("three-questions"), page)
            self.assertIn("has no lessons", self.find("lessons"), page)
        self.assertEqual(self.browser.console, [])

    def test_a_lecture_that_was_handed_out_is_not_left_for_its_solutions(self):
        self.open("own.html")
        for key in ("Escape", "F5"):
            self.press(key)
            shown = self.browser.run("headlight.UTF8ToString(headlight._page_texts())")
            self.assertIn("Next", shown)
            self.assertNotIn("Leave", shown)
            self.assertNotIn("Add page", shown)

    def test_page_of_a_lecture_ignores_what_its_address_would_open(self):
        self.open("own.html", "?open=lesson:masks#2")
        self.assertIn("own.lecture", self.browser.run("document.title"))

    def test_view_fills_the_page_and_follows_the_hand(self):
        browser = self.browser
        self.open("heads.html")
        heads = self.picture()
        browser.move(428, 200)  # in the second head
        pointed = self.picture()
        self.assert_changed(heads, pointed)  # the head is named and marked
        self.press("v", code="KeyV")
        options = self.picture()
        self.assert_changed(pointed, options)
        self.press("Escape")
        browser.click(428, 200)
        self.assert_changed(self.picture(), pointed)  # the head is large
        self.open("window.html")
        self.assert_changed(heads, self.picture())
        self.assertEqual(browser.console, [])

    def test_page_that_was_made_for_something_begins_as_it_was_made(self):
        self.open("own.html")
        first = self.picture()
        self.go_to("#2")
        self.press("1", code="Digit1")
        time.sleep(2)  # after which the program's own page keeps its state
        self.open("own.html")
        self.assert_seen(first, self.picture())


if __name__ == "__main__":
    unittest.main()
