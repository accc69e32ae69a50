"""A chain: neither stuck nor wandering, energies of the size that the number of data and unknowns asks for."""

import sys

import h5py
import numpy

out, samples = sys.argv[1], int(sys.argv[2])


def read(name):
    return h5py.File(f"{out}/{name}.h5")[name][:]


accepted, mean, width = read("diagnostics").ravel()
omega, energy = read("omega_chain"), read("energy_chain")
n = read("truth").size
print(f"accepted {accepted}, omega_m {mean} +- {width}, energy {energy[-1]}")
assert omega.size == energy.size == samples
assert 0.4 < accepted < 1, accepted
# A chain that does not conserve its energy accepts nothing; one that does not move always the same.
assert len(numpy.unique(omega)) > 0.3 * samples
# Half a unit a datum: the posterior's energy is chi^2/2 of about n data.
assert 0.3 * n < energy[samples // 3:].mean() < 1.5 * n, energy
assert abs(mean - 0.3) < 5 * max(width, 0.02) + 0.1
field, truth = read("mean_field"), read("truth")
r = (field * truth).sum() / numpy.sqrt((field**2).sum() * (truth**2).sum())
assert r > 0.3, r
