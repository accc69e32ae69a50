"""Functions that all tests of users' specs need: to compile a spec, to run it, and to compare results."""
import os
import pathlib
import resource
import shlex
import subprocess
import sys

# One thread each, so that seconds of processors can be compared.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import h5py
import numpy as np

INPUTS = pathlib.Path(__file__).resolve().parent / "Inputs"
CASES, PMC = {}, []


def case(function):
    CASES[function.__name__] = function
    return function


def timed(command):
    """Returns the output of a command, and its seconds of processors."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


class Spec:
    """A compiled spec. A call runs it and returns its output."""

    def __init__(self, name, *flags):
        self.name = name
        self.compiled = timed([*PMC, "--no-cache", str(INPUTS / f"{name}.pm"), "-o", name, *flags])[1]

    def __call__(self, *flags):
        printed, self.ran = timed([f"./{self.name}", "--quiet", "--threads=1", f"--out={self.name}.out", *flags])
        return printed

    def read(self, output):
        with h5py.File(f"{self.name}.out/{output}.h5") as file:
            return file[output][...]

    def tell(self, numpy_seconds, text):
        print(f"{self.name}: CPU s: compiled {self.compiled:.2f}, ran {self.ran:.2f}, NumPy {numpy_seconds:.2f}; {text}", flush=True)


def near(name, found, expected, bound):
    error = np.max(np.abs(np.asarray(found) - expected)) / np.max(np.abs(expected))
    if not error <= bound:
        sys.exit(f"{name}: off by {error:.1e} of the maximum, expected at most {bound:.0e}")
    return error


def precisions(bounds):
    return [(f"--precision={name}", bound) for name, bound in bounds.items()]


def main():
    """PMC FOLDER [CASE...]"""
    PMC.extend(str(word) if "/" not in word else os.path.abspath(word) for word in shlex.split(sys.argv[1]))
    os.makedirs(sys.argv[2], exist_ok=True)
    os.chdir(sys.argv[2])
    for name in sys.argv[3:] or CASES:
        CASES[name]()
