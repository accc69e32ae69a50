#!/usr/bin/env python3
"""check_own_spectrum.py PREFIX: the runs of own_spectrum.test against linear theory and each other."""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "reference"))
import analytic
from compare import load

n, box = 32, 500.0
run = {name: load(sys.argv[1] + "." + name, "power")[:, 1]
       for name in ("default", "low", "table", "table_low", "other")}
growth = float(analytic.growth_flat(0.1, 0.3075)[0])
_, mean, sigma, _ = analytic.expected_power(n, box, analytic.linear_power()).T
low = slice(1, 6)                       # shells where CIC and fd4 do little

# Linear growth, within cosmic variance; another seed is another field.
for name in ("default", "other"):
    pull = (run[name][low] / growth ** 2 - mean[low]) / sigma[low]
    assert np.max(np.abs(pull)) < 4, (name, pull)
assert np.max(np.abs(run["other"][low] / run["default"][low] - 1)) > 0.05

# sigma8 and the table: the same phases, other amplitudes.
def ratio(a, b, expected):
    off = np.max(np.abs(run[a][low] / run[b][low] / expected - 1))
    assert off < 0.01, "%s/%s is off by %g" % (a, b, off)


ratio("low", "default", (0.4 / 0.8159) ** 2)
ratio("table", "default", 1.5)
ratio("table_low", "low", 1.0)
