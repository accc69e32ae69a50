#!/usr/bin/env python3
"""Compares the outputs of potentials.pm with SciPy: check_potentials.py FOLDER

Newton's method with sparse matrices solves the same difference equations."""
import os
import sys

import h5py
import numpy as np
from scipy import sparse
from scipy.integrate import solve_ivp
from scipy.sparse.linalg import spsolve

out = sys.argv[1]
OMEGA_M, HUBBLE = 0.31, 2997.92458
CELLS, SIDES = (12, 8, 8), (40.0, 30.0, 30.0)
SPACING = [length / n for length, n in zip(SIDES, CELLS)]


def read(name):
    with h5py.File(os.path.join(out, name + ".h5")) as file:
        return file[name][()]


def same(name, found, expected, tolerance):
    error = np.max(np.abs(found - expected)) / np.max(np.abs(expected))
    assert error < tolerance, f"{name} is off by {error:g} of its largest element"


# ---- differences as matrices ----
def shifted(axis, by):
    """The matrix of f(x + by h)."""
    parts = [sparse.identity(n, format="csr") for n in CELLS]
    n = CELLS[axis]
    parts[axis] = sparse.csr_matrix((np.ones(n), (np.arange(n), (np.arange(n) + by) % n)), shape=(n, n))
    return sparse.kron(sparse.kron(parts[0], parts[1]), parts[2], format="csr")


one = sparse.identity(np.prod(CELLS), format="csr")
second = [(shifted(i, 1) + shifted(i, -1) - 2 * one) / SPACING[i] ** 2 for i in range(3)]
laplacian = sum(second)
mixed = [a * b * (shifted(i, a) - one) @ (shifted(j, b) - one) / (SPACING[i] * SPACING[j])
         for i in range(3) for j in range(i) for a in (1, -1) for b in (1, -1)]


def newton(equation, u, pinned):
    for _ in range(60):
        value, slope = equation(u)
        if pinned:  # the equations add up to 0, and a constant solves them: the first unknown does not change
            value, slope = value.copy(), slope.tolil()
            slope[0] = 0
            slope[0, 0], value[0] = 1, 0
        step = spsolve(slope.tocsc(), -value)
        u = u + step * (1 if pinned else min(1, 0.5 * np.min(np.where(step < 0, -u / np.minimum(step, -1e-300), 9))))
        if np.max(np.abs(step)) < 1e-13 * np.max(np.abs(u)):
            return u
    raise AssertionError("Newton's method does not converge")


diagonal = sparse.diags
delta = np.ravel(read("delta"))
hubble = lambda a: np.sqrt(OMEGA_M / a ** 3 + 1 - OMEGA_M)
slope_of_hubble = lambda a: -1.5 * OMEGA_M / a ** 3 / hubble(a) ** 2  # d ln E/d ln a


def beta(a, crossing):
    return 1 + 2 * crossing * hubble(a) * (1 + slope_of_hubble(a) / 3)


def ndgp(a, crossing):
    K = OMEGA_M * crossing ** 2 / (beta(a, crossing) * a ** 3)

    def equation(u):
        L = laplacian @ u
        value = L + K * L ** 2 - delta / (3 * beta(a, crossing))
        slope = laplacian + 2 * K * diagonal(L) @ laplacian
        for weight, matrix in [(1, m) for m in second] + [(0.5, m) for m in mixed]:  # two of a pair, the mean of four
            value = value - K * weight * (matrix @ u) ** 2
            slope = slope - 2 * K * weight * diagonal(matrix @ u) @ matrix
        return value, slope

    linear = (laplacian.tolil())
    linear[0] = 0
    linear[0, 0] = 1
    right = delta / (3 * beta(a, crossing))
    right[0] = 0
    return newton(equation, spsolve(linear.tocsc(), right), True)


def hu_sawicki(a, f_r0):
    now, there = OMEGA_M + 4 * (1 - OMEGA_M), OMEGA_M / a ** 3 + 4 * (1 - OMEGA_M)
    l2 = f_r0 * (now / there) ** 2 * a * HUBBLE ** 2 / (3 * OMEGA_M)
    q = a ** 3 * there / (3 * OMEGA_M)
    u = newton(lambda u: (l2 * (laplacian @ u) + q * (u ** -0.5 - 1) - delta / 3, l2 * laplacian - diagonal(0.5 * q * u ** -1.5)),
               0.1 * np.ones(delta.size), False)
    assert np.min(u) < 0.5, "no cell is screened"
    return l2 * (u - 1)


for name, crossing, a in (("ndgp", 1, 0.8), ("ndgp_strong", 3, 0.5)):
    expected, found = ndgp(a, crossing), np.ravel(read(name))
    same(name, found - np.mean(found), expected - np.mean(expected), 1e-8)
expected = hu_sawicki(0.8, 1e-5)
same("hu_sawicki", np.ravel(read("hu_sawicki")), expected, 1e-9)
expected = hu_sawicki(0.5, 1e-6)
same("hu_sawicki_screened", np.ravel(read("hu_sawicki_screened")), expected, 1e-9)

# ---- linear growth: from early times on, the variables D and D' ----
def growth(strength, a):
    def slope(t, y):
        s = np.exp(t)
        return [y[1], -(2 + slope_of_hubble(s)) * y[1] + 1.5 * OMEGA_M / s ** 3 / hubble(s) ** 2 * strength(s) * y[0]]
    first = 1e-6
    found = solve_ivp(slope, (np.log(first), np.log(a)), [first, first], method="DOP853", rtol=1e-11, atol=1e-20).y[:, -1]
    return found[0], found[1] / found[0]


today = growth(lambda a: 1, 1)[0]
D, f = growth(lambda a: 1 + 1 / (3 * beta(a, 1.5)), 0.7)


def hu_sawicki_range(a):
    now, there = OMEGA_M + 4 * (1 - OMEGA_M), OMEGA_M / a ** 3 + 4 * (1 - OMEGA_M)
    # 1/m^2 = 6 (c/H0)^2 f_R/R in physical lengths, with R in units of H0^2
    return 6 * HUBBLE ** 2 * 1e-5 * (now / there) ** 2 / (3 * there) / a ** 2


D2, f2 = growth(lambda a: 1 + 0.04 / (3 * (0.04 + 1 / hu_sawicki_range(a))), 0.7)
expected = np.array([beta(0.7, 1.5), D / today, f, hu_sawicki_range(0.7), D2 / today, f2])
same("numbers", read("numbers") / expected, np.ones(6), 1e-7)
print("as SciPy has it")
