#!/usr/bin/env python3
"""The spectrum of gaussian_spectrum.pm against the expectation and its cosmic variance."""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "reference"))
import analytic
import replay
from compare import load

out = sys.argv[1]
n, box = 64, 500.0
power = load(out, "power")
delta = load(out, "delta").astype(np.float64)

# The binning: against that of the replay, on the same field.
expected = replay.power_spectrum(delta, box)
assert power.shape == (n // 2, 3), power.shape
assert np.all(power[0] == 0), power[0]
assert np.array_equal(power[:, 2], expected[:, 2])
assert np.allclose(power[1:, :2], expected[1:, :2], rtol=2e-6, atol=0), \
    np.max(np.abs(power[1:, :2] / expected[1:, :2] - 1))

# The field: chi^2 of the shells, and every shell within 5 sigma.
P = analytic.linear_power(wiggles=False)
_, mean, sigma, modes = analytic.expected_power(n, box, P)[1:].T
pull = (power[1:, 1] - mean) / sigma
assert np.max(np.abs(pull)) < 5, pull
chi2 = np.mean(pull[4:] ** 2)
assert 0.3 < chi2 < 2.5, chi2

# One point of the field is Gaussian.
u = delta.ravel() / delta.std()
assert abs(np.mean(u ** 3)) < 0.02 and abs(np.mean(u ** 4) - 3) < 0.05, \
    (np.mean(u ** 3), np.mean(u ** 4))
