#!/usr/bin/env python3
"""Inputs that convert without a loss: convert.py PROGRAM STREAM_PROGRAM FOLDER."""
import os
import shutil
import subprocess
import sys

import h5py
import numpy as np

program, stream, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
MESHES = ("row=1,col=1", "row=2,col=2", "row=3,col=1")


def run(*flags, good=True, which=program):
    done = subprocess.run([which, "--quiet", "--out=out", "--format=npy", *flags], capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == good, (flags, done)
    return " ".join(done.stderr.split())


def given(spec, kind="real", mesh=MESHES[0]):
    run(f"--{kind}={spec}", f"--mesh={mesh}", "--transport=threads")
    return np.load(f"out/{kind}_copy.npy")


random = np.random.default_rng(1)
real = random.standard_normal((6, 5, 4))
data = real + 1j * random.standard_normal((6, 5, 4))

np.save("fortran.npy", np.asfortranarray(real))
np.save("fortran_data.npy", np.asfortranarray(data.astype(">c8")))
np.save("turned.npy", np.asfortranarray(real.transpose(2, 0, 1)))
for mesh in MESHES:
    assert np.array_equal(given("fortran.npy", mesh=mesh), real), mesh
    assert np.array_equal(given("fortran_data.npy", "data", mesh), data.astype("c8")), mesh
    assert np.array_equal(given("turned.npy:z,x,y", mesh=mesh), real), mesh
curve = np.array([[0, 1], [2, 5], [3, 9]], float)
np.save("curve.npy", np.asfortranarray(curve))
run("--curve=curve.npy")
assert np.load("out/value.npy") == 7
maps = random.standard_normal((3, 6, 5)).astype("f4")
np.save("maps.npy", maps)
run("--maps=maps.npy", which=stream)
assert np.array_equal(np.load("out/second.npy"), maps[1])
np.save("fortran_maps.npy", np.asfortranarray(maps))
assert "fortran_maps.npy is in Fortran order, but samples must be in C order" in run("--maps=fortran_maps.npy", which=stream, good=False)
print("Fortran order")

with h5py.File("whole.h5", "w") as file:
    for name in ("i1", "i2", ">i4", "i8", "u1", "u2", "u4", "u8", "?"):
        kind = np.dtype(name)
        limits = (0, 1) if kind.kind == "b" else (max(np.iinfo(kind).min, -2**53), min(np.iinfo(kind).max, 2**53))
        whole = random.integers(*limits, (6, 5, 4), endpoint=True).astype(kind)
        np.save("whole.npy", whole)
        file["a" + kind.name] = whole
        file.flush()
        assert np.array_equal(given("whole.npy"), whole.astype("f8")), name
    names = list(file)
os.environ["HDF5_USE_FILE_LOCKING"] = "FALSE"
for name in names:
    with h5py.File("whole.h5") as file:
        expected = file[name][()].astype("f8")
    assert np.array_equal(given(f"whole.h5:/{name}"), expected), name
whole = np.full((6, 5, 4), 2**60, "i8")
np.save("whole.npy", whole)
assert np.array_equal(given("whole.npy"), whole.astype("f8"))
whole[5, 4, 3] = 2**53 + 1
np.save("whole.npy", whole)
with h5py.File("large.h5", "w") as file:
    file["a"], file["u"] = whole, np.full((6, 5, 4), 2**64 - 1, "u8")
message = "holds 9007199254740993, which f64 does not represent exactly; round it first"
assert "whole.npy " + message in run("--real=whole.npy", good=False)
assert "large.h5:/a " + message in run("--real=large.h5:/a", good=False)
assert "large.h5:/u holds 18446744073709551615, which f64" in run("--real=large.h5:/u", good=False)
np.save("curve.npy", curve.astype("i4"))
run("--curve=curve.npy")
assert np.load("out/value.npy") == 7
print("integers")

np.save("real.npy", real)
np.save("small.npy", np.arange(120, dtype="i2").reshape(6, 5, 4))
with h5py.File("real.h5", "w") as file:
    file["group/real"], file["text"] = real, np.full((6, 5, 4), b"text")
for mesh in MESHES:
    assert np.array_equal(given("real.npy", "data", mesh), real.astype("c16")), mesh
    assert np.array_equal(given("real.h5:/group/real", "data", mesh), real.astype("c16")), mesh
    assert np.array_equal(given("small.npy", "data", mesh), np.arange(120).reshape(6, 5, 4)), mesh
assert "real.h5:/text holds string, expected complex or real numbers" in run("--data=real.h5:/text", good=False)
# The name of a folder ends with a colon.
os.makedirs("with:/and:", exist_ok=True)
shutil.copy("real.h5", "with:/and:/real.h5")
for name in ("/group/real", "group/real", "/group/real:x,y,z", "group/real:x,y,z"):
    assert np.array_equal(given(f"with:/and:/real.h5:{name}", "data"), real.astype("c16")), name
for name in ("with:/and:/none.h5", "with:/and:/none.npy", "with:/and:/none.h5:/group/real"):
    path = name.removesuffix(":/group/real")
    assert f"--data: {path}: No such file" in run(f"--data={name}", good=False), name
print("reals as complex numbers")

with h5py.File("matlab.h5", "w") as file:
    for size in (4, 8):
        matlab = np.zeros(data.shape, [("real", f"f{size}"), ("imag", f"f{size}")])
        matlab["real"], matlab["imag"] = data.real, data.imag
        file[f"m{size}"], file[f"h{size}"] = matlab, data.astype(f"c{2 * size}")
    file["other"] = np.zeros(data.shape, [("a", "f8"), ("b", "f8")])
for mesh in MESHES:
    for name, kind in (("m4", "c8"), ("m8", "c16"), ("h4", "c8"), ("h8", "c16")):
        assert np.array_equal(given(f"matlab.h5:{name}", "data", mesh), data.astype(kind)), (mesh, name)
assert "matlab.h5:/other holds compound, expected complex or real numbers" in run("--data=matlab.h5:other", good=False)
print("complex compounds")

# BART's programs name NAME.cfl without the suffix. The first slash of a dataset may be left out.
data.astype("c8").ravel("F").tofile("scan.cfl")
header = "# Dimensions\n6 5 4" + 13 * " 1" + "\n"
open("scan.hdr", "w", encoding="utf-8").write(header)
assert np.array_equal(given("scan", "data"), data.astype("c8"))
assert np.array_equal(given("scan:x,y,z", "data"), data.astype("c8"))
np.save("scan", real)
assert np.array_equal(given("scan.npy"), real)
assert np.array_equal(given("real.h5:group/real"), real)
np.save("x.npy", real)
os.makedirs("inputs", exist_ok=True)
for suffix in ("cfl", "hdr"):
    os.replace(f"scan.{suffix}", f"inputs/data_copy.{suffix}")
message = subprocess.run([program, "--quiet", "--out=inputs", "--format=h5,data_copy=cfl", "--data=inputs/data_copy"], capture_output=True, text=True, check=False)
assert message.returncode == 1 and "would be overwritten by output 'data_copy'" in message.stderr, message
assert "No such file or directory" in run("--data=nothing", good=False)
print("names of files")

MARK = "\ufeff"
open("curve.txt", "w", encoding="utf-8").write(MARK + "0 1\n2,5\r\n3\t9\n")
run("--curve=curve.txt")
assert np.load("out/value.npy") == 7
open("inputs/data_copy.hdr", "w", encoding="utf-8").write(MARK + header)
assert np.array_equal(given("inputs/data_copy.cfl", "data"), data.astype("c8"))
digits = subprocess.run(["sha256sum", "real.npy"], capture_output=True, text=True, check=True).stdout
open("real.npy.sha256", "w", encoding="utf-8").write(MARK + digits)
assert np.array_equal(given("real.npy"), real)
print("byte order marks")
