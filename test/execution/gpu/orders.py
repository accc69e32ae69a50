"""Paints and readings on the simulated GPU, whose threads run in several orders: orders.py FOLDER WAYS PMC SPEC"""

import os
import pathlib
import subprocess
import sys

import numpy

folder, ways, pmc, spec = pathlib.Path(sys.argv[1]), sys.argv[2].split(","), sys.argv[3:-1], sys.argv[-1]
folder.mkdir(parents=True, exist_ok=True)
FLAGS = {"atomic": ["--paint=atomics"], "tiled": ["--paint=tiled"], "deterministic": ["--deterministic"], "readings": []}
ORDERS = ("", "reverse", "shuffle:1", "shuffle:2")
MESHES = ([], ["--mesh=row=2,col=2", "--transport=threads"])
complaints = []


def build(name, *flags):
    program = folder / name
    subprocess.run(pmc + [spec, *flags, "-o", program], check=True)
    return program


def run(program, flags, order=""):
    out = folder / "out"
    subprocess.run([program, "--quiet", "--format=npy", f"--out={out}", *flags], check=True,
                   env={**os.environ, "FAKECUDA_ORDER": order, "FAKECUDA_RACES": "1"})
    return {path.name: numpy.load(path) for path in sorted(out.glob("*.npy"))}


for precision, bound in (("f32", 1e-5), ("f64", 1e-13)):
    cpu = run(build("cpu", f"--precision={precision}"), [])
    for name in ways:
        flags = FLAGS[name]
        program = build("gpu", "--target=cuda", "--emulate-gpu", f"--precision={precision}", *flags)
        for mesh in MESHES:
            runs = [run(program, mesh, order) for order in ORDERS]
            for field, expected in cpu.items():
                off = numpy.abs(runs[0][field] - expected).max() / numpy.abs(expected).max()
                if not off < bound:
                    complaints.append(f"{precision}, {name}, {mesh}: {field} is {off:.1e} off the CPU's, at most {bound} expected")
            same = all(one[field].tobytes() == runs[0][field].tobytes() for one in runs for field in cpu)
            print(f"{precision}, {name}: {'the same bits' if same else 'other bits in other orders'}", mesh)
            # Readings do not add to memory that threads share.
            if same != (name in ("deterministic", "readings")):
                complaints.append(f"{precision}, {name}, {mesh}: {'the same bits' if same else 'other bits'} in other orders")
for line in complaints:
    print(line)
print(f"{len(complaints)} complaints")
sys.exit(bool(complaints))
