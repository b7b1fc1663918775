"""The page in Firefox and in WebKit, the engine of Safari: the same numbers and the same picture as in
Chromium, made by a hand and a keyboard. HEADLIGHT_PICTURES names a folder for the pictures."""
import os
import pathlib
import unittest

from browser import Browser
from page_test import begin, drop, needs_page, settle, take_file, texts
from pictures_test import difference
from scripts_test import play
from webdriver import Firefox, WebKit

FRIENDS = pathlib.Path(__file__).parents[1] / "ui/friends.edges"
SCRIPT = """
screenshot sentence.png
click part all heads
screenshot heads.png
study gat
screenshot graph.png
theme dark
screenshot graph-dark.png
study attention
press F5
screenshot present.png
press Esc
press Ctrl+E
choose Format = CSV with labels, for spreadsheets
replace File with numbers.csv
click button Export
expect text Exported to numbers.csv
"""
PICTURES = [line.split()[1] for line in SCRIPT.splitlines() if line.startswith("screenshot")]
MOST_MEAN, MOST_FAR = 0.5, 0.005  # of pictures: smooth edges


def made_by_script(browser):
    failure = play(browser, "attention", SCRIPT)
    if failure:
        raise AssertionError(failure)
    return {name: take_file(browser, name) for name in [*PICTURES, "numbers.csv"]}


@needs_page
@unittest.skipUnless("DISPLAY" in os.environ, "there is no display")
class OtherBrowsers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.chromium = Browser()
        cls.addClassCleanup(cls.chromium.close)
        begin(cls.chromium)
        cls.expected = made_by_script(cls.chromium)

    def try_with(self, browser):
        begin(browser)
        settle(browser, 1)
        self.assertIn("Sentence", texts(browser))
        browser.click(100, 108)
        browser.press_ctrl("a")
        browser.type("The dog saw a cat")
        settle(browser, 1)
        self.assertIn("5 tokens", " ".join(texts(browser).split()))
        browser.press_ctrl("z")
        settle(browser, 1)
        self.assertNotIn("saw a cat", texts(browser))
        kept = os.environ.get("HEADLIGHT_PICTURES")
        if kept:
            name = f"{type(browser).__name__.lower()}.png"
            pathlib.Path(kept, name).write_bytes(browser.screenshot())
        drop(browser, "friends.edges", FRIENDS.read_bytes())
        self.assertIn("friends", texts(browser))
        made = made_by_script(browser)
        self.assertEqual(made["numbers.csv"], self.expected["numbers.csv"])
        for name in PICTURES:
            is_as_large, mean, far = difference(self.chromium, self.expected[name], made[name])
            print(f"{name}: {mean:.2f} of 255, {100 * far:.2f} % of pixels are far", flush=True)
            with self.subTest(name):
                self.assertTrue(is_as_large)
                self.assertLess(mean, MOST_MEAN)
                self.assertLess(far, MOST_FAR)

    @unittest.skipUnless(Firefox.is_here, "there is no Firefox")
    def test_firefox(self):
        with Firefox() as browser:
            self.try_with(browser)

    @unittest.skipUnless(WebKit.is_here, "there is no WebKitWebDriver")
    def test_webkit(self):
        with WebKit() as browser:
            self.try_with(browser)


if __name__ == "__main__":
    unittest.main()
