"""The same script's pictures, of the program's window and of the page.

They are not equal: the two have other releases of Dear ImGui, FreeType and OpenGL, which place letters
and smooth lines otherwise by parts of a pixel. HEADLIGHT_PICTURES names a folder for them.
"""
import base64
import os
import pathlib
import subprocess
import tempfile
import unittest

from browser import Browser
from page_test import PROGRAM, begin, needs_page, take_file
from scripts_test import play

FAR = 64  # of 255 steps of a color; it is seen at once
MOST_MEAN, MOST_FAR = 2.0, 0.02

SCRIPT = """
screenshot sentence.png
theme dark
screenshot sentence-dark.png
theme light
click part all heads
screenshot all-heads.png
click part words
screenshot words.png
study gat
screenshot graph.png
theme dark
screenshot graph-dark.png
theme light
study shapes
screenshot image.png
theme contrast
screenshot image-contrast.png
theme light
study cross-attention
screenshot alignment.png
study attention
press F5
screenshot present.png
theme dark
screenshot present-dark.png
"""
NAMES = [line.split()[1] for line in SCRIPT.splitlines() if line.startswith("screenshot")]

# Returns the sizes, the mean difference of a color and the share of pixels with one that is far.
DIFFERENCE = """(async () => {
    const pixels = async (text) => {
        const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
        const picture = await createImageBitmap(new Blob([bytes], {type: "image/png"}));
        const drawing = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
        drawing.drawImage(picture, 0, 0);
        return drawing.getImageData(0, 0, picture.width, picture.height);
    };
    const a = await pixels("FIRST"), b = await pixels("SECOND");
    let sum = 0, nFar = 0;
    for (let k = 0; k < a.data.length; k += 4) {
        let most = 0;
        for (let c = k; c < k + 3; ++c) {
            const difference = Math.abs(a.data[c] - b.data[c]);
            sum += difference;
            most = Math.max(most, difference);
        }
        nFar += most > FAR;
    }
    const n = a.data.length / 4;
    return [a.width == b.width && a.height == b.height, sum / n / 3, nFar / n];
})()"""


def difference(browser, first, second):
    script = DIFFERENCE
    for name, value in (("FIRST", base64.b64encode(first).decode()),
                        ("SECOND", base64.b64encode(second).decode()), ("> FAR", f"> {FAR}")):
        script = script.replace(name, value, 1)
    return browser.run(script)


def with_fonts_of_page(browser, folder):
    """Returns the environment of a program that finds the fonts of the page, and no others."""
    fonts = folder / "fonts"
    fonts.mkdir()
    for name in browser.run("headlight.FS.readdir('/fonts')"):
        if not name.startswith("."):
            (fonts / name).write_bytes(take_file(browser, f"/fonts/{name}"))
    (folder / "fonts.conf").write_text(f"<fontconfig><dir>{fonts}</dir><cachedir>{folder}/cache"
                                       "</cachedir></fontconfig>")
    return dict(os.environ, FONTCONFIG_FILE=str(folder / "fonts.conf"))


@needs_page
@unittest.skipUnless(os.access(PROGRAM, os.X_OK), "there is no program")
class Pictures(unittest.TestCase):
    def test_of_the_page_are_those_of_the_program(self):
        with tempfile.TemporaryDirectory() as folder, Browser() as browser:
            kept = pathlib.Path(os.environ.get("HEADLIGHT_PICTURES", folder))
            (kept / "script").write_text(SCRIPT)
            begin(browser)
            subprocess.run([PROGRAM, "script", "attention", kept / "script", "--folder", kept],
                           check=True, env=with_fonts_of_page(browser, pathlib.Path(folder)))
            self.assertEqual(play(browser, "attention", SCRIPT), "")
            for name in NAMES:
                mine = (kept / name).read_bytes()
                pages = take_file(browser, name)
                (kept / f"page-{name}").write_bytes(pages)
                is_as_large, mean, far = difference(browser, mine, pages)
                print(f"{name}: {mean:.2f} of 255, {100 * far:.2f} % of pixels are far", flush=True)
                with self.subTest(name):
                    self.assertTrue(is_as_large)
                    self.assertLess(mean, MOST_MEAN)
                    self.assertLess(far, MOST_FAR)
            self.assertGreater(difference(browser, (kept / NAMES[0]).read_bytes(),
                                          (kept / NAMES[2]).read_bytes())[1], MOST_MEAN,
                               "the tolerance would take one view for another")


if __name__ == "__main__":
    unittest.main()
