#!/usr/bin/env python3
"""Compares the ranks of draws of metrics.pm with SciPy: check_ranks.py FOLDER"""
import sys

import numpy as np
from scipy.stats import norm, rankdata

failed = []


def read(name):
    return np.load(f"{sys.argv[1]}/{name}.npy")


def check(name, found, truth, bound=1e-12):
    error = np.max(np.abs(found - truth)) if found.shape == np.shape(truth) else np.inf
    if not error <= bound:
        failed.append(f"{name}: off by {error:.3g}, expected at most {bound:.3g}")


def split_rhat(x):
    """The estimate of Vehtari et al. (2021), eqs. 1 to 4, from halves of chains."""
    halves = np.concatenate([x[:, : x.shape[1] // 2], x[:, x.shape[1] // 2:]])
    n = halves.shape[1]
    within = np.mean(np.var(halves, axis=1, ddof=1))
    return np.sqrt((n - 1) / n + np.var(np.mean(halves, axis=1), ddof=1) / within)


f = read("f")
for name, part, end in (("all chains", f, "of"), ("one chain", f[1:2], "alone")):
    ranks = rankdata(part, method="average").reshape(part.shape)
    more = "" if end == "of" else "_alone"
    check(f"ranks of {name}", read(f"ranks_{end}"), ranks - 1)
    check(f"normal numbers of {name}", read(f"normal{more}"), norm.ppf((ranks - 0.375) / (part.size + 0.25)), 1e-9)
    places = np.minimum((ranks - 0.5) * 7 // part.size, 6)
    check(f"counts of {name}", read(f"counts{more}"), np.array([[np.sum(row == i) for i in range(7)] for row in places]))
if len(np.unique(f)) > f.size / 2:
    failed.append("draws have too few ties for a test of their ranks")
check("rank-normalized split R-hat", read("bulk")[..., 0], split_rhat(norm.ppf((rankdata(f).reshape(f.shape) - 0.375) / (f.size + 0.25))), 1e-9)
print("\n".join(failed))
sys.exit(bool(failed))
