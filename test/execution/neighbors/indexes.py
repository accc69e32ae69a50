#!/usr/bin/env python3
"""Fields read at indices that are sums of other dims, against NumPy, on shards of odd sizes.

    indexes.py PMC FOLDER MESHES...

A case is an expression of f and what NumPy makes of f. The program writes it, of a real and of a complex field, and
prints <V f, w> and <f, V^T w>."""
import os
import re
import subprocess
import sys

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
import meshes  # pylint: disable=wrong-import-position

HEADER = """
param from: int = 2
dim x = 12, y = 18, z = 4 over 1
dim p = 5, q = 5, five = 5, wide = 17, long = 40, u = 2, v = 7, w = 3, a = 12, b = 18, one = 1
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col, p -> row, q -> col, a -> row, b -> col, long -> col
const three = 3
let f = white_noise[x, y, z](1)
let g = white_noise[x, y, z](2)
output f
output g
"""
MODES = {"zero": "constant", "clamp": "edge", "reflect": "reflect", "periodic": "wrap"}


def at(f, axis, index, edge=None):
    """f along axis at the index, an array of one or two dims."""
    n = f.shape[axis]
    if edge:
        low, high = max(-index.min(), 0), max(index.max() - n + 1, 0)
        widths = [(0, 0)] * f.ndim
        widths[axis] = (low, high)
        f = np.pad(f, widths, mode=MODES[edge])
        index = index + low
    assert index.min() >= 0 and index.max() < f.shape[axis]
    return np.take(f, index, axis)


def sums(*terms, offset=0):
    """The index Σ number · i of dims with so many cells."""
    grids = np.meshgrid(*[number * np.arange(cells) for number, cells in terms], indexing="ij")
    return sum(grids) + offset


CASES = [
    ("f[x = p + 3]", lambda f: f[3:8]),
    ("f[x = p + from]", lambda f: f[2:7]),
    ("f[y = p + 3 * from - 1, x = one + from]", lambda f: f[2:3, 5:10]),
    ("f[x = 2 p + 1]", lambda f: f[1:10:2]),
    ("f[y = three * q + 2]", lambda f: f[:, 2:15:3]),
    ("f[x = a]", lambda f: f),
    ("f[x = a, y = b]", lambda f: f),
    ("f[z = z, y = b]", lambda f: f),
    ("f[x = u]", lambda f: f[:2]),
    ("f[x + 1, y = q + 3]", lambda f: np.roll(f, -1, 0)[:, 3:8]),
    ("f[y = p + 3, x = 4]", lambda f: f[4, 3:8]),
    ("f[x = wide - 2, edge = \"zero\"]", lambda f: at(f, 0, sums((1, 17), offset=-2), "zero")),
    ("f[x = wide - 2, edge = \"periodic\"]", lambda f: at(f, 0, sums((1, 17), offset=-2), "periodic")),
    ("f[x = wide - 2, edge = \"clamp\"]", lambda f: at(f, 0, sums((1, 17), offset=-2), "clamp")),
    ("f[x = wide - 2, edge = \"reflect\"]", lambda f: at(f, 0, sums((1, 17), offset=-2), "reflect")),
    ("f[y = wide - 30, edge = \"periodic\"]", lambda f: at(f, 1, sums((1, 17), offset=-30), "periodic")),
    ("f[x = wide - 30, edge = \"clamp\"]", lambda f: at(f, 0, sums((1, 17), offset=-30), "clamp")),
    ("f[y = wide + 20, edge = \"clamp\"]", lambda f: at(f, 1, sums((1, 17), offset=20), "clamp")),
    ("f[x = wide + 12, y = five - 9, edge = \"zero\"]",
     lambda f: at(at(f, 0, sums((1, 17), offset=12), "zero"), 1, sums((1, 5), offset=-9), "zero")),
    ("f[x = long - 50, y = wide + 1, edge = (\"periodic\", \"clamp\")]",
     lambda f: at(at(f, 0, sums((1, 40), offset=-50), "periodic"), 1, sums((1, 17), offset=1), "clamp")),
    ("f[x - 1, y = wide - 4, edge = (\"zero\", \"reflect\")]",
     lambda f: at(at(f, 1, sums((1, 17), offset=-4), "reflect"), 0, np.arange(12) - 1, "zero")),
    ("f[y = 2 * wide - 8, edge = \"zero\"]", lambda f: at(f, 1, sums((2, 17), offset=-8), "zero")),
    ("f[x = 2 * coarsen(x, 2) + u]", lambda f: f.reshape(6, 2, 18, 4)),
    ("f[x = 3 * coarsen(x, 3) + w, y = 6 * coarsen(y, 6) + v, edge = \"periodic\"]",
     lambda f: at(at(f, 1, sums((6, 3), (1, 7)), "periodic"), 0, sums((3, 4), (1, 3)))),
    ("f[x = 2 * coarsen(x, 2) + v - 2, edge = \"periodic\"]",
     lambda f: at(f, 0, sums((2, 6), (1, 7), offset=-2), "periodic")),
    ("f[x = 2 * coarsen(x, 2) + v - 2, edge = \"zero\"]",
     lambda f: at(f, 0, sums((2, 6), (1, 7), offset=-2), "zero")),
    ("f[x = 2 * coarsen(x, 2) + v - 2, edge = \"clamp\"]",
     lambda f: at(f, 0, sums((2, 6), (1, 7), offset=-2), "clamp")),
    ("f[y = 3 * coarsen(y, 3) + v - 2, edge = \"reflect\"]",
     lambda f: at(f, 1, sums((3, 6), (1, 7), offset=-2), "reflect")),
    ("f[y = x + v - 3, x = five, edge = (\"zero\", \"clamp\")]",
     lambda f: at(f[:5], 1, sums((1, 12), (1, 7), offset=-3), "zero")),
    ("f[y = v + 2 * w]", lambda f: at(f, 1, sums((1, 7), (2, 3)))),
    ("f[x = 2 * (p + 1) + u - 1]", lambda f: at(f, 0, sums((2, 5), (1, 2), offset=1))),
    ("f[z = 3 * u + w - 1, edge = \"clamp\"]", lambda f: at(f, 2, sums((3, 2), (1, 3), offset=-1), "clamp")),
    ("f[x = x + 1, edge = \"periodic\"]", lambda f: np.roll(f, -1, 0)),
    ("f[x = 2 * coarsen(x, 2)]", lambda f: f[::2]),
    ("f[x = 2 * coarsen(x, 2) + 15, edge = \"periodic\"]", lambda f: np.roll(f, -15, 0)[::2]),
    ("(2 * f[x = p + 1] + f[x = p + 2])[p + 1]", lambda f: np.roll(2 * f[1:6] + f[2:7], -1, 0)),
    ("(f, f[x = p])[1][p = u + 1]", lambda f: f[1:3]),
    ("refine(f, 2, over = x)[x = 4 * coarsen(x, 2) + w + 1]",
     lambda f: at(np.repeat(f, 2, 0), 0, sums((4, 6), (1, 3), offset=1))),
]


def spec():
    lines = [HEADER]
    for i, (text, _) in enumerate(CASES):
        lines.append(f"fn view{i}(f) = {text}")
        lines.append(f"let v{i} = view{i}(f)")
        lines.append(f"output real{i} = v{i}")
        lines.append(f"output imag{i} = imag(view{i}(f + 2i * g))")
        lines.append(f"let w{i} = sin(3 * v{i}) + 0.1")
        lines.append(f"let (value{i}, back{i}) = vjp(view{i})(f, cotangent = w{i})")
        lines.append(f'print "pair {i} {{:.17e}} {{:.17e}} {{:.17e}}", inner(jvp(view{i})(f, tangent = g)[1], w{i}), '
                     f"inner(g, back{i}), sqrt(inner(g, g) * inner(w{i}, w{i}))")
    lines.append("""
// In loops, maps, of bools and vectors; there and back.
let above = f > 0
output flags = map q in [p, y, z] => if above[x = p + 4] then 1 else 0
output vectors = total((f, 2 * f)[x = p + 1])
output swept = loop s = f[x = p] for i in 0 .. from => 0.5 * s + f[x = p + i + 5]
fn cut(f) = f[x = 2 * coarsen(x, 2) + u, y = 6 * coarsen(y, 6) + joint]
dim joint = 6
output whole = vjp(cut)(zeros[x, y, z], cotangent = cut(f))[1]
output energy = grad(f => sum(f[x = 3 * coarsen(x, 3) + v - 2, edge = "periodic"]^3))(f)

// One cell.
let cell = f[x = 3, y = from, z = 1]
let row = f[y = 17, z = 0]
output of_cells = map q in row => row * row[x = from] + cell
print "cells {:.17e} {:.17e} {:.17e}", cell, imag((2i * f + g)[z = 3, x = 11, y = 0]), sqrt(row[x = 0]^2)
output by_cells = grad(f => f[x = 3, y = from, z = 1]^2 + f[x = 3, y = 0, z = 1] * f[x = from, y = 5, z = 3])(f)
""")
    return "\n".join(lines)


def check(folder, text):
    def read(name):
        with h5py.File(os.path.join(folder, name + ".h5")) as file:
            return file[name][()]

    f, g = read("f"), read("g")
    swept = f[:5]
    for i in range(2):
        swept = 0.5 * swept + f[i + 5:i + 10]
    index = sums((3, 4), (1, 7), offset=-2) % 12
    energy = 3 * f**2 * np.bincount(index.ravel(), minlength=12)[:, None, None]
    by_cells = np.zeros_like(f)
    by_cells[3, 2, 1] = 2 * f[3, 2, 1]
    by_cells[3, 0, 1], by_cells[2, 5, 3] = f[2, 5, 3], f[3, 0, 1]
    expected = {"flags": f[4:9] > 0, "vectors": 3 * f[1:6], "swept": swept, "whole": f, "energy": energy,
                "of_cells": f[:, 17, 0] * f[2, 17, 0] + f[3, 2, 1], "by_cells": by_cells}
    for i, (_, of) in enumerate(CASES):
        expected[f"real{i}"], expected[f"imag{i}"] = of(f), of(2 * g)
    for name, wanted in expected.items():
        found = read(name)
        if found.shape != wanted.shape or not np.allclose(found, wanted, 1e-13, 1e-13):
            which = CASES[int(name[4:])][0] if name[4:].isdigit() else name
            sys.exit(f"{folder}: {name} ({which}) is not NumPy's: {found.shape}, {wanted.shape}, "
                     + (str(np.abs(found - wanted).max()) if found.shape == wanted.shape else ""))
    found = re.search(r"cells (\S+) (\S+) (\S+)", text)
    numbers = [float(number) for number in found.groups()]
    if not np.allclose(numbers, [f[3, 2, 1], 2 * f[11, 0, 3], abs(f[0, 17, 0])], 1e-15):
        sys.exit(f"{folder}: the cells are {numbers}")


def main():
    for mesh, command, out, text in meshes.runs("indexes", spec()):
        check(out, text)
        meshes.check_pairs(mesh, text, len(CASES), lambda case: CASES[int(case)][0])
        wrong = subprocess.run([*command, "--from=8"], stderr=subprocess.PIPE, text=True, check=False)
        if wrong.returncode == 0 or not re.search(
                r"indexes\.pm:\d+:\d+.*the index reads 5 cells from 8 on, and 'x' has 12", wrong.stderr):
            sys.exit(f"{mesh}: cells beyond the end are no error with their line: {wrong.stderr}")
    print(f"{len(CASES)} cases on {len(sys.argv) - 3} meshes")


if __name__ == "__main__":
    main()
