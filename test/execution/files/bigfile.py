#!/usr/bin/env python3
"""Tests blocks of bigfile: bigfile.py PROGRAM_F64 PROGRAM_F32 PROGRAM_OF_SNAPSHOTS FOLDER."""
import os
import subprocess
import sys

import numpy as np

double, single, snapshot, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
os.chdir(folder)
NAMES = "line both Position pair mask ID lattice numbers kept".split()


def run(program, *flags, out="out", good=True):
    done = subprocess.run([program, "--quiet", f"--out={out}", "--transport=threads", *flags], capture_output=True, text=True, check=False)
    assert (done.returncode == 0) == good, (flags, done)
    return " ".join(done.stderr.split())


def block(path):
    """The rows of a block, whose header and checksum are compared with its file."""
    with open(f"{path}/header", encoding="ascii") as file:
        lines = dict(line.split(": ", 1) for line in file.read().splitlines())
    assert list(lines) == ["DTYPE", "NMEMB", "NFILE", "000000"] and lines["NFILE"] == "1", lines
    rows, checksum, folded = map(int, lines["000000"].split(" : "))
    numbers = np.fromfile(f"{path}/000000", np.uint8)
    if lines["NMEMB"] == "0":
        assert rows == checksum == folded == len(numbers) == 0, lines
        return None
    checked = int(numbers.sum()) % 2**32
    assert checksum == checked and folded % 65535 == checked % 65535 and folded < 65536, (path, lines, checked)
    return numbers.view(lines["DTYPE"]).reshape(rows, int(lines["NMEMB"]))


def attributes(path):
    found = {}
    with open(f"{path}/attr-v2", encoding="ascii") as file:
        for line in file:
            name, kind, count, data = line.split()[:4]
            values = np.frombuffer(bytes.fromhex(data), "S" + count if kind == "<a1" else kind)
            assert kind == "<a1" or len(values) == int(count), line
            found[name] = values[0].decode() if kind == "<a1" else values.tolist()
    return found


for program in (double, single):
    run(program, "--format=npy", out="rows")
    for mesh in (1, 2, 3):
        run(program, "--format=bigfile", f"--mesh=row={mesh}")
        for name in NAMES:
            expected = np.load(f"rows/{name}.npy")
            found = block(f"out/{name}")
            assert found.dtype == (np.int8 if expected.dtype == bool else expected.dtype), (name, found.dtype, expected.dtype)
            assert np.array_equal(found.reshape(expected.shape).astype(expected.dtype), expected), (name, mesh)
assert block("out/Position").shape == (370, 3) and block("out/lattice").shape == (120, 2) and block("out/ID").shape == (370, 1)
assert sorted(os.listdir("out/Position")) == ["000000", "attr-v2", "header"], os.listdir("out/Position")
print("same numbers as .npy")

found = attributes("out/Position")
assert found["unit"] == "Mpc/h" and found["param.a"] == [0.5], found
assert attributes("out/lattice")["box"] == [100, 100], attributes("out/lattice")
print("attributes")

run(double, "--format=npy", out="rows")
run(double, "--format=bigfile")
for name in ("out/Position", "out/Position/header"):
    run(double, f"--again={name}", "--format=npy", "--mesh=row=2", out="again")
    assert np.array_equal(np.load("again/kept.npy"), np.load("rows/Position.npy")[:, 1])
print("read again")

message = run(double, "--again=out/Position", "--format=bigfile", good=False)
assert "would be overwritten by output 'Position'" in message, message
with open("file", "w", encoding="ascii"):
    pass
os.makedirs("blocked", exist_ok=True)
os.rename("file", "blocked/Position")
message = run(double, "--format=npy,Position=bigfile", "--mesh=row=2", out="blocked", good=False)
assert "blocked/Position" in message, message
print("errors say why")

MPC, SUN = 3.0856775814913673e24, 1.98841e33  # cm, g
run(snapshot, "--format=h5,place=npy,speed=npy", out="plain")
place, speed = np.load("plain/place.npy"), np.load("plain/speed.npy")
for mesh in ((1, 1), (3, 1), (2, 3)):
    out = f"snapshot{mesh[0]}{mesh[1]}"
    run(snapshot, "--format=h5,fastpm=bigfile,steps=bigfile", f"--mesh=row={mesh[0]},col={mesh[1]}", out=out)
    found = sorted(os.path.relpath(where, out) for where, _, files in os.walk(out + "/fastpm") if "header" in files)
    assert found == ["fastpm/1/ID", "fastpm/1/Position", "fastpm/1/Velocity", "fastpm/4/Mass", "fastpm/Header", "fastpm/LL", "fastpm/LL/Length",
                     "fastpm/density"], found
    assert np.array_equal(block(out + "/fastpm/1/Position"), place) and np.array_equal(block(out + "/fastpm/1/Velocity"), speed)
    assert np.array_equal(block(out + "/fastpm/1/ID"), np.arange(120)[:, None])
    assert np.array_equal(block(out + "/fastpm/4/Mass")[:, 0], np.float32(1e9) * np.arange(1, 11, dtype=np.float32))
    assert np.array_equal(block(out + "/fastpm/LL/Length")[:, 0], np.arange(10))
    assert np.array_equal(block(out + "/fastpm/density")[:, 0], 2 * np.arange(10))
    assert block(out + "/fastpm/Header") is None and block(out + "/fastpm/LL") is None
    head = attributes(out + "/fastpm/Header")
    for name, value in (("Time", 0.5), ("ScalingFactor", 0.5), ("BoxSize", 60), ("HubbleParam", 0.7), ("OmegaM", 0.3), ("Omega0", 0.3),
                        ("OmegaLambda", 0.7), ("M0", 2.5e10), ("UnitLength_in_cm", MPC), ("UnitVelocity_in_cm_per_s", 1e5), ("UnitMass_in_g", SUN)):
        assert len(head[name]) == 1 and np.isclose(head[name][0], value, rtol=1e-5), (name, head[name])
    assert head["NC"] == [6] and head["MassTable"] == [0, 2.5e10, 0, 0, 0, 0] and head["TotNumPart"] == [0, 120, 0, 0, 10, 0], head
    assert head["param.a"] == [0.5] and head["precision"] == "f32" and "unit" not in head, head
    assert np.isclose(attributes(out + "/fastpm/LL")["b"][0], 0.2, rtol=1e-7)
    assert attributes(out + "/fastpm/1/Position")["unit"] == "Mpc/h"
    for i in (0, 1):
        head = attributes(out + f"/steps_{i:03}/Header")
        assert head["Time"] == head["ScalingFactor"] == [0.5 * (i + 1)] and np.isclose(head["OmegaM"][0], 0.3) and head["TotNumPart"] == [0, 120, 0, 0, 0, 0]
        assert "MassTable" not in head and "M0" not in head
        assert np.array_equal(block(out + f"/steps_{i:03}/1/Position"), place)
message = " ".join(subprocess.run([snapshot, "--dry-run", "--format=h5,fastpm=bigfile"], capture_output=True, text=True, check=True).stdout.split())
assert "fastpm/Header/000000, fastpm/1/Position/000000, fastpm/1/Velocity/000000, fastpm/1/ID/000000, fastpm/4/Mass/000000, fastpm/LL/Length/000000" in message, message
print("a snapshot of FastPM")

for mesh in ((1, 1), (2, 2)):
    run(snapshot, "--format=h5,lone=bigfile", f"--mesh=row={mesh[0]},col={mesh[1]}", out="lone")
    found = sorted(os.path.relpath(where, "lone") for where, _, files in os.walk("lone/lone") if "header" in files)
    assert found == ["lone/1/ID", "lone/1/Position", "lone/1/Sub/Position", "lone/2/ID", "lone/Header"], found
    assert np.array_equal(block("lone/lone/1/Position"), [[1, 2, 3]]) and np.array_equal(block("lone/lone/1/ID"), [[7]])
    assert np.array_equal(block("lone/lone/1/Sub/Position"), [[0.25]]) and np.array_equal(block("lone/lone/2/ID"), [[8]])
    head = attributes("lone/lone/Header")
    assert head["TotNumPart"] == [0, 1, 1, 0, 0, 0], head
    assert head["count"] == [2**53 + 1] and head["below"] == [-3] and head["counts"] == [2**53 + 1, 2], head
    with open("lone/lone/Header/attr-v2", encoding="ascii") as file:
        kinds = dict(line.split()[:2] for line in file)
    assert (kinds["count"], kinds["below"], kinds["counts"], kinds["Time"]) == ("<i8", "<i8", "<u8", "<f8"), kinds
print("one particle, and ints")

for output, text in (("single", "its number 'a' is not in a group such as Header"), ("untimed", "it has no number Header.Time"),
                     ("unsized", "it has no number Header.BoxSize"), ("drawn", "'Header.density' is a field, expected a number"),
                     ("counted", "the format itself adds 'Header.TotNumPart'"),
                     ("pure", "'Header.BoxSize' has the unit '', which is not a length"),
                     ("scaled", "'PartType1.Position' has the unit 'Mpc/h', and 'Header.BoxSize' has 'Mpc'; a snapshot has one unit of length"),
                     ("uneven", "the fields of PartType1 have different dims"), ("nested", "the fields of PartType1 have different dims"),
                     ("typed", "the components of 'PartType1.ID' are of i64 and f32, expected one type"),
                     ("joined", "the components of 'PartType1.V' have the units 'Mpc/h' and '', expected one unit"),
                     ("ragged", "the components of 'density' have different dims"),
                     ("masses", "'Header.MassTable' has 8 numbers, expected at most 6"), ("onerow", "'Header.density' is a field, expected a number")):
    message = run(snapshot, f"--format=h5,{output}=bigfile", out="bad", good=False)
    assert f"--format: output '{output}' cannot be a .bigfile file: {text}; use {output}=h5 [PM9005]" in message, message
print("records that are not snapshots")

run(snapshot, "--format=h5,twice=bigfile", "--a=0.5", out="twice")
head = attributes("twice/twice/Header")
assert head["Time"] == head["ScalingFactor"] == [0.5], head
for mesh in (1, 2):
    message = run(snapshot, "--format=h5,twice=bigfile", "--a=0.25", f"--mesh=row={mesh}", out="differ", good=False)
    assert ("[PM9005]" in message and "cannot write output 'twice': Header.Time is 0.25 and Header.ScalingFactor is 0.5, but a snapshot of FastPM has "
            "one number with both names; remove one of the members") in message, message
assert not os.path.exists("differ/twice"), os.listdir("differ")
print("two scale factors")

run(snapshot, "--format=h5,below=bigfile", out="below")
head = attributes("below/below/Header")
assert head["counts"] == [-2, 3] and head["mixed"] == [4, 0.5], head
message = run(snapshot, "--format=h5,lossy=bigfile", "--mesh=row=2", out="lossy", good=False)
assert ("cannot write output 'lossy': the list 'Header.counts' contains -9007199254740993, which f64 cannot represent exactly; "
        "write each number as a member of its own [PM9005]") in message, message
assert not os.path.exists("lossy/lossy"), os.listdir("lossy")
print("lists of ints")
