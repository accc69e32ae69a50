#!/usr/bin/env python3
"""Coarse fields that finer ones read, on ranks whose parts of the two begin at different places, against NumPy.

    unaligned.py PMC FOLDER"""
import os
import subprocess
import sys

import h5py
import numpy as np

RANKS = (1, 2, 3, 4)
OFFSETS = (-9, -5, -3, -2, -1, 1, 2, 3, 5, 9)
EDGES = {"reflect": "reflect", "clamp": "edge", "zero": "constant", "periodic": "wrap"}
CELLS = {3: 12, 4: 20, 5: 20}  # of factors; five cells on two ranks are a half apart from twenty


def edged(f, offset, edge):
    """f[x + offset] with an edge."""
    first = max(offset, 0)
    return np.pad(f, (max(-offset, 0), first), mode=EDGES[edge])[first:first + len(f)]


def cases(n):
    """Texts, and what NumPy makes of f."""
    for edge in EDGES:
        for offset in OFFSETS:
            index = '[x + (%d), edge = "%s"]' % (offset, edge)
            yield ("refine(coarsen(f, %d), %d)%s" % (n, n, index),
                   lambda f, offset=offset, edge=edge: edged(np.repeat(f[::n], n), offset, edge))
            yield "refine(f, %d)%s" % (n, index), lambda f, offset=offset, edge=edge: edged(np.repeat(f, n), offset, edge)
            yield "coarsen(f%s, %d)" % (index, n), lambda f, offset=offset, edge=edge: edged(f, offset, edge)[::n]


def main():
    pmc, folder = sys.argv[1].split(), sys.argv[2]
    os.makedirs(folder, exist_ok=True)
    wrong = 0
    for n, cells in CELLS.items():
        texts, functions = zip(*cases(n))
        spec, program = os.path.join(folder, "spec.pm"), os.path.join(folder, "program")
        with open(spec, "w", encoding="utf-8") as file:
            file.write("dim x = %d\nmesh ranks(row = 1)\nlayout x -> row\nlet f = white_noise[x](1)\noutput f\n" % cells)
            file.writelines("output o%d = %s\n" % (i, text) for i, text in enumerate(texts))
        subprocess.run([*pmc, "--precision=f64", "-O0", spec, "-o", program], check=True)
        for ranks in RANKS:
            out = os.path.join(folder, "out%d" % ranks)
            subprocess.run([program, "--mesh=row=%d" % ranks, "--threads=1", "--quiet", "--out", out], check=True)

            def read(name, out=out):
                with h5py.File(os.path.join(out, name + ".h5")) as file:
                    return file[name][()]
            f = read("f")
            for i, function in enumerate(functions):
                found, expected = read("o%d" % i), function(f)
                if found.shape != expected.shape or np.abs(found - expected).max() > 1e-12:
                    print("%d cells on %d ranks: %s is %s, expected %s" % (cells, ranks, texts[i], found, expected))
                    wrong += 1
    return wrong > 0


if __name__ == "__main__":
    sys.exit(main())
