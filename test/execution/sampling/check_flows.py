#!/usr/bin/env python3
"""Compares flows.pm with NumPy, or two runs: check_flows.py FOLDER [FOLDER]"""
import glob
import os
import sys

import numpy as np

failed = []


def read(name):
    return np.load(f"{sys.argv[1]}/{name}.npy")


def check(name, found, truth, bound=1e-9):
    error = np.max(np.abs(np.asarray(found) - truth))
    if not error <= bound:
        failed.append(f"{name}: off by {error:.3g}, expected at most {bound:.3g}")


if len(sys.argv) > 2:
    for path in glob.glob(f"{sys.argv[1]}/*.npy"):
        check(os.path.basename(path), np.load(path), np.load(os.path.join(sys.argv[2], os.path.basename(path))))
    print("\n".join(failed))
    sys.exit(bool(failed))
wide, along, centre = read("truth").T
C = np.diag(wide ** 2) + np.outer(along, along)
# The energy of the density is that of a Gaussian with this covariance.
P = np.linalg.inv(C)
check("mean of the low-rank Gaussian", read("centre_of"), centre, 0.1)
F = read("factors")
found = np.diag(read("deviation") ** 2) + F.T @ F
check("covariance of the low-rank Gaussian", found, C, 0.15)
check("covariance of samples", np.cov(read("samples").T), found, 0.25)
F = read("first_factors")
s = read("first_state")
expected = 0.5 * (s - centre) @ P @ (s - centre) - 0.5 * np.linalg.slogdet(0.4 ** 2 * np.eye(6) + F.T @ F)[1]
check("loss of the low-rank Gaussian", read("first_loss"), expected)

w = {os.path.basename(f)[:-4].split("_", 1)[1]: np.load(f) for f in glob.glob(f"{sys.argv[1]}/weights_*.npy")}
z, given = read("z"), read("given")
s, total = z.copy(), np.zeros(len(z))
for i in range(3):
    changes = (np.arange(6) + i) % 2
    h = np.tanh((s * (1 - changes)) @ w["first"][i].T + w["bias"][i] + w["gain"][i] * given)
    a = changes * 2 * np.tanh((h @ w["scale"][i].T + w["scale_bias"][i]) / 2)
    b = changes * (h @ w["shift"][i].T + w["shift_bias"][i])
    s = s * np.exp(a) + b
    total += a.sum(axis=1)
check("flow", read("flowed"), s)
check("log of its determinant", read("flowed_log"), total)
check("inverse", read("back"), z)
check("log of the inverse", read("shrunk"), -total)
check("density", read("density"), -0.5 * (z ** 2).sum(axis=1) - 3 * np.log(2 * np.pi) - total)
check("the flow of the start", read("identity"), z, 0)
flows = read("flows")
check("mean of a flow", flows.mean(axis=0), centre, 0.2)
check("covariance of a flow", np.cov(flows.T), C, 0.4)

A, posterior = read("matrix"), read("posterior")
seen = 0.8 - 0.5 * np.arange(3)
S = np.linalg.inv(np.eye(2) + A.T @ A / 0.25)
check("mean of a neural posterior", posterior.mean(axis=0), S @ A.T @ seen / 0.25, 0.1)
check("covariance of a neural posterior", np.cov(posterior.T), S, 0.1)
print("\n".join(failed))
sys.exit(bool(failed))
