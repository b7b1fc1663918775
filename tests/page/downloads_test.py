"""What the page hands over, byte for byte what the program writes: its window by the same script, and
its command line.

Letters are another matter: the program sets text by Pango and the page by HarfBuzz, which agree on
the letters and their places up to hundredths of a point.
"""
import os
import pathlib
import subprocess
import tempfile
import unittest

from browser import Browser
from page_test import PROGRAM, begin, needs_page, take_file
from pictures_test import difference, with_fonts_of_page
from scripts_test import play

CELLS = {
    "csv": "CSV with labels, for spreadsheets", "tsv": "TSV with labels", "npy": "NPY, for NumPy",
    "tex": "LaTeX table", "md": "Markdown table", "npz": "NPZ, for NumPy",
    "safetensors": "safetensors, for PyTorch", "json": "JSON with equations",
}
PICTURES = {
    "png": "PNG picture", "svg": "SVG drawing, its text can be edited",
    "gif": "GIF picture, 256 colours",
}


def export(name, format, *choices):
    return "\n".join(["press Ctrl+E", f"choose Format = {format}", *choices,
                      f"replace File with {name}", "click button Export",
                      f"expect text Exported to {name}", "click button Dismiss", ""])
