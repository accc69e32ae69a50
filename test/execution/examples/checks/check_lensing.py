#!/usr/bin/env python3
"""Maps and spectra of the lensing example: sizes that lensing has, and spectra near the prediction.

    check_lensing.py OUT"""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "reference"))
from compare import load  # pylint: disable=wrong-import-position

out = sys.argv[1]
kappa, straight, omega = (load(out, name) for name in ("kappa", "kappa_born", "omega"))
gamma = np.stack([load(out, "gamma1"), load(out, "gamma2")])
rms = kappa.std(axis=(0, 1))
print("rms kappa", rms, "bent rays", (kappa - straight).std(axis=(0, 1)) / rms, "omega", omega.std(axis=(0, 1)) / rms)
assert 1e-3 < rms[0] < rms[1] < rms[2] < 0.03, rms
assert ((kappa - straight).std(axis=(0, 1)) < (0.3, 0.5, 0.7) * rms).all()
assert ((kappa - straight).std(axis=(0, 1)) > 0.01 * rms).all()
assert (omega.std(axis=(0, 1)) < 0.01 * rms).all() and (omega.std(axis=(0, 1)) > 1e-5 * rms).all()
# A mode of kappa has as much shear as convergence.
shear = np.sqrt((gamma ** 2).mean(axis=(0, 1, 2)))
assert (abs(shear / rms - 1) < 0.4).all(), shear / rms

spectra = load(out, "spectra")
ratios = np.log(spectra[:, 1:7:2] / spectra[:, 2:7:2])
print("spectra over Limber's", np.exp(ratios.mean(axis=0)))
assert (abs(ratios.mean(axis=0)) < 0.5).all(), ratios
