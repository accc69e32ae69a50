#!/usr/bin/env python3
"""Compares the halos on the light cone of light_halos.pm with those of the periodic box: check_light_halos.py FOLDER"""
import os
import sys

import h5py
import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

out = sys.argv[1]
L, N, NEAR, FAR, BEYOND, LINK, LEAST = 60.0, 16, 45.0, 235.0, 15.0, 1.2, 5


def read(name):
    with h5py.File(os.path.join(out, name + ".h5")) as file:
        return file[name][()]


def halos(points, periods):
    """Returns the centers and the sizes of the groups, and the largest distance of a particle from the center along the last axis."""
    points = np.array([p % s if s else p - p.min() for p, s in zip(points.T, periods)]).T
    low = points.min(0)
    tree = cKDTree(points, boxsize=[s or 1e4 for s in periods])
    pairs = tree.query_pairs(LINK, output_type="ndarray")
    _, group = connected_components(coo_matrix((np.ones(len(pairs)), pairs.T), shape=(len(points),) * 2), directed=False)
    found = []
    for one in np.flatnonzero(np.bincount(group) >= LEAST):
        members = points[group == one]
        away = members - members[0]
        for d, s in enumerate(periods):
            if s:
                away[:, d] -= s * np.rint(away[:, d] / s)
        center = away.mean(0)
        found.append([*(members[0] + center), len(members), np.abs(away - center).max()])
    assert low.min() > -1e-9
    return np.array(found)


sites = np.stack(np.meshgrid(*[np.arange(N) * L / N] * 3, indexing="ij"), -1).reshape(-1, 3)
box = halos(sites + read("disp").reshape(-1, 3), (L, L, L))
assert len(box) > 25 and box[:, 4].max() < BEYOND, (len(box), box[:, 4].max())
turns = read("turns")
rows = read("catalog")
rows = rows[rows[:, 4] > 0]
borders = 0
for copy in range(4):
    ours = rows[rows[:, 3] == copy][:, :3]
    lowest = ours[:, 2].min()
    found = halos(ours, (L, L, 0))
    found[:, 2] += lowest
    # Halos are complete between these distances.
    low, high = max(NEAR + BEYOND, copy * L), min(FAR - BEYOND, (copy + 1) * L)
    if low >= high:
        continue
    found = found[(found[:, 2] >= low) & (found[:, 2] < high)]
    expected = box.copy()
    expected[:, :3] = L * np.mod(box[:, :3] @ turns[copy, :9].reshape(3, 3).T / L + turns[copy, 9:], 1)
    expected[:, 2] += copy * L
    expected = expected[(expected[:, 2] >= low) & (expected[:, 2] < high)]
    assert len(found) == len(expected) > 2, (copy, len(found), len(expected))
    distance, nearest = cKDTree(np.mod(found[:, :3] + 0.0, [L, L, 1e4]), boxsize=[L, L, 1e4]).query(np.mod(expected[:, :3], [L, L, 1e4]))
    assert distance.max() < 1e-6 and len(set(nearest)) == len(found), (copy, distance.max())
    assert np.array_equal(found[nearest, 3], expected[:, 3]), copy
    borders += ((expected[:, 2] - expected[:, 4] < copy * L) | (expected[:, 2] + expected[:, 4] > (copy + 1) * L)).sum()
assert borders > 5, borders
print(borders, "halos reach across a border")
