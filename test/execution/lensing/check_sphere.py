#!/usr/bin/env python3
"""What sphere.pm shows of copies of a box around an observer, against NumPy: all copies, a pixel at a time."""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "reference"))
from compare import load  # pylint: disable=wrong-import-position

OUT = sys.argv[1]
N, BOX, SIDE, MOST, REACH, STEPS = 10, 100.0, 8, 3, 210.0, 3
OBSERVER = np.array([0.5, 0.4, 0.55])
HUBBLE, OMEGA = 2997.92458, 0.3075
DENSITY, PIXEL = N**3 / BOX**3, 4 * np.pi / (12 * SIDE**2)


def pixels(v):
    """Ring pixels of vectors, after Gorski et al. (2005)."""
    z = v[:, 2] / np.linalg.norm(v, axis=1)
    turn = np.arctan2(v[:, 1], v[:, 0]) * 2 / np.pi % 4
    up, down = (np.floor(SIDE * (0.5 + turn + sign * 0.75 * z)).astype(int) for sign in (-1, 1))
    ring = SIDE + 1 + up - down
    belt = 2 * SIDE * (SIDE - 1) + (ring - 1) * 4 * SIDE + (up + down - SIDE + 2 - ring % 2) // 2 % (4 * SIDE)
    part, size = turn % 1, SIDE * np.sqrt(3 * (1 - np.abs(z)))
    ring = (part * size).astype(int) + ((1 - part) * size).astype(int) + 1
    place = (turn * ring).astype(int) % (4 * ring)
    cap = np.where(z > 0, 2 * ring * (ring - 1) + place, 12 * SIDE**2 - 2 * ring * (ring + 1) + place)
    return np.where(np.abs(z) <= 2 / 3, belt, cap)


def seen(step):
    """(pixel, fraction of the step) of all that light meets."""
    lattice = np.stack(np.meshgrid(*[np.arange(N) * BOX / N] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    x = (lattice + load(OUT, "disp").reshape(-1, 3)) % BOX
    move = load(OUT, "move").reshape(-1, 3)
    far, near = REACH * (1 - step / STEPS), REACH * (1 - (step + 1) / STEPS)
    found = []
    for copy in np.ndindex(*[2 * MOST + 1] * 3):
        begin = x + (np.array(copy) - MOST - OBSERVER) * BOX
        r, end = np.linalg.norm(begin, axis=1), np.linalg.norm(begin + move, axis=1)
        s = (far - r) / (end - r + far - near)
        met = (s >= 0) & (s < 1)
        found.append(np.column_stack([pixels((begin + s[:, None] * move)[met]), s[met]]))
    found = np.concatenate(found)
    return found[:, 0].astype(int), found[:, 1], far, near


def same(name, got, expected, bound):
    error = np.abs(got - expected).max() / np.abs(expected).max()
    print("%-12s largest %.3e, off by %.1e" % (name, np.abs(expected).max(), error))
    assert got.shape == expected.shape and error < bound, (name, error)


def main():
    for step in (0, 1):
        pixel, _, far, near = seen(step)
        expected = np.bincount(pixel, minlength=12 * SIDE**2) / (DENSITY * PIXEL * (far**3 - near**3) / 3) - 1
        same("overdensity", load(OUT, "overdensity")[step], expected, 1e-12)
    far, near, a_far, a_near, *sources = np.ravel(load(OUT, "shell"))
    assert abs(far / (REACH * 2 / 3) - 1) < 1e-9 and abs(near / (REACH / 3) - 1) < 1e-9
    for i, source in enumerate(sources):
        kappa = np.zeros(12 * SIDE**2)
        for step, times in ((1, (a_far, a_near)), (2, (a_near, 1.0))):
            pixel, s, far, near = seen(step)
            ends = [1.5 * OMEGA / HUBBLE**2 / a * chi * max(1 - chi / source, 0) for chi, a in zip((far, near), times)]
            mass = ((1 - s) * ends[0] + s * ends[1]) / (far - s * (far - near))**2 / (DENSITY * PIXEL)
            kappa += np.bincount(pixel, mass, minlength=12 * SIDE**2) - 0.5 * sum(ends) * (far - near)
        same("kappa", load(OUT, "kappa")[:, i], kappa, 1e-9)


main()
