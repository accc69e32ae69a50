"""Compares the memory that --dry-run predicts with the allocations of the simulated driver: memory.py FOLDER EXAMPLES PMC..."""
import json
import os
import pathlib
import re
import subprocess
import sys

folder, examples, pmc = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3:]
folder.mkdir(parents=True, exist_ok=True)
UNITS = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}
MOST = 0.1  # relative difference

# 64 cells a side. A few steps suffice, because all steps use the same memory.
CASES = (("nbody", ["-D", "n=64"], ["--steps=1"]),
         ("lensing", ["-D", "n=64", "-D", "pixels=64", "-D", "planes=4"], ["--steps=1", "--z1=0.1", "--z2=0.2", "--z3=0.25"]),
         ("reconstruction", ["-D", "n=64", "-D", "each=1"], ["--steps=1"]))


def run(program, flags, **environment):
    done = subprocess.run([program, "--quiet", "--format=npy", "--plot-format=none", f"--out={folder / 'out'}", *flags],
                          capture_output=True, text=True, env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr
    return done.stdout


def compare(name, constants, flags):
    program = folder / name
    subprocess.run([*pmc, "--target=cuda", "--emulate-gpu", *constants, examples / name / f"{name}.pm", "-o", program],
                   check=True)
    plan = run(program, [*flags, "--dry-run"])
    number, unit = re.search(r"^  ([\d.]+) (\w+) at the peak on the GPU", plan, re.M).groups()
    predicted = float(number) * UNITS[unit]
    peak = folder / "peak"
    run(program, flags, FAKECUDA_PEAK=str(peak))
    allocated = int(peak.read_text().split()[1])
    recorded = json.loads((folder / "out/run.json").read_text())["memory"]["device_bytes"]
    print(f"{name}: {predicted / 2**20:.1f} MiB predicted, {allocated / 2**20:.1f} MiB allocated, "
          f"{recorded / 2**20:.1f} MiB recorded", flush=True)
    assert abs(predicted - allocated) <= MOST * allocated, plan
    assert abs(recorded - allocated) <= 0.02 * allocated


for case in CASES:
    compare(*case)
