"""With real kernels: a notebook that nbconvert executes, and JupyterLab in a headless Chromium."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from importlib.util import find_spec
from pathlib import Path
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parents[2]
NEEDED = ("anywidget", "jupyterlab", "nbconvert", "nbformat", "ipykernel")
LACKING = [name for name in NEEDED if not find_spec(name)]
sys.path.insert(0, str(ROOT / "tests" / "page"))

SHOWN = """
import json, os
import numpy as np
import headlight

weights = np.random.default_rng(1).dirichlet(np.ones(5), (2, 3, 5))
w = headlight.show(weights, ["the", "cat", "sat", "on", "it"], height=500)

def keep(change):
    with open("seen.new", "w") as file:
        json.dump({"selected": w.selected, "layer": w.layer, "head": w.head, "error": w.error,
                   "study": w.study, "value": weights[1, 2, 3, 4]}, file)
    os.replace("seen.new", "seen.json")

w.observe(keep, ["selected", "study", "error"])
w
"""
MOVED = "w.layer = 1\nw.head = 2"
CELL = '''w.selected = {"layer": 1, "head": 2, "row": 3, "column": 4}
assert w.selected["value"] == weights[1, 2, 3, 4] and w.selected["row_name"] == "on"'''
WRONG = 'w.selected = {"layer": 7}'
STUDY = """w.show('{"headlight": 1, "kind": "sentence", "text": "cats see dogs"}')"""
SEED = 'w.set("seed", 41)'

LARGE = """
import json, os
import numpy as np
import headlight

weights = np.random.default_rng(1).random((12, 12, 512, 512), np.float32) ** 4
weights /= weights.sum(-1, keepdims=True)
value = float(weights[3, 5, 100, 90])
sent = []

def keep(change):
    with open("seen.new", "w") as file:
        json.dump({"selected": w.selected, "error": w.error, "sent": sent, "value": value}, file)
    os.replace("seen.new", "seen.json")
"""
LARGE_SHOWN = """
w = headlight.show(list(weights), [f"w{i % 400}" for i in range(512)], height=500)
really_send = w.send

def send(content, buffers=None):
    sent.append([list(content)[0], sum(map(len, buffers or []))])
    really_send(content, buffers)

w.send = send
w.observe(keep, ["selected", "error"])
w
"""
LARGE_CELL = 'w.selected = {"layer": 3, "head": 5, "row": 100, "column": 90}'


def notebook(*cells):
    import nbformat

    made = nbformat.v4.new_notebook()
    made.cells = [nbformat.v4.new_code_cell(cell) for cell in cells]
    made.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return nbformat.writes(made)


@unittest.skipIf(LACKING, f"there is no {', '.join(LACKING)}")
@unittest.skipUnless(os.environ.get("HEADLIGHT_PAGE"), "HEADLIGHT_PAGE names no page")
class InNotebooks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="headlight-notebook-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.environment = {
            **os.environ, "PYTHONPATH": str(ROOT / "python"),
            "HEADLIGHT_PAGE": os.path.abspath(os.environ["HEADLIGHT_PAGE"]),
            "JUPYTER_CONFIG_DIR": str(self.folder / "config"),
            "JUPYTER_DATA_DIR": str(self.folder / "data"),
            "JUPYTER_RUNTIME_DIR": str(self.folder / "runtime"),
            "PYDEVD_DISABLE_FILE_VALIDATION": "1",
        }

    def write(self, *cells):
        (self.folder / "a.ipynb").write_text(notebook(*cells), "utf-8")

    def convert(self, *options):
        """Converts the notebook to HTML, and returns that."""
        ran = subprocess.run(
            [sys.executable, "-m", "nbconvert", "--to", "html", *options, "a.ipynb"],
            cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=180,
        )
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return (self.folder / "a.html").read_text("utf-8")

    def test_nbconvert_executes_it_and_the_page_is_not_in_it(self):
        self.write(SHOWN)
        html = self.convert("--execute")
        self.assertTrue("headlight-picture" in html)
        self.assertLess(len(html), 1_500_000)
        # Only the program itself can draw where there is no browser.
        has_program = bool(self.environment.get("HEADLIGHT") or shutil.which("headlight"))
        self.assertEqual('src="data:image/png' in html, has_program)


@unittest.skipUnless(os.environ.get("HEADLIGHT_BROWSER") or shutil.which("chromium"),
                     "there is no chromium")
class InJupyterLab(InNotebooks):
    test_nbconvert_executes_it_and_the_page_is_not_in_it = None
    cells = (SHOWN, MOVED, CELL, WRONG, STUDY, SEED)

    def setUp(self):
        super().setUp()
        from browser import Browser

        self.write(*self.cells)
        with open(self.folder / "server.log", "wb") as log:
            self.server = subprocess.Popen(
                [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root",
                 "--ip=127.0.0.1", "--port=0", "--IdentityProvider.token=",
                 "--LabApp.expose_app_in_browser=True", f"--ServerApp.root_dir={self.folder}"],
                cwd=self.folder, env=self.environment, stdout=log, stderr=log,
            )
        self.addCleanup(self.stop)
        address = self.address()
        self.browser = Browser(1400, 1000)
        self.addCleanup(self.browser.close)
        self.browser.open(address + "lab/tree/a.ipynb")
        self.browser.wait_for("typeof jupyterapp == 'object' && "
                              f"document.querySelectorAll('.jp-CodeCell').length == {len(self.cells)}",
                              90)
        self.browser.wait_for("jupyterapp.shell.currentWidget?.sessionContext?.session?.kernel"
                              "?.status == 'idle'", 90)

    def stop(self):
        self.server.terminate()
        self.server.wait(30)

    def address(self):
        """The address of the server, once it answers."""
        start = time.monotonic()
        while time.monotonic() - start < 60:
            for file in self.folder.glob("runtime/jpserver-*.json"):
                address = json.loads(file.read_text())["url"]
                try:
                    with urlopen(address + "api", timeout=5):
                        return address
                except OSError:
                    pass
            time.sleep(0.2)
        self.fail((self.folder / "server.log").read_text()[-3000:])

    def run_cell(self, number):
        self.browser.run(f"""(async () => {{
            const notebook = jupyterapp.shell.currentWidget.content;
            notebook.activeCellIndex = {number};
            notebook.deselectAll();
            await jupyterapp.commands.execute("notebook:run-cell");
        }})()""")

    def wait_for(self, condition, secs=60):
        """Waits for what Python has seen to be such, and returns it."""
        start, seen = time.monotonic(), None
        while time.monotonic() - start < secs:
            try:
                seen = json.loads((self.folder / "seen.json").read_text("utf-8"))
            except FileNotFoundError:
                seen = None
            if seen and condition(seen):
                return seen
            self.browser.run("1")
            time.sleep(0.1)
        self.browser.screenshot(os.environ.get("HEADLIGHT_FAILED", str(self.folder / "a.png")))
        self.fail(f"not within {secs} s; Python has seen {seen}; {self.browser.console}")

    def click_cells(self, row):
        """Clicks in the window until another row is held."""
        box = self.browser.run("""(() => {
            const frame = document.querySelector("iframe[title=Headlight]");
            frame.scrollIntoView({block: "center"});
            const box = frame.getBoundingClientRect();
            return [box.left, box.top, box.width, box.height];
        })()""")
        for part in range(30, 75, 5):
            self.browser.click(box[0] + box[2] * part / 100, box[1] + box[3] * 0.42)
            time.sleep(0.4)
            seen = json.loads((self.folder / "seen.json").read_text("utf-8"))
            if seen["selected"].get("row", row) != row:
                return seen
        self.browser.screenshot(os.environ.get("HEADLIGHT_FAILED", str(self.folder / "a.png")))
        self.fail("no click has selected another row")

    def test_python_and_the_window_follow_each_other(self):
        start = time.monotonic()
        self.run_cell(0)
        seen = self.wait_for(lambda seen: seen["selected"].get("path"))
        print(f"\nfrom the cell to the selection: {time.monotonic() - start:.1f} s",
              file=sys.stderr)
        self.run_cell(1)
        seen = self.wait_for(lambda seen: "view" in seen["selected"] and seen["layer"] == 1 and
                             seen["head"] == 2)
        self.assertEqual(seen["selected"]["path"], "blocks.1.attn.heads.2.pattern")
        self.run_cell(2)
        seen = self.wait_for(lambda seen: seen["selected"].get("row_name") == "on" and
                             "view" in seen["selected"])
        self.assertEqual(seen["selected"]["column_name"], "it")
        self.assertAlmostEqual(seen["selected"]["value"], seen["value"], delta=1e-3)
        self.click_cells(3)
        self.run_cell(3)
        seen = self.wait_for(lambda seen: seen["error"] and seen["layer"] != 7)
        self.assertIn("no attention in a layer 7", seen["error"])
        self.assertEqual(seen["layer"], 1)  # the window is where it was
        self.check_saved()
        self.run_cell(4)
        self.wait_for(lambda seen: "cats see dogs" in seen["study"])
        self.run_cell(5)
        self.wait_for(lambda seen: '"seed": 41' in seen["study"])

    def check_saved(self):
        """The picture is in the saved notebook and in its HTML; page and arrays are not."""
        self.browser.wait_for("document.querySelector('.headlight-picture img') !== null", 30)
        self.assertEqual(self.browser.run("getComputedStyle(document.querySelector("
                                          "'.headlight-picture')).display"), "none")
        self.browser.run("jupyterapp.commands.execute('docmanager:save')")
        size = (self.folder / "a.ipynb").stat().st_size
        print(f"the saved notebook: {size / 1000:.0f} kB", file=sys.stderr)
        self.assertLess(size, 1_000_000)
        html = self.convert()
        (figure,) = re.findall('<figure class="headlight-picture.*?</figure>', html, re.S)
        self.assertIn('src="data:image/png;base64,', figure)
        self.assertIn("A picture of Headlight", figure)


class LargeInJupyterLab(InJupyterLab):
    test_python_and_the_window_follow_each_other = None
    cells = (LARGE, LARGE_SHOWN, LARGE_CELL)

    def test_a_pattern_is_sent_when_it_is_looked_at(self):
        self.run_cell(0)
        start = time.monotonic()
        self.run_cell(1)
        self.wait_for(lambda seen: seen["selected"].get("path"))
        print(f"\nfrom the cell to the overviews: {time.monotonic() - start:.1f} s",
              file=sys.stderr)
        # The strongest cell of the first head is held as soon as its pattern has come.
        seen = self.wait_for(lambda seen: "value" in seen["selected"])
        print(f"to the first pattern: {time.monotonic() - start:.1f} s", file=sys.stderr)
        sizes = [size for kind, size in seen["sent"] if kind != "page"]
        print(f"sent: {sum(sizes) / 1e6:.2f} MB beside the page", file=sys.stderr)
        self.assertLess(sum(sizes), 4_000_000)
        self.assertEqual([kind for kind, _ in seen["sent"]].count("file"), 1)
        start = time.monotonic()
        self.run_cell(2)
        seen = self.wait_for(lambda seen: seen["selected"].get("row") == 100 and
                             {"view", "value"} <= set(seen["selected"]))
        print(f"to another head's pattern: {time.monotonic() - start:.1f} s", file=sys.stderr)
        self.assertEqual(seen["selected"]["path"], "blocks.3.attn.heads.5.pattern")
        self.assertAlmostEqual(seen["selected"]["value"], seen["value"], delta=1e-3 * seen["value"])
        self.assertEqual([kind for kind, _ in seen["sent"]].count("file"), 2)


if __name__ == "__main__":
    unittest.main()
