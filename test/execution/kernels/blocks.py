#!/usr/bin/env python3
"""Readings in blocks of lattice sites give what readings in rows give: blocks.py FOLDER PMC... SPEC"""
import pathlib
import subprocess
import sys

import numpy as np

folder, pmc, spec = pathlib.Path(sys.argv[1]), sys.argv[2:-1], sys.argv[-1]
folder.mkdir(parents=True, exist_ok=True)
ROWS = ["--sizes=lattice=1048576"]
# Blocks of a few sites with boxes that overlap, of odd parts of rows, and of the whole lattice.
BLOCKS = (["--sizes=lattice=1,cells=16"], ["--sizes=lattice=1,cells=1024,chunk=16"], ["--sizes=lattice=1,cells=1048576"])
MESHES = ((1, 1), (2, 2), (1, 3))


def compile_spec(flags):
    program = folder / "program"
    subprocess.run(pmc + [spec, *flags, "-o", program], check=True)
    kernels = subprocess.run(pmc + [spec, *flags, "--emit=kernels"], check=True, capture_output=True, text=True).stdout
    return program, kernels.count("pmk.parallel_blocks")


def run(program, mesh):
    out = folder / "out"
    subprocess.run([program, "--quiet", "--plan=estimate", "--format=npy", "--mesh=row=%d,col=%d" % mesh, "--out=%s" % out], check=True)
    return {path.stem: np.load(path) for path in sorted(out.glob("*.npy"))}


bad = 0
for precision, bound in (("f64", 1e-13), ("f32", 3e-6)):
    program, blocks = compile_spec(ROWS + ["--precision=" + precision])
    assert blocks == 0, "expected readings in rows, found %d in blocks" % blocks
    expected = run(program, (1, 1))
    assert len(expected) == 9, sorted(expected)
    for flags in BLOCKS:
        program, blocks = compile_spec(flags + ["--precision=" + precision, "-O1"])
        assert blocks == 9, "%s: expected 9 readings in blocks, found %d" % (flags, blocks)
        for mesh in MESHES:
            for name, value in run(program, mesh).items():
                off = np.abs(value - expected[name]).max() / np.abs(expected[name]).max()
                if not off <= bound:
                    print("%s %s on a mesh of %dx%d: '%s' is off by %.1e, expected at most %.0e" % (precision, flags[0], *mesh, name, off, bound))
                    bad += 1
sys.exit(bad > 0)
