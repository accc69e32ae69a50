#!/usr/bin/env python3
"""Cosine, sine and logarithmic Hankel transforms against SciPy's and against formulas, in f32 and f64 and on every mesh.

    fourier.py PMC FOLDER MESH..."""
import os
import shlex
import subprocess
import sys

import h5py
import numpy as np
import scipy.fft
from scipy.special import loggamma, spherical_jn

pmc, folder, *meshes = sys.argv[1:]
SPEC = """
use fourier
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
dim x = 24, y = 15, z = 3
let f = white_noise[x, y, z](1)
output f
""" + "".join(f"""
output {name}{kind}_{d} = {name}(f, over = {d}, type = {kind})
output o{name}{kind}_{d} = {name}(f, over = {d}, type = {kind}, norm = "ortho")
output i{name}{kind}_{d} = i{name}({name}(f, over = {d}, type = {kind}), over = {d}, type = {kind})
output io{name}{kind}_{d} = i{name}({name}(f, over = {d}, type = {kind}, norm = "ortho"), over = {d}, type = {kind}, norm = "ortho")"""
               for name in ("dct", "dst") for kind in range(1, 5) for d in "xy") + """
output ortho_3 = dct(f, over = y, type = 3, norm = "ortho")
output back_3 = idct(f, over = y, type = 3, norm = "ortho")
output sine_ortho_3 = dst(f, over = y, type = 3, norm = "ortho")
output sine_back_3 = idst(f, over = y, type = 3, norm = "ortho")
output several = dct(1 km * f, over = (x, y)) / 1 km
output all_dims = dst(f, type = 3)
dim u = 1, v = 2
let tiny = white_noise[u, v](2)
output tiny
output tiny2 = dct(tiny, over = (u, v))
output tiny1 = dct(tiny, over = v, type = 1)
output tiny_sine = dst(tiny, over = (u, v), type = 4)
let w = white_noise[x, y, z](3)
output w
fn curve(f) = sum(dct(f, over = (x, y))^3 * w) + sum(dst(f, over = y, type = 1)^2 * w)
output slope = grad(curve)(f)
output along = jvp(f => dst(f, over = x, type = 2)^2)(f, tangent = w)[1]
// Hankel transforms.
dim r = 64
let step = 0.15
let a = map q in [r, y] => {
  let k = exp((index(q, r) - 31.5) * step)
  k^(1.5 + 0.2 * index(q, y)) * exp(-k^2 / 2)
}
output a
output hankel = fht(a, r, step, 0.5)
output hankel_biased = fht(a, r, step, 2.0, offset = 0.1, bias = 0.3)
output hankel_back = ifht(fht(a, r, step, 2.0, fht_offset(step, 2.0, bias = 0.3), 0.3), r, step, 2.0, fht_offset(step, 2.0, bias = 0.3), 0.3)
output hankel_inverse = ifht(a, r, step, 1.0, offset = 0.1, bias = -0.2)
output hankel_along = fht(white_noise[x, y](4), x, 0.2, 1.5)
output noise = white_noise[x, y](4)
print "offsets {:.17e} {:.17e} {:.17e}", fht_offset(step, 0.5), fht_offset(0.01, 2.5, near = 0.3, bias = 0.2), fht_offset(0.5, 0.0, bias = -0.4)
print "coefficient {:.17e} {:.17e}", real(fht_coefficient(3.0, 0.5, offset = 0.1, bias = 0.2)), imag(fht_coefficient(3.0, 0.5, offset = 0.1, bias = 0.2))
// A Gaussian is its own transform, and so are those of spherical Bessel functions.
dim n = 2048
let gauss_fields = fftlog[n](k => k^1.5 * exp(-k^2 / 2), 0.5, from = 1e-5, to = 1e5)
let gauss = sampled_table(gauss_fields[0], gauss_fields[1])
let sharp_fields = fftlog[n](k => k^1.5 * exp(-k^2 / 2), 0.5, from = 1e-5, to = 1e5, bias = 0.5)
let sharp = sampled_table(sharp_fields[0], sharp_fields[1])
let R = 5 Mpc/h
fn normal(s) = exp(-(s / (2 * R))^2) / (8 pi^1.5 * R^3)
let xi_fields = correlation_multipole[n](k => exp(-(k * R)^2), 0, from = 1e-5 h/Mpc, to = 1e4 h/Mpc)
let xi = sampled_table(xi_fields[0], xi_fields[1])
let back_fields = power_multipole[n](normal, 0, from = 1e-4 Mpc/h, to = 1e5 Mpc/h)
let back = sampled_table(back_fields[0], back_fields[1])
let quadrupole_fields = correlation_multipole[n](k => (k * R)^2 * exp(-(k * R)^2), 2, from = 1e-5 h/Mpc, to = 1e4 h/Mpc, bias = 0.2)
let quadrupole = sampled_table(quadrupole_fields[0], quadrupole_fields[1])
let hexadecapole_fields = power_multipole[n](s => (s / R)^4 * exp(-(s / R)^2), 4, from = 1e-4 Mpc/h, to = 1e5 Mpc/h, bias = -0.1)
let hexadecapole = sampled_table(hexadecapole_fields[0], hexadecapole_fields[1])
for i in 0 .. 6 {
  let s = 0.3 * 2.0^i
  print "pair {:.17e} {:.17e} {:.17e} {:.17e} {:.17e} {:.17e} {:.17e}", s, interpolate(gauss, s, method = "cubic"), interpolate(sharp, s, method = "cubic"),
        interpolate(xi, s * R, method = "cubic") * R^3, interpolate(back, s / R, method = "cubic"), interpolate(quadrupole, s * R, method = "cubic") * R^3,
        interpolate(hexadecapole, s / R, method = "cubic") / R^3
}
// The derivative by an amplitude and by a table.
let table = tabulate(u => exp(-u^2), from = 0, to = 10, points = 400)
fn at_2(t, A) = fftlog[n](k => A * k * interpolate(t, log(1 + k)), 1, 1e-4, 1e4)[1][n = 1050]
let moved = transform(table, (u, y) => (u, y * (1 + 0.3 * sin(u))))
let direction = transform(table, (u, y) => (u, 0.3 * y * sin(u)))
print "derivatives {:.17e} {:.17e} {:.17e} {:.17e}", grad(at_2, wrt = A)(table, 2.0) - at_2(table, 1.0), jvp(at_2)(table, 1.0, tangent = direction)[1],
      inner(grad(at_2)(table, 1.0), direction), at_2(moved, 1.0) - at_2(table, 1.0)
"""


def check(name, found, expected, bound):
    error = np.abs(found - expected).max() / np.abs(expected).max()
    if not error <= bound:
        sys.exit(f"{name}: relative error {error:.1e}, expected at most {bound:.1e}")


def matrix(name, kind, n):
    """The transform by its formula."""
    j, k = np.arange(n), np.arange(n)[:, None]
    rows = {("dct", 1): lambda: 2 * np.cos(np.pi * k * j / (n - 1)) * np.where((j == 0) | (j == n - 1), 0.5, 1),
            ("dct", 2): lambda: 2 * np.cos(np.pi * k * (2 * j + 1) / (2 * n)),
            ("dct", 3): lambda: 2 * np.cos(np.pi * (2 * k + 1) * j / (2 * n)) * np.where(j == 0, 0.5, 1),
            ("dct", 4): lambda: 2 * np.cos(np.pi * (2 * k + 1) * (2 * j + 1) / (4 * n)),
            ("dst", 1): lambda: 2 * np.sin(np.pi * (k + 1) * (j + 1) / (n + 1)),
            ("dst", 2): lambda: 2 * np.sin(np.pi * (k + 1) * (2 * j + 1) / (2 * n)),
            ("dst", 3): lambda: 2 * np.sin(np.pi * (2 * k + 1) * (j + 1) / (2 * n)) * np.where(j == n - 1, 0.5, 1),
            ("dst", 4): lambda: 2 * np.sin(np.pi * (2 * k + 1) * (2 * j + 1) / (4 * n))}
    return rows[name, kind]()


def orthogonal(name, kind, n):
    """The same with rows of length 1, and columns of length 1 for type 3; both for type 1."""
    rows = matrix(name, kind, n)
    if (name, kind) == ("dct", 1):
        ends = np.where((np.arange(n) == 0) | (np.arange(n) == n - 1), np.sqrt(2), 1)
        rows = rows * ends / ends[:, None]
    if kind == 3:
        return rows / np.linalg.norm(rows, axis=0)
    return rows / np.linalg.norm(rows, axis=1)[:, None]


os.makedirs(folder, exist_ok=True)
os.chdir(folder)
with open("spec.pm", "w", encoding="utf-8") as text:
    text.write(SPEC)
for precision, bound in ("f64", 3e-15), ("f32", 2e-6):
    subprocess.run(shlex.split(pmc) + ["spec.pm", "-o", "spec", "--precision=" + precision], check=True)
    for mesh in meshes:
        row, col = mesh.split("x")
        printed = subprocess.run(["./spec", "--mesh", f"row={row},col={col}", "--transport=threads", "--quiet", "--out=out"], check=True,
                                 stdout=subprocess.PIPE, text=True).stdout

        def read(name):
            with h5py.File(f"out/{name}.h5") as out:
                return out[name][...].astype(float)

        f, w = read("f"), read("w")
        for name in ("dct", "dst"):
            for kind in range(1, 5):
                for axis, d in enumerate("xy"):
                    n = f.shape[axis]
                    case = f"{name}{kind}_{d}"
                    check(case, read(case), getattr(scipy.fft, name)(f, axis=axis, type=kind), bound)
                    check(case, read(case), np.moveaxis(np.tensordot(matrix(name, kind, n), f, (1, axis)), 0, axis), 2 * bound)
                    check("o" + case, read("o" + case), np.moveaxis(np.tensordot(orthogonal(name, kind, n), f, (1, axis)), 0, axis), 2 * bound)
                    check("i" + case, read("i" + case), f, bound)
                    check("io" + case, read("io" + case), f, bound)
        turned = {"ortho_3": ("dct", 3), "back_3": ("dct", 2), "sine_ortho_3": ("dst", 3), "sine_back_3": ("dst", 2)}
        for output, (name, kind) in turned.items():
            check(output, read(output), np.einsum("ay,xyz->xaz", orthogonal(name, kind, 15), f), 2 * bound)
        check("several", read("several"), scipy.fft.dctn(f, axes=(0, 1)), bound)
        check("all_dims", read("all_dims"), scipy.fft.dstn(f, type=3), bound)
        tiny = read("tiny")
        check("tiny2", read("tiny2"), scipy.fft.dctn(tiny), bound)
        check("tiny1", read("tiny1"), scipy.fft.dct(tiny, axis=1, type=1), bound)
        check("tiny_sine", read("tiny_sine"), scipy.fft.dstn(tiny, type=4), bound)
        # The transposes of the formulas.
        C, D, S = (matrix("dct", 2, 24), matrix("dct", 2, 15), matrix("dst", 1, 15))
        cosine = np.einsum("ax,by,xyz->abz", C, D, f)
        sine = np.einsum("by,xyz->xbz", S, f)
        check("slope", read("slope"), np.einsum("ax,by,abz->xyz", C, D, 3 * cosine**2 * w) + np.einsum("by,xbz->xyz", S, 2 * sine * w), 10 * bound)
        check("along", read("along"), 2 * scipy.fft.dst(f, axis=0) * scipy.fft.dst(w, axis=0), bound)
        a = read("a")

        def hankel(function, *arguments, of=a):
            return np.stack([function(of[:, j], *arguments) for j in range(of.shape[1])], 1)

        wide = 30 * bound
        check("hankel", read("hankel"), hankel(scipy.fft.fht, 0.15, 0.5), wide)
        check("hankel_biased", read("hankel_biased"), hankel(scipy.fft.fht, 0.15, 2.0, 0.1, 0.3), wide)
        check("hankel_back", read("hankel_back"), a, wide)
        check("hankel_inverse", read("hankel_inverse"), hankel(scipy.fft.ifht, 0.15, 1.0, 0.1, -0.2), wide)
        check("hankel_along", read("hankel_along"), hankel(scipy.fft.fht, 0.2, 1.5, of=read("noise")), wide)
        lines = printed.splitlines()
        offsets = [float(word) for word in lines[0].split()[1:]]
        expected = [scipy.fft.fhtoffset(0.15, 0.5), scipy.fft.fhtoffset(0.01, 2.5, 0.3, 0.2), scipy.fft.fhtoffset(0.5, 0, bias=-0.4)]
        check("offsets", np.array(offsets), np.array(expected), 1e-12)
        coefficient = complex(*(float(word) for word in lines[1].split()[1:]))
        formula = np.exp((0.2 + 3j) * np.log(2) - 0.3j + loggamma((1.7 + 3j) / 2) - loggamma((1.3 - 3j) / 2))
        check("coefficient", np.array([coefficient]), np.array([formula]), 1e-14)
        pairs = np.array([[float(word) for word in line.split()[1:8]] for line in lines if line.startswith("pair")])
        s = pairs[:, 0]
        k = np.linspace(0, 12, 40001)
        gauss = s**1.5 * np.exp(-(s**2) / 2)
        near = 1e-6 if precision == "f64" else 1e-4
        for column, formula in enumerate([
                gauss, gauss, np.exp(-(s**2) / 4) / (8 * np.pi**1.5), np.exp(-(s**2)),
                -np.trapz(k**4 * np.exp(-(k**2)) * spherical_jn(2, k * s[:, None]), k) / (2 * np.pi**2),
                4 * np.pi * np.trapz(k**6 * np.exp(-(k**2)) * spherical_jn(4, k * s[:, None]), k)]):
            check(f"pair {column}", pairs[:, column + 1], formula, near)
        by_amplitude, forward, backward, change = (float(word) for word in lines[-1].split()[1:])
        if abs(by_amplitude) > 1e-5 or abs(forward - change) > 1e-5 * abs(change) or abs(backward - change) > 1e-5 * abs(change):
            sys.exit(lines[-1])
print("cosine, sine and Hankel transforms are SciPy's")
