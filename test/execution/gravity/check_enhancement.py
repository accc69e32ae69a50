#!/usr/bin/env python3
"""Compares the power spectra of enhancement.pm with the table of the emulator in Inputs: check_enhancement.py FOLDER"""
import os
import sys

import h5py
import numpy as np

inputs = os.path.join(os.path.dirname(os.path.realpath(__file__)), "Inputs")
with h5py.File(os.path.join(sys.argv[1], "enhancement.h5")) as file:
    k, _, *found = file["enhancement"][()].T
table = np.loadtxt(os.path.join(inputs, "enhancement.txt")).T
band = (k > table[0, 0]) & (k <= 0.5)
assert np.sum(band) >= 4, "too few wave numbers"
for name, ratio, column in zip(("1e-5, a = 2/3", "1e-5, a = 1", "1e-6, a = 2/3", "1e-6, a = 1"), found, table[1:]):
    expected = np.interp(np.log(k[band]), np.log(table[0]), column)
    print(name, np.round(ratio[band], 4), np.round(expected, 4))
    # A small box has few massive halos, and therefore less screening than the emulator. Boxes of 64 Mpc/h can exceed the bound. Linear
    # theory has no screening: its enhancement is more than twice that of the emulator.
    assert np.max(np.abs(ratio[band] / expected - 1)) < 0.05, f"{name}: {ratio[band]}, expected {expected}"
    rise = (ratio[band] - 1) / (expected - 1)
    assert np.all((rise > 0.8) & (rise < 2)), f"{name}: the enhancement is {rise} times that of the emulator"
