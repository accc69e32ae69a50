#!/usr/bin/env python3
"""Tests FITS tables: fits_table.py PROGRAM_F64 PROGRAM_F32 FOLDER."""
import os
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "Inputs"))
import fits_file  # pylint: disable=wrong-import-position

double, single, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
NAMES = "line both vector pair mask count positions galaxies numbers".split()
FORMATS = "--format=h5," + ",".join(f"{name}=fits-table" for name in NAMES)


def run(program, *flags, out="out", good=True):
    done = subprocess.run([program, "--quiet", f"--out={out}", "--transport=threads", *flags], capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == good, (flags, done)
    return " ".join(done.stderr.split())


for program in (double, single):
    run(program, "--format=npy", out="rows")
    for mesh in (1, 2, 3):
        run(program, FORMATS, f"--mesh=row={mesh}")
        for name in NAMES:
            expected = np.load(f"rows/{name}.npy")
            [(keys, columns)] = fits_file.load(f"out/{name}.fits")
            found = np.stack(list(columns.values()), axis=-1)
            if expected.ndim == 1 and found.shape[1] > 1:
                found = found[0]  # numbers are columns of one row
            assert keys["EXTNAME"] == name and keys["NAXIS"] == 2, keys
            found = found.reshape(expected.shape)
            assert found.dtype.newbyteorder("=") == (np.uint8 if expected.dtype == bool else expected.dtype), (name, found.dtype, expected.dtype)
            assert np.array_equal(found.astype(expected.dtype), expected), (name, mesh)
print("same numbers as .npy")

keys = fits_file.load("out/galaxies.fits")[0][0]
assert [keys[f"TTYPE{i}"] for i in (1, 2, 3)] == ["pos_0", "pos_1", "mass"], keys
assert [keys[f"TUNIT{i}"] for i in (1, 2, 3)] == ["Mpc/h", "Mpc/h", "Msun/h"], keys
keys = fits_file.load("out/vector.fits")[0][0]
assert keys["TTYPE2"] == "vector_2" and "TUNIT2" not in keys and keys["CREATOR"].startswith("pmc "), keys
print("names and units")

run(double, "--format=npy", out="rows")
run(double, "--format=h5,galaxies=fits-table")
run(double, "--again=out/galaxies.fits:/mass", "--format=npy", out="again")
assert np.array_equal(np.load("again/kept.npy"), np.load("rows/galaxies.npy")[:, 2])
print("read again")

assert "output 'square' cannot be a .fits file: it has 2 dims, and this format stores only columns over one dim; use square=h5" in run(
    double, "--format=h5,square=fits-table", good=False)
print("errors say why")
