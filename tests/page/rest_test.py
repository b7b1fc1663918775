"""What the page takes from the computer: no time while nobody does anything, and no more memory after
an hour of editing than after its first minutes.

HEADLIGHT_MINUTES says for how long the work is edited; without it, for some seconds only.
"""
import os
import pathlib
import re
import time
import unittest

from browser import Browser
from page_test import begin, needs_page, put_file, settle, texts

MINUTES = float(os.environ.get("HEADLIGHT_MINUTES", 0))


def processor_secs(process):
    """Returns the processor's time of a process and of all that it has started."""
    parents, secs = {}, {}
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue  # it has ended
        parents[int(folder.name)] = int(fields[1])
        secs[int(folder.name)] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    own = {process}
    for _ in parents:
        more = {child for child, parent in parents.items() if parent in own} - own
        if not more:
            break
        own |= more
    return sum(secs[one] for one in own if one in secs)


@needs_page
class Rest(unittest.TestCase):
    def test_takes_no_time_while_nobody_does_anything(self):
        with Browser() as browser:
            begin(browser)
            settle(browser, 1)
            browser.click(100, 108)  # a caret
            settle(browser, 8)  # what was typed is kept
            browser.run("document.activeElement.blur(), document.getElementById('keyboard').focus()")
            turns = browser.run("(window.turns = 0, (turn => headlight._page_turn = () => "
                                "(++window.turns, turn()))(headlight._page_turn), window.turns)")
            before = processor_secs(browser.process.pid)
            time.sleep(5)
            share = (processor_secs(browser.process.pid) - before) / 5
            print(f"at rest: {100 * share:.1f} % of a processor, "
                  f"{browser.run('window.turns') - turns} turns in 5 s")
            self.assertLess(share, 0.03)
