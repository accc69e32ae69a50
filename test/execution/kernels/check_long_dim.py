#!/usr/bin/env python3
"""check_long_dim.py PROGRAM OUT: long_dim.pm against sums in NumPy, its memory
against its plan."""
import json
import os
import subprocess
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "reference"))
from compare import load

program, out = sys.argv[1:]
CELLS, LIMIT = 4000000, 600e6


def run(*flags):
    return subprocess.run([program, "--out", out, "--quiet", "--transport=threads", *flags], check=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True).stdout


for ranks in (1, 4):
    run("--mesh=row=%d" % ranks)
    place, mass = CELLS * load(out, "noise"), load(out, "mass")
    whole = np.floor(place)
    expected = np.zeros(CELLS)
    for k in range(-1, 3):
        s = np.abs(place - whole - k)
        weight = np.where(s < 1, (4 - 6 * s ** 2 + 3 * s ** 3) / 6, np.clip(2 - s, 0, None) ** 3 / 6)
        np.add.at(expected, (whole.astype(np.int64) + k) % CELLS, mass * weight)
    error = np.abs(load(out, "mesh") - expected).max()
    if not error <= 1e-8:
        sys.exit("%d ranks: off by %g, expected at most 1e-8" % (ranks, error))
    with open(os.path.join(out, "run.json"), encoding="utf-8") as file:
        record = json.load(file)
    if not record["memory"]["peak_resident_bytes"] <= LIMIT:
        sys.exit("%d ranks: %g bytes at the peak, expected at most %g" %
                 (ranks, record["memory"]["peak_resident_bytes"], LIMIT))
    plan = run("--mesh=row=%d" % ranks, "--dry-run")
    if "to sort particles" not in plan and record["device"] is None:
        sys.exit("%d ranks: no sorting in the plan:\n%s" % (ranks, plan))
