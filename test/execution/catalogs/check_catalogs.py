#!/usr/bin/env python3
"""Compares the outputs of catalogs.pm with NumPy and SciPy: check_catalogs.py FOLDER"""
import os
import sys

import h5py
import numpy as np
from scipy.optimize import brentq
from scipy.special import erf
from scipy.stats import kstest

out = sys.argv[1]
SIDES = np.array([60.0, 60.0, 50.0])


def read(name):
    with h5py.File(os.path.join(out, name + ".h5")) as file:
        return file[name][()]


def same(name, found, expected, tolerance=1e-10):
    assert found.shape == expected.shape, f"{name}: shape {found.shape}, expected {expected.shape}"
    error = np.max(np.abs(found - expected)) / np.max(np.abs(expected))
    assert error < tolerance, f"{name} is off by {error:g} of its largest element"


# ---- occupation ----
halos = read("halos")
places, mass, radius, concentration = halos[:, :3], halos[:, 3], halos[:, 4], halos[:, 5]
central = 0.5 * (1 + erf((np.log10(mass) - 12.8) / 0.4))
plain = np.where(mass > 10 ** 12.5, np.maximum(mass - 10 ** 12.5, 0) / 10 ** 13.4, 0) ** 1.1
same("occupation", read("occupation"), np.stack([central, central * plain, plain], axis=1))

# ---- galaxies ----
m = lambda x: np.log1p(x) - x / (1 + x)
counts = read("counts")
assert abs(counts[2] - 0.5 * (1 + erf(0.2 / 0.4))) < 1e-12, "mean_centrals of a number"


def near(name, numbers, mean, variance):
    """The sum of independent numbers is within 4 deviations of its mean, and their deviations are as large as expected."""
    z = (np.sum(numbers) - np.sum(mean)) / np.sqrt(np.sum(variance))
    assert abs(z) < 4, f"{name}: the sum is {np.sum(numbers):g}, expected {np.sum(mean):g}: {z:.1f} deviations"
    used = variance > 0.3
    if np.sum(used) < 40:
        return
    squares = np.mean((numbers - mean)[used] ** 2 / variance[used])
    assert 0.5 < squares < 2, f"{name}: squared deviations are {squares:g} times their expectation"


rare = 0.5 * (1 + erf((np.log10(mass) - 13.6) / 0.4))
for name, count, central, mean, is_nfw in (("galaxies", counts[0], central, central * plain, True), ("gaussian", counts[1], rare, plain, False)):
    g = read(name)
    n = int(count)
    assert np.all(g[:n, 5] == 1) and np.all(g[n:, 5] == 0) and np.all(g[n:, [0, 1, 2, 4]] == 0), f"{name}: existence"
    halo, first = g[:n, 3].astype(int), g[:n, 4] == 1
    assert np.all(np.diff(halo) >= 0), f"{name}: the order of the halos"
    of_halo = np.bincount(halo, minlength=len(mass))
    centrals = np.bincount(halo, first, minlength=len(mass))
    starts = np.flatnonzero(np.diff(halo, prepend=-1))
    assert centrals.max() == 1 and np.all(np.isin(np.flatnonzero(first), starts)), f"{name}: the places of central galaxies"
    near(name + ", centrals", centrals, central, central * (1 - central))
    near(name + ", satellites", of_halo - centrals, mean, mean)
    # Halos without a central galaxy have the same mean number of satellites as the others.
    near(name + ", satellites without centrals", (of_halo - centrals)[centrals == 0], mean[centrals == 0], mean[centrals == 0])
    away = g[:n, :3] - places[halo]
    if is_nfw:
        assert np.all((g[:n, :3] >= 0) & (g[:n, :3] < SIDES)), "galaxies outside of the box"
        away -= SIDES * np.rint(away / SIDES)
    assert np.max(np.abs(away[first])) < 1e-12, f"{name}: central galaxies are not at the center"
    away, halo = away[~first] / radius[halo[~first], None], halo[~first]
    if is_nfw:
        s = np.sqrt(np.sum(away ** 2, axis=1))
        assert s.max() < 1, "satellites beyond the radius"
        c = concentration[halo]
        assert kstest(m(c * s) / m(c), "uniform").pvalue > 1e-3, "the profile is not that of NFW"
        assert kstest(away[:, 2] / s, "uniform", args=(-1, 2)).pvalue > 1e-3, "directions are not uniform in z"
        assert kstest(np.arctan2(away[:, 1], away[:, 0]), "uniform", args=(-np.pi, 2 * np.pi)).pvalue > 1e-3, "longitudes are not uniform"
        assert abs(np.corrcoef(s, away[:, 2] / s)[0, 1]) < 4 / np.sqrt(len(s)), "distances depend on directions"
    else:
        for i in range(3):
            assert kstest(away[:, i], "norm").pvalue > 1e-3, f"coordinate {i} is not Gaussian"
    assert len(away) > 200, "too few satellites to test"
g, few = read("galaxies"), read("few")
of_first = (g[:, 3] < 200) & (g[:, 5] == 1)
n = np.sum(of_first)
assert 0 < n < counts[0] and np.array_equal(few[:n], g[:n]) and np.all(few[n:, [0, 1, 2, 4, 5]] == 0), "empty cells of a catalog of halos"
u = (np.arange(400) + 0.5) / 400
same("nfw_radius", read("radii"), np.array([brentq(lambda s, v=v: m(7.5 * s) - v * m(7.5), 0, 1, xtol=1e-14) for v in u]), 1e-10)

# ---- velocities ----
motion = read("motion")
for name, galaxies, biases in (("velocities", "galaxies", (0, 1)), ("biased", "gaussian", (0.3, 0.8))):
    g, v = read(galaxies), read(name)
    is_there = g[:, 5] == 1
    assert v.shape == (len(g), 3) and np.all(v[~is_there] == 0), f"{name}: cells without a galaxy"
    halo, first = g[is_there, 3].astype(int), g[is_there, 4] == 1
    # Each velocity in the halo, in units of the dispersion of the halo.
    inside = (v[is_there] - motion[halo, :3]) / motion[halo, 3:]
    for kind, bias, which in (("centrals", biases[0], first), ("satellites", biases[1], ~first)):
        u = inside[which]
        assert len(u) > 20, f"{name}: too few {kind} to test"
        if bias == 0:
            assert np.max(np.abs(u)) < 1e-12, f"{name}: {kind} move in the halo"
            continue
        for i in range(3):
            assert kstest(u[:, i] / bias, "norm").pvalue > 1e-3, f"{name}: component {i} of {kind} is not normal with the bias {bias}"
            assert abs(np.mean(u[:, i])) < 4 * bias / np.sqrt(len(u)), f"{name}: the mean of {kind}"
        # The variance of n normal numbers scatters by the square root of 2/n.
        assert abs(np.mean(u ** 2) / bias ** 2 - 1) < 4 * np.sqrt(2 / u.size), f"{name}: the variance of {kind}"
        assert np.max(np.abs(np.corrcoef(u.T) - np.eye(3))) < 4 / np.sqrt(len(u)), f"{name}: components of {kind} depend on each other"

# ---- pairs ----
points, v = read("points"), read("weights")
points, w = points[:, :3], points[:, 3]


def pairs(a, b, edges, wa, wb, is_periodic, is_own=False):
    d = a[:, None] - b[None]
    if is_periodic:
        d -= SIDES * np.rint(d / SIDES)
    r = np.sqrt(np.sum(d ** 2, axis=-1))
    weights = wa[:, None] * wb[None] * (1 - np.eye(len(a)) if is_own else 1)
    return np.histogram(np.ravel(r), edges, weights=np.ravel(weights))[0]


ones, one = np.ones(len(points)), np.ones(len(places))
expected = [pairs(points, places, 2 + 3 * np.arange(10), ones, one, False), pairs(points, places, 2 + 3 * np.arange(10), w, v, True),
            pairs(points, points, 3 * np.arange(10), ones, ones, False, True), pairs(points, points, 3 * np.arange(10), w, w, True, True)]
same("pairs", read("pairs"), np.stack(expected, axis=1), 1e-11)


def estimate(wd, wr, is_periodic):
    edges = 4.0 * np.arange(8)
    normal = lambda w: np.sum(np.outer(w, w) * (1 - np.eye(len(w))))
    DD = pairs(places, places, edges, wd, wd, is_periodic, True) / normal(wd)
    DR = pairs(places, points, edges, wd, wr, is_periodic) / (np.sum(wd) * np.sum(wr))
    RR = pairs(points, points, edges, wr, wr, is_periodic, True) / normal(wr)
    return (DD - 2 * DR + RR) / RR, DD, DR, RR


same("estimates", read("estimates"), np.stack([*estimate(v, w, True), estimate(one, ones, False)[0]], axis=1))

# ---- spherical overdensities ----
lattice = np.stack(np.meshgrid(*(np.arange(12) * side / 12 for side in SIDES), indexing="ij"), axis=-1)
particles = (lattice + read("lump")).reshape(-1, 3)
spheres = read("spheres")
radii = 20.0 ** (np.arange(13) / 12)
density = 12 ** 3 / np.prod(SIDES)
for x, y, z, radius, number in spheres:
    d = particles - [x, y, z]
    r = np.sort(np.sqrt(np.sum((d - SIDES * np.rint(d / SIDES)) ** 2, axis=1)))
    excess = np.log(np.maximum(np.searchsorted(r, radii, side="right"), 1e-3) / (8 * density * 4 * np.pi / 3 * radii ** 3))
    falls = np.flatnonzero((excess[:-1] >= 0) & (excess[1:] < 0))
    if len(falls) == 0:
        assert radius == 0 and number == 0, "a sphere of a center whose density is too low"
        continue
    i = falls[0]
    expected = np.exp(np.interp(0, [-excess[i], -excess[i + 1]], np.log(radii[i:i + 2])))
    assert abs(radius / expected - 1) < 1e-9, f"a sphere has the radius {radius:g}, expected {expected:g}"
    assert abs(number / (8 * density * 4 * np.pi / 3 * radius ** 3) - 1) < 1e-9, "the number of particles of a sphere"
    # The particles themselves, one by one.
    exact = np.max(np.flatnonzero(np.arange(1, len(r) + 1) >= 8 * density * 4 * np.pi / 3 * r ** 3))
    assert abs(radius / r[exact] - 1) < 0.1, f"a sphere has the radius {radius:g}, by single particles {r[exact]:g}"
assert np.sum(spheres[:, 3] > 0) > 3, "too few spheres to test"

# ---- halos as spheres: cores that are in no larger sphere ----
cores, distinct = read("cores"), read("distinct")
kept = 0
for i, (*place, exists, radius, number) in enumerate(cores):
    away = cores[:, :3] - place
    inside = np.sqrt(np.sum((away - SIDES * np.rint(away / SIDES)) ** 2, axis=1)) < cores[:, 4]
    larger = (cores[:, 4] > radius) | ((cores[:, 4] == radius) & (np.arange(len(cores)) < i))
    keeps = exists == 1 and radius > 0 and not np.any(inside & larger & (cores[:, 3] == 1))
    assert np.allclose(distinct[i, 3:], np.array([1, radius, number]) * keeps), f"halo {i} is {distinct[i]}, expected {keeps}"
    kept += keeps
same("centers of halos", distinct[:, :3], cores[:, :3])
found = int(np.sum((cores[:, 3] == 1) & (cores[:, 4] > 0)))
assert 30 < kept < found - 30, f"{kept} of {found} spheres are halos, which tests too little"
print("as NumPy has it")
