#!/usr/bin/env python3
"""Whether all outputs of two runs are the same but for rounding: check_meshes.py FOLDER FOLDER"""
import glob
import os
import sys

import numpy as np

names = sorted(os.path.basename(path) for path in glob.glob(f"{sys.argv[1]}/*.npy"))
assert len(names) == 9, names
for name in names:
    a, b = (np.load(f"{folder}/{name}") for folder in sys.argv[1:3])
    assert np.ptp(a) > 0, f"{name} has one value only"
    error = np.abs(a - b).max() / np.abs(a).max()
    assert error < 1e-9, f"{name} differs by {error:g}"
