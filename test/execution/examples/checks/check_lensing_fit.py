#!/usr/bin/env python3
"""A short chain of the lensing_fit example: it moves and is accepted, energies have the size that data and unknowns ask for, the mean of
the maps is nearer to the truth than the data, the matter density is around it.

    check_lensing_fit.py OUT OMEGA_M WARM"""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "reference"))
from compare import load  # pylint: disable=wrong-import-position

out, omega_m, warm = sys.argv[1], float(sys.argv[2]), int(sys.argv[3])
truth, data, fit = (load(out, name)[2:-2, 2:-2] for name in ("truth", "data", "fit"))
accepted, found, width = load(out, "diagnostics").ravel()
chain, energy = load(out, "omega_chain"), load(out, "energy_chain")
unknowns = load(out, "true_noise").size
before, after = (np.sqrt(((f - truth) ** 2).mean()) for f in (data, fit))
print(f"accepted {accepted}, Omega_m {found} +- {width}, energy {energy[warm:].mean()}, rms {truth.std()}, error {before}, of the mean {after}")
assert 0.4 < accepted < 1, accepted
assert len(np.unique(chain)) > 0.3 * chain.size
# Half a unit an unknown, and as much a datum.
expected = 0.5 * (unknowns + data.size)
assert 0.8 * expected < energy[warm:].mean() < 1.2 * expected, (energy, expected)
assert after < 0.8 * before, (before, after)
assert abs(chain[warm:].mean() - found) < 1e-6 and abs(chain[warm:].std() - width) < 1e-6, (found, width)
assert 0.005 < width < 0.09, width  # the prior's: 0.115
assert abs(found - omega_m) < 4 * width, (found, width)
