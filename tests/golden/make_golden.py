#!/usr/bin/env python3
"""Writes tests/golden/data.zip: what Headlight's tensors have to be.

    python3 -m venv venv
    venv/bin/pip install torch==2.13.0 torch_geometric==2.8.1 numpy
    venv/bin/python tests/golden/make_golden.py

Every mechanism is transcribed from its paper in plain PyTorch, in float64, from leaves that are
exact in float32; where PyTorch or PyTorch Geometric has a module, the script stops unless the
transcription agrees with it to 1e-10 (the metadata's "checked" says with which). Sparsemax and
entmax are checked against a numerical solution of what they are defined by.

One safetensors file a case. Its metadata: "study", the study as Headlight reads it; "target", the
path whose gradient was taken; "omitted", globs of tensors that are not in the file. Its tensors,
by Headlight's paths: "held/PATH" is what a leaf is held at, "PATH" what a tensor has to be, "seed"
weighs the target's cells, "gradient/PATH" is the derivative of the weighted sum by autograd.
A row in which everything is masked, where PyTorch gives NaN, is all zeros with zero gradient.
"""

import archive
import cases_alignment
import cases_graph
import cases_image
import cases_sentence
from case import CHECKED

MODULES = {"MultiheadAttention", "scaled_dot_product_attention",
           "scaled_dot_product_attention(enable_gqa)", "TransformerEncoderLayer",
           "TransformerDecoderLayer", "RNN", "GRU", "LSTM", "GATConv", "GATv2Conv",
           "TransformerConv", "conv2d", "rms_norm"}


def main():
    folder = archive.unpacked("data")
    for file in folder.glob("*.safetensors"):
        file.unlink()
    for cases in (cases_sentence, cases_alignment, cases_graph, cases_image):
        cases.write_all()
    sizes = [file.stat().st_size for file in folder.glob("*.safetensors")]
    assert CHECKED.keys() == MODULES, CHECKED.keys() ^ MODULES
    for module, n_cases in CHECKED.items():
        print(f"{n_cases:4} cases agree with {module}")
    archive.pack("data")
    print(f"{len(sizes)} files, {sum(sizes) / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
