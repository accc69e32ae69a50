#!/usr/bin/env python3
"""Compares the pictures of plots.pm with its draws: check_plots.py FOLDER"""
import os
import sys

import numpy as np
from scipy.stats import rankdata

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "plots"))
from values import figure_of  # pylint: disable=wrong-import-position

folder = sys.argv[1]
draws = np.load(f"{folder}/draws.npy")
ranks = rankdata(draws).reshape(draws.shape) - 0.5
counts = np.array([np.histogram(row, np.linspace(0, draws.size, 11))[0] for row in ranks])
for name, expected in (("traces", draws), ("ranks", counts)):
    curves = figure_of(f"{folder}/{name}.png")["curves"]
    found = np.array([np.frombuffer(curve["values"]) for curve in curves])
    assert found.shape == expected.shape, f"{name}: curves of shape {found.shape}, expected {expected.shape}"
    error = np.max(np.abs(found - expected))
    assert error < 1e-6, f"{name}: the curves are off by {error}"
assert counts.sum() == draws.size and np.ptp(counts) > 0, counts
