#!/usr/bin/env python3
"""Compares the outputs of growth.pm with SciPy: check_growth.py FOLDER"""
import os
import sys

import h5py
import numpy as np
from scipy.integrate import quad, solve_ivp
from scipy.optimize import brentq

out = sys.argv[1]
OMEGA_M, HUBBLE = 0.31, 2997.92458


def read(name):
    with h5py.File(os.path.join(out, name + ".h5")) as file:
        return file[name][()]


hubble = lambda a: np.sqrt(OMEGA_M / a ** 3 + 1 - OMEGA_M)
slope_of_hubble = lambda a: -1.5 * OMEGA_M / a ** 3 / hubble(a) ** 2


def grown(a, strength=lambda a: 1, start=(1e-6, 1e-6, 1e-6)):
    """(D, dD/d ln a) at a, from those at a first scale factor, such as in matter domination."""
    def slope(t, y):
        s = np.exp(t)
        return [y[1], -(2 + slope_of_hubble(s)) * y[1] + 1.5 * OMEGA_M / s ** 3 / hubble(s) ** 2 * strength(s) * y[0]]
    return solve_ivp(slope, (np.log(start[0]), np.log(a)), start[1:], method="DOP853", rtol=1e-11, atol=1e-20).y[:, -1]


today = grown(1)[0]
D = lambda a: grown(a)[0] / today
G = lambda a: a ** 2 * hubble(a) * grown(a)[1] / today

# ---- a uniform force ----
times = [0.1, 0.3, 0.5, 0.9]
disp = mom = 0
for a, b in zip(times, times[1:]):
    middle = np.sqrt(a * b)
    mom -= (G(middle) - G(a)) / D(a) * a ** 2
    disp += (D(b) - D(a)) / G(middle) * mom
    mom -= (G(b) - G(middle)) / D(b) * b ** 2
expected = [disp, mom]


def second(a):
    """(E, dE/dD) of Rampf et al. (2025), where E'' in ln a is sourced by -D^2."""
    def slope(t, y):
        s = np.exp(t)
        q, m = -(2 + slope_of_hubble(s)), 1.5 * OMEGA_M / s ** 3 / hubble(s) ** 2
        return [y[1], q * y[1] + m * y[0], y[3], q * y[3] + m * (y[2] - y[0] ** 2)]
    s = 1e-4
    y = solve_ivp(slope, (np.log(s), np.log(a)), [s, s, -3 / 7 * s * s, -6 / 7 * s * s], method="DOP853", rtol=1e-11, atol=1e-20).y[:, -1]
    return y[2] / today ** 2, y[3] / y[1] / today


disp = mom = 0
for a, b in zip(times, times[1:]):
    half = (D(b) - D(a)) / 2
    d = (D(a) + D(b)) / 2
    middle = brentq(lambda s: D(s) - d, a, b, xtol=1e-12)
    (E, dE), (_, dE_next) = second(a), second(b)
    F = (E + dE * half) / d - d
    alpha = (dE_next - F) / (dE - F)
    disp += half / G(a) * mom
    mom = alpha * G(b) / G(a) * mom - (1 - alpha) * G(b) / d * middle ** 2
    disp += half / G(b) * mom
expected += [disp, mom]
found = read("numbers")
assert np.max(np.abs(found / expected - 1)) < 1e-6, f"a uniform force: {found}, expected {expected}"

# COLA, equations A15 and A16 of Tassev et al. (2013), for a force of 2 a^2.
n, disp, mom, before = -2.5, 0, 0, times[0]
for i, a in enumerate(times):
    after = np.sqrt(a * times[min(i + 1, 3)])
    mom += -1.5 * OMEGA_M / (a ** 2 * hubble(a)) * (after ** n - before ** n) / (n * a ** (n - 1)) * 2 * a ** 2
    if i < 3:
        disp += mom * after ** -n * quad(lambda t: t ** n / (t ** 3 * hubble(t)), a, times[i + 1], epsabs=0, epsrel=1e-12)[0]
    before = after
for i, value in enumerate((disp, mom)):
    error = np.max(np.abs(read("cola")[..., i] / value - 1))
    assert error < 1e-6, f"COLA, column {i}: off by {error:g}"

# ---- small waves ----
k, ndgp, hu_sawicki, linear, fine = read("ratios")[1:6].T
beta = lambda a: 1 + 2 * hubble(a) * (1 + slope_of_hubble(a) / 3)
first = (0.1, *grown(0.1))  # the particles of `lpt` have the growth of general relativity
expected = (grown(1, lambda a: 1 + 1 / (3 * beta(a)), first)[0] / today) ** 2
print("nDGP", ndgp, "expected", expected)
assert np.max(np.abs(ndgp / expected - 1)) < 3e-3, "nDGP grows otherwise"


def range2(a):
    now, there = OMEGA_M + 4 * (1 - OMEGA_M), OMEGA_M / a ** 3 + 4 * (1 - OMEGA_M)
    return 2 * HUBBLE ** 2 * 1e-5 * (now / there) ** 2 / there / a ** 2


print("f(R)", hu_sawicki, "with a linear force", linear)
assert np.max(np.abs(hu_sawicki / linear - 1)) < 2e-3, "f(R) differs from its linear force"
expected = [(grown(1, lambda a, q=q: 1 + q ** 2 / (3 * (q ** 2 + 1 / range2(a))), first)[0] / today) ** 2 for q in k[:2]]
assert np.max(np.abs(hu_sawicki[:2] / expected - 1)) < 4e-3, f"f(R): {hu_sawicki[:2]}, expected {expected}"
# On a mesh finer than the lattice, as far as half the Nyquist frequency of the lattice.
expected = np.array([(grown(1, lambda a, q=q: 1 + q ** 2 / (3 * (q ** 2 + 1 / range2(a))), first)[0] / today) ** 2 for q in k])
print("f(R) on a finer mesh", fine, "expected", expected)
assert np.max(np.abs((fine - expected) / (expected - 1))) < 0.12, "f(R) on a finer mesh"
