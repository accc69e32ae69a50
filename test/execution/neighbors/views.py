#!/usr/bin/env python3
"""Finer and coarser fields, and single cells of a dim, against NumPy, on shards of odd sizes.

    views.py PMC FOLDER MESHES...

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
param cell: int = 2
dim x = 12, y = 18, z = 4 over 1
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
let f = white_noise[x, y, z](1)
let g = white_noise[x, y, z](2)
output f
output g
"""


def roll(f, **offsets):
    for dim, offset in offsets.items():
        f = np.roll(f, -offset, "xyz".index(dim))
    return f


def up(f, n, axes=(0, 1, 2)):
    for axis in axes:
        f = np.repeat(f, n, axis)
    return f


def edged(f, axis, offset, edge):
    widths = [(0, 0)] * f.ndim
    widths[axis] = (max(-offset, 0), max(offset, 0))
    first = max(offset, 0)
    return np.take(np.pad(f, widths, mode=edge), range(first, first + f.shape[axis]), axis)


def halved(f):
    for axis in range(3):
        f = 0.5 * f + 0.25 * (np.roll(f, 1, axis) + np.roll(f, -1, axis))
        f = np.take(f, range(0, f.shape[axis], 2), axis)
    return f


def between(f):
    fine = up(f, 2, (2,)) / 3
    return (roll(fine, z=-1) + 2 * roll(fine, z=2) + 4 * roll(fine, z=-3))[:, :, ::2]


def doubled(f):
    for axis in range(3):
        f = np.repeat(f, 2, axis)
        f = 0.5 * (f + np.roll(f, -1, axis))
    return f


CASES = [
    ("coarsen(f, 2)", lambda f: f[::2, ::2, ::2]),
    ("coarsen(f, 3, over = (x, y))", lambda f: f[::3, ::3]),
    ("coarsen(coarsen(f, 2, over = x), 2, over = x)", lambda f: f[::4]),
    ("coarsen(f[x + 1, y - 1], 2, over = (y, x))", lambda f: roll(f, x=1, y=-1)[::2, ::2]),
    ("coarsen(f[x - 3, z + 1, edge = \"clamp\"], 2)", lambda f: edged(edged(f, 0, -3, "edge"), 2, 1, "edge")[::2, ::2, ::2]),
    ("coarsen(f[y + 5, edge = \"reflect\"], 6, over = y)", lambda f: edged(f, 1, 5, "reflect")[:, ::6]),
    ("coarsen(f[x + 4, edge = \"zero\"] + 1, 4, over = x)", lambda f: edged(f, 0, 4, "constant")[::4] + 1),
    ("coarsen(f, 2)[x + 1, y - 1, edge = \"zero\"]", lambda f: edged(edged(f[::2, ::2, ::2], 0, 1, "constant"), 1, -1, "constant")),
    ("coarsen(f, 2, over = x)[x + 2, edge = \"clamp\"]", lambda f: edged(f[::2], 0, 2, "edge")),
    ("refine(f, 2)", lambda f: up(f, 2)),
    ("refine(f, 3, over = z)", lambda f: up(f, 3, (2,))),
    ("refine(f, 2, over = (x, y))[x + 1, y - 3]", lambda f: roll(up(f, 2, (0, 1)), x=1, y=-3)),
    ("refine(f[x - 1, edge = \"clamp\"], 2, over = x)", lambda f: up(edged(f, 0, -1, "edge"), 2, (0,))),
    ("refine(f[x - 1, edge = \"reflect\"], 2, over = x)", lambda f: up(edged(f, 0, -1, "reflect"), 2, (0,))),
    ("refine(f, 2, over = x)[x - 3, edge = \"reflect\"]", lambda f: edged(up(f, 2, (0,)), 0, -3, "reflect")),
    ("refine(f, 3, over = x)[x + 5, edge = \"clamp\"]", lambda f: edged(up(f, 3, (0,)), 0, 5, "edge")),
    ("refine(coarsen(f, 2), 2)", lambda f: up(f[::2, ::2, ::2], 2)),
    ("refine(coarsen(f, 4, over = x), 2, over = x)[x + 1]", lambda f: roll(up(f[::4], 2, (0,)), x=1)),
    ("coarsen(refine(f, 2), 4, over = (x, y))", lambda f: up(f, 2)[::4, ::4]),
    ("coarsen(refine(f, 3, over = y)[y + 1], 3, over = y)", lambda f: roll(up(f, 3, (1,)), y=1)[:, ::3]),
    # Neighbors along the last dim, where the ends of a row read beyond the row. The field is as fine as the domain or finer.
    ("coarsen(f[z - 1], 2, over = z)", lambda f: roll(f, z=-1)[:, :, ::2]),
    ("coarsen((refine(f, 2, over = z) / 3)[z - 3], 2, over = z)", lambda f: roll(up(f, 2, (2,)) / 3, z=-3)[:, :, ::2]),
    ("coarsen((refine(f, 4, over = z) / 3)[z - 5, edge = \"clamp\"], 4, over = z)", lambda f: edged(up(f, 4, (2,)) / 3, 2, -5, "edge")[:, :, ::4]),
    ("between(refine(f, 2, over = z) / 3)", between),
    ("coarsen(f[y + 1, z - 1], 4, over = z)", lambda f: roll(f, y=1, z=-1)[:, :, ::4]),
    ("coarsen(f[z - 3, edge = \"reflect\"], 2, over = (y, z))", lambda f: edged(f, 2, -3, "reflect")[:, ::2, ::2]),
    ("refine(f, 2, over = z)[z - 1]", lambda f: roll(up(f, 2, (2,)), z=-1)),
    ("refine(f, 2, over = z)[z + 3, edge = \"clamp\"]", lambda f: edged(up(f, 2, (2,)), 2, 3, "edge")),
    ("halved(f)", halved),
    ("doubled(f)", doubled),
    ("halved(refine(f, 2)[x + 1])", lambda f: halved(roll(up(f, 2), x=1))),
    ("doubled(halved(f))", lambda f: doubled(halved(f))),
    ("f[z = cell]", lambda f: f[:, :, 2]),
    ("f[x = 11]", lambda f: f[11]),
    ("f[y = 3 * cell + 1]", lambda f: f[:, 7]),
    ("f[x + 1, z = 1]", lambda f: np.roll(f[:, :, 1], -1, 0)),
    ("f[x = cell, z = 3]", lambda f: f[2, :, 3]),
    ("slice(f, x = cell .. cell + 3)", lambda f: f[2:5].mean(0)),
    ("slice(f, y = 8 .. 18)", lambda f: f[:, 8:].mean(1)),
]


def spec():
    lines = ["use multigrid", HEADER, "fn between(g) = coarsen(g[z - 1] + 2 * g[z + 2] + 4 * g[z - 3], 2, over = z)"]
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
// In loops, by their index, and maps.
output swept = loop s = f[z = 0] for i in 0 .. 4 => 0.5 * s + f[z = i]
output row = loop s = f[x = 0] for i in 0 .. 12 => 0.5 * s + map q in s => f[x = i] * f[z = 1, x = 3]
output computed = map q in [x, y] => f[z = 2 * cell - 1] * f[x + 1, z = cell - 2] + f[z = cell + 1]
output squares = grad(f => sum((loop s = f[x = 0] for i in 0 .. 12 => 0.5 * s + f[x = i]^2)^2))(f)
output coarse_map = map q in [coarsen(x, 2), y] => q[x] + 100 * q[y] + index(q, x)
output wave = { let wave = fft(coarsen(f, 2, over = (x, y))); real(ifft(map k in wave => 2 * wave)) }
let above = f > 0
output flags = map q in coarsen(f, 2) => if coarsen(above, 2) then 1 else 0
""")
    return "\n".join(lines)


def check(folder):
    def read(name):
        with h5py.File(os.path.join(folder, name + ".h5")) as file:
            return file[name][()]

    f, g = read("f"), read("g")
    sweep, row = f[:, :, 0], f[0]
    for i in range(4):
        sweep = 0.5 * sweep + f[:, :, i]
    states = [f[0]]
    for i in range(12):
        row = 0.5 * row + f[i] * f[3, :, 1][:, None]
        states.append(0.5 * states[-1] + f[i] ** 2)
    slope = np.zeros_like(f)
    cotangent = 2 * states[-1]
    for i in reversed(range(12)):
        slope[i] += 2 * f[i] * cotangent
        cotangent = 0.5 * cotangent
    slope[0] += cotangent
    computed = f[:, :, 3] * np.roll(f[:, :, 0], -1, 0) + f[:, :, 3]
    expected = {"swept": sweep, "row": row, "computed": computed, "squares": slope, "wave": 2 * f[::2, ::2], "flags": f[::2, ::2, ::2] > 0,
                "coarse_map": np.arange(6)[:, None] / 6 + 100 * np.arange(18)[None] / 18 + np.arange(6)[:, None]}
    for i, (_, of) in enumerate(CASES):
        expected[f"real{i}"], expected[f"imag{i}"] = of(f), of(2 * g)
        if '"] + 1,' in CASES[i][0]:
            expected[f"imag{i}"] -= 1
    for name, wanted in expected.items():
        found = read(name)
        if found.shape != wanted.shape or not np.allclose(found, wanted, 1e-13, 1e-13):
            which = CASES[int(name[4:])][0] if name[4:].isdigit() else name
            sys.exit(f"{folder}: {name} ({which}) is not NumPy's: {found.shape}, {wanted.shape}, "
                     + (str(np.abs(found - wanted).max()) if found.shape == wanted.shape else ""))


def main():
    for mesh, command, out, text in meshes.runs("views", spec()):
        check(out)
        meshes.check_pairs(mesh, text, len(CASES), lambda case: CASES[int(case)][0])
        wrong = subprocess.run([*command, "--cell=4"], stderr=subprocess.PIPE, text=True, check=False)
        if wrong.returncode == 0 or not re.search(r"views\.pm:\d+:\d+.*there is no cell 4 of 'z', which has 0 to 3",
                                                  wrong.stderr):
            sys.exit(f"{mesh}: cell 4 of 4 is not an error with its line: {wrong.stderr}")
    print(f"{len(CASES)} cases on {len(sys.argv) - 3} meshes")


if __name__ == "__main__":
    main()
