"""Compares sums with Python's fsum, which rounds once: check_sums.py FOLDER TEXT"""
import math
import pathlib
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1])
load = lambda name: np.load(folder / f"{name}.npy")
complaints = []


def compare(name, found, terms):
    """Within two roundings: of the words that are added, and of the sum."""
    for at, (value, numbers) in enumerate(zip(np.atleast_1d(found), terms)):
        true = math.fsum(numbers)
        if not abs(value - true) <= 2.0**-52 * abs(true):
            complaints.append(f"{name}[{at}] is {value!r}, expected {true!r}")


f = load("f")
total = float(pathlib.Path(sys.argv[2]).read_text().split("total ")[1].split()[0])
compare("total", total, [f.ravel()])
compare("rows", load("rows"), [row.ravel() for row in f])
compare("below", load("below"), [-np.abs(row.ravel()) for row in f])
compare("binned", load("binned"), [f[i::4].ravel() for i in range(4)])

# Cloud in cell on 5 cells of 0.2: what each particle adds is rounded, their sum is not.
n, place = 5, (0.4 + 0.1 * load("u")) * 5
cell = np.floor(place).astype(int)
terms = [[] for _ in range(n)]
for i, share, weight in zip(cell, place - cell, load("weight")):
    terms[i % n].append(weight * (1 - share))
    terms[(i + 1) % n].append(weight * share)
painted = load("painted")
for i in range(n):
    if not abs(painted[i] - math.fsum(terms[i])) <= 1e-14 * math.fsum(terms[i]):
        complaints.append(f"painted[{i}] is {painted[i]!r}, expected {math.fsum(terms[i])!r}")
print("\n".join(complaints))
sys.exit(bool(complaints))
