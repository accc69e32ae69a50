#!/usr/bin/env python3
"""Compares the outputs of nufft_values.pm with sums, and with finufft if it is there: check_nufft_values.py FOLDER TOLERANCE"""
import sys

import numpy as np

try:
    import finufft
except ImportError:
    finufft = None

read = lambda name: np.load(f"{sys.argv[1]}/{name}.npy").astype(complex)
tolerance = float(sys.argv[2])
parts = lambda name: np.moveaxis(read(name), -1, 0)
isSingle = np.load(f"{sys.argv[1]}/data.npy").dtype == np.complex64
k, data, batch_data = parts("places").real, read("data"), read("batch_data")
failed = []


def matrix(shape):
    """Of the transform of an image of that shape."""
    product = np.ones((k.shape[1], 1), complex)
    for place, n in zip(k, shape):
        phase = np.exp(-2j * np.pi * np.outer(place, np.arange(n) - n // 2) / n) / np.sqrt(n)
        product = (product[:, :, None] * phase[:, None, :]).reshape(len(product), -1)
    return product


def check(name, found, expected, bound):
    error = np.linalg.norm(found - expected) / np.linalg.norm(expected)
    if not error <= bound:
        failed.append(f"{name} is off by {error:.3g}, expected at most {bound:.3g}")


def with_finufft(image, samples):
    """Types 2 and 1."""
    scale = 1 / np.sqrt(image.size)
    points = [2 * np.pi * place / n for place, n in zip(k, image.shape)]
    name = f"nufft{image.ndim}d"
    two = getattr(finufft, name + "2")(*points, image, eps=tolerance, isign=-1)
    one = getattr(finufft, name + "1")(*points, samples, image.shape, eps=tolerance, isign=1)
    return two * scale, one * scale


for name in "line", "plane", "cube":
    image = read(name)
    operator = matrix(image.shape)
    check(name + "2", read(name + "2"), operator @ image.ravel(), 2 * tolerance)
    check(name + "1", read(name + "1").ravel(), operator.conj().T @ data, 2 * tolerance)
    if finufft:
        two, one = with_finufft(image, data)
        check(name + "2, finufft", read(name + "2"), two, 4 * tolerance)
        check(name + "1, finufft", read(name + "1"), one, 4 * tolerance)
operator = matrix((18, 15))
check("batch2", read("batch2"), read("batch").reshape(2, -1) @ operator.T, 2 * tolerance)
check("batch1", read("batch1").reshape(2, -1), batch_data @ operator.conj(), 2 * tolerance)
for name in "line", "plane", "cube", "batch":
    left, right = read(name + "_dots").real
    bound = (1e-6 if isSingle else 1e-14) * np.linalg.norm(read(name + "2")) * np.linalg.norm(batch_data if name == "batch" else data)
    if not abs(left - right) <= bound:
        failed.append(f"dots of {name} are {left:.17g} and {right:.17g}, apart by {abs(left - right):.3g}, expected {bound:.3g}")
print("\n".join(failed))
sys.exit(bool(failed))
