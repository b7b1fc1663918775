"""Headlight in the output of a notebook's cell, by the convention of anywidget.

Goals: the arrays and the page are sent when they are shown, large arrays head by head when the page
asks for them, and are in no saved notebook; what is selected is one trait.
Not goals: what the window shows; that is the page's, which widget.js puts into a frame.
"""

import base64
import operator
import uuid
from pathlib import Path

import traitlets

from headlight_capture.errors import CaptureError

from .given import drawn_picture, given_file
from .page import find_page, page_bytes

try:
    import anywidget
except ImportError:
    raise CaptureError("a widget needs anywidget: pip install anywidget; show_window opens a "
                       "window without it") from None

SET_KEYS = ("path", "layer", "head", "row", "column")
SET_KEYS_OF_CELL = SET_KEYS[1:]
TOLD_KEYS = ("view", "part", "row_name", "column_name", "value", "edge")


def number_from_zero(key, value):
    try:
        number = -1 if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = -1
    if number < 0:
        raise traitlets.TraitError(f"selected: {key} is a number from 0, not {value!r}")
    return number


def is_near(value, told):
    """True of a number that the window tells in half floats; nan and inf have names."""
    if isinstance(value, str) or not isinstance(told, (int, float)):
        return value == told
    return abs(value - told) <= 1e-3 * abs(value) + 1e-6


class Widget(anywidget.AnyWidget):
    """The window of Headlight. `selected` says what is selected in it, and moves it.

    selected: a dictionary of path (of a matrix), layer, head, row and column, numbered from 0; and
    as the window says, view, part, row_name, column_name and value; of a graph also edge, the number
    of the edge among those that were given. Set those that are to change.
    study: the text of the study as it was last edited in the window, a *.headlight file.
    error: why the window could not do what it was asked for last.
    """

    _esm = Path(__file__).with_name("widget.js")

    selected = traitlets.Dict().tag(sync=True)
    height = traitlets.Int(640, min=100, max=4000).tag(sync=True)
    error = traitlets.Unicode().tag(sync=True)
    _key = traitlets.Unicode().tag(sync=True)  # names what is shown below it

    study = traitlets.Unicode()

    def __init__(self, what, tokens=None, source=None, *, height=640, title=None):
        find_page()  # tells what is missing before anything is shown
        self._given = given_file(what, tokens, source, title)
        self._picture = b""
        self._display = None
        super().__init__(height=height, _key=uuid.uuid4().hex)
        self.on_msg(self._hear)

    # ---- what is selected ----

    @traitlets.validate("selected")
    def _check_selected(self, proposal):
        unknown = set(proposal.value) - {*SET_KEYS, *TOLD_KEYS}
        if unknown:
            raise traitlets.TraitError(
                f"selected has no {sorted(unknown)}; it takes {', '.join(SET_KEYS)}"
            )
        selected = dict(proposal.value)
        for key in SET_KEYS_OF_CELL:
            if key in selected:
                selected[key] = number_from_zero(key, selected[key])
        return {**selected, **self._names_and_value(selected)}

    def _names_and_value(self, selected):
        """What the arrays say of a cell, before the window tells it, and as exactly as they hold it."""
        is_given = "view" not in selected or str(selected.get("path", "")).endswith(".pattern")
        if not is_given or not all(key in selected for key in SET_KEYS_OF_CELL):
            return {}
        try:
            found = self._given.look(*(selected[key] for key in SET_KEYS_OF_CELL))
        except (IndexError, TypeError):  # the window shows something else, or will refuse it
            return {}
        if "view" not in selected:
            return found
        # The window may show another study by now: what it tells of the cell then differs.
        is_same = all(found.get(key) == selected.get(key) for key in ("row_name", "column_name")
                      if key in found)
        return found if is_same and is_near(found["value"], selected.get("value")) else {}

    def _part(self):
        return {key: self.selected[key] for key in ("layer", "head") if key in self.selected}

    @property
    def layer(self):
        """The layer of the part that is open; None if it is in none."""
        return self.selected.get("layer")

    @layer.setter
    def layer(self, layer):
        self.selected = {**self._part(), "layer": layer}

    @property
    def head(self):
        """The chosen head; None where no attention is open."""
        return self.selected.get("head")

    @head.setter
    def head(self, head):
        self.selected = {**self._part(), "head": head}

    # ---- what is shown ----

    def show(self, what, tokens=None, source=None, *, title=None):
        """Shows something else in the same window, as headlight.show does."""
        self._given = given_file(what, tokens, source, title)
        self.selected = {}
        self.error = ""
        self.send({"reopen": True})

    def set(self, setting, value):
        """Sets a number of the study's settings by its key, such as "seed"."""
        self.send({"edit": {"setting": str(setting), "value": float(value)}})

    # ---- messages of widget.js ----

    def _hear(self, _, content, buffers):
        if content.get("want") == "page":
            try:
                self.send({"page": True}, [page_bytes()])
            except (CaptureError, OSError) as problem:
                self.error = str(problem)
        elif content.get("want") == "files":
            given = self._given
            self.send({"files": [given.name, *given.beside]}, [given.data, *given.beside.values()])
        elif content.get("want") == "file" and content.get("name") in self._given.later:
            name = content["name"]
            self.send({"file": name}, [self._given.later[name]()])
        elif "study" in content:
            self.study = content["study"]
        elif "picture" in content and buffers:
            self._keep_picture(bytes(buffers[0]))

    # ---- the picture in a saved notebook ----

    def _ipython_display_(self):
        from IPython.display import display

        data, metadata = self._repr_mimebundle_()
        display(data, metadata=metadata, raw=True)
        self._picture = self._picture or drawn_picture(self._given)
        self._display = display(self._picture_bundle(), raw=True, display_id=True)

    def _repr_mimebundle_(self, **options):
        data, metadata = super()._repr_mimebundle_(**options)
        # It stands where there are no widgets.
        plain = f"Headlight: {self._given.name}. Run the cell to see its window."
        return {**data, "text/plain": plain}, metadata

    def _picture_bundle(self):
        """The picture, which widget.js hides below a window that lives."""
        begin = f'<figure class="headlight-picture headlight-{self._key}" style="margin: 0">'
        end = '<figcaption style="color: #666; font: 12px system-ui, sans-serif">{}</figcaption></figure>'
        if not self._picture:
            words = "Headlight draws here while the notebook runs in a browser."
            return {"text/html": begin + end.format(words), "text/plain": ""}
        data = base64.b64encode(self._picture).decode()
        picture = f'<img style="max-width: 100%" alt="Headlight" src="data:image/png;base64,{data}">'
        words = "A picture of Headlight's window, which lives while the notebook runs in a browser."
        return {"text/html": begin + picture + end.format(words),
                "image/png": data, "text/plain": ""}

    def _keep_picture(self, picture):
        self._picture = picture
        if self._display is not None:
            self._display.update(self._picture_bundle(), raw=True)
