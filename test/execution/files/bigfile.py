#!/usr/bin/env python3
"""Tests blocks of bigfile: bigfile.py PROGRAM_F64 PROGRAM_F32 FOLDER."""
import os
import subprocess
import sys

import numpy as np

double, single, folder = sys.argv[1:]
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
