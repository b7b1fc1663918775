"""The archives that goldens are kept in: one zip file a set, tests/golden/SET.zip.

A generator writes files into the folder of unpacked(SET), which has what the archive has so far, and
calls pack(SET) at its end. The bytes of an archive depend only on the names and bytes of its files,
and on the version of zlib: entries are sorted, and have no times, owners or permissions of their own.
"""

import functools
import pathlib
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
FOLDERS = tempfile.TemporaryDirectory(prefix="headlight-golden-")  # removed when the script ends
EARLIEST = (1980, 1, 1, 0, 0, 0)  # the first time that a zip file can state


@functools.cache
def unpacked(name):
    """The folder of a set. Within one script it is always the same one."""
    folder = pathlib.Path(FOLDERS.name) / name
    folder.mkdir()
    archive = HERE / f"{name}.zip"
    if archive.exists():
        with zipfile.ZipFile(archive) as file:
            file.extractall(folder)
    return folder


def pack(name):
    """Writes the archive of a set anew, from its folder."""
    folder = unpacked(name)
    paths = {path.relative_to(folder).as_posix(): path
             for path in folder.rglob("*") if path.is_file()}
    with zipfile.ZipFile(HERE / f"{name}.zip", "w") as file:
        for entry, path in sorted(paths.items()):
            info = zipfile.ZipInfo(entry, EARLIEST)
            info.create_system, info.external_attr = 3, 0o100644 << 16  # a plain file of Unix
            file.writestr(info, path.read_bytes(), zipfile.ZIP_DEFLATED, 9)
