"""Hands on the page: input methods, dead keys, fingers, Tab, other scales, the whole screen."""
import unittest

from browser import Browser
from page_test import begin, needs_page, settle, texts
from policy_test import POLICY, Site

FIELD = (100, 99)  # of the sentence
CELL = (428, 428)   # the attention of “too” to “street”, at the size of the tests


def open_page(browser, address=""):
    begin(browser, address)
    settle(browser, 1)


def read(browser):
    return texts(browser).replace("\n", " ")


def retype(browser):
    browser.click(*FIELD)
    settle(browser)  # the browser is told that a text is typed
    browser.press("a", code="KeyA", ctrl=True)


def picture(browser):
    settle(browser, 0.3)
    return browser.call("Page.captureScreenshot", format="png")["data"]


@needs_page
class Hands(unittest.TestCase):
    def setUp(self):
        self.browser = Browser()
        self.addCleanup(self.browser.close)

    def tearDown(self):
        self.browser.run("1")
        self.assertEqual(self.browser.console, [])

    def test_input_method_shows_what_it_puts_together_and_types_what_is_chosen(self):
        browser = self.browser
        open_page(browser)
        retype(browser)
        browser.type("x ")
        settle(browser)
        field = "document.getElementById('keyboard')"
        for part in ("に", "にh", "にほ", "にほん"):
            browser.call("Input.imeSetComposition", text=part, selectionStart=len(part),
                         selectionEnd=len(part))
        settle(browser)
        self.assertEqual(browser.run(f"getComputedStyle({field}).opacity"), "1")
        box = browser.run(f"{field}.getBoundingClientRect().toJSON()")
        self.assertGreater(box["width"], 30, "not all of it is seen")
        self.assertLess(abs(box["x"] - FIELD[0]), 100, "it stands somewhere else")
        self.assertLess(abs(box["y"] - FIELD[1]), 30, "it stands somewhere else")
        self.assertNotIn("に", read(browser))
        browser.call("Input.insertText", text="日本")
        settle(browser, 1)
        self.assertIn("日本", read(browser))
        self.assertNotIn("に", read(browser))
        self.assertEqual(browser.run(f"[{field}.value, getComputedStyle({field}).opacity]"),
                         ["", "0"])

    def test_input_method_that_is_left_types_nothing(self):
        browser = self.browser
        open_page(browser)
        retype(browser)
        browser.type("x y z")
        browser.call("Input.imeSetComposition", text="に", selectionStart=1, selectionEnd=1)
        browser.call("Input.imeSetComposition", text="", selectionStart=0, selectionEnd=0)
        settle(browser, 1)
        self.assertNotIn("に", read(browser))
        self.assertIn("3 tokens", read(browser))

    def test_text_of_an_emoji_picker_is_typed(self):
        open_page(self.browser)
        retype(self.browser)
        self.browser.call("Input.insertText", text="a 👍 ﬁ é")
        settle(self.browser, 1)
        self.assertIn("👍", read(self.browser))
        self.assertIn("é", read(self.browser))

    def test_dead_key_types_the_letter_that_it_makes(self):
        browser = self.browser
        open_page(browser)
        retype(browser)
        browser.type("caf")
        browser.call("Input.dispatchKeyEvent", type="rawKeyDown", key="Dead", code="Equal")
        browser.call("Input.dispatchKeyEvent", type="keyUp", key="Dead", code="Equal")
        browser.call("Input.dispatchKeyEvent", type="keyDown", key="é", code="KeyE", text="é")
        browser.call("Input.dispatchKeyEvent", type="keyUp", key="é", code="KeyE")
        settle(browser, 1)
        self.assertIn("café", read(browser))

    def test_what_another_program_copied_is_pasted(self):
        browser = self.browser
        browser.open("about:blank")
        browser.run("document.body.append(Object.assign(document.createElement('textarea'), "
                    "{value: 'dogs see cats'})), document.querySelector('textarea').select()")
        browser.command("copy")
        open_page(browser)
        retype(browser)
        browser.command("paste")
        settle(browser, 1)
        self.assertIn("3 tokens", read(browser))

    # ---- fingers ----

    def touch(self, kind, *points):
        self.browser.call("Input.dispatchTouchEvent", type=kind, touchPoints=[
            {"x": x, "y": y, "id": k} for k, (x, y) in enumerate(points)])

    def test_tap_selects(self):
        open_page(self.browser)
        self.assertNotIn("too → street", read(self.browser))
        self.touch("touchStart", CELL)
        self.touch("touchEnd")
        settle(self.browser, 0.5)
        self.assertIn("too → street", read(self.browser))

    def test_long_press_points_and_selects_nothing(self):
        open_page(self.browser)
        before = read(self.browser)
        self.assertIn("it → cat", before)
        self.touch("touchStart", CELL)
        settle(self.browser, 1)
        pointed = read(self.browser)
        self.assertNotEqual(before, pointed)
        self.assertIn("street", pointed)
        self.touch("touchEnd")
        self.browser.move(640, 600)
        settle(self.browser, 0.5)
        self.assertIn("it → cat", read(self.browser))

    def test_two_fingers_zoom_and_move(self):
        open_page(self.browser, "?open=gat")
        first = picture(self.browser)
        self.touch("touchStart", (580, 400), (620, 400))
        for k in range(1, 9):
            self.touch("touchMove", (580 - 10 * k, 400), (620 + 10 * k, 400))
        zoomed = picture(self.browser)
        self.assertNotEqual(first, zoomed, "a pinch does not zoom")
        for k in range(1, 9):
            self.touch("touchMove", (500 + 10 * k, 400), (700 + 10 * k, 400))
        moved = picture(self.browser)
        self.assertNotEqual(zoomed, moved, "two fingers do not move the picture")
        self.touch("touchEnd")

    def test_pinch_zooms_and_changes_no_number(self):
        browser = self.browser
        open_page(browser, "?open=attention")
        first = picture(browser)
        self.touch("touchStart", (760, 320), (800, 320))
        for k in range(1, 9):
            self.touch("touchMove", (760 - 5 * k, 320), (800 + 5 * k, 320))
        self.touch("touchEnd")
        self.assertNotEqual(first, picture(browser))
        browser.move(780, 320)
        before = picture(browser)
        browser.call("Input.dispatchMouseEvent", type="mouseWheel", x=780, y=320, deltaX=0,
                     deltaY=-30, modifiers=2)  # by a touchpad
        self.assertNotEqual(before, picture(browser))
        self.assertNotIn("edited", read(browser))

    def test_two_fingers_scroll_a_panel(self):
        open_page(self.browser)
        first = picture(self.browser)
        self.touch("touchStart", (80, 600), (120, 600))
        for k in range(1, 9):
            self.touch("touchMove", (80, 600 - 20 * k), (120, 600 - 20 * k))
        self.touch("touchEnd")
        self.assertNotEqual(first, picture(self.browser))

    def test_finger_drags_a_slider(self):
        open_page(self.browser, "?open=attention")
        before = read(self.browser)
        self.touch("touchStart", (96, 783))
        for x in range(100, 140, 5):
            self.touch("touchMove", (x, 783))
        self.touch("touchEnd")
        settle(self.browser, 0.5)
        self.assertNotEqual(before, read(self.browser))

    # ---- scales, Tab, the whole screen ----

    def test_other_scales_have_sharp_pictures_and_the_same_places(self):
        browser = self.browser
        open_page(browser)
        for scale in (1.25, 2, 1):
            width = 1280 + round(16 * scale)  # a browser's zoom changes the size in points as well
            browser.resize(width, 800, scale)
            browser.wait_for("document.getElementById('window').width == "
                             f"Math.round({width} * {scale})")
            settle(browser, 0.5)
            settle(browser, 0.5)
            retype(browser)
            browser.type(f"it was {scale}")
            settle(browser, 0.5)
            self.assertIn(f"it was {scale}", read(browser))

    def test_tab_enters_moves_within_and_after_escape_leaves(self):
        browser = self.browser
        around = ("<!DOCTYPE html><body><input id=before><iframe src=headlight.html style='width: "
                  "1000px; height: 600px'></iframe><input id=after>")
        with Site(POLICY, around) as site:
            browser.open(site.address + "frame.html")
            browser.wait_for("frames.length == 1 && frames[0].headlight && "
                             "frames[0].document.getElementById('curtain').hidden")
            active = "document.activeElement.id || document.activeElement.tagName"
            browser.run("document.getElementById('before').focus()")
            browser.press("Tab")
            self.assertEqual(browser.run(active), "IFRAME")
            self.assertEqual(browser.run("frames[0].document.activeElement.id"), "keyboard")
            for _ in range(3):
                browser.press("Tab")
            self.assertEqual(browser.run(active), "IFRAME")
            browser.press("Escape")
            browser.press("Tab")
            self.assertEqual(browser.run(active), "after")
            browser.press("Tab", shift=True)
            self.assertEqual(browser.run("frames[0].document.activeElement.id"), "keyboard")
            browser.press("Escape")
            browser.press("Tab", shift=True)
            self.assertEqual(browser.run(active), "before")

    def test_presentation_fills_the_screen_and_ends_with_it(self):
        browser = self.browser
        open_page(browser, "?open=attention")
        browser.click(640, 600)
        browser.press("F5")
        browser.wait_for("document.fullscreenElement != null")
        settle(browser, 0.5)
        self.assertIn("Step", read(browser))
        browser.press("Escape")
        browser.wait_for("document.fullscreenElement == null")
        settle(browser, 0.5)
        self.assertIn("Sentence", read(browser))


if __name__ == "__main__":
    unittest.main()
