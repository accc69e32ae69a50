#!/usr/bin/env python3
"""The light cone, planes, maps and rays of cone.pm against NumPy and SciPy.

    check_cone.py OUT [OMEGA_K]"""
import os
import sys

import numpy as np
from scipy.integrate import quad
from scipy.optimize import brentq

sys.path.insert(0, os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "reference"))
import replay  # pylint: disable=wrong-import-position
from compare import load  # pylint: disable=wrong-import-position

OUT = sys.argv[1]
N, STEPS, BOX, REACH, SHAPE = 16, 7, 100.0, 590.0, (24, 20)
HUBBLE = 2997.92458
COSMO = replay.Cosmology(omega_m=0.28, omega_k=float((sys.argv + [0.0])[2]))
SIDES = np.array([BOX / SHAPE[0], BOX / SHAPE[1]])


def same(name, got, expected, bound=1e-9):
    error = np.abs(got - expected).max() / np.abs(expected).max()
    print("%-12s largest %.3e, off by %.1e" % (name, np.abs(expected).max(), error))
    assert got.shape == expected.shape and error < bound, (name, error)


# ---- background and copies ----

def distance(a):
    return HUBBLE * quad(lambda y: 1 / (y * y * replay.efunc(COSMO, y)), a, 1, epsabs=0, epsrel=1e-13)[0]


def across(chi):
    """The transverse comoving distance."""
    if COSMO.omega_k == 0:
        return chi
    root = np.sqrt(abs(COSMO.omega_k)) / HUBBLE
    return (np.sinh if COSMO.omega_k > 0 else np.sin)(root * chi) / root


def efficiency_of(far):
    return lambda chi: across(np.maximum(far - chi, 0)) / across(far)


CHI = REACH * (1 - np.arange(STEPS + 1) / STEPS)
MIDDLE = 0.5 * (CHI[1:] + CHI[:-1])
ACROSS = across(MIDDLE)
TIMES = np.array([brentq(lambda a, chi=chi: distance(a) - chi, 0.3, 1, xtol=1e-15) for chi in CHI[:-1]] + [1.0])
MIDDLE_TIMES = np.array([brentq(lambda a, chi=chi: distance(a) - chi, 0.3, 1, xtol=1e-15) for chi in MIDDLE])


def turned(n, seed=5):
    """A rotation and a shift of copy n; see turned_copies."""
    golden, plastic = (max(np.roots(p).real) for p in ([1, -1, -1], [1, 0, 0, -1, -1]))
    order, sign = divmod(int(24 * ((0.5 + (n + 1 + 64 * seed) / golden) % 1)), 4)
    shift = (n + 1 + 64 * seed) * plastic ** -np.arange(1.0, 4.0) % 1
    signs = np.array([1 - 2 * (sign // 2), 1 - 2 * (sign % 2), 0])
    rows = np.eye(3)[[(j + order if order < 3 else order - j) % 3 for j in range(3)]]
    signs[2] = signs[0] * signs[1] * round(np.linalg.det(rows))
    return rows * signs[:, None], shift


def unturned(_):
    return np.eye(3), np.zeros(3)


# ---- the cone ----

def cic(positions, shape):
    """Yields (indices, weights) of the four nodes around positions (..., 2) in cells."""
    floor = np.floor(positions).astype(int)
    part = positions - floor
    for i in (0, 1):
        for j in (0, 1):
            yield (((floor[..., 0] + i) % shape[0], (floor[..., 1] + j) % shape[1]),
                   np.abs(1 - i - part[..., 0]) * np.abs(1 - j - part[..., 1]))


def cone(x, p, growth, copies):
    """Planes of sigma by the crossing of every particle of every copy, the particles at the end, and (x, y, chi, step) of
    all that were seen."""
    planes, seen = np.zeros((STEPS,) + SHAPE), []
    g = replay.force(x, N, BOX)
    for i in range(STEPS):
        a, b = TIMES[i:i + 2]
        h = np.sqrt(a * b)
        p = p + g * replay.kick_factor(growth, a, a, h)
        move = p * replay.drift_factor(growth, a, h, b)
        for n in range(-1, int(REACH / BOX) + 2):
            turn, shift = copies(n)
            begin = replay.wrap(x @ turn.T + shift * BOX, BOX)
            begin[:, 2] += n * BOX
            path = move @ turn.T
            s = (CHI[i] - begin[:, 2]) / (path[:, 2] + CHI[i] - CHI[i + 1])
            met = (s >= 0) & (s < 1)
            s = s[met]
            at = begin[met] + s[:, None] * path[met]
            for index, weight in cic(at[:, :2] / SIDES, SHAPE):
                np.add.at(planes[i], index, weight)
            seen.append(np.column_stack([at, np.full(len(at), i)]))
        x = x + move
        g = replay.force(x, N, BOX)
        p = p + g * replay.kick_factor(growth, h, b, b)
    return planes * BOX ** 3 / N ** 3 / SIDES.prod() - (CHI[:-1] - CHI[1:])[:, None, None], x, p, np.concatenate(seen)


# ---- light ----

THETA = np.stack(np.meshgrid(*[np.radians(8) * (np.arange(m) / m - 0.5) for m in (14, 18)], indexing="ij"), axis=-1)


def strength(k, sigma):
    return 1.5 * COSMO.omega_m / HUBBLE ** 2 / MIDDLE_TIMES[k] * sigma[k]


def read(f, x, nodes=cic):
    return sum(weight * f[index] for index, weight in nodes(x / SIDES, SHAPE))


def tsc(positions, shape):
    near = np.floor(positions + 0.5).astype(int)
    d = positions - near
    weights = [0.5 * (0.5 - d) ** 2, 0.75 - d ** 2, 0.5 * (0.5 + d) ** 2]
    for i in range(3):
        for j in range(3):
            yield (((near[..., 0] + i - 1) % shape[0], (near[..., 1] + j - 1) % shape[1]),
                   weights[i][..., 0] * weights[j][..., 1])


def bend(k, sigma):
    """Deflection (2, …) and its derivatives (2, 2, …) by x, on the plane's nodes."""
    modes = [np.fft.fftfreq(m) * m for m in SHAPE]
    whole = np.stack(np.meshgrid(*modes, indexing="ij")) * 2 * np.pi / BOX
    odd = np.stack(np.meshgrid(*[np.where(2 * abs(f) == m, 0, f) for f, m in zip(modes, SHAPE)], indexing="ij")) * 2 * np.pi / BOX
    k2 = (whole ** 2).sum(axis=0)
    k2[0, 0] = 1
    psi = -2 * np.fft.fft2(strength(k, sigma)) / k2
    psi[0, 0] = 0
    alpha = [np.fft.ifft2(1j * odd[d] * psi).real for d in (0, 1)]
    mixed = np.fft.ifft2(-odd[0] * odd[1] * psi).real
    return alpha, [[np.fft.ifft2(-whole[0] ** 2 * psi).real, mixed], [mixed, np.fft.ifft2(-whole[1] ** 2 * psi).real]]


def trace(sigma, source):
    """beta and A by the recursion of Hilbert et al. (2009) over planes in front of a source."""
    ks = [k for k in range(STEPS - 1, -1, -1) if MIDDLE[k] < source]
    chi = [MIDDLE[k] for k in ks] + [source]
    beta0, beta = THETA, THETA
    A0 = A = np.broadcast_to(np.eye(2), THETA.shape + (2,))
    for i, k in enumerate(ks):
        alpha, tidal = bend(k, sigma)
        x = beta * across(chi[i])
        bent = np.stack([read(a, x) for a in alpha], axis=-1)
        U = across(chi[i]) * np.stack([np.stack([read(f, x) for f in row], axis=-1) for row in tidal], axis=-2)
        before = chi[i - 1] if i else 0.0
        f1 = across(chi[i]) / across(chi[i + 1]) * across(chi[i + 1] - before) / across(chi[i] - before)
        f2 = across(chi[i + 1] - chi[i]) / across(chi[i + 1])
        beta0, beta = beta, (1 - f1) * beta0 + f1 * beta - f2 * bent
        A0, A = A, (1 - f1) * A0 + f1 * A - f2 * U @ A
    return beta, A


def direct(seen, efficiency):
    """kappa of particles, each in its own direction, with a TSC window on the sky."""
    shape = THETA.shape[:2]
    side = np.radians(8) / np.array(shape)
    ends = np.array([1.5 * COSMO.omega_m / HUBBLE ** 2 / a * across(chi) * efficiency(chi) for chi, a in zip(CHI, TIMES)])
    chi, step = seen[:, 2], seen[:, 3].astype(int)
    s = (CHI[step] - chi) / (CHI[step] - CHI[step + 1])
    angle = (seen[:, :2] - BOX / 2) / across(chi)[:, None] + np.radians(8) / 2
    inside = ((angle >= 0) & (angle < np.radians(8))).all(axis=1)
    mass = ((ends[step] * (1 - s) + ends[step + 1] * s) / across(chi) ** 2)[inside] * BOX ** 3 / N ** 3 / side.prod()
    kappa = np.zeros(shape)
    for index, weight in tsc(angle[inside] / side, shape):
        np.add.at(kappa, index, weight * mass)
    return kappa - 0.5 * (ends[1:] + ends[:-1]) @ (CHI[:-1] - CHI[1:])


def main():
    growth = replay.Growth(COSMO)
    x, p = replay.lpt_state(load(OUT, "linear"), BOX, growth, 0.1)
    x, p = replay.evolve(x, p, growth, 0.1, TIMES[0], 3, lambda y: replay.force(y, N, BOX))

    copies = load(OUT, "copies")
    for n, row in enumerate(copies):
        turn, shift = turned(n)
        assert np.array_equal(row[:9].reshape(3, 3), turn) and abs(row[9:] - shift).max() < 1e-9, (n, row)
        assert np.array_equal(turn @ turn.T, np.eye(3)) and round(np.linalg.det(turn)) == 1, turn
    assert len({tuple(row[:9]) for row in copies}) == 24

    sigma, x1, p1, seen = cone(x, p, growth, turned)
    same("turned", load(OUT, "turned"), sigma)
    got = load(OUT, "particles").reshape(-1, 6)
    same("disp", got[:, :3], x1 - replay.lattice(N, BOX))
    same("mom", got[:, 3:], p1)

    sigma = cone(x, p, growth, unturned)[0]
    same("same", load(OUT, "same"), sigma)
    sources = [distance(1 / (1 + z)) for z in (0.12, 0.2, 0.9)]

    def born(efficiency, nodes=cic):
        return sum(efficiency(MIDDLE[k]) * ACROSS[k] * read(strength(k, sigma), THETA * ACROSS[k], nodes) for k in range(STEPS))

    maps = load(OUT, "maps")
    for i, far in enumerate(sources):
        same("born %d" % i, maps[..., i], born(efficiency_of(far)))

    for i, z in enumerate((0.12, 0.9)):
        far = distance(1 / (1 + z))
        same("direct %d" % i, load(OUT, "direct")[..., i], direct(seen, efficiency_of(far)))

    def n_of_z(z):
        return z ** 2 * np.exp(-(z / 0.2) ** 1.5)

    whole = quad(n_of_z, 0, 0.6, epsrel=1e-12)[0]
    redshift = {chi: 1 / a - 1 for chi, a in zip(MIDDLE, MIDDLE_TIMES)}
    spread = born(lambda chi: quad(lambda z: n_of_z(z) * efficiency_of(distance(1 / (1 + z)))(chi), redshift[chi], 0.6, epsrel=1e-11)[0]
                  / whole, tsc)
    same("n(z)", load(OUT, "spread"), spread)
    aligned = sum(-1.3 * 5e-14 * 2.77536627e11 * COSMO.omega_m / growth.D1(MIDDLE_TIMES[k]) * n_of_z(redshift[MIDDLE[k]]) / whole
                  * replay.efunc(COSMO, MIDDLE_TIMES[k]) / HUBBLE * read(sigma[k], THETA * ACROSS[k]) for k in range(STEPS))
    same("aligned", load(OUT, "aligned"), aligned)

    def angular(l):
        def at(a):
            chi, far = distance(a), sources[2]
            k = (l + 0.5) / across(chi)
            weight = 1.5 * COSMO.omega_m / HUBBLE ** 2 / a * efficiency_of(far)(chi)
            return weight ** 2 * HUBBLE / (a * a * replay.efunc(COSMO, a)) * a * k * np.exp(-4 * k)
        return quad(at, TIMES[0], 1, epsabs=0, epsrel=1e-9)[0]

    same("limber", load(OUT, "angular")[::10], np.array([angular(20 * (i + 1)) for i in range(0, 60, 10)]), 1e-8)

    shear = np.zeros((2,) + THETA.shape[:2])
    for k in range(STEPS):
        tidal = bend(k, sigma)[1]
        weight = ACROSS[k] * efficiency_of(sources[1])(MIDDLE[k])
        shear += weight * np.stack([read((tidal[0][0] - tidal[1][1]) / 2, THETA * ACROSS[k]), read(tidal[0][1], THETA * ACROSS[k])])
    same("shear", load(OUT, "straight"), np.moveaxis(shear, 0, -1))

    for name, far in (("rays1", sources[0]), ("rays3", sources[2])):
        beta, A = trace(100 * sigma, far)
        got = load(OUT, name)
        same(name + " beta", got[..., :2], beta)
        same("  kappa", got[..., 2], 1 - 0.5 * (A[..., 0, 0] + A[..., 1, 1]))
        same("  gamma1", got[..., 3], 0.5 * (A[..., 1, 1] - A[..., 0, 0]))
        same("  gamma2", got[..., 4], -0.5 * (A[..., 0, 1] + A[..., 1, 0]))
        same("  omega", got[..., 5], 0.5 * (A[..., 1, 0] - A[..., 0, 1]))


main()
