#!/usr/bin/env python3
"""Compares the outputs of owner_computes.pm with NumPy, and with those of another run: check_owner_computes.py FOLDER [OTHER]"""
import pathlib
import sys

import numpy as np

read = lambda name: np.load(f"{sys.argv[1]}/{name}.npy")
f, g, shared = read("f"), read("g"), read("shared")
failed = []


def check(name, expected, bound=1e-12):
    error = abs(read(name) - expected).max() / abs(expected).max()
    if not error <= bound:
        failed.append(f"{name} is off by {error:.3g}, expected at most {bound:.3g}")


kx, ky = (2 * np.pi * np.fft.fftfreq(n, 8 / n) for n in (12, 10))
filtered = np.exp(-(kx[:, None] ** 2 + ky**2) * 0.7**2 / 2)
smooth = lambda u: np.fft.ifft2(np.fft.fft2(u) * filtered).real
rms = lambda u: np.sqrt((u**2).mean((-2, -1), keepdims=True))
check("scaled", smooth(f) / rms(f))
check("both", f * shared + (f * g).mean((1, 2), keepdims=True) * g)
check("numbers", f.max((1, 2)))
searched = f.copy()
for image in searched:
    while abs(image).max() > 0.5:
        image *= 0.8
check("searched", searched)
# d/df of sum (S f/r)^2 g, r^2 = mean f^2.
scaled, r = smooth(f) / rms(f), rms(f)
check("by_field", smooth(2 * scaled * g) / r - (2 * scaled**2 * g).sum((1, 2), keepdims=True) * f / (r**2 * 120))
product, r = f * shared, rms(f * shared)
slopes = g / r - (g * product).sum((1, 2), keepdims=True) * product / (r**3 * 120)
check("by_shared", (slopes * f).sum(0))
# Of a complex slice only one part is read.
check("real_part", f)
check("imaginary_part", 2 * g)
check("of_record", 2 * g * g)
check("of_tuple", np.sqrt(f**2 + 4 * g**2))
chained = shared
for image in f:
    chained = 0.5 * chained + image
check("chained", chained)
for path in pathlib.Path(sys.argv[-1]).glob("*.npy"):
    check(path.stem, np.load(path), 1e-13)
print("\n".join(failed))
sys.exit(bool(failed))
