#!/usr/bin/env python3
"""Compares the outputs of masked.pm with sums over 3j symbols: check_masked.py FOLDER"""
import os
import sys

import h5py
import numpy as np
from scipy.special import gammaln

out = sys.argv[1]


def read(name):
    with h5py.File(os.path.join(out, name + ".h5")) as file:
        return file[name][()]


def symbol(a, b, c):
    """(a b c; 0 0 0)^2 by Racah's formula."""
    if (a + b + c) % 2 or c < abs(a - b) or c > a + b:
        return 0
    g = (a + b + c) // 2
    log = sum(gammaln(2 * (g - n) + 1) - 2 * gammaln(g - n + 1) for n in (a, b, c)) - gammaln(2 * g + 2) + 2 * gammaln(g + 1)
    return np.exp(log)


def coupling(W, rows, columns):
    return np.array([[(2 * k + 1) / (4 * np.pi) * sum((2 * j + 1) * W[j] * symbol(l, k, j) for j in range(len(W))) for k in range(columns)]
                     for l in range(rows)])


found, expected = read("coupling"), coupling(read("spectrum_of_mask"), 40, 50)
assert np.max(np.abs(found - expected)) < 1e-11 * np.max(np.abs(expected)), "the coupling matrix"
# Skies behind the mask. Sixty of them scatter by 2/((2 l + 1) f_sky 60) squared.
measured, C = read("skies").T
M = read("masked")
expected = M @ C
l = np.arange(12)
scatter = np.sqrt(2 / ((2 * l + 1) * 0.5 * 60))
print(measured / expected, scatter)
assert np.all(np.abs(measured / expected - 1) < 4 * scatter), f"skies behind a mask: {measured / expected}"
assert abs(np.mean((measured / expected - 1)[3:])) < 0.05, "skies behind a mask, all l"
assert np.max(np.abs(measured / C - 1)) > 0.2, "the mask has no effect"
assert np.max(np.abs(read("bands") - (3 + np.sin(np.arange(4))))) < 1e-9, f"a spectrum of bins: {read('bands')}"
print("as expected")
