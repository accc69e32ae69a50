#!/usr/bin/env python3
"""Convolutions, their transposes and pooling of every size, stride and edge against sums in NumPy: sizes.py PMC FOLDER"""
import itertools
import os
import shlex
import subprocess
import sys

import h5py
import numpy as np

EDGES = ("zero", "periodic", "clamp", "reflect")
SIZES, STRIDES = (1, 2, 3, 4, 5), (1, 2, 3)
CELLS = {"x": 12, "y": 6}
OVER = ("x", "y", "x, y")


def cell(i, n, edge):
    """The cell that index i reads, or none."""
    if 0 <= i < n:
        return i
    if edge == "periodic":
        return i % n
    if edge == "clamp":
        return min(max(i, 0), n - 1)
    if edge == "reflect":
        return -i if i < 0 else 2 * (n - 1) - i
    return None


def reading(n, size, stride, before, edge):
    """R[i, t, j]: 1 where tap t of cell i reads cell j."""
    matrix = np.zeros((n // stride, size, n))
    for i, t in itertools.product(range(n // stride), range(size)):
        j = cell(stride * i + t - before, n, edge)
        if j is not None:
            matrix[i, t, j] = 1
    return matrix


def cases():
    """(name, kind, over, size, stride, edge)"""
    for over, size, stride, edge in itertools.product(OVER, SIZES, STRIDES, EDGES):
        # In two dims some; a reflection is at most as far as the cells.
        if over == "x, y" and (size, edge) not in ((2, "zero"), (3, "reflect"), (4, "clamp")):
            continue
        yield from ((f"{kind}{'xy' if ',' in over else over}{size}{stride}{edge}", kind, over, size, stride, edge) for kind in ("conv", "up"))
    for over, size in itertools.product(OVER, (2, 3, 6)):
        for kind in ("max", "mean"):
            yield (f"{kind}{'xy' if ',' in over else over}{size}", kind, over, size, size, "zero")


def spec():
    lines = ["use nn", "dim c = 2, o = 3", f"dim x = {CELLS['x']}, y = {CELLS['y']} over 1", "let f = white_noise[c, x, y](1)", "output f"]
    shown = set()
    for name, kind, over, size, stride, edge in cases():
        taps = ", ".join(f"piece({d}, {size})" for d in over.split(", "))
        coarse = ", ".join(f"coarsen({d}, {stride})" if d in over else d for d in CELLS)
        weight, small = f"w{len(over)}{over[0]}{size}", f"g{len(over)}{over[0]}{stride}"
        if kind in ("conv", "up") and weight not in shown:
            lines += [f"let {weight} = white_noise[o, c, {taps}]({len(shown) + 2})", f"output {weight}"]
            shown.add(weight)
        if kind == "up" and small not in shown:
            lines += [f"let {small} = white_noise[o, {coarse}]({len(shown) + 2})", f"output {small}"]
            shown.add(small)
        rest = f"({over}), size = {size}" if kind in ("max", "mean") else \
            f"{{weight = {weight}, bias = 0}}, c, ({over}), size = {size}, stride = {stride}, edge = \"{edge}\""
        call = {"conv": f"conv(f, {rest})", "up": f"up_conv[c, x, y]({small}, {rest})", "max": f"max_pool(f, {rest})",
                "mean": f"mean_pool(f, {rest})"}[kind]
        lines.append(f"output {name} = {call}")
    return "\n".join(lines) + "\n"


def expected(read, kind, over, size, stride, edge):
    dims = over.split(", ")
    f = read("f")
    before = (size - 1) // 2 if kind == "conv" else (size - stride + 1) // 2 if kind == "up" else 0
    weight, small = f"w{len(over)}{over[0]}{size}", f"g{len(over)}{over[0]}{stride}"
    # Of a dim that is not in `over`: each cell reads itself, by one tap.
    matrices = [reading(CELLS[d], size, stride, before, edge) if d in dims else reading(CELLS[d], 1, 1, 0, edge) for d in CELLS]
    if kind in ("max", "mean"):
        windows = np.einsum("csu,its,jru->cijtr", f, *matrices)
        windows = windows.reshape(*windows.shape[:3], -1)
        return windows.max(axis=-1) if kind == "max" else windows.mean(axis=-1)
    w = read(weight).reshape(3, 2, *(m.shape[1] for m in matrices))
    if kind == "conv":
        return np.einsum("octr,csu,its,jru->oij", w, f, *matrices)
    return np.einsum("octr,oij,its,jru->csu", w, read(small), *matrices)


def main():
    pmc, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    path, program, out = (os.path.join(folder, name) for name in ("sizes.pm", "sizes", "out"))
    with open(path, "w", encoding="utf-8") as file:
        file.write(spec())
    subprocess.run([*shlex.split(pmc), "-O0", "--precision=f64", path, "-o", program], check=True)
    subprocess.run([program, "--quiet", "--out", out], check=True)

    def read(name):
        with h5py.File(os.path.join(out, name + ".h5")) as file:
            return file[name][()]
    wrong = count = 0
    for name, *case in cases():
        wanted, found = expected(read, *case), read(name)
        count += 1
        if found.shape != wanted.shape or np.abs(found - wanted).max() > 1e-12:
            print(f"{name}: found {found.shape}, {found.ravel()[:4]}, expected {wanted.shape}, {wanted.ravel()[:4]}")
            wrong += 1
    print(f"{count} layers, {wrong} wrong")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
