#!/usr/bin/env python3
"""Compares the outputs of ranges.pm with NumPy: check_ranges.py FOLDER"""
import os
import sys

import numpy as np
import scipy.ndimage

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
from check_espirit_values import espirit, referenced
from check_wavelet_values import shrink


def read(name):
    return np.load(f"{sys.argv[1]}/{name}.npy").astype(complex)


failed = []


def check(name, found, truth, bound=1e-5):
    found = read(found) if isinstance(found, str) else found
    error = np.max(abs(found - np.reshape(truth, found.shape)))
    if not error <= bound:
        failed.append(f"{name} is off by {error:.3g}, expected at most {bound:.3g}")


def soft(u, t):
    return u * np.maximum(abs(u) - t, 0) / np.maximum(abs(u), 1e-30)


def length(*v):
    return np.sqrt(sum(abs(u) ** 2 for u in v))


def ball(r, *v):
    return np.where(r > 0, np.minimum(1, r / length(*v)), 0)


def ssim(a, b):
    taps = np.exp(-np.arange(-5, 6) ** 2 / 4.5)
    taps /= taps.sum()

    def smooth(u):
        return scipy.ndimage.correlate1d(scipy.ndimage.correlate1d(u, taps, 0), taps, 1)

    ma, mb = smooth(a), smooth(b)
    va, vb, vab = smooth(a * a) - ma**2, smooth(b * b) - mb**2, smooth(a * b) - ma * mb
    c1, c2 = (0.01 * np.ptp(b)) ** 2, (0.03 * np.ptp(b)) ** 2
    return ((2 * ma * mb + c1) * (2 * vab + c2) / ((ma**2 + mb**2 + c1) * (va + vb + c2)))[5:-5, 5:-5].mean()


f, z, w = np.moveaxis(read("data"), -1, 0)
f, w = f.real, w.real

# Coils.
k = read("kspace")
values, vectors = np.linalg.eigh(espirit(k, 3, 10, 0.037))
maps = np.moveaxis(vectors[..., -1], -1, 0)
maps, size = referenced(maps, k, 10, read("maps"))
clear = values[..., -2] < 0.9 * values[..., -1]
assert clear.mean() > 0.5, clear.mean()
check("eigenvalues", read("value")[clear], values[..., -1][clear], 1e-4)
check("maps", read("maps")[:, clear], maps[:, clear], 1e-3)
mx, my = np.meshgrid(np.fft.fftfreq(16, 1 / 16), np.fft.fftfreq(12, 1 / 12), indexing="ij")
hann = np.where((abs(mx + 0.5) < 4) & (abs(my + 0.5) < 4), (0.5 + 0.5 * np.cos(np.pi * mx / 4)) * (0.5 + 0.5 * np.cos(np.pi * my / 4)), 0)
images = np.fft.fftshift(np.fft.ifftn(hann * k, axes=(1, 2)), axes=(1, 2))
size = length(*images)
check("low resolution", "low", np.where(size > 0.2 * size.max(), images / size, 0))
check("mask", "mask", mx != 2)
_, sizes, V = np.linalg.svd(k.reshape(4, -1).T, full_matrices=False)
check("compression", abs(read("matrix") @ V[:3].T), np.eye(3), 1e-3)

# Frames.
A = read("frames_data").reshape(5, -1)
U, sizes, V = np.linalg.svd(A, full_matrices=False)
assert sizes[1] > 10 and sizes[2] < 1e-4, sizes
check("frames", "shrunk", (U * np.maximum(sizes - 9, 0)) @ V, 1e-3)
root = np.sqrt(5 * 16 * 12)
check("equal frames", "alike_shrunk", np.full((5, 16, 12), (root - 1) / root))
check("their compression", abs(read("alike_matrix").sum(1)), [np.sqrt(5), 0, 0], 1e-4)

# Solvers.
check("cg", "solved", z / w)
check("conjugate gradients", "solved_pair", np.stack([f / w, f], -1), 1e-3)
v = z
for _ in range(6):
    v = v / np.linalg.norm(v) * w
v = v / np.linalg.norm(v)
check("eigenvector", "vector", v)
check("sparse", "sparse", soft(z, 0.5) / w, 1e-4)
counts = read("counts").real
check("eigenvalue", counts[1], np.sum(w * abs(v) ** 2), 1e-4)
assert 2 < counts[0] < 100 and 0 < counts[2] <= 1e-5 * length(np.linalg.norm(f), np.linalg.norm(f * w)) and 20 < counts[3] < 400, counts

# Thresholds.
r = read("radius").real
check("thresholds", "thresholds", soft(z, r))
check("thresholds in a map", "in_map", soft(z, r))
check("groups", "groups", np.stack([z * (1 - ball(0.7, f, z)), z * (1 - ball(r, z, z)), 2 * z * ball(r, z, 2 * z), z], -1))
check("a number", "one", -2)
check("wavelets", "waves", shrink(z, 0.4, 2, 1, (0, 1)))
x, u, tau = f, np.zeros((2, 16, 12)), 1 / (0.5 + 0.04 * 8)
for _ in range(30):
    before, x = x, x - tau * (x - f + sum(np.roll(u[i], 1, i) - u[i] for i in (0, 1)))
    u = u + 0.04 * np.array([np.roll(2 * x - before, -1, i) - (2 * x - before) for i in (0, 1)])
    u = u * ball(0.2, *u)
check("total variation", "smooth", np.stack([x, f, f], -1))

# Qualities.
near = f + 0.1 * w
check("quality", "quality", [np.linalg.norm(near - f) / np.linalg.norm(f), 20 * np.log10(abs(f).max() / np.sqrt(np.mean((near - f) ** 2))),
                             ssim(near, f), 20 * np.log10(abs(z).max() / 0.1)], 1e-4)

# Samples.
places = read("places").real
i, j = np.meshgrid(np.arange(16) - 8, np.arange(12) - 6, indexing="ij")
E = np.exp(-2j * np.pi * (places[:, 0, None] * i.ravel() / 16 + places[:, 1, None] * j.ravel() / 12)) / np.sqrt(16 * 12)
check("samples", "samples", E @ z.ravel(), 1e-4)
check("their adjoint", "painted", E.conj().T @ (E @ z.ravel()), 1e-4)
check("the normal operator", "normal", E.conj().T @ (E @ z.ravel()), 1e-4)
print("\n".join(failed))
sys.exit(bool(failed))
