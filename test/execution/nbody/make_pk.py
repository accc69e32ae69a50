#!/usr/bin/env python3
"""make_pk.py FILE: the default spectrum of analytic.py as a table of k and P, 1.5 times as high."""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "reference"))
import analytic

k = np.geomspace(1e-4, 20, 2000)
os.makedirs(os.path.dirname(sys.argv[1]), exist_ok=True)
np.savetxt(sys.argv[1], np.stack([k, 1.5 * analytic.linear_power()(k)], 1), fmt="%.12e")
