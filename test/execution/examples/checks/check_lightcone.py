#!/usr/bin/env python3
"""Compares the outputs of lightcone.pm of examples/mocks with SciPy and NumPy: check_lightcone.py OUT N BOX FAR NEAR LEAST BEYOND [OTHER]. OTHER
has the outputs on other ranks."""
import os
import sys

import h5py
import numpy as np
from scipy.integrate import quad
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

out, n, box, far, near, least, beyond = sys.argv[1], *map(float, sys.argv[2:8])
n, least = int(n), int(least)
OMEGA_M, C = 0.3075, 299792.458


def read(name, folder=out):
    with h5py.File(os.path.join(folder, name + ".h5")) as file:
        names = file[name].attrs["columns"]
        names = [one.decode() if isinstance(one, bytes) else one for one in np.atleast_1d(names)]
        if len(names) == 1:
            names = [one.strip() for one in names[0].split(",")]
        rows = file[name][()]
    return rows, dict(zip(names, np.moveaxis(rows, -1, 0)))


def hubble(a):
    return 100 * np.sqrt(OMEGA_M / a**3 + 1 - OMEGA_M)


# The comoving distance to a redshift, and back.
redshifts = np.linspace(0, 0.6, 6001)
steps = [quad(lambda z: C / hubble(1 / (1 + z)), *ends)[0] for ends in zip(redshifts[:-1], redshifts[1:])]
distances = np.concatenate([[0], np.cumsum(steps)])
assert distances[-1] > far + beyond + 20


def redshift_at(chi):
    z = np.interp(chi, distances, redshifts)
    for _ in range(3):
        z -= (distance_to(z) - chi) * hubble(1 / (1 + z)) / C
    return z


def distance_to(z):
    """The distance at the nearest node, and a Taylor series of third order."""
    i = np.rint(z / redshifts[1]).astype(int)
    d = z - redshifts[i]
    h, e = hubble(1 / (1 + redshifts[i])), 1e-4
    slope = [C / hubble(1 / (1 + redshifts[i] + s * e)) for s in (-1, 1)]
    return distances[i] + C / h * d + (slope[1] - slope[0]) / (4 * e) * d**2 + (slope[1] - 2 * C / h + slope[0]) / (6 * e**2) * d**3


# ---- halos ----
_, light = read("light")
there = light["exists"] > 0
flat = np.flatnonzero(there)
position = np.stack([light[f"pos_{d}"][there] for d in range(3)], axis=1)
velocity = light["velocity"][there]
copy = light["copy"][there]
assert position[:, 2].min() > near - beyond and position[:, 2].max() < far + beyond
assert (position[:, 2] - copy * box).min() >= -beyond and (position[:, 2] - copy * box).max() < box + beyond
own = (position[:, 2] >= max(near, 0)) & (position[:, 2] < far) & (np.floor(position[:, 2] / box) == copy)
assert abs(own.sum() / (n**3 / box**3 * box**2 * (far - near)) - 1) < 0.1, "the number of particles on the light cone"
# Particles of different copies are not friends of each other.
tree = cKDTree(np.concatenate([position[:, :2] % box, position[:, 2:] + 100 * copy[:, None]], axis=1), boxsize=(box, box, 10 * far))
pairs = tree.query_pairs(0.2 * box / n, output_type="ndarray")
_, group = connected_components(coo_matrix((np.ones(len(pairs)), pairs.T), shape=(len(flat), len(flat))), directed=False)
size = np.bincount(group)
first = np.full(len(size), len(flat))
np.minimum.at(first, group, np.arange(len(flat)))
center = position[first, 2] + np.bincount(group, position[:, 2] - position[first[group], 2]) / size
owner = copy[first]
kept = np.flatnonzero((size >= least) & (center >= np.maximum(near, owner * box)) & (center < np.minimum(far, (owner + 1) * box)))
kept = kept[np.argsort(first[kept])]
crossing = [one for one in kept if len(set(np.floor(position[group == one, 2] / box))) > 1]
assert crossing, "no halo reaches across the border of a copy"
_, halos = read("halos")
count = len(kept)
assert 30 < count < len(halos["exists"]) and halos["exists"].sum() == count, (count, halos["exists"].sum())
mass = 2.77536627e11 * OMEGA_M * (box / n) ** 3 * size[kept]
assert np.allclose(halos["mass"][:count], mass, rtol=1e-9), "masses"
for i, one in enumerate(kept):
    away = position[group == one] - position[first[one]]
    away[:, :2] -= box * np.rint(away[:, :2] / box)
    off = np.array([halos[f"pos_{d}"][i] for d in range(3)]) - position[first[one]] - away.mean(0)
    off[:2] -= box * np.rint(off[:2] / box)
    assert np.max(abs(off)) < 1e-6, f"halo {i} is {off} away"
    assert abs(halos["velocity"][i] - velocity[group == one].mean()) < 1e-6, f"velocity of halo {i}"
a = 1 / (1 + redshift_at(halos["pos_2"][:count]))
assert np.allclose(halos["a"][:count], a, rtol=2e-6), np.max(abs(halos["a"][:count] / a - 1))
radius = (3 * mass / (4 * np.pi * 200 * 2.77536627e11 * OMEGA_M)) ** (1 / 3)
assert np.allclose(halos["radius"][:count], radius, rtol=1e-9), "radii"
assert np.allclose(halos["concentration"][:count], 10.14 * (mass / 2e12) ** -0.081 * a**1.01, rtol=1e-5), "concentrations"
assert np.allclose(halos["dispersion"][:count], np.sqrt(4.30091e-9 * mass / (2 * a * radius)), rtol=1e-5), "dispersions"
assert all(np.all(halos[name][count:] == 0) for name in ("mass", "radius", "pos_0", "velocity")), "cells without a halo"

# ---- galaxies ----
_, g = read("galaxies")
there = g["exists"] > 0
number = there.sum()
assert np.all(there[:number]) and 100 < number < len(there), number
halo = g["halo"][:number].astype(int)
central = g["central"][:number] > 0
assert halo.max() < count, "a galaxy without a halo"
for d in range(3):
    away = g[f"pos_{d}"][:number] - halos[f"pos_{d}"][halo]
    if d < 2:
        away -= box * np.rint(away / box)
    assert np.all(away[central] == 0) and np.all(abs(away) <= radius[halo] + 1e-9), "galaxies are in their halos"
slow = g["velocity"][:number] - halos["velocity"][halo]
assert np.all(slow[central] == 0), "central galaxies are at rest"
spread = (slow / halos["dispersion"][halo])[~central]
assert abs(spread.mean()) < 5 / np.sqrt(len(spread)) and abs(spread.std() - 1) < 4 / np.sqrt(len(spread)), (spread.mean(), spread.std())
expected = (1 + redshift_at(g["pos_2"][:number])) * (1 + g["velocity"][:number] / C) - 1
off = np.max(abs(g["redshift"][:number] - expected))
assert off < 1e-6, f"redshifts are {off} off"
off = np.max(abs(g["seen"][:number] - distance_to(expected)))
assert off < 5e-3, f"distances of redshifts are {off} Mpc/h off"
displaced = g["seen"][:number] - g["pos_2"][:number]
plane = g["velocity"][:number] * (1 + expected) / hubble(1 / (1 + expected))
assert np.std(displaced) > 0.5 and np.std(displaced - plane) < 0.01 * np.std(displaced), "displacements of redshift space"
mean = 0.5 * (1 + np.vectorize(__import__("math").erf)((np.log10(mass) - 11.3) / 0.4))
assert abs(central.sum() - mean.sum()) < 5 * np.sqrt((mean * (1 - mean)).sum()), (central.sum(), mean.sum())

for other in sys.argv[8:]:
    for name in ("halos", "galaxies"):
        one, two = read(name)[0], read(name, other)[0]
        assert np.max(abs(one - two) / abs(one).max(0).clip(1e-30)) < 1e-7, f"{name} on other ranks"
print(f"{len(flat)} particles, {count} halos, {number} galaxies")
