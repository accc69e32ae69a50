#!/usr/bin/env python3
"""Compares the outputs of sorted_samples.pm with sums: check_sorted_samples.py FOLDER"""
import pathlib
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
read = lambda name: np.load(folder / f"{name}.npy")
failed = []


def check(name, found, expected, bound=2e-6):
    error = np.linalg.norm(found - expected) / np.linalg.norm(expected)
    if not error <= bound:
        failed.append(f"{name} is off by {error:.3g}, expected at most {bound:.3g}")


def phases(places, shape):
    return [np.exp(-2j * np.pi * np.outer(k, np.arange(n) - n // 2) / n) / np.sqrt(n) for k, n in zip(places, shape)]


def image(values, factors):
    """The sum of the samples' waves."""
    letters = "abc"[: len(factors)]
    return np.einsum(",".join(["j"] + ["j" + letter for letter in letters]) + "->" + letters, values, *[factor.conj() for factor in factors], optimize=True)


places = np.moveaxis(read("places"), -1, 0).reshape(3, -1)
data, plane, images, cube = read("data").ravel(), read("plane"), read("images"), read("cube")
two, three = phases(places, plane.shape), phases(places * np.array([[0.2], [0.25], [1]]), cube.shape)
sampled = lambda field: np.einsum("ja,jb,ab->j", *two, field, optimize=True)
found = sampled(plane)
check("read_plane", read("read_plane").ravel(), data.conj() * found)
for c in range(2):
    check(f"read_images {c}", read("read_images")[c].ravel(), sampled(images[c]))
    check(f"painted_images {c}", read("painted_images")[c], image(read("coils")[c].ravel(), two))
check("read_cube", read("read_cube").ravel(), np.einsum("ja,jb,jc,abc->j", *three, cube, optimize=True))
check("painted_plane", read("painted_plane"), image(data, two))
check("painted_cube", read("painted_cube"), image(np.where(places[2] > 0, data, 0), three))
for d in range(2):
    turns = -2j * np.pi * (np.arange(plane.shape[d]) - plane.shape[d] // 2) / plane.shape[d]
    slope = sampled(plane * (turns[:, None] if d == 0 else turns))
    check(f"by_places {d}", read("by_places")[..., d].ravel(), 2 * np.real((found - data).conj() * slope), 1e-4)
print("\n".join(failed))
sys.exit(bool(failed))
