#!/usr/bin/env python3
"""Compares the outputs of rank_values.pm with singular value decompositions: check_rank_values.py FOLDER"""
import sys

import numpy as np


def read(name):
    return np.load(f"{sys.argv[1]}/{name}.npy")


def columns(name):
    f = read(name)
    return f.reshape(len(f), -1).T


def shrunk(A, t):
    U, sizes, V = np.linalg.svd(A, full_matrices=False)
    assert t == 1000 or t == 0 or 0 < np.sum(sizes > t) < len(sizes), sizes
    return (U * np.maximum(sizes - t, 0)) @ V


failed = []


def check(name, found, truth, bound=1e-9):
    error = np.max(abs(found - truth))
    if not error <= bound:
        failed.append(f"{name} is off by {error:.3g}, expected at most {bound:.3g}")


A, matrix = columns("data"), read("matrix")
_, sizes, V = np.linalg.svd(A, full_matrices=False)
check("orthogonality", matrix @ matrix.conj().T, np.eye(2), 1e-12)
check("the first vectors", abs(matrix @ V[:2].T), np.eye(2))
check("energy", np.linalg.svd(columns("less"))[1], sizes[:2])
check("less", columns("less"), A @ matrix.T, 1e-12)
check("less_images", columns("less_images"), columns("images") @ matrix.T, 1e-12)
for name, source, t in (("low", "movie", 10), ("none", "movie", 1000), ("all", "movie", 0), ("real_low", "weights", 11)):
    check(name, columns(name), shrunk(columns(source), t), 1e-7)
print("\n".join(failed))
sys.exit(bool(failed))
