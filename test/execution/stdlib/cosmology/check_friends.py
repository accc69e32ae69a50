#!/usr/bin/env python3
"""Compares the outputs of friends.pm with SciPy's k-d tree and graphs: check_friends.py FOLDER"""
import os
import sys

import h5py
import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

out = sys.argv[1]
SIDES = np.array([50.0, 40.0, 45.0])


def read(name):
    with h5py.File(os.path.join(out, name + ".h5")) as file:
        return file[name][()]


def groups(places, length, box=None):
    """Returns the least number of a member of the group of each point."""
    places = np.asarray(places, np.float64)
    if box is not None:
        box = np.asarray(box, np.float64)
        wrapped = np.where(box > 0, places - box * np.floor(places / np.where(box > 0, box, 1)), places - places.min(0))
        # The k-d tree requires a box: for a coordinate that is not periodic, it is too large to have an effect.
        box = np.where(box > 0, box, np.ptp(places, axis=0) + 10 * length)
        places = np.where(wrapped < box, wrapped, 0)
    pairs = cKDTree(places, boxsize=box).query_pairs(length, output_type="ndarray")
    graph = coo_matrix((np.ones(len(pairs)), pairs.T), shape=(len(places), len(places)))
    _, label = connected_components(graph, directed=False)
    first = np.full(label.max() + 1, len(places))
    np.minimum.at(first, label, np.arange(len(places)))
    return first[label]


def same(name, found, expected):
    found = np.asarray(found).ravel()
    assert np.array_equal(found, expected), f"{name}: {np.sum(found != expected)} of {len(expected)} labels differ"


position = read("position").reshape(-1, 3)
group = groups(position, 1.0, SIDES)
sizes = np.bincount(group, minlength=len(group))
assert sizes.max() > 50 and np.sum(sizes >= 5) > 30, f"the test has groups of at most {sizes.max()}"
same("group", read("group"), group)

free = read("free").reshape(-1, 3)
points, lines = read("points"), read("lines")
same("open", points[:, 0], groups(free, 0.5))
same("mixed", points[:, 1], groups(free, 0.5, (10, 0, 10)))
same("plane", points[:, 2], groups(free[:, [0, 2]], 0.12, (0, 10)))
same("line", lines[:, 0], groups(free[:, 1:2], 0.004))
same("ring", lines[:, 1], groups(free[:, 1:2], 0.004, (10,)))

# ---- halos ----
group = groups(position, 0.4 * np.prod(SIDES / np.array([16, 20, 18])) ** (1 / 3), SIDES)
sizes = np.bincount(group, minlength=len(group))
first = np.flatnonzero(sizes >= 5)
table = read("halos")
halos = {"pos": table[:, :3], "mom": table[:, 3:6], "members": table[:, 6], "first": table[:, 7], "exists": table[:, 8]}
count = len(first)
assert 20 < count < 400, f"{count} halos, expected 20 to 400"
assert np.all(halos["exists"] == (np.arange(400) < count)), f"{halos['exists'].sum()} halos, expected {count}"
same("first", halos["first"][:count], first)
same("members", halos["members"][:count], sizes[first])
momentum = read("momentum").reshape(-1, 3)
for i, number in enumerate(first):
    members = group == number
    away = position[members] - position[number]
    center = position[number] + np.mean(away - SIDES * np.rint(away / SIDES), axis=0)
    off = halos["pos"][i] - center
    off -= SIDES * np.rint(off / SIDES)
    assert np.max(abs(off)) < 2e-5, f"halo {i} is {off} from the mean of its members"
    assert np.all((halos["pos"][i] >= 0) & (halos["pos"][i] < SIDES)), f"halo {i} is outside of the box"
    assert np.max(abs(halos["mom"][i] - momentum[members].mean(0))) < 1e-5, f"the momentum of halo {i}"
assert np.all(halos["pos"][count:] == 0) and np.all(halos["members"][count:] == 0), "cells without a halo"

# The derivative of the sum of y^2 over the members with respect to the displacements.
direction = read("direction").reshape(-1, 3)[:, 1]
expected = sum(2 * halos["pos"][i, 1] * direction[group == number].sum() for i, number in enumerate(first))
slope = float(read("slope"))
assert abs(slope - expected) < 1e-5 * abs(expected), f"the slope is {slope}, expected {expected}"
print(f"{count} halos, the largest with {sizes.max()} particles")
