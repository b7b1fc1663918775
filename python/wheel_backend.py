"""Makes the wheel of the Python packages, as pip asks for it [PEP 517].

Goals: nothing is downloaded, and nothing is written beside the sources, which lie where only the
system may write (share/doc/headlight/python). The page, headlight.html, is in the wheel if it was
built; without it there are no widgets, which say so.
Not goals: anything but pure Python and that page.
"""
import base64
import hashlib
import os
import re
import zipfile
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_PACKAGES = ("headlight", "headlight_capture")
_PAGE = "headlight.html"


def _said(key):
    """The text of a key in pyproject.toml."""
    found = re.search(rf'^{key} = "(.*)"$', (_HERE / "pyproject.toml").read_text("utf-8"), re.M)
    if not found:
        raise ValueError(f"pyproject.toml has no {key}")
    return found.group(1)


def _metadata():
    return (
        f"Metadata-Version: 2.1\nName: {_said('name')}\nVersion: {_said('version')}\n"
        f"Summary: {_said('description')}\nLicense: MIT\n"
        f"Requires-Python: {_said('requires-python')}\n"
        "Requires-Dist: numpy\nRequires-Dist: anywidget>=0.9\n"
        'Provides-Extra: torch\nRequires-Dist: torch>=2.0; extra == "torch"\n'
    )


def _record_line(name, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def _write_wheel(folder, files):
    """The wheel of these files, name → bytes; returns its name."""
    stem = f"{_said('name')}-{_said('version')}"
    info = f"{stem}.dist-info"
    files[f"{info}/METADATA"] = _metadata().encode()
    files[f"{info}/WHEEL"] = (
        b"Wheel-Version: 1.0\nGenerator: headlight\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    )
    record = "".join(_record_line(name, content) for name, content in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    wheel = f"{stem}-py3-none-any.whl"
    with zipfile.ZipFile(Path(folder) / wheel, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return wheel


def _find_page():
    """The page: the one that HEADLIGHT_PAGE names, or that was built in this tree, or installed."""
    named = os.environ.get("HEADLIGHT_PAGE")
    if named:
        return Path(named)
    places = (_HERE.parent / "build" / "web" / _PAGE, *(
        folder / "headlight" / _PAGE for folder in _HERE.parents if folder.name == "share"
    ))
    return next((place for place in places if place.is_file()), None)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    files = {
        f"{package}/{source.name}": source.read_bytes()
        for package in _PACKAGES
        for source in sorted((_HERE / package).iterdir())
        if source.suffix in (".py", ".js")
    }
    page = _find_page()
    if page:
        files[f"headlight/{_PAGE}"] = page.read_bytes()
    return _write_wheel(wheel_directory, files)


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return _write_wheel(wheel_directory, {"headlight.pth": f"{_HERE}\n".encode()})
