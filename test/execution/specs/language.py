#!/usr/bin/env python3
"""Compares specs of users, in Inputs, with NumPy: a plasma in SI units, tomography with edges, Newton's method through an N-body simulation.

    language.py PMC FOLDER [CASE...]"""
import sys
from time import process_time

from users import Spec, case, main, near, precisions

import numpy as np


@case
def plasma():
    e, m_e, epsilon_0 = 1.602176634e-19, 9.1093837139e-31, 8.8541878188e-12
    start = process_time()
    cells, count, length, n0, step = 64, 4096, 0.01, 1e15, 1e-10

    def weights(at):
        place = at / length * cells
        first = np.floor(place).astype(int)
        return first % cells, (first + 1) % cells, place - first

    def field(at):
        low, high, part = weights(at)
        density = np.bincount(low, 1 - part, cells) + np.bincount(high, part, cells)
        charge = np.fft.rfft(e * n0 * (1 - density * cells / count))
        k = 2 * np.pi / length * np.arange(cells // 2 + 1)
        return np.fft.irfft(np.concatenate([[0], -1j * charge[1:] / (k[1:] * epsilon_0)]), cells)

    def acceleration(at):
        low, high, part = weights(at)
        E = field(at)
        return -e / m_e * (E[low] * (1 - part) + E[high] * part)

    rest = length * (np.arange(count) + 0.5) / count
    at = rest + 5e-5 * np.sin(2 * np.pi * rest / length)
    speed, amplitude = 0.5 * step * acceleration(at), []
    for _ in range(60):
        at = at + step * speed
        speed = speed + step * acceleration(at)
        amplitude.append(np.abs(field(at)).max())
    seconds = process_time() - start
    for flag, bound in precisions({"f32": 1e-4, "f64": 1e-9}):
        spec = Spec("plasma", flag)
        spec()
        near("plasma: positions", spec.read("at"), at * 1e3, bound)
        near("plasma: speeds", spec.read("speed"), speed / 1e3, 10 * bound)
        error = near("plasma: amplitudes", spec.read("amplitude"), amplitude, 10 * bound)
    # The period of the oscillation is that of the plasma frequency.
    frequency = np.sqrt(n0 * e**2 / (m_e * epsilon_0))
    near("plasma: frequency", amplitude, amplitude[0] / np.abs(np.cos(frequency * step)) * np.abs(np.cos(frequency * step * np.arange(1, 61))), 0.1)
    spec.tell(seconds, f"amplitudes differ by {error:.0e} of the largest")


@case
def tomography():
    rng = np.random.default_rng(5)
    n, reach = 32, 0.75
    grid = np.stack(np.meshgrid(np.arange(n) / n, np.arange(n) / n, indexing="ij"), -1)
    truth = (((grid - 0.5) ** 2).sum(-1) < 0.16).astype(float) - 0.5 * (((grid - [0.4, 0.6]) ** 2).sum(-1) < 0.02)
    a = np.pi * np.arange(40)[:, None, None] / 40
    s = reach * (np.arange(47)[:, None] / 23 - 1)
    t = reach * ((np.arange(64) + 0.5) / 32 - 1)
    u, v = 31 / 64 + s * np.cos(a) - t * np.sin(a), 31 / 64 + s * np.sin(a) + t * np.cos(a)
    # The matrix of bilinear readings, where cells beyond the edges are 0.
    matrix = np.zeros((40 * 47, n * n))
    ray = np.broadcast_to(np.arange(40 * 47).reshape(40, 47, 1), u.shape)
    for i in (0, 1):
        for j in (0, 1):
            row, column = np.floor(u * n).astype(int) + i, np.floor(v * n).astype(int) + j
            weight = (1 - np.abs(u * n - row)) * (1 - np.abs(v * n - column)) * 2 * reach / 64
            inside = (row >= 0) & (row < n) & (column >= 0) & (column < n)
            np.add.at(matrix, (ray[inside], (row * n + column)[inside]), weight[inside])
    data = matrix @ truth.ravel() + 0.002 * rng.normal(size=40 * 47)
    np.save("projections.npy", data.reshape(40, 47))
    start = process_time()
    index = np.arange(n * n).reshape(n, n)
    identity = np.eye(n * n)
    difference = np.concatenate([identity[np.roll(index, -1, axis).ravel()] - identity for axis in (0, 1)])
    image = np.linalg.solve(matrix.T @ matrix + 0.01 * difference.T @ difference, matrix.T @ data).reshape(n, n)
    seconds = process_time() - start
    for flag, bound in precisions({"f32": 1e-3, "f64": 1e-4}):
        spec = Spec("tomography", flag)
        spec("--data=projections.npy")
        error = near("tomography", spec.read("image"), image, bound)
    spec.tell(seconds, f"differs from a direct solution by {error:.0e} of the largest")


@case
def newton():
    n = 8
    k1 = 2 * np.pi * np.fft.fftfreq(n)
    k = np.stack(np.meshgrid(k1, k1, k1, indexing="ij"))
    k2 = (k**2).sum(0)
    # The derivative of the mode -n/2 is not real. Therefore it is set to 0.
    k = np.where(np.abs(np.abs(k) - np.pi) < 1e-9, 0, k)
    lattice = np.stack(np.meshgrid(*3 * [np.arange(n)], indexing="ij"))

    def pull(f):
        if np.iscomplexobj(f):  # a complex step: the sum of two real fields
            return pull(f.real) + 1j * pull(f.imag)
        fk = np.fft.fftn(f) * np.where(k2 > 0, 1 / np.where(k2 > 0, k2, 1), 0)
        return np.stack([np.fft.ifftn(1j * k[d] * fk).real for d in range(3)])

    def stencil(disp):
        """Cells and weights of the triangular cloud."""
        at = lattice + disp
        middle = np.round(at.real).astype(int)
        d = at - middle
        w = [0.5 * (0.5 - d) ** 2, 0.75 - d**2, 0.5 * (0.5 + d) ** 2]
        for o in np.ndindex(3, 3, 3):
            yield tuple((middle[c] + o[c] - 1) % n for c in range(3)), w[o[0]][0] * w[o[1]][1] * w[o[2]][2]

    def paint(disp):
        mesh = np.zeros((n, n, n), disp.dtype)
        for cells, weight in stencil(disp):
            np.add.at(mesh, cells, weight)
        return mesh

    def readout(fields, disp):
        return sum(fields[(slice(None), *cells)] * weight for cells, weight in stencil(disp))

    def simulated(s):
        first = pull(s)
        disp, speed = 0.3 * first, 0.3 * first
        for _ in range(2):
            speed = speed + 0.2 * readout(pull(paint(disp)), disp)
            disp = disp + 0.5 * speed
        return paint(disp)

    data = simulated(np.random.default_rng(6).normal(size=(n, n, n)))
    np.save("density.npy", data)

    def cost(s):
        return 0.5 * ((simulated(s) - data) ** 2).sum() / 0.25 + 0.5 * (s**2).sum()

    def gradient(s, places):
        """Computes derivatives along some cells by complex steps."""
        found = []
        for place in places:
            moved = s.astype(complex)
            moved[place] += 1e-30j
            found.append(cost(moved).imag / 1e-30)
        return np.array(found)

    spec = Spec("newton", "--precision=f64")
    first, last = (float(word) for word in spec("--data=density.npy").split())
    start = process_time()
    places = [(i, (3 * i) % n, (5 * i + 2) % n) for i in range(n)] + [(0, 0, j) for j in range(n)]
    slope = np.array([spec.read("slope")[place] for place in places])
    error = near("newton: gradient", slope, gradient(spec.read("noise"), places), 1e-8)
    seconds = process_time() - start
    found = spec.read("found")
    near("newton: cost", [first, last], [cost(np.zeros((n, n, n))), cost(found)], 1e-9)
    rest = np.abs(gradient(found, places)).max() / np.abs(gradient(0 * found, places)).max()
    if not (last < first and rest < 1e-6):
        sys.exit(f"newton: the gradient is {rest:.1e} of that at the start, expected at most 1e-6")
    spec.tell(seconds, f"16 parts of a gradient differ by {error:.0e}; the last gradient is {rest:.0e} of the first")


main()
