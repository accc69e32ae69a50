#!/usr/bin/env python3
"""Fields in um, inputs in other units, flags with units, and asked units, against NumPy.

    working_units.py PMC SPEC FOLDER"""
import os
import shlex
import subprocess
import sys

import numpy

PMC, SPEC, FOLDER = sys.argv[1:]
N, STEPS, DT = 16, 20, 2e-3
os.makedirs(FOLDER, exist_ok=True)
generator = numpy.random.default_rng(3)
concentration = generator.normal(size=(N, N)) * 40  # percent
flow = generator.normal(size=N)  # nm/ms, which are um/s
for name, data in (("c0", concentration), ("flow", flow)):
    numpy.save("%s/%s.npy" % (FOLDER, name), data)


def expected(width, mobility):
    """In um and s. The mobility is in um^2/s."""
    k = 2 * numpy.pi * numpy.fft.fftfreq(N, 8 / N)
    k2 = k[:, None]**2 + k**2
    c = concentration / 100
    for _ in range(STEPS):
        force = numpy.fft.fft2(c**3 - c)
        ck = numpy.fft.fft2(c)
        c = numpy.fft.ifft2((ck - mobility * DT * k2 * force) / (1 + mobility * width**2 * DT * k2**2)).real
    return c, numpy.fft.ifft2(k2**2 * numpy.fft.fft2(c)).real


def check(name, found, wanted, tolerance):
    error = abs(found - wanted).max() / abs(numpy.asarray(wanted)).max()
    assert error < tolerance, "%s: error %g" % (name, error)


def run(program, tolerance, mesh, flags, width, mobility):
    out = FOLDER + "/out"
    inputs = ["--%s=%s/%s.npy" % (name, FOLDER, name) for name in ("c0", "flow")]
    text = subprocess.run([program, "--plan=estimate", "--format=npy", "--out=" + out, "--mesh=" + mesh, *inputs, *flags], check=True, capture_output=True,
                          text=True).stdout
    load = lambda name: numpy.load("%s/%s.npy" % (out, name))
    c, curvature = expected(width, mobility)
    check("c", load("c"), c, tolerance)
    check("curvature", load("curvature"), curvature, 20 * tolerance)
    # um^-4/(4 s) in mm^-4/min
    check("rate", load("rate"), curvature / 4 * 1e12 * 60, 20 * tolerance)
    check("speed", load("speed")[0], flow, tolerance)
    check("faster", load("faster"), 2e-9 * flow, tolerance)
    check("mixed", load("mixed"), numpy.stack([3 * flow, 120 * flow], axis=1), tolerance)
    return text


for precision, tolerance in (("f32", 2e-6), ("f64", 1e-13)):
    program = FOLDER + "/" + precision
    subprocess.run([*shlex.split(PMC), SPEC, "--precision=" + precision, "-o", program], check=True)
    text = run(program, tolerance, "row=1,col=1", [], 0.35, 1e-4 * 1e6 / 60)
    for line in ("width 0.35 um or 350.0 nm of 1.67 um^2", "0.35 um, 30.0 percent", "3 Pa 8e+12 um^2*kg/s^4"):
        assert line in text, (line, text)
    run(program, tolerance, "row=2,col=2", ["--width=500nm", "--mobility=4 um^2/s"], 0.5, 4)
refused = subprocess.run([program, "--width=5 ms"], capture_output=True, text=True)
assert refused.returncode != 0 and "--width: '5 ms' has the unit ms, but the value is in um" in refused.stderr, refused.stderr
help = subprocess.run([program, "--help"], capture_output=True, text=True).stdout
assert "in mm^2/min" in help and "in um" in help, help
