#!/usr/bin/env python3
"""spectral_filters.py FOLDER PMC SPEC: filters of spectra of many shapes, in both precisions, on one thread and on
several, and on ranks, against NumPy."""
import os
import shlex
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "reference"))
from compare import load

folder, pmc, spec = sys.argv[1], shlex.split(sys.argv[2]), sys.argv[3]
# Sides: even and odd, of one cell, which ranks cannot split, and of more lines than a block has.
SIDES = [(6, 9, 8), (5, 7, 9), (1, 6, 1), (40, 6, 70)]
RUNS = {"one": ["--threads=1"], "threads": ["--threads=3"], "two": ["--mesh", "row=2,col=1", "--transport=threads", "--threads=1"],
        "four": ["--mesh", "row=2,col=2", "--transport=threads", "--threads=1"]}


def read(name):
    value = load(out, name)
    return value["r"] + 1j * value["i"] if value.dtype.names else value


def numbers(n, halved=False):
    m = np.rint(np.fft.fftfreq(n, 1 / n))
    return m[: n // 2 + 1] * (np.where(2 * np.arange(n // 2 + 1) == n, -1, 1)) if halved else m


def filtered(name, axes, factor):
    """`factor` gets the mode numbers along the axes."""
    f = read(name)
    real = not np.iscomplexobj(f)
    f = f.astype(np.float64 if real else np.complex128)
    m = []
    for axis in axes:
        shape = [1] * f.ndim
        shape[axis] = -1
        m.append(numbers(f.shape[axis], real and axis == axes[-1]).reshape(shape))
    if not real:
        return np.fft.ifftn(factor(*m) * np.fft.fftn(f, axes=axes), axes=axes)
    return np.fft.irfftn(factor(*m) * np.fft.rfftn(f, axes=axes), s=[f.shape[a] for a in axes], axes=axes)


def expected():
    every = (0, 1, 2)
    smooth = lambda x, y, z: np.exp(-0.02 * (x**2 + 2 * y**2 + 3 * z**2))
    table = np.fft.fft(read("table").astype(complex)) / read("table").size
    return {
        "smoothed": filtered("f", every, smooth),
        "slope": filtered("slope_source", every, lambda x, y, z: 1j * x / (1 + z**2)),
        "by_table": filtered("table_source", every, lambda x, y, z: table[None, :, None]),
        "along_x": filtered("along_x_source", (0,), lambda x: 1j * x),
        "along_z": filtered("along_z_source", (2,), lambda z: np.exp(-0.1 * z**2)),
        "along_yz": filtered("along_yz_source", (1, 2), lambda y, z: np.exp(-0.1 * z**2 - 0.03 * y**2)),
        "batch": filtered("batch_source", (1, 2), lambda x, y: np.exp(-0.1 * x**2) + 0 * y),
        "last_batch": filtered("last_batch_source", (0,), lambda x: np.exp(-0.1 * x**2)),
        "c_all": filtered("c_source", every, lambda x, y, z: np.exp(1j * x - 0.02 * y**2) + 0 * z),
        "c_along": filtered("c_along_source", (1,), lambda y: np.exp(1j * y)),
        "slope_of_energy": filtered("f", every, lambda x, y, z: smooth(x, y, z) ** 2),
        "first": filtered("shared_source", every, lambda x, y, z: x**2 + 0 * (y + z)),
        "second": filtered("shared_source", every, lambda x, y, z: y**2 + 0 * (x + z)),
    }


for sides in SIDES:
    for precision, tolerance in ("f64", 1e-14), ("f32", 3e-6):
        program = os.path.join(folder, precision + "x".join(map(str, sides)))
        os.makedirs(folder, exist_ok=True)
        sizes = [word for name, n in zip("xyz", sides) for word in ("-D", f"n{name}={n}")]
        subprocess.run(pmc + [spec, f"--precision={precision}", *sizes, "-o", program], check=True)
        for run, flags in RUNS.items():
            if "--mesh" in flags and min(sides) == 1:
                continue
            out = os.path.join(program + ".out", run)
            subprocess.run([program, "--quiet", "--out", out, *flags], check=True)
            for name, value in expected().items():
                got = read(name)
                error = np.max(np.abs(got - value)) / max(1, np.max(np.abs(value)))
                if not error <= tolerance:
                    sys.exit(f"{sides} {precision} {run}: {name} is off by {error:.1e} of its largest value, expected at most {tolerance:.1e}")
