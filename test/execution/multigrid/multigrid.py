#!/usr/bin/env python3
"""Multigrid solutions against NumPy's Fourier transforms and SciPy's sparse solver.

    multigrid.py PMC FOLDER MESHES..."""
import os
import re
import sys

import h5py
import numpy as np
import scipy.sparse as sparse
import scipy.sparse.linalg

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
import meshes  # pylint: disable=wrong-import-position

SPEC = """
use multigrid, nbody

dim x = 16 over 1
dim y = 24 over 1.2
dim z = 12 over 0.9
dim c = 2
// Cells that are twelve times as long along one direction, and a direction with one cell.
dim short = 24 over 1
dim deep = 16 over 8
dim thin = 1 over 0.001
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col, short -> row, deep -> col
let f = white_noise[x, y, z](1)
let raw = white_noise[x, y, z](2)
let a = exp(0.5 * (raw + raw[x + 1] + raw[y + 1] + raw[z + 1]) / 2)
let b = 20 + 10 * sin(f)
output f
output a
output b
output fd2 = poisson(f, 12)
output fd4 = poisson(f, 14, "fd4")
output w = poisson(f, 11, shape = "W")
output three = poisson(f, 8, sweeps = 3, levels = 1)
output flat = poisson(f[z = 3], 12, levels = 2)
output reacting = elliptic(f, a, b, cycles = 16)
output partly = elliptic(f, a, max(b - 20, 0), cycles = 16)     // c is 0 in a part of the box alone
let g = white_noise[short, deep](3)
output g = g
output long = poisson(g, 16)
output single = poisson(white_noise[thin, short, y](4), 12)
output single_source = white_noise[thin, short, y](4)
output neumann = elliptic(f, a, cycles = 16)

// Residuals fall in every cycle.
fn defect(u) = f - mean(f) - laplacian_difference(u)
let history = for n in 1 .. 6 => sqrt(sum(defect(poisson(f, n))^2))
print "history {} {} {} {} {}", history[0], history[1], history[2], history[3], history[4]

// Through the coefficient, forwards and backwards, and by differences.
fn loss(a) = sum(elliptic(f, a, b, cycles = 4, levels = 1)^2)
let (v, slope) = value_and_grad(loss)(a)
let step = cos(raw)
fn loss_of_long(a) = sum(elliptic(g, a, 0.3, cycles = 2, levels = 1)^2)
let medium = exp(0.2 * sin(g))
print "unequal {:.15e} {:.15e} {:.15e}", inner(grad(loss_of_long)(medium), cos(g)), jvp(loss_of_long)(medium, tangent = cos(g))[1],
  (loss_of_long(medium + 1e-5 * cos(g)) - loss_of_long(medium - 1e-5 * cos(g))) / 2e-5
print "slopes {:.15e} {:.15e} {:.15e}", inner(slope, step), jvp(loss)(a, tangent = step)[1],
  (loss(a + 1e-5 * step) - loss(a - 1e-5 * step)) / 2e-5
let (p, back) = vjp(f => poisson(f, 3))(f, cotangent = raw)
print "pair {:.15e} {:.15e} {:.15e}", inner(poisson(a, 3), raw), inner(a, back), sqrt(inner(a, a) * inner(back, back))

// In a simulation's force: that of Fourier transforms with the same differences.
let disp = (0.02 * f, 0.02 * raw, 0.01 * sin(f))
let mine = force_at(disp, 2, "cic", multigrid(cycles = 14))
let theirs = force(disp, 2, "fd4", "fd2")
print "force {:.3e}", sqrt(sum(norm2(mine - theirs)) / sum(norm2(theirs)))
"""


def check(folder, text):
    def read(name):
        with h5py.File(os.path.join(folder, name + ".h5")) as file:
            return file[name][()]

    f, a, b = read("f"), read("a"), read("b")
    def solve(f, symbol, lengths=(1, 1.2, 0.9)):
        k2 = sum(symbol(np.pi * np.fft.fftfreq(n)).reshape([-1 if d == e else 1 for e in range(f.ndim)]) * (n / lengths[d]) ** 2
                 for d, n in enumerate(f.shape))
        k2.flat[0] = np.inf
        return np.fft.ifftn(-np.fft.fftn(f) / k2).real

    def matrix():
        """Of div(a grad u) - b u, row by row."""
        index = np.arange(f.size).reshape(f.shape)
        rows = sparse.csr_matrix((f.size, f.size))
        for d, n in enumerate(f.shape):
            face = (a + np.roll(a, -1, d)) / 2 * (n / (1, 1.2, 0.9)[d]) ** 2
            here, there = index.ravel(), np.roll(index, -1, d).ravel()
            for i, j in ((here, there), (there, here)):
                rows += sparse.csr_matrix((face.ravel(), (i, j)), rows.shape) - sparse.csr_matrix((face.ravel(), (i, i)), rows.shape)
        return rows

    fd2 = solve(f, lambda w: 4 * np.sin(w) ** 2)
    operator = matrix()
    bordered = sparse.bmat([[operator, np.ones((f.size, 1))], [np.ones((1, f.size)), None]], format="csc")
    mean_free = np.append((f - f.mean()).ravel(), 0)
    wanted = {
        "long": solve(read("g"), lambda w: 4 * np.sin(w) ** 2, (1, 8)),
        "single": solve(read("single_source"), lambda w: 4 * np.sin(w) ** 2, (0.001, 1, 1.2)),
        "fd2": fd2, "w": fd2, "three": fd2, "flat": solve(f[:, :, 3], lambda w: 4 * np.sin(w) ** 2),
        "fd4": solve(f, lambda w: (16 * np.sin(w) ** 2 * 4 - np.sin(2 * w) ** 2 * 4) / 12),
        "reacting": sparse.linalg.spsolve(sparse.csc_matrix(operator - sparse.diags(b.ravel())), f.ravel()).reshape(f.shape),
        "partly": sparse.linalg.spsolve(sparse.csc_matrix(operator - sparse.diags(np.maximum(b.ravel() - 20, 0))), f.ravel()).reshape(f.shape),
        "neumann": sparse.linalg.spsolve(bordered, mean_free)[:-1].reshape(f.shape)}
    for name, expected in wanted.items():
        off = np.abs(read(name) - expected).max() / np.abs(expected).max()
        print(f"{folder}: {name} {off:.1e}")
        if not off < 1e-9:
            sys.exit(f"{folder}: {name} is off by {off:.2e} of its largest value")
    numbers = {line.split()[0]: [float(n) for n in line.split()[1:]] for line in text.splitlines() if line}
    print(numbers)
    history = numbers["history"]
    if not all(after < before / 8 for before, after in zip(history, history[1:])):
        sys.exit(f"{folder}: residuals fall slower than 8 times a cycle: {history}")
    for name in ("slopes", "unequal"):
        back, forth, difference = numbers[name]
        if not (abs(back - forth) < 1e-12 * abs(forth) and abs(back - difference) < 1e-6 * abs(difference)):
            sys.exit(f"{folder}: {name} {back}, {forth}, by differences {difference}")
    there, here, size = numbers["pair"]
    if not abs(there - here) < 1e-14 * size:
        sys.exit(f"{folder}: <M a, b> = {there}, <a, M^T b> = {here}")
    if not numbers["force"][0] < 1e-9:
        sys.exit(f"{folder}: the force is off by {numbers['force'][0]}")


def main():
    for _, _, out, text in meshes.runs("multigrid", SPEC):
        check(out, text)


if __name__ == "__main__":
    main()
