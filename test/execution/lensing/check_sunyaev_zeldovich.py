#!/usr/bin/env python3
"""Compares the outputs of sunyaev_zeldovich.pm with sums in NumPy: check_sunyaev_zeldovich.py FOLDER"""
import itertools
import os
import sys

import h5py
import numpy as np
from scipy import constants
from scipy.integrate import quad
from scipy.optimize import brentq

out = sys.argv[1]
N, L, OMEGA_M = 12, 90.0, 0.31
MAP, ANGLE = (9, 7), np.radians(10)
H = L / N


def read(name):
    with h5py.File(os.path.join(out, name + ".h5")) as file:
        return file[name][()]


def same(name, found, expected, tolerance=1e-9):
    assert found.shape == expected.shape, f"{name}: shape {found.shape}, expected {expected.shape}"
    error = np.max(np.abs(found - expected)) / np.max(np.abs(expected))
    assert error < tolerance, f"{name} is off by {error:g} of its largest element"


# ---- electrons and times ----
def depth_of(hydrogen, free):
    parsec, h = 648000 / np.pi * 149597870700, 0.7
    critical = 3 * (h * 1e5 / (1e6 * parsec)) ** 2 / (8 * np.pi * constants.G)
    # One electron for a proton, two for a helium nucleus of four nucleon masses.
    electrons = 0.05 * critical * (hydrogen + 2 * (1 - hydrogen) / 4) / constants.m_p
    return free * constants.value("Thomson cross section") * electrons * 1e6 * parsec / h


distance = lambda a: 2997.92458 * quad(lambda s: 1 / (s * s * np.sqrt(OMEGA_M / s ** 3 + 1 - OMEGA_M)), a, 1, epsabs=0, epsrel=1e-12)[0]
DISTANCES = [250.0, 155.0, 60.0]
TIMES = [brentq(lambda a, d=d: distance(a) - d, 0.5, 1, xtol=1e-15) for d in DISTANCES]
DEPTH = depth_of(0.76, 1)
found = read("numbers")
assert abs(DEPTH / 7.1e-7 - 1) < 0.02, "the optical depth is far from what is known"
same("numbers", found / [DEPTH, depth_of(0.7, 0.8), *TIMES], np.ones(5), 1e-6)  # constants of CODATA differ in their last digits
DEPTH = found[0]

# ---- particles ----
lattice = np.stack(np.meshgrid(*[np.arange(N) * H] * 3, indexing="ij"), axis=-1)
places, move = (lattice + read("disp")).reshape(-1, 3), read("move").reshape(-1, 3)
index = np.indices((N,) * 3)
hot = np.ravel(1e-6 * (1 + index[0] + 2 * index[1]))


def turned(n, seed=2):
    """The matrix and the shift of copy n."""
    golden, plastic = (max(np.roots(p).real) for p in ([1, -1, -1], [1, 0, 0, -1, -1]))
    m = n + 1 + 64 * seed
    order, sign = divmod(int(24 * ((0.5 + m / golden) % 1)), 4)
    signs = [1 - 2 * (sign // 2), 1 - 2 * (sign % 2)]
    signs.append((1 if order < 3 else -1) * signs[0] * signs[1])
    matrix = np.zeros((3, 3))
    for j in range(3):
        matrix[j, (j + order if order < 3 else order - j) % 3] = signs[j]
    return matrix, m * plastic ** -np.arange(1.0, 4.0) % 1


def window(name, t, n):
    """The first cell and the weights of a particle, t in cells."""
    if name == "cic":
        i = np.floor(t).astype(int)
        return i, [1 - (t - i), t - i]
    i = np.floor(t + 0.5).astype(int)
    u = t - i
    return i - 1, [0.5 * (0.5 - u) ** 2, 0.75 - u ** 2, 0.5 * (0.5 + u) ** 2]


def painted(name, at, weight):
    result = np.zeros(MAP)
    (i, wi), (j, wj) = (window(name, at[k] / (ANGLE / MAP[k]), MAP[k]) for k in range(2))
    for (p, a), (q, b) in itertools.product(enumerate(wi), enumerate(wj)):
        np.add.at(result, ((i + p) % MAP[0], (j + q) % MAP[1]), a * b * weight)
    return result


def flat(step, name):
    far, near = DISTANCES[step:step + 2]
    ksz, tsz = np.zeros(MAP), np.zeros(MAP)
    for n in range(-1, 4):
        matrix, shift = turned(n)
        begin = ((places / L) @ matrix.T + shift) % 1 * L
        path = move @ matrix.T
        s = (far - n * L - begin[:, 2]) / (path[:, 2] + far - near)
        chi = far - s * (far - near)
        at = [(begin[:, k] + s * path[:, k] - L / 2) / chi + ANGLE / 2 for k in range(2)]
        used = (s >= 0) & (s < 1) & (at[0] >= 0) & (at[0] < ANGLE) & (at[1] >= 0) & (at[1] < ANGLE)
        scale = ((1 - s) / TIMES[step] ** 2 + s / TIMES[step + 1] ** 2) / chi ** 2
        at = [t[used] for t in at]
        ksz += painted(name, at, (-scale * path[:, 2] / (far - near))[used])
        tsz += painted(name, at, (scale * hot)[used])
    factor = DEPTH / ((N / L) ** 3 * ANGLE ** 2 / np.prod(MAP))
    return factor * ksz, factor * tsz


same("flat", read("flat"), np.stack([*flat(0, "cic"), *flat(1, "tsc")], axis=-1))

# ---- the full sky: the sum over all pixels ----
far, near = DISTANCES[:2]
ksz = tsz = 0
for n in itertools.product(range(-4, 5), repeat=3):
    begin = places % L + L * (np.array(n) - [0.3, 0.6, 0.5])
    r, r2 = (np.sqrt(np.sum(p ** 2, axis=1)) for p in (begin, begin + move))
    s = (far - r) / (r2 - r + far - near)
    used = (s >= 0) & (s < 1)
    scale = ((1 - s) / TIMES[0] ** 2 + s / TIMES[1] ** 2) / (far - s * (far - near)) ** 2
    ksz += np.sum((-scale * (r2 - r) / (far - near))[used])
    tsz += np.sum((scale * hot)[used])
same("sphere", np.sum(read("sphere"), axis=0), DEPTH / ((N / L) ** 3 * 4 * np.pi / 48) * np.array([ksz, tsz]))

# ---- temperatures of a gas ----
for i, (name, gamma) in enumerate((("cic", 5 / 3), ("tsc", 1.3))):
    cells = [window(name, places[:, k] / H, N) for k in range(3)]
    corners = [(tuple((first + p) % N for (first, _), p in zip(cells, corner)), np.prod([w[p] for (_, w), p in zip(cells, corner)], axis=0))
               for corner in itertools.product(range(len(cells[0][1])), repeat=3)]
    mesh = np.zeros((N,) * 3)
    for where, weight in corners:
        np.add.at(mesh, where, weight)
    density = sum(weight * mesh[where] for where, weight in corners)
    same("gas, " + name, read("gas")[..., i].ravel(), 2e-7 * density ** (gamma - 1))

# ---- boxes ----
delta, flow = read("delta"), read("flow")
same("boxes", read("boxes"), np.stack([-DEPTH * H / 0.4 ** 2 * np.sum((1 + delta) * flow, axis=1) / 299792.458,
                                       DEPTH * H / 0.4 ** 2 * np.sum(1e-6 * (1 + delta) ** 3, axis=1)], axis=-1))
print("as NumPy has it")
