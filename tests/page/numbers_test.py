"""Compares the numbers of the page's build, under node, with those of the native one.

Both builds of test_golden compute every golden case and write all tensors. HEADLIGHT_NATIVE_GOLDEN
is the native test program, HEADLIGHT_PAGE_GOLDEN is test_golden.js.
"""
import array
import os
import pathlib
import subprocess
import tempfile
import unittest

CASE = ["--no-skip", "--test-case=*are written to golden.numbers"]


def numbers_of(command, folder, **environment):
    """Returns the tensors that a build of test_golden writes: {(case, path): numbers}."""
    subprocess.run([*command, *CASE], check=True, cwd=folder, env={**os.environ, **environment},
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    path = pathlib.Path(folder, "golden.numbers")
    content, tensors, at = path.read_bytes(), {}, 0
    path.unlink()
    while at < len(content):
        end = content.index(b"\n", at)
        case, name, size = content[at:end].decode().rsplit(" ", 2)
        at = end + 1 + 4 * int(size)
        tensors[case, name] = array.array("f", content[end + 1:at])
    return tensors


class Numbers(unittest.TestCase):
    def test_the_page_computes_what_the_native_baseline_computes(self):
        with tempfile.TemporaryDirectory() as folder:
            native = numbers_of([os.environ["HEADLIGHT_NATIVE_GOLDEN"]], folder,
                                HEADLIGHT_KERNELS="baseline")
            page = numbers_of(["node", os.environ["HEADLIGHT_PAGE_GOLDEN"]], folder)
        self.assertEqual(native.keys(), page.keys())
        self.assertGreater(len(native), 5000)
        worst = (0, None)
        for key, expected in native.items():
            found = page[key]
            self.assertEqual(len(expected), len(found), key)
            largest = max((abs(x) for x in expected if abs(x) != float("inf")), default=0) or 1
            for x, y in zip(expected, found):
                if x == y or x != x and y != y:
                    continue
                worst = max(worst, (abs(x - y) / largest, key))
        print(f"{len(native)} tensors, the largest difference is {worst[0]:.2g}: {worst[1]}")
        self.assertLessEqual(worst[0], 1e-6)


if __name__ == "__main__":
    unittest.main()
