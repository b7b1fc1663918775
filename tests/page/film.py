"""Makes docs/pictures/page.gif, a film of the page in Chromium: a word is changed, all heads are looked
at, and a graph is dropped. Needs ImageMagick, and HEADLIGHT_PAGE.
"""
import pathlib
import subprocess
import tempfile

from browser import Browser
from page_test import ROOT, begin, drop, settle

OUTPUT = ROOT / "docs/pictures/page.gif"
COLORS, WIDTH = 32, 640


class Film:
    def __init__(self, browser, folder):
        self.browser, self.folder, self.frames = browser, pathlib.Path(folder), []

    def take(self, hundredths):
        """Takes a picture that is seen for so long."""
        path = self.folder / f"{len(self.frames):03}.png"
        self.browser.screenshot(path)
        self.frames += ["-delay", str(hundredths), str(path)]

    def type(self, text):
        for letter in text:
            self.browser.type(letter)
            settle(self.browser, 0.1)
            self.take(12)

    def write(self, output):
        subprocess.run(["convert", "-loop", "0", *self.frames, "-resize", str(WIDTH), "+dither", "-colors",
                        str(COLORS), "-layers", "optimize", str(output)], check=True)


def main():
    with tempfile.TemporaryDirectory() as folder, Browser(1280, 800) as browser:
        film = Film(browser, folder)
        begin(browser)
        settle(browser, 1)
        film.take(150)
        browser.click(100, 112)  # the field
        browser.press("End", code="End", ctrl=True)
        for _ in "tired":
            browser.press("Backspace", code="Backspace")
        settle(browser)
        film.take(30)
        film.type("wide")
        settle(browser, 1)
        film.take(180)
        browser.click(278, 67)  # all heads
        settle(browser, 0.5)
        film.take(150)
        browser.click(331, 67)  # words
        settle(browser, 0.5)
        film.take(150)
        drop(browser, "friends.edges", (ROOT / "tests/ui/friends.edges").read_bytes())
        settle(browser, 1)
        film.take(200)
        film.write(OUTPUT)
    print(f"{OUTPUT}: {OUTPUT.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
