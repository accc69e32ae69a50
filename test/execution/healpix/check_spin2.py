#!/usr/bin/env python3
"""Compares the outputs of spin2.pm with spin-weighted harmonics of Jacobi polynomials: check_spin2.py FOLDER"""
import os
import sys

import h5py
import numpy as np
from scipy.special import eval_jacobi, gammaln

NSIDE, MOST = 16, 40


def read(name):
    with h5py.File(os.path.join(sys.argv[1], name + ".h5")) as file:
        return file[name][()].T


def centers():
    """(theta, phi) of all pixels in ring order, ring by ring."""
    theta, phi = [], []
    for ring in range(1, 4 * NSIDE):
        width = min(ring, 4 * NSIDE - ring, NSIDE)
        polar = 1 - width**2 / (3 * NSIDE**2)
        z = polar if ring < NSIDE else -polar if ring > 3 * NSIDE else 4 / 3 - 2 * ring / (3 * NSIDE)
        shift = 0.5 if width < NSIDE or (ring - NSIDE) % 2 == 0 else 0
        theta += [np.arccos(z)] * (4 * width)
        phi += list(np.pi / (2 * width) * (np.arange(4 * width) + shift))
    return np.array(theta), np.array(phi)


def small_d(l, m, n, theta):
    """The Wigner function d^l_mn of an angle (Varshalovich, Moskalev & Khersonskii 1988, section 4.3.4)."""
    a, b = abs(m - n), abs(m + n)
    k = l - (a + b) // 2
    sign = 1 if n >= m else (-1) ** (m - n)
    norm = np.exp(0.5 * (gammaln(k + 1) + gammaln(k + a + b + 1) - gammaln(k + a + 1) - gammaln(k + b + 1)))
    return sign * norm * np.sin(theta / 2) ** a * np.cos(theta / 2) ** b * eval_jacobi(k, a, b, np.cos(theta))


def harmonic(spin, l, m, theta, phi):
    """The spin-weighted harmonic with the phase of Condon and Shortley: that of spin 0 is scipy.special.sph_harm."""
    return (-1) ** spin * np.sqrt((2 * l + 1) / (4 * np.pi)) * small_d(l, m, -spin, theta) * np.exp(1j * m * phi)


def close(what, found, expected, bound=1e-11):
    off = np.abs(found - expected).max() / np.abs(expected).max()
    print(f"{what}: {off:.1e}")
    assert off < bound, what


theta, phi = centers()
# These values determine the signs: 2Y_20 is positive, and 2Y_22 is largest at the south pole.
assert np.allclose(harmonic(2, 2, 0, theta, phi), np.sqrt(15 / (32 * np.pi)) * np.sin(theta) ** 2)
assert np.allclose(harmonic(2, 2, 2, theta, phi), np.sqrt(5 / (64 * np.pi)) * (1 - np.cos(theta)) ** 2 * np.exp(2j * phi))
modes = read("modes")
e, b = modes[0] + 1j * modes[1], modes[2] + 1j * modes[3]
e, b = e.T, b.T
some = np.arange(0, len(theta), 31)
total = np.zeros(len(some), complex)
for l in range(2, MOST):
    for m in range(l + 1):
        spin = -(e[l, m] + 1j * b[l, m])
        total += spin * harmonic(2, l, m, theta[some], phi[some])
        if m > 0:  # of real maps
            spin = -((-1) ** m) * (np.conj(e[l, m]) + 1j * np.conj(b[l, m]))
            total += spin * harmonic(2, l, -m, theta[some], phi[some])
q, u = read("maps")
close("maps", (q + 1j * u)[some], total)

q, u = read("noise")
found = read("found")
found_e, found_b = (found[0] + 1j * found[1]).T, (found[2] + 1j * found[3]).T
assert not np.any(found_e[:2]) and not np.any(found_b[:2]), "modes with l < 2"
for l in (2, 3, 7, 20, 39):
    for m in {0, 1, 2, 3, l // 2, l} & set(range(l + 1)):
        plus = np.sum((q + 1j * u) * np.conj(harmonic(2, l, m, theta, phi)))
        minus = np.sum((q - 1j * u) * np.conj(harmonic(-2, l, m, theta, phi)))
        expected = 4 * np.pi / len(theta) * np.array([-(plus + minus) / 2, 1j * (plus - minus) / 2])
        close(f"l = {l}, m = {m}", np.array([found_e[l, m], found_b[l, m]]), expected)
print("as expected")
