#!/usr/bin/env python3
"""Compares the outputs of complex.pm with NumPy: check_complex.py FOLDER"""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "reference"))
from compare import load


def read(name):
    value = load(sys.argv[1], name)
    return value["r"] + 1j * value["i"] if value.dtype.names else value


a, b, z = read("a"), read("b"), 0.7 - 1.3j
wide, axis = np.exp(20 * b.real) * a, b.real + 0j
EXPECTED = {
    "product": a * b, "quotient": a / b, "by_number": a / z, "inverse": 2 / a, "sums": a - 3 * b + z,
    "powers": np.stack([a * a * a, 1 / (b * b)], axis=-1), "cube_inverse": 1 / (a * a * a),
    "waves": np.exp(1j * a.real - 0.1 * b.imag), "conjugate": np.conj(a) * b,
    "parts": np.stack([b.real, b.imag, np.abs(b), np.angle(b), np.abs(b) ** 2], axis=-1),
    "numbers": np.full(64, z * z / (1 - z)), "sizes": np.tile([abs(z), np.angle(z)], (64, 1)),
    "length_of": 3 * np.abs(a), "root": np.sqrt(wide), "roots_of_axis": np.sqrt(axis), "logarithm": np.log(wide),
    "logarithms_of_axis": np.log(axis), "sine": np.sin(4 * a), "cosine": np.cos(4 * a), "tangent": np.tan(9 * a),
    "hyperbolic_sine": np.sinh(4 * a), "hyperbolic_cosine": np.cosh(4 * a), "hyperbolic_tangent": np.tanh(9 * a),
    "power": wide ** 0.37, "complex_power": a ** (0.4 - 1.1j), "power_of_number": 2.5 ** a, "power_of_zero": 0 * a,
    "ninth_power": a ** 9, "length_root": np.real(2 * np.sqrt(a)),
}
for name, expected in EXPECTED.items():
    found = read(name)
    assert found.shape == expected.shape, f"{name} has shape {found.shape}, expected {expected.shape}"
    # Of numbers far from 1, the error is relative.
    error = np.max(np.abs(found - expected) / (np.abs(expected) if name in ("root", "power") else 1 + np.abs(expected)))
    assert error < 1e-13, f"{name} is off by {error:g}"
