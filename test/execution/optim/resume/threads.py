"""Bits of a simulation by `--plan=fixed` and numbers of threads.

    threads.py PROGRAM FOLDER
"""

import glob
import os
import subprocess
import sys

import h5py

program, scratch = sys.argv[1:]
NAMES = ("density", "power", "position", "velocity")


def run(threads, *flags, plan="fixed"):
    done = subprocess.run([program, "--out", os.path.join(scratch, "out"), "--quiet", "--steps=6", "--particles=true", "--plot-format=none",
                           f"--threads={threads}", f"--plan={plan}", *flags], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, " ".join(done.stdout.split())


def bits(*arguments, plan="fixed"):
    code, text = run(*arguments, plan=plan)
    assert code == 0, text
    files = [h5py.File(os.path.join(scratch, "out", name + ".h5")) for name in NAMES]
    return [file[name][()].tobytes() for file in files for name in sorted(file)]


states = "--checkpoint=" + os.path.join(scratch, "states")
one = bits(1)
assert all(bits(threads) == one for threads in (2, 4)) and bits(3, states) == one
print("1, 2, 3, 4 threads: the same bits")
# As if it had been killed before the last state was written.
for part in glob.glob(os.path.join(scratch, "states", "*.6.*.state")):
    os.remove(part)
assert bits(1, states, "--resume") == one
print("killed on 3 threads, resumed on 1: the same bits")
ranks = ["--mesh=row=2", "--transport=threads"]
assert bits(1, *ranks) == bits(3, *ranks)
print("two ranks: 1 and 3 threads: the same bits")
assert bits(1, plan="measure") == one and bits(2, states, "--resume", plan="estimate") == one
print("with other plans: the same bits")
