#!/usr/bin/env python3
"""Fields read at ints that elements compute, and bins into named dims, against NumPy, on shards of odd sizes.

    gather.py PMC FOLDER MESHES...

A case is an expression of f, of the ints P and Q and of the map's indices, and what NumPy makes of them. The program writes it
of a real and of a complex field, and of one of ints, and prints <V f, w> and <f, V^T w>."""
import os
import re
import subprocess
import sys

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
import meshes  # pylint: disable=wrong-import-position

HEADER = """
param off: int = 2
param by: int = 5
dim x = 12, y = 9, z = 4 over 1
dim u = 7, v = 10
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col, u -> row
let f = white_noise[x, y, z](1)
let g = white_noise[x, y, z](2)
let k = int(1000 * white_noise[x, y, z](3))
let P = map q in [u, v] => mod(5 * int(index(q, u))^2 + 3 * int(index(q, v)) - by, 12)
let Q = map q in [v] => div(int(index(q, v)) * 8, 9)
let R = int(100 * white_noise[u, v](4))
output f
output g
output k
output P
output R
"""
u, v = np.meshgrid(np.arange(7), np.arange(10), indexing="ij")
x, y, z = np.meshgrid(np.arange(12), np.arange(9), np.arange(4), indexing="ij")
P = (5 * u**2 + 3 * v - 5) % 12
Q = np.arange(10) * 8 // 9
UNFOLD = {"periodic": lambda i, n: i % n, "clamp": lambda i, n: np.clip(i, 0, n - 1),
          "reflect": lambda i, n: np.where(np.abs(i) < n, np.abs(i), 2 * (n - 1) - np.abs(i))}


def at(f, axis, index, edge):
    """f at these cells of an axis, whose dims come first."""
    cells = f.shape[axis]
    moved = np.moveaxis(f, axis, 0)
    if edge != "zero":
        return moved[UNFOLD[edge](index, cells)]
    inside = (index >= 0) & (index < cells)
    mask = inside.reshape(inside.shape + (1,) * (f.ndim - 1))
    return np.where(mask, moved[np.where(inside, index, 0)], 0)


CASES = [
    ("f[x = P]", lambda f: f[P]),
    ("f[y = Q]", lambda f: f[:, Q]),
    ("f[x = P, y = Q]", lambda f: f[P, Q]),
    ("f[y = Q, x = P, z = mod(P, 4)]", lambda f: f[P, Q, P % 4]),
    ("f[x = P - 4, edge = \"zero\"]", lambda f: at(f, 0, P - 4, "zero")),
    ("f[x = 3 * P - 40, edge = \"periodic\"]", lambda f: at(f, 0, 3 * P - 40, "periodic")),
    ("f[x = 2 * P - off, edge = \"clamp\"]", lambda f: at(f, 0, 2 * P - 2, "clamp")),
    ("f[x = 2 * P - 4, edge = \"reflect\"]", lambda f: at(f, 0, 2 * P - 4, "reflect")),
    ("f[x = P, y = P - 3, edge = (\"periodic\", \"zero\")]",
     lambda f: np.where((P >= 3)[..., None] & (P < 12)[..., None], f[P, np.maximum(P - 3, 0)], 0)),
    ("map q in [v, x, z] => f[y = Q]", lambda f: np.moveaxis(f[:, Q], 1, 0)),
    ("map q in [x, y, z] => f[x = mod(7 * index(q, y) + index(q, z), 12)]" .replace("7 * index(q, y) + index(q, z)",
     "7 * int(index(q, y)) + int(index(q, z))"), lambda f: f[(7 * y + z) % 12, y, z]),
    ("map q in [x, y, z] => f[x = index(q, y), y = div(index(q, x), 2)]", lambda f: f[y, x // 2, z]),
    ("f[y = y + T, edge = \"periodic\"]", lambda f: f[x, (y + x % 5) % 9, z]),
    ("map q in [u, v, z] => if P < 9 then f[x = 2, y = P] else 0", lambda f: np.where((P < 9)[..., None], f[2][P % 9], 0)),
    ("map q in [u, v, z] => f[x = P] * f[x = 11 - P, y = Q]" .replace("f[x = P] * ", "f[x = P, y = Q] + 2 * "),
     lambda f: f[P, Q] + 2 * f[11 - P, Q]),
    ("f[x = P][y = Q]", lambda f: f[P, :][:, np.arange(10), Q]),
    ("(f[x = P] + 1)[u + 1]", lambda f: np.roll(f[P] + 1, -1, 0)),
]
OF_INTS = {0, 2, 4, 5, 10}


def spec():
    lines = [HEADER, "let T = map q in [x] => mod(int(index(q, x)), 5)"]
    for i, (text, _) in enumerate(CASES):
        lines.append(f"fn read{i}(f) = {text}")
        lines.append(f"let v{i} = read{i}(f)")
        lines.append(f"output real{i} = v{i}")
        lines.append(f"output imag{i} = imag(read{i}(f + 2i * g))")
        if i in OF_INTS:
            lines.append(f"output ints{i} = read{i}(k)")
        lines.append(f"let w{i} = sin(3 * v{i}) + 0.1")
        lines.append(f"let (value{i}, back{i}) = vjp(read{i})(f, cotangent = w{i})")
        lines.append(f"let base{i} = read{i}(0 * f)")
        lines.append(f'print "pair {i} {{:.17e}} {{:.17e}} {{:.17e}}", inner(jvp(read{i})(f, tangent = g)[1], w{i}), '
                     f"inner(g, back{i}), sqrt(inner(g, g) * inner(w{i}, w{i}))")
    lines.append("""
let above = f > 0
output flags = map q in [u, v, y, z] => if above[x = P] then 1 else 0
output vectors = total((f, 2 * f)[x = P])
output swept = loop s = f[x = P, y = Q] for i in 0 .. off => 0.5 * s + f[x = mod(P + i, 12), y = Q]
output cubes = grad(f => sum(f[x = P, y = Q]^3))(f)
output hessian = jvp(grad(f => sum(f[x = P, y = Q]^3)))(f, tangent = g)[1]
let both = f + 1i * g
output waves = map q in [u, v] => imag(both[x = P, y = Q, z = 3]^2)
let (n, mass) = bins q in [u, v] into (x, z) by (P, mod(R, 5)) => (1, R * 0.5)
output binned (n, mass) = (n, mass)
output along = bins q in [u, v] into x by P => 1
output far = bins q in f into (y, x) by (9 * f + 4, index(q, x)) => g
let phase = map q in [u, v] => sin(q[u] + 2 * q[v])
fn moments(w) = bins q in w into (x, z) by (P, mod(R, 5)) => w^2
output weights = vjp(moments)(phase, cotangent = mass)[1]
output phase
output once = jvp(grad(w => sum(moments(w)^2)))(phase, tangent = 0 * phase + 1)[1]
output order (P, R, both) = (P, R, P + R)
output large = P + 9007199254740993 + 2^62
output k_to_real = k + 0.5
print "ints {} {} {}", int(sum(k)), int(max(k)), div(int(min(k)), 7)
""")
    return "\n".join(lines)


def check(folder, text):
    def read(name):
        with h5py.File(os.path.join(folder, name + ".h5")) as file:
            return file[name][()]

    f, g, k, r = read("f"), read("g"), read("k"), read("R")
    swept = f[P, Q]
    for i in range(2):
        swept = 0.5 * swept + f[(P + i) % 12, Q]

    def back(values, *places, dims):
        sums = np.zeros(dims)
        np.add.at(sums, places, values)
        return sums

    taken = f[P, Q]
    cubes = back(3 * taken**2, P, Q, dims=f.shape)
    hessian = back(6 * taken * g[P, Q], P, Q, dims=f.shape)
    inside = (r % 5 < 4)
    n = back(inside * 1.0, P, np.minimum(r % 5, 3), dims=(12, 4))
    mass = back(inside * r * 0.5, P, np.minimum(r % 5, 3), dims=(12, 4))
    bins = np.floor(9 * f + 4).astype(int)
    hit = (bins >= 0) & (bins < 9)
    far = back(np.where(hit, g, 0), np.where(hit, bins, 0), x, dims=(9, 12))
    phase = read("phase")
    weights = np.where(inside, mass[P, np.minimum(r % 5, 3)], 0) * 2 * phase
    squares = back(inside * phase**2, P, np.minimum(r % 5, 3), dims=(12, 4))
    tangent = back(inside * 2 * phase, P, np.minimum(r % 5, 3), dims=(12, 4))
    cell = (P, np.minimum(r % 5, 3))
    once = np.where(inside, 2 * tangent[cell] * 2 * phase + 2 * squares[cell] * 2, 0)
    both = f + 1j * g
    expected = {"P": P, "flags": (f > 0)[P], "vectors": 3 * f[P], "swept": swept, "cubes": cubes, "hessian": hessian,
                "waves": (both[P, Q, 3]**2).imag, "binned": np.stack([n, mass], -1), "along": back(1.0, P, dims=(12,)),
                "far": far, "weights": weights, "once": once, "order": np.stack([P, r, P + r], -1),
                "large": P + 9007199254740993 + 2**62, "k_to_real": k + 0.5}
    for name in ("k", "P", "order", "large"):
        if read(name).dtype != np.int64:
            sys.exit(f"{name} is {read(name).dtype}, expected int64")
    for i, (_, of) in enumerate(CASES):
        expected[f"real{i}"], expected[f"imag{i}"] = of(f), of(2 * g) - (of(0 * g) if i == 16 else 0)
        if i in OF_INTS:
            expected[f"ints{i}"] = of(k)
    for name, wanted in expected.items():
        found = read(name)
        good = found.shape == wanted.shape and (
            np.array_equal(found, wanted) if found.dtype == np.int64 else np.allclose(found, wanted, 1e-13, 1e-13))
        if not good:
            which = CASES[int(name[4:])][0] if name[4:].isdigit() else name
            sys.exit(f"{folder}: {name} ({which}) is not NumPy's: {found.shape}, {wanted.shape}, "
                     + (str(np.abs(found - wanted).max()) if found.shape == wanted.shape else ""))
    numbers = [int(number) for number in re.search(r"ints (\S+) (\S+) (\S+)", text).groups()]
    if numbers != [k.sum(), k.max(), k.min() // 7]:
        sys.exit(f"{folder}: the ints are {numbers}")


def main():
    for mesh, command, out, text in meshes.runs("gather", spec()):
        check(out, text)
        meshes.check_pairs(mesh, text, len(CASES), lambda case: CASES[int(case)][0])
        wrong = subprocess.run([*command, "--off=30"], stderr=subprocess.PIPE, text=True, check=False)
        if wrong.returncode != 0:
            sys.exit(f"{mesh}: clamped indices are an error: {wrong.stderr}")
    print(f"{len(CASES)} cases on {len(sys.argv) - 3} meshes")


if __name__ == "__main__":
    main()
