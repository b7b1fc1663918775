#!/usr/bin/env python3
"""Records two studies of Headlight's own as another program would: record.py HEADLIGHT FOLDER.

FOLDER has karate.headlight and shapes.headlight; it gets graph.attention.json and
picture.attention.json. Needs NumPy.
"""

import csv
import os
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../python"))
from headlight_capture import write_graph, write_picture  # noqa: E402


def exported(headlight, study, tensor, ending):
    output = os.path.join(os.path.dirname(study), "tensor" + ending)
    subprocess.run([headlight, "export", study, "--tensor", tensor, "-o", output], check=True)
    return output


def heads(headlight, study):
    """Paths of the patterns, by layer."""
    listed = subprocess.run([headlight, "list", study], check=True, capture_output=True, text=True)
    paths = [line.split()[0] for line in listed.stdout.splitlines() if line.strip()]
    layers = {}
    for path in paths:
        if path.endswith(".pattern") and ".heads." in path:
            layers.setdefault(path.partition(".heads.")[0], []).append(path)
    return list(layers.values())


def record_graph(headlight, study, base):
    names, layers = {}, []
    for paths in heads(headlight, study):
        alphas = []
        for path in paths:
            with open(exported(headlight, study, path, ".csv"), encoding="utf-8") as file:
                rows = [row for row in csv.reader(file) if " ← " in row[0]]
            pairs = [row[0].lstrip("'").split(" ← ") for row in rows]
            for name in sorted({name for pair in pairs for name in pair}, key=lambda n: (len(n), n)):
                names.setdefault(name, len(names))
            edges = [[names[pair[1]] for pair in pairs], [names[pair[0]] for pair in pairs]]
            alphas.append([float(row[1]) for row in rows])
        layers.append((np.array(edges), np.array(alphas).T))
    write_graph(base, layers, list(names))


def record_picture(headlight, study, base):
    pixels = np.load(exported(headlight, study, "image", ".npy"))
    side = int(len(pixels) ** 0.5)
    patterns = [
        np.stack([np.load(exported(headlight, study, path, ".npy")) for path in paths])
        for paths in heads(headlight, study)
    ]
    patterns = [layer for layer in patterns if layer.shape[1] == layer.shape[2]]
    patches = int(patterns[0].shape[1] ** 0.5)
    write_picture(base, pixels.reshape(side, side, 3), patterns, (patches, patches))


if __name__ == "__main__":
    program, folder = sys.argv[1:]
    record_graph(program, os.path.join(folder, "karate.headlight"), os.path.join(folder, "graph"))
    record_picture(program, os.path.join(folder, "shapes.headlight"), os.path.join(folder, "picture"))
