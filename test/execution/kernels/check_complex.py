#!/usr/bin/env python3
"""Compares the outputs of complex.pm with NumPy: check_complex.py FOLDER"""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "reference"))
from compare import load


def read(name):
    value = load(sys.argv[1], name)
    return value["r"] + 1j * value["i"] if value.dtype.names else value


a, b, z = read("a"), read("b"), 0.7 - 1.3j
EXPECTED = {
    "product": a * b, "quotient": a / b, "by_number": a / z, "inverse": 2 / a, "sums": a - 3 * b + z,
    "powers": np.stack([a * a * a, 1 / (b * b)], axis=-1), "cube_inverse": 1 / (a * a * a),
    "waves": np.exp(1j * a.real - 0.1 * b.imag), "conjugate": np.conj(a) * b,
    "parts": np.stack([b.real, b.imag, np.abs(b), np.angle(b), np.abs(b) ** 2], axis=-1),
    "numbers": np.full(64, z * z / (1 - z)), "sizes": np.tile([abs(z), np.angle(z)], (64, 1)),
    "length_of": 3 * np.abs(a),
}
for name, expected in EXPECTED.items():
    found = read(name)
    assert found.shape == expected.shape, f"{name} has shape {found.shape}, expected {expected.shape}"
    error = np.max(np.abs(found - expected) / (1 + np.abs(expected)))
    assert error < 1e-13, f"{name} is off by {error:g}"
