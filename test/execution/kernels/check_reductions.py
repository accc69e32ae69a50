#!/usr/bin/env python3
"""check_reductions.py OUT TOLERANCE: the outputs of reductions.pm."""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "reference"))
from compare import load

out, tolerance = sys.argv[1], float(sys.argv[2])
f, g = load(out, "f").astype(np.float64), load(out, "g").astype(np.float64)


def same(name, expected, scale=1.0):
    got = load(out, name)
    assert got.shape == np.shape(expected), "%s has shape %s, expected %s" % (name, got.shape, np.shape(expected))
    error = np.max(np.abs(got - expected)) / scale
    assert error <= tolerance, "%s is off by %g, expected at most %g" % (name, error, tolerance)


same("sum_x", f.sum(0), 10)
same("sum_y", f.sum(1), 10)
same("sum_z", f.sum(2), 30)
same("column", f.sum((0, 1)), 20)
same("sum_xz", f.sum((0, 2)), 60)
same("sum_yz", f.sum((1, 2)), 60)
above = load(out, "above").astype(np.float64)
same("least_above", above.min(0))
same("largest_below", -above.min(0))
same("least_of_b", above.min(1))
same("wide", g.sum(0), 30)
same("largest", g.max((1, 2)))
same("least", f.min((0, 1)))
same("extremes", [f.min(), f.max(), f.sum()], 100)


def power(name, sides, cells):
    """Bins over the full spectrum, of which the last dim stores half."""
    stored = (load(out, name + "_re") + 1j * load(out, name + "_im")).astype(complex)
    modes = [np.fft.fftfreq(n, 1 / n) for n in sides[:2]] + [np.arange(sides[2] // 2 + 1)]
    pairs = np.full(stored.shape[2], 2)
    pairs[0] = 1
    if sides[2] % 2 == 0:
        pairs[-1] = 1
    weight = np.broadcast_to(pairs, stored.shape)
    index = np.sqrt(sum(m ** 2 for m in np.meshgrid(*modes, indexing="ij"))).astype(int)
    count = np.bincount(index.ravel(), weight.ravel(), cells)[:cells]
    total = np.bincount(index.ravel(), (weight * np.abs(stored) ** 2).ravel(), cells)[:cells]
    return np.stack([total, count], 1)


same("power", power("even", (5, 6, 70), 9))
same("odd_power", power("odd", (6, 70, 5), 40))
