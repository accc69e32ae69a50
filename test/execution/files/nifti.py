#!/usr/bin/env python3
"""Files of NIfTI in and out: nifti.py PROGRAM FOLDER."""
import os
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "Inputs"))
import nifti_file  # pylint: disable=wrong-import-position

program, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)


def run(*flags, good=True):
    done = subprocess.run([program, "--quiet", "--out=out", *flags], capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == good, (flags, done)
    return " ".join(done.stderr.split())


random = np.random.default_rng(1)
data = (random.standard_normal((6, 5, 1, 3, 2)) @ [1, 1j]).astype(np.complex64)  # x, y, 1, batch
real = random.standard_normal((6, 5)).astype(np.float32)
nifti_file.save("data.nii", data, (10, 10, 3))
nifti_file.save("real.nii", real, (10, 10))
nifti_file.save("real.nii.gz", real, (10, 10))
for mesh in ("row=1,col=1", "row=2,col=1", "row=2,col=2", "row=3,col=1"):
    for file in ("real.nii", "real.nii.gz"):
        run("--data=data.nii", f"--real={file}", "--format=nii", f"--mesh={mesh}")
        copy, sizes = nifti_file.load("out/copy.nii")
        assert np.array_equal(copy, data) and np.allclose(sizes[:2], 10), (mesh, copy.shape, sizes)
        assert np.array_equal(nifti_file.load("out/twice.nii")[0], 2 * real), mesh
        both = nifti_file.load("out/both.nii")[0]
        assert both.shape == (6, 5, 1, 1, 2) and np.array_equal(both[:, :, 0, 0], np.stack([real, -real], axis=-1)), mesh
print("same numbers on all meshes")

# Whole numbers, a slope, big endian.
whole = random.integers(-500, 500, (6, 5)).astype(np.int16)
for order in "<>":
    nifti_file.save("whole.nii", whole, (10, 10), order=order)
    run("--data=data.nii", "--real=whole.nii", "--format=npy")
    assert np.array_equal(np.load("out/twice.npy"), 2.0 * whole)
    nifti_file.save("scaled.nii", whole, (10, 10), slope=0.25, intercept=3, order=order)
    run("--data=data.nii", "--real=scaled.nii", "--format=npy")
    assert np.array_equal(np.load("out/twice.npy"), 2 * (0.25 * whole + 3))
print("whole numbers, scaled, of any byte order")

nifti_file.save("wide.nii", real, (10, 12))
assert "wide.nii has cells of 12 mm along 'y', expected 10 mm: 50 mm over 5 cells" in run("--data=data.nii", "--real=wide.nii", good=False)
nifti_file.save("larger.nii", np.zeros((7, 5), np.float32), (10, 10))
assert "larger.nii has shape 7x5, expected 6x5 (dims x, y)" in run("--data=data.nii", "--real=larger.nii", good=False)
assert "data.nii has shape 6x5x3, expected 6x5 (dims x, y)" in run("--data=data.nii", "--real=data.nii", good=False)
open("cut.nii", "wb").write(open("real.nii", "rb").read()[:-4])
assert "cut.nii is cut short: it holds 116 bytes of numbers, its " in run("--data=data.nii", "--real=cut.nii", good=False)
open("cut.nii.gz", "wb").write(open("real.nii.gz", "rb").read()[:-30])
assert "cut.nii.gz is cut short or damaged" in run("--data=data.nii", "--real=cut.nii.gz", good=False)
open("empty.nii", "wb").write(b"no header")
assert "empty.nii is no whole NIfTI file" in run("--data=data.nii", "--real=empty.nii", good=False)
complex_real = real + 0j
nifti_file.save("complex.nii", complex_real.astype(np.complex64), (10, 10))
assert "complex.nii holds complex64, expected float32 or float64" in run("--data=data.nii", "--real=complex.nii", good=False)
print("errors say where")
