#!/usr/bin/env python3
"""Compares the outputs of parameter_maps.pm with fits in NumPy, cell by cell: check_parameter_maps.py FOLDER"""
import sys

import numpy as np

failed = []


def read(name):
    return np.load(f"{sys.argv[1]}/{name}.npy")


def check(name, found, truth, bound):
    error = np.max(np.abs(found - np.asarray(truth)) / np.max(np.abs(truth)))
    if not error <= bound:
        failed.append(f"{name} is off by {error:.3g}, expected at most {bound:.3g}")


def gauss_newton(model, p, y, steps):
    """Least squares of y - f, model(p) being f and its Jacobian."""
    for _ in range(steps):
        f, J = model(p)
        p = p + np.linalg.lstsq(J, y - f, rcond=None)[0]
    return p


def series(name):
    f = read(name)
    return f.reshape(len(f), -1).T


def t2_model(t):
    def model(p):
        e = np.exp(-t * p[1])
        return p[0] * e, np.array([e, -p[0] * t * e]).T
    return model


t, found = read("times"), read("t2_fits").reshape(-1, 4)
for i, y in enumerate(series("echoes")):
    # Weights S^2 of the squares.
    slope, constant = np.polyfit(t, np.log(y), 1, w=y)
    start = np.array([np.exp(constant), -slope])
    end = gauss_newton(t2_model(t), start, y, 3)
    check(f"T2 of cell {i}", found[i] / [1 / start[1], start[0], 1 / end[1], end[0]], 1, 1e-9)


def t1_model(t):
    def model(p):
        e = np.exp(-t * p[2])
        return p[0] - p[1] * e, np.array([np.ones_like(t), -e, p[1] * t * e]).T
    return model


t, found = read("delays"), read("t1_fits").reshape(-1, 6)
unit = t[0] / 80  # of 1 ms
for i, y in enumerate(series("inversions")):
    fits = []
    for t1 in 20 * unit * 45 ** (np.arange(12) / 11):
        A = np.array([np.ones_like(t), -np.exp(-t / t1)]).T
        p, squares, *_ = np.linalg.lstsq(A, y, rcond=None)
        fits.append((squares[0], [*p, 1 / t1]))
    start = np.array(min(fits)[1])
    end = gauss_newton(t1_model(t), start, y, 3)
    check(f"T1 of cell {i}", found[i] / [1 / start[2], *start[:2], 1 / end[2], *end[:2]], 1, 1e-8)

b, g, h, k = read("design").T
X = np.array([np.ones_like(b), *(-b * q for q in (g * g, h * h, k * k, 2 * g * h, 2 * g * k, 2 * h * k))]).T
before, after = read("tensor_before").reshape(-1, 7), read("tensor_after").reshape(-1, 7)


def tensor_model(p):
    s = np.exp(X @ p)
    return s, s[:, None] * X


for i, y in enumerate(series("diffused")):
    start = np.linalg.lstsq(y[:, None] * X, y * np.log(y), rcond=None)[0]
    end = gauss_newton(tensor_model, start, y, 3)
    for name, numbers, p in (("before", before, start), ("after", after, end)):
        check(f"S {name} in cell {i}", numbers[i, 0], np.exp(p[0]), 1e-9)
        check(f"the tensor {name} in cell {i}", numbers[i, 1:], p[1:], 1e-8)
values = np.linalg.eigvalsh(1e-3 * np.array([[1.5, 0.2, -0.1], [0.2, 0.4, 0.05], [-0.1, 0.05, 0.3]]))
check("anisotropy", read("anisotropy"), np.sqrt(1.5 * np.sum((values - values.mean()) ** 2) / np.sum(values ** 2)), 1e-10)
shape = 1 + 0.2 * np.arange(4)[:, None] - 0.1 * np.arange(3)
check("diffusivity", read("diffusivity"), values.mean() * shape, 1e-10)

t = np.arange(1, 9) * 10.0
basis = read("basis")
examples = np.exp(-t[:, None] / (20 + 10 * np.arange(4)))
U = np.linalg.svd(examples)[0][:, :2]
check("the basis", basis.T @ basis, U @ U.T, 1e-8)

# E as a matrix, column by column.
maps, tracks, samples = read("maps"), read("tracks"), read("samples")
if samples.shape[0] != 8:
    samples = samples.swapaxes(0, 1)
columns = []
for e in np.eye(2 * 12):
    images = np.tensordot(basis.T, e.reshape(2, 4, 3), 1)
    f = np.fft.fft2(np.fft.ifftshift(maps * images[:, None], axes=(2, 3)), norm="ortho")
    columns.append((tracks[:, None, None] * f).ravel())
E = np.array(columns).T
x = np.linalg.solve(E.conj().T @ E + 0.1 * np.eye(24), E.conj().T @ samples.ravel())
check("coefficients", read("coefficients").ravel(), x, 1e-10)
norm = np.linalg.norm(E, 2) ** 2
if not norm <= read("bound") * (1 + 1e-12):
    failed.append(f"the bound {read('bound')} is below |E|^2 = {norm}")
print("\n".join(failed))
sys.exit(bool(failed))
