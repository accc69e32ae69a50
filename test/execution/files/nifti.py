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


def run(*flags, good=True, quiet=True):
    done = subprocess.run([program, *["--quiet"] * quiet, "--out=out", *flags], capture_output=True, text=True, check=False)
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

# All types in both byte orders, without a scale, and with a slope or an intercept alone, as CT has it. A slope of 0 is none.
for code, name in nifti_file.TYPES.items():
    kind = np.dtype(name)
    limits = (np.iinfo(kind).min, np.iinfo(kind).max) if kind.kind in "iu" else (-1000, 1000)
    values = random.integers(max(limits[0], -2**20), min(limits[1], 2**20), (6, 5), endpoint=True)
    values[0, :2] = max(limits[0], -2**24), min(limits[1], 2**24)
    values = (values * (1 + 0.5j) if kind.kind == "c" else values).astype(kind)
    for order in "<>":
        for slope, intercept in ((0, 3), (1, -1024)) if order == "<" else ((0.25, 3), (1, 0)):
            expected = values.astype("c16") if slope == 0 else slope * values.astype("c16") + intercept
            if kind.kind == "c" and slope != 0:
                expected += 1j * intercept
            nifti_file.save("typed.nii", values[..., None, None] + np.zeros(3, kind) if kind.kind == "c" else values, (10, 10, 1),
                            slope=slope, intercept=intercept, order=order)
            if kind.kind == "c":
                run("--data=typed.nii", "--format=npy")
                assert np.array_equal(np.load("out/copy.npy")[1], expected.astype("c8")), (name, order, slope, intercept)
            else:
                run("--data=data.nii", "--real=typed.nii", "--format=npy")
                assert np.array_equal(np.load("out/twice.npy"), 2 * expected.real.astype("f4")), (name, order, slope, intercept)
# Large numbers that the intercept takes away.
nifti_file.save("large.nii", np.full((6, 5), 2**30 + 1, np.int32), (10, 10), slope=1, intercept=-2.0**30)
run("--data=data.nii", "--real=large.nii", "--format=npy")
assert np.all(np.load("out/twice.npy") == 2)
print("all types, scaled, of any byte order")

# Orientation and origin: an oblique qform and a sheared sform, of both hands.
oblique = (2, 0.1, -0.2, 0.3, -30, 12.5, 7)
sheared = (4, [[0, 10.5, 0.2, -40], [-9.5, 0.5, 0, 20], [0, 1, 3, -5]])
for forms in ({"qform": oblique}, {"sform": sheared}, {"qform": oblique, "sform": sheared}, {"qform": oblique, "left": True}):
    for mesh in ("row=1,col=1", "row=2,col=2"):
        nifti_file.save("placed.nii", data, (10, 10, 3), **forms)
        run("--data=placed.nii", "--real=real.nii", "--format=nii", f"--mesh={mesh}")
        wanted = nifti_file.geometry("placed.nii")
        for name in ("copy", "twice", "both"):
            for found, one in zip(nifti_file.geometry(f"out/{name}.nii"), wanted):
                assert (found is None) == (one is None), (name, forms, found, one)
                assert found is None or found[0] == one[0] and np.allclose(found[1], one[1], atol=1e-4), (name, forms, found, one)
# Axes in another order in the file: their columns change places.
nifti_file.save("turned.nii", real.T, (10, 10, 3), qform=oblique, sform=sheared)
run("--data=data.nii", "--real=turned.nii:y,x", "--format=nii.gz")
assert np.array_equal(nifti_file.load("out/twice.nii.gz")[0], 2 * real)
for found, one in zip(nifti_file.geometry("out/twice.nii.gz"), nifti_file.geometry("turned.nii")):
    assert found[0] == one[0] and np.allclose(found[1], one[1][:, [1, 0, 2, 3]], atol=1e-4), (found, one)
# Inputs that differ give none, and --like decides.
nifti_file.save("placed.nii", data, (10, 10, 3), qform=oblique)
nifti_file.save("elsewhere.nii", real, (10, 10, 3), qform=(1, 0, 0, 0, 1, 2, 3))
said = run("--data=placed.nii", "--real=elsewhere.nii", "--format=nii", quiet=False)
assert "warning: placed.nii and elsewhere.nii have the dims of output 'copy', but different orientations or origins" in said and "[PM9207]" in said, said
assert nifti_file.geometry("out/copy.nii") == [None, None]
for flags in (("--data=placed.nii", "--real=elsewhere.nii"), ("--data=data.nii",)):
    assert not run(*flags, "--format=nii", "--like=elsewhere.nii")
    (code, matrix), none = nifti_file.geometry("out/copy.nii")
    assert code == 1 and none is None and np.allclose(matrix, [[10, 0, 0, 1], [0, 10, 0, 2], [0, 0, 3, 3]])
run("--data=data.nii", "--format=nii")
assert nifti_file.geometry("out/copy.nii") == [None, None]
nifti_file.save("coarse.nii", real, (12, 10, 3), qform=oblique)
assert "--like: coarse.nii has cells of 12 mm along axis 1, and output 'copy' has cells of 10 mm" in run("--data=data.nii", "--format=nii", "--like=coarse.nii", quiet=False)
# Sizes of cells are equal if they differ by at most one percent.
for size, there, is_same in ((10.05, "10.05", True), (10.2, "10.2", False), (9.8, "9.8", False)):
    nifti_file.save("near.nii", real, (10, size, 3), qform=oblique)
    said = run("--data=data.nii", "--format=nii", "--like=near.nii", quiet=False)
    assert (f"--like: near.nii has cells of {there} mm along axis 2, and output 'copy' has cells of 10 mm" in said) == (not is_same), said
    assert (nifti_file.geometry("out/copy.nii") == [None, None]) == (not is_same), size
nifti_file.save("longer.nii", np.zeros((7, 5), np.float32), (10, 10), qform=oblique)
assert ("--like: longer.nii has 7x5x1 cells, which matches no NIfTI output without its own geometry ('copy' has 6x5x1"
        in run("--data=data.nii", "--format=nii", "--like=longer.nii", good=False))
assert "--like: real.nii has no orientation and no origin" in run("--data=data.nii", "--format=nii", "--like=real.nii", good=False)
print("orientation and origin are kept")

nifti_file.save("wide.nii", real, (10, 12))
assert "wide.nii has cells of 12 mm along 'y', expected 10 mm: 50 mm over 5 cells" in run("--data=data.nii", "--real=wide.nii", good=False)
nifti_file.save("larger.nii", np.zeros((7, 5), np.float32), (10, 10))
assert "larger.nii has shape 7x5, expected 6x5 (dims x, y)" in run("--data=data.nii", "--real=larger.nii", good=False)
assert "data.nii has shape 6x5x3, expected 6x5 (dims x, y)" in run("--data=data.nii", "--real=data.nii", good=False)
open("cut.nii", "wb").write(open("real.nii", "rb").read()[:-4])
assert "cut.nii is truncated: it has 116 bytes of data, but its " in run("--data=data.nii", "--real=cut.nii", good=False)
open("cut.nii.gz", "wb").write(open("real.nii.gz", "rb").read()[:-30])
assert "cut.nii.gz is truncated or damaged" in run("--data=data.nii", "--real=cut.nii.gz", good=False)
open("empty.nii", "wb").write(b"no header")
assert "empty.nii is not a complete NIfTI file" in run("--data=data.nii", "--real=empty.nii", good=False)
complex_real = real + 0j
nifti_file.save("complex.nii", complex_real.astype(np.complex64), (10, 10))
assert "complex.nii holds complex64, expected real numbers" in run("--data=data.nii", "--real=complex.nii", good=False)
print("errors say where")
