"""Reconstructions of a head: their order, their printed qualities, and the same on every mesh."""

import re
import sys

import numpy

base = sys.argv[1]
NAMES = "zero_filled least_squares wavelets total_variation".split()


def read(run, name):
    return numpy.load(f"{base}.{run}/{name}.npy")


truth = read("one", "truth")
rows = [[float(n) for n in re.findall(r"\d+\.\d+", line)] for line in open(f"{base}.txt", encoding="utf-8")][-4:]
found = []
for name, (psnr, _, nrmse) in zip(NAMES, rows):
    error = numpy.linalg.norm(read("one", name) - truth)
    found.append(20 * numpy.log10(abs(truth).max() / error * numpy.sqrt(truth.size)))
    assert abs(found[-1] - psnr) < 0.006 and abs(error / numpy.linalg.norm(truth) - nrmse) < 6e-5, (name, found, psnr, nrmse)
print("PSNR", found)
assert found[1] > found[0] + 0.5 and found[2] > found[1] + 1 and found[3] > found[1] + 1, found
for run in ("volume", "coils", "both"):
    for name in ["truth", "errors"] + NAMES:
        off = abs(read(run, name) - read("one", name)).max()
        assert off < 1e-9, f"{name} of {run} is off by {off}"
inside = abs(truth) > 0.5
assert 0.9 < abs(truth).max() < 1.3 and 0.005 < inside.mean() < 0.2, inside.mean()
