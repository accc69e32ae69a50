"""Programs whose schedules have other sizes compute the same: sizes.py FOLDER PMC... SPEC"""

import pathlib
import subprocess
import sys

import numpy

folder, pmc, spec = pathlib.Path(sys.argv[1]), sys.argv[2:-1], sys.argv[-1]
folder.mkdir(parents=True, exist_ok=True)
GPU = ["--target=cuda", "--emulate-gpu"]
WAYS = (["--sizes=chunk=16"], ["--sizes=chunk=512"], GPU, GPU + ["--sizes=block=32,group=32,access=4"],
        GPU + ["--sizes=block=1024,group=1024,access=8"], GPU + ["--paint=tiled", "--sizes=block=64,particles=128,row=4"])


def run(flags):
    program, out = folder / "program", folder / "out"
    subprocess.run(pmc + [spec, "-O0", "--precision=f64", *flags, "-o", program], check=True)
    subprocess.run([program, "--quiet", "--plan=estimate", "--format=npy", f"--out={out}"], check=True)
    return {path.name: numpy.load(path) for path in sorted(out.glob("*.npy"))}


expected = run([])
bad = 0
for way in WAYS:
    found = run(way)
    off = {name: numpy.abs(found[name] - value).max() / numpy.abs(value).max() for name, value in expected.items()}
    worst = max(off, key=off.get)
    print(" ".join(way), f"{len(off)} fields, {worst} off by {off[worst]:.0e}")
    if not off[worst] < 1e-13 or len(off) != 9:
        print(f"{worst} is {off[worst]:.1e} off, of {len(off)} fields; expected 9 within 1e-13")
        bad += 1
sys.exit(bad)
