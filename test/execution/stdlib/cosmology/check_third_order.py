#!/usr/bin/env python3
"""Checks the outputs of third_order.pm: check_third_order.py FOLDER

In an Einstein-de Sitter universe D = a and positions x = q + sum_n a^n psi_n. With M = d psi/dq and J = det(1 + M), Poisson's equation is
sum_ij C_ij T M_ij = 3/2 (J - 1), where C is the cofactor matrix of 1 + M and T = n (n + 1/2) for order n; and no vorticity means that
sum_k grad x'_k x grad x_k = 0. Both hold up to the order a^4."""
import os
import sys

import h5py
import numpy as np
from scipy.integrate import solve_ivp

out = sys.argv[1]


def read(name):
    with h5py.File(os.path.join(out, name + ".h5")) as file:
        return file[name][()]


times = 0.25 * np.arange(1, 5)
powers = times[:, None] ** np.arange(1, 4)
disp, mom = read("disp").reshape(4, -1), read("mom").reshape(4, -1)
psi, _, rank, _ = np.linalg.lstsq(powers, disp, rcond=None)
assert rank == 3 and np.max(np.abs(powers @ psi - disp)) < 1e-8 * np.max(np.abs(disp)), "the displacement is not a polynomial of third order in a"
expected = powers * np.arange(1, 4) * np.sqrt(times)[:, None] @ psi
assert np.max(np.abs(mom - expected)) < 1e-7 * np.max(np.abs(mom)), "momenta are not a^2 E times the derivative of displacements by ln a"
n, box = 16, 100.0
psi = psi.reshape(3, n, n, n, 3)
k = 2 * np.pi / box * np.fft.fftfreq(n, 1 / n)


def slopes(f):
    """M_ij = d f_i/d q_j."""
    fk = np.fft.fftn(f, axes=(0, 1, 2))
    shape = lambda j: [n if i == j else 1 for i in range(3)]
    return np.stack([np.stack([np.real(np.fft.ifftn(1j * k.reshape(shape(j)) * fk[..., i])) for j in range(3)], axis=-1) for i in range(3)], axis=-2)


M = [slopes(p) for p in psi]


def residuals(a):
    m = sum(a ** o * M[o - 1] for o in (1, 2, 3))
    dm = sum(o * a ** o * M[o - 1] for o in (1, 2, 3))
    tm = sum(o * (o + 0.5) * a ** o * M[o - 1] for o in (1, 2, 3))
    deformation = np.eye(3) + m
    J = np.linalg.det(deformation)
    cofactor = J[..., None, None] * np.swapaxes(np.linalg.inv(deformation), -1, -2)
    poisson = np.sum(cofactor * tm, axis=(-1, -2)) - 1.5 * (J - 1)
    rotation = np.cross(dm, deformation).sum(axis=-2)
    return np.sqrt(np.mean(poisson ** 2)), np.sqrt(np.mean(rotation ** 2))


size = np.sqrt(np.mean(M[0] ** 2))
for name, one, half in zip(("Poisson's equation", "vorticity"), residuals(0.02 / size), residuals(0.01 / size)):
    print(f"{name}: the rest falls as a^{np.log2(one / half):.3f}")
    assert abs(np.log2(one / half) - 4) < 0.1, f"{name} holds up to the order {np.log2(one / half)}, expected 4"

om, ok, w0, wa = 0.3, 0.1, -0.9, 0.2
energy = lambda a: (1 - om - ok) * a ** (-3 * (1 + w0 + wa)) * np.exp(-3 * wa * (1 - a))
E2 = lambda a: om / a ** 3 + ok / a ** 2 + energy(a)


def slope(lna, u):
    a = np.exp(lna)
    w = w0 + wa * (1 - a)
    q = -(3 * om / a ** 3 + 2 * ok / a ** 2 + 3 * (1 + w) * energy(a)) / (2 * E2(a))
    s = 1.5 * om / a ** 3 / E2(a)
    D, dD, F2, dF2, Fa, dFa, Fb, dFb, Fc = u
    return [dD, s * D - (2 + q) * dD, dF2, s * (F2 - D ** 2) - (2 + q) * dF2, dFa, s * (Fa - 2 * D ** 3) - (2 + q) * dFa,
            dFb, s * (Fb - 2 * D * (F2 - D ** 2)) - (2 + q) * dFb, D * dF2 - dD * F2]


a = 1e-6
start = [a, a, -3 / 7 * a ** 2, -6 / 7 * a ** 2, -a ** 3 / 3, -a ** 3, 10 / 21 * a ** 3, 10 / 7 * a ** 3, -a ** 3 / 7]
solution = solve_ivp(slope, (np.log(a), 0), start, method="DOP853", rtol=1e-11, atol=1e-30, dense_output=True)
at = solution.sol(np.log(0.7))
D0 = solution.y[0, -1] ** 3
expected = np.array([-3 * at[4], 2.1 * at[6], -7 * at[8], -3 * at[5], 2.1 * at[7], -7 * (at[0] * at[3] - at[1] * at[2])]) / D0
off = np.max(np.abs(read("growth").ravel() / expected - 1))
print(f"growth in curved space is off by {off:.1e}")
assert off < 1e-6, f"growth of third order is off by {off}"
