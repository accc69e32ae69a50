"""The derivatives of a spectrum against central differences of other runs, and the Fisher matrix made of them."""

import sys

import h5py
import numpy

base = sys.argv[1]


def read(run, name):
    return h5py.File(f"{base}.{run}/{name}.h5")[name][:]


k, p, dm, ds, modes = read("out", "derivatives").T
for name, derivative, up, down in (("omega_m", dm, "m1", "m0"), ("sigma8", ds, "s1", "s0")):
    difference = (read(up, "derivatives")[:, 1] - read(down, "derivatives")[:, 1]) / 2e-5
    off = numpy.abs(difference - derivative).max() / numpy.abs(derivative).max()
    print(f"dP/d{name}: {off:.1e} off")
    if not off < 1e-4:  # particles cross kinks of the window
        sys.exit(f"dP/d{name} = {derivative}, by differences {difference}")
use = modes > 0
matrix = [numpy.sum((a * b * modes / (2 * p**2 + (p == 0)))[use]) for a, b in ((dm, dm), (dm, ds), (ds, ds))]
found = read("out", "fisher").ravel()
if not numpy.allclose(matrix, found, rtol=1e-10):
    sys.exit(f"Fisher matrix {found}, expected {matrix}")
