#!/usr/bin/env python3
"""Derivatives of the outputs of solver_orders.pm, by linear algebra and complex steps: check_solver_orders.py FOLDER"""
import sys

import numpy as np

folder = sys.argv[1]
b, s, v, w = np.load(f"{folder}/data.npy").T
n = len(b)
NEXT = np.roll(np.eye(n), 1, 1)


def solved_gradient(s):
    """Of Σ x³ with M(s) x = b (1 + s)."""
    M = np.diag(3 + s**2) - NEXT - NEXT.T
    x = np.linalg.solve(M, b * (1 + s))
    return np.linalg.solve(M, 3 * x**2) * (b - 2 * s * x)


def fixed_gradient(s):
    """Of Σ u³ with u = 0.4 cos(u + s) + 0.1 s u(x + 1)."""
    u = np.zeros_like(s)
    for _ in range(300):
        u = 0.4 * np.cos(u + s) + 0.1 * (NEXT @ u) * s
    J = np.diag(-0.4 * np.sin(u + s)) + 0.1 * np.diag(s) @ NEXT
    return np.linalg.solve((np.eye(n) - J).T, 3 * u**2) * (-0.4 * np.sin(u + s) + 0.1 * (NEXT @ u))


def along(f, s, v):
    return f(s + 1e-30j * v).imag / 1e-30


def check(name, expected, bound=1e-13):
    error = np.abs(np.load(f"{folder}/{name}.npy") - expected).max() / np.abs(expected).max()
    if not error < bound:
        sys.exit(f"{name} is off by {error:.1e} of the maximum, expected at most {bound:.0e}")


check("gradient", solved_gradient(s))
check("tangent", solved_gradient(s) @ v)
hessian = along(solved_gradient, s, v)
for modes in ("fr", "rf", "rr"):
    check(f"hessian_{modes}", hessian)
check("hessian_ff", hessian @ w)
h = 1e-4
check("third", (along(solved_gradient, s + h * w, v) - along(solved_gradient, s - h * w, v)) / (2 * h), 1e-6)
check("fixed_gradient", fixed_gradient(s))
check("fixed_hessian_fr", along(fixed_gradient, s, v), 1e-11)
check("fixed_hessian_ff", along(fixed_gradient, s, v) @ w, 1e-11)
