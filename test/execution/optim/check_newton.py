#!/usr/bin/env python3
"""Replays the iterates of newton.pm in NumPy, and finds the minimum by SciPy: check_newton.py FOLDER"""
import sys

import numpy as np
from scipy.optimize import minimize

w = 1 + 0.5 * np.arange(6)
f = lambda s: np.sum(0.25 * w * s ** 4 - 0.5 * s ** 2 + 0.1 * s) + 0.5 * np.sum(s) ** 2
gradient = lambda s: w * s ** 3 - s + 0.1 + np.sum(s)
hessian = lambda s: np.diag(3 * w * s ** 2 - 1) + 1


def direction(H, g, solves, first):
    z, r, d = np.zeros_like(g), g.copy(), -g
    size = np.linalg.norm(g)
    for n in range(solves):
        bend = d @ H @ d
        if bend <= 0:
            return g @ g / -bend * d if n == 0 else z
        a = r @ r / bend
        z, before, r = z + a * d, r @ r, r + a * H @ d
        if np.linalg.norm(r) <= min(0.5, np.sqrt(size / first)) * size:
            return z
        d = -r + r @ r / before * d
    return z


failed = []
for name, solves, c1 in (("iterates_of", 50, 1e-4), ("few_solves", 2, 0.3)):
    found = np.load(f"{sys.argv[1]}/{name}.npy")
    s = start = 0.1 * np.arange(6) - 0.2
    bent = halved = 0
    for i, here in enumerate(found):
        g, H = gradient(s), hessian(s)
        bent += np.linalg.eigvalsh(H)[0] < 0
        d, a = direction(H, g, solves, np.linalg.norm(gradient(start))), 1.0
        while f(s + a * d) > f(s) + c1 * a * g @ d:
            a, halved = a / 2, halved + 1
            if a < 1e-9:
                a = 0
                break
        if np.abs(s + a * d - here).max() > 1e-8:
            failed.append(f"{name}: step {i} is off by {np.abs(s + a * d - here).max():.3g}")
        s = here
    if not bent:
        failed.append(f"{name}: no Hessian has a negative eigenvalue, expected some")
    if name == "iterates_of":
        best = minimize(f, found[-1] + 0.01, jac=gradient, method="BFGS", options={"gtol": 1e-10})
        if np.abs(best.x - found[-1]).max() > 1e-6:
            failed.append(f"the end is {found[-1]}, expected {best.x}")
    print(name, "halvings", halved, "bent", bent)
print("\n".join(failed))
sys.exit(bool(failed))
