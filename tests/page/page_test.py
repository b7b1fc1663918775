"""The page in a browser: it begins in silence, takes a hand, a keyboard and files, and keeps the work.

HEADLIGHT_PAGE names the page (build/web/headlight.html), HEADLIGHT_BROWSER a Chromium, and
HEADLIGHT_PROGRAM the program whose files the page's are compared with; what is missing is skipped.
"""
import base64
import json
import os
import pathlib
import re
import shutil
import time
import unittest

from browser import Browser

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = pathlib.Path(os.environ.get("HEADLIGHT_PAGE", ROOT / "build/web/headlight.html"))
PROGRAM = os.environ.get("HEADLIGHT_PROGRAM", str(ROOT / "build/release/headlight"))
BROWSER = os.environ.get("HEADLIGHT_BROWSER") or shutil.which("chromium")

needs_page = unittest.skipUnless(PAGE.exists() and BROWSER, "there is no page, or no Chromium")


def begin(browser, address=""):
    """Opens the page; returns the seconds until its first frame."""
    start = time.monotonic()
    browser.open(PAGE.resolve().as_uri() + address)
    browser.wait_for("document.readyState != 'loading' && "
                     "(window.headlight || !/unpacked/.test(document.getElementById('words')"
                     "?.textContent ?? 'unpacked')) ? 1 : 0")
    return time.monotonic() - start


def texts(browser, frame=None):
    return browser.run("headlight.UTF8ToString(headlight._page_texts())", frame)


def settle(browser, secs=0.2, frame=None):
    time.sleep(secs)
    browser.run("(() => { for (let k = 0; k < 200 && headlight._page_turn() < 0.02; ++k); })()",
                frame)


def put_file(browser, name, content):
    data = base64.b64encode(content).decode()
    folder = os.path.normpath("/files/" + os.path.dirname(name))
    browser.run(f"headlight.FS.mkdirTree('{folder}'), headlight.FS.writeFile('/files/{name}', "
                f"Uint8Array.from(atob('{data}'), (c) => c.charCodeAt(0)))")


def take_file(browser, name):
    """Returns the bytes of a file of the page; names without a folder are those of the user's."""
    path = os.path.join("/files", name)
    return base64.b64decode(browser.run(
        f"(() => {{ let text = ''; for (const byte of headlight.FS.readFile('{path}')) "
        "text += String.fromCharCode(byte); return btoa(text); })()"))


def drop(browser, name, content):
    begin_to_drop(browser, name, content)
    settle(browser)


def begin_to_drop(browser, name, content):
    """Drops a file; the page goes on by itself."""
    put_file(browser, name, content)
    browser.run(f"headlight.page.send('drop', {{text: '/files/{name}'}})")


# A network whose sweep takes seconds.
WIDE_STUDY = {
    "headlight": 1, "kind": "sentence", "text": " ".join(f"w{k % 97}" for k in range(128)),
    "layer": {"n_layers": 6, "d_model": 192, "attention": {"n_heads": 6}, "mask": {"causal": True},
              "block": {"mlp": "gelu", "d_ff": 768}, "unembedding": "learned",
              "readout": "next-word"}}


def wait_for_text(browser, text, absent=None, secs=60):
    """Waits, while the page makes its turns by itself, until it shows one text and not the other."""
    end = time.monotonic() + secs
    while text not in (shown := texts(browser).replace("\n", " ")) or (absent and absent in shown):
        if time.monotonic() > end:
            raise AssertionError(f"“{text}” is not shown: {shown}")
        time.sleep(0.05)


def count_turns(browser):
    """Lists from now on how many milliseconds each turn of the page takes."""
    browser.run("(() => { window.turns = []; window.firstTurn ??= headlight._page_turn;"
                "headlight._page_turn = () => { const begin = performance.now();"
                "const secs = firstTurn(); turns.push(performance.now() - begin); return secs; };"
                "})()")


def wait_for_share(browser, pattern, secs=60):
    """Waits until the share of the work that the page shows as done has grown in some turns."""
    first, end = None, time.monotonic() + secs
    while time.monotonic() < end:
        shown = re.search(pattern, texts(browser).replace("\n", " "))
        if shown and first is None:
            first, n_turns = int(shown.group(1)), browser.run("turns.length")
        if shown and int(shown.group(1)) > first and browser.run("turns.length") > n_turns + 2:
            return
        time.sleep(0.02)
    raise AssertionError(f"the share stays {first} %: {texts(browser)}")


@needs_page
class PageTest(unittest.TestCase):
    def test_begins_without_a_word_to_the_console(self):
        with Browser() as browser:
            secs = begin(browser)
            settle(browser, 1)
            self.assertIn("Sentence", texts(browser))
            self.assertEqual(browser.console, [])
            print(f"first frame after {secs:.2f} s")

    def test_takes_a_keyboard_and_a_pointer(self):
        with Browser() as browser:
            begin(browser)
            settle(browser, 1)
            browser.click(100, 108)
            browser.press("a", code="KeyA", ctrl=True)
            browser.type("The dog saw a cat")
            settle(browser, 1)
            self.assertIn("5 tokens", texts(browser).replace("\n", " "))
            browser.press("z", code="KeyZ", ctrl=True)

    def test_keys_of_the_browser_are_not_promised(self):
        kept = ["Ctrl+T", "Ctrl+W", "Ctrl+Tab", "Ctrl+Shift+Tab", "Ctrl+Shift+C", "Ctrl++", "Ctrl+0"]
        with Browser(1280, 900) as browser:
            begin(browser)
            settle(browser, 1)
            browser.press("F1")
            settle(browser)
            shown = " ".join(texts(browser).split())
            self.assertIn("KEYS AND GESTURES", shown)
            place = shown.index("has by name")
            for key in kept:
                self.assertNotIn(f" {key} ", shown[:place])
                self.assertIn(key, shown[place:])
                self.assertTrue(browser.run(f"headlight.page.keepsKeys('{key}')"))
            for name in ("New tab", "Close tab", "Next tab", "Copy picture", "Larger"):
                self.assertIn(name, shown[place:])
            browser.press("F1")
            settle(browser)
            self.assertNotIn("KEYS AND GESTURES", texts(browser))

    def test_a_finger_is_told_to_touch_and_closes_a_dialog(self):
        with Browser(390, 800) as browser:
            browser.call("Emulation.setTouchEmulationEnabled", enabled=True)
            browser.call("Emulation.setDeviceMetricsOverride", width=390, height=800,
                         deviceScaleFactor=1, mobile=True)
            begin(browser)
            settle(browser, 1)
            self.assertIn("Touch a cell", " ".join(texts(browser).split()))
            self.assertNotIn("Point at a cell", " ".join(texts(browser).split()))
            browser.press("F1")
            settle(browser)
            self.assertIn("KEYS AND GESTURES", texts(browser))
            for kind, points in (("touchStart", [{"x": 344, "y": 38}]), ("touchEnd", [])):
                browser.call("Input.dispatchTouchEvent", type=kind, touchPoints=points)
            settle(browser)
            self.assertNotIn("KEYS AND GESTURES", texts(browser))

    def test_what_a_page_has_not_is_said_where_it_is_looked_for(self):
        def find(browser, name):
            browser.press("k", code="KeyK", ctrl=True)
            settle(browser)
            browser.type(name)
            settle(browser)
            browser.press("Enter")
            settle(browser)
            return " ".join(texts(browser).split())

        with Browser() as browser:
            begin(browser)
            settle(browser, 1)
            self.assertIn("A page downloads nothing", find(browser, "Get a model"))
            browser.press("o", code="KeyO", ctrl=True)
            settle(browser)
            shown = texts(browser)
            self.assertIn("From this computer", shown)
            self.assertNotIn("Get a model…", shown)
            browser.press("Escape")
            settle(browser)
            browser.press("e", code="KeyE", ctrl=True)
            settle(browser)
            browser.press("a", code="KeyA", ctrl=True)
            browser.type("a.pdf")
            settle(browser)
            self.assertIn("The page in the browser writes SVG", " ".join(texts(browser).split()))
            browser.press("Escape")
            settle(browser)
            begin(browser, "?open=lesson:masks&present")
            settle(browser, 2)
            browser.press("s", code="KeyS")
            settle(browser)
            self.assertIn("A page has no second window", " ".join(texts(browser).split()))
            self.assertEqual(browser.console, [])

    def test_keeps_what_was_open_for_the_next_visit(self):
        with Browser() as browser:
            begin(browser)
            settle(browser, 1)
            browser.click(100, 108)
            browser.press("a", code="KeyA", ctrl=True)
            browser.type("One two three four")
            settle(browser, 5)
            begin(browser)
            settle(browser, 2)
            self.assertIn("Work that was not saved", texts(browser))

    def test_a_file_of_the_last_visit_is_asked_for_and_the_first_picture_is_there(self):
        study = b'{"headlight": 1, "kind": "sentence", "text": "cats see dogs"}'
        with Browser() as browser:
            begin(browser)
            settle(browser, 1)
            drop(browser, "cats.headlight", study)
            settle(browser, 5)
            begin(browser)
            settle(browser, 2)
            shown = " ".join(texts(browser).split())
            self.assertIn("to go on with cats.headlight, open it again", shown)
            self.assertIn("which noun?", shown)

    def test_what_is_no_study_is_refused_and_leaves_the_page_alive(self):
        hostile = [b"", b"\0" * 100, b"{", b"[" * 100000, b"\xff\xfe" * 500, b"graph [" * 1000,
                   b'{"headlight": 1e999}', b"PK\x03\x04" + b"\0" * 64, b"\x93NUMPY" + b"\xff" * 64]
        corpus = sorted((ROOT / "tests/fuzz/corpus").glob("*/*"))
        endings = ["headlight", "lecture", "gml", "graphml", "json", "npz", "npy", "edges", "png"]
        inputs = [(f"hostile{k}.{endings[k % len(endings)]}", data)
                  for k, data in enumerate(hostile)]
        for k, file in enumerate(corpus[:200]):
            data = bytearray(file.read_bytes()[:200000])
            for at in range(k, len(data), 97):
                data[at] ^= 1 << (at % 8)
            inputs.append((f"changed{k}.{endings[k % len(endings)]}", bytes(data)))
        with Browser() as browser:
            begin(browser)
            settle(browser, 1)
            for name, data in inputs:
                drop(browser, name, data)
                self.assertTrue(browser.run("headlight._page_turn() >= 0"), name)
            self.assertEqual(browser.console, [])
            print(f"{len(inputs)} files, and the page is alive")

    def test_a_sweep_and_a_layout_leave_the_page_awake_and_can_be_cancelled(self):
        with Browser() as browser:
            begin(browser)
            settle(browser, 1)
            drop(browser, "wide.headlight", json.dumps(WIDE_STUDY).encode())
            wait_for_text(browser, "128 tokens")
            browser.click(411, 67)  # Logits
            wait_for_text(browser, "Where the logit comes from")
            count_turns(browser)
            browser.click(683, 160)  # Sweep
            wait_for_text(browser, "Cancel sweep")
            wait_for_share(browser, r"(\d+) % +blocks")
            browser.click(640, 127)  # Cancel sweep
            wait_for_text(browser, "Sweep", "Cancel sweep")
            self.assertNotIn("Change of the logit", texts(browser))
            print(f"a sweep: the longest turn took {browser.run('Math.max(...turns)'):.0f} ms")

            edges = "\n".join(f"{k} {k * 7919 % max(k, 1)}\n{k} {k * 104729 % max(k, 1)}"
                              for k in range(20000))
            count_turns(browser)
            begin_to_drop(browser, "many.edges", edges.encode())
            wait_for_share(browser, r"places for 20000 nodes +(\d+) %")
            browser.press("Escape")
            wait_for_text(browser, "was not opened: it was cancelled")
            print(f"a layout: the longest turn took {browser.run('Math.max(...turns)'):.0f} ms")
            self.assertEqual(browser.console, [])


if __name__ == "__main__":
    unittest.main()
