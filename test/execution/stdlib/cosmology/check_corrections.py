#!/usr/bin/env python3
"""Compares the outputs of corrections.pm with NumPy: check_corrections.py FOLDER"""
import itertools
import os
import sys

import h5py
import numpy as np

out = sys.argv[1]
CELLS, LENGTH = np.array([8, 7, 6]), 60.0


def read(name):
    with h5py.File(os.path.join(out, name + ".h5")) as file:
        return file[name][()]


def near(name, found, expected, most=1e-10):
    error = np.abs(found - expected).max() / np.abs(expected).max()
    assert error < most, f"{name} differs by {error:.1e}"


def corners(places, window):
    """Yields the cells and weights of places in units of cells."""
    if window == "ngp":
        yield np.floor(places + 0.5).astype(int), np.ones(places.shape[:-1])
        return
    low = np.floor(places).astype(int)
    part = places - low
    for corner in itertools.product((0, 1), repeat=3):
        yield low + corner, np.prod(np.where(np.array(corner) == 1, part, 1 - part), -1)


def density(places, cells, window="cic"):
    """The number of particles in each cell over the mean. places: in the unit of length."""
    mesh = np.zeros(cells)
    for cell, weight in corners(places / LENGTH * cells, window):
        np.add.at(mesh, tuple(np.moveaxis(np.mod(cell, cells), -1, 0)), weight)
    return mesh * np.prod(cells) / places[..., 0].size


def read_at(mesh, places, window):
    cells = np.array(mesh.shape)
    return sum(weight * mesh[tuple(np.moveaxis(np.mod(cell, cells), -1, 0))] for cell, weight in corners(places / LENGTH * cells, window))


def waves(cells):
    """The wave numbers along each axis, times length/2π, and whether they are Nyquist frequencies."""
    numbers = np.meshgrid(*[np.fft.fftfreq(n, 1 / n) for n in cells], indexing="ij")
    return numbers, [np.abs(2 * m) == n for m, n in zip(numbers, cells)]


sites = np.stack(np.meshgrid(*[np.arange(n) * LENGTH / n for n in CELLS], indexing="ij"), -1)
disp = read("disp")
for name, window, boost in (("exact", "cic", 1), ("differences", "ngp", 2)):
    mesh = CELLS * boost
    numbers, nyquist = waves(mesh)
    k = [2 * np.pi / LENGTH * m for m in numbers]
    k2 = sum(u**2 for u in k)
    safe = np.where(k2 == 0, 1, k2)
    filtered = np.where(k2 == 0, 0, np.exp(-0.2**2 / safe - k2**2 / 0.5**4) / safe)
    delta = np.fft.fftn(density(sites + disp, mesh, window))
    expected = disp.copy()
    for axis in range(3):
        step = LENGTH / mesh[axis]
        derivative = np.where(nyquist[axis], 0, k[axis]) if name == "exact" else np.sin(k[axis] * step) / step
        # ∇∇⁻² is −i k/k² for exp(i k x) ↦ i k, and ∇⁻² is −1/k².
        field = np.fft.ifftn(-1j * derivative * filtered * delta).real
        expected[..., axis] -= 0.3 * read_at(field, sites + disp, window)
    near(name, read(name) - disp, expected - disp)


def sheet(factor, boost, interpolate):
    total = np.zeros(CELLS * boost)
    for part in itertools.product(range(factor), repeat=3):
        shift = np.array(part) / factor
        total += density(sites + shift * LENGTH / CELLS + interpolate(shift), CELLS * boost)
    return total / factor**3 - 1


def fourier(shift):
    """Trigonometric polynomials, by their matrices along each axis."""
    moved = disp
    for axis in range(3):
        n = CELLS[axis]
        at, j = np.meshgrid(np.arange(n) + shift[axis], np.arange(n), indexing="ij")
        matrix = np.zeros((n, n))
        for m in range(-(n // 2), n // 2 + 1):
            weight = 0.5 if 2 * abs(m) == n else 1  # the Nyquist frequency occurs twice
            # A wave of the Nyquist frequency is cos(π x) at the sites, and the phase multiplies it by its cosine.
            matrix += weight * np.cos(2 * np.pi * m * (at - j) / n) / n
        moved = np.moveaxis(np.tensordot(matrix, moved, (1, axis)), 0, axis)
    return moved


def linear(shift):
    return np.stack([read_at(disp[..., i], sites + shift * LENGTH / CELLS, "cic") for i in range(3)], -1)


near("fourier", read("fourier"), sheet(3, 1, fourier))
near("linear", read("linear"), sheet(2, 2, linear))
