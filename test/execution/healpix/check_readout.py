#!/usr/bin/env python3
"""Compares the outputs of readout.pm with interpolation between rings in NumPy: check_readout.py FOLDER"""
import os
import sys

import h5py
import numpy as np


def read(name):
    with h5py.File(os.path.join(sys.argv[1], name + ".h5")) as file:
        return file[name][()]


def rings_of(nside):
    """The angle from the north pole, the longitude of the first pixel, the number of pixels and the first pixel of each ring."""
    ring = np.arange(1, 4 * nside)
    width = np.minimum(np.minimum(ring, 4 * nside - ring), nside)
    z = np.where(ring < nside, 1 - ring ** 2 / (3 * nside ** 2), 4 / 3 - 2 * ring / (3 * nside))
    z = np.where(ring > 3 * nside, (4 * nside - ring) ** 2 / (3 * nside ** 2) - 1, z)
    half = np.where((ring < nside) | (ring > 3 * nside), 0.5, 0.5 * ((ring - nside + 1) % 2))
    return np.arccos(z), half * np.pi / (2 * width), 4 * width, np.cumsum(4 * width) - 4 * width


def matrix(nside, vectors):
    """The factors of all pixels for each vector."""
    theta_of, phi_of, pixels, start = rings_of(nside)
    found = np.zeros((len(vectors), 12 * nside ** 2))

    def add(row, ring, phi, factor):
        place = ((phi - phi_of[ring]) * pixels[ring] / (2 * np.pi)) % pixels[ring]
        first = int(place)
        found[row, start[ring] + first % pixels[ring]] += factor * (1 - (place - first))
        found[row, start[ring] + (first + 1) % pixels[ring]] += factor * (place - first)

    for row, (x, y, z) in enumerate(vectors):
        if x == y == z == 0:
            continue
        theta, phi = np.arctan2(np.hypot(x, y), z), np.arctan2(y, x)
        below = np.searchsorted(theta_of, theta, side="right")
        if below in (0, len(theta_of)):
            ring, away = (0, theta) if below == 0 else (below - 1, np.pi - theta)
            t = away / min(theta_of[ring], np.pi - theta_of[ring])
            found[row, start[ring]:start[ring] + 4] = (1 - t) / 4
            add(row, ring, phi, t)
        else:
            t = (theta - theta_of[below - 1]) / (theta_of[below] - theta_of[below - 1])
            add(row, below - 1, phi, 1 - t)
            add(row, below, phi, t)
    return found


def same(what, found, expected):
    off = np.max(np.abs(found - expected))
    assert off < 1e-9, f"{what} differs by {off:g}"


vectors, values, painted = read("vectors"), read("values"), read("painted")
one, four, six = (matrix(nside, vectors) for nside in (1, 4, 6))
assert np.allclose(np.sum(four, axis=1)[1:], 1)
for i, (what, factors, name) in enumerate((("nside 1", one, "f1"), ("nside 4", four, "f4"), ("nside 6", six, "f6"), ("nest", four, "f4"))):
    same(what, values[:, i], factors @ read(name))
# The weights are those of the spec: white noise, which is the second component of the vectors up to a factor.
same("counts", painted[:, 1], np.sum(four, axis=0))
assert abs(np.sum(painted[:, 1]) - len(vectors) + 1) < 1e-9
scale = np.where(np.arange(len(vectors)) < 50, 0.01, 1) * (1 + np.arange(len(vectors)) % 7)
same("weights", painted[:, 0], four.T @ (vectors[:, 1] / scale))
same("where", read("where"), six.T @ (vectors[:, 2] > 0))
