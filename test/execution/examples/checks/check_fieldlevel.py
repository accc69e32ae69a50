"""A short chain of the fieldlevel example: neither stuck nor wandering, energies as at the truth, means within their widths. Or two chains,
which must be the same but for rounding.

    check_fieldlevel.py OUT WARM|OTHER"""

import sys

import h5py
import numpy

out = sys.argv[1]


def read(name, folder=out):
    return h5py.File(f"{folder}/{name}.h5")[name][:]


if not sys.argv[2].isdigit():
    assert (read("counts") == read("counts", sys.argv[2])).all(), "counts differ"
    off = numpy.abs(read("chain") - read("chain", sys.argv[2])).max(axis=0) / numpy.abs(read("chain")).max(axis=0)
    print(f"chains differ by {off.max():.1e}")
    assert off.max() < 1e-3, off
    assert len(numpy.unique(read("chain")[:, 1])) > 20, "the chain does not move"
    sys.exit()
warm = int(sys.argv[2])
accepted, mean_omega, width_omega, mean_bias, width_bias, at_truth = read("diagnostics").ravel()
omega, bias, energy = read("chain").T
print(f"accepted {accepted}, omega_m {mean_omega} +- {width_omega}, b1 {mean_bias} +- {width_bias}, energy {energy[-1]}, at the truth {at_truth}")
samples = omega.size
assert samples == 40 and 0.4 < accepted < 1, accepted
assert len(numpy.unique(omega)) > 0.3 * samples
for name, chain, mean, width in (("omega_m", omega, mean_omega, width_omega), ("b1", bias, mean_bias, width_bias)):
    assert abs(mean - chain[warm:].mean()) < 1e-5 * abs(mean), name
    assert abs(width - chain[warm:].std()) < 1e-4 * width, name
assert abs(mean_omega - 0.3) < 5 * width_omega and abs(mean_bias - 0.8) < 5 * width_bias
# The truth is a sample of the posterior, too. Energies scatter by half a unit a mode, added in quadrature.
counts = read("counts")
scatter = numpy.sqrt(counts.size / 2)
assert abs(energy[samples // 2:].mean() - at_truth) < 5 * scatter, (energy, at_truth)
assert (counts >= 0).all() and (counts == numpy.rint(counts)).all() and abs(counts.mean() / 3 - 1) < 0.15, counts.mean()
field, truth = read("mean_field"), read("truth")
r = (field * truth).sum() / numpy.sqrt((field**2).sum() * (truth**2).sum())
assert r > 0.25, r
