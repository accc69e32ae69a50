"""Looks at a trained filter: check_filter.py OUT MOST [OTHER]: particles are at most MOST times as far off as without it, power on the smallest scales is closer to
what it should be, the spline is SciPy's and the network NumPy's, and another run has the same losses."""

import os
import sys

import h5py
import numpy
from scipy.interpolate import BSpline

out, most = sys.argv[1], float(sys.argv[2])


def read(name, where=out):
    with h5py.File(os.path.join(where, name + ".h5")) as file:
        return file[name][()]


before, after = read("errors")
with h5py.File(os.path.join(out, "net.h5")) as file:
    net = {name: file["net/" + name][()] for name in ("first/weight", "first/bias", "last/weight", "last/bias")}
hidden = numpy.tanh(net["first/weight"] @ [1.0] + net["first/bias"])
coefficients = net["last/weight"] @ hidden + net["last/bias"]
kh, share = read("filter").reshape(-1, 2).T
knots = len(coefficients)
wanted = BSpline(numpy.arange(-3.0, knots + 1), coefficients, 3)(kh / (numpy.sqrt(3) * numpy.pi) * (knots - 3))
agreement = read("agreement")
k, t_before, _, t_after, _ = agreement.reshape(-1, 5).T
small = k > 0.5 * k.max()
off = [numpy.abs(t[small] - 1).mean() for t in (t_before, t_after)]
print(f"particles: {after:.4f} cells off, without the filter {before:.4f}; power on small scales: {off[1]:.3f}, {off[0]:.3f}")
complaints = []
if not after < most * before:
    complaints.append(f"particles are {after / before:.2f} times as far off as without the filter, expected at most {most}")
if not off[1] < off[0]:
    complaints.append("power on small scales is not closer to the expected one")
if not numpy.abs(share).max() > 0.01 or not numpy.abs(share - wanted).max() < 1e-10 * numpy.abs(wanted).max():
    complaints.append(f"the filter is off by {numpy.abs(share - wanted).max():.1e} from SciPy's spline")
for other in sys.argv[3:]:
    difference = numpy.abs(read("losses", other) / read("losses") - 1).max()
    if not difference < 1e-8:
        complaints.append(f"{other}: losses differ by {difference:.1e}")
if complaints:
    sys.exit("\n".join(complaints))
