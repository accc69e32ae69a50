#!/usr/bin/env python3
"""Columns of text: text.py PROGRAM_F64 PROGRAM_F32 FOLDER."""
import os
import subprocess
import sys

import numpy as np

double, single, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
NAMES = "power line both vector pair mask count positions numbers average".split()
FORMATS = "--format=h5," + ",".join(f"{name}=txt" for name in NAMES)


def run(program, *flags, out="out", good=True):
    done = subprocess.run([program, "--quiet", f"--out={out}", "--transport=threads", *flags], capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == good, (flags, done)
    return " ".join(done.stderr.split())


def header(name):
    return open(f"out/{name}.txt", encoding="ascii").readline().split()


for program, kind in ((double, np.float64), (single, np.float32)):
    run(program, "--format=npy,record=h5", out="rows")
    for mesh in (1, 2, 3):
        run(program, FORMATS, f"--mesh=row={mesh}")
        for name in NAMES:
            expected = np.load(f"rows/{name}.npy")
            if name == "count":
                found = np.loadtxt(f"out/{name}.txt", dtype=np.int64)
            else:
                found = np.loadtxt(f"out/{name}.txt")
            if name == "pair":
                found = found[:, 0] + 1j * found[:, 1]
            assert found.shape == expected.shape, (name, found.shape, expected.shape)
            if name in ("power", "average"):  # sums over ranks differ by rounding
                assert np.allclose(found, expected, rtol=1e-5 if kind is np.float32 else 1e-12), (name, mesh)
            else:
                assert np.array_equal(found.astype(expected.dtype), expected), (kind, name, mesh)
        lines = {len(line) for line in open("out/both.txt", encoding="ascii")}
        assert len(lines) == 1, lines
print("same numbers as .npy")

assert header("power") == ["#", "k[h/Mpc]", "P[(Mpc/h)^3]", "modes"], header("power")
assert header("both") == ["#", "a[km/s]", "b[Mpc/h]"], header("both")
assert header("vector") == ["#", "vector_1", "vector_2"] and header("pair") == ["#", "pair_real", "pair_imag"]
assert header("line") == ["#", "line"] and header("numbers") == ["#", "numbers"]
assert np.genfromtxt("out/both.txt", names=True).dtype.names[0].startswith("a")
print("names and units")

# A table of two columns is an input, from either file.
run(double, "--format=npy,record=h5", out="rows")
run(double, "--format=h5,curve=txt")
found = []
for file in ("rows/curve.npy", "out/curve.txt"):
    run(double, f"--again={file}", "--format=npy,record=h5", out="again")
    found.append(np.load("again/value.npy"))
curve = np.loadtxt("out/curve.txt")
assert found[0] == found[1] and np.isclose(found[0], np.interp(0.3, *curve.T), rtol=1e-12), found
print("read again")

assert "output 'cube' cannot be a .txt file: it has 3 dims, and this format stores only columns over one dim; use cube=h5" in run(double, "--format=txt", good=False)
assert "output 'record' cannot be a .txt file: it is a record of 2, and this format stores only one array" in run(double, "--format=h5,record=txt", good=False)
print("errors say why")
