#!/usr/bin/env python3
"""Compares the outputs of examples/mocks with SciPy and NumPy: check_mocks.py OUT N BOX A LEAST [OTHER]. OTHER has the outputs on other ranks."""
import os
import sys

import h5py
import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

out, n, box, a, least = sys.argv[1], *map(float, sys.argv[2:6])
n, least = int(n), int(least)
OMEGA_M = 0.3075


def read(name, folder=out):
    with h5py.File(os.path.join(folder, name + ".h5")) as file:
        names = file[name].attrs["columns"] if "columns" in file[name].attrs else []
        names = [one.decode() if isinstance(one, bytes) else one for one in np.atleast_1d(names)]
        if len(names) == 1:
            names = [one.strip() for one in names[0].split(",")]
        rows = file[name][()]
    return rows, dict(zip(names, np.atleast_2d(rows.T)))


# ---- halos ----
position, _ = read("position")
tree = cKDTree(position, boxsize=box)
pairs = tree.query_pairs(0.2 * box / n, output_type="ndarray")
_, group = connected_components(coo_matrix((np.ones(len(pairs)), pairs.T), shape=(n**3, n**3)), directed=False)
size = np.bincount(group)
first = np.full(len(size), n**3)
np.minimum.at(first, group, np.arange(n**3))
kept = np.flatnonzero(size >= least)
kept = kept[np.argsort(first[kept])]
_, halos = read("halos")
count = len(kept)
assert 30 < count < 500 and halos["exists"].sum() == count, (count, halos["exists"].sum())
mass = 2.77536627e11 * OMEGA_M * (box / n) ** 3 * size[kept]
assert np.allclose(halos["mass"][:count], mass, rtol=1e-9), "masses"
for i, one in enumerate(kept):
    away = position[group == one] - position[first[one]]
    center = position[first[one]] + (away - box * np.rint(away / box)).mean(0)
    off = np.array([halos[f"pos_{d}"][i] for d in range(3)]) - center
    assert np.max(abs(off - box * np.rint(off / box))) < 1e-6, f"halo {i} is {off} away"
density = 200 * 2.77536627e11 * OMEGA_M
radius = (3 * mass / (4 * np.pi * density)) ** (1 / 3)
assert np.allclose(halos["radius"][:count], radius, rtol=1e-9), "radii"
assert np.allclose(halos["concentration"][:count], 10.14 * (mass / 2e12) ** -0.081 * a**1.01, rtol=1e-9), "concentrations"
assert np.allclose(halos["dispersion"][:count], np.sqrt(4.30091e-9 * mass / (2 * a * radius)), rtol=1e-9), "dispersions"
assert all(np.all(halos[name][count:] == 0) for name in ("mass", "radius", "pos_0", "velocity_2")), "cells without a halo"

# ---- galaxies ----
_, g = read("galaxies")
there = g["exists"] > 0
number = there.sum()
assert np.all(there[:number]) and 100 < number < 4000, number
halo = g["halo"][:number].astype(int)
central = g["central"][:number] > 0
assert halo.max() < count, "a galaxy without a halo"
hubble = 100 * np.sqrt(OMEGA_M / a**3 + 1 - OMEGA_M)
moved = g["seen"] - g["pos_2"] - g["velocity_2"] / (a * hubble)
assert np.max(abs(moved - box * np.rint(moved / box))[:number]) < 1e-9, "redshift space"
for d in range(3):
    away = g[f"pos_{d}"][:number] - halos[f"pos_{d}"][halo]
    away -= box * np.rint(away / box)
    assert np.all(away[central] == 0) and np.all(abs(away) <= radius[halo] + 1e-9), "galaxies are in their halos"
    slow = g[f"velocity_{d}"][:number] - halos[f"velocity_{d}"][halo]
    assert np.all(slow[central] == 0), "central galaxies are at rest"
    spread = (slow / halos["dispersion"][halo])[~central]
    assert abs(spread.mean()) < 5 / np.sqrt(len(spread)) and abs(spread.std() - 1) < 4 / np.sqrt(len(spread)), (spread.mean(), spread.std())
mean = 0.5 * (1 + np.vectorize(__import__("math").erf)((np.log10(mass) - 10.8) / 0.4))
assert abs(central.sum() - mean.sum()) < 5 * np.sqrt((mean * (1 - mean)).sum()), (central.sum(), mean.sum())


# ---- spectra ----
def amplitudes(place):
    mesh = np.zeros((n, n, n))
    u = place / (box / n)
    node = np.rint(u).astype(int)
    d = u - node
    tsc = np.stack([0.5 * (0.5 - d) ** 2, 0.75 - d**2, 0.5 * (0.5 + d) ** 2])
    for i in range(3):
        for j in range(3):
            for k in range(3):
                np.add.at(mesh, tuple(((node + [i - 1, j - 1, k - 1]) % n).T), tsc[i, :, 0] * tsc[j, :, 1] * tsc[k, :, 2])
    window = np.sinc(np.fft.fftfreq(n)) ** 3
    return np.fft.fftn(mesh * n**3 / number - 1) / n**3 / (window[:, None, None] * window[:, None] * window)


index = np.stack(np.meshgrid(*[np.fft.fftfreq(n, 1 / n)] * 3, indexing="ij"), axis=-1)
size = np.sqrt((index**2).sum(-1))
mu = index[..., 2] / np.where(size > 0, size, 1)
pos = np.stack([g[f"pos_{d}"][:number] for d in range(3)], axis=1)
seen = pos.copy()
seen[:, 2] = g["seen"][:number]
power = {"P0": abs(amplitudes(seen)) ** 2, "real": abs(amplitudes(pos)) ** 2}
power["P2"] = power["P0"] * 2.5 * (3 * mu**2 - 1)
_, found = read("spectra")
shell = np.floor(size + 1e-9).astype(int)
for s in range(1, n // 2):
    here = shell == s
    assert found["modes"][s] == here.sum() and abs(found["k"][s] - 2 * np.pi / box * size[here].mean()) < 1e-9, s
    for name, values in power.items():
        expected = box**3 * (values[here].mean() - (0 if name == "P2" else 1 / number))
        assert abs(found[name][s] - expected) < 1e-8 * box**3 * power["P0"][here].mean(), (name, s, found[name][s], expected)

for other in sys.argv[6:]:
    for name in ("halos", "galaxies", "spectra"):
        one, two = read(name)[0], read(name, other)[0]
        assert np.max(abs(one - two) / abs(one).max(0).clip(1e-30)) < 1e-8, f"{name} on other ranks"
print(f"{count} halos, {number} galaxies")
