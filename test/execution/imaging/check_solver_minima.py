#!/usr/bin/env python3
"""Compares what solver_minima.pm found with NumPy: check_solver_minima.py FOLDER"""
import itertools
import sys

import numpy as np


def read(name):
    return np.load(f"{sys.argv[1]}/{name}.npy")


b, cube, weight = read("data"), read("cubes"), read("weights")
failed = []


def check(name, found, truth, bound):
    error = np.linalg.norm(found - truth) / np.linalg.norm(truth)
    if not error <= bound:
        failed.append(f"{name} is off by {error:.3g}, expected at most {bound:.3g}")


# l1: where x is not 0, the gradient is -0.8 x/|x|; where it is, no longer than 0.8.
x = read("sparse_found")
slope = (0.5 + weight**2) * x + 0.2 * (2 * x - np.roll(x, -1, 0) - np.roll(x, 1, 0)) - b
zero = x == 0
assert 5 < zero.sum() < 90
check("l1", slope[~zero], -0.8 * x[~zero] / abs(x[~zero]), 1e-7)
if not np.all(abs(slope[zero]) <= 0.8 + 1e-9):
    failed.append(f"l1: the gradient is {abs(slope[zero]).max()} where x is 0")


def matrices(shape):
    """Differences forwards and backwards along each dim, of flattened fields."""
    n = int(np.prod(shape))
    at = np.arange(n).reshape(shape)
    one = np.eye(n)
    forwards = [one[np.roll(at, -1, axis).ravel()] - one for axis in range(len(shape))]
    return forwards, [one - one[np.roll(at, 1, axis).ravel()] for axis in range(len(shape))]


def slopes(shape):
    """(x, v) to grad x - v and the symmetrised gradient of v, as one matrix, and the rows of the first part."""
    forwards, backwards = matrices(shape)
    d, n = len(shape), int(np.prod(shape))
    K = np.zeros(((d + d * d) * n, (d + 1) * n))
    block = lambda i, j: (slice(i * n, (i + 1) * n), slice(j * n, (j + 1) * n))
    for i in range(d):
        K[block(i, 0)] = forwards[i]
        K[block(i, 1 + i)] = -np.eye(n)
    for i, j in itertools.product(range(d), range(d)):
        K[block(d + d * i + j, 1 + j)] += backwards[i] / 2
        K[block(d + d * i + j, 1 + i)] += backwards[j] / 2
    return K, d * n


def lengths(p, rows, d):
    """The length at each point of either part, for every component."""
    one = np.sqrt(np.sum(abs(p[:rows].reshape(d, -1)) ** 2, 0))
    two = np.sqrt(np.sum(abs(p[rows:].reshape(d * d, -1)) ** 2, 0))
    return np.concatenate([np.tile(one, d), np.tile(two, d * d)])


def iterates(f, r, s, sigma, steps):
    K, rows = slopes(f.shape)
    d, n = f.ndim, f.size
    # |K|^2 <= the square of the largest singular value of (2 sqrt(d), 1; 0, 2 sqrt(d)).
    norm = np.linalg.norm([[2 * np.sqrt(d), 1], [0, 2 * np.sqrt(d)]], 2) ** 2
    assert np.linalg.norm(K, 2) ** 2 <= norm * (1 + 1e-12)
    tau = 1 / (0.5 + sigma * norm)
    most = np.repeat([r, s], [rows, len(K) - rows])
    u, p = np.concatenate([f.ravel(), np.zeros(d * n)]).astype(f.dtype), np.zeros(len(K), f.dtype)
    for _ in range(steps):
        gradient = np.concatenate([u[:n] - f.ravel(), np.zeros(d * n)])
        before, u = u, u - tau * (gradient + K.T @ p)
        p = p + sigma * K @ (2 * u - before)
        p = p / np.maximum(1, lengths(p, rows, d) / most)
    return u[:n].reshape(f.shape)


def alternating(f, r, s, steps, rho):
    """The minimum by ADMM, with exact solutions of its linear systems."""
    K, rows = slopes(f.shape)
    d, n = f.ndim, f.size
    first = np.zeros(((d + 1) * n, (d + 1) * n))
    first[:n, :n] = np.eye(n)
    inverse = np.linalg.inv(first + rho * K.T @ K + 1e-12 * np.eye(len(first)))
    most = np.repeat([r, s], [rows, len(K) - rows]) / rho
    z = y = np.zeros(len(K), f.dtype)
    data = np.concatenate([f.ravel(), np.zeros(d * n)])
    for _ in range(steps):
        u = inverse @ (data + rho * K.T @ (z - y))
        v = K @ u + y
        z = v * np.maximum(0, 1 - most / np.maximum(lengths(v, rows, d), 1e-300))
        y = v - z
    return u[:n].reshape(f.shape)


check("tgv_iterate", read("tgv_iterate"), iterates(b, 0.3, 0.45, 0.05, 3), 1e-12)
check("tgv_iterate3", read("tgv_iterate3"), iterates(cube, 0.3, 0.6, 0.04, 3), 1e-12)
check("tgv_found", read("tgv_found"), alternating(b, 0.3, 0.45, 1000, 0.5), 1e-6)

# Total variation, by ADMM too.
x = read("smooth_found")
forwards, _ = matrices(b.shape)
D = np.concatenate(forwards)
z = y = np.zeros(2 * b.size, complex)
inverse = np.linalg.inv(np.eye(b.size) + D.T @ D)
for _ in range(1000):
    now = inverse @ (b.ravel() + D.T @ (z - y))
    v = D @ now + y
    size = np.tile(np.sqrt(np.sum(abs(v.reshape(2, -1)) ** 2, 0)), 2)
    z = v * np.maximum(0, 1 - 0.3 / np.maximum(size, 1e-300))
    y = v - z
check("smooth_found", x, now.reshape(b.shape), 1e-7)
print("\n".join(failed))
sys.exit(bool(failed))
