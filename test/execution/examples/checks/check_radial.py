"""Reconstructions from radial lines: their order, their printed qualities, the scale of gridding, and the same on every mesh."""

import re
import sys

import numpy

base = sys.argv[1]
NAMES = "gridded blurred least_squares total_variation".split()


def read(run, name):
    return numpy.load(f"{base}.{run}/{name}.npy")


truth = abs(read("one", "truth"))
rows = [[float(n) for n in re.findall(r"\d+\.\d+", line)] for line in open(f"{base}.txt", encoding="utf-8")][-4:]
found = []
for i, (name, (psnr, _, nrmse)) in enumerate(zip(NAMES, rows)):
    off = abs(read("one", name)) - truth
    assert abs(abs(off) - read("one", "errors")[..., i]).max() < 1e-12, name
    error = numpy.linalg.norm(off)
    found.append(20 * numpy.log10(truth.max() / error * numpy.sqrt(truth.size)))
    assert abs(found[-1] - psnr) < 0.006 and abs(error / numpy.linalg.norm(truth) - nrmse) < 6e-5, (name, found, psnr, nrmse)
print("PSNR", found)
assert found[1] > found[0] + 1 and found[2] > found[1] + 1 and found[3] > found[2] + 0.3, found
modes = numpy.fft.fftfreq(len(truth)) * len(truth)
middle = modes[:, None] ** 2 + modes**2 < 36
in_even_field, expected = (numpy.fft.fft2(read("even", name))[middle] for name in ("gridded", "truth"))
scale = numpy.vdot(expected, in_even_field).real / numpy.vdot(expected, expected).real
assert abs(scale - 1) < 0.08, f"gridding in an even field has {scale} times the truth's scale"
for run in ("image", "coils"):
    for name in ["truth", "errors"] + NAMES:
        off = abs(read(run, name) - read("one", name)).max()
        assert off < 1e-9, f"{name} of {run} is off by {off}"
