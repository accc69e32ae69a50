#!/usr/bin/env python3
"""Compares the outputs of symmetron.pm with SciPy: check_symmetron.py FOLDER

Newton's method with sparse matrices solves the same difference equations."""
import os
import sys

import h5py
import numpy as np
from scipy import sparse
from scipy.sparse.linalg import spsolve

out = sys.argv[1]
CELLS, SIDES = (12, 8, 8), (40.0, 30.0, 30.0)


def read(name):
    with h5py.File(os.path.join(out, name + ".h5")) as file:
        return np.ravel(file[name][()])


def second(axis):
    """The matrix of the second difference along an axis."""
    n, spacing = CELLS[axis], SIDES[axis] / CELLS[axis]
    ring = np.roll(np.eye(n), 1, 0) + np.roll(np.eye(n), -1, 0) - 2 * np.eye(n)
    parts = [sparse.identity(m) for m in CELLS]
    parts[axis] = sparse.csr_matrix(ring / spacing**2)
    return sparse.kron(sparse.kron(parts[0], parts[1]), parts[2], format="csr")


laplacian = sum(second(axis) for axis in range(3))
density = 1 + read("delta")


def potential(a, a_ssb, length, coupling):
    """The field is found in the normalization of its Lagrangian, where the vacuum is at 1 and the mass² is 1/(2 λ²)."""
    field = np.full(density.size, 1.0)
    for _ in range(100):
        # a^-2 ∇²φ = dV/dφ with V = (ρ/ρ_ssb − 1) φ²/(4 λ²) + φ⁴/(8 λ²)
        ratio = density * (a_ssb / a) ** 3
        value = laplacian @ field / a**2 - ((ratio - 1) * field + field**3) / (2 * length**2)
        slope = laplacian / a**2 - sparse.diags((ratio - 1 + 3 * field**2) / (2 * length**2))
        step = spsolve(slope.tocsc(), -value)
        field = field + step * min(1, 0.5 * np.min(np.where(step < 0, -field / np.minimum(step, -1e-300), 9)))
        if np.max(np.abs(step)) < 1e-13 * np.max(field):
            break
    else:
        raise AssertionError("Newton's method does not converge")
    return field, 2 * a * coupling**2 * length**2 / a_ssb**3 * (field**2 - (1 - (a_ssb / a) ** 3))


for name, *numbers in (("weak", 0.9, 0.4, 2, 0.7), ("screened", 0.6, 0.5, 1, 1)):
    field, expected = potential(*numbers)
    found = read(name)
    error = np.max(np.abs(found - expected)) / np.max(np.abs(expected))
    assert error < 1e-8, f"{name} is off by {error:g} of its largest element"
assert np.min(field) < 0.05, "no cell is screened"
