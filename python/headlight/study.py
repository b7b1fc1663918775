"""Computes with Headlight from Python: a study or a pretrained model, what is changed in it, and numbers.

    m = headlight.open("gpt2")                                  # a model's folder, or a study
    m.run("The cat sat")["blocks.5.attn.heads.1.pattern"]       # a numpy array
    m.logits("The cat sat", ablate="5.1")                       # a list of rows
    m.sweep("The cat sat", of=" on")                            # what each head does to that logit
    m.compare("The cat sat", ablate="3.*")                      # what it changes in every head

One process of the program answers all calls; the model stays open, and what a change does not reach
is not computed again. Changes are those of the command line (docs/commands.md#changes):

    ablate="3.1"   ablate=["5.*=mean", "4.mlp"]
    set={"blocks.0.attn.heads.1.pattern[2,1]": 1, "blocks.3.ln1.w": an_array}
    patch="3.1", source="another text"
    freeze="*.pattern"
    add={"blocks.6.resid_post": 4 * vector}
"""

import atexit
import collections.abc
import contextlib
import json
import os
import subprocess
import tempfile
import threading
import weakref

import numpy as np

from headlight_capture.window import program

__all__ = ["Run", "Study", "StudyError", "open_study"]


class StudyError(Exception):
    """What the program says cannot be computed, in its words."""


class _Server:
    """The process that answers commands, begun at the first one."""

    def __init__(self):
        self._process = None
        self._lock = threading.Lock()
        self._folder = None
        self.notes = ""

    def command(self, *arguments):
        """Returns what the program prints. Raises StudyError if it refuses."""
        with self._lock:
            answer = self._ask([os.fspath(argument) for argument in arguments])
        self.notes = answer["err"]
        if answer["code"] != 0:
            lines = [line for line in answer["err"].splitlines() if ": note: " not in line]
            raise StudyError("\n".join(lines).removeprefix("headlight: "))
        return answer["out"]

    def _ask(self, arguments):
        if self._process is None or self._process.poll() is not None:
            self._process = subprocess.Popen(
                [program(), "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, text=True, encoding="utf-8")
        try:
            self._process.stdin.write(json.dumps(arguments) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        except BaseException:  # an interrupt: the next call must not get this one's answer
            self._end()
            raise
        if not line:
            self._process = None
            raise StudyError(f"the program has ended while it did: {' '.join(arguments)}")
        return json.loads(line)

    def _end(self):
        process, self._process = self._process, None
        process.kill()
        process.wait()
        process.stdin.close()
        process.stdout.close()

    def new_file(self, ending):
        """Returns a path that goes when Python ends."""
        if self._folder is None:
            memory = "/dev/shm"  # where a file needs no disk
            where = memory if os.access(memory, os.W_OK) else None
            self._folder = tempfile.TemporaryDirectory(prefix="headlight-", dir=where)
        handle, path = tempfile.mkstemp(suffix=ending, dir=self._folder.name)
        os.close(handle)
        return path

    def close(self):
        if self._process is not None:
            self._process.stdin.close()
            self._process.wait()
            self._process = None
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None


_server = _Server()
atexit.register(_server.close)


def _array(value):
    """Returns floats of a number, a list, an array or a tensor of PyTorch."""
    if hasattr(value, "detach"):
        value = value.detach().float().cpu().numpy()
    return np.asarray(value, np.float32)


class _Files:
    """The files of a call's arrays, which go with it."""

    def __init__(self):
        self.paths = []
        self._finalizer = weakref.finalize(self, _remove, self.paths)

    def new(self, ending):
        self.paths.append(_server.new_file(ending))
        return self.paths[-1]


def _remove(paths):
    for path in paths:
        with contextlib.suppress(OSError):
            os.unlink(path)


def _listed(value):
    return [value] if isinstance(value, str) else list(value)


def _set_arguments(places, files):
    """Returns --set for numbers and rows, and one file for all whole matrices."""
    arguments, arrays = [], {}
    for place, value in places.items():
        value = _array(value)
        if value.ndim == 0:
            arguments += ["--set", f"{place}={float(value)!r}"]
        elif not place.endswith("]"):
            arrays[place] = value
        elif value.ndim == 1 and place.endswith(",*]"):
            arguments += [word for column, number in enumerate(value)
                          for word in ("--set", f"{place[:-2]}{column}]={float(number)!r}")]
        else:
            raise StudyError(f"{place} takes a number, or with [ROW,*] as many as the row has")
    if arrays:
        file = files.new(".npz")
        np.savez(file, **arrays)
        arguments += ["--set", file]
    return arguments


def _add_arguments(places, files):
    arguments = []
    for place, vector in places.items():
        vector = _array(vector)
        if vector.ndim != 1:
            raise StudyError(f"{place}: what is added is a vector, not {list(vector.shape)}")
        file = files.new(".npy")
        np.save(file, vector.reshape(1, -1))
        arguments += ["--add", f"{file}@{place}"]
    return arguments


class _Changes:
    """The changes of a call as arguments of a command, with their files."""

    def __init__(self, text=None, ablate=(), set=None, patch=(), source=None, freeze=(), add=None):
        self.files = _Files()
        self.arguments = [] if text is None else ["--text", text]
        for option, values in (("--ablate", ablate), ("--patch", patch), ("--freeze", freeze)):
            for value in _listed(values):
                self.arguments += [option, value]
        if source is not None:
            self.arguments += ["--from", source]
        self.arguments += _set_arguments(set or {}, self.files) + _add_arguments(add or {}, self.files)


def _read_safetensors(file):
    """Returns the arrays of the file, which are read as they are looked at."""
    with open(file, "rb") as opened:
        size = int.from_bytes(opened.read(8), "little")
        header = json.loads(opened.read(size))
    header.pop("__metadata__", None)
    has_numbers = any(one["data_offsets"][1] for one in header.values())
    data = np.memmap(file, np.uint8, "r", offset=8 + size) if has_numbers else np.empty(0, np.uint8)
    os.unlink(file)  # what is mapped stays as long as it is looked at
    return {path: data[slice(*one["data_offsets"])].view(np.float32).reshape(one["shape"])
            for path, one in header.items()}


class Run(collections.abc.Mapping):
    """The matrices of a study by path, computed when they are looked at.

    run["blocks.0.attn.heads.1.pattern"] is [queries, keys], float32, read-only; list(run) has the
    paths of all. run.many("*.pattern") computes several at once.
    """

    def __init__(self, study, changes):
        self._study, self._changes = study, changes
        self._known, self._paths = {}, None

    def many(self, *globs):
        """Returns the matrices whose paths match one of the globs, by path."""
        file = _server.new_file(".safetensors")
        wanted = [word for glob in globs for word in ("--tensor", glob)]
        _server.command("run", self._study, *wanted, "-o", file, *self._changes.arguments)
        found = _read_safetensors(file)
        self._known.update(found)
        return found

    def __getitem__(self, path):
        if path not in self._known:
            if "*" in path or "?" in path:
                raise KeyError(f"{path} may be several matrices; many({path!r}) returns them")
            self.many(path)
        return self._known[path]

    def __contains__(self, path):
        return path in self._known or path in list(self)

    def get(self, path, otherwise=None):
        return self[path] if path in self else otherwise

    def __iter__(self):
        if self._paths is None:
            listed = _server.command("list", self._study, "--json", *self._changes.arguments)
            self._paths = [one["path"] for one in json.loads(listed)]
        return iter(self._paths)

    def __len__(self):
        return sum(1 for _ in self)

    def __repr__(self):
        return f"<matrices of {self._study}>"


class Study:
    """A study, or a pretrained model's folder. Every method takes a text and changes."""

    def __init__(self, path):
        self.path = os.fspath(path)
        if not os.path.exists(self.path):
            raise StudyError(f"{self.path!r} is not there")

    @property
    def notes(self):
        """What the program had to say of the last call."""
        return _server.notes

    def _rows(self, command, changes, *arguments):
        return json.loads(_server.command(command, self.path, *arguments, "--json", *changes.arguments))

    def run(self, text=None, **changes):
        """Returns the matrices by path: run("a text", ablate="3.1")["logits"] is [tokens, words]."""
        return Run(self.path, _Changes(text, **changes))

    def tokens(self, text=None):
        """Returns the tokens that are read."""
        return self._rows("words", _Changes(text))[0]

    def logits(self, text=None, *, row=None, of=None, minus=None, top=None, parts=False, lens=False,
               **changes):
        """Returns the likeliest words after a token, a dict a row; with parts the direct attribution of a
        logit, with lens the likeliest words after every layer."""
        arguments = [*_optional("--row", row), *_optional("--of", of), *_optional("--minus", minus),
                     *_optional("--top", top)]
        arguments += ["--parts"] * parts + ["--lens"] * lens
        return self._rows("logits", _Changes(text, **changes), *arguments)

    def sweep(self, text=None, *, do="mean", over="heads", quantity="logit", row=None, of=None,
              minus=None, source=(), **changes):
        """Returns the change of a quantity when each component in turn is replaced, a dict a layer. source:
        the texts of do="patch" and do="resample"."""
        arguments = ["--do", do, "--over", over, "--quantity", quantity, *_optional("--row", row),
                     *_optional("--of", of), *_optional("--minus", minus)]
        for other in _listed(source):
            arguments += ["--from", other]
        return self._rows("sweep", _Changes(text, **changes), *arguments)

    def compare(self, text=None, *, other=None, sort=None, **changes):
        """Returns how much the changes change each head, a dict a head; other: or another text does."""
        arguments = [self.path, "--heads", *_optional("--with-text", other), *_optional("--sort", sort)]
        return self._rows("compare", _Changes(text, **changes), *arguments)

    def heads(self, text=None, **changes):
        """Returns the metrics of every head, a dict a head."""
        return self._rows("heads", _Changes(text, **changes))

    def composition(self, text=None, *, head=None, top=None, **changes):
        """Returns how strongly heads read what earlier ones write, a dict a pair."""
        arguments = [*_optional("--head", head), *_optional("--top", top)]
        return self._rows("composition", _Changes(text, **changes), *arguments)

    def write(self, text=None, *, words=20, temperature=1.0, draw=0, **changes):
        """Returns the text that the network goes on with. With changes it is drawn by the same numbers as
        without them."""
        rows = self._rows("write", _Changes(text, **changes), "--words", str(words),
                          "--sampling-temperature", repr(float(temperature)), "--draw", str(draw))
        return rows[-1]["text"]

    def save(self, path, text=None, **changes):
        """Saves a study with the changes, as edits that the window lists."""
        made = _Changes(text, **changes)
        _server.command("change", self.path, "-o", path, *made.arguments)

    def __repr__(self):
        return f"headlight.open({self.path!r})"


def _optional(option, value):
    return [] if value is None else [option, str(value)]


def open_study(path):
    """Returns a study, or a pretrained model, to compute with. path: a *.headlight file, or a folder with
    config.json and weights."""
    return Study(path)
