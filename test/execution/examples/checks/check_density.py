#!/usr/bin/env python3
"""check_density.py DIR N: a painted density has mean 1, is nowhere negative and has structure."""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "..", "reference"))
from compare import load

density, n = load(sys.argv[1], "density"), int(sys.argv[2])
assert density.shape == (n, n, n), density.shape
assert abs(density.mean(dtype=np.float64) - 1) < 1e-5, density.mean()
assert density.min() >= 0 and density.max() > 3, (density.min(), density.max())
