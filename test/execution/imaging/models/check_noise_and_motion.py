#!/usr/bin/env python3
"""Compares the outputs of noise_and_motion.pm with NumPy and SciPy: check_noise_and_motion.py FOLDER [single]"""
import sys

import numpy as np
from scipy.optimize import minimize

failed = []
SINGLE = len(sys.argv) > 2


def read(name):
    return np.load(f"{sys.argv[1]}/{name}.npy")


def check(name, found, truth, bound, single=1e-4):
    error = np.max(abs(found - truth)) / np.max(abs(truth))
    if not error <= (single if SINGLE else bound):
        failed.append(f"{name} is off by {error:.3g}, expected at most {single if SINGLE else bound:.3g}")


full, noise = read("full"), read("noise")
coils, nx, ny = full.shape
n = noise.reshape(coils, -1)
covariance = n @ n.conj().T / n.shape[1] / 2
# The inverse of the lower root, by eigenvalues and a QR factorization.
values, vectors = np.linalg.eigh(covariance)
q, r = np.linalg.qr((np.sqrt(values)[:, None] * vectors.conj().T))
root = (r * np.exp(-1j * np.angle(np.diag(r)))[:, None]).conj().T
whiten = lambda f: np.linalg.inv(root) @ f.reshape(coils, -1)
check("the root", root @ root.conj().T, covariance, 1e-12)
check("prewhiten", read("white").reshape(coils, -1), whiten(full), 1e-10)
white = whiten(noise)
check("white noise", white @ white.conj().T / white.shape[1], 2 * np.eye(coils), 1e-12)
image = np.fft.fftshift(np.fft.ifft2(full, norm="ortho"), axes=(1, 2))
size = np.sqrt(np.sum(abs(read("white_maps")) ** 2, axis=0))
if not np.all(size > 0) or np.ptp(read("white_maps").real) > 1e3:
    failed.append("whitened sensitivities are not of the size of sensitivities without whitening")

mx, my = np.rint(np.fft.fftfreq(nx, 1 / nx)), np.rint(np.fft.fftfreq(ny, 1 / ny))
ramp = lambda s: np.exp(-2j * np.pi * (mx[:, None] * s[0] / nx + my[None] * s[1] / ny))
check("translated", read("moved"), full * ramp((2.3, -3.4)), 1e-12)
check("a translation by whole cells", read("rolled"), np.roll(image, (3, -2), axis=(1, 2)), 1e-12)
product = np.sum(read("before").conj() * read("after"), axis=0)
size = lambda s: -abs(np.sum(product * ramp(s).conj()))
starts = [(a, b) for a in range(-6, 6) for b in range(-5, 5)]
best = minimize(size, min(starts, key=size), method="BFGS", options={"gtol": 1e-12})
found = read("found_shift")
check("the shift", found, best.x, 1e-6)
if np.max(abs(found - (2.3, -3.4))) > 0.1:
    failed.append(f"the shift is {found}, expected about (2.3, -3.4)")
check("the shift in three dimensions", read("cube_shift"), np.array([1.25, -2.5, 0.75]), 1e-9)
print("\n".join(failed))
sys.exit(bool(failed))
