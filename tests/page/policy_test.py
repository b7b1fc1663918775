"""The page under the strictest policy that a server can send with it, in a frame that has no origin,
and from a disk: it asks for nothing, it is refused nothing that it needs, and it lives.

    HEADLIGHT_PAGE=build/web/headlight.html python3 -m unittest discover -s tests/page -p "*_test.py"
"""
import http.server
import pathlib
import threading
import time
import unittest

from browser import Browser
from page_test import PAGE, needs_page, settle, texts

# Without any one of these words the page does not begin as it should.
POLICY = ("default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; "
          "style-src 'unsafe-inline'; img-src data:; frame-src 'self'; form-action 'none'; base-uri 'none'")

FRAME = """<!DOCTYPE html><meta charset="utf-8"><title>A platform</title>
<body style="margin: 0"><iframe sandbox="allow-scripts" src="headlight.html"
style="width: 100vw; height: 100vh; border: 0"></iframe>"""


# Makes a field of the page around the frame, to paste into.
FIELD = """{
    const field = document.body.appendChild(document.createElement("textarea"));
    field.focus();
}"""


class Site:
    """Serves the page and a page around it, each with the policy, and nothing else."""

    def __init__(self, policy, around=FRAME):
        site = self
        self.asked = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                site.asked.append(self.path)
                bodies = {"/headlight.html": PAGE.read_bytes, "/frame.html": around.encode}
                body = bodies.get(self.path.partition("?")[0])
                self.send_response(200 if body else 404)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Security-Policy", policy)
                self.end_headers()
                self.wfile.write(body() if body else b"")

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}/"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def wait_for_window(browser, frame=None):
    browser.wait_for("typeof window.headlight == 'object' && "
                     "document.getElementById('curtain').hidden", frame=frame)


def save(browser, frame=None):
    browser.press("s", code="KeyS", ctrl=True)
    settle(browser, 0.5, frame)
    browser.press("Enter")
    settle(browser, 1, frame)


@needs_page
class Policy(unittest.TestCase):
    def frame_of(self, browser):
        for _ in range(100):
            browser.run("1")  # hears what has happened
            if browser.frames:
                return browser.frames[-1]
            time.sleep(0.1)
        raise RuntimeError("the frame has no process of its own")

    def test_lives_under_the_strictest_policy_and_asks_for_nothing(self):
        with Site(POLICY) as site, Browser() as browser:
            browser.open(site.address + "headlight.html")
            wait_for_window(browser)
            settle(browser, 3)
            self.assertIn("Sentence", texts(browser))
            self.assertNotIn("The browser keeps nothing", texts(browser))
            save(browser)
            self.assertEqual([file.name for file in pathlib.Path(browser.downloads).iterdir()],
                             ["study.headlight"])
            self.assertEqual(site.asked, ["/headlight.html"])
            self.assertEqual([url for url in browser.requests if not url.startswith("blob:")],
                             [site.address + "headlight.html"])
            self.assertEqual(browser.console, [])

    def test_needs_each_word_of_that_policy(self):
        refused = "document.getElementById('words').textContent"
        for needed, told in (
            ("script-src 'unsafe-inline' 'wasm-unsafe-eval'; ", "Executing inline script"),
            ("'wasm-unsafe-eval'", "WebAssembly"), ("img-src data:; ", "Loading the image"),
            ("style-src 'unsafe-inline'; ", "Applying inline style"),
        ):
            with Site(POLICY.replace(needed, "")) as site, Browser() as browser:
                browser.open(site.address + "headlight.html")
                browser.wait_for("document.readyState == 'complete'")
                for _ in range(50):
                    said = browser.run(refused) + "".join(browser.console)
                    if told in said:
                        break
                    time.sleep(0.1)
                self.assertIn(told, said)

    def test_lives_in_a_frame_without_an_origin_and_says_that_nothing_is_kept(self):
        with Site(POLICY) as site, Browser() as browser:
            browser.open(site.address + "frame.html")
            frame = self.frame_of(browser)
            wait_for_window(browser, frame)
            settle(browser, 2, frame)
            self.assertEqual(browser.run("window.origin", frame), "null")
            self.assertIn("The browser keeps nothing of this page", texts(browser, frame))
            browser.click(100, 108)
            browser.press("a", code="KeyA", ctrl=True)
            browser.type("The dog saw a cat")
            settle(browser, 1, frame)
            self.assertIn("5 tokens", texts(browser, frame).replace("\n", " "))
            self.assertEqual(browser.console, [])
            self.assertEqual(set(site.asked), {"/frame.html", "/headlight.html"})
            save(browser, frame)
            settle(browser, 1, frame)
            self.assertIn("forbids downloads", texts(browser, frame).replace("\n", " "))

    def test_copies_in_a_frame_without_an_origin(self):
        with Site(POLICY) as site, Browser() as browser:
            browser.open(site.address + "frame.html")
            frame = self.frame_of(browser)
            wait_for_window(browser, frame)
            browser.click(100, 108)
            browser.press("a", code="KeyA", ctrl=True)
            browser.type("one two")
            settle(browser, 0.5, frame)
            browser.press("a", code="KeyA", ctrl=True)
            browser.press("c", code="KeyC", ctrl=True)
            settle(browser, 0.5, frame)
            browser.run(FIELD)
            browser.command("paste")
            self.assertEqual(browser.run("document.querySelector('textarea').value"), "one two")
            self.assertEqual(browser.console, [])

    def test_lives_on_a_disk(self):
        with Browser() as browser:
            browser.open(PAGE.resolve().as_uri())
            wait_for_window(browser)
            settle(browser, 3)
            self.assertEqual(browser.requests, [PAGE.resolve().as_uri()])
            self.assertEqual(browser.console, [])


if __name__ == "__main__":
    unittest.main()
