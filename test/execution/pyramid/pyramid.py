#!/usr/bin/env python3
"""The potential in bands against NumPy, block by block; the force against that of one grid; simulations with both.

    pyramid.py PMC FOLDER MESHES..."""
import os
import re
import subprocess
import sys

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
import meshes  # pylint: disable=wrong-import-position

SPEC = """
use pyramid, nbody, fields, cosmology, power, lpt, particles, spectra

dim x = 16 over 1
dim y = 24 over 1.2
dim z = 12 over 0.9
dim a = 32, b = 32, c = 32 over 100 Mpc/h
dim long = 32 over 100 Mpc/h
dim short = 64 over 100 Mpc/h
dim short2 = 32 over 60 Mpc/h
dim i = 16, j = 16, k = 16 over 60 Mpc/h
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col, a -> row, b -> col, long -> row, short -> col, i -> row, j -> col
let f = white_noise[x, y, z](1)
let raw = white_noise[x, y, z](2)
output f
output two = banded_potential(f, 2, (2, 4, 1), (3, 4, 0))
output three = banded_potential(f, 3, (2, 2, 1), (5, 6, 0), "fd2")
output one = banded_potential(f, 1)
let (p, back) = vjp(u => banded_potential(u, 3, (2, 4, 1), 2))(f, cotangent = raw)
print "pair {:.15e} {:.15e} {:.15e}", inner(banded_potential(raw, 3, (2, 4, 1), 2), raw), inner(raw, back), sqrt(inner(raw, raw) * inner(back, back))

// Densities of large contrast.
let density = exp(smooth(10 * white_noise[a, b, c](3), 4 Mpc/h))
fn off(force) = sqrt(sum(norm2(force(density, 1) - fourier_force()(density, 1))) / sum(norm2(fourier_force()(density, 1))))
let slabs = exp(smooth(10 * white_noise[long, short, short2](7), 4 Mpc/h))
fn off_long(force) = sqrt(sum(norm2(force(slabs, 1) - fourier_force()(slabs, 1))) / sum(norm2(fourier_force()(slabs, 1))))
print "force {:.3e} {:.3e} {:.3e} {:.3e}", off(pyramid()), off(pyramid(3, (2, 2, 1))), off(pyramid(halo = 12)), off_long(pyramid(blocks = (2, 4, 1), halo = (8, 16, 0)))

// The potential, whose mean is 0 as that of one grid is, though the field's is not.
let noise = white_noise[a, b, c](9) + 3
let exact = inverse_laplacian(noise)
fn off_whole(phi) = sqrt(sum((phi - exact)^2) / sum(exact^2))
print "whole {:.3e} {:.3e} {:.3e}", off_whole(banded_potential(noise)), off_whole(banded_potential(noise, 4, (2, 2, 1))), off_whole(banded_potential(noise, 5, (2, 2, 1)))

// A simulation, and the gradient of a sum through it.
let cosmo = flat_lcdm()
let P = spectrum(eisenstein_hu(cosmo))
let start = lpt(cosmo, gaussian_field[a, b, c](P, 4), a = 0.1)
let near = overdensity(nbody(cosmo, start, from = 0.1, to = 1, steps = 3, force = pyramid(blocks = (2, 2, 1))))
let far = overdensity(nbody(cosmo, start, from = 0.1, to = 1, steps = 3))
output transfer (k, T) = transfer_function(far, near)
output likeness (k, r) = correlation(far, near)
let s = gaussian_field[i, j, k](P, 5)
let t = gaussian_field[i, j, k](P, 6)
fn loss(s) = sum(overdensity(nbody(cosmo, lpt(cosmo, s, a = 0.2), from = 0.2, to = 1, steps = 2, force = pyramid(halo = 4)))^2)
print "slopes {:.15e} {:.15e} {:.15e}", inner(grad(loss)(s), t), jvp(loss)(s, tangent = t)[1], (loss(s + 1e-5 * t) - loss(s - 1e-5 * t)) / 2e-5
"""

# Cells three times as long along one direction; the lengths are known when the program runs.
LONG = """
use pyramid, nbody, fields
param long: length = 300 Mpc/h
dim x = 32 over long
dim y = 32, z = 32 over 100 Mpc/h
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
let density = exp(smooth(10 * white_noise[x, y, z](3), 12 Mpc/h))
fn off(force) = sqrt(sum(norm2(force(density, 1) - fourier_force()(density, 1))) / sum(norm2(fourier_force()(density, 1))))
print "long {:.3e}", off(pyramid(HALO))
"""

TAPS = np.array([1, 6, 15, 20, 15, 6, 1])


def folded(f, axis):
    return sum(weight * np.roll(f, j - 3, axis) for j, weight in enumerate(TAPS)) / 64


def reduced(f):
    for axis in range(f.ndim):
        f = np.take(folded(f, axis), range(0, f.shape[axis], 2), axis)
    return f


def expanded(f):
    for axis in range(f.ndim):
        zeros = np.zeros_like(f)
        f = 2 * folded(np.stack([f, zeros], axis + 1).reshape([2 * n if e == axis else n for e, n in enumerate(f.shape)]), axis)
    return f


def solved(f, h, kernel):
    waves = np.meshgrid(*[2 * np.pi * np.fft.fftfreq(n) for n in f.shape], indexing="ij")
    return np.fft.ifftn(np.fft.fftn(f) * kernel(waves, h)).real


def inverse(waves, h, laplacian):
    symbol = (lambda w: w) if laplacian == "exact" else (lambda w: 2 * np.sin(w / 2))
    k2 = sum((symbol(w) / d) ** 2 for w, d in zip(waves, h))
    k2.flat[0] = np.inf
    return -1 / k2


def band(f, h, levels, blocks, halo, laplacian, variance=0.0):
    """The potential of f, of spacing h, times a Gaussian to the power of variance."""
    def exponent(waves):
        return sum((2.5 * max(h) ** 2 / d ** 2 - 1.5) * w * w for w, d in zip(waves, h))

    def left(waves):
        return np.exp(-variance * exponent(waves))

    def fine(waves, h):
        low = np.exp(-exponent(waves))
        for w in waves:
            low = low * np.cos(w / 2) ** 12
        kernel = (1 - low) * inverse(waves, h, laplacian)
        kernel.flat[0] = -2.5 * max(h) ** 2
        return kernel * left(waves)

    if levels == 1:
        return solved(f, h, lambda waves, h: inverse(waves, h, laplacian) * left(waves))
    coarse = band(reduced(f), 2 * h, levels - 1, blocks, halo, laplacian, (variance + 1) / 4)
    halos = [0 if b == 1 else w for b, w in zip(blocks, halo)]
    wide, sum_of = np.pad(f, [(w, w) for w in halos], mode="wrap"), expanded(coarse)
    sizes = [n // b for n, b in zip(f.shape, blocks)]
    for place in np.ndindex(*blocks):
        cut = tuple(slice(p * n, (p + 1) * n + 2 * w) for p, n, w in zip(place, sizes, halos))
        inner = tuple(slice(w, w + n) for w, n in zip(halos, sizes))
        sum_of[tuple(slice(p * n, (p + 1) * n) for p, n in zip(place, sizes))] += solved(wide[cut], h, fine)[inner]
    return sum_of


def check(folder, text):
    def read(name):
        with h5py.File(os.path.join(folder, name + ".h5")) as file:
            return file[name][()]

    f = read("f")
    h = np.array([1, 1.2, 0.9]) / f.shape
    # Levels add a constant each where the field has a mean; the potential has none.
    wanted = {"two": band(f, h, 2, (2, 4, 1), (3, 4, 0), "exact"), "three": band(f, h, 3, (2, 2, 1), (5, 6, 0), "fd2"),
              "one": band(f, h, 1, (1, 1, 1), (0, 0, 0), "exact")}
    for name, expected in wanted.items():
        levels = {"one": 1, "two": 2, "three": 3}[name]
        expected = expected + sum(2.5 * max(h * 2**level)**2 for level in range(levels - 1)) * f.mean()
        off = np.abs(read(name) - expected).max() / np.abs(expected).max()
        print(f"{folder}: {name} {off:.1e}")
        if not off < 1e-12:
            sys.exit(f"{folder}: {name} is off by {off:.2e} of its largest value")
    numbers = {line.split()[0]: [float(n) for n in line.split()[1:]] for line in text.splitlines() if line}
    print(numbers)
    there, here, size = numbers["pair"]
    if not abs(there - here) < 1e-14 * size:
        sys.exit(f"{folder}: <a, P a> = {there}, <P^T a, a> = {here}")
    for what in ("force", "whole"):
        if not max(numbers[what]) < 1e-3:
            sys.exit(f"{folder}: {what} is off by {numbers[what]}")
    transfer, likeness = read("transfer"), read("likeness")
    off, apart = np.abs(transfer[1:, 1] - 1).max(), (1 - likeness[1:, 1]).max()
    print(f"{folder}: transfer function off by {off:.1e}, correlation by {apart:.1e}")
    if not (off < 1e-3 and apart < 1e-5):
        sys.exit(f"{folder}: the simulations are apart: transfer function {off}, correlation {apart}")
    back, forth, difference = numbers["slopes"]
    if not (abs(back - forth) < 1e-11 * abs(forth) and abs(back - difference) < 1e-5 * abs(difference)):
        sys.exit(f"{folder}: slopes {back}, {forth}, by differences {difference}")


def main():
    for _, _, out, text in meshes.runs("bands", SPEC):
        check(out, text)
    for mesh, _, _, text in meshes.runs("long", LONG.replace("HALO", "halo = (8, 24, 24)")):
        print(mesh, text)
        if not float(text.split()[1]) < 2e-3:
            sys.exit(f"{mesh}: of long cells, {text}")
    for mesh, command, *_ in meshes.runs("short", LONG.replace("HALO", ""), compile_only=True):
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode == 0 or not re.search(r"the halo of a block reaches over 2\.7 of the longest cells, and it should over 8\.0: 24 cells", done.stderr):
            sys.exit(f"{mesh}: a halo that is too short is not an error: {done.returncode}, {done.stderr}")


if __name__ == "__main__":
    main()
