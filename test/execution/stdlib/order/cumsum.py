#!/usr/bin/env python3
"""Sums along dims against NumPy's, for cells that are powers of two, odd, prime, and one.

    cumsum.py PMC FOLDER MESHES..."""
import os
import sys

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", ".."))
import meshes  # pylint: disable=wrong-import-position

SIZES = {"x": 16, "s": 512, "y": 12, "z": 7, "u": 1, "v": 97, "w": 40}
# Below, at and above powers of two, where the number of halvings and of doublings changes; of odd numbers of more than 64 pairs, too.
LENGTHS = (2, 3, 63, 64, 65, 127, 128, 129, 131, 254, 257, 259, 1030)
SIZES.update({f"d{n}": n for n in LENGTHS})
CASES = [("x", "x"), ("xyz", "x"), ("xyz", "y"), ("xyz", "z"), ("xy", "xy"), ("yu", "u"), ("vz", "v"), ("zw", "w"), ("wv", "vw"), ("sy", "s"), ("s", "s")] + [((f"d{n}",), (f"d{n}",)) for n in LENGTHS]
HEADER = "use fields\n" + "".join(f"dim {name} = {cells} over 1\n" for name, cells in SIZES.items()) + """
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col, v -> row, w -> col, s -> row
"""


def spec():
    lines = [HEADER]
    for i, (dims, over) in enumerate(CASES):
        listed = ", ".join(dims)
        names = over[0] if len(over) == 1 else "(" + ", ".join(over) + ")"
        lines.append(f"""let f{i} = white_noise[{listed}]({i})
let g{i} = white_noise[{listed}]({i} + 50)
fn of{i}(f) = cumsum(f, over = {names})
output f{i}
output sums{i} = of{i}(f{i})
output waves{i} = imag(of{i}(f{i} + 2i * f{i}))
let (value{i}, back{i}) = vjp(of{i})(f{i}, cotangent = g{i})
print "pair {i} {{:.17e}} {{:.17e}} {{:.17e}}", inner(value{i}, g{i}), inner(f{i}, back{i}), sqrt(inner(value{i}, value{i}) * inner(g{i}, g{i}))
""")
    lines.append("""
let (a, b) = cumsum((f1, f1^2), over = z)
output pairs = a + b
output before = cumsum(f1, over = y)[y - 1, edge = "zero"]
output slope = grad(f => sum(cumsum(f, over = x)^3))(f1)
""")
    return "\n".join(lines)


def main():
    first = {}
    for mesh, _, out, text in meshes.runs("cumsum", spec()):
        def read(name, folder=out):
            with h5py.File(os.path.join(folder, name + ".h5")) as file:
                return file[name][()]
        wanted = {}
        for i, (dims, over) in enumerate(CASES):
            sums = read(f"f{i}")
            for dim in over:
                sums = np.cumsum(sums, axis=dims.index(dim))
            wanted[f"sums{i}"], wanted[f"waves{i}"] = sums, 2 * sums
        f = read("f1")
        wanted["pairs"] = np.cumsum(f + f**2, axis=2)
        wanted["before"] = np.cumsum(f, axis=1) - f
        wanted["slope"] = np.cumsum((3 * np.cumsum(f, axis=0) ** 2)[::-1], axis=0)[::-1]
        for name, expected in wanted.items():
            found = read(name)
            if not np.allclose(found, expected, 1e-13, 1e-12):
                sys.exit(f"{mesh}: {name} is not NumPy's: {np.abs(found - expected).max()}")
            if not np.array_equal(first.setdefault(name, found), found):
                sys.exit(f"{mesh}: {name} has other bits than on the first mesh")
        meshes.check_pairs(mesh, text, len(CASES), lambda case: CASES[int(case)])
    print(f"{len(CASES)} cases on {len(sys.argv) - 3} meshes")


if __name__ == "__main__":
    main()
