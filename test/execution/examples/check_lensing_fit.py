#!/usr/bin/env python3
"""The fit of the lensing_fit example: the loss falls, maps are nearer to the truth than the data, Omega_m is within 3 sigma.

    check_lensing_fit.py OUT"""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "reference"))
from compare import load  # pylint: disable=wrong-import-position

out = sys.argv[1]
truth, data, fit = (load(out, name)[2:-2, 2:-2] for name in ("truth", "data", "fit"))
losses = load(out, "losses")
found, width = float(load(out, "found")), float(load(out, "width"))
before, after = (np.sqrt(((f - truth) ** 2).mean()) for f in (data, fit))
print("losses", losses[0], losses[-1], "rms of the truth", truth.std(), "error of the data", before, "of the fit", after, "Omega_m", found, width)
assert (np.diff(losses) <= 0).all() and losses[-1] < 0.5 * losses[0], losses
assert after < 0.9 * before, (before, after)
assert 0.005 < width < 0.12, width
assert abs(found - 0.35) < 3 * width, (found, width)
