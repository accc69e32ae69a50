#!/usr/bin/env python3
"""Whether initial conditions were recovered as well in the second folder as in the first.

    recovery.py ONE BANDS"""
import os
import sys

import h5py


def read(folder):
    with h5py.File(os.path.join(folder, "recovery.h5")) as file:
        return file["recovery"][1:].T


def main():
    (k, one, transfer_one), (_, bands, transfer_bands) = map(read, sys.argv[1:])
    large = k < 0.2
    if large.sum() < 2 or one[large].min() < 0.95:
        sys.exit(f"one grid does not recover the large scales: {one}")
    for name, a, b, bound in (("correlation", one, bands, 2e-3), ("transfer function", transfer_one, transfer_bands, 2e-3)):
        off = abs(a - b).max()
        print(f"{name}s differ by {off:.1e}")
        if not off < bound:
            sys.exit(f"the {name} with the truth is {b} through the pyramid, {a} through one grid")


if __name__ == "__main__":
    main()
