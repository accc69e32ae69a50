#!/usr/bin/env python3
"""`precise { … }` in f32 programs, against NumPy in f64 of the same f32 numbers.

    precise.py PMC SPEC FOLDER [FLAG...]"""
import os
import shlex
import subprocess
import sys

import numpy

PMC, SPEC, FOLDER, *FLAGS = sys.argv[1:]
N = 16
os.makedirs(FOLDER, exist_ok=True)
generator = numpy.random.default_rng(7)
f = generator.normal(size=(N, N)).astype(numpy.float32)
numpy.save(f"{FOLDER}/f.npy", f)
wide = f.astype(numpy.float64)


def run(program, mesh, *flags, good=True):
    done = subprocess.run([program, "--plan=estimate", "--quiet", "--format=npy", f"--out={FOLDER}/out", "--mesh=" + mesh,
                           f"--f={FOLDER}/f.npy", *flags], capture_output=True, text=True)
    assert (done.returncode == 0) == good, done.stderr
    return done


def load(name):
    return numpy.load(f"{FOLDER}/out/{name}.npy")


def expected():
    k = 2 * numpy.pi * numpy.fft.fftfreq(N) * N
    k2 = k[:, None]**2 + k**2
    large = 1e6 + wide
    fft, ifft = numpy.fft.fft2, lambda c: numpy.fft.ifft2(c).real
    logistic = 0.5 + 0.4 * numpy.tanh(wide)
    for _ in range(30):
        logistic = 3.9 * logistic * (1 - logistic)
    return {"plain": large - 1e6, "inside": large - 1e6, "spectrum": ifft(fft(large) * (1 + 1e-9 * k2)) - 1e6, "moved": numpy.roll(large, -1, 0) - large,
            "chaos": logistic, "called": (wide + 1e7)**2 - 1e14 - 2e7 * wide, "a": large - 1e6 + 1, "b": 2 * large - 2e6,
            "modes": fft(1e6 + wide)[1:, 1:] / N**2, "summed": (large - 1e6).sum(axis=1), "gradient": 2 * (1e6 + wide - 1e6)}


def check(tolerance):
    for name, numbers in expected().items():
        if name in ("a", "b"):
            found = load("parts")[..., "ab".index(name)]
        elif name == "modes":
            found = load("modes")[1:, 1:]
        else:
            found = load(name)
        error = abs(found - numbers).max() / abs(numbers).max()
        assert error < tolerance.get(name, 2e-7), "%s: error %g" % (name, error)


for precision in ("f32", "f64"):
    program = f"{FOLDER}/{precision}"
    subprocess.run([*shlex.split(PMC), SPEC, *FLAGS, "--precision=" + precision, "-o", program], check=True)
    for mesh in ("row=1,col=1", "row=2,col=2", "row=3,col=1"):
        done = run(program, mesh)
        # The recursion amplifies the last bits of f64, and 1e14 leaves few of them.
        check({"chaos": 1e-3, "called": 1e-2, "spectrum": 1e-6, "gradient": 1e-6})
        # Without it, f32 loses nearly all.
        for name in ("rough", "outside"):
            error = abs(load(name) - wide).max()
            assert (error > 1e-2) == (precision == "f32"), (precision, name, error)
        assert "difference within 1e-6" in done.stdout, done.stdout
    # Numbers that f32 holds with fewer digits, down to the smallest one, are results. Numbers that are 0 or infinite in f32 are errors.
    for scale, tolerance in ((1e37, 1e-6), (1e-37, 1e-6), (1e-40, 1e-4), (1e-44, 0.5)):
        run(program, "row=1,col=1", f"--scale={scale:g}")
        error = abs(load("scaled").astype("f8") / scale - wide).max() / abs(wide).max()
        assert error < tolerance, (precision, scale, error)
    large = run(program, "row=1,col=1", "--scale=1e39", good=precision == "f64")
    small = run(program, "row=1,col=1", "--scale=1e-60", good=precision == "f64")
    if precision == "f32":
        for done, number in ((large, "e+39"), (small, "e-60")):
            assert "precise: the largest element of a field of the result, " in done.stderr and number in done.stderr, done.stderr
            assert ".pm:" in done.stderr, done.stderr
