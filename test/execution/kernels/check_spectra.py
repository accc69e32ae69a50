#!/usr/bin/env python3
"""check_spectra.py OUT TOLERANCE: the outputs of spectra.pm, from full transforms of the fields in them."""
import os
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "reference"))
from compare import load

out, tolerance = sys.argv[1], float(sys.argv[2])
failures = []


def same(name, *expected):
    got = load(out, name)
    expected = np.squeeze(np.stack([np.asarray(e, float) for e in expected], -1))
    got = np.squeeze(got)
    if got.shape != expected.shape:
        sys.exit("%s has shape %s, expected %s" % (name, got.shape, expected.shape))
    error = np.max(np.abs(got - expected)) / max(1.0, np.max(np.abs(expected)))
    if not error <= tolerance:
        failures.append("%s is off by %g, expected at most %g:\n%s\nexpected\n%s" % (name, error, tolerance, got, expected))


def modes(shape, halved):
    """Mode numbers as the manual has them: -n/2, but n/2 along the halved dim."""
    lists = [np.rint(np.fft.fftfreq(n, 1 / n)) for n in shape]
    if shape[halved] % 2 == 0:
        lists[halved][shape[halved] // 2] *= -1
    return np.meshgrid(*lists, indexing="ij")


def spectrum(name, axes=None):
    f = load(out, name).astype(float)
    axes = axes or tuple(range(f.ndim))
    return f, np.fft.fftn(f, axes=axes) / np.prod([f.shape[a] for a in axes])


f, u = spectrum("f")
g, v = spectrum("g")
x, y, z = modes(f.shape, 2)
power = np.abs(u) ** 2


def bins(index, cells, *values):
    index = np.floor(index).astype(int)
    return [np.array([np.broadcast_to(value, index.shape)[index == i].sum() for i in range(cells)]) for value in values]


same("sums", f[0, 0, 0], 0, 0, (u * v).sum().real, 0, power.sum())
same("moments", (x * power).sum(), (y * power).sum(), (z * power).sum(), (x * y * (u * v).real).sum())
mixed = x * power + v.imag
carried = u.imag
for i in range(3):
    carried = 0.5 * carried + v.imag
same("stored", (mixed ** 2).sum(), (y * mixed).sum(), (v.imag * u.imag).sum(), (carried * v.imag).sum(), 0)
same("means", (u * v).real.mean(), (np.exp(0.3 * x) * u.real).mean(), 0)
same("products", (u.conj() * v).sum().real, (u.imag * v.imag).sum(), 0)
same("extremes", u.imag.max(), u.imag.min(), u.real.max(), (x * u.real + 2 * y * power + u.imag).min(), power.max())
same("even_bins", *bins(np.abs(x) + 2 * np.abs(y) + (z != 0), 12, power, (u * v).imag * x, 1.0))
same("odd_bins", *bins(x + 2 * y + 5, 12, power, u.imag * z, 1.0))
same("along", *bins(x + f.shape[0] // 2, f.shape[0], power))
same("shifted", *bins(10.5 + 3 * u.imag + z, 20, 1.0, u.real + v.imag))

before, ub = spectrum("before", (1, 2))
between, um = spectrum("between", (0, 2))
after, ua = spectrum("after", (0, 1))
same("back_before", before.sum(0))
same("back_between", between.mean(1))
same("back_after", after.sum(2))
stored = f.shape[2] // 2 + 1
same("most", (np.abs(um) ** 2).max(1)[:, :stored])
same("least", ua.imag.min(2)[:, :stored])
same("of_most", (np.abs(um) ** 2).max(1).sum())
x, z = modes((f.shape[0], f.shape[2]), 1)
same("of_least", (ua.imag.min(2) * z).sum())
same("batch_sums", before[:, 0, 0], np.zeros(3), np.zeros(3))
same("batch_moments", *((m[:, None] * np.abs(um) ** 2).sum((0, 2)) for m in (x, z)))
same("batch_extremes", ua.imag.max((0, 1)), (x[..., None] * np.abs(ua) ** 2 + ua.imag).min((0, 1)))
same("rows", before[:, :, 0], np.zeros(before.shape[:2]))
same("columns", ub.sum(1)[:, :stored].real, ub.sum(1)[:, :stored].imag)
sys.exit("\n".join(failures) or 0)
