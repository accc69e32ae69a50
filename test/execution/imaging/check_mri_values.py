#!/usr/bin/env python3
"""Compares the outputs of mri_values.pm with NumPy: check_mri_values.py FOLDER"""
import sys

import numpy as np
import scipy.ndimage
import scipy.special

from check_wavelet_values import shrink

read = lambda name: np.load(f"{sys.argv[1]}/{name}.npy")
IMAGE = (-2, -1)


def fft(f, axes=IMAGE):
    """Centred and unitary, with mode 0 first."""
    return np.fft.fftn(np.fft.ifftshift(f, axes), axes=axes, norm="ortho")


ifft = lambda k: np.fft.fftshift(np.fft.ifftn(k, axes=IMAGE, norm="ortho"), IMAGE)
f, odd, stored, maps, mask = map(read, "image odd_image stored_data sensitivities random".split())
modes = lambda n: np.fft.fftfreq(n, 1 / n)
mx, my = np.meshgrid(modes(16), modes(12), indexing="ij")
middle = lambda width: (abs(mx + 0.5) < width / 2) & (abs(my + 0.5) < width / 2)
fall = np.maximum(1 - np.hypot(mx / 8, my / 6), 0) ** 2


def density():
    low, high = 0, 1e6
    for _ in range(200):
        a = (low + high) / 2
        p = np.where(middle(4), 1, np.minimum(a * fall, 1))
        low, high = (a, high) if p.mean() < 1 / 3 else (low, a)
    return p


def birdcage(angles, radius, rings, shape):
    """As in SigPy: sensitivities of coils that stand around the last of three axes."""
    at = np.meshgrid(*(2 * np.arange(n) / n - 1 for n in shape), indexing="ij")
    each, found = angles // rings, []
    for coil in range(angles):
        turn, ring = 2 * np.pi * coil / each, coil // each
        x, y = at[0] - radius * np.cos(turn), at[1] - radius * np.sin(turn)
        z = at[2] - (ring - (rings - 1) / 2) if len(shape) > 2 else 0
        turn += 2 * np.pi * ring / each
        found.append(np.exp(1j * (np.arctan2(x, -y) - turn)) / np.sqrt(x**2 + y**2 + z**2))
    return np.array(found) / np.sqrt(np.sum(np.abs(found) ** 2, 0))


def estimate():
    k = fft(maps * f)
    hann = lambda m: np.where(abs(m + 0.5) < 5, 0.5 + 0.5 * np.cos(2 * np.pi * m / 10), 0)
    images = ifft(hann(mx) * hann(my) * k)
    size = np.sqrt(np.sum(np.abs(images) ** 2, 0))
    return np.where(size > 0.3 * size.max(), images / size, 0)


def ssim(a, b):
    taps = np.exp(-np.arange(-5, 6) ** 2 / 4.5)
    taps /= taps.sum()

    def smooth(u):
        for axis in range(u.ndim):
            u = scipy.ndimage.correlate1d(u, taps, axis)
        return u

    ma, mb = smooth(a), smooth(b)
    va, vb, vab = smooth(a * a) - ma**2, smooth(b * b) - mb**2, smooth(a * b) - ma * mb
    spread = b.max() - b.min()
    c1, c2 = (0.01 * spread) ** 2, (0.03 * spread) ** 2
    found = (2 * ma * mb + c1) * (2 * vab + c2) / ((ma**2 + mb**2 + c1) * (va + vb + c2))
    return found[5:-5, 5:-5].mean()


def phantom():
    """k-space of every ellipsoid: its volume times the transform of the unit ball, by a spherical Bessel function."""
    shapes = [(1, .69, .92, .81, 0, 0, 0, 0), (-.8, .6624, .874, .78, 0, -.0184, 0, 0), (-.2, .11, .31, .22, .22, 0, 0, -18),
              (-.2, .16, .41, .28, -.22, 0, 0, 18), (.1, .21, .25, .41, 0, .35, -.15, 0), (.1, .046, .046, .05, 0, .1, .25, 0),
              (.1, .046, .046, .05, 0, -.1, .25, 0), (.1, .046, .023, .05, -.08, -.605, 0, 0), (.1, .023, .023, .02, 0, -.606, 0, 0),
              (.1, .023, .046, .02, .06, -.605, 0, 0)]
    k = np.stack(np.meshgrid(*(np.pi * modes(n) for n in (16, 10, 12)), indexing="ij"), -1)
    total = 0
    for value, a, b, c, x, y, z, angle in shapes:
        angle = np.radians(angle)
        turn = np.array([[np.cos(angle), np.sin(angle), 0], [-np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
        u = np.linalg.norm(k @ turn.T * [a, b, c], axis=-1)
        ball = np.where(u > 0, 3 * scipy.special.spherical_jn(1, u) / np.where(u > 0, u, 1), 1)
        total = total + value * 4 / 3 * np.pi * a * b * c / 8 * ball * np.exp(-1j * (k @ [x, y, z]))
    return total * np.sqrt(16 * 10 * 12)


data = read("measured")
forward = lambda x: mask * fft(maps * x)
adjoint = lambda y: np.sum(maps.conj() * ifft(mask * y), 0)
b = adjoint(data)
dot = lambda u, v: np.sum(u.conj() * v).real
K = lambda u: np.array([np.roll(u, -1, axis) - u for axis in (0, 1)])
KT = lambda v: sum(np.roll(v[axis], 1, axis) - v[axis] for axis in (0, 1))
length = lambda v: np.sqrt(np.sum(np.abs(v) ** 2, axis=0))


def cg(steps):
    x, r = 0 * b, b
    p = r
    for _ in range(steps):
        q = adjoint(forward(p)) + 0.02 * p
        a = dot(r, r) / dot(p, q)
        x, old, r = x + a * p, dot(r, r), r - a * q
        p = r + dot(r, r) / old * p
    return x


def fista(steps):
    x = y = b
    t = 1
    for _ in range(steps):
        before, x = x, shrink(y - adjoint(forward(y)) + b, 0.05, 2, 2, (0, 1))
        t = 1 if dot(y - x, x - before) > 0 else t
        t, old = (1 + np.sqrt(1 + 4 * t**2)) / 2, t
        y = x + (old - 1) / t * (x - before)
    return x


def condat(steps):
    x, u = b, 0
    for _ in range(steps):
        before, x = x, x - (adjoint(forward(x)) - b + KT(u) if np.ndim(u) else adjoint(forward(x)) - b) / (0.5 + 0.04 * 8)
        u = u + 0.04 * K(2 * x - before)
        u = u / np.maximum(1, length(u) / 0.05)
    return x


one, two = np.moveaxis(read("volumes"), -1, 0)
wide, wide2 = np.moveaxis(read("planes"), -1, 0)
tv = lambda epsilon: np.sum(np.sqrt(length(K(f)) ** 2 + epsilon**2))
rows = mx / 2
draws = np.fft.ifftshift(read("draws"))
noise = read("noise_k")
wanted = {
    "k_image": fft(f), "k_odd": fft(odd), "in_modes": np.fft.ifftshift(stored, IMAGE),
    "uniform": ((mx % 3 == 0) & (my % 3 == 0) | middle(4)) * 1.0, "caipi": ((mx % 2 == 0) & ((my - rows) % 3 == 0)) * 1.0,
    "random": (scipy.special.ndtr(draws) < density()) * 1.0, "sensitivities": birdcage(4, 1.5, 1, (16, 12)),
    "rings": birdcage(6, 1.2, 2, (16, 10, 12)), "estimated": estimate(),
    "combined": np.sum(2 * maps.conj() * stored, 0) / np.sum(4 * np.abs(maps) ** 2, 0),
    "quality": [np.linalg.norm(two - one) / np.linalg.norm(one), 10 * np.log10(abs(one).max() ** 2 / np.mean((two - one) ** 2)),
                10 * np.log10(4 / 0.01), ssim(wide2, wide), tv(0), tv(0.3)],
    "phantom": phantom(), "measured": forward(f) + mask * noise, "cg_image": cg(7), "wavelet_image": fista(8), "tv_image": condat(8)}
for name, truth in wanted.items():
    found = read(name)
    error = np.max(np.abs(found - np.array(truth).reshape(found.shape)))
    assert error < 1e-12, f"{name} is off by {error:g}"
assert 0.2 < mask.mean() < 0.5 and abs(np.std(noise.real) / 0.05 - 1) < 0.1 and abs(np.mean(noise)) < 0.01, noise
