"""Makes the wheel of headlight-capture, as pip asks for it [PEP 517].

Goals: nothing is downloaded, and nothing is written beside the sources, which lie where only the
system may write (share/doc/headlight/python).
Not goals: anything but pure Python.
"""
import base64
import hashlib
import re
import zipfile
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_PACKAGE = "headlight_capture"


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
        f"Requires-Python: {_said('requires-python')}\nRequires-Dist: numpy\n"
        'Provides-Extra: torch\nRequires-Dist: torch>=2.0; extra == "torch"\n'
    )


def _record_line(name, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
    return f"{name},sha256={digest},{len(content)}\n"


def _write_wheel(folder, files):
    """The wheel of these files, name → bytes; returns its name."""
    stem = f"{_PACKAGE}-{_said('version')}"
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


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    sources = sorted((_HERE / _PACKAGE).glob("*.py"))
    return _write_wheel(wheel_directory, {f"{_PACKAGE}/{s.name}": s.read_bytes() for s in sources})


def build_editable(wheel_directory, config_settings=None, metadata_directory=None):
    return _write_wheel(wheel_directory, {f"{_PACKAGE}.pth": f"{_HERE}\n".encode()})
