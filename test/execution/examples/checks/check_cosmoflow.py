"""Looks at a trained network: check_cosmoflow.py OUT MOST [OTHER...]: its errors are at most MOST of those of the mean, and other
runs have the same losses and answers."""

import os
import sys

import h5py
import numpy


def read(out, name):
    return h5py.File(os.path.join(out, name + ".h5"))[name][()]


out, most, others = sys.argv[1], float(sys.argv[2]), sys.argv[3:]
omega, omega_mean, sigma, sigma_mean = read(out, "errors")
found, truth, _, _ = read(out, "predicted").reshape(-1, 4).T
print(f"omega_m {omega:.4f} of {omega_mean:.4f}, sigma8 {sigma:.4f} of {sigma_mean:.4f}")
complaints = []
if abs(numpy.abs(found - truth).mean() - omega) > 1e-5 or abs(numpy.abs(0.3 - truth).mean() - omega_mean) > 1e-5:
    complaints.append("the errors are not those of what was predicted")
error = 0.5 * (omega / omega_mean + sigma / sigma_mean)
if not error < most:
    complaints.append(f"the errors are {error:.2f} of those of the mean, expected at most {most}")
losses = read(out, "losses")
for other in others:
    difference = numpy.abs(read(other, "losses") / losses - 1).max()
    answers = numpy.abs(read(other, "predicted") - read(out, "predicted")).max()
    print(f"{other}: losses differ by {difference:.1e}, answers by {answers:.1e}")
    if difference > 1e-6 or answers > 1e-6:
        complaints.append(f"{other} has other losses or answers")
if complaints:
    sys.exit("\n".join(complaints))
