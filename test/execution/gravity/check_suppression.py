#!/usr/bin/env python3
"""Compares the suppression in suppression.pm with the linear tables of CAMB: check_suppression.py FOLDER FOLDER"""
import os
import sys

import h5py
import numpy as np

inputs = os.path.join(os.path.dirname(os.path.realpath(__file__)), "Inputs")
for mass, folder in zip((0.1, 0.3), sys.argv[1:]):
    rows = np.loadtxt(os.path.join(inputs, f"growth_{mass:g}.txt"))
    k, a, growth = rows[1:, 0], rows[0, 1:], rows[1:, 1:]
    tenth = np.flatnonzero(a == 0.1)[0]
    with h5py.File(os.path.join(folder, "suppression.h5")) as file:
        found = file["suppression"][1:6]
    expected = np.interp(np.log(found[:, 0]), np.log(k), (growth[:, -1] / growth[:, tenth]) ** 2)
    print(mass, found[:, 1], expected)
    # Relative to CAMB within 1 %, and the suppression itself within a tenth of it.
    assert np.max(np.abs(found[:, 1] / expected - 1)) < 0.002, f"{mass} eV: {found[:, 1]}, expected {expected}"
    assert np.max(np.abs((1 - found[:, 1]) / (1 - expected) - 1)) < 0.1, f"{mass} eV: {found[:, 1]}, expected {expected}"
