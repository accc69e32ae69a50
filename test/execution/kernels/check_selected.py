#!/usr/bin/env python3
"""check_selected.py OUT WIDTH SHARE: the outputs of selected.pm against additions one by one."""
import itertools
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "reference"))
from compare import load

out, width, share = sys.argv[1], float(sys.argv[2]), float(sys.argv[3])
LATTICE, SIDE = (32, 24, 40), 40.0
number = load(out, "number").ravel()
up = number > share
assert 0.2 < np.mean(up) < 0.5
noise = np.array([c[up] for c in load(out, "noise").reshape(-1, 3).T])
node = np.indices(LATTICE).reshape(3, -1)[:, up]
spacing = (SIDE / np.array(LATTICE))[:, None]
place = (node + width * noise) * spacing
weights = (np.sqrt(number[up]), load(out, "other").ravel()[up])


def near(shape):
    """Of every particle, the cells around and their weights."""
    u = place[:len(shape)] / (SIDE / np.array(shape))[:, None]
    whole = np.floor(u)
    for steps in itertools.product((0, 1), repeat=len(shape)):
        step = np.array(steps)[:, None]
        yield tuple((whole + step).astype(int) % np.array(shape)[:, None]), np.prod(1 - np.abs(u - whole - step), axis=0)


def paint(shape, weight):
    cells = np.zeros(shape)
    for index, window in near(shape):
        np.add.at(cells, index, weight * window)
    return cells


def check(name, got, want):
    error = np.max(np.abs(got - want)) / np.max(np.abs(want))
    print(f"{name}: {error:.1e}")
    if not error < 1e-11:
        sys.exit(f"{name} differs by {error:.1e}, expected at most 1e-11")


for number_of, weight in enumerate(weights):
    check("lattice", load(out, "lattice").reshape(*LATTICE, 2)[..., number_of], paint(LATTICE, weight))
    check("flat", load(out, "flat").reshape(20, 30, 2)[..., number_of], paint((20, 30), weight))
check("finer", load(out, "finer"), paint((64, 48, 80), 1))
check("single", load(out, "single"), paint((20, 30), 1))
mesh, read = load(out, "mesh"), np.zeros(number.size)
read[up] = sum(window * mesh[index] for index, window in near(mesh.shape))
check("read", load(out, "read").ravel(), read)
