#!/usr/bin/env python3
"""Replays the transitions of transitions.pm in NumPy: check_transitions.py FOLDER"""
import sys

import numpy as np

failed = []


def read(name):
    return np.load(f"{sys.argv[1]}/{name}.npy")


def check(name, found, truth, bound=1e-9):
    error = np.max(np.abs(found - truth))
    if not error <= bound:
        failed.append(f"{name}: off by {error:.3g}, expected at most {bound:.3g}")


def energy(s):
    return 0.25 * np.sum(s ** 4) + 0.5 * (s[0] - 2 * s[1]) ** 2


def gradient(s):
    return s ** 3 + (s[0] - 2 * s[1]) * np.array([1, -2, 0])


def turn(u, g, time):
    """Robnik et al. (2023), eq. 11, in hyperbolic functions: the direction after a constant force, and the growth of the kinetic energy."""
    size = np.linalg.norm(g)
    e = -g / size
    delta = time * size / (len(u) - 1)
    down = e @ u
    below = np.cosh(delta) + down * np.sinh(delta)
    new = (u + e * (np.sinh(delta) + down * (np.cosh(delta) - 1))) / below
    return new, (len(u) - 1) * np.log(below)


def mams(s, z, step, L, length, leaps, most, draws):
    u = z / np.linalg.norm(z)
    d = len(s)
    wide = max(2 * length * np.sqrt(d) / step - 1, 1)
    count = int(min(max(1 + np.floor(wide * draws[0]), 1), leaps))
    start, grown, gradients = s, 0, 0
    for _ in range(count):
        u, a = turn(u, L.T @ gradient(s), step / 2)
        s = s + step * L @ u
        u, b = turn(u, L.T @ gradient(s), step / 2)
        grown += a + b
        gradients += 1
        if energy(s) - energy(start) + grown >= most:
            return start, gradients, 0, most, 1
    error = energy(s) - energy(start) + grown
    accept = np.exp(min(-error, 0))
    return (s if draws[1] < accept else start), gradients, accept, error, 0


def hmc(s, z, step, L, leaps, draws):
    """In the coordinates y of s = L y, where the momentum is z."""
    y, p = np.linalg.solve(L, s), z
    before = energy(s) + 0.5 * p @ p
    for _ in range(leaps):
        p = p - 0.5 * step * L.T @ gradient(L @ y)
        y = y + step * p
        p = p - 0.5 * step * L.T @ gradient(L @ y)
    error = energy(L @ y) + 0.5 * p @ p - before
    return L @ y if draws[1] < np.exp(min(-error, 0)) else s


chains, momenta, randoms = read("chains"), read("momenta"), read("randoms")
steps, numbers = read("steps")[:3], read("numbers")
scale, roots = read("scale"), [read(f"{name}_root") for name in ("turned", "leaped", "tree")]
moved = diverged = 0
for i in range(1, len(momenta)):
    at = chains[i - 1]
    s, *found = mams(at[:, 0], momenta[i], steps[0], np.diag(scale), 1.3, 7, 3, randoms[i])
    check(f"mams {i}", chains[i, :, 0], s)
    check(f"numbers of mams {i}", numbers[i], found)
    moved += np.any(s != at[:, 0])
    diverged += found[-1]
    s = mams(at[:, 1], momenta[i], steps[1], roots[0], 1, 1000, 1000, randoms[i])[0]
    check(f"dense mams {i}", chains[i, :, 1], s)
    check(f"dense hmc {i}", chains[i, :, 2], hmc(at[:, 2], momenta[i], steps[2], roots[1], 3, randoms[i]))
if not 20 < moved < 59 or diverged == 0:
    failed.append(f"mams moved {moved} of 59 times and diverged {diverged} times, expected some of each")
for L in roots:
    check("a root is lower triangular", np.triu(L, 1), 0, 0)
    if not np.abs(L[1, 0]) > 0.02:
        failed.append(f"a root has no correlation of the first two numbers: {L}")
    if not np.all(np.diag(L) > 0):
        failed.append("a root has a diagonal that is not positive")
x = chains[:, :, 0]
n = len(x)
C = n / (n + 5) * np.cov(x.T) + 5e-3 / (n + 5) * np.eye(3)
check("the root of a covariance", read("root_of"), np.linalg.cholesky(C))
print("\n".join(failed))
sys.exit(bool(failed))
