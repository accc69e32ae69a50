#!/usr/bin/env python3
"""Compares the outputs of linear_response.pm with NumPy: check_linear_response.py FOLDER"""
import os
import sys

import h5py
import numpy as np
from scipy.integrate import quad

out = sys.argv[1]
N, L, OMEGA_M, MASS = 12, 400.0, 0.31, 0.2
H = L / N


def read(name):
    with h5py.File(os.path.join(out, name + ".h5")) as file:
        return file[name][()]


def same(name, found, expected, tolerance=1e-9):
    error = np.max(np.abs(found - expected)) / np.max(np.abs(expected))
    assert error < tolerance, f"{name} is off by {error:g} of its largest element"


ratio = lambda k, a: (1 / (1 + k / (1.5 * np.sqrt(a * OMEGA_M) * MASS / 3))) ** 2
f = MASS / 93.14 / (0.7 ** 2 * OMEGA_M)
same("numbers", read("numbers")[[0, 1, 2, 5]], np.array([f, ratio(0.1, 0.5), 1 - f + f * ratio(0.1, 0.5), ratio(0.2, 0.5)]))
assert np.max(np.abs(read("numbers")[3:5] / [ratio(0.1, 0.5), ratio(0.2, 0.5)] - 1)) < 1e-3, "the ratio of a table"

delta = read("delta")
m = np.meshgrid(*[np.fft.fftfreq(N, 1 / N)] * 3, indexing="ij")
k = [2 * np.pi / L * i for i in m]
size = np.sqrt(sum(q ** 2 for q in k))
strength = np.where(size > 0, 1 - f + f * ratio(size, 0.3), 1)
same("matter", read("matter"), np.fft.ifftn(strength * np.fft.fftn(delta)).real)

# The force of 2 (0.5 + 0.5 delta) with differences of order 2.
inverse = -sum((2 - 2 * np.cos(q * H)) / H ** 2 for q in k)
phi = np.fft.ifftn(np.where(size > 0, strength / np.where(size > 0, inverse, 1), 0) * np.fft.fftn(delta)).real
same("force", read("force"), np.stack([(np.roll(phi, -1, i) - np.roll(phi, 1, i)) / (2 * H) for i in range(3)], axis=-1))

# ---- the start: first and second order with differences of order 4, growth of general relativity ----
hubble = lambda a: np.sqrt(OMEGA_M / a ** 3 + 1 - OMEGA_M)
D = lambda a: 2.5 * OMEGA_M * hubble(a) * quad(lambda s: 1 / (s * hubble(s)) ** 3, 0, a, epsabs=0, epsrel=1e-12)[0]
a = 0.1
f1 = -1.5 * OMEGA_M / a ** 3 / hubble(a) ** 2 + 2.5 * OMEGA_M / (a ** 2 * hubble(a) ** 2 * D(a))
found = read("start")
fd4 = [np.where(2 * np.abs(i) == N, 0, (8 * np.sin(q * H) - np.sin(2 * q * H)) / (6 * H)) for i, q in zip(m, k)]
dk = np.fft.fftn(delta)
safe = np.where(size > 0, size, 1)
first = np.stack([np.fft.ifftn(1j * q / safe ** 2 * np.where(size > 0, dk, 0)).real for q in fd4], axis=-1)
# Second order is below 1e-3 of first order for this overdensity.
same("start, displacements", found[..., :3], first, 1e-3)
rate = np.where(size > 0, (0.98 - 0.05 * size) / f1, 1)
expected = a ** 2 * hubble(a) * f1 * np.stack([np.fft.ifftn(rate * np.fft.fftn(first[..., i])).real for i in range(3)], axis=-1)
same("start, momenta", found[..., 3:], expected, 1e-3)
plain = a ** 2 * hubble(a) * f1 * first
assert np.max(np.abs(found[..., 3:] - plain)) > 3e-3 * np.max(np.abs(plain)), "growth rates have no effect"
print("as NumPy has it")
