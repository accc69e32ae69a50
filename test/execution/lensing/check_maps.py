#!/usr/bin/env python3
"""The maps, spectra and predictions of maps.pm against NumPy and SciPy."""
import os
import sys

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "reference"))
import replay  # pylint: disable=wrong-import-position
from compare import load  # pylint: disable=wrong-import-position

OUT = sys.argv[1]
SIDES = np.radians([5.0, 4.0])
HUBBLE = 2997.92458


def same(name, got, expected, bound=1e-11):
    error = np.abs(got - expected).max() / np.abs(expected).max()
    print("%-12s off by %.1e" % (name, error))
    assert np.shape(got) == np.shape(expected) and error < bound, (name, error)


f, g, weight = (load(OUT, name) for name in ("f", "g", "weight"))
SHAPE = f.shape
modes = [np.fft.fftfreq(n) * n for n in SHAPE]
l1, l2 = np.meshgrid(*[2 * np.pi / side * m for side, m in zip(SIDES, modes)], indexing="ij")
nyquist = np.abs(modes[0][:, None]) * 2 == SHAPE[0], np.abs(modes[1][None, :]) * 2 == SHAPE[1]
square = l1 ** 2 + l2 ** 2
square[0, 0] = 1
cosine = (l1 ** 2 - l2 ** 2) / square
sine = np.where(nyquist[0] | nyquist[1], 0, 2 * l1 * l2 / square)


def filtered(a, kernel):
    return np.fft.ifft2(np.fft.fft2(a) * kernel).real


shear = load(OUT, "shear")
same("gamma1", shear[..., 0], filtered(f, cosine))
same("gamma2", shear[..., 1], filtered(f, sine))
same("E", shear[..., 2], filtered(f, cosine) + filtered(g, sine))
same("B", shear[..., 3], filtered(g, cosine) - filtered(f, sine))
# There and back all is there but for mixed modes at the Nyquist frequency, which f hardly has.
assert np.abs(shear[..., 4] - f + f.mean()).max() < 1e-3 * np.abs(f).max() and np.abs(shear[..., 5]).max() < 1e-12

ell = np.hypot(l1, l2)


def spectrum(a, b, w, start=40, width=150):
    bins = np.floor((ell - start) / width).astype(int)
    bins[0, 0] = -1
    a, b = (w * (m - (w * m).sum() / w.sum()) for m in (a, b))
    power = (np.fft.fft2(a) * np.conj(np.fft.fft2(b))).real / a.size ** 2 * SIDES.prod() / (w ** 2).mean()
    return np.array([[ell[bins == i].mean(), power[bins == i].mean(), (bins == i).sum()] for i in range(7)])


for name, expected in (("auto", spectrum(f, f, np.ones(SHAPE))), ("weighted", spectrum(f, g, weight)),
                       ("lowest", spectrum(f, f, np.ones(SHAPE), 0, 120))):
    for column in range(3):
        same(name, load(OUT, name)[:, column], expected[:, column])

# A map with a unit: of twice the map.
same("in kelvin", load(OUT, "in_kelvin"), load(OUT, "auto")[:, 1])

R = np.radians(0.6)
# In real space: a sum over pixels and images of the filter.
t = [np.radians(d) * (np.arange(-3 * n, 3 * n) / n) for d, n in zip((5, 4), SHAPE)]
r2 = (t[0][:, None] ** 2 + t[1][None, :] ** 2) / (2 * R * R)
kernel = (1 - r2) * np.exp(-r2) / (2 * np.pi * R * R) * SIDES.prod() / f.size
folded = kernel.reshape(6, SHAPE[0], 6, SHAPE[1]).sum(axis=(0, 2))
same("aperture", load(OUT, "aperture"), np.fft.ifft2(np.fft.fft2(folded) * np.fft.fft2(g)).real, 1e-9)

around = [np.roll(g, (i, j), axis=(0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1) if i or j]
peak = (g > np.max(around, axis=0))
assert np.array_equal(load(OUT, "peak"), peak) and 10 < peak.sum() < 100
edges = -1 + 0.5 * np.arange(10)
assert np.array_equal(load(OUT, "heights"), np.histogram(g[peak], edges)[0])
assert np.array_equal(load(OUT, "values"), np.histogram(g, edges)[0])
decimals = 0.01 * np.arange(1001)
for found, start, width in zip(load(OUT, "at_edges").T, (0, 0.3, -0.1), (0.1, 0.07, 0.3)):
    edges = start + width * np.arange(101)
    assert np.array_equal(found, np.histogram(decimals[decimals < edges[-1]], edges)[0]), (start, width)

cosmo = replay.Cosmology(omega_m=0.3)
growth = replay.Growth(cosmo)


def distance(a):
    return HUBBLE * quad(lambda y: 1 / (y * y * replay.efunc(cosmo, y)), a, 1, epsabs=0, epsrel=1e-12)[0]


def limber(l, efficiency, start):
    def at(a):
        chi = distance(a)
        power = growth.D1(a) ** 2 * 2e4 * ((l + 0.5) / chi / 0.02) ** -1.3
        return (1.5 * 0.3 / HUBBLE ** 2 / a * efficiency(chi, a)) ** 2 * power * HUBBLE / (a * a * replay.efunc(cosmo, a))
    return quad(at, start, 1, epsabs=0, epsrel=1e-7, limit=200)[0]


def n_of_z(z):
    return z ** 2 * np.exp(-(z / 0.5) ** 1.5)


def spread(chi, a):
    # n(z) in steps that are fine enough
    z = np.linspace(1 / a - 1, 3, 401)
    far = np.interp(z, REDSHIFTS, DISTANCES)
    y = n_of_z(z) * (1 - chi / np.maximum(far, chi))
    return (y[0] + y[-1] + 4 * y[1:-1:2].sum() + 2 * y[2:-1:2].sum()) * (z[1] - z[0]) / 3 / WHOLE


REDSHIFTS = np.linspace(0, 3, 2001)
DISTANCES = np.array([distance(1 / (1 + z)) for z in REDSHIFTS])
WHOLE = quad(n_of_z, 0, 3)[0]
predicted = load(OUT, "predicted")
for i, l in enumerate(50 * 2 ** np.arange(6)):
    for j, z in enumerate((0.5, 1.5)):
        far = distance(1 / (1 + z))
        same("limber", predicted[i, j], limber(l, lambda chi, a, far=far: max(1 - chi / far, 0), max(1 / (1 + z), 0.4)), 1e-6)
    if i in (0, 5):
        same("n(z)", predicted[i, 2], limber(l, spread, 0.25), 1e-6)
same("one l", load(OUT, "one"), limber(300, lambda chi, a: 1 - chi / distance(0.4), 0.4), 1e-6)


def cut(k, depth, a):
    # Waves along the line of sight in steps of an eighth of the piece: of its correlation over the depth, nothing comes back.
    q = np.arange(0.5, 4e5) * (np.pi / 4 / depth)
    power = a * 2e4 / (1 + (k * k + q * q) / 0.02 ** 2) ** 0.8
    return (power * np.sinc(q * depth / 2 / np.pi) ** 2).sum() * depth / 4


far = distance(0.4)
borders = np.linspace(0, far, 8)
for i, l in enumerate(50 * 2 ** np.arange(6)):
    expected = whole = 0
    for near, end in zip(borders, borders[1:]):
        chi = (near + end) / 2
        a = brentq(lambda a, chi=chi: distance(a) - chi, 0.3, 1, xtol=1e-14)
        cuts = [near] + [650 * n for n in range(1, 9) if near < 650 * n < end] + [end]
        pieces = sum(cut(l / chi, high - low, a) for low, high in zip(cuts, cuts[1:]))
        weight = (1.5 * 0.3 / HUBBLE ** 2 / a * (1 - chi / far)) ** 2
        expected += weight * pieces
        whole += weight * (end - near) * a * 2e4 / (1 + (l / chi / 0.02) ** 2) ** 0.8
    # The lower l is, the longer are waves beside the thinnest piece.
    same("planes", load(OUT, "planes")[i], expected, 2e-2 * 0.3 ** i)
    same("whole boxes", load(OUT, "whole")[i], whole, 1e-8)
l = 50 + 7.5 * (np.arange(20) + 0.5)
same("bands", load(OUT, "bands"), 4 / l.reshape(5, 4).sum(axis=1))
