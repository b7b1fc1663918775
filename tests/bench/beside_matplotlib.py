#!/usr/bin/env python3
"""A heatmap of 2,048 × 2,048 numbers to PNG: Headlight beside matplotlib's imshow and savefig.

    beside_matplotlib.py HEADLIGHT BENCH_FIGURES

HEADLIGHT is the program, BENCH_FIGURES the program bench_figures of the bench build. Needs
matplotlib; without it nothing is measured. Both make pictures of the same size, in turns; the table
has the fastest turn of each side. As a process: from the start of the program to its end, Headlight
computes the attention that it draws as well, matplotlib loads the finished matrix.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

SIDE, TURNS, WIDTH, HEIGHT, DPI = 2048, 5, 1626, 1440, 144

DRAW = """
import sys, numpy, matplotlib
matplotlib.use("Agg")
from matplotlib import pyplot
values = numpy.load(sys.argv[1])
def draw(path):
    figure, axes = pyplot.subplots(figsize=({w} / {dpi}, {h} / {dpi}), dpi={dpi})
    figure.colorbar(axes.imshow(values, vmin=0, vmax=1, interpolation="nearest"))
    axes.set_title("A")
    figure.savefig(path)
    pyplot.close(figure)
""".format(w=WIDTH, h=HEIGHT, dpi=DPI)

ONCE = DRAW + "draw(sys.argv[2])\n"
MANY = DRAW + """
import time
draw(sys.argv[2])
times = []
for _ in range(7):
    begin = time.perf_counter()
    draw(sys.argv[2])
    times.append(time.perf_counter() - begin)
print(sorted(times)[3])
"""


def seconds_of(command):
    begin = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - begin


def headlight_within(bench):
    out = subprocess.run([bench, "--benchmark_filter=png/2048", "--benchmark_format=json"],
                         check=True, capture_output=True, text=True).stdout
    return json.loads(out)["benchmarks"][0]["real_time"] * 1e-3


def main():
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        print("matplotlib is not installed here; nothing is measured beside it")
        return
    headlight, bench = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        study, numbers = os.path.join(folder, "s.headlight"), os.path.join(folder, "a.npy")
        picture = os.path.join(folder, "a.png")
        text = " ".join(f"w{i}" for i in range(SIDE))
        subprocess.run([headlight, "new", "sentence", text, "--heads", "1", "-o", study],
                       check=True)
        export = [headlight, "export", study, "--tensor", "blocks.0.attn.heads.0.pattern", "-o"]
        subprocess.run(export + [numbers], check=True)
        ours, theirs, ours_within, theirs_within = [], [], [], []
        for _ in range(TURNS):
            ours.append(seconds_of(export + [picture]))
            theirs.append(seconds_of([sys.executable, "-c", ONCE, numbers, picture]))
            ours_within.append(headlight_within(bench))
            theirs_within.append(float(subprocess.run(
                [sys.executable, "-c", MANY, numbers, picture], check=True, capture_output=True,
                text=True).stdout))
    print(f"| {SIDE} × {SIDE} to PNG | Headlight | matplotlib {matplotlib.__version__} | times |")
    print("|---|---|---|---|")
    for name, a, b in (("a process", min(ours), min(theirs)),
                       ("within one", min(ours_within), min(theirs_within))):
        print(f"| {name} | {1e3 * a:.0f} ms | {1e3 * b:.0f} ms | {b / a:.1f} |")


if __name__ == "__main__":
    main()
