#!/usr/bin/env python3
"""check_particles.py OUT BOOST TOLERANCE: the outputs of particles.pm against
sums over the cells of every window."""
import itertools
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "reference"))
from compare import load

out, boost, tolerance = sys.argv[1], int(sys.argv[2]), float(sys.argv[3])
CELL = {"x": 10.0, "y": 2.0, "z": 0.5}
SIDE = {"x": 5, "y": 31, "z": 70}


def spline(window, s):
    """The window at distance s (Hockney & Eastwood, ch. 5), in cells."""
    s = np.abs(s)
    if window == "cic":
        return np.where(s < 1, 1 - s, 0)
    if window == "tsc":
        return np.where(s < 0.5, 0.75 - s ** 2, np.where(s < 1.5, 0.5 * (1.5 - s) ** 2, 0))
    return np.where(s < 1, (4 - 6 * s ** 2 + 3 * s ** 3) / 6, np.where(s < 2, (2 - s) ** 3 / 6, 0))


def cells(window, dims, disp):
    """(indices along the dims, weights) of every cell near the particles."""
    near = []
    for axis, name in enumerate(dims):
        u = disp[:, axis] / CELL[name] * boost
        whole = np.floor(u)
        node = np.indices([SIDE[d] for d in dims])[axis].ravel() * boost
        if window == "ngp":
            choices = [(np.where(u - whole < 0.5, 0, 1), 1.0)]
        else:
            choices = [(k, spline(window, u - whole - k)) for k in range(-2, 4)]
        near.append([((node + whole.astype(np.int64) + k) % (SIDE[name] * boost), w) for k, w in choices])
    for chosen in itertools.product(*near):
        yield tuple(i for i, _ in chosen), np.prod(np.broadcast_arrays(*[w for _, w in chosen]), axis=0)


def same(name, expected):
    got = load(out, name)
    error = np.max(np.abs(got - np.reshape(expected, got.shape)))
    assert error <= tolerance, "%s is off by %g, expected at most %g" % (name, error, tolerance)


weights = {3: load(out, "weight").ravel(), 2: 1.0, 1: 1.0}
for dims, name in (("xyz", "volume"), ("yz", "plane"), ("z", "line")):
    rank = len(dims)
    particles = int(np.prod([SIDE[d] for d in dims]))
    disp = load(out, name).astype(np.float64).reshape(particles, rank)
    field = load(out, "field%d" % rank).astype(np.float64)
    shape = [SIDE[d] * boost for d in dims]
    fields = np.moveaxis(field.reshape(shape + [-1]), -1, 0)
    for window in ("ngp", "cic", "tsc", "pcs"):
        painted, read = np.zeros(shape), np.zeros((particles, len(fields)))
        for where, weight in cells(window, dims, disp):
            np.add.at(painted, where, weight * weights[rank])
            read += np.stack([weight * f[where] for f in fields], 1)
        same("%s_paint%d" % (window, rank), painted)
        same("%s_read%d" % (window, rank), read)
