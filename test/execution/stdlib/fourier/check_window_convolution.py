#!/usr/bin/env python3
"""Compares the outputs of window_convolution.pm with NumPy and SciPy: check_window_convolution.py FOLDER [single]"""
import sys

import numpy as np
from scipy.special import eval_legendre, spherical_jn

failed = []
SINGLE = len(sys.argv) > 2


def read(name):
    return np.load(f"{sys.argv[1]}/{name}.npy")


def check(name, found, truth, bound):
    error = np.max(abs(found - truth)) / np.max(abs(truth))
    bound = max(bound, 2e-5) if SINGLE else bound
    if not error <= bound:
        failed.append(f"{name} is off by {error:.3g}, expected at most {bound:.3g}")


MU, WEIGHTS = np.polynomial.legendre.leggauss(40)


def product(l, j, p):
    """Of L_j L_p, the part along L_l."""
    return (2 * l + 1) / 2 * np.sum(WEIGHTS * eval_legendre(l, MU) * eval_legendre(j, MU) * eval_legendre(p, MU))


s, k, some = read("scales"), read("waves"), read("places")
P, Q = read("model").T, read("window").T


def convolved(P, Q, ells, window_ells, at):
    xi = [(1j ** l).real / (2 * np.pi ** 2) * np.trapz(k ** 2 * f * spherical_jn(l, np.outer(s, k)), k, axis=1) for l, f in zip(ells, P)]
    seen = [sum(product(l, j, p) * f * q for j, f in zip(ells, xi) for p, q in zip(window_ells, Q)) for l in ells]
    power = lambda l, f: 4 * np.pi * (1j ** l).real * np.trapz(s ** 2 * f * spherical_jn(l, np.outer(at, s)), s, axis=1)
    return np.array([power(l, f) for l, f in zip(ells, seen)]), seen, power


ells = (0, 2, 4)
truth, seen, _ = convolved(P, Q, ells, ells, some)
for i, l in enumerate(ells):
    check(f"P_{l}", read("convolved")[:, i], truth[i], 1e-12)
check("P_2 at the model's waves", read("at_model"), convolved(P, Q, ells, ells, k)[0][1], 1e-12)
check("P_4 alone", read("hexadecapole"), convolved(P[2:], (Q[2], Q[0]), (4,), (4, 0), some)[0][0], 1e-12)
truth, seen, power = convolved(P[:2], Q, (0, 2), ells, some)
ratio = np.trapz(s ** 2 * seen[0], s) / np.trapz(s ** 2 * Q[0], s)
for i, l in enumerate((0, 2)):
    check(f"P_{l} with the integral constraint", read("constrained")[:, i], truth[i] - ratio * power(l, Q[i]), 1e-12)

# Wilson et al. (2017), eqs. 27 and 28, and what the product of Legendre polynomials is.
check("the symbols", read("symbols"), np.array([1 / 5, 2 / 35, 490 / 2431 / 9, 3 / 35, 0, 0]), 1e-14)
check("the coefficient of Wilson et al.", product(4, 4, 8), 490 / 2431, 1e-12)
# A Gaussian spectrum, and the window exp(-x^2/(2 R^2)), whose correlation is exp(-s^2/(4 R^2)).
a2, R2 = 400.0, 120.0 ** 2
b2 = 1 / (1 / a2 + 1 / (2 * R2))
check("Gaussians", read("alone"), 2e4 * (b2 / a2) ** 1.5 * np.exp(-some ** 2 * b2 / 2), 2e-4)

bins = 10.0 * (1 + np.arange(12))
places = 4.0 * np.arange(300)
for i, (start, f) in enumerate(((1, np.exp(-(bins / 120) ** 2)), (0, bins / 120))):
    truth = np.interp(places, np.r_[0, bins], np.r_[start, f], right=0)
    truth[places >= bins[-1]] = 0
    check(f"the window between bins, {i}", read("between")[:, i], truth, 1e-12)
print("\n".join(failed))
sys.exit(bool(failed))
