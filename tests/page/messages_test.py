"""The page in a frame of another page: what the two tell each other.

    HEADLIGHT_PAGE=build/web/headlight.html python3 -m unittest discover -s tests/page -p "*_test.py"
"""
import base64
import json
import os
import pathlib
import shutil
import struct
import tempfile
import unittest

from browser import Browser

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = os.environ.get("HEADLIGHT_PAGE", str(ROOT / "build/web/headlight.html"))
HAS_BROWSER = os.environ.get("HEADLIGHT_BROWSER") or shutil.which("chromium")

# It keeps every message of the page, and can have a second frame that is not the page's parent.
PARENT = """<!DOCTYPE html><meta charset="utf-8"><body style="margin: 0"><script>
const heard = [];
let frame;
addEventListener("message", (event) => {
    if (event.source == frame.contentWindow) heard.push(event.data);
});
const last = (name) => heard.findLast((message) => name in message)?.[name];
const send = (message) => { frame.contentWindow.postMessage(message, "*"); };
const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
fetch("headlight.html").then((answer) => answer.text()).then((html) => {
    frame = document.createElement("iframe");
    frame.style = "width: 100vw; height: 100vh; border: 0";
    frame.sandbox = "allow-scripts";
    frame.srcdoc = html.replace("<body>", "<body data-waits>");
    document.body.append(frame);
});
async function colors(bytes) {
    const picture = await createImageBitmap(new Blob([bytes], {type: "image/png"}));
    const canvas = new OffscreenCanvas(picture.width, picture.height);
    const drawing = canvas.getContext("2d");
    drawing.drawImage(picture, 0, 0);
    const pixels = drawing.getImageData(0, 0, picture.width, picture.height).data;
    return [picture.width, picture.height, new Set(new Uint32Array(pixels.buffer)).size];
}
</script>"""


def recording(n_layers=2, n_heads=3, words=("the", "cat", "sat", "down")):
    """Returns a recording in half floats: row i of head h reads the word (i + h) most."""
    n = len(words)
    numbers = []
    for _ in range(n_layers):
        for head in range(n_heads):
            for row in range(n):
                numbers += [0.7 if column == (row + head) % n else 0.1 for column in range(n)]
    data = struct.pack(f"<{len(numbers)}e", *numbers)
    index = {
        "attention": 1, "texts": [{"tokens": list(words)}],
        "attentions": [{"kind": "self", "layers": n_layers, "heads": n_heads}],
        "arrays": [{"text": 0, "kind": "self", "layers": [0, n_layers], "heads": [0, n_heads],
                    "pattern": "a"}],
    }
    header = json.dumps({
        "__metadata__": {"attention_index": json.dumps(index)},
        "a": {"dtype": "F16", "shape": [n_layers, n_heads, n, n], "data_offsets": [0, len(data)]},
    }).encode()
    return struct.pack("<Q", len(header)) + header + data


def safetensors(**arrays):
    """Returns a file of half floats; arrays: a shape and numbers by name."""
    header, data = {}, b""
    for name, (shape, numbers) in arrays.items():
        begin = len(data)
        data += struct.pack(f"<{len(numbers)}e", *numbers)
        header[name] = {"dtype": "F16", "shape": shape, "data_offsets": [begin, len(data)]}
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def later_recording(n_layers=2, n_heads=3, words=("the", "cat", "sat", "down")):
    """Returns the index of a recording whose heads come later, and the file of their summaries."""
    places = [(layer, head) for layer in range(n_layers) for head in range(n_heads)]
    index = {
        "attention": 1, "texts": [{"tokens": list(words)}],
        "attentions": [{"kind": "self", "layers": n_layers, "heads": n_heads}],
        "shards": [*(f"{layer}.{head}.safetensors" for layer, head in places), "all.safetensors"],
        "arrays": [{"shard": shard, "text": 0, "kind": "self", "layers": [layer, layer + 1],
                    "heads": [head, head + 1], "pattern": "a"}
                   for shard, (layer, head) in enumerate(places)],
        "summaries": {"shard": len(places), "overviews": "o", "metrics": "m"},
    }
    summaries = safetensors(o=([n_layers, n_heads, 2, 2], [0.5] * 4 * len(places)),
                            m=([n_layers, n_heads, 2, 10], [0.25] * 20 * len(places)))
    return json.dumps(index).encode(), summaries


@unittest.skipUnless(os.path.exists(PAGE) and HAS_BROWSER, "there is no page, or no Chromium")
class Messages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="headlight-parent-")
        cls.addClassCleanup(folder.cleanup)
        shutil.copy(PAGE, os.path.join(folder.name, "headlight.html"))
        parent = pathlib.Path(folder.name, "parent.html")
        parent.write_text(PARENT, "utf-8")
        cls.browser = Browser(1200, 760)
        cls.addClassCleanup(cls.browser.close)
        cls.browser.open(parent.as_uri())
        cls.browser.wait_for("typeof heard == 'object' && heard.some((message) => message.ready)")

    def setUp(self):
        self.open("attention.safetensors", recording())

    def open(self, name, data):
        text = base64.b64encode(data).decode()
        self.run_script("heard.length = 0")
        self.run_script(f"send({{open: {{name: {json.dumps(name)}, bytes: bytesOf('{text}')}}}})")
        self.browser.wait_for("last('selected')?.path || last('error')")

    def send_file(self, name, data):
        text = base64.b64encode(data).decode()
        self.run_script(f"send({{file: {{name: {json.dumps(name)}, bytes: bytesOf('{text}')}}}})")

    def test_a_pattern_is_asked_for_when_it_is_looked_at(self):
        index, summaries = (base64.b64encode(data).decode() for data in later_recording())
        self.run_script("heard.length = 0")
        self.run_script(f"send({{open: {{name: 'a.json', bytes: bytesOf('{index}'), "
                        f"beside: {{'all.safetensors': bytesOf('{summaries}')}}}}}})")
        self.browser.wait_for("last('ask')")
        self.assertEqual(self.run_script("last('ask')"), "0.0.safetensors")
        self.select(layer=1, head=2, row=1, column=3)
        selected = self.wait_for("selected", "it.layer == 1 && it.head == 2 && it.row == 1")
        self.assertNotIn("value", selected)
        self.browser.wait_for("last('ask') == '1.2.safetensors'")
        numbers = [column / 8 for column in range(16)]
        wrong = safetensors(a=([1, 1, 4, 4], [0] * 16))
        self.send_file("../1.2.safetensors", wrong)  # nobody has asked for it
        self.send_file("1.2.safetensors", safetensors(a=([1, 1, 4, 4], numbers)))
        selected = self.wait_for("selected", "'value' in it")
        self.assertEqual((selected["row"], selected["column"]), (1, 3))
        self.assertEqual(selected["value"], numbers[7])
        asked = self.run_script("heard.filter((message) => message.ask).length")
        self.assertEqual(asked, 2)

    def run_script(self, script):
        return self.browser.run(script)

    def select(self, **place):
        self.run_script(f"send({{select: {json.dumps(place)}}})")

    def wait_for(self, name, condition):
        """Waits for a message in which `it`, its content, is such."""
        self.browser.wait_for(f"heard.some((message) => {{ const it = message.{name}; "
                              f"return it && ({condition}); }})", 20)
        return self.run_script(f"last({json.dumps(name)})")

    def test_a_recording_of_half_floats_is_opened_and_a_cell_selected(self):
        self.select(layer=1, head=2, row=1, column=3)
        selected = self.wait_for("selected", "it.layer == 1 && it.head == 2 && it.row == 1")
        self.assertEqual(selected["path"], "blocks.1.attn.heads.2.pattern")
        self.assertEqual((selected["row_name"], selected["column_name"]), ("cat", "down"))
        self.assertAlmostEqual(selected["value"], 0.7, delta=1e-3)

    def test_a_selection_that_differs_in_the_head_goes_to_that_head(self):
        self.select(layer=0, head=0, row=2, column=2)
        before = self.wait_for("selected", "it.layer == 0 && it.head == 0 && it.row == 2")
        self.select(**{**before, "head": 1})
        after = self.wait_for("selected", "it.head == 1")
        self.assertEqual(after["path"], "blocks.0.attn.heads.1.pattern")
        self.assertEqual((after["row"], after["column"]), (2, 2))

    def test_a_selection_by_path_takes_the_held_cell_along(self):
        self.select(layer=0, head=0, row=2, column=2)
        self.wait_for("selected", "it.head == 0 && it.row == 2")
        self.select(path="blocks.1.attn.heads.1.pattern")
        selected = self.wait_for("selected", "it.layer == 1")
        self.assertEqual(selected["path"], "blocks.1.attn.heads.1.pattern")
        self.assertEqual((selected["row"], selected["column"]), (2, 2))

    def test_what_is_not_there_is_an_error_and_changes_nothing(self):
        self.select(layer=1, head=2, row=1, column=3)
        before = self.wait_for("selected", "it.layer == 1 && it.head == 2 && it.row == 1")
        for place, wanted in [
            ({"layer": 9}, "no attention in a layer 9"), ({"head": 3}, "there are 3 heads"),
            ({"path": "blocks.7.attn"}, "blocks.7.attn"), ({"row": 1, "column": 4}, "4 × 4 cells"),
            ({"column": 0}, "a column needs a row"),
        ]:
            self.run_script("heard.length = 0")
            self.select(**place)
            self.browser.wait_for("last('error')", 20)
            self.assertIn(wanted, self.run_script("last('error')"))
            self.assertIn(self.run_script("last('selected')"), (None, before))

    def test_a_page_that_is_scrolled_away_answers(self):
        self.run_script("frame.style.marginTop = '5000px'; scrollTo(0, 0)")
        try:
            self.run_script("new Promise((done) => setTimeout(done, 500))")
            self.select(layer=1, head=1, row=0, column=1)
            self.wait_for("selected", "it.layer == 1 && it.head == 1 && it.row == 0")
            self.open("a.headlight", b'{"headlight": 1, "kind": "sentence", "text": "dogs ran"}')
            self.wait_for("study", "it.includes('dogs ran')")
        finally:
            self.run_script("frame.style.marginTop = 0")

    def test_a_click_in_the_page_is_told(self):
        self.select(layer=0, head=0, row=0, column=0)
        self.wait_for("selected", "it.layer == 0 && it.row == 0 && it.column == 0")
        self.run_script("heard.length = 0")
        for x in range(360, 900, 60):  # somewhere there are cells
            self.browser.click(x, 300)
            if self.run_script("last('selected')?.value !== undefined"):
                break
        self.assertIn("row", self.wait_for("selected", "true"))

    def test_a_setting_is_set_and_the_study_comes_back(self):
        self.open("a.headlight", b'{"headlight": 1, "kind": "sentence", "text": "cats see dogs"}')
        study = json.loads(self.wait_for("study", "it.includes('cats see dogs')"))
        self.assertNotEqual(study.get("seed"), 41)
        self.run_script("send({edit: {setting: 'seed', value: 41}})")
        self.assertEqual(json.loads(self.wait_for("study", "it.includes('41')"))["seed"], 41)
        self.run_script("send({edit: {setting: 'no.such', value: 1}})")
        self.assertIn("no.such", self.wait_for("error", "true"))

    def test_a_file_that_is_none_is_an_error(self):
        self.open("broken.headlight", b"{")
        self.browser.wait_for("last('error')", 20)
        self.assertIn("broken.headlight", self.run_script("last('error')"))

    def test_a_picture_shows_the_window(self):
        self.run_script("send({picture: true})")
        self.browser.wait_for("!!last('picture')", 20)
        width, height, n_colors = self.run_script("colors(last('picture'))")
        self.assertEqual((width, height), (1200, 760))
        self.assertGreater(n_colors, 20)

    def test_only_the_parent_is_heard(self):
        self.select(layer=0, head=0)
        self.wait_for("selected", "it.layer == 0 && it.head == 0")
        self.run_script("heard.length = 0")
        self.run_script("""new Promise((done) => {
            const other = document.createElement("iframe");
            other.srcdoc = "<script>parent.frames[0].postMessage({select: {layer: 1, head: 1}}, '*')" +
                ";parent.postMessage('sent', '*')</" + "script>";
            addEventListener("message", (event) => { if (event.data == "sent") done(); });
            document.body.append(other);
        })""")
        self.run_script("send({picture: true})")
        self.browser.wait_for("!!last('picture')", 20)
        self.assertIsNone(self.run_script("last('selected')"))

    def test_nothing_is_written_to_the_console(self):
        self.assertEqual(self.browser.console, [])


if __name__ == "__main__":
    unittest.main()
