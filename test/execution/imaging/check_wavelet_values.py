#!/usr/bin/env python3
"""Compares the outputs of wavelet_values.pm with NumPy: check_wavelet_values.py FOLDER

Filters come from the spectral factorization of Daubechies (1988), not from tables."""
import sys

import numpy as np
import scipy.ndimage
from scipy.special import comb

read = lambda name: np.load(f"{sys.argv[1]}/{name}.npy")


def factored(moments, flipped=()):
    """The filter with those zeros of P(y) = sum C(N - 1 + k, k) y^k that are in the unit circle; of the flipped ones, outside."""
    coefficients = np.array([comb(moments - 1 + k, k) for k in range(moments)][::-1])
    polynomial = np.array([1.0])
    places = [y for y in np.roots(coefficients) if y.imag > -1e-9] if moments > 1 else []
    for i, y in enumerate(places):
        for _ in range(3):
            y = y - np.polyval(coefficients, y) / np.polyval(np.polyder(coefficients), y)
        pair = sorted(np.roots([1, 4 * y - 2, 1]), key=abs)       # y = (2 - z - 1/z)/4
        zero = pair[i in flipped]
        polynomial = np.convolve(polynomial, [1, -zero])
        if y.imag > 1e-9:
            polynomial = np.convolve(polynomial, [1, -zero.conj()])
    for _ in range(moments):
        polynomial = np.convolve(polynomial, [1, 1])
    taps = polynomial.real
    return taps * np.sqrt(2) / taps.sum()


def daubechies(moments):
    return factored(moments)


def bend(h):
    """How far the phase of a filter's transform is from a line through 0, up to 0.9 of the highest frequency."""
    w = np.linspace(0, 0.9 * np.pi, 500)
    phase = np.unwrap(np.angle(np.exp(1j * np.outer(w, np.arange(len(h)))) @ h))
    return np.linalg.norm(phase - w * (phase @ w) / (w @ w))


def symlet(moments):
    """The one of the most even phase among all choices of zeros; the smaller end first."""
    count = (moments - 1) // 2 + (moments - 1) % 2
    every = (factored(moments, [i for i in range(count) if code >> i & 1]) for code in range(2**count))
    best = min(every, key=bend)
    return best if abs(best[0]) < abs(best[-1]) else best[::-1]


def one_level(f, h, axis):
    g = h[::-1] * (-1) ** np.arange(len(h))
    f = np.moveaxis(f, axis, 0)
    out = np.empty_like(f)
    before = len(h) // 2 - 1
    out[0::2] = sum(h[k] * np.roll(f, before - k, 0)[0::2] for k in range(len(h)))
    out[1::2] = sum(g[k] * np.roll(f, before - k, 0)[0::2] for k in range(len(h)))
    return np.moveaxis(out, 0, axis)


def wavelet(f, moments, levels, axes, family=daubechies):
    f = f.copy()
    for level in range(levels):
        coarse = tuple(slice(None, None, 2**level if axis in axes else 1) for axis in range(f.ndim))
        part = f[coarse]
        for axis in axes:
            part = one_level(part, family(moments), axis)
        f[coarse] = part
    return f


def inverse(c, moments, levels, axes):
    """The transpose, from a matrix along every axis."""
    c = c.copy()
    for level in reversed(range(levels)):
        coarse = tuple(slice(None, None, 2**level if axis in axes else 1) for axis in range(c.ndim))
        part = c[coarse]
        for axis in axes:
            W = one_level(np.eye(part.shape[axis]), daubechies(moments), 0)
            part = np.moveaxis(np.tensordot(W.T, part, (1, axis)), 0, axis)
        c[coarse] = part
    return c


def shrink(f, t, moments, levels, axes=(0, 1, 2)):
    c = wavelet(f, moments, levels, axes)
    size = np.abs(c)
    small = np.where(size > t, c * (1 - t / np.maximum(size, 1e-300)), 0)
    kept = np.ix_(*(np.arange(n) % 2**levels == 0 for n in f.shape))
    small[kept] = c[kept]
    return inverse(small, moments, levels, axes)


def smooth(f, j):
    taps = np.zeros(4 * 2**j + 1)
    taps[::2**j] = np.array([1, 4, 6, 4, 1]) / 16
    for axis in range(3):
        f = scipy.ndimage.convolve1d(f.real, taps, axis, mode="wrap") + 1j * scipy.ndimage.convolve1d(f.imag, taps, axis, mode="wrap")
    return f


def main():
    f, batch = read("data"), read("batches")
    everything = (0, 1, 2)
    roll = lambda u, n: np.roll(u, -n, everything)
    smoothed = [f]
    for j in range(3):
        smoothed.append(smooth(smoothed[-1], j))
    # Coefficient i of the grid that is moved back by n is in cell i - n.
    at = lambda n: tuple(n * (2 * axis + 1) for axis in everything)
    wanted = {
        "placed": np.roll(wavelet(np.roll(f, at(2), everything), 2, 2, everything), [-n for n in at(2)], everything),
        "db4": wavelet(f, 4, 3, everything), "batch_db2": wavelet(batch, 2, 2, (0, 2)), "along_x": wavelet(f, 3, 4, (0,)),
        "long": np.stack([wavelet(f, n, 1 + n % 2, (0, 2)) for n in (5, 6, 7, 8)], -1),
        "symmetric": np.stack([wavelet(f, n, 2, (0, 2), symlet) for n in (4, 8)], -1),
        "spun": sum(roll(shrink(roll(f, n), 0.7, 1, 2), -n) for n in range(3)) / 3,
        "moved": np.roll(f, 3, (1, 2)), "star": np.stack([a - b for a, b in zip(smoothed, smoothed[1:])] + smoothed[3:], -1)}
    for name, truth in wanted.items():
        error = np.max(np.abs(read(name) - truth))
        assert error < 3e-13, f"{name} is off by {error:g}"


if __name__ == "__main__":
    main()
