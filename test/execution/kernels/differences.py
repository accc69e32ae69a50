#!/usr/bin/env python3
"""Readings and paints that compute their cells give what those of stored meshes give: differences.py FOLDER PMC... SPEC"""
import pathlib
import subprocess
import sys

import numpy as np

folder, pmc, spec = pathlib.Path(sys.argv[1]), sys.argv[2:-1], sys.argv[-1]
folder.mkdir(parents=True, exist_ok=True)
STORED = ["--sizes=lattice=1048576"]
# Blocks of a few sites with boxes that overlap, of odd parts of rows, and of the whole lattice.
BLOCKS = (["--sizes=lattice=1,cells=16"], ["--sizes=lattice=1,cells=1024,chunk=16"], ["--sizes=lattice=1,cells=1048576"])
MESHES = ((1, 1), (2, 2), (1, 3))
READINGS, PAINTS, OUTPUTS = 11, 6, 17


def compile_spec(flags):
    program = folder / "program"
    subprocess.run(pmc + [spec, *flags, "-o", program], check=True)
    kernels = subprocess.run(pmc + [spec, *flags, "--emit=kernels"], check=True, capture_output=True, text=True).stdout
    count = lambda *words: sum(all(word in line for word in words) for line in kernels.splitlines())
    return program, count("pmk.parallel_blocks", " fill "), count("pmk.parallel_scatter", " stencil ")


def run(program, mesh, reach):
    out = folder / "out"
    subprocess.run([program, "--quiet", "--plan=estimate", "--format=npy", "--mesh=row=%d,col=%d" % mesh, "--reach=%g" % reach, "--out=%s" % out], check=True)
    return {path.stem: np.load(path) for path in sorted(out.glob("*.npy"))}


bad = 0
for precision, bound in (("f64", 1e-12), ("f32", 1e-5)):
    stored, filled, painted = compile_spec(STORED + ["--precision=" + precision])
    assert filled == 0 and painted == 0, "expected stored meshes, found %d readings and %d paints that compute cells" % (filled, painted)
    # A reach of 900 cells: boxes that fit no cache, of single sites.
    expected = {reach: run(stored, (1, 1), reach) for reach in (1.5, 900)}
    assert len(expected[1.5]) == OUTPUTS, sorted(expected[1.5])
    for flags in BLOCKS:
        program, filled, painted = compile_spec(flags + ["--precision=" + precision, "-O1"])
        assert (filled, painted) == (READINGS, PAINTS), "%s: expected %d readings and %d paints that compute cells, found %d and %d" % (
            flags, READINGS, PAINTS, filled, painted)
        for mesh in MESHES:
            for reach, values in expected.items():
                # In f32, particles far away are at other places within their cells.
                if reach > 100 and precision == "f32":
                    continue
                for name, value in run(program, mesh, reach).items():
                    off = np.abs(value - values[name]).max() / np.abs(values[name]).max()
                    if not off <= bound * max(reach, 1):
                        print("%s %s on a mesh of %dx%d, bound %g: '%s' is off by %.1e, expected at most %.0e" %
                              (precision, flags[0], *mesh, reach, name, off, bound * max(reach, 1)))
                        bad += 1
sys.exit(bad > 0)
