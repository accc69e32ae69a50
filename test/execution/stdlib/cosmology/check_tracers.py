#!/usr/bin/env python3
"""Compares the outputs of tracers.pm with NumPy and SciPy: check_tracers.py FOLDER"""
import os
import sys

import h5py
import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq

out = sys.argv[1]
LENGTHS, CELLS = np.array([240.0, 240.0, 200.0]), np.array([12, 10, 8])
VOLUME, H, N3 = np.prod(LENGTHS), LENGTHS / CELLS, np.prod(CELLS)
OBSERVER = np.array([40.0, -30.0, 75.0])


def read(name):
    with h5py.File(os.path.join(out, name + ".h5")) as file:
        return file[name][()]


def same(name, found, expected, tolerance=1e-10):
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape, f"{name}: shape {found.shape}, expected {expected.shape}"
    error = np.max(np.abs(found - expected)) / np.max(np.abs(expected))
    assert error < tolerance, f"{name} is off by {error:g} of its largest element"


m = np.meshgrid(*(np.fft.fftfreq(n, 1 / n) for n in CELLS), indexing="ij")
k = [2 * np.pi * i / length for i, length in zip(m, LENGTHS)]
k2 = sum(q ** 2 for q in k)
safe = np.where(k2 > 0, k2, 1)
odd = [np.where(2 * np.abs(i) == n, 0, q) for i, n, q in zip(m, CELLS, k)]  # an odd derivative has no Nyquist mode
fft = lambda f: np.fft.fftn(f) / N3
back = lambda fk: np.real(np.fft.ifftn(fk)) * N3
w, delta, disp, mom = read("w"), read("delta"), read("disp"), read("mom")

# ---- bias ----
smoothed = fft(delta) * np.exp(-k2 * 15 ** 2 / 2)
d = back(smoothed)
tensor = [[back((k[i] ** 2 if i == j else odd[i] * odd[j]) / safe * smoothed) - (d - np.mean(d)) / 3 * (i == j) for j in range(3)] for i in range(3)]
s2 = sum(tensor[i][j] ** 2 for i in range(3) for j in range(3))
fields = [d, d ** 2 - np.mean(d ** 2), s2 - np.mean(s2), back(-k2 * smoothed)]
for i, field in enumerate(fields):
    same(f"bias, column {i}", read("bias")[..., i], field, 1e-9)

places = np.stack(np.meshgrid(*(np.arange(n) * h for n, h in zip(CELLS, H)), indexing="ij"), axis=-1)


def painted(weights):
    """Cloud in cell."""
    at = ((places + disp) / H).reshape(-1, 3)
    low = np.floor(at).astype(int)
    mesh = np.zeros(CELLS)
    for corner in np.ndindex(2, 2, 2):
        part = np.prod(np.where(corner, at - low, 1 - at + low), axis=1)
        np.add.at(mesh, tuple(((low + corner) % CELLS).T), part * np.ravel(weights))
    return mesh


parts = [painted(np.ones(CELLS)) - 1, *(painted(f) for f in fields)]
for i, part in enumerate(parts):
    same(f"parts, component {i}", read("parts")[..., i], part, 1e-9)
shell = np.floor(np.sqrt(sum((i * LENGTHS[0] / length) ** 2 for i, length in zip(m, LENGTHS))) + 1e-9).astype(int)
used = (shell < CELLS[0] // 2) & (k2 > 0)
count = np.bincount(shell[used], minlength=CELLS[0] // 2)
mean = lambda f: np.bincount(shell[used], f[used], minlength=CELLS[0] // 2) / np.maximum(count, 1)
transforms = [fft(p) / np.prod([np.sinc(q * h / (2 * np.pi)) ** 2 for q, h in zip(k, H)], axis=0) for p in parts]
spectra = [mean(np.sqrt(k2))]
for i, j in ((0, 0), (0, 1), (0, 4), (1, 1), (1, 2), (2, 3), (2, 4), (3, 3), (3, 4), (4, 4)):
    spectra.append(VOLUME * mean(np.real(transforms[i] * np.conj(transforms[j]))))
for i, column in enumerate(spectra + [count]):
    same(f"spectra, column {i}", read("spectra")[:, i], column, 1e-9)

# ---- log-normal mocks ----
P = lambda q: 3e4 / (1 + (q / 0.05) ** 2)
xi = back(np.where(k2 > 0, P(np.sqrt(k2)) / VOLUME, 0) + 0j)
gauss = np.maximum(np.real(fft(np.log1p(xi))), 0) * (k2 > 0)
assert np.sum((np.real(fft(np.log1p(xi))) < 0) & (k2 > 0)) == 0, "a mode of log(1 + xi) is negative: choose another spectrum"
G = back(fft(w) * np.sqrt(N3 * gauss))
same("lognormal", read("lognormal"), np.exp(G - np.sum(gauss) / 2) - 1)
# Its correlation function is that of P but for the mean of log(1 + xi), which has no mode.
of_g = back(gauss + 0j)
assert np.max(np.abs(np.exp(of_g) / np.exp(np.mean(np.log1p(xi)) * -1) - 1 - xi)) < 1e-10, "xi of a log-normal field"

# ---- the background, flat, without radiation ----
def E(om, a):
    return np.sqrt(om / a ** 3 + 1 - om)


def chi(om, a):
    return 2997.92458 * quad(lambda s: 1 / (s * s * E(om, s)), a, 1, epsabs=0, epsrel=1e-12)[0]


def growth(om, a):
    return 2.5 * om * E(om, a) * quad(lambda s: 1 / (s * E(om, s)) ** 3, 0, a, epsabs=0, epsrel=1e-12)[0]


T = lambda q: 1 / (1 + (20 * q) ** 2)
alpha = lambda q: 2 * (q * 2997.92458) ** 2 * T(q) * growth(0.31, 1) / (3 * 0.31)
ratio = np.where(k2 > 0, alpha(np.sqrt(safe)), 0)
phi = back(np.where(k2 > 0, fft(delta) / np.where(k2 > 0, ratio, 1), 0))
same("potential", read("potential"), phi, 1e-8)
same("skewed", read("skewed"), delta + back(ratio * fft(3e3 * phi ** 2)), 1e-8)
same("kurtic", read("kurtic"), delta + back(ratio * fft(2e7 * (phi ** 3 - 3 * np.mean(phi ** 2) * phi))), 1e-8)
assert np.max(np.abs(read("skewed") - delta)) > 0.01 * np.max(np.abs(delta)), "f_nl has no effect"
later = alpha(0.01) * growth(0.31, 0.6) / growth(0.31, 1)
expected = [alpha(0.03), 2.5 + 30 * 2 * 1.686 * 1.5 / alpha(0.01), 2.5 + 30 * 2 * 1.7 * 0.9 / later, E(0.4, 0.4) / E(0.31, 0.4), chi(0.31, 0.4) / chi(0.4, 0.4)]
same("numbers", read("numbers") / expected, np.ones(5), 1e-8)

# ---- positions ----
sight = places + disp - OBSERVER
along = np.sum(sight * mom, axis=-1, keepdims=True) / np.sum(sight ** 2, axis=-1, keepdims=True)
same("radial", read("radial"), disp + along * sight / (0.25 * E(0.31, 0.5)))
factors = np.array([expected[4], expected[3], expected[4]])
same("seen", read("seen"), OBSERVER + sight / factors - places, 1e-8)
sight = (places + disp) % LENGTHS - OBSERVER
distance = np.sqrt(np.sum(sight ** 2, axis=-1))
table = np.linspace(1e-3, 500, 60)
fiducial = [chi(0.4, brentq(lambda a, x=x: chi(0.31, a) - x, 0.5, 1, xtol=1e-14)) / x for x in table]
ratios = np.interp(distance, table, fiducial)
same("far", read("far"), OBSERVER + ratios[..., None] * sight, 1e-4)
print("as NumPy has it")
