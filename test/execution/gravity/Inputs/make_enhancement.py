#!/usr/bin/env python3
"""Writes enhancement.txt with the emulator e-MANTIS (package emantis 1.3): make_enhancement.py FILE

The first column is k in h/Mpc. The others are the power spectrum of f(R) gravity (Hu & Sawicki, n = 1) relative to general relativity:
-df/dR = 1e-5 today at a = 2/3 and 1, then -df/dR = 1e-6 today at a = 2/3 and 1. The emulator interpolates simulations of the code
ECOSMOG (Saez-Casares, Rasera & Li 2024). The cosmology is the default of the library."""
import sys
import warnings

import numpy as np
from emantis.matter_power_spectrum import NonLinearMGBoostEmulator

warnings.filterwarnings("ignore")
emulator = NonLinearMGBoostEmulator("fR", verbose=False)
k = np.geomspace(0.03, 3, 60)
columns = [k]
for logarithm in (5, 6):
    for a in (2 / 3, 1):
        cosmology = {"Omega_m": 0.3075, "Omega_b": 0.0486, "h": 0.6774, "n_s": 0.9667, "sigma8_lcdm": 0.8159, "logfR0": logarithm}
        columns.append(emulator.predict_boost(cosmology, a, k=k))
np.savetxt(sys.argv[1], np.stack(columns, axis=1), fmt="%.6f")
