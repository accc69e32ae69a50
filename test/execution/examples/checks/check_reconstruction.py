"""Looks at a reconstruction: check_reconstruction.py OUT [ITERATIONS]: cross-correlation and transfer function of the
initial field on large scales, and losses that fall within every stage."""

import os
import sys

import h5py
import numpy

out, each = sys.argv[1], int(sys.argv[2])


def read(name):
    return h5py.File(os.path.join(out, name + ".h5"))[name][:]


k, r, t, r_final, t_final = read("recovery").T
shells = (k > 0) & (k < 0.1)
print(f"{shells.sum()} shells with k < 0.1 h/Mpc: r {r[shells].min():.4f} ... {r[shells].max():.4f}, "
      f"T {t[shells].min():.4f} ... {t[shells].max():.4f}; at the end r {r_final[shells].min():.4f}")
losses = read("losses").reshape(-1, each)
print("losses", ", ".join(f"{a:.0f} -> {b:.0f}" for a, b in zip(losses[:, 0], losses[:, -1])))
complaints = []
if shells.sum() < 2:
    complaints.append(f"{shells.sum()} shells are too few")
if not r[shells].min() >= 0.99:
    complaints.append(f"cross-correlation {r[shells]}, expected at least 0.99")
if not numpy.abs(t[shells] - 1).max() <= 0.05:
    complaints.append(f"transfer function {t[shells]}, expected 1 to 5 %")
if not (numpy.diff(losses, axis=1) <= 0).all():
    complaints.append(f"the loss rises by {numpy.diff(losses, axis=1).max()}")
# The same statistic, computed here.
a, b = (numpy.fft.rfftn(read(name)) for name in ("true_initial", "fit_initial"))
n = a.shape[0]
m = numpy.fft.fftfreq(n, 1 / n)
length = numpy.sqrt(m[:, None, None]**2 + m[None, :, None]**2 + numpy.arange(n // 2 + 1)**2)
weight = numpy.where((numpy.arange(n // 2 + 1) % (n // 2)) == 0, 1, 2) * numpy.ones_like(length)
for shell in numpy.flatnonzero(shells):
    inside = (length >= shell) & (length < shell + 1)
    ab, aa, bb = (numpy.sum((weight * (x * y.conj()).real)[inside]) for x, y in ((a, b), (a, a), (b, b)))
    if abs(ab / numpy.sqrt(aa * bb) - r[shell]) > 1e-4:
        complaints.append(f"shell {shell}: correlation {r[shell]}, here {ab / numpy.sqrt(aa * bb)}")
sys.exit("\n".join(complaints) or 0)
