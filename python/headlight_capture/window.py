"""Opens Headlight, and gets pictures from it."""

import atexit
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
import threading

from .arrays import stack_layers
from .errors import CaptureError
from .shards import write

OPENING_SECS = 1.5  # in which a window that cannot open has said so

_opened = []


def program():
    """The headlight program: that of the environment's HEADLIGHT, else on the PATH."""
    named = os.environ.get("HEADLIGHT")
    if named:
        if not os.access(named, os.X_OK) or os.path.isdir(named):
            raise CaptureError(f"HEADLIGHT is {named!r}, which is no program")
        return named
    found = shutil.which("headlight")
    if not found:
        raise CaptureError(
            "the program headlight is not on the PATH; install it, or say where it is: "
            "HEADLIGHT=/path/to/build/release/headlight"
        )
    return found


def remove_closed():
    """Removes the files of windows that were closed; those of open ones stay."""
    for process, folder in list(_opened):
        if process.poll() is not None:
            shutil.rmtree(folder, ignore_errors=True)
            _opened.remove((process, folder))


atexit.register(remove_closed)


def show(attentions, tokens=None, source=None):
    """Opens the window on attention, or on a recording, and does not wait until it is closed.

    attentions: [layers, heads, n, n], a list of layers such as outputs.attentions of transformers,
    with a source [layers, heads, n, m]; or the path of a file. Returns the process. Raises
    CaptureError if the window does not open; what the program says later goes to sys.stderr.
    """
    remove_closed()
    if isinstance(attentions, (str, os.PathLike)):
        if not os.path.isfile(attentions):
            raise CaptureError(f"the file {os.fspath(attentions)!r} is not there")
        return started([program(), os.fspath(attentions)])
    headlight = program()
    folder = tempfile.mkdtemp(prefix="headlight-")
    try:
        file = write_given(folder, attentions, tokens, source)
        process = started([headlight, file], file)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    _opened.append((process, folder))
    return process


def started(command, written=None):
    """The process of a window that has opened, or is about to. written: a file not to be named."""
    # What is said goes to a file, not to a pipe, as the window may outlive Python. The reader has a
    # file of its own, as to read must not move where the program writes.
    handle, path = tempfile.mkstemp(prefix="headlight-", suffix=".txt")
    with open(handle, "wb") as said:
        reader = open(path, encoding="utf-8", errors="replace")
        with contextlib.suppress(OSError):
            os.remove(path)
        try:
            process = subprocess.Popen(command, stderr=said)
        except OSError:
            reader.close()
            raise
    try:
        status = process.wait(OPENING_SECS)
    except subprocess.TimeoutExpired:
        status = None
    text = without_path(reader.read(), written)
    if status is None:
        threading.Thread(target=follow, args=(process, reader, written), daemon=True).start()
    else:
        reader.close()
    if status:
        reason = text.strip() or f"it ended with the status {status}"
        advice = "" if written is None or "display" not in text else (
            ". Without a display, figure(attentions, tokens) draws a picture"
        )
        raise CaptureError(f"the window did not open: {reason}{advice}")
    sys.stderr.write(text)
    return process


def without_path(text, written):
    return text.replace(written, "attention") if written else text


def follow(process, reader, written):
    """Passes on what the program says until it ends, and how it ended if not as it should."""
    status = process.wait()
    with reader:
        sys.stderr.write(without_path(reader.read(), written))
    if status:
        sys.stderr.write(f"headlight ended with the status {status}\n")


def write_given(folder, attentions, tokens, source):
    if tokens is None:
        if isinstance(attentions, dict):
            raise CaptureError("attention of several kinds needs tokens=")
        tokens = range(stack_layers(attentions).shape[2])
    return write(os.path.join(folder, "attention.safetensors"), attentions, tokens, source)


class Figure:
    """A picture; notebooks show it. data: the text of an SVG, or the bytes of a PNG."""

    def __init__(self, data):
        self.data = data

    def _repr_svg_(self):
        return self.data if isinstance(self.data, str) else None

    def _repr_png_(self):
        return self.data if isinstance(self.data, bytes) else None

    def save(self, path):
        data = self.data.encode() if isinstance(self.data, str) else self.data
        with open(path, "wb") as file:
            file.write(data)


def figure(attentions, tokens=None, layer=0, head=0, format="svg", source=None, options=()):
    """The pattern of a head as a Figure, drawn as Headlight draws it.

    format: "svg" or "png". options: more of `headlight export`, such as ["--theme", "dark"].
    """
    if format not in ("svg", "png"):
        raise CaptureError(f"format {format!r} is neither 'svg' nor 'png'")
    if isinstance(attentions, dict):
        raise CaptureError("a figure is of patterns of one kind: give an array or a list of layers")
    attentions = stack_layers(attentions)
    for name, number, count in (("layer", layer, attentions.shape[0]),
                                ("head", head, attentions.shape[1])):
        if not 0 <= number < count:
            raise CaptureError(
                f"{name}={number}: there are {count}, numbered from 0 to {count - 1}"
            )
    headlight = program()
    part = "attn" if source is None else "cross"
    with tempfile.TemporaryDirectory(prefix="headlight-") as folder:
        file = write_given(folder, attentions, tokens, source)
        picture = os.path.join(folder, "figure." + format)
        path = f"blocks.{layer}.{part}.heads.{head}.pattern"
        ran = subprocess.run(
            [headlight, "export", file, "--tensor", path, "-o", picture, *options],
            capture_output=True,
            text=True,
        )
        if ran.returncode != 0:
            raise CaptureError(ran.stderr.strip().replace(file, "attention"))
        with open(picture, "rb") as drawn:
            data = drawn.read()
    return Figure(data.decode() if format == "svg" else data)
