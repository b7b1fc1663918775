"""Writes the NumPy archives that npz_test.cpp reads. Run in this folder; needs NumPy."""

import numpy

arrays = {
    "embed": numpy.array([[0.5, -1.25], [3, numpy.inf]], dtype="float32"),
    "halves": numpy.array([1.5, -2.0, 6e-8], dtype="float16"),
    "columns": numpy.asfortranarray(numpy.arange(6, dtype="float64").reshape(2, 3)),
    "flags": numpy.array([[True, False]]),
    "big": numpy.array([[1, -2]], dtype=">i4"),
}
numpy.savez("savez.npz", **arrays)
numpy.savez_compressed("savez_compressed.npz", **arrays)
