#!/usr/bin/env python3
"""Tables over two and three axes, from files and functions, against SciPy's interpolators, in f32 and f64 and on every mesh.

    grid_tables.py PMC FOLDER MESH..."""
import os
import shlex
import subprocess
import sys

import h5py
import numpy as np
from scipy.interpolate import CubicHermiteSpline, RegularGridInterpolator

pmc, folder, *meshes = sys.argv[1:]
SPEC = """
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
input P: table(k, z)
input C: table(a, b, c) optional
// Axes and values with units; the file has others.
input spectra: table(k in h/Mpc, z in s -> P in (Mpc/h)^3) optional
input columns: table(k in h/Mpc -> P in (Mpc/h)^3) optional
dim x = 48, y = 12
let noise = white_noise[x, y](1)
// Beyond both ends, too.
let k = map q in noise => 1.5 * (1 + 1.2 * tanh(noise))
let z = map q in noise => 0.7 + 1.5 * index(q, y) / 12
output k
output z
output linear = interpolate(P, k, z)
output cubic = interpolate(P, k, z, method = "cubic")
let U = tabulate((k, z) => (k / 1 km)^2 * sin(z) * 1 s, from = (0 km, -1), to = (3 km, 1), points = (13, 9))
output units = interpolate(U, k * 1 km, 0.4 * z) / (1 s)
output units_cubic = interpolate(U, k * 1 km, 0.4 * z, method = "cubic") / (1 s)
let S = tabulate(u => sin(u), from = -1, to = 4, points = 17)
output single = interpolate(S, k, method = "cubic")
// Two points along an axis make a straight line.
let two = tabulate((k, z) => k^2 * z^2, from = (0, 0), to = (3, 2), points = (2, 3))
output short = interpolate(two, k, z, method = "cubic")
if given(C) {
  output three = interpolate(C, k, 0.2 * z, -k)
  output three_cubic = interpolate(C, k, 0.2 * z, -k, method = "cubic")
}
if given(spectra) {
  output converted = interpolate(spectra, k * 1 h/Mpc, z * 1 s, method = "cubic") / (1 (Mpc/h)^3)
}
if given(columns) {
  output one_axis = interpolate(columns, k * 1 h/Mpc) / (1 (Mpc/h)^3)
}
let L = transform(P, (k, z, y) => (log(k), z^3, exp(y)))
output turned = interpolate(L, log(1 + z), (0.4 + z)^3)
fn loss(P, k, z) = sum(interpolate(P, k, z, method = "cubic") * noise)
let g = grad(loss, wrt = (P, k, z))(P, k, z)
output slope_k = g[1]
output slope_z = g[2]
// The derivative by each value, read at the points of the table.
dim i = 9, j = 5
output by_value = map q in [i, j] => interpolate(g[0], points(9, 0.05, 2.95, index(q, i)), points(5, 0.8, 2.0, index(q, j)))
fn points(n: int, from, to, i) = from + (to - from) * (i / (n - 1))^2
output partial = map q in noise => grad(u => interpolate(P, u, 1.1, method = "cubic"))(1 + 0.1 * noise)
"""


def hermite(x, values):
    """Along axis 0: the slopes of parabolas through three points, of straight lines through two."""
    return CubicHermiteSpline(x, values, np.gradient(values, x, axis=0, edge_order=min(2, len(x) - 1)))


def cubic(axes, values, at):
    """The tensor product: at each position, one axis after the other."""
    result = []
    for position in zip(*(p.ravel() for p in at)):
        rest = values
        for axis, p in zip(axes, position):
            rest = hermite(axis, rest)(p)
        result.append(rest)
    return np.reshape(result, at[0].shape)


def linear(axes, values, at):
    return RegularGridInterpolator(axes, values, bounds_error=False, fill_value=None)(np.stack(at, -1))


def points(n, first, last):
    return first + (last - first) * (np.arange(n) / (n - 1)) ** 2


os.makedirs(folder, exist_ok=True)
os.chdir(folder)
k, z = points(9, 0.05, 2.95), points(5, 0.8, 2.0)
P = np.exp(-k[:, None]) * z + np.sin(3 * k[:, None] * z)
a, b, c = points(6, 0, 3), points(3, 0.1, 0.5), -points(7, 0, 3)[::-1]
C = np.sin(a[:, None, None] + b[:, None]) * np.cos(2 * c) + b[:, None] * c
matrix = np.zeros((10, 6))
matrix[1:, 0], matrix[0, 1:], matrix[1:, 1:] = k, z, P
np.save("P.npy", matrix)
np.save("columns.npy", np.asfortranarray(matrix))
np.savetxt("P.txt", matrix, fmt="%.17g", header="rows: k, columns: z")
with h5py.File("P.h5", "w") as file:
    file.update(k=k, z=z, P=P)
    for name, array in dict(k=k, z=z, P=P).items():
        file["group/" + name] = array
with h5py.File("C.h5", "w") as file:
    file.update(a=a, b=b, c=c, C=C)
with h5py.File("spectra.h5", "w") as file:
    for name, array, unit in ("k", k / 1000, "h/kpc"), ("z", z * 1000, "ms"), ("P", P * 1e9, "(kpc/h)^3"):
        file["run/" + name] = array
        file["run/" + name].attrs.update(unit=unit, program="as a program of pmc writes it")
np.savetxt("columns.txt", np.column_stack([k / 1000, P[:, 0] * 1e9]), fmt="%.17g", header="k[h/kpc] P[(kpc/h)^3]")
with open("spec.pm", "w", encoding="utf-8") as text:
    text.write(SPEC)


def check(name, found, expected, bound):
    error = np.abs(found - expected).max() / np.abs(expected).max()
    if not error <= bound:
        sys.exit(f"{name}: relative error {error:.1e}, expected at most {bound:.1e}")


first = {}
for precision, bound in ("f64", 2e-14), ("f32", 3e-6):
    subprocess.run(shlex.split(pmc) + ["spec.pm", "-o", "spec", "--precision=" + precision], check=True)
    files = ["P.h5", "P.h5:/group", "P.npy", "columns.npy", "P.txt"]
    for mesh, source in [(mesh, "P.h5") for mesh in meshes] + [(meshes[0], source) for source in files]:
        row, col = mesh.split("x")
        subprocess.run(["./spec", "--mesh", f"row={row},col={col}", "--transport=threads", "--quiet", "--out=out", "--P", source, "--C=C.h5",
                        "--spectra=spectra.h5:/run", "--columns=columns.txt"], check=True)

        def read(name):
            with h5py.File(f"out/{name}.h5") as out:
                return out[name][...].astype(float)

        x, y = read("k"), read("z")
        check("linear", read("linear"), linear((k, z), P, (x, y)), bound)
        check("cubic", read("cubic"), cubic((k, z), P, (x, y)), 10 * bound)
        ka, za = np.linspace(0, 3, 13), np.linspace(-1, 1, 9)
        U = ka[:, None] ** 2 * np.sin(za)
        check("units", read("units"), linear((ka, za), U, (x, 0.4 * y)), bound)
        check("units_cubic", read("units_cubic"), cubic((ka, za), U, (x, 0.4 * y)), 10 * bound)
        sa = np.linspace(-1, 4, 17)
        check("single", read("single"), hermite(sa, np.sin(sa))(x), bound)
        ta, tb = np.linspace(0, 3, 2), np.linspace(0, 2, 3)
        check("short", read("short"), cubic((ta, tb), ta[:, None] ** 2 * tb**2, (x, y)), 10 * bound)
        at = (x, 0.2 * y, -x)
        check("three", read("three"), linear((a, b, c), C, at), 10 * bound)
        check("three_cubic", read("three_cubic"), cubic((a, b, c), C, at), 100 * bound)
        check("turned", read("turned"), linear((np.log(k), z**3), np.exp(P), (np.log(1 + y), (0.4 + y) ** 3)), 10 * bound)
        check("converted", read("converted"), cubic((k, z), P, (x, y)), 10 * bound)
        check("one_axis", read("one_axis"), RegularGridInterpolator((k,), P[:, 0], bounds_error=False, fill_value=None)(x[..., None]), bound)
        if not first:
            # Derivatives by differences of the same function of SciPy.
            h = 1e-6
            noise = {name: read(name) for name in ("slope_k", "slope_z")}
            weights = np.arctanh((x / 1.5 - 1) / 1.2)
            first["slope_k"] = (cubic((k, z), P, (x + h, y)) - cubic((k, z), P, (x - h, y))) / (2 * h) * weights
            first["slope_z"] = (cubic((k, z), P, (x, y + h)) - cubic((k, z), P, (x, y - h))) / (2 * h) * weights
            units = np.eye(P.size).reshape(P.size, *P.shape)
            first["by_value"] = np.reshape([np.sum(cubic((k, z), unit, (x, y)) * weights) for unit in units], P.shape)
            u = 1 + 0.1 * weights
            first["partial"] = (cubic((k, z), P, (u + h, 0 * u + 1.1)) - cubic((k, z), P, (u - h, 0 * u + 1.1))) / (2 * h)
        for name, expected in first.items():
            check(name, read(name), expected, 1e-7 if precision == "f64" else 1e-4)

# A cubic interpolation of a smooth function has an error of third order at the ends and of fourth order inside.
print("tables over several axes are SciPy's")
