#!/usr/bin/env python3
"""Tests the reading of snapshots in several files: snapshots.py PROGRAM_F64 PROGRAM_F32 PROGRAM_OF_COLUMNS FOLDER."""
import os
import subprocess
import sys

import h5py
import numpy as np

double, single, columns, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
random = np.random.default_rng(3)
pos = random.uniform(0, 1e5, (50, 3))
ids = random.permutation(50).astype(np.uint32) + 7


def run(program, *flags, good=True):
    done = subprocess.run([program, "--quiet", "--out=out", "--format=npy", "--transport=threads", *flags], capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == good, (flags, done)
    return " ".join(done.stderr.split())


def gadget(name, counts, kind=np.float64, said=None, suffix="hdf5"):
    """Writes particles to files as Gadget-4 does, with the given number in each file. A file without particles has no group for them."""
    first = 0
    for i, count in enumerate(counts):
        with h5py.File(f"{name}.{i}.{suffix}", "w") as file:
            header = file.create_group("Header")
            header.attrs["NumFilesPerSnapshot"] = np.int32(said or len(counts))
            header.attrs["NumPart_ThisFile"] = np.array([0, count], np.int32)
            header.attrs["NumPart_Total"] = np.array([0, sum(counts)], np.int64)
            header.attrs["BoxSize"] = 1e5
            if count:
                file["PartType1/Coordinates"] = pos[first:first + count].astype(kind)
                file["PartType1/ParticleIDs"] = ids[first:first + count]
        first += count


def check(program, where, identity):
    for mesh in (1, 2, 3):
        run(program, f"--pos={where}", f"--id={identity}", f"--mesh=row={mesh}")
        assert np.array_equal(np.load("out/number.npy"), ids), (where, mesh)
        place = np.load("out/place.npy")
        assert np.array_equal(place, pos.astype(place.dtype)), (where, mesh)


gadget("many", (20, 0, 13, 17))
gadget("short", (50, 0), suffix="h5", kind=np.float32)
for program in (double, single, columns):
    check(program, "many.0.hdf5:/PartType1/Coordinates", "many.0.hdf5:/PartType1/ParticleIDs")
run(single, "--pos=short.0.h5:PartType1/Coordinates", "--id=many.0.hdf5:/PartType1/ParticleIDs")
assert np.array_equal(np.load("out/place.npy"), pos.astype(np.float32))
print("rows of all files")

# A file that is not the first one is read by itself.
gadget("late", (0, 50))
check(double, "late.1.hdf5:/PartType1/Coordinates", "late.1.hdf5:/PartType1/ParticleIDs")
print("one of several files")

gadget("alone", (50,))
os.rename("alone.0.hdf5", "alone.hdf5")
check(double, "alone.hdf5:/PartType1/Coordinates", "alone.hdf5:/PartType1/ParticleIDs")
print("one file")


def block(path, array, counts, kind):
    os.makedirs(path)
    array = array.astype(kind)
    lines = [f"DTYPE: {kind}", f"NMEMB: {array[0].size}", f"NFILE: {len(counts)}"]
    first = 0
    for i, count in enumerate(counts):
        rows = array[first:first + count]
        rows.tofile(f"{path}/{i:06X}")
        checksum = int(np.frombuffer(rows.tobytes(), np.uint8).sum()) % 2**32
        lines.append(f"{i:06X}: {count} : {checksum} : {checksum % 2**16 + checksum // 2**16}")
        first += count
    open(f"{path}/header", "w", encoding="ascii").write("\n".join(lines) + "\n")


counts = (4,) * 11 + (0, 6)
block("fastpm/1/Position", pos, counts, "<f8")
block("fastpm/1/ID", ids, (50,), "<i8")
block("fastpm/1/Swapped", pos, (30, 20), ">f8")
for program in (double, single, columns):
    check(program, "fastpm/1/Position", "fastpm/1/ID")
check(double, "fastpm/1/Swapped/header", "fastpm/1/ID/header")
print("blocks of bigfile")

# A changed byte in any file of the block is an error on each number of ranks. The input may name any of the files.
for number in (0, 5, 12):
    file = f"fastpm/1/Position/{number:06X}"
    good = open(file, "rb").read()
    open(file, "wb").write(good[:7] + bytes([good[7] ^ 16]) + good[8:])
    for name, mesh in (("Position", 1), ("Position/header", 3), ("Position/000000", 2)):
        message = run(double, f"--pos=fastpm/1/{name}", "--id=fastpm/1/ID", f"--mesh=row={mesh}", good=False)
        sums = [int(np.frombuffer(one, np.uint8).sum()) for one in (good, good[:7] + bytes([good[7] ^ 16]) + good[8:])]
        assert (f"--pos: {file} is damaged or was changed: the sum of its bytes modulo 2^32 is {sums[1]}, but "
                f"fastpm/1/Position/header says {sums[0]}; get a new copy of the block, or correct the header if the change is intended [PM9006]") in message, message
    open(file, "wb").write(good)
# If the header has no checksums, the files are not verified.
lines = open("fastpm/1/ID/header", encoding="ascii").read()
open("fastpm/1/ID/header", "w", encoding="ascii").write(lines.replace(lines.splitlines()[-1], "000000: 50"))
check(double, "fastpm/1/Position", "fastpm/1/ID")
print("checksums")

others = ("--id=many.0.hdf5:/PartType1/ParticleIDs",)
gadget("lost", (25, 25), said=3)
for flag, text in (("many.0.hdf5:/PartType0/Coordinates", "none of the 4 files of the snapshot has a dataset '/PartType0/Coordinates'"),
                   ("lost.0.hdf5:/PartType1/Coordinates", "lost.2.hdf5"),
                   ("many.0.hdf5", "none of the 4 files of the snapshot has a dataset ''; name one as FILE:/PartType1/Coordinates")):
    message = run(double, f"--pos={flag}", *others, good=False)
    assert text in message, message
with h5py.File("many.2.hdf5", "r+") as file:
    del file["PartType1/Coordinates"]
    file["PartType1/Coordinates"] = np.zeros((13, 2))
message = run(double, "--pos=many.0.hdf5:/PartType1/Coordinates", *others, good=False)
assert "many.2.hdf5:/PartType1/Coordinates has other rows than many.0.hdf5" in message, message
for lines, text in (("DTYPE: <q8\nNMEMB: 3\nNFILE: 0\n", "the type '<q8' is unknown"), ("DTYPE: <f8\nNMEMB: 3\n", "it has no DTYPE, NMEMB or NFILE"),
                    ("DTYPE: <f8\nNMEMB: 3\nNFILE: 2\n000000: 50 : 0\n", "it lists 1 files, expected 2"), ("DTYPE: <f8\nNMEMB: x\nNFILE: 0\n", "'x' is not a number")):
    open("fastpm/1/Position/header", "w", encoding="ascii").write(lines)
    message = run(double, "--pos=fastpm/1/Position", *others, good=False)
    assert "is not the header of a bigfile block: " + text in message, message
open("fastpm/1/Position/header", "w", encoding="ascii").write("DTYPE: <f8\nNMEMB: 3\nNFILE: 1\n000000: 51 : 0 :\n")
message = run(double, "--pos=fastpm/1/Position", *others, good=False)
assert "fastpm/1/Position/000000" in message, message
print("errors say why")
