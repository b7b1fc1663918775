"""Puts the page together: one file of the shell, the program and the scripts that run it.

    assemble.py PAGE.html PAGE.js GLUE.js PROGRAM.wasm OUTPUT.html
"""
import base64
import gzip
import shutil
import subprocess
import sys


def in_script(text):
    """Returns the text as the content of an element `script`, which its end tag would end."""
    return text.replace("</script", "<\\/script")


def pack(name):
    """Returns the file in the format of gzip; zopfli needs longer for it and saves a fortieth."""
    if shutil.which("zopfli"):
        return subprocess.run(["zopfli", "--i5", "-c", name], capture_output=True, check=True).stdout
    with open(name, "rb") as file:
        return gzip.compress(file.read(), 9, mtime=0)


def main():
    shell, page, glue, program, output = sys.argv[1:]
    packed = pack(program)
    # Four bytes become five signs; "<" could begin a comment.
    text = base64.b85encode(packed, pad=True).decode().replace("<", ",")
    texts = []
    for name in (glue, page):
        with open(name, encoding="utf-8") as file:
            texts.append(in_script(file.read()))
    parts = f'<script type="text/plain" id="program" data-size="{len(packed)}">{text}</script>\n'
    parts += "".join(f"<script>\n{text}</script>\n" for text in texts)
    with open(shell, encoding="utf-8") as file:
        html = file.read().replace("<!-- parts -->", parts)
    with open(output, "w", encoding="utf-8") as file:
        file.write(html)


if __name__ == "__main__":
    main()
