#!/usr/bin/env python3
"""Compares the outputs of spectra_numpy.pm with full complex transforms of NumPy: check_spectra_numpy.py FOLDER"""
import os
import sys

import h5py
import numpy as np

out = sys.argv[1]
LENGTHS, CELLS = np.array([100.0, 60.0, 150.0]), np.array([16, 12, 15])


def read(name):
    with h5py.File(os.path.join(out, name + ".h5")) as file:
        return file[name][()]


def same(name, expected, tolerance=1e-11):
    found = np.reshape(read(name), np.shape(expected))
    error = np.max(np.abs(found - expected)) / np.max(np.abs(expected))
    assert error < tolerance, f"{name} is off by {error:g}"


a, b = read("a"), read("b")
ak, bk = np.fft.fftn(a) / a.size, np.fft.fftn(b) / b.size
modes = np.meshgrid(*(np.fft.fftfreq(n, 1 / n) for n in CELLS), indexing="ij")
k = [2 * np.pi * m / length for m, length in zip(modes, LENGTHS)]
k2 = sum(q ** 2 for q in k)
half = [0.5 * q * length / n for q, length, n in zip(k, LENGTHS, CELLS)]  # k h/2
POWER = {"ngp": 1, "cic": 2, "tsc": 3, "pcs": 4}


def window(name):
    return np.prod([np.sinc(w / np.pi) ** POWER[name] for w in half], axis=0)


def shells(product, divisor):
    """(mean k, P, modes) of shells as wide as the first side's fundamental mode."""
    shell = np.floor(np.sqrt(k2) * LENGTHS[0] / (2 * np.pi) + 1e-9).astype(int).ravel()
    used = (shell < CELLS[0] // 2) & (k2.ravel() > 0)
    count, total_k, total = (np.bincount(shell[used], weights=v.ravel()[used], minlength=CELLS[0] // 2)
                             for v in (np.ones(a.shape), np.sqrt(k2), np.real(product) / divisor ** 2))
    filled = np.maximum(count, 1)
    return np.stack([total_k / filled, np.prod(LENGTHS) * total / filled, count], axis=1)


auto, cross = ak * np.conj(ak), ak * np.conj(bk)
for name, product, divisor in (("raw", auto, 1), ("cross", cross, 1), ("pcs", cross, window("pcs")),
                               *((w, auto, window(w)) for w in ("ngp", "cic", "tsc"))):
    found, expected = read(name), shells(product, divisor)
    assert (found[:, 2] == expected[:, 2]).all(), f"{name}: modes {found[:, 2]}, not {expected[:, 2]}"
    for column, what in enumerate(("k", "P")):
        error = np.max(np.abs(found[:, column] - expected[:, column])) / np.max(expected[:, column])
        assert error < 1e-12, f"{name}: {what} is off by {error:g}"

back = lambda spectrum: np.real(np.fft.ifftn(spectrum * a.size))
for name in POWER:
    same("window_" + name, back(window(name) * ak))
inner = [np.where(2 * np.abs(m) == n, 0, q) for m, n, q in zip(modes, CELLS, k)]
h = LENGTHS / CELLS
# Of central differences the weights of the elements 1, 2 and 3 cells away.
WEIGHTS = {"fd2": (1 / 2,), "fd4": (2 / 3, -1 / 12), "fd6": (3 / 4, -3 / 20, 1 / 60)}
same("slope_exact", np.stack([back(1j * q * ak) for q in inner], axis=-1))
for name, weights in WEIGHTS.items():
    slopes = np.stack([sum(w * (np.roll(a, -j, i) - np.roll(a, j, i)) for j, w in enumerate(weights, 1)) / h[i] for i in range(3)], axis=-1)
    same("slope_" + name, slopes)
    same("difference_" + name, slopes)
fd2 = sum((2 * np.sin(q * d / 2) / d) ** 2 for q, d in zip(k, h))
for name, laplacian in (("exact", k2), ("fd2", fd2)):
    same("inverse_" + name, back(-ak / np.where(k2 > 0, laplacian, np.inf)))
same("smoothed", back(np.exp(-k2 * 49 / 2) * ak))

# What a file says of itself.
EXPECTED = {"a": ("", None), "raw": (None, ["k", "P", "modes"]), "slope_exact": ("h/Mpc", None), "inverse_exact": ("(Mpc/h)^2", None)}
text = lambda value: value.decode() if isinstance(value, bytes) else value
for name, (unit, columns) in EXPECTED.items():
    with h5py.File(os.path.join(out, name + ".h5")) as file:
        attributes = dict(file[name].attrs)
    if unit:
        assert text(attributes["unit"]) == unit, f"{name}: unit {attributes['unit']!r}, not {unit!r}"
    if columns:
        assert [text(c) for c in attributes["columns"]] == columns, f"{name}: columns {attributes['columns']}"
    assert attributes["param.radius"] == 7 and text(attributes["precision"]) == "f64", f"{name}: {attributes}"
with h5py.File(os.path.join(out, "smoothed.h5")) as file:
    attributes = file["smoothed"].attrs
    assert [text(d) for d in attributes["dimensions"]] == ["x", "y", "z"], dict(attributes)
    assert (attributes["box"] == LENGTHS).all(), dict(attributes)
# Bins have no length, and samples of a batch neither.
with h5py.File(os.path.join(out, "raw.h5")) as file:
    assert not {"box", "lengths"} & set(file["raw"].attrs), dict(file["raw"].attrs)
with h5py.File(os.path.join(out, "batch.h5")) as file:
    attributes = file["batch"].attrs
    assert list(attributes["box"]) == [0, LENGTHS[0]], dict(attributes)
    assert text(attributes["lengths"]).split(", ")[0] == "-", dict(attributes)
print("as NumPy has it")
