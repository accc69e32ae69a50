#!/usr/bin/env python3
"""Compares the number of halos of mass_function.pm with the fit of Tinker et al. (2008).

    check_mass_function.py PARTICLES BOX FOLDER...

PARTICLES is the number of particles along each side, BOX the side in Mpc/h, and each FOLDER has the outputs of a run."""
import os
import sys

import h5py
import numpy as np
from tinker import density_of_halos, particle_mass

n, box, folders = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3:]
groups, spheres = 0, 0
for folder in folders:
    with h5py.File(os.path.join(folder, "groups.h5")) as file:
        groups += np.sum(file["groups"][:, 3] >= 100)
    with h5py.File(os.path.join(folder, "spheres.h5")) as file:
        spheres += np.sum(file["spheres"][:, 3] >= 100)
# The box has no waves that are longer than its side.
expected = len(folders) * box**3 * np.sum(density_of_halos(np.array([100.0, 1e4]) * particle_mass(n, box), longest=box))
print(f"{groups} groups, {spheres} spheres, expected {expected:.1f}")
# The Poisson error is about 9 %.
assert 0.75 < groups / expected < 1.25, f"{groups} groups, expected {expected:.1f}"
assert 0.6 < spheres / groups < 1.05, f"{spheres} spheres, {groups} groups"
