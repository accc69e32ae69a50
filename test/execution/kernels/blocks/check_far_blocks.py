#!/usr/bin/env python3
"""check_far_blocks.py BLOCKS ROWS OUT: two programs of one spec agree for displacements of every size."""
import subprocess
import sys

import numpy as np

blocks, rows, out = sys.argv[1:]
for far in (1, 1e5, 8e6, 2e7, 7e7, 3e8, 3e9, 1e12, 1e14):
    values = []
    for program in (blocks, rows):
        subprocess.run([program, "--quiet", "--format=npy", f"--far={far}", f"--out={out}"], check=True)
        values.append({name: np.load(f"{out}/{name}.npy") for name in ("r0", "r1", "mass")})
    for name, found in values[0].items():
        off = abs(found - values[1][name]).max()
        assert off <= 2e-6, f"{name} at {far} cells is off by {off:.1e}"
