#!/usr/bin/env python3
"""Readings at every offset around the limits of each edge, and their transposes, against matrices in NumPy: every_offset.py PMC FOLDER

Cell p of a view reads cell step * p + offset of N cells: below, at and beyond each of -2N, -N, 0, N and 2N, from the first cell of the view
and from its last one. A periodic index goes around, also more than once; a reflected one stays within one reflection."""
import itertools
import os
import shlex
import subprocess
import sys

import h5py
import numpy as np

N = 5
EDGES = ("zero", "periodic", "clamp", "reflect")
# Readers and steps; 0 readers: f[x + offset].
VIEWS = ((0, 1), (1, 1), (4, 1), (6, 1), (3, 2), (3, 5))


def cell(i, edge):
    """The cell that index i reads; none: 0; outside of what is allowed: an error."""
    if 0 <= i < N:
        return i
    if edge == "periodic":
        return i % N
    if edge == "clamp":
        return min(max(i, 0), N - 1)
    if edge == "reflect":
        i = -i if i < 0 else 2 * (N - 1) - i
        if not 0 <= i < N:
            raise IndexError
        return i
    return None


def matrix(readers, step, offset, edge):
    """M[p, j]: 1 where p reads j; None if the language refuses it."""
    found = np.zeros((readers or N, N))
    for p in range(readers or N):
        try:
            j = cell(step * p + offset, edge)
        except IndexError:
            return None
        if j is not None:
            found[p, j] = 1
    return found


def cases():
    for (v, (readers, step)), edge in itertools.product(enumerate(VIEWS), EDGES):
        last = step * ((readers or N) - 1)
        near = {base + d for base in (-2 * N, -N, 0, N, 2 * N) for d in (-1, 0, 1)}
        for offset in sorted(near | {one - last for one in near}):
            wanted = matrix(readers, step, offset, edge)
            # A plain shift goes around once.
            if wanted is not None and not (readers == 0 and abs(offset) > N):
                sign = f"m{-offset}" if offset < 0 else str(offset)
                yield f"v{v}{edge}{sign}", v, readers, step, offset, edge, wanted


def spec():
    lines = ["dim " + ", ".join([f"x = {N}"] + [f"p{v} = {readers}" for v, (readers, _) in enumerate(VIEWS) if readers]) + " over 1",
             "let f = white_noise[x](1)", "output f"]
    for v, (readers, _) in enumerate(VIEWS):
        lines += [f"let g{v} = white_noise[{f'p{v}' if readers else 'x'}]({v + 2})", f"output g{v}"]
    for name, v, readers, step, offset, edge, _ in cases():
        index = f"x = {step} * p{v} + {offset}" if readers else f"x + {offset}"
        lines += [f'let (a_{name}, b_{name}) = vjp(f => f[{index.replace("+ -", "- ")}, edge = "{edge}"])(f, cotangent = g{v})',
                  f"output a_{name}", f"output b_{name}"]
    return "\n".join(lines) + "\n"


def main():
    pmc, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    path, program, out = (os.path.join(folder, name) for name in ("offsets.pm", "offsets", "out"))
    with open(path, "w", encoding="utf-8") as file:
        file.write(spec())
    subprocess.run([*shlex.split(pmc), "-O0", "--precision=f64", path, "-o", program], check=True)
    subprocess.run([program, "--quiet", "--out", out], check=True)

    def read(name):
        with h5py.File(os.path.join(out, name + ".h5")) as file:
            return file[name][()]
    f, wrong, count = read("f"), 0, 0
    for name, v, *case, wanted in cases():
        count += 1
        for found, expected in ((read(f"a_{name}"), wanted @ f), (read(f"b_{name}"), wanted.T @ read(f"g{v}"))):
            if not np.allclose(found, expected, 0, 1e-13):
                print(f"{case}: found {found}, expected {expected}")
                wrong += 1
    print(f"{count} readings, {wrong} wrong")
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
