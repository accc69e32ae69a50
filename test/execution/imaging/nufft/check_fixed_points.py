#!/usr/bin/env python3
"""The fixed point of fixed_points.pm and its gradient, as solutions of linear systems: check_fixed_points.py FOLDER"""
import sys

import numpy as np

folder = sys.argv[1]
w, b, v = np.moveaxis(np.load(f"{folder}/data.npy"), -1, 0)
w = w.real


def linear(u):
    return 0.9 * (0.3 * np.sin(w) * u + 0.2j * np.roll(u, -1, 0) - 0.2 * u.conj())


# Over the reals, as it is linear only there.
n = b.size
split = lambda u: np.concatenate([u.real.ravel(), u.imag.ravel()])
joined = lambda r: (r[:n] + 1j * r[n:]).reshape(b.shape)
M = np.array([split(linear(joined(e))) for e in np.eye(2 * n)]).T
solution = joined(np.linalg.solve(np.eye(2 * n) - M, split(b)))
gradient = joined(np.linalg.solve((np.eye(2 * n) - M).T, split(v)))
for name, truth in (("solution", solution), ("by_b", gradient)):
    error = np.abs(np.load(f"{folder}/{name}.npy") - truth).max()
    assert error < 1e-12, f"{name} is off by {error:g}"
