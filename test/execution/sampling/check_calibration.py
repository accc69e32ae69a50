#!/usr/bin/env python3
"""Tests that the ranks of calibration.pm are uniform: check_calibration.py FOLDER"""
import sys

import numpy as np
from scipy import stats

ranks = np.load(f"{sys.argv[1]}/ranks_of.npy")
gradients = np.load(f"{sys.argv[1]}/gradients.npy")[:, 1:]
assert ranks.shape == (512, 2) and ranks.min() >= 0 and ranks.max() <= 31, f"ranks of shape {ranks.shape} from {ranks.min()} to {ranks.max()}"
for name, values in zip(("mean", "log_variance"), ranks.T):
    counts = np.bincount((values // 4).astype(int), minlength=8)
    p = stats.chisquare(counts).pvalue
    # A shift changes the mean rank. A wrong width changes the mean square of ranks relative to the middle.
    shift = (values.mean() - 15.5) / np.sqrt((32 ** 2 - 1) / 12 / len(values))
    square = (values - 15.5) ** 2
    width = (square.mean() - (32 ** 2 - 1) / 12) / np.sqrt(np.var((np.arange(32) - 15.5) ** 2) / len(values))
    assert p > 1e-3 and abs(shift) < 3.5 and abs(width) < 3.5, f"ranks of {name} are not uniform: {counts}, p {p:.2g}, {shift:.1f}, {width:.1f}"
    print(f"{name}: p = {p:.2f}, shift {shift:.1f}, width {width:.1f} standard errors")
assert np.min(np.ptp(gradients, axis=0)) > 0, "all chains take the same number of gradients"
