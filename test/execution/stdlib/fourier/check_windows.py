#!/usr/bin/env python3
"""Compares the outputs of windows.pm with the replay's paint and readout."""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "reference"))
import replay
from compare import load

out = sys.argv[1]
n, box = 12, 60.0
noise, disp = load(out, "noise"), load(out, "disp")
x = replay.lattice(n, box) + disp


def same(name, expected, tolerance=1e-12):
    got = load(out, name)
    error = np.max(np.abs(got - np.reshape(expected, got.shape)))
    assert error < tolerance, "%s is off by %g" % (name, error)


for window in ("ngp", "cic", "tsc"):
    same(window, replay.paint(x, n, box, window))
    same("read_" + window, replay.readout([noise], x, n, box, window)[:, 0])
same("fine", replay.paint(x, 2 * n, box))

same("at", 1 + replay.paint(x, n, box))
same("read_at", replay.readout([noise], x, n, box)[:, 0])

mesh = np.zeros(n ** 3)
for node, weight in replay._corners(x, n, box, "cic"):
    np.add.at(mesh, node, weight * noise.ravel())
same("weighted", mesh)

position = load(out, "position")
assert np.all((position >= 0) & (position < box))
difference = position - x
assert np.max(np.abs(difference - box * np.rint(difference / box))) < 1e-12
same("velocity", 100 * 0.1 * disp / 0.5)
