#!/usr/bin/env python3
"""check_modgrav.py FOLDER FOLDER: the outputs of modgrav.pm, and those on other ranks."""
import os
import sys

import h5py
import numpy as np


def read(folder):
    with h5py.File(os.path.join(folder, "enhancement.h5")) as file:
        return file["enhancement"][()]


one, two = read(sys.argv[1]), read(sys.argv[2])
k, ndgp, ndgp_linear, f, f_linear = one[1:].T
assert np.max(np.abs(one - two)) < 2e-3, f"on two ranks: {np.max(np.abs(one - two))} apart"
print(one[1:])
# Without the growth before a = 0.1, nDGP has 0.13 in place of 0.146.
assert np.all(np.abs(ndgp_linear - 0.146) < 1e-3), "the linear growth of nDGP"
assert np.all(np.abs(ndgp[:3] - 0.13) < 0.02), "nDGP on large scales"
assert np.all(np.diff(f_linear) > 0) and 0.01 < f_linear[0] < 0.015, "the linear growth of f(R)"
# f(R) lacks this growth, too, and is screened on small scales.
ratio = f / f_linear
assert np.all(ratio[:5] > 0.75) and np.all(ratio < 0.95) and np.all(ratio[5:] < 0.8) and np.all(f[1:] > 0.01), "f(R)"
print("as expected")
