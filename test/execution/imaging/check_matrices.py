#!/usr/bin/env python3
"""The decompositions of matrices.pm against NumPy: check_matrices.py FOLDER"""
import sys

import numpy as np


def load(name, *shape):
    array = np.load(f"{sys.argv[1]}/{name}.npy")
    return array.reshape(array.shape[:2] + shape) if shape else array


def near(name, found, truth, bound=1e-10):
    error = np.abs(found - truth).max() / np.abs(truth).max()
    assert error < bound, f"{name} is off by {error:g}"


A7, C4, H4, T, S5, b = load("entries", 7, 7), load("more", 4, 4), load("hermitians", 4, 4), load("tall", 5, 3), load("symmetrics", 5, 5), load("right")
column = lambda v: v[..., None]
near("solve", load("solved"), np.linalg.solve(A7, column(b))[..., 0], 1e-9)
near("complex solve", load("solved_complex"), np.linalg.solve(C4, column(b[..., :4]) + 0j)[..., 0], 1e-9)
near("inverse", load("inverted", 3, 3), np.linalg.inv(A7[..., :3, :3]), 1e-9)
near("least squares", load("fitted"), (np.linalg.pinv(T) @ column(b[..., :5]))[..., 0], 1e-10)
for name, matrix in (("eigen2", S5[..., :2, :2]), ("eigen5", S5), ("eigen_complex", H4)):
    n = matrix.shape[-1]
    system = load(name)
    values, vectors = system[..., :n], system[..., n:].reshape(system.shape[:2] + (n, n))
    near(name, values.real, np.linalg.eigvalsh(matrix), 1e-13)
    near(name + "'s vectors", matrix @ vectors, vectors * values[..., None, :], 1e-12)
    near(name + "'s lengths", vectors.conj().swapaxes(-1, -2) @ vectors, np.broadcast_to(np.eye(n), matrix.shape), 1e-12)
system = load("singular")
values, u, v = system[..., :3], system[..., 3:18].reshape(system.shape[:2] + (5, 3)), system[..., 18:].reshape(system.shape[:2] + (3, 3))
near("singular values", values, np.linalg.svd(T, compute_uv=False), 1e-14)
near("singular vectors", (u * values[..., None, :]) @ v.swapaxes(-1, -2), T, 1e-14)
near("u", u.swapaxes(-1, -2) @ u, np.broadcast_to(np.eye(3), v.shape), 1e-14)
near("v", v.swapaxes(-1, -2) @ v, np.broadcast_to(np.eye(3), v.shape), 1e-14)
near("small singular values", load("small_values"), np.linalg.svd(load("grades", 5, 3), compute_uv=False), 3e-15)
system = load("complex_singular")
values, u, v = system[..., :3], system[..., 3:15].reshape(system.shape[:2] + (4, 3)), system[..., 15:].reshape(system.shape[:2] + (3, 3))
C3 = (u * values[..., None, :]) @ v.conj().swapaxes(-1, -2)
near("complex singular values", values.real, np.linalg.svd(C3, compute_uv=False), 1e-14)
near("complex singular vectors", C3[..., :3, :3], C4[..., :3, :3], 1e-14)
near("complex u", u.conj().swapaxes(-1, -2) @ u, np.broadcast_to(np.eye(3), v.shape), 1e-14)
