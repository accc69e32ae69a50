#!/usr/bin/env python3
"""Readings and paints in blocks of lattice sites give the values of those in rows: blocks.py FOLDER KERNELS OUTPUTS FLAG,... PMC... SPEC

KERNELS: how many are compiled to blocks. OUTPUTS: of the spec. FLAGS: of the programs, one run each; '-' for none.
"""
import pathlib
import shutil
import subprocess
import sys

import numpy as np

folder, pmc, spec = pathlib.Path(sys.argv[1]), sys.argv[5:-1], sys.argv[-1]
kernels, outputs, variants = int(sys.argv[2]), int(sys.argv[3]), sys.argv[4].split(",")
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
ROWS = ["--sizes=lattice=1048576"]
# Blocks of a few sites with boxes that overlap, of odd parts of rows, and of the whole lattice.
BLOCKS = (["--sizes=lattice=1,cells=16"], ["--sizes=lattice=1,cells=1024,chunk=16"], ["--sizes=lattice=1,cells=1048576"])
MESHES = ((1, 1), (2, 2), (1, 3))


def compile_spec(flags):
    program = folder / "program"
    subprocess.run(pmc + [spec, *flags, "-o", program], check=True)
    text = subprocess.run(pmc + [spec, *flags, "--emit=kernels"], check=True, capture_output=True, text=True).stdout
    return program, text.count("pmk.parallel_blocks") + text.count(" cached @")


def run(program, mesh, variant):
    out = folder / "out"
    flags = [] if variant == "-" else [variant]
    subprocess.run([program, "--quiet", "--plan=estimate", "--format=npy", "--mesh=row=%d,col=%d" % mesh, "--out=%s" % out, *flags], check=True)
    return {path.stem: np.load(path) for path in sorted(out.glob("*.npy"))}


bad = 0
for precision, bound in (("f64", 1e-13), ("f32", 3e-6)):
    program, blocks = compile_spec(ROWS + ["--precision=" + precision])
    assert blocks == 0, "expected kernels in rows, found %d in blocks" % blocks
    expected = {variant: run(program, (1, 1), variant) for variant in variants}
    assert all(len(values) == outputs for values in expected.values()), expected.keys()
    for flags in BLOCKS:
        program, blocks = compile_spec(flags + ["--precision=" + precision, "-O1"])
        assert blocks == kernels, "%s: expected %d kernels in blocks, found %d" % (flags, kernels, blocks)
        for variant in variants:
            for mesh in MESHES:
                for name, value in run(program, mesh, variant).items():
                    known = expected[variant][name]
                    off = np.abs(value - known).max() / np.abs(known).max()
                    if not off <= bound:
                        print("%s %s %s on a mesh of %dx%d: '%s' is off by %.1e, expected at most %.0e"
                              % (precision, flags[0], variant, *mesh, name, off, bound))
                        bad += 1
sys.exit(bad > 0)
