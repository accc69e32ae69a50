#!/usr/bin/env python3
"""Compares the chains of batch_moments.pm with known moments: check_batch_moments.py FOLDER"""
import sys

import numpy as np

failed = []


def read(name):
    return np.load(f"{sys.argv[1]}/{name}.npy")


def moment(name, x, truth, bias=0.0):
    """The mean of x over [chain, draw]: its error follows from the means of the 16 chains, which are independent."""
    means = x.mean(axis=1)
    bound = 4.5 * np.std(means, ddof=1) / np.sqrt(len(means)) + bias
    if not abs(means.mean() - truth) <= bound or not bound < 0.5 * np.std(x) + bias:
        failed.append(f"{name}: the mean {means.mean():.4f} differs from {truth:.4f} by more than {bound:.4f}")


for method in ("hmc", "nuts", "mams", "mclmc", "langevin"):
    chains, bias = read("by_" + method), 0.01 if method == "mclmc" else 0.0
    for i, (name, mean, variance) in enumerate((("mean", 3, 1), ("f", 3, 1 + 0.7 ** 2), ("log_width", 0, 0.09))):
        moment(f"{method}, {name}", chains[..., i], mean, bias)
        moment(f"{method}, {name}, variance", (chains[..., i] - mean) ** 2, variance, 2 * bias * variance)
    moment(f"{method}, square of the noise", chains[..., 3], 1, bias)
    moment(f"{method}, real part of the noise", chains[..., 4], 0, bias)
for name, ratio in zip(("mean", "log_width"), np.moveaxis(read("rhat_of"), -1, 0)):
    if not 0.99 < ratio[0] < 1.03:
        failed.append(f"R-hat of {name} is {ratio[0]:.3f}")
one = read("one")
moment("an energy of one chain", one[..., 0], 0)
moment("an energy of one chain, product", one[..., 1], 0.9)
dense = read("dense_nuts")
moment("nuts with a dense metric", dense[..., 0], 0)
moment("nuts with a dense metric, product", dense[..., 1], 0.9)
for name in ("gamma", "gamma_by_nuts"):
    gamma = read(name)
    moment(name, gamma, 3)
    moment(f"{name}, variance", (gamma - 3) ** 2, 3)
first, second = np.moveaxis(read("banana"), -1, 0)
moment("banana, square of the first number", first ** 2, 1)
moment("banana, second number", second, 1)
moment("banana, square of the second number", second ** 2, 4)
# The field has the power 4/(1 + k^2) in units of the area of a cell, which is 4. The metric does not change the mean.
coloured = read("coloured")
k = 2 * np.pi * np.fft.fftfreq(4, 2.0)
for i, j in ((1, 0), (2, 1), (1, 2)):
    power = np.abs(coloured[:, :, i, j]) ** 2 * 16
    moment(f"mode {i}, {j}", power, 16 / (1 + k[i] ** 2 + k[j] ** 2))
print("\n".join(failed))
sys.exit(bool(failed))
