"""Finds the page, the one file that is the program in a browser."""

import gzip
import os
import shutil
from functools import lru_cache
from pathlib import Path

from headlight_capture.errors import CaptureError

NAME = "headlight.html"


def page_places():
    """Where the page may be: beside this file in a wheel, in the tree that was built, installed."""
    here = Path(__file__).resolve().parent
    places = [here / NAME, here.parent.parent / "build" / "web" / NAME]
    found = shutil.which("headlight")
    if found:
        folder = Path(found).resolve().parent
        places += [folder / NAME, folder.parent / "share" / "headlight" / NAME]
    return places


def find_page():
    named = os.environ.get("HEADLIGHT_PAGE")
    if named:
        if not os.path.isfile(named):
            raise CaptureError(f"HEADLIGHT_PAGE is {named!r}, which is no file")
        return Path(named)
    for place in page_places():
        if place.is_file():
            return place
    raise CaptureError(
        "the page headlight.html, which a widget shows, is not in this package: build it in "
        "Headlight's sources with ./run web, and say where it is: "
        "HEADLIGHT_PAGE=/path/to/build/web/headlight.html; show_window opens a window without it"
    )


@lru_cache(maxsize=1)
def packed(path, changed_ns):
    return gzip.compress(path.read_bytes(), 1)


def page_bytes():
    """The page, compressed by gzip."""
    path = find_page()
    return packed(path, path.stat().st_mtime_ns)
