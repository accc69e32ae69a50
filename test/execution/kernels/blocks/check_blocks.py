#!/usr/bin/env python3
"""check_blocks.py OUT BOUND: the readings and paints of blocks_numpy.pm against NumPy's."""
import sys

import numpy as np

out, bound = sys.argv[1], float(sys.argv[2])
load = lambda name: np.load(f"{out}/{name}.npy").astype(float)
nx, ny = 240, 252
x, y = load("l0") / (10 / nx), load("l1") / (10 / ny)
i, j = np.floor(x).astype(int), np.floor(y).astype(int)
p, q = x - i, y - j
ix, iy = np.arange(nx)[:, None] + i, np.arange(ny)[None, :] + j
for m in range(2):
    f = load(f"f{m}")
    expected = sum((p if a else 1 - p) * (q if b else 1 - q) * f[(ix + a) % nx, (iy + b) % ny] for a in (0, 1) for b in (0, 1))
    off = abs(load(f"r{m}") - expected).max()
    assert off <= bound, f"r{m} is off by {off:.1e}, expected at most {bound:.0e}"

for name, weights in (("p", np.ones((nx, ny))), ("w", load("f0"))):
    expected = np.zeros((nx, ny))
    for a in (0, 1):
        for b in (0, 1):
            np.add.at(expected, ((ix + a) % nx, (iy + b) % ny), (p if a else 1 - p) * (q if b else 1 - q) * weights)
    off = abs(load(name) - expected).max()
    assert off <= bound, f"{name} is off by {off:.1e}, expected at most {bound:.0e}"
