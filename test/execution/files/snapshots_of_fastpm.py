#!/usr/bin/env python3
"""The package bigfile reads a snapshot of a program, and writes blocks that another program reads: snapshots_of_fastpm.py WRITE READ FOLDER."""
import os
import subprocess
import sys

# bigfile.py beside this script is a test, not the package.
sys.path.pop(0)
import bigfile  # noqa: E402
import numpy as np  # noqa: E402

write, read, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)


def run(program, *flags, good=True):
    done = subprocess.run([program, "--quiet", "--transport=threads", *flags], capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == good, (flags, done)
    return " ".join(done.stderr.split())


run(write, "--out=out", "--format=h5,place=npy,snap=bigfile", "--mesh=row=2")
place = np.load("out/place.npy")
file = bigfile.File("out/snap")
assert sorted(file.list_blocks()) == ["1/ID", "1/Position", "Header"], file.list_blocks()
assert np.array_equal(file["1/Position"][:], place) and np.array_equal(file["1/ID"][:], np.arange(120))
head = file["Header"].attrs
assert head["BoxSize"] == 60 and head["Time"] == head["ScalingFactor"] == 0.5 and head["OmegaM"] == head["Omega0"] == 0.25 and head["NC"] == 6
assert list(head["TotNumPart"]) == [0, 120, 0, 0, 0, 0] and list(head["MassTable"]) == [0, 2.5e10, 0, 0, 0, 0] and head["M0"] == 2.5e10
assert file["Header"].size == 0 and file["1/Position"].attrs["unit"] == "Mpc/h"
print("a snapshot of pmc")

numbers = np.random.default_rng(5).normal(size=(120, 3))
made = bigfile.File("made", create=True)
with made.create("1/Position", np.dtype(("f8", 3)), size=120, Nfile=7) as block:
    block.write(0, numbers)
assert len([name for name in os.listdir("made/1/Position") if name.startswith("00")]) == 7
for mesh in (1, 3):
    run(read, "--pos=made/1/Position", "--out=back", "--format=npy", f"--mesh=row={mesh}")
    assert np.array_equal(np.load("back/place.npy"), numbers)
with open("made/1/Position/000003", "r+b") as changed:
    changed.seek(20)
    byte = changed.read(1)[0]
    changed.seek(20)
    changed.write(bytes([(byte + 1) % 256]))
message = run(read, "--pos=made/1/Position", "--out=back", good=False)
assert "made/1/Position/000003 is damaged or was changed" in message, message
print("blocks of the package")
