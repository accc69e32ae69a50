#!/usr/bin/env python3
"""Maps of the full sky: as many particles as shells have, and a spectrum near the prediction.

    check_fullsky.py OUT"""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "reference"))
from compare import load  # pylint: disable=wrong-import-position

out = sys.argv[1]
shells, kappa, spectra = (load(out, name) for name in ("overdensity", "kappa", "spectra"))
assert shells.shape == (4, 768) and kappa.shape == (768,) and (shells >= -1).all()
means = shells.mean(axis=1)
print("mean overdensities", means, "rms kappa", kappa.std())
# Far shells meet whole boxes; the nearest one has 0.4 % of the sphere's volume.
assert (abs(means[:2]) < 0.1).all() and (abs(means[2:]) < 0.5).all()
assert 1e-4 < kappa.std() < 1e-3 and abs(kappa.mean()) < 1e-3
l, found, linear, noise = spectra.T
# The box has no waves for the first multipoles, and 16 cells a side are few for the last.
weight = (2 * l + 1)[4:13]
ratio = weight @ found[4:13] / (weight @ (linear + noise)[4:13])
print("spectrum over the prediction", ratio)
assert 0.3 < ratio < 1.6, ratio
