#!/usr/bin/env python3
"""make_delta.py FILE.npy N BOX SEED: a Gaussian linear overdensity at a = 1."""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "reference"))
import analytic

path, n, box, seed = sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), int(sys.argv[4])
field = analytic.gaussian_field(n, box, analytic.linear_power(), seed)
os.makedirs(os.path.dirname(path), exist_ok=True)
np.save(path, field.astype(np.float32, order="C"))
