"""Puts the page together: one file of the shell, the program, its data and the scripts that run it.

    assemble.py PAGE.html PAGE.js GLUE.js PROGRAM.wasm UNPACKER.wasm OUTPUT.html [FOLDER=FILE]...

A file of data is called FOLDER/FILE in the page, without the folders before it.
"""
import base64
import lzma
import pathlib
import re
import sys

# Bits of the place and of the byte before on which a byte depends: in programs, in half floats.
KINDS = ({"lc": 4, "lp": 0, "pb": 0}, {"lc": 0, "lp": 1, "pb": 1})


def in_script(text):
    """Returns the text as the content of an element `script`, which its end tag would end."""
    return text.replace("</script", "<\\/script")


def shortened(script):
    """Returns the script without comments, which two blanks precede in a line, without indents, and
    without blanks around operators. Texts stay as they are."""
    lines = (line.split("  // ")[0].strip() for line in script.splitlines())
    text = "".join(line + "\n" for line in lines if line and not line.startswith("//"))
    parts = re.split(r'("(?:\\.|[^"\\])*"|`[^`]*`)', text)
    parts[::2] = (re.sub(r" (=>|[=!]==?|=|&&|\|\||\?|:|<|>|\*) ", r"\1", part) for part in parts[::2])
    return "".join(parts)


def pack(data):
    """Returns the bytes in the format of xz, which saves a quarter of what gzip leaves."""
    size = max(len(data), 4096)
    return min((lzma.compress(data, lzma.FORMAT_XZ, lzma.CHECK_CRC32,
                              filters=[{"id": lzma.FILTER_LZMA2, "dict_size": size,
                                        "preset": 9 | lzma.PRESET_EXTREME, **kind}])
                for kind in KINDS), key=len)


def element(attributes, data, packed):
    """Returns an element with the bytes: four become five signs; "<" could begin a comment."""
    text = base64.b85encode(packed, pad=True).decode().replace("<", ",")
    return (f'<script type="text/plain" {attributes} data-size="{len(data)}" '
            f'data-packed="{len(packed)}">{text}</script>\n')


def main():
    shell, page, glue, program, unpacker, output, *files = sys.argv[1:]
    unpacker = pathlib.Path(unpacker).read_bytes()
    parts = element('id="unpacker"', unpacker, unpacker)
    for name, path in (("program", program), ("glue", glue)):
        data = pathlib.Path(path).read_bytes()
        parts += element(f'id="{name}"', data, pack(data))
    for named in files:
        folder, _, name = named.partition("=")
        data = pathlib.Path(name).read_bytes()
        name = f"{folder}/{pathlib.Path(name).name}"
        parts += element(f'class="data" data-name="{name}"', data, pack(data))
    text = in_script(shortened(pathlib.Path(page).read_text(encoding="utf-8")))
    parts += f"<script>\n{text}</script>\n"
    html = pathlib.Path(shell).read_text(encoding="utf-8").replace("<!-- parts -->", parts)
    pathlib.Path(output).write_text(html, encoding="utf-8")


if __name__ == "__main__":
    main()
