"""Prints what the page takes: bytes by part, time to the first frame, from a key to the picture, frames
while 12 heads of 512 tokens are moved, and memory. Times say little on a machine that does other work.
"""
import json
import re
import statistics
import time

from browser import Browser
from page_test import PAGE, begin, drop, settle

N_STARTS, N_KEYS, N_SECS = 5, 30, 4
LONG_STUDY = {
    "headlight": 1, "kind": "sentence", "text": " ".join(f"w{k % 397}" for k in range(512)),
    "layer": {"d_model": 768, "attention": {"n_heads": 12}}}

# Keeps when a key came, and when each frame after it was drawn: reading a pixel waits for that.
WATCH = """(() => {
    const gl = document.getElementById("window").getContext("webgl2"), pixel = new Uint8Array(4);
    const turn = headlight._page_turn;
    window.keyTime = 0, window.frames = [];
    addEventListener("keydown", (event) => { keyTime = event.timeStamp; frames = []; }, true);
    headlight._page_turn = () => {
        const secs = turn();
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, pixel);
        frames.push([performance.now() - keyTime, headlight.UTF8ToString(headlight._page_texts())]);
        return secs;
    };
})()"""

# Counts the turns that the browser asked for, each once what it drew is drawn.
COUNT = WATCH.replace("frames = []", "frames = 0", 1).replace(
    "frames.push([performance.now() - keyTime, headlight.UTF8ToString(headlight._page_texts())]);",
    "++frames;")


def sizes():
    html = PAGE.read_text()
    parts = {"weights": 0, "lessons": 0}
    for attributes, text in re.findall(r"<script([^>]*)>(.*?)</script>", html, re.S):
        name = re.search(r'(?:data-name|id)="([^"/]*)', attributes)
        name = name.group(1) if name else "scripts"
        parts[name] = parts.get(name, 0) + len(text)
    print(f"bytes: {len(html.encode())} in all; " +
          ", ".join(f"{name} {size}" for name, size in parts.items()))


def starts():
    secs = []
    for _ in range(N_STARTS):
        with Browser() as browser:
            secs.append(begin(browser))
    print(f"first frame: {statistics.median(secs):.2f} s, the median of {N_STARTS}")


def keys():
    with Browser() as browser:
        begin(browser)
        settle(browser, 1)
        browser.click(100, 108)
        browser.press("End", ctrl=True)
        settle(browser, 1)
        browser.run(WATCH)
        took = []
        for k in range(N_KEYS):
            browser.type("abcdefghij"[k % 10])
            time.sleep(0.4)
            frames = browser.run("frames")
            # The word that grows is in the picture from the first frame that has the last one's texts.
            took.append(next(ms for ms, texts in frames if texts == frames[-1][1]))
        took.sort()
        print(f"a key to the picture: {took[len(took) // 2]:.0f} ms, the median of {N_KEYS}; "
              f"{took[0]:.0f} to {took[-1]:.0f}")


def moves():
    with Browser() as browser:
        begin(browser)
        drop(browser, "long.headlight", json.dumps(LONG_STUDY).encode())
        settle(browser, 3)
        x, y = 800, 300
        for _ in range(6):
            browser.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0,
                         deltaY=-100)
            settle(browser, 0.2)
        browser.run(COUNT)
        browser.call("Input.dispatchMouseEvent", type="mousePressed", x=x, y=y, button="left",
                     clickCount=1)
        start, k = time.monotonic(), 0
        while time.monotonic() < start + N_SECS:
            browser.call("Input.dispatchMouseEvent", type="mouseMoved", x=x + k % 90, y=y + k % 70,
                         button="left", buttons=1)
            k += 1
        n = browser.run("frames")
        browser.call("Input.dispatchMouseEvent", type="mouseReleased", x=x, y=y, button="left")
        print(f"a zoomed pattern of 512 tokens, 12 heads: {n / N_SECS:.0f} frames/s while it is "
              f"moved, {k / N_SECS:.0f} moves/s")
        print(f"memory: {browser.run('headlight.HEAPU8.length') / 2**20:.0f} MiB of the program")


if __name__ == "__main__":
    sizes()
    starts()
    keys()
    moves()
