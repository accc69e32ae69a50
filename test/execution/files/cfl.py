#!/usr/bin/env python3
"""Files of BART in and out: cfl.py PROGRAM FOLDER [PROGRAM_IN_F64]. Against NumPy, and against BART itself where it is installed."""
import os
import shutil
import subprocess
import sys

import numpy as np

program, folder, *in_f64 = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)


def save(name, array):
    """As BART's Python module does: the first index is the fastest."""
    with open(name + ".hdr", "w", encoding="ascii") as file:
        file.write("# Dimensions\n" + " ".join(map(str, list(array.shape) + [1] * (16 - array.ndim))) + "\n")
    array.astype(np.complex64).ravel("F").tofile(name + ".cfl")


def load(name):
    lines = open(name + ".hdr", encoding="ascii").read().split("\n")
    shape = [int(word) for word in lines[lines.index("# Dimensions") + 1].split()]
    assert len(shape) == 16, shape
    numbers = np.fromfile(name + ".cfl", np.complex64)
    assert numbers.size == np.prod(shape), (numbers.size, shape)
    return numbers.reshape(shape, order="F").squeeze()


def run(*flags, good=True, program=program):
    done = subprocess.run([program, "--quiet", "--out=out", *flags], capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == good, (flags, done)
    return " ".join(done.stderr.split())


random = np.random.default_rng(1)
data = (random.standard_normal((6, 5, 1, 3, 2)) @ [1, 1j]).astype(np.complex64)  # x, y, 1, coil
save("data", data)
real = random.standard_normal((6, 5)).astype(np.float32)
save("real", real)
for mesh in ("row=1,col=1", "row=2,col=1", "row=2,col=2", "row=3,col=1", "row=1,col=5"):
    run("--data=data.cfl", "--modes=data.cfl", "--real=real.cfl", "--format=cfl", f"--mesh={mesh}")
    assert np.array_equal(load("out/copy"), data.squeeze()), mesh
    assert np.array_equal(load("out/spectrum"), data.squeeze()), mesh
    i, j = np.meshgrid(np.arange(6) - 3, np.arange(5) - 2, indexing="ij")
    assert np.array_equal(load("out/low"), np.where(abs(i) + abs(j) < 2, data[:, :, 0, 0], 0)), mesh
    assert np.array_equal(load("out/twice"), 2 * real), mesh
    assert np.array_equal(load("out/both"), np.stack([real, -real], axis=-1)), mesh
    run("--data=data.cfl", "--modes=data.cfl", "--format=npy", f"--mesh={mesh}")
    assert np.array_equal(np.load("out/copy.npy"), np.moveaxis(data.squeeze(), -1, 0)), mesh
    modes = np.fft.ifftshift(np.moveaxis(data.squeeze(), -1, 0), axes=(1, 2))
    assert np.array_equal(np.load("out/spectrum.npy"), modes), mesh
print("same bytes on all meshes")

# Dims in another order, of any file.
save("turned", np.moveaxis(data.squeeze(), -1, 0))
run("--data=turned.cfl:c,x,y", "--format=npy")
assert np.array_equal(np.load("out/copy.npy"), np.moveaxis(data.squeeze(), -1, 0))
np.save("turned.npy", np.ascontiguousarray(data.squeeze().transpose(1, 0, 2)))
run("--data=turned.npy:y,x,c", "--format=npy", "--mesh=row=2,col=2")
assert np.array_equal(np.load("out/copy.npy"), np.moveaxis(data.squeeze(), -1, 0))
print("any order")

if shutil.which("bart"):
    run("--data=data.cfl", "--format=cfl")
    subprocess.run(["bart", "rss", "8", "out/copy", "rss"], check=True)
    assert np.allclose(load("rss"), np.sqrt(np.sum(np.abs(data) ** 2, axis=(2, 3))), rtol=1e-5)
    subprocess.run(["bart", "scale", "2", "data", "doubled"], check=True)
    run("--data=doubled.cfl", "--format=npy")
    assert np.allclose(np.load("out/copy.npy"), 2 * np.moveaxis(data.squeeze(), -1, 0))
    print("BART reads and writes the same")
else:
    print("BART is not installed: not compared with it")

# What does not fit.
save("four", np.zeros((6, 5, 1, 4)))
assert "four.cfl has shape 6x5x4, expected 6x5x3 (dims x, y, c)" in run("--data=four.cfl", good=False)
save("short", data)
open("short.cfl", "wb").write(open("data.cfl", "rb").read()[:-8])
assert "short.cfl is truncated: it has 712 bytes of data, but its " in run("--data=short.cfl", good=False)
open("short.cfl", "ab").write(bytes(24))
assert "has 736 bytes, but the shape 6x5x1x3" in run("--data=short.cfl", good=False)
open("short.hdr", "w", encoding="ascii").write("6 5\n")
assert "short.hdr is not a BART header" in run("--data=short.cfl", good=False)
for word in ("0", "-5", "5.5", "y", "5000000000000"):
    open("short.hdr", "w", encoding="ascii").write(f"# Dimensions\n6 {word} 1 3\n")
    assert f"short.hdr is not a BART header: '{word}' is not a number of elements" in run("--data=short.cfl", good=False), word
os.remove("short.hdr")
assert "short.hdr: No such file" in run("--data=short.cfl", good=False)
broken = data.copy()
broken[1, 2, 0, 2] = np.inf
save("broken", broken)
assert "broken.cfl is not finite: element [2, 1, 2] is inf" in run("--data=broken.cfl", good=False)
assert "broken.cfl is not finite: element [2, 4, 0] is inf" in run("--data=data.cfl", "--modes=broken.cfl", good=False)
save("imaginary", real + 1j)
assert "imaginary.cfl is not real" in run("--data=data.cfl", "--real=imaginary.cfl", good=False)
assert "'z' is not one of them" in run("--data=data.cfl:x,y,z", good=False)
assert "'x' occurs twice" in run("--data=data.cfl:x,y,x", good=False)
assert "'q' is not one of them" in run("--data=data.cfl:q", good=False)
assert "the program has no output 'copi'; did you mean 'copy'?" in run("--data=data.cfl", "--format=h5,copi=cfl", good=False)
for formats in ("h5,npy", "h5,copy=cfl,npy", "npy,npy"):
    assert "'npy' is a second format for all outputs; for a single output write NAME=npy" in run(
        "--data=data.cfl", f"--format={formats}", good=False), formats
message = run("--data=data.cfl", "--format=nifti", good=False)
assert "'nifti' is not one of h5, " in message and ", cfl, bigfile, nii, nii.gz" in message, message
assert "would be overwritten by output 'copy'" in run("--data=out/copy.cfl", "--format=cfl", good=False)
print("errors say where")

if not in_f64:
    sys.exit(0)
# Numbers of 64 bits that 32 bits cannot hold, in either part. The first number beyond is half a unit above the largest one.
beyond = 2.0**128 - 2.0**103
for name, number, good in (("data", np.nextafter(beyond, 0), True), ("data", 1j * np.nextafter(beyond, 0), True), ("data", beyond, False),
                           ("data", 1j * beyond, False), ("data", -1e300j, False), ("data", -1e39, False), ("real", -beyond, False)):
    for mesh in ("row=1,col=1", "row=2,col=2"):
        wide = {"data": np.moveaxis(data.squeeze(), -1, 0).astype("c16"), "real": real.astype("f8") / 2}
        wide[name].flat[-2] = number
        for key, array in wide.items():
            np.save(f"wide_{key}.npy", array)
        message = run("--data=wide_data.npy", "--real=wide_real.npy", "--format=cfl", f"--mesh={mesh}", good=good, program=in_f64[0])
        output = {"data": "copy", "real": "twice"}[name]
        assert good or f"cannot write output '{output}': it has integers that do not fit 32 bits, the limit of .cfl files" in message, message
print("numbers of 64 bits that fit")
