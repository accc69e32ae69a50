#!/usr/bin/env python3
"""Compares the outputs of statistics.pm with sums over cells, modes, pairs and triangles in NumPy: check_statistics.py FOLDER"""
import math
import os
import sys

import h5py
import numpy as np
from scipy.special import eval_legendre

out = sys.argv[1]
LENGTHS, CELLS = np.array([60.0, 60.0, 50.0]), np.array([12, 16, 10])
VOLUME, H = np.prod(LENGTHS), LENGTHS / CELLS


def read(name):
    with h5py.File(os.path.join(out, name + ".h5")) as file:
        return file[name][()]


def same(name, found, expected, tolerance=1e-10):
    found, expected = np.asarray(found), np.asarray(expected)
    assert found.shape == expected.shape, f"{name}: shape {found.shape}, expected {expected.shape}"
    error = np.max(np.abs(found - expected)) / np.max(np.abs(expected))
    assert error < tolerance, f"{name} is off by {error:g} of its largest element"


def columns(name, expected):
    found = read(name)
    for i, column in enumerate(expected):
        same(f"{name}, column {i}", found[..., i], column)


POWER = {"none": 0, "ngp": 1, "cic": 2, "tsc": 3, "pcs": 4}
modes = np.stack([m.ravel() for m in np.meshgrid(*(np.fft.fftfreq(n, 1 / n) for n in CELLS), indexing="ij")], axis=1)
k = 2 * np.pi * modes / LENGTHS
size = np.sqrt(np.sum(k ** 2, axis=1))
cells = np.stack([i.ravel() for i in np.meshgrid(*(np.arange(n) for n in CELLS), indexing="ij")], axis=1)
places = cells * H


def transform(f, window="none"):
    return np.fft.fftn(f).ravel() / f.size / np.prod(np.sinc(k * H / (2 * np.pi)), axis=1) ** POWER[window]


def cosines(vectors, other):
    lengths = np.sqrt(np.sum(vectors ** 2, axis=-1)) * np.sqrt(np.sum(other ** 2, axis=-1))
    return np.sum(vectors * other, axis=-1) / np.where(lengths > 0, lengths, 1)


shell = np.floor(np.sqrt(np.sum((modes * LENGTHS[0] / LENGTHS) ** 2, axis=1)) + 1e-9).astype(int)


def shells(values):
    """The means over the shells."""
    used = (shell < CELLS[0] // 2) & (size > 0)
    count = np.bincount(shell[used], minlength=CELLS[0] // 2)
    return np.bincount(shell[used], values[used], minlength=CELLS[0] // 2) / np.maximum(count, 1), count


a, b = read("a"), read("b")
MEAN_K, COUNT = shells(size)


def multipoles(p, axis, ells):
    mu = cosines(k, np.eye(3)[axis])
    return [(2 * l + 1) * VOLUME * shells(np.real(p) * eval_legendre(l, mu))[0] for l in ells]


auto = np.abs(transform(a, "tsc")) ** 2
columns("multipoles", [MEAN_K, *multipoles(auto, 1, (0, 2, 4, 6)), COUNT])
columns("crossed", [MEAN_K, *multipoles(transform(a, "cic") * np.conj(transform(b, "cic")), 0, (2, 4)), COUNT])


def correlations(f, g, axis, edges, ells):
    """By moving one field over the other."""
    move = np.where(2 * cells > CELLS, cells - CELLS, cells) * H
    xi = np.array([np.mean(f * np.roll(g, tuple(-c), (0, 1, 2)) + g * np.roll(f, tuple(-c), (0, 1, 2))) / 2 for c in cells])
    s, mu = np.sqrt(np.sum(move ** 2, axis=1)), cosines(move, np.eye(3)[axis])
    bins = [(s >= low) & (s < high) & (s > 0) for low, high in zip(edges, edges[1:])]
    return [[np.mean(s[i]) for i in bins], *([(2 * l + 1) * np.mean(xi[i] * eval_legendre(l, mu[i])) for i in bins] for l in ells),
            [np.sum(i) for i in bins]]


back = lambda fk: np.real(np.fft.ifftn(np.reshape(fk, CELLS))) * np.prod(CELLS)
columns("correlations", correlations(back(transform(a, "ngp")), back(transform(a, "ngp")), 2, 4 + 5.5 * np.arange(5), (0, 4)))
columns("cross_correlations", correlations(back(transform(a, "cic")), back(transform(b, "cic")), 1, 7.0 * np.arange(5), (2, 0)))


def triangles(name, fk, start, width, count):
    """Over all pairs of modes and the mode that closes the triangle."""
    number = np.where(size > 0, np.floor((size - start) / width + 1e-12).astype(int), -1)
    number[(number < 0) | (number >= count)] = -1
    ints = modes.astype(int)
    place = {tuple(m): i for i, m in enumerate(ints)}
    sums, counts = np.zeros((count,) * 3), np.zeros((count,) * 3)
    used = np.flatnonzero(number >= 0)
    for i in used:
        for j in used:
            m = place.get(tuple(-ints[i] - ints[j]), -1)
            if m >= 0 and number[m] >= 0:
                at = number[i], number[j], number[m]
                sums[at] += np.real(fk[i] * fk[j] * fk[m])
                counts[at] += 1
    mean = [np.mean(size[number == i]) for i in range(count)]
    rows = [(mean[i], mean[j], mean[m], VOLUME ** 2 * sums[i, j, m] / max(counts[i, j, m], 1), counts[i, j, m])
            for i in range(count) for j in range(i, count) for m in range(j, count)]
    columns(name, np.array(rows).T)


triangles("triangles", transform(a, "cic"), 0.05, 0.12, 3)
triangles("equal", transform(b), 0.3, 0.06, 1)

delta = 0.1 * a
around = back(transform(delta) * np.exp(-size ** 2 * 16 / 2))
mark = (1 + delta) * (1.5 / (1.5 + around)) ** 1.5
same("marked", read("marked"), mark / np.mean(mark) - 1)


def painted(positions, weights, fine, width):
    """Positions in cells of the mesh; B splines of that width by their definition as truncated powers."""
    mesh = np.zeros(fine)
    first = np.floor(positions - width / 2 + 1).astype(int)
    powers = lambda u: sum((-1) ** j * math.comb(width, j) * np.maximum(u + width / 2 - j, 0) ** (width - 1) for j in range(width + 1)) / math.factorial(width - 1)
    for i in range(width):
        for j in range(width):
            for m in range(width):
                at = first + np.array([i, j, m])
                w = np.prod(powers(positions - at), axis=-1) * weights
                np.add.at(mesh, tuple((at % fine).T), w)
    return mesh


disp = read("disp").reshape(-1, 3)
fine = 2 * CELLS
meshes = [8 * painted((places + disp) / (H / 2) + shift, 1.0, fine, 3) - 1 for shift in (0, 0.5)]
m = np.meshgrid(*(np.fft.fftfreq(n, 1 / n) for n in fine), indexing="ij")
outermost = sum(2 * np.abs(i) == n for i, n in zip(m, fine)) > 0
phase = np.exp(1j * np.pi * sum(i / n for i, n in zip(m, fine)))
one, two = (np.fft.fftn(mesh) for mesh in meshes)
same("interlaced", read("interlaced"), np.real(np.fft.ifftn(np.where(outermost, one, (one + phase * two) / 2))))


def survey(name, f, observer, ells, normalization, noise, window):
    """A_l by the sum over all places and modes."""
    sight = places - np.array(observer)
    waves = np.exp(-1j * k @ places.T) * f.ravel() / f.size
    divisor = np.prod(np.sinc(k * H / (2 * np.pi)), axis=1) ** (2 * POWER[window])
    a0 = np.sum(waves, axis=1)
    mu = cosines(k[:, None, :], sight[None, :, :])
    seen = np.sum(sight ** 2, axis=1) > 0
    found = [(2 * l + 1) * VOLUME ** 2 / normalization *
             shells(np.real(np.conj(a0) * np.sum(waves * (eval_legendre(l, mu) * (seen if l else 1)), axis=1)) / divisor)[0] - (0 if l else noise)
             for l in ells]
    return found


columns("survey", [MEAN_K, *survey("survey", a, (-20, 31, 12.5), (0, 2, 4), 9e4, 7, "cic"), COUNT])
columns("within", survey("within", b, (25, 30, 20), (4, 2), VOLUME, 0, "none"))



def survey_correlations(f, observer, edges, ells, normalization):
    """Over all pairs of cells."""
    sight = places - np.array(observer)
    seen = np.sum(sight ** 2, axis=1) > 0
    move = np.where(2 * cells > CELLS, cells - CELLS, cells) * H
    s = np.sqrt(np.sum(move ** 2, axis=1))
    found = [[] for _ in ells]
    bins = [np.flatnonzero((s >= low) & (s < high) & (s > 0)) for low, high in zip(edges, edges[1:])]
    for chosen in bins:
        sums = np.zeros(len(ells))
        for i in chosen:
            product = (f * np.roll(f, tuple(-cells[i]), (0, 1, 2))).ravel()
            mu = cosines(sight, move[i])
            sums += [(2 * l + 1) * np.mean(product * eval_legendre(l, mu) * (seen if l else 1)) for l in ells]
        for column, total in zip(found, sums):
            column.append(total / len(chosen) * VOLUME / normalization)
    return [[np.mean(s[i]) for i in bins], *found, [len(i) for i in bins]]


columns("survey_correlations", survey_correlations(a, (-20, 31, 12.5), 3 + 6.0 * np.arange(5), (0, 2, 4), 9e4))
same("within_correlations", read("within_correlations"), survey_correlations(b, (25, 30, 20), 8.0 * np.arange(4), (4,), VOLUME)[1])

galaxies, points, complete = read("galaxies").reshape(-1, 3), read("points").reshape(-1, 3), read("complete")
n = [3e-4 * (1 + p[:, 0] / LENGTHS[0]) for p in (galaxies, points)]
wg, wr = complete / (1 + n[0] * 4000), 1 / (1 + n[1] * 4000)
alpha = np.sum(complete) / len(points)
same("density", read("density"), (painted(galaxies / H, wg, CELLS, 3) - alpha * painted(points / H, wr, CELLS, 3)) / np.prod(H))
I = alpha * np.sum(n[1] * wr ** 2)
same("numbers", read("numbers") / [I, (np.sum(wg ** 2) + alpha ** 2 * np.sum(wr ** 2)) / I, 0.25], np.ones(3))
print("as NumPy has it")
