#!/usr/bin/env python3
"""The particles of plane_wave.pm against the exact solution."""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "reference"))
import analytic
import replay
from compare import load, periodic_difference

out = sys.argv[1]
n, box, amplitude = 32, 100.0, 0.4
cosmo = replay.Cosmology()
q = replay.lattice(n, box)
x, v = analytic.plane_wave_state(q[:, 0], box, amplitude, 1.0,
                                 float(analytic.growth_flat(1.0, 0.3075)[1]), 1.0, 1.0)
position, velocity = load(out, "position"), load(out, "velocity")
shift, speed = np.max(np.abs(x - q[:, 0])), np.max(np.abs(v))
dx = np.max(np.abs(periodic_difference(position[:, 0], x, box))) / shift
dv = np.max(np.abs(velocity[:, 0] - v)) / speed
print("plane wave: position off by %.2g of the displacement, velocity by %.2g" % (dx, dv))
assert dx < 0.015 and dv < 0.025, (dx, dv)

# Nothing moves across the wave.
assert np.max(np.abs(periodic_difference(position[:, 1:], q[:, 1:], box))) < 1e-5
assert np.max(np.abs(velocity[:, 1:])) < 1e-8

# To rounding: the replay.
delta = analytic.plane_wave_delta(n, box, amplitude)
run = replay.simulate(delta, box, cosmo, kernel="exact", lpt_kernel="exact", steps=5,
                      window="tsc")
assert np.max(np.abs(periodic_difference(position, run["position"], box))) < 1e-5
assert np.max(np.abs(velocity - run["velocity"])) < 1e-6
