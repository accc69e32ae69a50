#!/usr/bin/env python3
"""check_powerspectrum.py IN OUT BOX: the spectrum in OUT is that of IN/density.npy."""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "reference"))
import replay
from compare import load

density = np.load(os.path.join(sys.argv[1], "density.npy")).astype(np.float64)
power = load(sys.argv[2], "power")
expected = replay.power_spectrum(density, float(sys.argv[3]))
assert np.allclose(power, expected, rtol=3e-6, atol=0), np.max(np.abs(power - expected), 0)
