#!/usr/bin/env python3
"""Compares the catalogs of light_catalog.pm with a search over all particles and copies: check_light_catalog.py FOLDER"""
import os
import sys

import h5py
import numpy as np

out = sys.argv[1]
L, N, LIGHT = 60.0, 12, 299792.458


def read(name):
    with h5py.File(os.path.join(out, name + ".h5")) as file:
        return file[name][()]


far = read("distances")
sites = np.stack(np.meshgrid(*[np.arange(N) * L / N] * 3, indexing="ij"), -1).reshape(-1, 3)
disp, move = read("disp").reshape(-1, 3), read("move").reshape(-1, 3)
turns = read("turns")
assert 4 < np.linalg.norm(move, axis=1).max() < far[3], "otherwise light meets no moving particle, or those of a copy behind the observer"


def search(step, turn_of, shift_of, beyond):
    """Returns the places and velocities of all particles that the light of a step meets, and their copies, in the order of copies and particles."""
    depth = far[step] - far[step + 1]
    rows = []
    for copy, image in ((copy, image) for copy in range(4) for image in ((-1, 0, 1) if beyond else (0,))):
        turn, shift = turn_of(copy), shift_of(copy)
        for site, d, m in zip(sites, disp, move):
            begin = L * np.mod(turn @ ((site + d) / L) + shift, 1)
            path = turn @ m
            begin[2] += (copy + image) * L
            # The distance of the light is far - s depth, and that of the particle begin + s path.
            s = (far[step] - begin[2]) / (path[2] + depth)
            if 0 <= s < 1:
                place = begin + s * path
                if not beyond or -beyond <= place[2] - copy * L < L + beyond:
                    rows.append([*place, LIGHT * path[2] / depth, copy])
    return np.array(rows)


def check(name, turn_of, shift_of, keep, beyond=0):
    found = read(name).reshape(3, 3000, 6)  # flatten joins the dims
    total = 0
    for step in range(3):
        exists = found[step, :, 5]
        count = int(exists.sum())
        assert np.array_equal(exists, (np.arange(len(exists)) < count).astype(float)), (name, step)
        assert not found[step, count:].any(), (name, step)
        expected = search(step, turn_of, shift_of, beyond)
        expected = expected[keep(*expected[:, :3].T)]
        assert count == len(expected) > 20, (name, step, count, len(expected))
        error = np.abs(found[step, :count, :5] - expected).max(0)
        assert error[:3].max() < 1e-8 and error[3] < 1e-4 and error[4] == 0, (name, step, error)
        total += count
    return total


everything = check("same", lambda n: np.eye(3), lambda n: np.zeros(3), lambda x, y, chi: x < np.inf)
some = check("turned", lambda n: turns[n, :9].reshape(3, 3), lambda n: turns[n, 9:], lambda x, y, chi: (np.abs(x - 30) < 0.2 * chi) & (y < 30))
assert 150 / L * N**3 * 0.9 < everything < 150 / L * N**3 * 1.1 and some < everything / 2, (everything, some)
around = check("around", lambda n: turns[n, :9].reshape(3, 3), lambda n: turns[n, 9:], lambda x, y, chi: np.abs(x - 30) < 0.2 * chi, 13)
assert 1.2 * some < around, (around, some)
