#!/usr/bin/env python3
"""Reading neighbors, against NumPy: every edge, dims of one to seven cells, offsets beyond a shard.

    neighbors.py PMC FOLDER MESHES...

A case is a field, offsets and edges. The program writes the field that reads there, which must have NumPy's bits on
every mesh, and prints <S v, w> and <v, S^T w>."""
import os
import sys

import h5py
import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), ".."))
import meshes  # pylint: disable=wrong-import-position

EDGES = {"periodic": "wrap", "zero": "constant", "clamp": "edge", "reflect": "reflect"}
SIZES = {"x": 7, "y": 5, "z": 3, "w": 1}
HEADER = "\n".join(f"dim {name} = {size} over 1" for name, size in SIZES.items()) + """
dim p = 5, q = 3 over 1
mesh ranks(row = 1, col = 1)
layout x -> row, y -> col
fn noise(seed) = white_noise[x, y, z](seed)
"""
# Dims of the field; offsets; edges, one a dim with an offset.
CASES = [
    ("xyz", {"x": 1}, ["periodic"]),
    ("xyz", {"z": -1, "y": 2}, ["periodic"] * 2),
    ("xyz", {"x": -10, "z": 4}, ["periodic"] * 2),
    ("xyz", {"x": 3, "y": -3, "z": -1}, ["zero"] * 3),
    ("xyz", {"x": -9}, ["zero"]),
    ("xyz", {"x": 2, "z": 2}, ["clamp"] * 2),
    ("xyz", {"x": -6, "y": -4, "z": -2}, ["clamp"] * 3),
    ("xyz", {"y": 90}, ["clamp"]),
    ("xyz", {"x": 6, "y": -4}, ["reflect"] * 2),
    ("xyz", {"x": -1, "y": 1, "z": 2}, ["reflect"] * 3),
    ("xyz", {"x": 2, "y": -1, "z": 1}, ["clamp", "zero", "reflect"]),
    ("xyz", {"x": -2, "y": 3, "z": 1}, ["reflect", "periodic", "clamp"]),
    ("zyx", {"x": 1, "y": -2}, ["reflect", "zero"]),
    ("zyx", {"x": -2, "z": 1}, ["clamp", "periodic"]),
    ("zx", {"x": -1, "z": 2}, ["periodic", "reflect"]),
    ("yw", {"y": -1, "w": 3}, ["clamp", "periodic"]),
    ("x", {"x": 2}, ["reflect"]),
    ("x", {"x": -3}, ["zero"]),
    ("y", {"y": 4}, ["clamp"]),
]


def index_of(offsets, edges):
    inside = ", ".join(f"{dim} {'+-'[offset < 0]} {abs(offset)}" for dim, offset in offsets.items())
    names = ", ".join(f'"{edge}"' for edge in edges)
    return inside + ("" if set(edges) == {"periodic"} else f", edge = ({names})" if len(edges) > 1 else f", edge = {names}")


def spec():
    lines = [HEADER]
    for i, (dims, offsets, edges) in enumerate(CASES):
        listed, index = ", ".join(dims), index_of(offsets, edges)
        lines.append(f"fn shifted{i}(f) = f[{index}]")
        lines.append(f"let v{i} = white_noise[{listed}]({i})")
        lines.append(f"output input{i} = v{i}")
        lines.append(f"output plain{i} = v{i}[{index}]")
        # In a map, with a neighbor more and a product, of a complex field and of one of bools.
        lines.append(f"output fused{i} = map q in v{i} => v{i} * v{i}[{index}] + 2")
        lines.append(f"output whole{i} = imag((v{i} + 2i * v{i})[{index}])")
        lines.append(f"let above{i} = v{i} > 0.1")
        lines.append(f"output steps{i} = map q in v{i} => if above{i}[{index}] then 1 else 0")
        lines.append(f"let w{i} = white_noise[{listed}]({i} + 100)")
        lines.append(f"let (value{i}, back{i}) = vjp(shifted{i})(v{i}, cotangent = w{i})")
        lines.append(f"output back{i}")
        lines.append(f'print "pair {i} {{:.17e}} {{:.17e}} {{:.17e}}", inner(value{i}, w{i}), inner(v{i}, back{i}), '
                     f"sqrt(inner(value{i}, value{i}) * inner(w{i}, w{i}))")
        lines.append(f"let u{i} = white_noise[{listed}]({i} + 200) + 1i * w{i}")
        lines.append(f"let (wave{i}, echo{i}) = vjp(shifted{i})(u{i}, cotangent = v{i} - 1i * w{i})")
        lines.append(f'print "pair c{i} {{:.17e}} {{:.17e}} {{:.17e}}", inner(wave{i}, v{i} - 1i * w{i}), inner(u{i}, echo{i}), '
                     f"sqrt(inner(wave{i}, wave{i}) * 2 * inner(w{i}, w{i}))")
    # Fields over fewer dims than the map, a vector, shift(), and neighbors of neighbors.
    lines.append("""
let line = white_noise[y](1)
let block = noise(2)
output line
output block
output broadcast = map q in block => block * line[y + 1] + block[y - 1] * line
output pair (a, b) = shift((block, 2 block), x = 2, z = -1, edge = "clamp")
output chain = block[x + 1][x + 2, edge = "zero"][y - 1][z + 1, edge = "clamp"][z + 1, edge = "clamp"]
output turned = block[x - 2, edge = "zero"][x + 1, edge = "zero"][y + 2, edge = "clamp"][y - 2, edge = "clamp"]
output crossed = map q in block => total(for d in (x, y, z) => block[d + 1] - block[d - 1])
output sums = sum(map q in block => block * block[x + 1], over = (x, z))
output number = sum(map q in block => block * block[z - 1, edge = "reflect"])
let both = bins q in block into 4 by 2 + block[y + 2] => (block[x + 1], 1)
output counted = both[0]
let sheets = white_noise[p, q, y](3)
output sheets
let waves = fft(sheets, over = (p, q))
let mixed = map k in waves => index(k, p) * norm2(waves) + imag(waves)
output modes = sum(map k in waves => norm2(waves[y + 1]) + index(k, q) * imag(waves[y - 1, edge = "clamp"]))
output stored = sum(map k in mixed => mixed[y + 1] * mixed * (1 + index(k, p)))
""")
    return "\n".join(lines)


def moved(field, dims, offsets, edges):
    """f(i + o), by padding each dim."""
    for (dim, offset), edge in zip(offsets.items(), edges):
        axis = dims.index(dim)
        if edge == "periodic":
            field = np.roll(field, -offset, axis)
            continue
        widths = [(0, 0)] * field.ndim
        widths[axis] = (max(-offset, 0), max(offset, 0))
        padded = np.pad(field, widths, mode=EDGES[edge])
        first = max(offset, 0)
        field = np.take(padded, range(first, first + field.shape[axis]), axis)
    return field


def check(folder):
    def read(name, column=None):
        with h5py.File(os.path.join(folder, name + ".h5")) as file:
            data = file[name][()]
            return data if column is None else data[..., column]

    for i, (dims, offsets, edges) in enumerate(CASES):
        f = read(f"input{i}")
        g = moved(f, dims, offsets, edges)
        wanted = {"plain": g, "fused": f * g + 2, "whole": 2 * g,
                  "steps": np.where(moved(np.where(f > 0.1, 1.0, 0.0), dims, offsets, edges) > 0, 1.0, 0.0)}
        for name, expected in wanted.items():
            found = read(name + str(i))
            # A product and a sum may be one operation.
            if not (np.array_equal(found, expected) or name == "fused" and np.allclose(found, expected, 1e-15, 1e-15)):
                sys.exit(f"{folder}: {name}{i} of {CASES[i]} is not NumPy's: {np.abs(found - expected).max()}")
    line, block = read("line"), read("block")
    across = lambda f: f[None, :, None]
    ring = lambda offset, axis: np.roll(block, -offset, axis)
    a = moved(block, "xyz", {"x": -2, "z": 1}, ["clamp"] * 2)
    chain = moved(block, "xyz", {"x": 1}, ["periodic"])
    for offsets, edge in [({"x": 2}, "zero"), ({"y": -1}, "periodic"), ({"z": 1}, "clamp"), ({"z": 1}, "clamp")]:
        chain = moved(chain, "xyz", offsets, [edge])
    # There and back: what is beyond an edge once stays there.
    turned = block
    for offsets, edge in [({"x": -2}, "zero"), ({"x": 1}, "zero"), ({"y": 2}, "clamp"), ({"y": -2}, "clamp")]:
        turned = moved(turned, "xyz", offsets, [edge])
    waves = np.fft.fft2(read("sheets"), axes=(0, 1)) / 15
    kp, kq = (np.fft.fftfreq(n, 1 / n).reshape(shape) for n, shape in ((5, (-1, 1, 1)), (3, (1, -1, 1))))
    mixed = kp * np.abs(waves) ** 2 + waves.imag
    where = np.floor(2 + ring(2, 1)).astype(int)
    inside = (where >= 0) & (where < 4)
    for name, column, expected in [
            ("broadcast", None, block * across(np.roll(line, -1)) + ring(-1, 1) * across(line)),
            ("pair", 0, a), ("pair", 1, 2 * a), ("chain", None, chain),
            ("turned", None, turned),
            ("crossed", None, sum(ring(1, d) - ring(-1, d) for d in range(3))),
            ("sums", None, (block * ring(1, 0)).sum((0, 2))),
            ("number", None, (block * moved(block, "xyz", {"z": -1}, ["reflect"])).sum()),
            ("modes", None, (np.abs(waves) ** 2 + kq * moved(waves, "pqy", {"y": -1}, ["clamp"]).imag).sum()),
            ("stored", None, (np.roll(mixed, -1, 2) * mixed * (1 + kp)).sum()),
            ("counted", None, np.bincount(where[inside], ring(1, 0)[inside], 4))]:
        found = read(name, column)
        if not np.allclose(found, expected, 1e-13, 1e-13):
            sys.exit(f"{folder}: {name} is not NumPy's: {np.abs(found - expected).max()}")


def main():
    for mesh, _, out, text in meshes.runs("neighbors", spec()):
        check(out)
        meshes.check_pairs(mesh, text, 2 * len(CASES))
    print(f"{len(CASES)} cases on {len(sys.argv) - 3} meshes")


if __name__ == "__main__":
    main()
