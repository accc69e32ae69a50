#!/usr/bin/env python3
"""Compares the outputs of off_resonance.pm with sums: check_off_resonance.py FOLDER"""
import sys

import numpy as np


def read(name):
    return np.load(f"{sys.argv[1]}/{name}.npy")


f, maps, w, data = read("image"), read("sensitivities"), read("weights").ravel(), read("samples")
u, v = (part.ravel() for part in np.moveaxis(read("places"), -1, 0))
time, even = (part.ravel() for part in np.moveaxis(read("seconds"), -1, 0))
field = read("hertz")
(nx, ny), n = f.shape, f.size
phase = lambda k, size: np.exp(-2j * np.pi * np.outer(k, np.arange(size) - size // 2) / size) / np.sqrt(size)
plain = (phase(u, nx)[:, :, None] * phase(v, ny)[:, None, :]).reshape(-1, n)
turned = lambda hertz, seconds: plain * np.exp(-2j * np.pi * np.outer(seconds, hertz))
full = turned(field.ravel(), time)
coils = lambda matrix: np.concatenate([matrix * m.ravel() for m in maps])
W = np.tile(w, 2)
failed = []


def check(name, truth, bound=1e-8):
    found = read(name).ravel()
    error = np.linalg.norm(found - np.ravel(truth)) / np.linalg.norm(truth)
    if not error <= bound:
        failed.append(f"{name} is off by {error:.3g}, expected at most {bound:.3g}")


check("seen", np.array([full @ (m * f).ravel() for m in maps]))
check("seen_even", turned(field.ravel(), even) @ f.ravel(), 2e-4)
check("back", np.array([full.conj().T @ d.ravel() for d in data]))
check("still", turned(np.full(n, 70.0), time) @ f.ravel())
check("at_once", turned(field.ravel(), np.full(time.shape, 4e-3)) @ f.ravel())

normals = {}
for name, matrix in (("plain", coils(plain)), ("field", coils(full))):
    b = matrix.conj().T @ (W * data.ravel())
    normals[name] = matrix.conj().T @ (W[:, None] * matrix), b
    check(f"{name}_normal", normals[name][0] @ f.ravel(), 1e-6)
    check(f"{name}_cg", np.linalg.solve(normals[name][0] + 2 * np.eye(n), b), 1e-6)
bounds = read("bounds")
largest = [np.linalg.eigvalsh(normals[name][0])[-1] for name in ("plain", "field")]
if not all(1 <= bounds / largest) or not all(bounds / largest <= 1.1):
    failed.append(f"bounds are {bounds}, the largest eigenvalues {largest}")

# With no level of wavelets nothing is a detail: FISTA descends, and forgets its momentum where that points uphill.
A, b = normals["plain"]
x = y = b
t = 1
for _ in range(4):
    before, x = x, y - (A @ y - b) / bounds[0]
    if np.sum((y - x).conj() * (x - before)).real > 0:
        t = 1
    t, old = (1 + np.sqrt(1 + 4 * t**2)) / 2, t
    y = x + (old - 1) / t * (x - before)
check("wavelet_found", x)

A, b = normals["field"]
x, dual, sigma = b, np.zeros((2, nx, ny), complex), 0.04
tau = 1 / (bounds[1] / 2 + sigma * 8)
for _ in range(4):
    back = sum(np.roll(dual[i], 1, i) - dual[i] for i in (0, 1))
    before, x = x, x - tau * (A @ x - b + back.ravel())
    over = (2 * x - before).reshape(nx, ny)
    dual = dual + sigma * np.array([np.roll(over, -1, i) - over for i in (0, 1)])
    dual = dual / np.maximum(1, np.sqrt(np.sum(np.abs(dual) ** 2, axis=0)) / 0.3)
check("tv_found", x, 1e-6)

ball = np.moveaxis(read("ball"), 0, -1) if read("ball").shape[0] == 3 else read("ball")
shot, along = np.arange(14)[:, None], np.arange(16)[None, :]
r = 12 * ((along + 0.5) / 16 - 0.5)
# The golden means in two dimensions: an eigenvector of the generalized Fibonacci matrix (Chan et al. 2009, eq. 6).
M = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 1]])
values, vectors = np.linalg.eig(M)
vector = np.real(vectors[:, np.argmin(abs(values.imag))])
g1, g2 = vector[0] / vector[2], vector[1] / vector[2]
up = shot * g1 % 1
truth = np.stack([r * np.sqrt(1 - up**2) * np.cos(2 * np.pi * shot * g2), r * np.sqrt(1 - up**2) * np.sin(2 * np.pi * shot * g2), r * up], -1)
if not np.max(abs(ball - truth)) < 1e-9:
    failed.append(f"kooshball is off by {np.max(abs(ball - truth)):.3g}")
print("\n".join(failed))
sys.exit(bool(failed))
